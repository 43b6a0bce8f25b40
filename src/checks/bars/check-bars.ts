import type { Table } from 'apache-arrow'
import { bucketCloses, inBucket } from '../../contract/session.js'
import type { DataFrame } from '../../frame/danfo-types.js'
import { has, numbers, texts } from '../../frame/read-columns.js'
import { type CheckResult, conclude, type Severities } from '../check.js'
import { LabelBuilder, numberColumn } from '../check-columns.js'
import { columnDecimalPlaces, digitsAt, toDecimal } from '../exact/decimal.js'
import { groupItems } from '../group-items.js'
import { allowedCells } from '../row-findings.js'
import { tableVwap } from '../vwap/cumulative-vwap.js'
import { type FactorOptions, factorsOf } from '../vwap/lot-factor.js'
import { type Grids, gridsOf, isBucketed, missingKey, offGrid, type Period } from './bar-grid.js'
import { asBarTable, barKeyColumns, groupSeries, type RowSeries, rowAt, textAt } from './bar-series.js'

/**
 * Verdicts of `checkBars`. `incomplete`: a cell is missing; `gap`: bars before it are missing; `misplaced`: its time
 * does not fit its bucket.
 */
export type BarVerdict = 'pass' | 'incomplete' | 'gap' | 'duplicate' | 'out-of-range' | 'negative' | 'misplaced'

const severities: Severities<BarVerdict> = {
  pass: 0,
  incomplete: 1,
  gap: 1,
  duplicate: 2,
  'out-of-range': 3,
  negative: 4,
  misplaced: 5,
}

/** What a verdict goes by where a bar has more than one finding, the worst first. */
const worstFirst = ['misplaced', 'negative', 'out-of-range', 'duplicate', 'gap', 'incomplete'] as const

/** Options of `checkBars`: what a missing bar means, and how volumes are counted. */
export interface BarOptions extends FactorOptions {
  /** What a bar that is not there means: that it is missing, or, as in a feed of bars with trades, nothing. */
  readonly missing?: 'unknown' | 'no trade'
  /**
   * What volumes are rounded to, in their own unit. Without it, 1 where the factor is above 1, for then they are lots;
   * with factor 1, for shares, 100 if every volume is a multiple of it, else 0.
   */
  readonly lot?: number
}

interface Bars {
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  readonly vol: Float64Array
  readonly amount: Float64Array
}

type Finding = readonly [verdict: Exclude<BarVerdict, 'pass'>, why: string]

/** Whether amount > price x units + slack, in decimals. Doubles decide where the two are far from each other. */
function exceeds(amount: number, price: number, units: number, slack: number): boolean {
  const most = price * units + slack
  if (Math.abs(amount - most) > 1e-9 * Math.max(Math.abs(amount), Math.abs(most))) return amount > most
  const [a, p, u, s] = [toDecimal(amount), toDecimal(price), toDecimal(units), toDecimal(slack)]
  const scale = Math.max(a.scale, p.scale + u.scale, s.scale)
  const product = digitsAt({ digits: p.digits * u.digits, scale: p.scale + u.scale }, scale)
  return digitsAt(a, scale) > product + digitsAt(s, scale)
}

/** Prices that contradict each other. */
function priceOrder({ open, high, low, close }: Bars, row: number): Finding | undefined {
  const [top, bottom] = [high[row] as number, low[row] as number]
  if (bottom > top) return ['out-of-range', `low ${bottom} is above high ${top}`]
  for (const [name, column] of [
    ['open', open],
    ['close', close],
  ] as const) {
    const price = column[row] as number
    if (price > top || price < bottom) return ['out-of-range', `${name} ${price} lies outside ${bottom} to ${top}`]
  }
  return undefined
}

interface Rounding {
  readonly factor: number
  readonly lot: number
  /** One unit of the last decimal of the turnovers. */
  readonly unit: number
}

/** An own average that no volume within a lot can bring into the range of the prices. */
function averageOutside({ high, low, vol, amount }: Bars, row: number, { factor, lot, unit }: Rounding): boolean {
  const [v, a] = [vol[row] as number, amount[row] as number]
  if (!Number.isFinite(high[row]) || !Number.isFinite(low[row])) return false
  if (exceeds(a, high[row] as number, (v + lot) * factor, unit)) return true
  const least = (v - lot) * factor
  return least > 0 && exceeds(-a, -(low[row] as number), least, unit)
}

const named = (names: readonly string[]): string => names.join(', ')

