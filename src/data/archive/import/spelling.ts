import { type CodeColumn, spelledCode } from '../../../contract/code-spelling.js'
import type { Column } from '../../../contract/column.js'
import type { Dataset } from '../../../contract/dataset.js'
import { writtenDate } from '../../../contract/date.js'
import { ContractError } from '../../../contract/error.js'
import type { Suspect } from '../../../contract/row-laws.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { DictionaryBuilder } from '../../../frame/table/column-builder.js'
import { type ColumnData, type RecordColumns, textIn } from '../../../frame/table/values.js'
import { storedKey } from '../merge-rows.js'

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
  /** A column whose codes were written otherwise, and the first of them. */
  | { readonly about: 'codes'; readonly column: string; readonly from: string; readonly to: string }
  /** Text that is not UTF-8; `isBoth`: that is valid as such too, and is no words there. */
  | { readonly about: 'encoding'; readonly encoding: 'GB18030' | 'UTF-16'; readonly isBoth?: true }
  /** What separates the cells of a text, if not commas. */
  | { readonly about: 'separator'; readonly separator: 'tab' | 'semicolon' }
  /** Last lines that are no rows: notes such as 数据来源：Wind, and rows of nothing but separators. */
  | { readonly about: 'footer'; readonly notes: readonly string[]; readonly emptyRows: number }
  /** A first column of whole numbers without a name, which pandas writes of its index: it is not kept. */
  | { readonly about: 'index' }
  /** The sheet of an Excel file that was read, and those that were not. */
  | { readonly about: 'sheet'; readonly sheet: string; readonly others: readonly string[] }
  /** The table of another program that a file was taken for, and what was made of its columns. */
  | {
      readonly about: 'preset'
      readonly name: string
      readonly source: string
      readonly units: readonly UnitRemark[]
      /** What the table does not tell in its rows. */
      readonly given: Readonly<Record<string, string>>
    }
  /** An Excel file whose names stand in the second row, or whose units do. */
  | { readonly about: 'heads'; readonly second: 'names' | 'units' }
  /** Rows that break a law; they are kept as they came. */
  | { readonly about: 'suspect'; readonly suspect: readonly Suspect[] }
  /** Columns that the reply lacks, taken from the request that was kept with it. */
  | { readonly about: 'request'; readonly set: Readonly<Record<string, string>> }
  /** Days of which the request that was kept with it shows that all rows are there; `codes`: how many, or all. */
  | { readonly about: 'covered'; readonly from: string; readonly to: string; readonly codes: 'all' | number }

/** What a dataset declares of a name, among its stored columns too; undefined for a name that is not its own. */
export function declaredIn({ columns, stored }: Dataset): (name: string) => Column | undefined {
  const known = new Map(Object.entries({ ...columns, ...stored }))
  return (name) => known.get(name)
}

/** Reads the days and codes of a file, and remembers in which columns they were written otherwise. */
export class Spelling {
  readonly #dataset: Dataset
  readonly #days = new Set<string>()
  readonly #codes = new Map<string, { readonly from: string; readonly to: string }>()
  /** Codes of the file have lost their zeros, as its program writes them. */
  isShort = false

  constructor(dataset: Dataset) {
    this.#dataset = dataset
  }

