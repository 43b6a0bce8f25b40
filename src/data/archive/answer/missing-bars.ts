import type { Query } from '../../../contract/check-params.js'
import type { Dataset } from '../../../contract/dataset.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { bucketCloses } from '../../../contract/session.js'
import type { RecordColumns, Text } from '../../../frame/table/values.js'
import { memoized } from './memoized.js'
import { isOneCodeEach, matchingSlice, whereWord, wordsOfCodes } from './row-conditions.js'
import { joinSlices, type RowSlice, rowNumbers, sliceLength, wholeSlice } from './row-slices.js'

/** Which buckets the codes of some rows have. */
interface BarGrid {
  readonly columns: RecordColumns
  readonly buckets: readonly string[]
  /** 1 where code c has bucket b, at c × buckets + b. */
  readonly has: Uint8Array
  /** Different buckets of each code, and its rows. */
  readonly counts: Int32Array
  readonly rows: Int32Array
  /** Codes that have rows. */
  readonly codes: readonly number[]
  /** No two words are of one bucket or one code. */
  readonly isPlain: boolean
}

function barGrid(slice: RowSlice): BarGrid {
  const { columns } = slice
  const [codes, minutes] = ['symbol', 'trademin'].map((name) => columns.columns.get(name) as Text) as [Text, Text]
  const width = minutes.dictionary.length
  const has = new Uint8Array(codes.dictionary.length * width)
  const counts = new Int32Array(codes.dictionary.length)
  const rows = new Int32Array(codes.dictionary.length)
  const found: number[] = []
  for (const row of rowNumbers(slice.rows)) {
    const [code, minute] = [codes.data[row] as number, minutes.data[row] as number]
    if (code < 0) continue
    rows[code] = (rows[code] as number) + 1
    const at = code * width + minute
    if (minute < 0 || has[at] === 1) continue
    has[at] = 1
    if (counts[code] === 0) found.push(code)
    counts[code] = (counts[code] as number) + 1
  }
  const buckets = minutes.dictionary
  const isPlain = new Set(buckets).size === buckets.length && isOneCodeEach(columns, 'symbol')
  return { columns, buckets, has, counts, rows, codes: found, isPlain }
}

/** How many different buckets a code has, in either spelling. */
function bucketsOf({ columns, buckets, has }: BarGrid, symbol: string): number {
  const words = wordsOfCodes(columns, 'symbol', [symbol])
  return new Set(buckets.filter((_, at) => words.some((word) => has[word * buckets.length + at] === 1))).size
}

/** Whether every code has all of so many buckets, by their numbers alone: each code asked for is then one of those found. */
function isWhole({ codes, counts, isPlain }: BarGrid, symbols: readonly string[], wanted: number): boolean {
  return isPlain && codes.length === symbols.length && codes.every((code) => (counts[code] as number) >= wanted)
}

/** The bars of a part that holds one day, by period. */
const gridsOfPart = memoized((_columns: RecordColumns) => new Map<string, BarGrid>())

function gridOfPart(columns: RecordColumns, period: string): BarGrid {
  const grids = gridsOfPart(columns)
  let grid = grids.get(period)
  if (!grid) {
    const ofPeriod = columns.columns.has('period') ? [whereWord('period', [period])] : []
    grid = barGrid(matchingSlice(columns, ofPeriod))
    grids.set(period, grid)
  }
  return grid
}

/** Whether a slice is all bars of some codes on a day, and no bucket is missing: looked up in its part, not row by row. */
function isAllThere(slice: RowSlice, symbols: readonly string[], day: string, period: '15m' | '30m'): boolean {
  const { columns } = slice
  const days = columns.columns.get('tradedate')
  if (days?.type !== 'dictionary' || days.dictionary.length !== 1 || days.dictionary[0] !== day) return false
  const { counts, rows, isPlain } = gridOfPart(columns, period)
  if (!isPlain) return false
  const words = wordsOfCodes(columns, 'symbol', symbols)
  const wanted = bucketCloses[period].length
  let own = 0
  for (const word of words) {
    if ((counts[word] as number) < wanted) return false
    own += rows[word] as number
  }
  return words.length === symbols.length && own === sliceLength(slice)
}

/** What the bars of a day lack: a bucket of a code that the query names, or the last bucket of the day. */
export function missingBars(
  dataset: Dataset,
  { symbols, trademin, period = '30m' }: Query,
  slices: readonly RowSlice[],
  day: string,
  allBars: boolean,
): Words | undefined {
  const [only, ...more] = slices
  const isPlain = Array.isArray(symbols) && trademin === undefined && more.length === 0
  if (only && isPlain && isAllThere(only, symbols as readonly string[], day, period as '15m' | '30m')) return undefined
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
    return absent === undefined ? undefined : sentence`the bars of ${day} lack the bucket ${absent}`
  }
  const named = symbols as readonly string[]
  if (isWhole(grid, named, wanted.length)) return undefined
  const symbol = named.find((code) => bucketsOf(grid, code) < wanted.length)
  return symbol && sentence`${symbol} has ${bucketsOf(grid, symbol)} of ${wanted.length} bars on ${day}`
}
