import type { Language } from '../../contract/language.js'

/** Chooses between the same thing in English and in Chinese: the words of the report stand in pairs, beside what they say. */
export type Say = <T>(en: T, zh: T) => T

export function sayIn(language: Language | undefined): Say {
  return (en, zh) => (language === 'zh' ? zh : en)
}

export const inEnglish: Say = sayIn('en')
