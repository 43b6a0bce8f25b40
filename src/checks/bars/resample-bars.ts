import type { Table } from 'apache-arrow'
import { QuotebookError } from '../../contract/error.js'
import { bucketCloses } from '../../contract/session.js'
import { minuteBar } from '../../contract/shared.js'
import { asTable } from '../../frame/as-table.js'
import type { DataFrame } from '../../frame/danfo-types.js'
import { numbers, words } from '../../frame/read-columns.js'
import { integerColumn, numberColumn, resultTable, textColumn } from '../check-columns.js'
import { sumDecimals } from '../exact/decimal.js'
import { missingKey } from './bar-grid.js'
import { distinctSeries, rowAt } from './bar-series.js'

type Prices = Readonly<Record<'open' | 'high' | 'low' | 'close', Float64Array>>

/** Close of the bucket that a minute belongs to: the first close that is not before it. */
function bucketOf(minute: string, period: '15m' | '30m'): string {
  const inSession = (minute >= '0930' && minute <= '1130') || (minute >= '1301' && minute <= '1500')
  const close = bucketCloses[period].find((at) => minute <= at)
  if (inSession && close !== undefined) return close
  throw new QuotebookError(
    'INVALID_VALUE',
    `${minute} is no minute of a session: they are 0930 to 1130 and 1301 to 1500`,
  )
}

interface Bucket {
  readonly close: string
  readonly rows: number[]
}

function bucketsOf(rows: readonly number[], minuteOf: (row: number) => string, period: '15m' | '30m'): Bucket[] {
  const buckets: Bucket[] = []
  for (const row of rows) {
    const close = bucketOf(minuteOf(row), period)
    const last = buckets.at(-1)
    if (last?.close === close) last.rows.push(row)
    else buckets.push({ close, rows: [row] })
  }
  return buckets
}

/** Prices over the bars that traded: NaN when none did, when a volume is unknown, or when a price of theirs is. */
function pricesOf(rows: readonly number[], vol: Float64Array, prices: Prices): Record<keyof Prices, number> {
  const traded = rows.filter((row) => vol[row] !== 0)
  const unknown = traded.length === 0 || traded.some((row) => Number.isNaN(vol[row]))
  if (unknown) return { open: Number.NaN, high: Number.NaN, low: Number.NaN, close: Number.NaN }
  const all = (column: Float64Array): number[] => traded.map((row) => column[row] as number)
  return {
    open: all(prices.open)[0] ?? Number.NaN,
    high: Math.max(...all(prices.high)),
    low: Math.min(...all(prices.low)),
    close: all(prices.close).at(-1) ?? Number.NaN,
  }
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

/** The word of a column in the first row of a bucket. */
function wordOf({ codes, words: list }: ReturnType<typeof words>, bucket: Bucket): string | null {
  return list[codes[bucket.rows[0] ?? -1] ?? -1] ?? null
}

/** The buckets of all series, in their order. */
function bucketsIn(
  series: ReturnType<typeof distinctSeries>,
  minute: ReturnType<typeof words>,
  period: '15m' | '30m',
): Bucket[] {
  const { starts } = series
  const buckets: Bucket[] = []
  const minuteOf = (row: number): string => minute.words[minute.codes[row] as number] ?? ''
  for (let s = 0; s + 1 < starts.length; s++) {
    const [start, end] = [starts[s] as number, starts[s + 1] as number]
    const rows = Array.from({ length: end - start }, (_, i) => rowAt(series, start + i))
    buckets.push(...bucketsOf(rows, minuteOf, period))
  }
  return buckets
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
  const series = distinctSeries(table, ['tradedate', 'symbol'], 'trademin')
  const [date, symbol] = [words(table, 'tradedate'), words(table, 'symbol')]
  const [vol, amount] = [numbers(table, 'vol'), numbers(table, 'amount')]
  const prices: Prices = {
    open: numbers(table, 'open'),
    high: numbers(table, 'high'),
    low: numbers(table, 'low'),
    close: numbers(table, 'close'),
  }
  const buckets = bucketsIn(series, words(table, 'trademin'), period)
  const made = buckets.map(({ rows }) => pricesOf(rows, vol, prices))
  const sum = (column: Float64Array): Float64Array =>
    Float64Array.from(buckets, ({ rows }) => sumDecimals(rows.map((row) => column[row] as number)))
  const price = (name: keyof Prices) =>
    numberColumn(
      'yuan',
      minuteBar[name].meaning,
      Float64Array.from(made, (bucket) => bucket[name]),
    )
  return resultTable(
    {
      tradedate: textColumn(
        'date',
        'Trading day.',
        buckets.map((bucket) => wordOf(date, bucket)),
      ),
      symbol: textColumn(
        'code',
        'Security code, as in the source.',
        buckets.map((bucket) => wordOf(symbol, bucket)),
      ),
      trademin: textColumn(
        'minute',
        minuteBar.trademin.meaning,
        buckets.map(({ close }) => close),
      ),
      period: textColumn(
        'label',
        'Bar period.',
        buckets.map(() => period),
      ),
      open: price('open'),
      high: price('high'),
      low: price('low'),
      close: price('close'),
      vol: numberColumn(undefined, 'Volume, in the unit of the source.', sum(vol)),
      amount: numberColumn('yuan', 'Turnover.', sum(amount)),
      bars: integerColumn(
        'bar',
        'One-minute bars in the bucket.',
        Int32Array.from(buckets, ({ rows }) => rows.length),
      ),
    },
    undefined,
    new Map([[missingKey, 'no trade']]),
  )
}
