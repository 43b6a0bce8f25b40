import { quantile } from '../../../frame/verb/array-statistics.js'
import { day, fixed, formatCount, formatSigned, many, plain } from '../format-number.js'
import { type GridColumn, gridNumber, gridText, type Html, html } from '../html.js'
import { barSeries, lineSeries, type PlotPanel } from '../plot.js'
import { filled } from '../report-tables.js'
import { moneyIn, type Say } from '../report-words.js'
import { type ReportSection, reportFigure } from './report-section.js'
import { correlationSentence, type FlowDay, flowDays, type GivenFlows, relationTable } from './southbound-days.js'
import { stocksLine, stocksTables, streakSentence } from './southbound-stocks.js'

/** Days drawn at most; more would be thinner than a bar can be seen. */
const most = 250

function panelsOf(days: readonly FlowDay[], given: GivenFlows, say: Say): PlotPanel[] {
  const { unit, power, digits } = moneyIn(given.flows.unit, say)
  const net = (channel: string): number[] => days.map((one) => (one.net[channel] ?? Number.NaN) / 10 ** power)
  const { at } = barSeries(net('both'), 'ink')
  const both = { kind: 'points', at, ink: 'ink', mark: 'diamond', size: 8, name: say('both', '合计') } as const
  const panel: PlotPanel = {
    name: say(`Net buys of the top ten, ${unit}`, `十大成交净买入（${unit}）`),
    height: 190,
    zero: true,
    format: { exact: digits },
    series: [
      barSeries(net('2'), 'one', { name: say('via Shanghai', '沪市通道') }),
      barSeries(net('4'), 'two', { hollow: true, name: say('via Shenzhen', '深市通道') }),
      ...(days.length <= 90 ? [both] : []),
    ],
  }
  const index = given.sameDay?.index
  if (!index) return [panel]
  const called = `${index.name ?? ''} ${index.symbol}`.trim()
  const closes = days.map((one) => one.index)
  const name = say(`${called}, points at the close`, `${called} 收盘（点）`)
  return [panel, { name, height: 100, series: [lineSeries(closes, 'three')] }]
}

function concentration(days: readonly FlowDay[], say: Say): string {
  const shares = days.flatMap(({ three }) => (Number.isNaN(three) ? [] : [100 * three]))
  const last = days.at(-1)
  if (shares.length === 0 || !last || Number.isNaN(last.three)) return ''
  const [now, usual] = [fixed(100 * last.three, 0), fixed(quantile(shares, 0.5), 0)]
  return say(
    ` The three most traded stocks made up ${now} % of the lists' turnover (median of ${many(shares.length, 'day')}: ${usual} %).`,
    `前三只占榜单成交额 ${now} %（${formatCount(shares.length)} 日中位数 ${usual} %）。`,
  )
}

function columnsOf({ flows }: GivenFlows, say: Say): GridColumn<FlowDay>[] {
  const { unit, power, digits } = moneyIn(flows.unit, say)
  const flow = (text: string, channel: string) =>
    gridNumber(text, unit, ({ net }: FlowDay) => formatSigned(net[channel], digits, power))
  return [
    gridText(say('day', '日期'), ({ date }) => day(date)),
    flow(say('via Shanghai', '沪市通道'), '2'),
    flow(say('via Shenzhen', '深市通道'), '4'),
    flow(say('both', '合计'), 'both'),
    gridNumber(say('turnover, both', '成交额合计'), unit, ({ turnover }) => fixed(turnover['both'], digits, power)),
    gridNumber(say('three largest', '前三占比'), '%', ({ three }) => fixed(100 * three, 1)),
    gridNumber(say('index close', '指数收盘'), say('point', '点'), ({ index }) => plain(index)),
    gridNumber(say('index change', '指数涨跌幅'), '%', ({ change }) => formatSigned(change, 2)),
  ]
}

function flowsFigure(given: GivenFlows, all: readonly FlowDay[], say: Say): Promise<Html> {
  const { unit, power, digits } = moneyIn(given.flows.unit, say)
  const days = all.slice(-most)
  const last = days.at(-1)
  const written = (channel: string): string => formatSigned(last?.net[channel], digits, power)
  const said = say(
    `Net buys of the top ten on ${day(last?.date)}: ${written('both')} ${unit}, of which ${written('2')} via Shanghai and ${written('4')} via Shenzhen.`,
    `${day(last?.date)} 十大成交净买入 ${written('both')} ${unit}，其中沪市通道 ${written('2')}、深市通道 ${written('4')}。`,
  )
  const unknown = days.filter((one) =>
    ['2', '4'].some((channel) => Number.isNaN(one.net[channel] ?? Number.NaN)),
  ).length
  const gaps = say(
    ` On ${many(unknown, 'day')} the sum of a channel is not known; it has no bar.`,
    `有 ${formatCount(unknown)} 日缺某一通道的合计，不绘柱。`,
  )
  const cut = say(
    ` The last ${formatCount(days.length)} of ${many(all.length, 'day')} are drawn.`,
    `图中为最近 ${formatCount(days.length)} 日。`,
  )
  return reportFigure(say, {
    id: 'southbound-chart',
    title: say('Southbound net buys by day and channel, with an index', '港股通十大成交净买入与指数（逐日）'),
    desc: said,
    x: { dates: days.map((one) => one.date) },
    panels: panelsOf(days, given, say),
    caption: html`${said} ${say(
      'Only the ten most active securities of each channel are in the data: this is not the whole southbound flow.',
      '数据只含两条通道各自最活跃的十只证券，并非南向资金全貌。',
    )}${unknown > 0 && gaps}${days.length < all.length && cut} ${say('Sources:', '来源：')} <code>southbound_top10</code>, <code>theme_daily</code>`,
    table: say('Southbound net buys by day', '港股通十大成交净买入（逐日）'),
    rows: days,
    columns: columnsOf(given, say),
  })
}

/** Southbound: the names bought and sold, net buys by channel beside an index, streaks, and how they went together. */
export const southboundSection: ReportSection = {
  title: ['Southbound flows', '南向资金'],
  missing: ['southbound flows (southbound_top10)', '港股通十大成交（southbound_top10）'],
  brief: ({ flows, tables }, say) => {
    const top = filled(tables.southbound_top10)
    const date = flows && flowDays(flows).at(-1)?.date
    return top && date !== undefined && stocksLine(top, date, flows?.flows.unit ?? 'yuan', say)
  },
  body: async ({ flows, tables }, say) => {
    if (!flows || !filled(flows.flows.table)) return undefined
    const days = flowDays(flows)
    const date = days.at(-1)?.date ?? ''
    const top = filled(tables.southbound_top10)
    return html`<p>${day(date)}${say(':', '：')}${concentration(days, say)}${streakSentence(flows.flows, date, say)}</p>
${top && stocksTables(top, date, flows.flows.unit, say)}${await flowsFigure(flows, days, say)}<p>${correlationSentence(flows, say)}</p>
${relationTable(flows, say)}`
  },
}
