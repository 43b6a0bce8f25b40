import { type CheckColumn, integerColumn, numberColumn, textColumn } from './check-columns.js'

type TextKind = Parameters<typeof textColumn>[0]

/** Columns of a result that has a row for each record: what a column means, and how a record gives its cell. */
export interface RecordColumnMakers<R> {
  readonly text: (kind: TextKind, meaning: string, cell: (record: R) => string | null) => CheckColumn
  /** NaN and null are missing. */
  readonly number: (unit: string | undefined, meaning: string, cell: (record: R) => number | null) => CheckColumn
  /** Whole numbers, none missing. */
  readonly count: (unit: string, meaning: string, cell: (record: R) => number) => CheckColumn
}

export function recordColumns<R>(records: readonly R[]): RecordColumnMakers<R> {
  return {
    text: (kind, meaning, cell) => textColumn(kind, meaning, records.map(cell)),
    number: (unit, meaning, cell) => {
      const cells = Float64Array.from(records, (record) => cell(record) ?? Number.NaN)
      return numberColumn(unit, meaning, cells)
    },
    count: (unit, meaning, cell) => integerColumn(unit, meaning, Int32Array.from(records, cell)),
  }
}
