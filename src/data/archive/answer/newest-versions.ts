import type { Dataset } from '../../../contract/dataset.js'
import { type ColumnData, cellOf, textCells } from '../../../frame/table/values.js'
import type { ManifestPart, Snapshot } from '../snapshot.js'
import { memoized } from './memoized.js'
import type { RowTest } from './row-conditions.js'

/** The rows of all parts of a dataset, numbered from 0 in the order of the parts. */
interface Records {
  /** The number of the first row of a part. */
  readonly starts: ReadonlyMap<ManifestPart, number>
  /** The record of each row, as a number from 0, and its version. */
  readonly of: Int32Array
  readonly versions: Float64Array
  readonly count: number
  /** 1 for the newest row of each record. */
  newest?: Uint8Array
}

async function readRecords(
  parts: readonly ManifestPart[],
  snapshot: Snapshot,
  dataset: Dataset,
  [record, version]: readonly [string, string],
): Promise<Records> {
  const total = parts.reduce((sum, { rows }) => sum + rows, 0)
  const [of, versions] = [new Int32Array(total), new Float64Array(total)]
  const places = new Map<string, number>()
  const starts = new Map<ManifestPart, number>()
  let at = 0
  for (const part of parts) {
    starts.set(part, at)
    const columns = await snapshot.load(dataset.name, part)
    const own = columns.columns.get(version) as ColumnData
    textCells(columns, record).forEach((id, row) => {
      const place = places.get(id ?? '') ?? places.size
      places.set(id ?? '', place)
      of[at] = place
      versions[at++] = Number(cellOf(own, row))
    })
  }
  return { starts, of, versions, count: places.size }
}

const recordsOf = memoized(readRecords)

/** 1 for the row of each record with the highest version, the first of equal ones, among those that pass a test. */
async function newestRows(
  snapshot: Snapshot,
  dataset: Dataset,
  { starts, of, versions, count }: Records,
  isKnown?: RowTest,
): Promise<Uint8Array> {
  const newest = new Int32Array(count).fill(-1)
  for (const [part, start] of starts) {
    const passes = isKnown?.(await snapshot.load(dataset.name, part))
    for (let row = start; row < start + part.rows; row++) {
      if (passes && !passes(row - start)) continue
      const record = of[row] as number
      const other = newest[record] as number
      if (other < 0 || (versions[row] as number) > (versions[other] as number)) newest[record] = row
    }
  }
  const flags = new Uint8Array(of.length)
  for (const row of newest) if (row >= 0) flags[row] = 1
  return flags
}

/**
 * A condition that a row has the highest version of its record in all parts, the first of equal ones. `isKnown`: only rows
 * for which it holds count, and are found.
 * @param names the columns of the record and of the version
 */
export async function isNewest(
  snapshot: Snapshot,
  dataset: Dataset,
  names: readonly [record: string, version: string],
  isKnown?: RowTest,
): Promise<RowTest> {
  const records = await recordsOf(snapshot.parts(dataset.name), snapshot, dataset, names)
  if (!isKnown) records.newest ??= await newestRows(snapshot, dataset, records)
  const flags = isKnown ? await newestRows(snapshot, dataset, records, isKnown) : (records.newest as Uint8Array)
  return (_, part) => {
    const start = records.starts.get(part as ManifestPart) as number
    return (row) => flags[start + row] === 1
  }
}
