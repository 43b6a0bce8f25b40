import { fact } from '../../contract/sentence.js'
import { rolling } from '../../frame/verb/rolling.js'
import { daysFigure } from '../../research/report/chart-figure.js'
import { day, fixed, many, plain } from '../../research/report/format-number.js'
import { grid, type Html } from '../../research/report/html.js'
import { type Ink, lineSeries } from '../../research/report/plot.js'
import { belowPanels, candlesOf, quoteColumns, unitOf, volumePanel } from './code-panels.js'
import type { CodeQuotes } from './code-quotes.js'
import { withUnit } from './desk-rows.js'
import type { DeskVisit } from './desk-visit.js'
import type { DeskInstrument } from './instrument.js'

const averages: readonly (readonly [days: number, ink: Ink])[] = [
  [5, 'one'],
  [10, 'two'],
  [20, 'three'],
]

/** Means over days that follow each other: after a gap there is none until so many days are stored again. */
function meansOver(n: number, close: Float64Array, gaps: CodeQuotes['gaps']): Float64Array {
  const means = Float64Array.from(rolling(close, n, 'mean') as ArrayLike<number>)
  for (const { at } of gaps) means.fill(Number.NaN, at, at + n - 1)
  return means
}

/** The days of a range as K-lines with their averages, volume, and what stands below. */
export async function priceChart(visit: DeskVisit, instrument: DeskInstrument, quotes: CodeQuotes): Promise<Html> {
  const { say } = visit
  const { dataset, from } = quotes
  const cut = <T extends Float64Array>(values: T): T => values.slice(from) as T
  const columns: CodeQuotes['columns'] = Object.fromEntries(
    Object.entries(quotes.columns).map(([name, values]) => [name, cut(values)]),
  )
  const close = quotes.columns.close ?? new Float64Array()
  const days = quotes.days.slice(from)
  const gaps = quotes.gaps.filter(({ at }) => at > from)
  const hasBars = columns.open !== undefined
  const means = hasBars
    ? averages.map(([n, ink]) => ({ name: `MA${n}`, ink, values: cut(meansOver(n, close, quotes.gaps)) }))
    : []
  const prices = hasBars ? candlesOf(columns) : lineSeries(columns.close ?? [], 'ink')
  const title = say`${instrument.name ?? instrument.code}: price by day`
  const known = columns.close?.filter((one) => !Number.isNaN(one))
  const unit = unitOf(visit, dataset, 'close', instrument)
  const priced = withUnit(say, say(fact('DESK', 'Price')), unit)
  const holes = gaps.map(
    ({ at, days: missing }) => say` ${many(missing, 'trading day')} before ${day(quotes.days[at])} are not stored.`,
  )
  const desc = say`From ${day(days[0])} to ${day(days.at(-1))} the close went from ${plain(known?.at(0))} to ${plain(known?.at(-1))}.`
  return daysFigure(say, {
    isLive: true,
    id: 'code-prices',
    title,
    desc: `${desc}${holes.join('')}`,
    x: { dates: days },
    panels: [
      {
        name: hasBars ? say`${priced}; hollow: closed above its open, full: below` : priced,
        height: 280,
        bands: gaps.map(({ at, days: missing }) => ({
          from: at - from - 1,
          to: at - from,
          word: say`${many(missing, 'day')} missing`,
        })),
        series: [prices, ...means.map(({ ink, name, values }) => lineSeries(values, ink, { name }))],
      },
      ...volumePanel(visit, dataset, columns),
      ...belowPanels(visit, columns),
    ],
    columns: [
      ...quoteColumns(visit, dataset, columns, instrument),
      ...means.map(({ name, values }) => grid.values(name, unit, values, (value) => fixed(value, 3))),
    ],
  })
}
