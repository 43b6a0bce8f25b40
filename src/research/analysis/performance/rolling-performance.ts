import type { Table } from 'apache-arrow'
import { checkOptions } from '../../../contract/options.js'
import { wholeNumber } from '../../../frame/verb/array-statistics.js'
import { rolling } from '../../../frame/verb/rolling.js'
import { rollingRegression } from '../../../frame/verb/rolling-pairs.js'
import { type CheckColumn, integerColumn, numberColumn, resultTable, textColumn } from '../../checks/check-columns.js'
import { deepestFall } from './drawdowns.js'
import { type RateOptions, rateKinds, ratesOf } from './performance-stats.js'
import { benchmarkOn, type PerformanceInput, returnSeries } from './return-series.js'

/**
 * Computes performance figures for each window of `window` returns, in a row for the window's last one: `day` (or
 * `row`, from 1, without days), `volatility`, `sharpe`, `drawdown` and, with a benchmark, `beta`, each as
 * `performanceStats` computes it of the window alone. The drawdown is the deepest within the window, including its
 * start value, as empyrical's `roll_max_drawdown`. Rows begin with the first full window; undefined figures are null.
 * @throws QuotebookError INVALID_VALUE as `performanceStats`, and for a window that is not a whole number of at least 2
 */
export function rollingPerformance(input: PerformanceInput, window: number, options: RateOptions = {}): Table {
  const what = 'rollingPerformance'
  const { perYear, freePerDay } = ratesOf(checkOptions(options, rateKinds, what), what)
  const size = wholeNumber(window, 2, `${what}: window`)
  const series = returnSeries(input, what)
  const { returns, curve, days } = series
  const root = Math.sqrt(perYear)
  const excess = returns.map((r) => r - freePerDay)
  const largest = rolling(excess.map(Math.abs), size, 'max')
  const isNoise = (std: number, t: number): boolean => std <= 1e-12 * (largest[t] as number)
  const volatility = rolling(excess, size, 'std').map((std, t) => (isNoise(std, t) ? 0 : std * root))
  const mean = rolling(excess, size, 'mean')
  const sharpe = volatility.map((std, t) => (std > 0 ? ((mean[t] as number) * perYear) / std : Number.NaN))
  const drawdown = returns.map((_, t) => (t + 1 < size ? Number.NaN : deepestFall(curve, t + 1 - size, t + 2)))
  const first = Math.min(size - 1, returns.length)
  const number = (unit: string, meaning: string, values: Float64Array): CheckColumn =>
    numberColumn(unit, meaning, values.slice(first))
  const rows = Int32Array.from(returns.subarray(first), (_, at) => first + at + 1)
  const place = days
    ? { day: textColumn('date', 'Last day of the window.', days.slice(first)) }
    : { row: integerColumn('row', 'Last row of the window, from 1.', rows) }
  const columns = {
    ...place,
    volatility: number('ratio', 'Standard deviation of returns, per year.', volatility),
    sharpe: number('ratio', 'Mean excess return over its standard deviation, per year.', sharpe),
    drawdown: number('ratio', 'Deepest fall from a high within the window, from -1 to 0.', drawdown),
  }
  if (options.benchmark === undefined) return resultTable(columns)
  const { slope } = rollingRegression(benchmarkOn(series, options.benchmark, what), returns, size)
  return resultTable({ ...columns, beta: number('ratio', 'Slope of returns on those of the benchmark.', slope) })
}
