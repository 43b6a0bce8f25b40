import type { Column } from '../../contract/column.js'
import type { Dataset } from '../../contract/dataset.js'
import { isDate } from '../../contract/date.js'
import { DictionaryBuilder } from '../../table/column-builder.js'
import { type ColumnData, textIn } from '../../table/values.js'

/** 2026-07-01, 2026/7/1 and 2026-07-01 00:00:00, as databases and spreadsheets write days. */
const spelled = /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?:[T ]0?0:00(?::00(?:\.0+)?)?)?$/

/** A day as the contract writes it: `20260701` for `2026-07-01`; any other text, and a day that is none, as it is. */
export function plainDate(text: string): string {
  const [, year = '', , month = '', day = ''] = spelled.exec(text) ?? []
  const plain = `${year}${month.padStart(2, '0')}${day.padStart(2, '0')}`
  return year !== '' && isDate(plain) ? plain : text
}

/** Reads the days of a file, and remembers in which columns they were written otherwise. */
export class DaySpelling {
  readonly #columns = new Set<string>()

  read(column: string, text: string): string {
    const plain = plainDate(text)
    if (plain !== text) this.#columns.add(column)
    return plain
  }

  get columns(): readonly string[] {
    return [...this.#columns]
  }
}

/** Rows in the wire form with their days as the contract writes them. */
export function withPlainDays(
  dataset: Dataset,
  names: readonly string[],
  items: readonly (readonly unknown[])[],
  days: DaySpelling,
): readonly (readonly unknown[])[] {
  const known: Readonly<Record<string, Column>> = { ...dataset.columns, ...dataset.stored }
  const isDay = names.map((name) => Object.hasOwn(known, name) && known[name]?.kind === 'date')
  if (!isDay.includes(true)) return items
  return items.map((row) =>
    row.map((cell, at) => (isDay[at] && typeof cell === 'string' ? days.read(names[at] as string, cell) : cell)),
  )
}

/** The words of a column of days, as the contract writes them. */
export function plainDays(name: string, values: ColumnData, column: Column | undefined, days: DaySpelling): ColumnData {
  if (column?.kind !== 'date' || (values.type !== 'dictionary' && values.type !== 'string')) return values
  const text = textIn(values)
  if (text === undefined || text.dictionary.every((word) => plainDate(word) === word)) return values
  const builder = new DictionaryBuilder(text.data.length)
  const codes = text.dictionary.map((word) => builder.codeOf(days.read(name, word)))
  text.data.forEach((code, row) => {
    builder.data[row] = code < 0 ? -1 : (codes[code] as number)
  })
  return builder.build()
}
