import type { Query } from '../../contract/check-params.js'
import type { Dataset } from '../../contract/dataset.js'
import { bucketCloses } from '../../contract/session.js'
import type { RecordColumns, Text } from '../../table/values.js'
import { isOneCodeEach, wordsOfCodes } from './row-conditions.js'
import { joinSlices, type RowSlice, rowNumbers, wholeSlice } from './row-slices.js'

/** Which buckets the codes of some rows have. */
interface BarGrid {
  readonly columns: RecordColumns
  readonly buckets: readonly string[]
  /** 1 where code c has bucket b, at c × buckets + b. */
  readonly has: Uint8Array
  /** Different buckets of each code. */
  readonly counts: Int32Array
  /** Codes that have rows. */
  readonly codes: readonly number[]
}

function barGrid({ columns, rows }: RowSlice): BarGrid {
  const [codes, minutes] = ['symbol', 'trademin'].map((name) => columns.columns.get(name) as Text) as [Text, Text]
  const width = minutes.dictionary.length
  const has = new Uint8Array(codes.dictionary.length * width)
  const counts = new Int32Array(codes.dictionary.length)
  const found: number[] = []
  for (const row of rowNumbers(rows)) {
    const [code, minute] = [codes.data[row] as number, minutes.data[row] as number]
    const at = code * width + minute
    if (code < 0 || minute < 0 || has[at] === 1) continue
    has[at] = 1
    if (counts[code] === 0) found.push(code)
    counts[code] = (counts[code] as number) + 1
  }
  return { columns, buckets: minutes.dictionary, has, counts, codes: found }
}

/** How many different buckets a code has, in either spelling. */
function bucketsOf({ columns, buckets, has }: BarGrid, symbol: string): number {
  const words = wordsOfCodes(columns, 'symbol', [symbol])
  return new Set(buckets.filter((_, at) => words.some((word) => has[word * buckets.length + at] === 1))).size
}

/** Whether every code has all of so many buckets, by their numbers alone: each code asked for is then one of those found. */
function isWhole({ columns, buckets, codes, counts }: BarGrid, symbols: readonly string[], wanted: number): boolean {
  if (codes.length !== symbols.length || new Set(buckets).size < buckets.length) return false
  return codes.every((code) => (counts[code] as number) >= wanted) && isOneCodeEach(columns, 'symbol')
}

/** What the bars of a day lack: a bucket of a code that the query names, or the last bucket of the day. */
export function missingBars(
  dataset: Dataset,
  { symbols, trademin, period = '30m' }: Query,
  slices: readonly RowSlice[],
  day: string,
  allBars: boolean,
): string | undefined {
  const [only, ...more] = slices
  const slice = only && more.length === 0 ? only : wholeSlice(joinSlices(dataset, slices, ['symbol', 'trademin']))
  const closes = bucketCloses[period as '15m' | '30m']
  const wanted = trademin === undefined ? closes : [String(trademin)]
  const grid = barGrid(slice)
  if (!Array.isArray(symbols)) {
    const present = new Set<string | undefined>()
    grid.has.forEach((has, at) => {
      if (has === 1) present.add(grid.buckets[at % grid.buckets.length])
    })
    const absent = (allBars ? wanted : wanted.slice(-1)).find((minute) => !present.has(minute))
    return absent === undefined ? undefined : `the bars of ${day} lack the bucket ${absent}`
  }
  const named = symbols as readonly string[]
  if (isWhole(grid, named, wanted.length)) return undefined
  const symbol = named.find((code) => bucketsOf(grid, code) < wanted.length)
  return symbol && `${symbol} has ${bucketsOf(grid, symbol)} of ${wanted.length} bars on ${day}`
}
