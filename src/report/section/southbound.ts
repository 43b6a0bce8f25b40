import type { Table } from 'apache-arrow'
import type { Flows } from '../../analysis/southbound/check.js'
import { numbers, texts } from '../../frame/column.js'
import { draw } from '../chart.js'
import { day, fixed, many, plain, signed } from '../format.js'
import { type Html, html } from '../html.js'
import { filled, type ReportInput } from '../input.js'
import { absent, figure, grid, outside, type Section } from '../parts.js'
import { type Pair, type Plot, pair } from '../plot.js'

/** Days drawn at most; more would be thinner than a bar can be seen. */
const most = 250
/** Power of ten in 亿元. */
const yi = 8

interface Day {
  readonly date: string
  readonly net: Readonly<Record<string, number>>
  readonly turnover: Readonly<Record<string, number>>
  readonly index: number
  readonly change: number
}

function daysOf(table: Table): Day[] {
  const dates = texts(table, 'trade_date')
  const channel = texts(table, 'channel')
  const [net, turnover, index, change] = ['net', 'turnover', 'index_close', 'index_pct_chg'].map((name) =>
    numbers(table, name),
  )
  const at = (column: Float64Array | undefined, row: number): number => column?.[row] ?? Number.NaN
  const rows = new Map<string, number[]>()
  dates.forEach((date, row) => {
    if (date !== null) rows.set(date, [...(rows.get(date) ?? []), row])
  })
  const byChannel = (own: readonly number[], column: Float64Array | undefined): Record<string, number> =>
    Object.fromEntries(own.map((row) => [channel[row] ?? '', at(column, row)]))
  const byDate = Array.from(rows, ([date, own]): Day => {
    const [first = -1] = own
    return {
      date,
      net: byChannel(own, net),
      turnover: byChannel(own, turnover),
      index: at(index, first),
      change: at(change, first),
    }
  })
  return byDate.sort((a, b) => (a.date < b.date ? -1 : 1))
}

function at(days: readonly Day[], value: (day: Day) => number | undefined): Pair[] {
  return days.map((one, place) => pair(place, value(one)))
}

function plotOf(days: readonly Day[], desc: string): Plot {
  const net =
    (channel: string) =>
    (one: Day): number =>
      (one.net[channel] ?? Number.NaN) / 10 ** yi
  const both = at(days, net('both'))
  return {
    id: 'southbound-chart',
    title: 'Southbound net buys by day and channel, with an index',
    desc,
    x: { dates: days.map((one) => one.date) },
    panels: [
      {
        name: 'Net buys of the top ten, 亿元 (100 million yuan) a day',
        height: 190,
        zero: true,
        series: [
          { kind: 'bar', at: at(days, net('2')), ink: 'one' },
          { kind: 'bar', at: at(days, net('4')), ink: 'two', hollow: true },
          ...(days.length <= 90 ? [{ kind: 'points', at: both, ink: 'ink', mark: 'diamond', size: 8 } as const] : []),
        ],
      },
      {
        name: 'Index close, points',
        height: 100,
        series: [{ kind: 'line', at: at(days, (one) => one.index), ink: 'three' }],
      },
    ],
  }
}

function correlationSentence(flows: Flows): string {
  if (flows.index === null) return 'No index was joined, so no correlation is given.'
  if (flows.correlation === null) {
    return `No correlation is given: both numbers are there on ${many(flows.days, 'day')} only, or one of them does not vary.`
  }
  return (
    `Correlation of the day's net buys (both channels) with the day's change of the index: ${fixed(flows.correlation, 3)} ` +
    `(Pearson, ${many(flows.days, 'day')}). It says how they moved together on the same days, not that one moves the other.`
  )
}

function numbersOf(days: readonly Day[]): Html {
  const yiyuan = (value: number | undefined): string => signed(value, 2, yi)
  const heads = [
    { text: 'day' },
    ...['via Shanghai', 'via Shenzhen', 'both'].map((text) => ({ text, unit: '亿元', as: 'number' as const })),
    { text: 'turnover, both', unit: '亿元', as: 'number' as const },
    { text: 'index close', unit: 'point', as: 'number' as const },
    { text: 'index change', unit: '%', as: 'number' as const },
  ]
  const rows = days.map(({ date, net, turnover, index, change }) => [
    day(date),
    yiyuan(net['2']),
    yiyuan(net['4']),
    yiyuan(net.both),
    fixed(turnover.both, 2, yi),
    plain(index),
    signed(change, 2),
  ])
  return grid('Southbound net buys by day', heads, rows)
}

function indexName({ index }: Flows): Html {
  return index ? html`${index.symbol}${index.name && html` ${outside(index.name)}`}` : html`none`
}

async function flowsFigure(flows: Flows): Promise<Html> {
  const all = daysOf(flows.table)
  const days = all.slice(-most)
  const last = days.at(-1)
  const said =
    `Net buys of the top ten on ${day(last?.date)}: ${signed(last?.net.both, 2, yi)} 亿元, of which ` +
    `${signed(last?.net['2'], 2, yi)} via Shanghai and ${signed(last?.net['4'], 2, yi)} via Shenzhen.`
  const unknown = days.filter((one) =>
    ['2', '4'].some((channel) => Number.isNaN(one.net[channel] ?? Number.NaN)),
  ).length
  const gaps = unknown > 0 ? ` On ${many(unknown, 'day')} a channel has no bar: its sum is not known.` : ''
  const cut =
    days.length < all.length ? ` The last ${many(days.length, 'day')} of ${many(all.length, 'day')} are drawn.` : ''
  return figure({
    drawing: await draw(plotOf(days, said)),
    key: [
      { sign: 'solid', ink: 'one', text: 'via Shanghai (2)' },
      { sign: 'hollow', ink: 'two', text: 'via Shenzhen (4)' },
      ...(days.length <= 90 ? [{ sign: 'diamond', ink: 'ink', text: 'both together' } as const] : []),
      { sign: 'line', ink: 'three', text: html`index ${indexName(flows)}` },
    ],
    caption: html`${said} Above the line: bought more than sold. Only the ten most active securities of each channel are in
the data, so this is not the whole southbound flow.${gaps}${cut} Sources: <code>southbound_top10</code>, <code>theme_daily</code>.`,
    numbers: numbersOf(days),
    rows: days.length,
  })
}

/** Southbound net buys by channel beside an index. */
export async function southbound(input: ReportInput): Promise<Section> {
  const { flows } = input
  const title = 'Southbound flows'
  if (!flows || !filled(flows.table)) {
    return { id: 'southbound', title, body: absent('southbound flows (southbound_top10)') }
  }
  const body = html`<p>${correlationSentence(flows)}</p>
${await flowsFigure(flows)}`
  return { id: 'southbound', title, body }
}
