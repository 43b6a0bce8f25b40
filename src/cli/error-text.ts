import { messageOf } from '../contract/error.js'
import { wordsIn } from '../contract/say.js'
import type { Words } from '../contract/sentence.js'
import { language } from './chosen-language.js'

/** What messages of commander are made of, and the same in Chinese: they are its own, and come as text. */
// biome-ignore format: a table, one part a line
const commanderParts: readonly (readonly [english: RegExp, chinese: string])[] = [
  [/^error: /, '错误：'],
  [/unknown command '(.*?)'/, "未知命令 '$1'"],
  [/unknown option '(.*?)'/, "未知选项 '$1'"],
  [/missing required argument '(.*?)'/, "缺少参数 '$1'"],
  [/required option '(.*?)' not specified/, "必须给出选项 '$1'"],
  [/option '(.*?)' argument missing/, "选项 '$1' 缺少取值"],
  [/option '(.*?)' argument '(.*?)' is invalid\. ?/s, "选项 '$1' 的取值 '$2' 无效。"],
  [/option '(.*?)' value '(.*?)' from env '(.*?)' is invalid\. ?/s, "选项 '$1' 由环境变量 $3 给出的取值 '$2' 无效。"],
  [/command-argument value '(.*?)' is invalid for argument '(.*?)'\. ?/s, "参数 '$2' 的取值 '$1' 无效。"],
  [/too many arguments(?: for '.*?')?\. Expected (\d+) arguments? but got (\d+)\./, '参数过多：应有 $1 个，给了 $2 个。'],
  [/Allowed choices are (.*?)\.$/m, '可选值：$1。'],
  [/\(Did you mean (?:one of )?(.*?)\?\)/, '（是否指 $1？）'],
]

/** Wrong usage as commander says it. */
export function usageText(message: string): string {
  if (language === 'en') return message
  return commanderParts.reduce((said, [english, chinese]) => said.replace(english, chinese), message)
}

/** What anything that was thrown says. */
export const whyOf = (error: unknown): string => inLanguage(messageOf(error))

/** An error or a note, in Chinese where its template has a Chinese one; as it is in English. */
export function inLanguage(message: Words): string {
  return wordsIn(message, language)
}
