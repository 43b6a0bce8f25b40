import { datasetOf } from '../contract/catalogue.js'
import { ParamsError } from '../contract/error.js'
import { say } from './chosen-language.js'
import { jsonObject } from './command-options.js'
import type { CommandWords } from './declare-command.js'
import { wrongUse } from './wrong-use.js'

/** Query conditions as words, `symbols=123124,110059`, and as JSON. */
// biome-ignore format: a table, one word a line
export const paramWords = {
  '[params...]': ['query conditions, as the vendor spells them; codes, names or pinyin initials: symbols=123124,云帆转债,yfzz'],
  '--params <json>': ['the same as a JSON object', jsonObject],
} as const satisfies CommandWords

/**
 * The params of words and of a JSON object. Values of words are text, where commas separate, or whole numbers where the param is
 * one; whoever asks with them checks them.
 * @throws QuotebookError USAGE for a word without =, ParamsError for a name that is given twice
 */
export function paramsOfWords(
  name: string,
  words: readonly string[],
  json: Record<string, unknown> | undefined,
): Record<string, unknown> | undefined {
  if (words.length === 0) return json
  const { params } = datasetOf(name)
  const given = new Map(Object.entries(json ?? {}))
  for (const word of words) {
    const at = word.indexOf('=')
    if (at <= 0) throw wrongUse("'{word}' is no param: write NAME=VALUE, as in symbols=123124", { word })
    const [key, text] = [word.slice(0, at), word.slice(at + 1)]
    if (given.has(key))
      throw new ParamsError(key, say('{name} is given twice; several values are separated by commas', { name: key }))
    const isNumber = Object.hasOwn(params, key) && params[key]?.kind === 'integer' && /^-?\d+$/.test(text)
    given.set(key, isNumber ? Number(text) : text)
  }
  return Object.fromEntries(given)
}
