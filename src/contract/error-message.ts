import { messageOf } from './error.js'
import type { Language } from './language.js'
import { wordsIn } from './say.js'

/**
 * Returns the message of an error in Chinese: `catch (error) { console.error(await errorText(error, 'zh')) }`. Names,
 * codes and the words of others (the system, a service) stay as they are; so does the message of an error that is not
 * Quotebook's. `error.code` and `error.message` are the same in every language.
 * @param language `'en'` returns the message unchanged
 */
export async function errorText(error: unknown, language: Language): Promise<string> {
  return wordsIn(messageOf(error), language)
}
