import type { Column } from '../../../contract/column.js'
import type { Dataset } from '../../../contract/dataset.js'
import { isDate } from '../../../contract/date.js'
import { spelled } from '../../../contract/symbol.js'
import { DictionaryBuilder } from '../../../frame/table/column-builder.js'
import { type ColumnData, textIn } from '../../../frame/table/values.js'

/** A column that was in another unit: a value there times the power of ten is one of the contract. */
export interface UnitRemark {
  readonly column: string
  readonly from: string
  readonly to: string
  readonly shift: number
}

/** What an import did to a file beyond reading it, for whoever gave the file. */
export type ImportRemark =
  /** Dates written otherwise than in the contract, by column. */
  | { readonly about: 'dates'; readonly columns: readonly string[] }
  /** Codes that were written as numbers, by column. */
  | { readonly about: 'codes'; readonly columns: readonly string[] }
  /** Text that is not UTF-8; `isBoth`: that is valid as such too, and is no words there. */
  | { readonly about: 'encoding'; readonly encoding: 'GB18030' | 'UTF-16'; readonly isBoth?: true }
  /** What separates the cells of a text, if not commas. */
  | { readonly about: 'separator'; readonly separator: 'tab' | 'semicolon' }
  /** Last lines that are no rows: notes such as 数据来源：Wind, and rows of nothing but separators. */
  | { readonly about: 'footer'; readonly notes: readonly string[]; readonly emptyRows: number }
  /** The sheet of an Excel file that was read, and those that were not. */
  | { readonly about: 'sheet'; readonly sheet: string; readonly others: readonly string[] }
  /** The table of another program that a file was taken for, and what was made of its columns. */
  | {
      readonly about: 'preset'
      readonly name: string
      readonly source: string
      readonly units: readonly UnitRemark[]
      /** Columns whose codes were respelled, and an example of it. */
      readonly codes: readonly { readonly column: string; readonly from: string; readonly to: string }[]
      /** What the table does not tell in its rows. */
      readonly given: Readonly<Record<string, string>>
    }
  /** An Excel file whose names stand in the second row, or whose units do. */
  | { readonly about: 'heads'; readonly second: 'names' | 'units' }
  /** Columns that the reply lacks, taken from the request that was kept with it. */
  | { readonly about: 'request'; readonly set: Readonly<Record<string, string>> }
  /** Days of which the request that was kept with it shows that all rows are there; `codes`: how many, or all. */
  | { readonly about: 'covered'; readonly from: string; readonly to: string; readonly codes: 'all' | number }

/** 2026-07-01, 2026/7/1 and 2026-07-01 00:00:00, as databases and spreadsheets write days. */
const writtenDay = /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?:[T ]0?0:00(?::00(?:\.0+)?)?)?$/

/** A day as the contract writes it: `20260701` for `2026-07-01`; any other text, and a day that is none, as it is. */
function plainDate(text: string): string {
  const [, year = '', , month = '', day = ''] = writtenDay.exec(text) ?? []
  const plain = `${year}${month.padStart(2, '0')}${day.padStart(2, '0')}`
  return year !== '' && isDate(plain) ? plain : text
}

/**
 * The code that a number stands for where a table of numbers has taken its zeros: of six digits, with the suffix of its market
 * where the column has it. Undefined where it does not tell: with a suffix, 700 may be of Hong Kong or of Shenzhen.
 */
function codeOfNumber({ kind, spelling, isOwn }: Column, cell: number): string | undefined {
  if (kind !== 'code' || isOwn || !Number.isInteger(cell) || cell <= 0 || cell > 999_999) return undefined
  if (spelling !== 'full') return String(cell).padStart(6, '0')
  return cell < 100_000 ? undefined : spelled(String(cell), 'full')
}

/** Reads the days and codes of a file, and remembers in which columns they were written otherwise. */
export class Spelling {
  readonly #otherwise = { dates: new Set<string>(), codes: new Set<string>() }

  /** A day as the contract writes it. */
  day(column: string, text: string): string {
    const plain = plainDate(text)
    if (plain !== text) this.#otherwise.dates.add(column)
    return plain
  }

  /** A cell as the contract writes it; one that is no number, or does not tell, as it is. */
  code(name: string, column: Column | undefined, cell: unknown): unknown {
    const code = column && typeof cell === 'number' ? codeOfNumber(column, cell) : undefined
    if (code !== undefined) this.#otherwise.codes.add(name)
    return code ?? cell
  }

  get remarks(): ImportRemark[] {
    const all = (['dates', 'codes'] as const).map((about) => ({ about, columns: [...this.#otherwise[about]] }))
    return all.filter(({ columns }) => columns.length > 0)
  }
}

/** Rows in the wire form with their days as the contract writes them. */
export function withPlainDays(
  dataset: Dataset,
  names: readonly string[],
  items: readonly (readonly unknown[])[],
  spelling: Spelling,
): readonly (readonly unknown[])[] {
  const known: Readonly<Record<string, Column>> = { ...dataset.columns, ...dataset.stored }
  const isDay = names.map((name) => Object.hasOwn(known, name) && known[name]?.kind === 'date')
  if (!isDay.includes(true)) return items
  return items.map((row) =>
    row.map((cell, at) => (isDay[at] && typeof cell === 'string' ? spelling.day(names[at] as string, cell) : cell)),
  )
}

/** The words of a column of days, as the contract writes them. */
export function plainDays(
  name: string,
  values: ColumnData,
  column: Column | undefined,
  spelling: Spelling,
): ColumnData {
  if (column?.kind !== 'date' || (values.type !== 'dictionary' && values.type !== 'string')) return values
  const text = textIn(values)
  if (text === undefined || text.dictionary.every((word) => plainDate(word) === word)) return values
  const builder = new DictionaryBuilder(text.data.length)
  const codes = text.dictionary.map((word) => builder.codeOf(spelling.day(name, word)))
  text.data.forEach((code, row) => {
    builder.data[row] = code < 0 ? -1 : (codes[code] as number)
  })
  return builder.build()
}
