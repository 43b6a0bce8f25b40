import { type Language, languages, translatorOf } from '../contract/language.js'
import { showIn } from '../contract/shown-language.js'
import { notePhrases } from './note-phrases.js'

/** The option that chooses a language; of several the last. What stands behind `--` is no option. */
function optionIn(words: readonly string[]): string | undefined {
  const end = words.indexOf('--')
  const own = end < 0 ? words : words.slice(0, end)
  const given = own.flatMap((word, i) =>
    word === '--lang' ? [own[i + 1]] : word.startsWith('--lang=') ? [word.slice(7)] : [],
  )
  return given.at(-1)
}

/** `--lang`, or else QUOTEBOOK_LANG, or the first that is set of the variables of POSIX: `zh_CN.UTF-8`, and whatever begins with zh. */
export function languageOf(words: readonly string[], env: Readonly<Record<string, string | undefined>>): Language {
  const chosen = optionIn(words)
  const option = languages.find((one) => one === chosen)
  return option ?? (/^zh/i.test(env.QUOTEBOOK_LANG || env.LC_ALL || env.LC_MESSAGES || env.LANG || '') ? 'zh' : 'en')
}

export const language: Language = languageOf(process.argv.slice(2), process.env)
showIn(language)

/** A text in English and in Chinese. */
export type TwoTexts = readonly [en: string, zh: string]

/** That of two texts which is wanted. */
export const inLanguageOf = (en: string, zh: string): string => (language === 'en' ? en : zh)

/** A phrase of the notes by its name. */
export const say = translatorOf(notePhrases, language)
