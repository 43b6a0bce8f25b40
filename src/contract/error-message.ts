import { messageOf } from './error.js'
import type { Language } from './language.js'
import { wordsIn } from './say.js'

/**
 * The message of an error in Chinese: `catch (error) { console.error(await errorText(error, 'zh')) }`. Names, codes and what others
 * said (the system, a service) stay as they are; so does the message of an error that is none of Quotebook's. `error.code` is the
 * same in every language, and so is `error.message`.
 * @param language `'en'` gives the message as it is
 */
export async function errorText(error: unknown, language: Language): Promise<string> {
  return wordsIn(messageOf(error), language)
}
