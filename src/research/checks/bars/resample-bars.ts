import type { Table } from 'apache-arrow'
import { QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { bucketCloses } from '../../../contract/session.js'
import { minuteBar } from '../../../contract/shared.js'
import { asTable } from '../../../frame/as-table.js'
import type { DataFrame } from '../../../frame/danfo-types.js'
import { dictionary, has, numbers, strings } from '../../../frame/read-columns.js'
import { declarationIn } from '../../../frame/table/declaration.js'
import { wrongShape } from '../../../frame/table/shape.js'
import { derive } from '../../../frame/verb/derive.js'
import { integerColumn, nullableIntegerColumn, numberColumn, resultTable, textColumn } from '../check-columns.js'
import { sumDecimals } from '../exact/decimal.js'
import { noTradeMetadata, type Period } from './bar-grid.js'
import { groupSeries, type RowSeries, rowAt, textAt } from './bar-series.js'
import { type DayPeriod, lastKnownDays, tradingDaysIn } from './calendar-periods.js'
import { barColumnsOf } from './compare-bars.js'

/** Close of the bucket that a minute belongs to: the first close that is not before it. */
function bucketOf(minute: string, period: Period): string {
  const inSession = (minute >= '0930' && minute <= '1130') || (minute >= '1301' && minute <= '1500')
  const close = bucketCloses[period].find((at) => minute <= at)
  if (inSession && close !== undefined) return close
  throw new QuotebookError(
    'INVALID_VALUE',
    sentence`${minute} is no minute of a session: they are 0930 to 1130 and 1301 to 1500`,
  )
}

type BarPeriod = Period | DayPeriod

function isDayPeriod(period: BarPeriod): period is DayPeriod {
  return !(period in bucketCloses)
}

/** Bars as long as those that are asked for, or longer, would keep their numbers under another name. */
function checkLonger(table: Table, period: BarPeriod): void {
  if (period === 'week' || period === 'month') return
  if (period !== 'day' && isDayPeriod(period))
    throw wrongShape(sentence`the period`, sentence`15m, 30m, day, week or month`, period)
  const used = has(table, 'trademin') ? new Set(strings(table, 'trademin')) : undefined
  const isLong = ![...(used ?? [])].some((minute) => !bucketCloses['15m'].includes(minute ?? ''))
  if (used && (period === 'day' || used.size === 0 || !isLong)) return
  const [given, own] = used
    ? [sentence`one-minute bars`, sentence`15 minutes or more`]
    : [sentence`bars of minutes`, sentence`whole days`]
  throw new QuotebookError('INVALID_VALUE', sentence`resampleBars takes ${given}; these are of ${own} already`)
}

/** Rows as series that each make one bar. @throws QuotebookError INVALID_VALUE for a key that is null, or two rows of one */
function seriesOf(table: Table, period: BarPeriod, keys: readonly string[]): RowSeries {
  for (const name of keys) {
    const row = dictionary(table, name).codes.indexOf(-1)
    if (row >= 0) throw new QuotebookError('INVALID_VALUE', sentence`row ${row + 1}: ${name} is null`)
  }
  const [dates, times] = [strings(table, 'tradedate'), has(table, 'trademin') ? strings(table, 'trademin') : undefined]
  const last = isDayPeriod(period) ? lastKnownDays(table, period) : undefined
  const bucket = (time: string | null): string => (isDayPeriod(period) ? '' : bucketOf(time ?? '', period))
  const labelled = derive(table, {
    tradedate: () => (last ? dates.map((day) => last.get(day ?? '') ?? '') : dates),
    bucket: () => times?.map(bucket) ?? '',
    trademin: () => dates.map((day, row) => `${last ? day : ''}${times?.[row] ?? ''}`),
  })
  const series = groupSeries(labelled as Table, [...keys.slice(0, 2), 'bucket'])
  const [twice] = series.doubled
  if (twice === undefined) return series
  const [first, second] = [rowAt(series, twice - 1), rowAt(series, twice)]
  throw new QuotebookError('INVALID_VALUE', sentence`rows ${first + 1} and ${second + 1} share ${keys.join(', ')}`)
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

/** What is known of days that are put together; `last` is the last of each bucket. */
function dayColumns(table: Table, buckets: readonly number[][], last: readonly string[], period: DayPeriod) {
  const known = new Map([...new Set(last)].map((day) => [day, tradingDaysIn(day, period)]))
  const all = Float64Array.from(last, (day) => known.get(day) as number)
  const before = has(table, 'pre_close') ? numbers(table, 'pre_close') : undefined
  const first = before && Float64Array.from(buckets, ([row = 0]) => before[row] as number)
  return {
    ...(first && { pre_close: numberColumn(unitOf(table, 'pre_close'), 'Close before the period.', first) }),
    trading_days: nullableIntegerColumn('day', 'Trading days of the period by the calendar.', all),
  }
}

function unitOf(table: Table, name: string): string {
  return table.schema.fields.filter((field) => field.name === name).map(declarationIn)[0]?.unit ?? 'yuan'
}

/**
 * Converts bars to longer bars: one-minute bars to bars of 15 or 30 minutes, minutes to days, and minutes or days to
 * weeks or months.
 *
 * Minutes are cut at the bucket closes of the contract: a minute goes into the first bucket that closes at or after it,
 * so 0931 is the first minute of 1000, and 0930, if the source has such a bar, is a bucket of its own. If the 0931 bar
 * of a source contains the opening auction, it is part of 1000, and there is no bucket 0930. A week begins on Monday.
 * `tradedate` of a week or a month is the last of its days that the data has, of any symbol: all symbols share it, it
 * is never a day without data, and in the current week never in the future. `trading_days` counts the days of the
 * calendar (null outside its years): a symbol with fewer bars of days lacks some.
 *
 * Open, high, low and close come from the bars that traded (volume above 0), null if none did, and `pre_close` from the
 * first bar. Volume and turnover are summed as decimals, without drift. A null volume makes volume and prices of its
 * bucket null, a null turnover its turnover, a null price of a bar that traded that price. A minute or a day without a
 * bar counts as one without trade. The column `bars` counts the bars of a bucket. Prices are not adjusted for dividends
 * and splits.
 * @param bars tradedate, symbol (or code), trademin (except for daily bars), open, high, low, close, vol, amount; rows
 * in any order
 * @throws QuotebookError INVALID_VALUE for a minute outside the sessions, a non-trading day of the calendar, a
 * duplicate bar, and bars that already have the wanted length
 */
export function resampleBars(bars: Table | DataFrame, period: BarPeriod): Table {
  const table = asTable(bars)
  checkLonger(table, period)
  const symbol = has(table, 'code') ? 'code' : 'symbol'
  const series = seriesOf(table, period, ['tradedate', symbol, ...(has(table, 'trademin') ? ['trademin'] : [])])
  const own = barColumnsOf(table)
  const starts = series.starts.slice(0, -1)
  const buckets = starts.map((start, s) => [...series.order.subarray(start, series.starts[s + 1])])
  const traded = buckets.map((rows) => tradedRows(rows, own.vol))
  const sum = (name: 'vol' | 'amount'): Float64Array =>
    Float64Array.from(buckets, (rows) => sumDecimals(rows.map((row) => own[name][row] as number)))
  const price = (name: keyof typeof joinPrices) => {
    const prices = Float64Array.from(traded, (rows) => joinPrices[name](rows.map((row) => own[name][row] as number)))
    return numberColumn(unitOf(table, name), minuteBar[name].meaning, prices)
  }
  const labels = (name: string): string[] => starts.map((start) => textAt(series, name, start))
  const counts = Int32Array.from(buckets, (rows) => rows.length)
  const days = isDayPeriod(period)
  return resultTable(
    {
      tradedate: textColumn('date', days ? 'Last day of the period.' : 'Trading day.', labels('tradedate')),
      [symbol]: textColumn('code', 'Security code, as in the source.', labels(symbol)),
      ...(!days && { trademin: textColumn('minute', minuteBar.trademin.meaning, labels('bucket')) }),
      period: textColumn('label', 'Bar period.', new Array<string>(buckets.length).fill(period)),
      open: price('open'),
      high: price('high'),
      low: price('low'),
      close: price('close'),
      vol: numberColumn(undefined, 'Volume, in the unit of the source.', sum('vol')),
      amount: numberColumn('yuan', 'Turnover.', sum('amount')),
      bars: integerColumn('bar', 'Bars of the source in the bucket.', counts),
      ...(days && dayColumns(table, buckets, labels('tradedate'), period)),
    },
    undefined,
    noTradeMetadata,
  )
}
