import type { Language } from './language.js'
import { type Say, sayIn } from './say.js'
import type { Values, Words } from './sentence.js'

/** Of every copy of this file: the library that a notebook imports is not the one that the command was built from. */
const shared = globalThis as { [key: symbol]: Language | undefined }
const key = Symbol.for('quotebook.language')

/** The language in which tables, checks and charts show themselves: English, unless the command or a notebook's kernel has said another. */
export const shownLanguage = (): Language => shared[key] ?? 'en'

export function showIn(language: Language): void {
  shared[key] = language
}

const says: Readonly<Record<Language, Say>> = { en: sayIn('en'), zh: sayIn('zh') }

/** Says things in the language that is shown. */
export const say = Object.defineProperty(
  (words: Words, ...values: [Values?]) => says[shownLanguage()](words, ...values),
  'language',
  { get: shownLanguage },
) as unknown as Say
