import { type Language, languages } from '../contract/language.js'

/** The option that chooses a language; of several the last. What stands behind `--` is no option. */
function optionIn(words: readonly string[]): string | undefined {
  const end = words.indexOf('--')
  const own = end < 0 ? words : words.slice(0, end)
  const given = own.flatMap((word, i) =>
    word === '--lang' ? [own[i + 1]] : word.startsWith('--lang=') ? [word.slice(7)] : [],
  )
  return given.at(-1)
}

/** The setting of the system, which Windows has in no variable. */
const systemLocale = (): string => Intl.DateTimeFormat().resolvedOptions().locale

/**
 * `--lang`, or else QUOTEBOOK_LANG, or the first that is set of the variables of POSIX, or the setting of the system: `zh_CN.UTF-8`, and
 * whatever begins with zh.
 */
export function languageOf(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  system = systemLocale,
): Language {
  const chosen = optionIn(words)
  const option = languages.find((one) => one === chosen)
  const set = env.QUOTEBOOK_LANG || env.LC_ALL || env.LC_MESSAGES || env.LANG || system()
  return option ?? (/^zh/i.test(set) ? 'zh' : 'en')
}
