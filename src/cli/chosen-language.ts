import { type Language, translatorOf } from '../contract/language.js'
import { showIn } from '../contract/shown-language.js'
import { languageOf } from './asked-language.js'
import { notePhrases } from './note-phrases.js'

export const language: Language = languageOf(process.argv.slice(2), process.env)
showIn(language)

/** A text in English and in Chinese. */
export type TwoTexts = readonly [en: string, zh: string]

/** That of two texts which is wanted. */
export const inLanguageOf = (en: string, zh: string): string => (language === 'en' ? en : zh)

/** A phrase of the notes by its name. */
export const say = translatorOf(notePhrases, language)
