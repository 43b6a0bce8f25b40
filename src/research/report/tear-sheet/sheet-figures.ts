import { correlation, exactSum, quantile } from '../../../frame/verb/array-statistics.js'
import { probabilisticSharpe } from '../../analysis/performance/deflated-sharpe.js'
import { drawdownsOf } from '../../analysis/performance/drawdowns.js'
import type { FigureName, FigureValues } from './figure-words.js'
import type { RunSheet, SheetSeries } from './sheet-context.js'
import { tradingFigures } from './trading-figures.js'

/** A figure of the run, and of the benchmark where it has one. */
export interface SheetFigure {
  readonly name: FigureName
  readonly value: number
  readonly benchmark: number | undefined
}

/** Groups of figures in reading order. */
const groups = ['return', 'risk', 'ratio', 'shape', 'against', 'trading'] as const
type GroupName = (typeof groups)[number]

function mean(x: ArrayLike<number>): number {
  return exactSum(x) / x.length
}

function deviation(x: ArrayLike<number>): number {
  const middle = mean(x)
  return Math.sqrt(exactSum(Array.from(x, (value) => (value - middle) ** 2)) / (x.length - 1))
}

/** A quotient of sizes; not defined over nothing. */
function ratio(over: number, under: number): number {
  return under > 0 ? over / under : Number.NaN
}

/** Falls from the highest value before, by row of the curve; 0 at a high. */
export function underwater(curve: Float64Array): Float64Array {
  let high = curve[0] as number
  return curve.map((value) => {
    high = Math.max(high, value)
    return value / high - 1
  })
}

/** Figures of a series alone. */
function seriesFigures(series: SheetSeries, periodsPerYear: number): Partial<Record<GroupName, FigureValues>> {
  const { curve, returns, performance } = series
  const { total, cagr, annualReturn, dayWinRate, volatility, longestLosingRun, sharpe, sortino, calmar } = performance
  const { valueAtRisk, conditionalValueAtRisk, skew, kurtosis } = performance
  const months = (performance.monthly ?? []).map((one) => one.return)
  const falls = underwater(curve).subarray(1)
  const drawdowns = drawdownsOf(series)
  const [gained, lost] = [returns.filter((r) => r > 0), returns.filter((r) => r < 0)]
  return {
    return: {
      total,
      cagr,
      annualReturn,
      bestDay: performance.best?.return ?? Number.NaN,
      worstDay: performance.worst?.return ?? Number.NaN,
      bestMonth: Math.max(...months),
      worstMonth: Math.min(...months),
      dayWinRate,
      monthWinRate: months.filter((one) => one > 0).length / months.length,
    },
    risk: {
      volatility,
      downside: Math.sqrt(mean(returns.map((r) => Math.min(r, 0) ** 2)) * periodsPerYear),
      maxDrawdown: performance.maxDrawdown.depth,
      averageDrawdown: drawdowns.length === 0 ? 0 : mean(drawdowns.map(({ depth }) => depth)),
      longestDrawdown: Math.max(0, ...drawdowns.map(({ calendarDays }) => calendarDays)),
      underShare: falls.filter((fall) => fall < -1e-12).length / returns.length,
      ulcer: Math.sqrt(mean(falls.map((fall) => fall * fall))),
      longestLosingRun,
    },
    ratio: {
      sharpe,
      psr: probabilisticSharpe(performance),
      sortino,
      calmar,
      omega: ratio(exactSum(gained), -exactSum(lost)),
    },
    shape: {
      valueAtRisk,
      conditionalValueAtRisk,
      skew,
      kurtosis,
      tailRatio: ratio(Math.abs(quantile(returns, 0.95)), Math.abs(quantile(returns, 0.05))),
    },
  }
}

/** Mean return on the days on which the benchmark rose, or fell, over that of the benchmark. */
function capture(own: Float64Array, other: Float64Array, isDay: (b: number) => boolean): number {
  const days = Array.from(own.keys()).filter((t) => isDay(other[t] as number))
  return mean(days.map((t) => own[t] as number)) / mean(days.map((t) => other[t] as number))
}

function againstFigures({ own, benchmark, rates }: RunSheet): FigureValues {
  if (!benchmark) return {}
  const [returns, other] = [own.returns, benchmark.returns]
  const apart = returns.map((r, t) => r - (other[t] as number)).filter((x) => !Number.isNaN(x))
  const { beta, alpha, informationRatio } = own.performance
  const from = own.returns.length - benchmark.series.returns.length
  return {
    excess: (own.curve.at(-1) as number) / (own.curve[from] as number) - 1 - benchmark.series.performance.total,
    beta,
    alpha,
    correlation: correlation(returns, other),
    trackingError: deviation(apart) * Math.sqrt(rates.periodsPerYear),
    informationRatio,
    upCapture: capture(returns, other, (b) => b > 0),
    downCapture: capture(returns, other, (b) => b < 0),
  }
}

/** The figures of the run that are known, by group, and beside them those of the benchmark. */
export function sheetFigures(sheet: RunSheet): readonly (readonly [GroupName, readonly SheetFigure[]])[] {
  const { own, benchmark, rates } = sheet
  const figures: Partial<Record<GroupName, FigureValues>> = {
    ...seriesFigures(own, rates.periodsPerYear),
    against: againstFigures(sheet),
    trading: tradingFigures(sheet),
  }
  const series = benchmark?.series
  const others = series && series.returns.length > 0 ? seriesFigures(series, rates.periodsPerYear) : {}
  return groups.flatMap((group) => {
    const list = Object.entries(figures[group] ?? {}) as [FigureName, number | undefined][]
    const known = list.flatMap(([name, value]) =>
      value === undefined ? [] : [{ name, value, benchmark: others[group]?.[name] }],
    )
    return known.length > 0 ? [[group, known] as const] : []
  })
}
