import { correlation, exactSum, quantile } from '../../../frame/verb/array-statistics.js'
import { probabilisticSharpe } from '../../analysis/performance/deflated-sharpe.js'
import { drawdownsOf } from '../../analysis/performance/drawdowns.js'
import type { figureNames } from './figure-words.js'
import type { RunSheet, SheetSeries } from './sheet-context.js'

export type FigureName = keyof typeof figureNames

/** How a figure is written: percent, percent with its sign, a number with two decimals, days, a count, money, a probability. */
export type FigureForm = 'percent' | 'signed' | 'number' | 'days' | 'count' | 'yuan'

/** A figure of the run, and of the benchmark where it has one. */
export interface SheetFigure {
  readonly name: FigureName
  readonly form: FigureForm
  readonly value: number
  readonly benchmark?: number
}

type Measure = (of: SheetSeries, sheet: RunSheet) => number

function mean(x: ArrayLike<number>): number {
  return exactSum(x) / x.length
}

function deviation(x: ArrayLike<number>): number {
  const middle = mean(x)
  return Math.sqrt(exactSum(Array.from(x, (value) => (value - middle) ** 2)) / (x.length - 1))
}

/** Falls from the highest value before, by row of the curve; 0 at a high. */
export function underwater(curve: Float64Array): Float64Array {
  let high = curve[0] as number
  return curve.map((value) => {
    high = Math.max(high, value)
    return value / high - 1
  })
}

const below = (value: number): boolean => value < -1e-12

const averageDrawdown: Measure = (of) => {
  const depths = drawdownsOf(of).map(({ depth }) => depth)
  return depths.length === 0 ? 0 : mean(depths)
}
const longestDrawdown: Measure = (of) =>
  drawdownsOf(of).reduce((most, { calendarDays }) => Math.max(most, calendarDays), 0)
const underShare: Measure = ({ curve, returns }) => underwater(curve).subarray(1).filter(below).length / returns.length
const ulcer: Measure = ({ curve }) =>
  Math.sqrt(
    mean(
      underwater(curve)
        .subarray(1)
        .map((fall) => fall * fall),
    ),
  )
const downside: Measure = ({ returns }, { rates }) =>
  Math.sqrt(mean(returns.map((r) => Math.min(r, 0) ** 2)) * rates.periodsPerYear)
const omega: Measure = ({ returns }) => {
  const lost = -exactSum(returns.filter((r) => r < 0))
  return lost > 0 ? exactSum(returns.filter((r) => r > 0)) / lost : Number.NaN
}
const tailRatio: Measure = ({ returns }) => {
  const low = Math.abs(quantile(returns, 0.05))
  return low > 0 ? Math.abs(quantile(returns, 0.95)) / low : Number.NaN
}
const bestMonth: Measure = ({ performance: { monthly = [] } }) => Math.max(...monthly.map((one) => one.return))
const worstMonth: Measure = ({ performance: { monthly = [] } }) => Math.min(...monthly.map((one) => one.return))
const monthWinRate: Measure = ({ performance: { monthly = [] } }) =>
  monthly.filter((one) => one.return > 0).length / monthly.length
const psr: Measure = ({ performance }) => probabilisticSharpe(performance)

/** Figures of a series alone, in reading order by group: name, form, measure. */
const alone: Readonly<Record<string, readonly (readonly [FigureName, FigureForm, Measure])[]>> = {
  return: [
    ['total', 'signed', ({ performance }) => performance.total],
    ['cagr', 'signed', ({ performance }) => performance.cagr],
    ['annualReturn', 'signed', ({ performance }) => performance.annualReturn],
    ['bestDay', 'signed', ({ performance }) => performance.best?.return ?? Number.NaN],
    ['worstDay', 'signed', ({ performance }) => performance.worst?.return ?? Number.NaN],
    ['bestMonth', 'signed', bestMonth],
    ['worstMonth', 'signed', worstMonth],
    ['dayWinRate', 'percent', ({ performance }) => performance.dayWinRate],
    ['monthWinRate', 'percent', monthWinRate],
  ],
  risk: [
    ['volatility', 'percent', ({ performance }) => performance.volatility],
    ['downside', 'percent', downside],
    ['maxDrawdown', 'percent', ({ performance }) => performance.maxDrawdown.depth],
    ['averageDrawdown', 'percent', averageDrawdown],
    ['longestDrawdown', 'days', longestDrawdown],
    ['underShare', 'percent', underShare],
    ['ulcer', 'percent', ulcer],
    ['longestLosingRun', 'days', ({ performance }) => performance.longestLosingRun],
  ],
  ratio: [
    ['sharpe', 'number', ({ performance }) => performance.sharpe],
    ['psr', 'percent', psr],
    ['sortino', 'number', ({ performance }) => performance.sortino],
    ['calmar', 'number', ({ performance }) => performance.calmar],
    ['omega', 'number', omega],
  ],
  shape: [
    ['valueAtRisk', 'percent', ({ performance }) => performance.valueAtRisk],
    ['conditionalValueAtRisk', 'percent', ({ performance }) => performance.conditionalValueAtRisk],
    ['skew', 'number', ({ performance }) => performance.skew],
    ['kurtosis', 'number', ({ performance }) => performance.kurtosis],
    ['tailRatio', 'number', tailRatio],
  ],
}

/** Mean return on the days on which the benchmark rose, or fell, over that of the benchmark. */
function capture(own: Float64Array, other: Float64Array, isDay: (b: number) => boolean): number {
  const days = Array.from(own.keys()).filter((t) => isDay(other[t] as number))
  return mean(days.map((t) => own[t] as number)) / mean(days.map((t) => other[t] as number))
}

function againstFigures({ own, benchmark, rates }: RunSheet): SheetFigure[] {
  if (!benchmark) return []
  const [returns, other] = [own.returns, benchmark.returns]
  const apart = returns.map((r, t) => r - (other[t] as number)).filter((x) => !Number.isNaN(x))
  const { beta, alpha, informationRatio } = own.performance
  const from = own.returns.length - benchmark.series.returns.length
  const excess = (own.curve.at(-1) as number) / (own.curve[from] as number) - 1 - benchmark.series.performance.total
  return [
    { name: 'excess', form: 'signed', value: excess },
    { name: 'beta', form: 'number', value: beta },
    { name: 'alpha', form: 'signed', value: alpha },
    { name: 'correlation', form: 'number', value: correlation(returns, other) },
    { name: 'trackingError', form: 'percent', value: deviation(apart) * Math.sqrt(rates.periodsPerYear) },
    { name: 'informationRatio', form: 'number', value: informationRatio },
    { name: 'upCapture', form: 'percent', value: capture(returns, other, (b) => b > 0) },
    { name: 'downCapture', form: 'percent', value: capture(returns, other, (b) => b < 0) },
  ]
}

/** Groups of figures of the run, and beside them those of the benchmark. */
export function sheetFigures(sheet: RunSheet): ReadonlyMap<string, readonly SheetFigure[]> {
  const series = sheet.benchmark?.series
  const groups = Object.entries(alone).map(([group, list]) => {
    const figures = list.map(([name, form, measure]): SheetFigure => {
      const other = series && series.returns.length > 0 ? { benchmark: measure(series, sheet) } : {}
      return { name, form, value: measure(sheet.own, sheet), ...other }
    })
    return [group, figures] as const
  })
  return new Map<string, readonly SheetFigure[]>([...groups, ['against', againstFigures(sheet)]])
}
