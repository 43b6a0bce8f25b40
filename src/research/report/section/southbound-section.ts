import type { Table } from 'apache-arrow'
import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { quantile } from '../../../frame/verb/array-statistics.js'
import { filter } from '../../../frame/verb/filter.js'
import { type Estimate, flowCorrelation, hitRate } from '../../analysis/southbound/flow-correlation.js'
import { netStreaks } from '../../analysis/southbound/net-streaks.js'
import type { Flows } from '../../analysis/southbound/southbound-flows.js'
import { southboundNames } from '../../analysis/southbound/southbound-names.js'
import { chartFigure } from '../chart-figure.js'
import { day, fixed, formatCount, many, plain, signedTwo } from '../format-number.js'
import { type GridColumn, grid, gridPair, type Html, type HtmlPart, html, htmlGrid, outside } from '../html.js'
import { barSeries, lineSeries, type PlotPanel } from '../plot.js'
import { onceOf } from '../report-day.js'
import { type ReportInput, recordsOf } from '../report-tables.js'
import { compareTexts, moneyIn } from '../report-words.js'
import { briefNames, type ReportSection } from './report-section.js'

/** The stocks in the lists of the latest day, by net buys; each with its days in a row in them. */
function stocksOf(top: Table, date: string) {
  const today = southboundNames(filter(top, ({ trade_date }) => trade_date === date) as Table)
  const runs = recordsOf(southboundNames(top), ['code'], ['current_run'])
  const runOf = new Map(runs.map(({ code, current_run: run }) => [code, run]))
  const all = recordsOf(today, ['code', 'name'], ['net', 'turnover'])
  const stocks = all.map((one) => ({ ...one, run: runOf.get(one.code) ?? 0 }))
  return stocks.filter((one) => !Number.isNaN(one.net)).sort((a, b) => b.net - a.net || compareTexts(a.code, b.code))
}

type Stock = ReturnType<typeof stocksOf>[number]

/** Stocks listed of each side at most. */
const mostStocks = 10

const sidesOf = (stocks: readonly Stock[]) => ({
  bought: stocks.filter(({ net }) => net > 0).slice(0, mostStocks),
  sold: stocks
    .filter(({ net }) => net < 0)
    .slice(-mostStocks)
    .reverse(),
})

/** The first of them in a line. */
function stocksLine(stocks: readonly Stock[], unit: Flows['unit'], say: Say): HtmlPart {
  const { bought, sold } = sidesOf(stocks)
  const money = moneyIn(unit, say)
  const show = ({ code, name, net }: Stock) => html`${outside(name || code)} ${money.signed(net)}`
  const word = (text: string): string => `${text}${say`, ${money.unit}`}`
  return [briefNames(word(say('Bought most')), bought, show, say), briefNames(word(say('Sold most')), sold, show, say)]
}

/** The names bought and sold most on the latest day. */
function stocksTables(stocks: readonly Stock[], unit: Flows['unit'], say: Say): Html {
  const { bought, sold } = sidesOf(stocks)
  const money = moneyIn(unit, say)
  const columns = [
    grid.text(say('code'), ({ code }: Stock) => code),
    grid.text(say('name'), ({ name }: Stock) => outside(name), 'name'),
    grid.change(say('net buys'), money.unit, ({ net }: Stock) => net, money.signed),
    grid.number(say(fact('SOUTHBOUND_STOCKS', 'turnover')), money.unit, ({ turnover }: Stock) => money.write(turnover)),
    grid.number(say('days running'), say(fact('SOUTHBOUND_STOCKS', 'days')), ({ run }: Stock) => formatCount(run)),
  ]
  return gridPair(columns, { [say('Bought')]: bought, [say('Sold')]: sold })
}

/** The run of days with one sign that reaches the latest day, by channel. */
function streakSentence(flows: Flows, date: string, say: Say): string {
  const money = moneyIn(flows.unit, say)
  const streaks = recordsOf(netStreaks(flows), ['channel', 'side', 'end', 'cut'], ['days', 'net'])
  const last = streaks.find(({ channel, end }) => channel === 'both' && end === date)
  if (!last) return ''
  const least = last.cut === 'start' || last.cut === 'both' ? say('at least ') : ''
  const who = last.side === 'buying' ? say('buyers') : say('sellers')
  return say` Up to ${day(date)} both channels together were net ${who} for ${least}${many(last.days, 'day')} in a row, ${`${money.signed(last.net)} ${money.unit}`} in all.`
}

type GivenFlows = NonNullable<ReportInput['flows']>

