import { chineseText } from './chinese-text.js'
import type { Language } from './language.js'
import { Fact, fill, isFact, sentence, type Values, type Words } from './sentence.js'
import { systemInChinese } from './system-words.js'

/**
 * What says things in one language: `say('Largest gains')`, say`${n} of ${all} rows`, `say(error.words)`. The English stands
 * where it arises, its Chinese in `locale/zh.json` under the same template.
 */
export interface Say {
  (words: Words, values?: Values): string
  (texts: TemplateStringsArray, ...values: readonly unknown[]): string
  readonly language: Language
}

const isWide = (sign: string | undefined): boolean => sign !== undefined && /[\u2e80-\u9fff\uff00-\uffef]/.test(sign)

/** A Chinese template with its values: a blank parts Chinese from what is none, and no two Chinese signs. */
function fillWide(template: string, values: Values, text: (value: unknown) => string): string {
  return template.split(/(\{\w+\})/).reduce((said, part) => {
    const next = fill(part, values, text)
    if (said.endsWith(' ') && isWide(said.at(-2)) && isWide(next[0])) return said.slice(0, -1) + next
    return said + (next.startsWith(' ') && isWide(said.at(-1)) && isWide(next[1]) ? next.slice(1) : next)
  }, '')
}

function inChinese(words: Words): string {
  if (!isFact(words)) return systemInChinese(words)
  const { template, values, code } = words
  if (code === 'COUNT') return String(values.count)
  const chinese = (code === undefined ? undefined : chineseText(`${template} @${code}`)) ?? chineseText(template)
  const text = (value: unknown): string => (isFact(value) ? inChinese(value) : systemInChinese(String(value)))
  return fillWide(chinese ?? template, values, text)
}

/** Words in a language; what is no fact, such as a name or the text of others, as it is. */
export const wordsIn = (words: Words, language: Language): string =>
  language === 'zh' ? inChinese(words) : String(words)

export function sayIn(language: Language = 'en'): Say {
  const say = (words: Words | TemplateStringsArray, ...values: readonly unknown[]): string => {
    if (typeof words === 'string') return wordsIn(new Fact(words, values[0] as Values | undefined), language)
    return wordsIn(isFact(words) ? words : sentence(words, ...values), language)
  }
  return Object.assign(say, { language })
}

export const inEnglish: Say = sayIn('en')
