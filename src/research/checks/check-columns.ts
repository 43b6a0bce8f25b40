import type { Table } from 'apache-arrow'
import type { Column, Kind } from '../../contract/column.js'
import { toTable } from '../../frame/table/arrow.js'
import { fillArray } from '../../frame/table/fresh-array.js'
import { gatherRows } from '../../frame/table/gather-cells.js'
import type { ColumnData } from '../../frame/table/values.js'

/** A column of a result: what it means and what it holds. */
export interface CheckColumn {
  readonly column: Column
  readonly values: ColumnData
}

/** Short texts written row by row; a row that is never written has the usual one, or null. */
export class LabelBuilder {
  readonly codes: Int32Array
  readonly words: string[] = []
  readonly #codeOf = new Map<string, number>()

  constructor(rows: number, usual?: string) {
    this.codes = new Int32Array(rows)
    if (usual === undefined) this.codes.fill(-1)
    else this.#codeOf.set(usual, this.words.push(usual) - 1)
  }

  set(row: number, word: string | null): void {
    if (word === null) {
      this.codes[row] = -1
      return
    }
    let code = this.#codeOf.get(word)
    if (code === undefined) {
      code = this.words.push(word) - 1
      this.#codeOf.set(word, code)
    }
    this.codes[row] = code
  }

  at(row: number): string | null {
    return this.words[this.codes[row] ?? -1] ?? null
  }
}

/** Numbers to be written row by row; a row that is never written is NaN, which is null. */
export function nanColumn(rows: number): Float64Array {
  return new Float64Array(rows).fill(Number.NaN)
}

/** Numbers with NaN for null, as a nullable column. */
export function numberColumn(unit: string | undefined, meaning: string, data: Float64Array): CheckColumn {
  let valid: Uint8Array | null = null
  for (let row = 0; row < data.length; row++) {
    if (!Number.isNaN(data[row])) continue
    valid ??= new Uint8Array(data.length).fill(1)
    valid[row] = 0
  }
  const about = { kind: 'number', nullable: true, meaning } as const
  return { column: unit === undefined ? about : { ...about, unit }, values: { type: 'float', data, valid } }
}

/** Whole numbers in every row. */
export function integerColumn(unit: string, meaning: string, data: Int32Array): CheckColumn {
  return { column: { kind: 'integer', unit, meaning }, values: { type: 'int', data, valid: null } }
}

/** Whole numbers with NaN for null; a number that is not whole is null too. */
export function nullableIntegerColumn(unit: string, meaning: string, data: Float64Array): CheckColumn {
  const valid = fillArray(new Uint8Array(data.length), (row) => (Number.isInteger(data[row]) ? 1 : 0))
  const whole = fillArray(new Int32Array(data.length), (row) => (valid[row] ? (data[row] as number) : 0))
  const column: Column = { kind: 'integer', unit, nullable: true, meaning }
  return { column, values: { type: 'int', data: whole, valid: valid.includes(0) ? valid : null } }
}

/** Texts that repeat. */
export function labelColumn(
  kind: Extract<Kind, 'code' | 'date' | 'minute' | 'clock' | 'label'>,
  meaning: string,
  words: LabelBuilder | { readonly codes: Int32Array; readonly words: readonly string[] },
): CheckColumn {
  const column: Column = words.codes.includes(-1) ? { kind, meaning, nullable: true } : { kind, meaning }
  return { column, values: { type: 'dictionary', data: words.codes, dictionary: words.words } }
}

/** Texts that repeat, from an array. */
export function textColumn(
  kind: Extract<Kind, 'code' | 'date' | 'minute' | 'clock' | 'label'>,
  meaning: string,
  texts: readonly (string | null)[],
): CheckColumn {
  const words = new LabelBuilder(texts.length)
  texts.forEach((text, row) => {
    words.set(row, text)
  })
  return labelColumn(kind, meaning, words)
}

export type CheckColumns = Readonly<Record<string, CheckColumn>>

/** Columns as a table, of all rows or of the rows given. */
export function resultTable(
  results: CheckColumns,
  rows?: ArrayLike<number>,
  metadata: ReadonlyMap<string, string> = new Map(),
): Table {
  const entries = Object.entries(results)
  const length = entries[0]?.[1].values.data.length ?? 0
  const columns = { length, columns: new Map(entries.map(([name, { values }]) => [name, values])) }
  const declared = Object.fromEntries(entries.map(([name, { column }]) => [name, column]))
  return toTable(rows ? gatherRows(columns, rows) : columns, declared, metadata)
}