/** Southbound flows by day and channel, beside the index; `three` is the share of the three largest of both channels. */
function flowDays({ flows: { table }, sameDay }: GivenFlows) {
  const quotes = sameDay ? recordsOf(sameDay.table, ['trade_date'], ['index_close', 'index_pct_chg']) : []
  const quoteOf = new Map(quotes.map((quote) => [quote.trade_date, quote]))
  const rows = recordsOf(table, ['trade_date', 'channel'], ['net', 'turnover', 'largest_three'])
  const days = groupItems(rows, ({ trade_date: date }) => date)
  const byChannel = (own: typeof rows, name: 'net' | 'turnover' | 'largest_three'): Record<string, number> =>
    Object.fromEntries(own.map((row) => [row.channel, row[name]]))
  const byDate = Array.from(days, ([date, own]) => {
    const { index_close: index = Number.NaN, index_pct_chg: change = Number.NaN } = quoteOf.get(date) ?? {}
    const three = byChannel(own, 'largest_three')['both'] ?? Number.NaN
    return { date, net: byChannel(own, 'net'), turnover: byChannel(own, 'turnover'), three, index, change }
  })
  return byDate.filter(({ date }) => date !== '').sort((a, b) => compareTexts(a.date, b.date))
}

type FlowDay = ReturnType<typeof flowDays>[number]

/** A confidence interval, and whether it says anything. */
function intervalWords({ low, high }: Estimate, say: Say): string {
  if (low === null || high === null) return say('too few independent days for an interval')
  const range = say`95% confidence interval ${fixed(low, 2)} to ${fixed(high, 2)}`
  return low > 0 || high < 0 ? say`${range}, significant` : say`${range}, not significant`
}

/** How the flows and the index moved on the same days. */
function correlationSentence({ sameDay }: GivenFlows, say: Say): string {
  if (!sameDay) return say('Without the index in this source no correlation is given.')
  const { spearman, days } = flowCorrelation(sameDay)
  if (spearman.value === null) {
    return say`No correlation: net buys and index are both known on ${many(days, 'day')} only, or one of them does not vary.`
  }
  const value = fixed(spearman.value, 3)
  return say`Rank correlation (Spearman) of the day's net buys, both channels, with the index's change on the same day: ${value} over ${many(days, 'day')}; ${intervalWords(spearman, say)}. It describes the same day and forecasts nothing.`
}

/** Same day and next day, side by side. */
function relationTable({ sameDay, nextDay }: GivenFlows, say: Say): Html | false {
  if (!sameDay || !nextDay) return false
  const rows = [sameDay, nextDay].map((joined) => ({ ...joined, ...flowCorrelation(joined), hits: hitRate(joined) }))
  type Row = (typeof rows)[number]
  const percent = (share: number | null): string => fixed(share === null ? null : 100 * share, 0)
  const number = (text: string, cell: (row: Row) => string, unit?: string) => grid.number(text, unit, cell)
  const interval = ({ low, high }: Pick<Estimate, 'low' | 'high'>, write: (value: number) => string): string =>
    low === null || high === null ? '—' : say`${write(low)} to ${write(high)}`
  const ratio = (value: number): string => fixed(value, 2)
  const title = say('95% CI')
  const table = htmlGrid(say('Net buys and the index'), rows, [
    grid.text(say('index change on'), ({ lag }) =>
      lag === 0 ? say(fact('SOUTHBOUND_DAYS', 'the same day')) : say('the next trading day'),
    ),
    number(say(fact('SOUTHBOUND_DAYS', 'days')), ({ days }) => formatCount(days)),
    number('Spearman', ({ spearman }) => fixed(spearman.value, 2)),
    number(title, ({ spearman }) => interval(spearman, ratio)),
    number('Pearson', ({ pearson }) => fixed(pearson.value, 2)),
    number(title, ({ pearson }) => interval(pearson, ratio)),
    number(say('same sign'), ({ hits }) => percent(hits.share), '%'),
    number(title, ({ hits }) => interval(hits, percent), '%'),
    number(say('base rate'), ({ hits }) => percent(hits.base), '%'),
  ])
  return html`${table}<p class="note">${say('Confidence intervals use the effective sample size: days that are autocorrelated count for less. Base rate: the share of days on which the index moved in its more frequent direction; a rate of equal signs means something only where its whole interval lies above it.')}</p>
`
}

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
  return say` The three most traded stocks made up ${now}% of the lists' turnover (median of ${many(shares.length, 'day')}: ${usual}%).`
}

function columnsOf({ flows }: GivenFlows, say: Say): GridColumn<FlowDay>[] {
  const { unit, write, signed } = moneyIn(flows.unit, say)
  const flow = (text: string, channel: string) => grid.change(text, unit, ({ net }: FlowDay) => net[channel], signed)
  return [
    grid.text(say('day'), ({ date }) => day(date)),
    flow(say('via Shanghai'), '2'),
    flow(say('via Shenzhen'), '4'),
    flow(say('both'), 'both'),
    grid.number(say('turnover, both'), unit, ({ turnover }) => write(turnover['both'])),
    grid.number(say('three largest'), '%', ({ three }) => fixed(100 * three, 1)),
    grid.number(say('index close'), say('point'), ({ index }) => plain(index)),
    grid.change(say('index change'), '%', ({ change }) => change, signedTwo),
  ]
}

function flowsFigure(given: GivenFlows, all: readonly FlowDay[], say: Say): Promise<Html> {
  const { unit, signed } = moneyIn(given.flows.unit, say)
  const days = all.slice(-most)
  const last = days.at(-1)
  const written = (channel: string): string => signed(last?.net[channel])
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
