import { QuotebookError } from '../../../contract/error.js'
import { fact, sentence } from '../../../contract/sentence.js'
import { numbers } from '../../../frame/read-columns.js'
import { rollingPerformance } from '../../analysis/performance/rolling-performance.js'
import { formatCount, type NumberForm, writeNumber } from '../format-number.js'
import { grid, html, type Section } from '../html.js'
import { lineSeries, type PlotPanel } from '../plot.js'
import type { RunSheet } from './sheet-context.js'
import { runChart } from './sheet-parts.js'

/** Half a year, a quarter or a month of days, so that there is a line and not a point; undefined for a run too short. */
function windowOf({ own, options }: RunSheet): number | undefined {
  const { length } = own.days
  const { window } = options
  if (window !== undefined) {
    if (Number.isInteger(window) && window >= 2) return window < length ? window : undefined
    throw new QuotebookError(
      'INVALID_VALUE',
      sentence`tearSheet: window is a whole number of days from 2, not ${window}`,
    )
  }
  return [126, 63, 20].find((days) => length >= 2 * days)
}

/** A value for each day; NaN before the first full window. */
function linesOf(sheet: RunSheet, size: number) {
  const { own, benchmark, rates, say } = sheet
  const input = { days: own.days, returns: own.returns }
  const table = rollingPerformance(input, size, {
    ...rates,
    ...(benchmark ? { benchmark: benchmark.returns.map((r) => (Number.isNaN(r) ? 0 : r)) } : {}),
  })
  const from = own.days.length - table.numRows
  const whole = (name: string, first = from): Float64Array => {
    const values = new Float64Array(own.days.length).fill(Number.NaN)
    values.set(numbers(table, name), from)
    return values.fill(Number.NaN, 0, first)
  }
  const isLate = benchmark !== undefined && Number.isNaN(benchmark.returns[0])
  const [ratio, percent]: readonly [NumberForm, NumberForm] = [{ digits: 2 }, { percent: true, digits: 1 }]
  const beta = benchmark && whole('beta', isLate ? from + 1 : from)
  return [
    { name: say(fact('ROLLING_SECTION', 'Sharpe ratio')), values: whole('sharpe'), format: ratio },
    { name: say(fact('ROLLING_SECTION', 'Volatility, a year')), values: whole('volatility'), format: percent },
    ...(beta ? [{ name: say(fact('ROLLING_SECTION', 'Beta')), values: beta, format: ratio }] : []),
  ]
}

/** Figures of the days before each day. */
export async function rollingSection(sheet: RunSheet): Promise<Section> {
  const { say } = sheet
  const title = say('Rolling figures')
  const size = windowOf(sheet)
  if (size === undefined) {
    return { id: 'rolling', title, body: html`<p class="absent">${say('Too few days for a window.')}</p>` }
  }
  const lines = linesOf(sheet, size)
  const panels = lines.map(({ name, values, format }, panel): PlotPanel => {
    const first = values.findIndex((value) => !Number.isNaN(value))
    const { at, ...line } = lineSeries(values, 'one')
    const series = { ...line, at: at.slice(Math.max(first, 0)) }
    return { name, height: panel === 0 ? 150 : 110, format, series: [series], zero: panel !== 1 }
  })
  const said = say`Each point is computed from the ${formatCount(size)} days up to it, as the figure above of those days alone. There is none before the first full window.`
  const body = await runChart(sheet, {
    id: 'sheet-rolling',
    title,
    desc: said,
    panels,
    from: size - 1,
    columns: lines.map(({ name, values, format }) =>
      grid.values(name, undefined, values, (value) => writeNumber(value, format)),
    ),
  })
  return { id: 'rolling', title, body }
}
