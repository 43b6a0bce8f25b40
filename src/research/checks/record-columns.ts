import type { Words } from '../../contract/sentence.js'
import { fillArray } from '../../frame/table/fresh-array.js'
import { type CheckColumn, integerColumn, numberColumn, textColumn } from './check-columns.js'

type TextKind = Parameters<typeof textColumn>[0]

/** Columns of a result that has a row for each record: what a column means, and how a record gives its cell. */
export interface RecordColumnMakers<R> {
  readonly text: (kind: TextKind, meaning: string, cell: (record: R) => Words | null) => CheckColumn
  /** NaN and null are missing. */
  readonly number: (unit: string | undefined, meaning: string, cell: (record: R) => number | null) => CheckColumn
  /** Whole numbers, none missing. */
  readonly count: (unit: string, meaning: string, cell: (record: R) => number) => CheckColumn
}

export function recordColumns<R>(records: readonly R[]): RecordColumnMakers<R> {
  return {
    text: (kind, meaning, cell) =>
      textColumn(
        kind,
        meaning,
        records.map((record) => cell(record) && String(cell(record))),
      ),
    number: (unit, meaning, cell) => {
      const cellAt = (row: number): number => cell(records[row] as R) ?? Number.NaN
      return numberColumn(unit, meaning, fillArray(new Float64Array(records.length), cellAt))
    },
    count: (unit, meaning, cell) =>
      integerColumn(
        unit,
        meaning,
        fillArray(new Int32Array(records.length), (row) => cell(records[row] as R)),
      ),
  }
}
