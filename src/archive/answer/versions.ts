import type { Dataset } from '../../contract/dataset.js'
import { type Columns, cellOf, texts, type Values } from '../../frame/values.js'
import type { Shelf } from '../shelf.js'
import { cellsOf, join } from './piece.js'
import { type RowTest, scan } from './scan.js'

/** All rows of a dataset, as they stand where they are one part. */
export async function allRows(shelf: Shelf, dataset: Dataset): Promise<Columns> {
  const pieces = await scan(shelf, dataset, shelf.parts(dataset.name), [])
  const [only] = pieces
  return only && pieces.length === 1 ? cellsOf(only) : join(dataset, pieces)
}

interface Records {
  /** The record of each row, as a number from 0. */
  readonly of: Int32Array
  readonly count: number
  /** 1 for the newest row of each record. */
  newest?: Uint8Array
}

const known = new WeakMap<Columns, Records>()

function recordsOf(columns: Columns, record: string): Records {
  let records = known.get(columns)
  if (!records) {
    const places = new Map<string, number>()
    const of = Int32Array.from(texts(columns, record), (id) => {
      const place = places.get(id ?? '') ?? places.size
      places.set(id ?? '', place)
      return place
    })
    records = { of, count: places.size }
    known.set(columns, records)
  }
  return records
}

function newestOf(columns: Columns, records: Records, version: string, isKnown?: (row: number) => boolean): Uint8Array {
  const versions = columns.of.get(version) as Values
  const best = new Int32Array(records.count).fill(-1)
  for (let row = 0; row < columns.length; row++) {
    if (isKnown && !isKnown(row)) continue
    const record = records.of[row] as number
    const other = best[record] as number
    if (other < 0 || Number(cellOf(versions, row)) > Number(cellOf(versions, other))) best[record] = row
  }
  const flags = new Uint8Array(columns.length)
  for (const row of best) if (row >= 0) flags[row] = 1
  return flags
}

/**
 * A condition that a row has the highest version of its record, the first of equal ones. `isKnown`: only rows for which it
 * holds count, and are found.
 */
export function isNewest(record: string, version: string, isKnown?: RowTest): RowTest {
  return (columns) => {
    const records = recordsOf(columns, record)
    let flags: Uint8Array
    if (isKnown) flags = newestOf(columns, records, version, isKnown(columns))
    else {
      records.newest ??= newestOf(columns, records, version)
      flags = records.newest
    }
    return (row) => flags[row] === 1
  }
}