function nullsOf(bars: Bars, row: number): string[] {
  const needed = bars.vol[row] === 0 ? (['vol', 'amount'] as const) : (Object.keys(bars) as (keyof Bars)[])
  return needed.filter((name) => !Number.isFinite(bars[name][row]))
}

function findingsOf(bars: Bars, row: number, rounding: Rounding): Finding[] {
  const found: Finding[] = []
  const falling = (['vol', 'amount'] as const).filter((name) => (bars[name][row] as number) < 0)
  if (falling.length > 0) found.push(['negative', `${named(falling)} below 0: the cumulative value fell`])
  const order = priceOrder(bars, row)
  if (order) found.push(order)
  const nulls = nullsOf(bars, row)
  if (nulls.length > 0) found.push(['incomplete', `no ${named(nulls)}`])
  else if (!order && falling.length === 0 && averageOutside(bars, row, rounding))
    found.push(['out-of-range', 'amount / (vol x factor) lies outside low to high'])
  return found
}

/**
 * The bars that a series lacks, by the place of the bar after them, or of the last one; of a bar between that closes at no
 * bucket, since it may be the one that is missing.
 */
function gapsOf(series: RowSeries, grids: Grids, s: number, period: Period | undefined): Map<number, string> {
  const [start, end] = [series.starts[s] as number, series.starts[s + 1] as number]
  const gaps = new Map<number, string>()
  if (!period) {
    if (textAt(series, 'trademin', start) > '0931') gaps.set(start, '0930 missing before it')
    return gaps
  }
  let due = 0
  let odd: number | undefined
  for (let i = start; i < end; i++) {
    const bucket = grids.bucketAt(period, i)
    if (bucket < 0) odd ??= i
    else {
      const missing = named(bucketCloses[period].slice(due, bucket))
      if (bucket > due) gaps.set(odd ?? i, `${missing} missing ${odd === undefined ? 'before' : 'beside'} it`)
      due = bucket + 1
      odd = undefined
    }
  }
  const after = bucketCloses[period].slice(due)
  if (after.length > 0) {
    const before = gaps.get(odd ?? end - 1)
    gaps.set(odd ?? end - 1, `${before ? `${before}, ` : ''}${named(after)} missing after it`)
  }
  return gaps
}

/** What is wrong with the minute and the time of each bar at a place of the order; undefined where nothing is, or nothing can be told. */
function placesOf(table: Table, series: RowSeries, grids: Grids, isBucketed: boolean) {
  const time = has(table, 'time') ? texts(table, 'time') : []
  return (period: Period | undefined, i: number): string | undefined => {
    const minute = textAt(series, 'trademin', i)
    if (minute === '') return undefined
    const off = grids.bucketAt(period ?? '15m', i) < 0
    if (off) return period || isBucketed ? offGrid(minute, period ?? '15m or 30m') : undefined
    const clock = time[rowAt(series, i)] ?? undefined
    if (clock === undefined || !period || inBucket(clock, minute, period)) return undefined
    return `time ${clock} lies outside the bar of ${minute}`
  }
}

function lotOf(factor: number, vol: Float64Array): number {
  if (factor !== 1) return vol.every((v) => Number.isNaN(v) || Number.isInteger(v)) ? 1 : 0
  return vol.every((v) => Number.isNaN(v) || v % 100 === 0) ? 100 : 0
}

/** Each bar's own average, or with so many lots more, to three decimals; NaN where there is none. */
function averages({ amount, vol }: Bars, factors: Float64Array, lots: Float64Array): Float64Array {
  const starts = Uint32Array.from({ length: vol.length + 1 }, (_, i) => i)
  const volumes = vol.map((v, row) => Math.max(v + (lots[row] as number), 0))
  return tableVwap(amount, volumes, { starts, factors }).value
}

/** Columns of the result beside its keys and verdicts: the range of each bar and its own average price. */
function averageColumns(own: Bars, factors: Float64Array, lots: Float64Array, average: Float64Array) {
  return {
    low: numberColumn('yuan', 'Lowest price of the bar.', own.low),
    high: numberColumn('yuan', 'Highest price of the bar.', own.high),
    average: numberColumn(
      'yuan',
      'amount / (vol x factor) of the bar alone, ROUND_HALF_UP to 3 decimals; null without volume.',
      average,
    ),
    least: numberColumn('yuan', 'The same with one lot more.', averages(own, factors, lots)),
    greatest: numberColumn(
      'yuan',
      'The same with one lot less; null where no lot is left.',
      averages(
        own,
        factors,
        lots.map((lot) => -lot),
      ),
    ),
  }
}