  /** What is known of the codes of a column. The vendor's have no exchange where the contract does not say. */
  #codeColumn({ spelling }: Column, isShort: boolean): CodeColumn {
    const { instruments, own } = this.#dataset
    const digits = isShort ? (instruments === 'hk' ? 5 : 6) : 0
    return { spelling: spelling ?? (own ? undefined : 'bare'), instruments, digits }
  }

  /** A day or a code as the contract writes it; any other text, and one that does not tell, as it is. */
  text(name: string, column: Column, text: string): string {
    const isCode = column.kind === 'code' && !column.isOwn
    const plain =
      column.kind === 'date'
        ? (writtenDate(text) ?? text)
        : ((isCode ? spelledCode(text, this.#codeColumn(column, this.isShort)) : undefined) ?? text)
    if (plain === text) return text
    if (!isCode) this.#days.add(name)
    else if (!this.#codes.has(name)) this.#codes.set(name, { from: text, to: plain })
    return plain
  }

  /**
   * The code that a number stands for, where a table of numbers has taken its zeros. A cell that is no number, or does not tell, as it
   * is: with an exchange, 700 may be of Hong Kong or of Shenzhen.
   */
  code(name: string, column: Column | undefined, cell: unknown): unknown {
    if (column?.kind !== 'code' || column.isOwn || typeof cell !== 'number') return cell
    if (!Number.isInteger(cell) || cell <= 0 || cell > 999_999) return cell
    const isShort = column.spelling !== 'full' || this.#dataset.instruments !== undefined
    const code = spelledCode(String(cell), this.#codeColumn(column, isShort))
    if (code !== undefined && !this.#codes.has(name)) this.#codes.set(name, { from: String(cell), to: code })
    return code ?? cell
  }

  /** @throws ContractError for a code of a row that is not spelled as its column is, and for one instrument in two spellings */
  check({ columns }: RecordColumns): void {
    const declared = declaredIn(this.#dataset)
    for (const [name, values] of columns) {
      const column = declared(name)
      if (column?.kind !== 'code' || column.isOwn || values.type !== 'dictionary') continue
      const about = this.#codeColumn(column, false)
      const refuse = (word: string, why: (row: number) => Words): never => {
        const row = values.data.indexOf(values.dictionary.indexOf(word))
        throw new ContractError(this.#dataset.name, why(row + 1), { field: name, row })
      }
      const words = [...new Set(values.data)].flatMap((code) => values.dictionary[code] ?? [])
      const wrong = column.spelling && words.find((word) => spelledCode(word, about) !== word)
      if (wrong !== undefined) refuse(wrong, (row) => noCode(row, name, wrong, column.spelling))
      const whole = new Map<string, string>()
      for (const word of words) {
        const full = spelledCode(word, { ...about, spelling: 'full' }) ?? word
        const other = whole.get(full)
        if (other !== undefined)
          refuse(
            word,
            (row) => sentence`row ${row}: ${name} spells one code ${other} and ${word}; declare its \`spelling\``,
          )
        whole.set(full, word)
      }
    }
  }

  get remarks(): ImportRemark[] {
    const days: ImportRemark[] = this.#days.size === 0 ? [] : [{ about: 'dates', columns: [...this.#days] }]
    return [...days, ...[...this.#codes].map(([column, code]) => ({ about: 'codes', column, ...code }) as const)]
  }
}

const isBare = (word: unknown): boolean => /^\d{5,6}$/.test(String(word))
const isFull = (word: unknown): boolean => /^\d{5,6}\.(SH|SZ|BJ|HK)$/.test(String(word))

/**
 * Holds the codes of a file against keys that an archive has of the dataset: all of one with an exchange and all of the other without
 * would be two of each instrument.
 * @throws ContractError naming both
 */
export function checkStoredCodes(
  dataset: Dataset,
  { columns }: RecordColumns,
  keys: readonly (readonly unknown[])[],
): void {
  for (const [at, name] of storedKey(dataset).entries()) {
    const values = columns.get(name)
    const [stored = [], words] = [keys.map((key) => key[at]), values?.type === 'dictionary' ? values.dictionary : []]
    if (dataset.columns[name]?.kind !== 'code' || stored.length === 0 || words.length === 0) continue
    const isOther = (stored.every(isBare) && words.every(isFull)) || (stored.every(isFull) && words.every(isBare))
    if (!isOther) continue
    const differ = sentence`the archive spells ${name} like ${String(stored[0])}, and the file like ${words[0] as string}`
    throw new ContractError(
      dataset.name,
      sentence`${differ}; import all of it into a new archive, or spell the file alike`,
      {
        field: name,
      },
    )
  }
}

function noCode(row: number, name: string, code: string, spelling: Column['spelling']): Words {
  const wrong = sentence`row ${row}: ${name} ${JSON.stringify(code)} is no code that is known`
  return spelling === 'full'
    ? sentence`${wrong}, or does not tell its exchange; write it like 600000.SH`
    : sentence`${wrong}; write it like 600000`
}

/** Rows in the wire form with their days and codes as the contract writes them. */
export function respelledRows(
  dataset: Dataset,
  names: readonly string[],
  items: readonly (readonly unknown[])[],
  spelling: Spelling,
): readonly (readonly unknown[])[] {
  const columns = names.map(declaredIn(dataset))
  return items.map((row) =>
    row.map((cell, at) => {
      const column = columns[at]
      return column && typeof cell === 'string' ? spelling.text(names[at] as string, column, cell) : cell
    }),
  )
}

/** The words of a column of days or codes, as the contract writes them. */
export function respelledWords(
  name: string,
  values: ColumnData,
  column: Column | undefined,
  spelling: Spelling,
): ColumnData {
  if (
    (column?.kind !== 'date' && column?.kind !== 'code') ||
    (values.type !== 'dictionary' && values.type !== 'string')
  )
    return values
  const text = textIn(values)
  const words = text?.dictionary.map((word) => spelling.text(name, column, word))
  if (text === undefined || words?.every((word, code) => word === text.dictionary[code])) return values
  const builder = new DictionaryBuilder(text.data.length)
  const codes = (words as readonly string[]).map((word) => builder.codeOf(word))
  text.data.forEach((code, row) => {
    builder.data[row] = code < 0 ? -1 : (codes[code] as number)
  })
  return builder.build()
}
