import type { Data } from '../../frame/data.js'
import { dictionary, usedWords } from '../../frame/read-columns.js'

/** How a column of texts is named in a panel: there it holds numbers, each the place of a text in its words. */
export type TextName<X extends string> = `${X}:text`

/** The names of C that are of texts, as a bar has them, and those of numbers. */
export type TextOf<C> = C extends TextName<infer X> ? X : never
export type NumberOf<C> = C extends TextName<string> ? never : C

export const textName = (name: string): string => `${name}:text`

/** The name by which a bar has a column. */
export const plainName = (name: string): string => name.replace(/:text$/, '')

/** Words of columns of texts, by their names in the panel. */
export type TextWords = ReadonlyMap<string, readonly string[]>

/** The places of the texts of a column in their words, which are sorted; NaN where one is missing. */
export function wordCells(
  data: Data,
  name: string,
): { readonly values: Float64Array; readonly words: readonly string[] } {
  const column = dictionary(data, name)
  const used = usedWords(column)
  const words = [...new Set(column.words.filter((_, code) => used[code]))].sort()
  const places = new Map(words.map((word, place) => [word, place]))
  return {
    values: Float64Array.from(column.codes, (code) => places.get(column.words[code] ?? '\0') ?? Number.NaN),
    words,
  }
}

/** The text of a cell; null where it is missing. */
export function wordOfCell(words: readonly string[], code: number): string | null {
  return words[code] ?? null
}
