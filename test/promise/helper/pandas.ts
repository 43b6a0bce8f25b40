import { readFileSync } from 'node:fs'
import { DataFrame, type Series } from 'quotebook'

type Cell = string | number | boolean | null

interface PandasFrame {
  readonly index: readonly Cell[]
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

interface PandasSeries {
  readonly index: readonly Cell[]
  readonly values: readonly Cell[]
}

type Any = PandasFrame & PandasSeries & { readonly [name: string]: Any }

interface Stored {
  readonly data: {
    readonly columns: string[]
    readonly rows: Cell[][]
  }
  readonly expected: { readonly [test: string]: Any }
}

const stored: Stored = JSON.parse(readFileSync('test/fixture/pandas/wrong-results.json', 'utf8'))

/** What pandas says in a test, as test/fixture/pandas/wrong_results.py has stored it. */
export function pandas<T = PandasFrame>(test: string, name?: string): T {
  const found = stored.expected[test]
  const value = name === undefined ? found : found?.[name]
  if (value === undefined) throw new Error(`pandas has nothing stored for ${test} ${name}`)
  return value as unknown as T
}

const isNumber = (name: string) => ['amount', 'v'].includes(name)

/** Rows as a loader gives them: NaN for a missing number, null for missing text and booleans. */
function rowsOf(rows: readonly (readonly Cell[])[], columns: readonly string[]): Cell[][] {
  return rows.map((row) =>
    row.map((cell, at) => (cell === null && isNumber(columns[at] as string) ? Number.NaN : cell)),
  )
}

const dtypeOf = (name: string) => (isNumber(name) ? 'float32' : name === 'flag' ? 'boolean' : 'string')

/** A fresh frame of the shared data: tradedate, code, market, amount, v, flag. */
export function quotes(): DataFrame {
  const { columns, rows } = stored.data
  return new DataFrame(rowsOf(rows, columns), { columns: [...columns], dtypes: columns.map(dtypeOf) })
}

/** Missing is null here, as in the stored JSON, and an infinity its name. */
export function plain(cell: unknown): unknown {
  if (Array.isArray(cell)) return cell.map(plain)
  if (cell === undefined || Number.isNaN(cell)) return null
  return cell === Infinity || cell === -Infinity ? String(cell) : cell
}

/** A frame in the shape of the stored ones. */
export function shown(frame: DataFrame | undefined): PandasFrame {
  if (!frame) throw new Error('no frame')
  return { index: frame.index, columns: frame.columns, rows: plain(frame.values) as Cell[][] }
}

export function shownSeries(series: Series | undefined): PandasSeries {
  if (!series) throw new Error('no Series')
  return { index: series.index, values: plain(series.values) as Cell[] }
}

/** Numbers rounded to 12 digits, for what pandas adds up in another order. */
export function near<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, item) =>
    typeof item === 'number' ? Number(item.toPrecision(12)) : item,
  )
}
