import { presentNumbers } from '../../../frame/table/quantiles.js'
import { meanOf } from '../../analysis/performance/return-moments.js'
import { binCounts, binOf } from '../bins.js'
import { fixed } from '../format-number.js'
import type { Section } from '../html.js'
import { barSeries, extremes, lineSeries, lineSign, seriesForm } from '../plot.js'
import { dashedLine, type FactorValues, factorFigure, percentForm, plainForm, type Strip } from './factor-figure.js'
import type { FactorSheet } from './factor-sheet.js'

/** Numbers added up; a missing one adds nothing. */
function running(values: FactorValues, length = 1): FactorValues {
  let sum = 0
  return values.map((one) => {
    sum += (one || 0) / length
    return sum
  })
}

/** What each quantile came to, and the spread added up. */
export function cumulativeChart(sheet: FactorSheet): Promise<Section> {
  const { say, first, ahead } = sheet
  const isNet = !Number.isNaN(first.netSpread)
  const sums = (values: FactorValues): FactorValues => running(values, first.horizon)
  const [gross, net] = [sums(first.spreads), sums(first.netSpreads)]
  const last = first.quantileSeries.length - 1
  const quantiles = first.quantileSeries.map((values, at) => {
    const name = at === 0 ? say('1, lowest') : at === last ? say`${at + 1}, highest` : String(at + 1)
    return { name, sums: sums(values), ...seriesForm(at) }
  })
  const format = { ...percentForm(1), signed: true, exact: 2 }
  const [before, after] = [say('spread'), say('spread, after costs')]
  const strips = [
    {
      name: say('Sum of returns by quantile'),
      zero: true,
      format,
      values: quantiles.map((one) => [one.name, one.sums] as const),
      series: quantiles.map((one) => lineSeries(one.sums, one.ink, { dash: one.dash })),
    },
    {
      name: say('Sum of spreads'),
      zero: true,
      format,
      values: [[before, gross] as const, ...(isNet ? [[after, net] as const] : [])],
      series: [lineSeries(gross, 'ink'), ...(isNet ? [lineSeries(net, 'quiet', dashedLine)] : [])],
    },
  ]
  const key = [
    ...quantiles.map(({ name }, at) => lineSign(at, name)),
    { sign: 'line', ink: 'ink', text: before } as const,
    isNet && ({ sign: 'dashed', ink: 'quiet', text: after } as const),
  ]
  const said = say`Sum of the returns over ${ahead(first.horizon)} of each quantile, and of their spreads, each divided by its length: not compounded. The bottom of the spread is sold short at no fee, which nobody offers for most names.`
  return factorFigure(sheet, { id: 'spread', title: say('Cumulative return by quantile'), said, strips, key })
}

/** Means by calendar month; none where times are no dates. */
function monthlyMeans(times: readonly string[], values: FactorValues) {
  const months = [...new Set(times.flatMap((time) => (/^\d{8}/.test(time) ? [time.slice(0, 6)] : [])))]
  return {
    months: months.map((month) => `${month.slice(0, 4)}-${month.slice(4)}`),
    means: Float64Array.from(months, (month) =>
      meanOf(presentNumbers(values.filter((_, t) => times[t]?.startsWith(month)))),
    ),
  }
}

/** Coefficients added up, and their means by month. */
export async function courseSections(sheet: FactorSheet): Promise<Section[]> {
  const { say, study, shown, ahead } = sheet
  const { times } = study.signal
  const summed = shown.map(({ horizon, ic }, at) => ({ name: ahead(horizon), sums: running(ic), ...seriesForm(at) }))
  const strips = [
    {
      name: say('Sum of IC'),
      zero: true,
      format: plainForm(1),
      values: summed.map(({ name, sums }) => [name, sums] as const),
      series: summed.map(({ sums, ink, dash }) => lineSeries(sums, ink, { dash })),
    },
  ]
  const key = summed.map(({ name }, at) => lineSign(at, name))
  const said = say('IC added up by horizon: a straight rise is information that is always there.')
  const course = await factorFigure(sheet, { id: 'cumulative-ic', title: say('Cumulative IC'), said, strips, key })
  const monthly = shown.map(({ horizon, ic }) => ({ name: ahead(horizon), ...monthlyMeans(times, ic) }))
  const places = monthly[0]?.months ?? []
  if (places.length < 2) return [course]
  const months = await factorFigure(sheet, {
    id: 'monthly-ic',
    title: say('Mean IC by month'),
    said: say('Mean over the times of each calendar month; the first and the last month may be partial.'),
    places,
    strips: monthly.map(({ name, means }) => ({
      name: say`IC, ${name}`,
      zero: true,
      format: plainForm(2),
      values: [[name, means]],
      series: [barSeries(means, 'one')],
    })),
  })
  return [course, months]
}

/** How often a coefficient came: bins of one tenth or less, each from its number up to the next. */
export function icHistogram(sheet: FactorSheet): Promise<Section> {
  const { say, shown, ahead } = sheet
  const { low, high } = extremes(shown.flatMap(({ ic }) => [...presentNumbers(ic)]))
  const width = high - low > 0.8 ? 0.1 : high - low > 0.3 ? 0.05 : 0.02
  const first = binOf(low, width)
  const count = Number.isFinite(low) ? binOf(high, width) - first + 1 : 0
  const places = Array.from({ length: count }, (_, at) => fixed((first + at) * width, 2))
  const strips = shown.map(({ horizon, ic }): Strip => {
    const bins = binCounts(presentNumbers(ic), { width, first, count })
    const [name, head] = [say`Number of times, ${ahead(horizon)}`, ahead(horizon)]
    return { name, zero: true, format: { digits: 0 }, values: [[head, bins]], series: [barSeries(bins, 'one')] }
  })
  const said = say`How often an IC came; each bar from its number up to ${fixed(width, 2)} more.`
  return factorFigure(sheet, { id: 'ic-histogram', title: say('Histogram of IC'), said, places, strips })
}
