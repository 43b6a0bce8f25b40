import { messageOf } from './error.js'
import type { Language } from './language.js'

/** What says a sentence in a language: the text of an error or a note, and what is none of Quotebook's as it is. */
export type SaySentence = (text: string) => string

const inEnglish: SaySentence = (text) => text

/** What says sentences in a language. The Chinese of all of them is read when it is asked for first. */
export async function sentencesIn(language: Language): Promise<SaySentence> {
  if (language === 'en') return inEnglish
  return (await import('./chinese/all-phrases.js')).allInChinese
}

/**
 * The message of an error in Chinese: `catch (error) { console.error(await errorText(error, 'zh')) }`. Names, codes and what others
 * said (the system, a service) stay as they are; so does the message of an error that is none of Quotebook's, or older than the
 * last 10,000 sentences. `error.code` is the same in every language, and so is `error.message`.
 * @param language `'en'` gives the message as it is
 */
export async function errorText(error: unknown, language: Language): Promise<string> {
  return (await sentencesIn(language))(messageOf(error))
}
