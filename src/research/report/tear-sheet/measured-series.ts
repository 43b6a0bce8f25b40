import type { Table } from 'apache-arrow'
import { numbers } from '../../../frame/read-columns.js'
import { exactSum } from '../../../frame/verb/array-statistics.js'
import { type Drawdown, drawdownsOf } from '../../analysis/performance/drawdowns.js'
import { recordsOf } from '../report-tables.js'
import { compareTexts } from '../report-words.js'
import type { RunSheet, SheetSeries } from './sheet-context.js'
import type { TearSheetRun } from './sheet-input.js'

/** The kinds of costs, as the tables of a backtest name them. */
export const costKinds = ['commission', 'stamp', 'transfer'] as const

export function mean(x: ArrayLike<number>): number {
  return exactSum(x) / x.length
}

export function deviation(x: ArrayLike<number>): number {
  const middle = mean(x)
  return Math.sqrt(exactSum(Array.from(x, (value) => (value - middle) ** 2)) / (x.length - 1))
}

/** A quotient of sizes; NaN if the divisor is 0. */
export function overSize(over: number, under: number): number {
  return under > 0 ? over / under : Number.NaN
}

/** Mean return on the days on which the benchmark rose, or fell, over that of the benchmark. */
export function capture(own: Float64Array, other: Float64Array, isDay: (b: number) => boolean): number {
  const days = Array.from(own.keys()).filter((t) => isDay(other[t] as number))
  return mean(days.map((t) => own[t] as number)) / mean(days.map((t) => other[t] as number))
}

/** How far each value lies below the highest before, of which the start is the first; 0 at a high, NaN where there is no value. */
export function underwater(start: number, values: Float64Array): Float64Array {
  let high = start
  return values.map((value) => {
    if (value > high) high = value
    return value / high - 1
  })
}

export function columnSum(table: Table, name: string): number {
  return exactSum(numbers(table, name))
}

/** Closed round trips, the most gained first; equal ones by code and day. `held` are trading days from the one to the other. */
export function sheetTrips({ trips, days }: TearSheetRun) {
  if (!trips) return []
  const place = new Map(days.map((day, at) => [day, at]))
  const placeOf = (day: string): number => place.get(day) ?? Number.NaN
  const list = recordsOf(trips, ['symbol', 'opened', 'closed'], ['pnl']).map((trip) => {
    return { ...trip, held: placeOf(trip.closed) - placeOf(trip.opened) }
  })
  const key = ({ symbol, opened }: (typeof list)[number]): string => `${symbol}${opened}`
  return list.sort((a, b) => b.pnl - a.pnl || compareTexts(key(a), key(b)))
}

export type SheetTrip = ReturnType<typeof sheetTrips>[number]

/** The account in sums and means over its days. */
function paidOf({ account, positions }: TearSheetRun, periodsPerYear: number) {
  if (!account) return undefined
  const days = account.numRows
  const sum = (name: string): number => columnSum(account, name)
  return {
    exposure: sum('exposure') / days,
    held: positions && positions.numRows / days,
    traded: sum('traded'),
    equity: sum('equity') / days,
    costs: exactSum(costKinds.map(sum)),
    perYear: periodsPerYear / days,
  }
}

function tradesOf({ trades }: TearSheetRun) {
  if (!trades) return undefined
  const all = trades.flatMap(({ pnl }) => (typeof pnl === 'number' && !Number.isNaN(pnl) ? [pnl] : []))
  return { all, gains: all.filter((x) => x > 0), losses: all.filter((x) => x < 0) }
}

/** A run beside its benchmark, on the days on which the benchmark has returns. */
interface Against {
  readonly returns: Float64Array
  /** Differences of the returns by day, without those that are not defined. */
  readonly apart: Float64Array
  readonly own: number
  readonly total: number
}

function againstOf({ own, benchmark }: RunSheet): Against | undefined {
  if (!benchmark) return undefined
  const { returns, series } = benchmark
  const from = own.returns.length - series.returns.length
  return {
    returns,
    apart: own.returns.map((r, t) => r - (returns[t] as number)).filter((x) => !Number.isNaN(x)),
    own: (own.curve.at(-1) as number) / (own.curve[from] as number) - 1,
    total: series.performance.total,
  }
}

/** What figures are computed from: of a series what all have, of the run itself also its benchmark and its tables. */
export interface Measured extends SheetSeries {
  readonly periodsPerYear: number
  /** Returns of calendar months. */
  readonly months: readonly number[]
  /** Falls from the highest value before, by return. */
  readonly falls: Float64Array
  readonly drawdowns: readonly Drawdown[]
  readonly run: TearSheetRun | undefined
  readonly against: Against | undefined
  readonly paid: ReturnType<typeof paidOf>
  readonly trades: ReturnType<typeof tradesOf>
  readonly trips: readonly SheetTrip[] | undefined
}

export function measuredOf(sheet: RunSheet, series: SheetSeries = sheet.own): Measured {
  const { periodsPerYear } = sheet.rates
  const run = series === sheet.own ? sheet.run : undefined
  return {
    ...series,
    periodsPerYear,
    months: (series.performance.monthly ?? []).map((one) => one.return),
    falls: underwater(series.curve[0] as number, series.curve.subarray(1)),
    drawdowns: drawdownsOf(series),
    run,
    against: series === sheet.own ? againstOf(sheet) : undefined,
    paid: run && paidOf(run, periodsPerYear),
    trades: run && tradesOf(run),
    trips: run?.trips && sheetTrips(run),
  }
}
