import { freshFloats, freshInts, mapRows } from './fresh-array.js'
import type { ColumnData, RecordColumns } from './values.js'

/* The cells of given rows, in the order of these; a missing cell for row -1. Without `holes` there is no such row. */

/** The first of rows that follow one another without a gap; -1 for other rows, mostly told by the first and the last. */
export function startOfRun(rows: ArrayLike<number>): number {
  const [first = -1, last = -1] = [rows[0], rows[rows.length - 1]]
  if (last - first !== rows.length - 1) return -1
  for (let at = 1; at < rows.length; at++) if (rows[at] !== first + at) return -1
  return first
}

/** Copies rows that follow one another at once; false for other rows. */
function copyRun<A extends Float64Array | Int32Array>(source: A, rows: ArrayLike<number>, out: A): boolean {
  const start = startOfRun(rows)
  if (start < 0 || start + out.length > source.length) return false
  out.set(source.subarray(start, start + out.length))
  return true
}

export function gatherFloats(source: Float64Array, rows: ArrayLike<number>, holes = true): Float64Array {
  const out = freshFloats(rows.length)
  if (!holes && copyRun(source, rows, out)) return out
  if (!holes) for (let at = 0; at < out.length; at++) out[at] = source[rows[at] as number] as number
  else
    for (let at = 0; at < out.length; at++) {
      const row = rows[at] as number
      out[at] = row < 0 ? Number.NaN : (source[row] as number)
    }
  return out
}

export function gatherInts(source: Int32Array, rows: ArrayLike<number>, missing: 0 | -1, holes = true): Int32Array {
  const out = freshInts(rows.length)
  if (!holes && copyRun(source, rows, out)) return out
  if (!holes) for (let at = 0; at < out.length; at++) out[at] = source[rows[at] as number] as number
  else
    for (let at = 0; at < out.length; at++) {
      const row = rows[at] as number
      out[at] = row < 0 ? missing : (source[row] as number)
    }
  return out
}

function gatherBytes(source: Uint8Array, rows: ArrayLike<number>): Uint8Array {
  const out = new Uint8Array(rows.length)
  for (let at = 0; at < out.length; at++) {
    const row = rows[at] as number
    out[at] = row < 0 ? 0 : (source[row] as number)
  }
  return out
}

function gatherValid(valid: Uint8Array | null, rows: ArrayLike<number>, holes: boolean): Uint8Array | null {
  if (valid) return gatherBytes(valid, rows)
  if (!holes) return null
  let out: Uint8Array | null = null
  for (let at = 0; at < rows.length; at++) {
    if ((rows[at] as number) >= 0) continue
    out ??= new Uint8Array(rows.length).fill(1)
    out[at] = 0
  }
  return out
}

/** The cells of the given rows of a column. */
export function gatherCells(column: ColumnData, rows: ArrayLike<number>, holes = true): ColumnData {
  const { type } = column
  switch (type) {
    case 'float': {
      const data = gatherFloats(column.data, rows, holes)
      return { type, data, valid: gatherValid(column.valid, rows, holes) }
    }
    case 'int':
      return { type, data: gatherInts(column.data, rows, 0, holes), valid: gatherValid(column.valid, rows, holes) }
    case 'boolean':
      return { type, data: gatherBytes(column.data, rows), valid: gatherValid(column.valid, rows, holes) }
    case 'dictionary':
      return { type, data: gatherInts(column.data, rows, -1, holes), dictionary: column.dictionary }
    case 'string':
    case 'list':
      return { type, data: mapRows(rows.length, (at) => column.data[rows[at] as number] ?? null) } as ColumnData
  }
}

/** The given rows of all columns. */
export function gatherRows({ columns }: RecordColumns, rows: ArrayLike<number>): RecordColumns {
  const gathered = [...columns].map(([name, column]) => [name, gatherCells(column, rows)] as const)
  return { length: rows.length, columns: new Map(gathered) }
}

/** The rows from one place up to another; numbers and codes are not copied. */
export function rowsFrom({ columns }: RecordColumns, from: number, to: number): RecordColumns {
  const cells = (column: ColumnData): ColumnData => {
    const { data } = column
    const valid = 'valid' in column ? { valid: column.valid?.subarray(from, to) ?? null } : {}
    const own = ArrayBuffer.isView(data) ? data.subarray(from, to) : data.slice(from, to)
    return { ...column, ...valid, data: own } as ColumnData
  }
  return { length: to - from, columns: new Map([...columns].map(([name, column]) => [name, cells(column)])) }
}

/** Rows that ascend; where they stand side by side they are not copied. */
export function ascendingRows(columns: RecordColumns, rows: Int32Array): RecordColumns {
  const [first = 0, last = -1] = [rows[0], rows.at(-1)]
  return last - first + 1 === rows.length ? rowsFrom(columns, first, last + 1) : gatherRows(columns, rows)
}
