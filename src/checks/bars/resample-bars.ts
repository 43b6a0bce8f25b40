import type { Table } from 'apache-arrow'
import { QuotebookError } from '../../contract/error.js'
import { bucketCloses } from '../../contract/session.js'
import { minuteBar } from '../../contract/shared.js'
import { asTable } from '../../frame/as-table.js'
import type { DataFrame } from '../../frame/danfo-types.js'
import { words } from '../../frame/read-columns.js'
import { integerColumn, numberColumn, resultTable, textColumn } from '../check-columns.js'
import { sumDecimals } from '../exact/decimal.js'
import { noTradeMetadata, type Period } from './bar-grid.js'
import { groupSeries, type RowSeries, rowAt, textAt } from './bar-series.js'
import { barColumnsOf } from './compare-bars.js'

/** Close of the bucket that a minute belongs to: the first close that is not before it. */
function bucketOf(minute: string, period: Period): string {
  const inSession = (minute >= '0930' && minute <= '1130') || (minute >= '1301' && minute <= '1500')
  const close = bucketCloses[period].find((at) => minute <= at)
  if (inSession && close !== undefined) return close
  throw new QuotebookError(
    'INVALID_VALUE',
    `${minute} is no minute of a session: they are 0930 to 1130 and 1301 to 1500`,
  )
}

/** Bars of a quarter of an hour would keep their numbers under another name. */
function checkMinutes(table: Table): void {
  const { codes, words: list } = words(table, 'trademin')
  const used = [...new Set(codes)].map((code) => list[code] ?? '')
  if (used.length === 0 || used.some((minute) => !bucketCloses['15m'].includes(minute))) return
  throw new QuotebookError(
    'INVALID_VALUE',
    'resampleBars takes one-minute bars; these are of 15 minutes or more already',
  )
}

const keys = ['tradedate', 'symbol']

/** Rows as series of different minutes. @throws QuotebookError INVALID_VALUE for a key that is null, or two rows of one */
function distinctSeries(table: Table): RowSeries {
  for (const name of [...keys, 'trademin']) {
    const row = words(table, name).codes.indexOf(-1)
    if (row >= 0) throw new QuotebookError('INVALID_VALUE', `row ${row + 1}: ${name} is null`)
  }
  const series = groupSeries(table, keys)
  const [twice] = series.doubled
  if (twice === undefined) return series
  const [first, second] = [rowAt(series, twice - 1), rowAt(series, twice)]
  throw new QuotebookError(
    'INVALID_VALUE',
    `rows ${first + 1} and ${second + 1} share ${[...keys, 'trademin'].join(', ')}`,
  )
}

interface Bucket {
  readonly tradedate: string
  readonly symbol: string
  readonly trademin: string
  readonly rows: number[]
}

/** The buckets of all series, in their order. */
function bucketsIn(series: RowSeries, period: Period): Bucket[] {
  const buckets: Bucket[] = []
  for (let s = 0; s + 1 < series.starts.length; s++) {
    const [start, end] = [series.starts[s] as number, series.starts[s + 1] as number]
    const [tradedate, symbol] = [textAt(series, 'tradedate', start), textAt(series, 'symbol', start)]
    let rows: number[] = []
    let close = ''
    for (let i = start; i < end; i++) {
      const trademin = bucketOf(textAt(series, 'trademin', i), period)
      if (trademin !== close) {
        rows = []
        buckets.push({ tradedate, symbol, trademin, rows })
        close = trademin
      }
      rows.push(rowAt(series, i))
    }
  }
  return buckets
}

/** The rows that traded; none where a volume is unknown. */
function tradedRows(rows: readonly number[], vol: Float64Array): readonly number[] {
  const traded = rows.filter((row) => vol[row] !== 0)
  return traded.some((row) => Number.isNaN(vol[row])) ? [] : traded
}

/** A price of one bar from those of its minutes that traded; NaN when none did, or when a price of theirs is. */
const joinPrices = {
  open: (prices: readonly number[]): number => prices[0] ?? Number.NaN,
  high: (prices: readonly number[]): number => (prices.length > 0 ? Math.max(...prices) : Number.NaN),
  low: (prices: readonly number[]): number => (prices.length > 0 ? Math.min(...prices) : Number.NaN),
  close: (prices: readonly number[]): number => prices.at(-1) ?? Number.NaN,
}

/**
 * One-minute bars as bars of 15 or 30 minutes, cut at the bucket closes of the contract: a minute goes into the first
 * bucket that closes at or after it, so 0931 is the first minute of 1000, and 0930, where the source has such a bar,
 * is a bucket of its own. A source whose 0931 bar holds the opening auction has it in 1000 and has no bucket 0930.
 *
 * Open, high, low and close are those of the bars that traded (volume above 0); null when none did. Volume and
 * turnover are summed as decimals, without drift. A null volume makes volume and prices of its bucket null, a null
 * turnover its turnover, a null price of a bar that traded that price. A minute without a bar counts as one without
 * trade. The column `bars` counts what a bucket was made of.
 * @param bars tradedate, symbol, trademin, open, high, low, close, vol, amount; rows in any order
 * @throws QuotebookError INVALID_VALUE for a minute outside the sessions, a minute that stands there twice, and bars that
 * are bars of 15 or 30 minutes already
 */
export function resampleBars(bars: Table | DataFrame, period: '15m' | '30m'): Table {
  const table = asTable(bars)
  checkMinutes(table)
  const series = distinctSeries(table)
  const own = barColumnsOf(table)
  const buckets = bucketsIn(series, period)
  const traded = buckets.map(({ rows }) => tradedRows(rows, own.vol))
  const sum = (name: 'vol' | 'amount'): Float64Array =>
    Float64Array.from(buckets, ({ rows }) => sumDecimals(rows.map((row) => own[name][row] as number)))
  const price = (name: keyof typeof joinPrices) => {
    const prices = Float64Array.from(traded, (rows) => joinPrices[name](rows.map((row) => own[name][row] as number)))
    return numberColumn('yuan', minuteBar[name].meaning, prices)
  }
  const text = (kind: 'date' | 'code' | 'minute' | 'label', meaning: string, of: (bucket: Bucket) => string) =>
    textColumn(kind, meaning, buckets.map(of))
  const counts = Int32Array.from(buckets, ({ rows }) => rows.length)
  return resultTable(
    {
      tradedate: text('date', 'Trading day.', ({ tradedate }) => tradedate),
      symbol: text('code', 'Security code, as in the source.', ({ symbol }) => symbol),
      trademin: text('minute', minuteBar.trademin.meaning, ({ trademin }) => trademin),
      period: text('label', 'Bar period.', () => period),
      open: price('open'),
      high: price('high'),
      low: price('low'),
      close: price('close'),
      vol: numberColumn(undefined, 'Volume, in the unit of the source.', sum('vol')),
      amount: numberColumn('yuan', 'Turnover.', sum('amount')),
      bars: integerColumn('bar', 'One-minute bars in the bucket.', counts),
    },
    undefined,
    noTradeMetadata,
  )
}