/**
 * Looks at each minute bar by itself and at its place in the day.
 *
 * - `pass`: nothing of the following. A bar without trade may lack prices.
 * - `negative`: vol or amount is negative. They are differences of cumulative values, so the cumulative value fell.
 * - `out-of-range`: low is above high; open or close lies outside low..high; or the bar's own average, amount / (vol x factor),
 *   does, even if the volume is up to one lot off. A volume is the difference of two cumulative volumes, each right within
 *   half a lot. The turnover may be off by one unit of the last decimal that the column shows, for the same reason.
 * - `misplaced`: it closes at a minute that is no bucket of its period, its time lies outside the bucket, its day is no trading day,
 *   or a cell holds what the contract forbids, as an infinite number or no symbol. The other bars of its day are judged on.
 * - `duplicate`: the same minute of the same day and symbol stands there twice. Both bars have this verdict.
 * - `gap`: bars are missing before it, or after it where it is the day's last; `why` names them. Of bars of 15 and 30
 *   minutes only, read as of 30 where nothing tells; of others the opening alone is looked at. The last day of a running market has a gap until its close.
 * - `incomplete`: vol or amount is null, or a price of a bar that traded. It cannot be judged.
 *
 * A bar with more than one finding has the verdict of the worst, and all of them in `why`.
 * @param bars tradedate, symbol, trademin, open, high, low, close, vol, amount, and maybe period; in any order
 * @throws QuotebookError INVALID_VALUE when the factor cannot be told; MISSING_COLUMN
 */
export function checkBars(bars: Table | DataFrame, options: BarOptions = {}): CheckResult<BarVerdict> {
  const { table, forbidden } = allowedCells(asBarTable(bars), options.dataset ?? 'etf_minute')
  const keys = has(table, 'period') ? ['tradedate', 'symbol', 'period'] : ['tradedate', 'symbol']
  const series = groupSeries(table, keys, 'trademin')
  const column = (name: keyof Bars): Float64Array => numbers(table, name)
  const own: Bars = {
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close: column('close'),
    vol: column('vol'),
    amount: column('amount'),
  }
  const missing = options.missing ?? (table.schema.metadata.get(missingKey) === 'no trade' ? 'no trade' : 'unknown')
  const grids = gridsOf(table, series, options.dataset, '30m')
  const misplaced = groupItems(forbidden, ({ row }) => row)
  const wrongPlace = placesOf(table, series, grids, isBucketed(table, options.dataset))
  const bySeries = factorsOf(table, series, options)
  const unit = 10 ** -Math.min(columnDecimalPlaces(own.amount), 2)
  const [verdict, why] = [new LabelBuilder(table.numRows), new LabelBuilder(table.numRows)]
  const nothing = (): Float64Array => new Float64Array(table.numRows)
  const [factors, lots] = [nothing(), nothing()]
  const twice = new Set(series.doubled.flatMap((place) => [place - 1, place]))
  const lotFor = new Map<number, number>()
  for (let s = 0; s + 1 < series.starts.length; s++) {
    const period = grids.periodOf(s)
    const gaps = missing === 'no trade' ? undefined : gapsOf(series, grids, s, period)
    const factor = bySeries[s] as number
    const lot = options.lot ?? lotFor.get(factor) ?? lotOf(factor, own.vol)
    lotFor.set(factor, lot)
    for (let i = series.starts[s] as number; i < (series.starts[s + 1] as number); i++) {
      const row = rowAt(series, i)
      factors[row] = factor
      lots[row] = lot
      const found: Finding[] = (misplaced.get(row) ?? []).map(({ why }) => ['misplaced', why])
      const place = wrongPlace(period, i)
      if (place !== undefined) found.push(['misplaced', place])
      found.push(...findingsOf(own, row, { factor, lot, unit }))
      const gap = gaps?.get(i)
      if (gap !== undefined) found.push(['gap', gap])
      if (twice.has(i)) found.push(['duplicate', 'stands there twice'])
      verdict.set(row, worstFirst.find((one) => found.some(([is]) => is === one)) ?? 'pass')
      if (found.length > 0) why.set(row, found.map(([, reason]) => reason).join('; '))
    }
  }
  const average = averages(own, factors, nothing())
  const beyond = average.map((x, row) => Math.max(x - (own.high[row] as number), (own.low[row] as number) - x, 0))
  return conclude('bars', severities, verdict, why, beyond, {
    ...barKeyColumns(series.columns),
    ...averageColumns(own, factors, lots, average),
  })
}
