import type { Say } from '../../../contract/say.js'
import { quantile } from '../../../frame/verb/array-statistics.js'
import { chartFigure } from '../chart-figure.js'
import { day, fixed, formatCount, formatSigned, many, plain } from '../format-number.js'
import { type GridColumn, gridNumber, gridText, type Html, html } from '../html.js'
import { barSeries, lineSeries, type PlotPanel } from '../plot.js'
import { onceOf } from '../report-day.js'
import { moneyIn } from '../report-words.js'
import type { ReportSection } from './report-section.js'
import { correlationSentence, type FlowDay, flowDays, type GivenFlows, relationTable } from './southbound-days.js'
import { stocksLine, stocksOf, stocksTables, streakSentence } from './southbound-stocks.js'

/** Days drawn at most; more would be thinner than a bar can be seen. */
const most = 250

function panelsOf(days: readonly FlowDay[], given: GivenFlows, say: Say): PlotPanel[] {
  const { unit, power, digits } = moneyIn(given.flows.unit, say)
  const net = (channel: string): number[] => days.map((one) => (one.net[channel] ?? Number.NaN) / 10 ** power)
  const { at } = barSeries(net('both'), 'ink')
  const both = { kind: 'points', at, ink: 'ink', mark: 'diamond', size: 8, name: say('both') } as const
  const panel: PlotPanel = {
    name: say`Net buys of the top ten, ${unit}`,
    height: 190,
    zero: true,
    format: { exact: digits },
    series: [
      barSeries(net('2'), 'one', { name: say('via Shanghai') }),
      barSeries(net('4'), 'two', { hollow: true, name: say('via Shenzhen') }),
      ...(days.length <= 90 ? [both] : []),
    ],
  }
  const index = given.sameDay?.index
  if (!index) return [panel]
  const called = `${index.name ?? ''} ${index.symbol}`.trim()
  const closes = days.map((one) => one.index)
  const name = say`${called}, points at the close`
  return [panel, { name, height: 100, series: [lineSeries(closes, 'three')] }]
}

function concentration(days: readonly FlowDay[], say: Say): string {
  const shares = days.flatMap(({ three }) => (Number.isNaN(three) ? [] : [100 * three]))
  const last = days.at(-1)
  if (shares.length === 0 || !last || Number.isNaN(last.three)) return ''
  const [now, usual] = [fixed(100 * last.three, 0), fixed(quantile(shares, 0.5), 0)]
  return say` The three most traded stocks made up ${now} % of the lists' turnover (median of ${many(shares.length, 'day')}: ${usual} %).`
}

function columnsOf({ flows }: GivenFlows, say: Say): GridColumn<FlowDay>[] {
  const { unit, power, digits } = moneyIn(flows.unit, say)
  const flow = (text: string, channel: string) =>
    gridNumber(text, unit, ({ net }: FlowDay) => formatSigned(net[channel], digits, power))
  return [
    gridText(say('day'), ({ date }) => day(date)),
    flow(say('via Shanghai'), '2'),
    flow(say('via Shenzhen'), '4'),
    flow(say('both'), 'both'),
    gridNumber(say('turnover, both'), unit, ({ turnover }) => fixed(turnover['both'], digits, power)),
    gridNumber(say('three largest'), '%', ({ three }) => fixed(100 * three, 1)),
    gridNumber(say('index close'), say('point'), ({ index }) => plain(index)),
    gridNumber(say('index change'), '%', ({ change }) => formatSigned(change, 2)),
  ]
}

function flowsFigure(given: GivenFlows, all: readonly FlowDay[], say: Say): Promise<Html> {
  const { unit, power, digits } = moneyIn(given.flows.unit, say)
  const days = all.slice(-most)
  const last = days.at(-1)
  const written = (channel: string): string => formatSigned(last?.net[channel], digits, power)
  const said = say`Net buys of the top ten on ${day(last?.date)}: ${written('both')} ${unit}, of which ${written('2')} via Shanghai and ${written('4')} via Shenzhen.`
  const unknown = days.filter((one) =>
    ['2', '4'].some((channel) => Number.isNaN(one.net[channel] ?? Number.NaN)),
  ).length
  const gaps = say` On ${many(unknown, 'day')} the sum of a channel is not known; it has no bar.`
  const cut = say` The last ${formatCount(days.length)} of ${many(all.length, 'day')} are drawn.`
  return chartFigure(say, {
    id: 'southbound-chart',
    title: say('Southbound net buys by day and channel, with an index'),
    desc: said,
    x: { dates: days.map((one) => one.date) },
    panels: panelsOf(days, given, say),
    caption: html`${said} ${say('Only the ten most active securities of each channel are in the data: this is not the whole southbound flow.')}${unknown > 0 && gaps}${days.length < all.length && cut} ${say('Sources:')} <code>southbound_top10</code>, <code>theme_daily</code>`,
    table: say('Southbound net buys by day'),
    rows: days,
    columns: columnsOf(given, say),
  })
}

const flowsOf = onceOf(({ flows }) => {
  if (!flows || flows.flows.table.numRows === 0) return undefined
  const days = flowDays(flows)
  return { ...flows, days, date: days.at(-1)?.date ?? '' }
})

/** Southbound: the names bought and sold, net buys by channel beside an index, streaks, and how they went together. */
export const southboundSection: ReportSection = {
  title: (say) => say('Southbound flows'),
  reads: ['southbound_top10', 'theme_daily'],
  missing: (say) => say('southbound flows (southbound_top10)'),
  brief: (today) => {
    const [own, top] = [flowsOf(today), today.of('southbound_top10')]
    return own && top && stocksLine(stocksOf(top.table, own.date), own.flows.unit, today.say)
  },
  body: async (today) => {
    const { say } = today
    const [own, top] = [flowsOf(today), today.of('southbound_top10')]
    if (!own) return undefined
    const { days, date, flows } = own
    return html`<p>${day(date)}${say(':')}${concentration(days, say)}${streakSentence(flows, date, say)}</p>
${top && stocksTables(stocksOf(top.table, date), flows.unit, say)}${await flowsFigure(own, days, say)}<p>${correlationSentence(own, say)}</p>
${relationTable(own, say)}`
  },
}
