import type { Language } from '../contract/language.js'
import { showIn } from '../contract/shown-language.js'
import { languageOf } from './asked-language.js'

export { say } from '../contract/shown-language.js'

export const language: Language = languageOf(process.argv.slice(2), process.env)
showIn(language)
