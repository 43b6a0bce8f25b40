import { type Estimate, flowCorrelation, hitRate } from '../../analysis/southbound/flow-correlation.js'
import type { JoinedFlows } from '../../analysis/southbound/index-join.js'
import type { Flows } from '../../analysis/southbound/southbound-flows.js'
import { numbers, texts } from '../../frame/read-columns.js'
import { quantile } from '../../frame/verb/array-statistics.js'
import { drawPlot } from '../draw-plot.js'
import { day, fixed, formatCount, formatSigned, many, plain } from '../format-number.js'
import { absent, figure, gridNumber, gridText, type Html, html, htmlGrid, outside, type Section } from '../html.js'
import { type Pair, type Plot, plotPair } from '../plot.js'
import { filled, type ReportInput } from '../report-tables.js'

type Given = NonNullable<ReportInput['flows']>

/** Days drawn at most; more would be thinner than a bar can be seen. */
const most = 250
/** Power of ten in 亿. */
const yi = 8
const unitOf = ({ unit }: Flows): string => (unit === 'yuan' ? '亿元' : '亿港元')

interface Day {
  readonly date: string
  readonly net: Readonly<Record<string, number>>
  readonly turnover: Readonly<Record<string, number>>
  /** Share of the three largest, of both channels. */
  readonly three: number
  readonly index: number
  readonly change: number
}

/** Close and change of the index by day. */
function quotesOf(joined: JoinedFlows | undefined): ReadonlyMap<string, readonly [close: number, change: number]> {
  if (!joined) return new Map()
  const [close, change] = [numbers(joined.table, 'index_close'), numbers(joined.table, 'index_pct_chg')]
  const dates = texts(joined.table, 'trade_date')
  return new Map(dates.map((date, row) => [date ?? '', [close[row] as number, change[row] as number]]))
}

function daysOf({ flows: { table }, sameDay }: Given): Day[] {
  const quotes = quotesOf(sameDay)
  const [date, channel] = [texts(table, 'trade_date'), texts(table, 'channel')]
  const [net, turnover, three] = ['net', 'turnover', 'largest_three'].map((name) => numbers(table, name))
  const rows = new Map<string, number[]>()
  date.forEach((own, row) => {
    if (own !== null) rows.set(own, [...(rows.get(own) ?? []), row])
  })
  const byChannel = (own: readonly number[], column: Float64Array | undefined): Record<string, number> =>
    Object.fromEntries(own.map((row) => [channel[row] ?? '', column?.[row] ?? Number.NaN]))
  const byDate = Array.from(rows, ([own, its]): Day => {
    const [index, change] = quotes.get(own) ?? [Number.NaN, Number.NaN]
    return {
      date: own,
      net: byChannel(its, net),
      turnover: byChannel(its, turnover),
      three: byChannel(its, three)['both'] ?? Number.NaN,
      index,
      change,
    }
  })
  return byDate.sort((a, b) => (a.date < b.date ? -1 : 1))
}

function at(days: readonly Day[], value: (day: Day) => number | undefined): Pair[] {
  return days.map((one, place) => plotPair(place, value(one)))
}

function plotOf(days: readonly Day[], desc: string, unit: string): Plot {
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
        name: `Net buys of the top ten, ${unit} (100 million ${unit === '亿元' ? 'yuan' : 'Hong Kong dollars'}) a day`,
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

/** An interval in brackets, and what it shows of a relation. */
function intervalWords({ low, high }: Estimate): string {
  if (low === null || high === null) return 'too few independent days for an interval'
  const shown = low > 0 || high < 0 ? 'which does not hold 0' : 'which holds 0, so no relation is shown'
  return `95 % interval ${fixed(low, 2)} to ${fixed(high, 2)}, ${shown}`
}

function correlationSentence({ sameDay }: Given): string {
  if (!sameDay) return 'No index was joined, so no correlation is given.'
  const { spearman, days } = flowCorrelation(sameDay)
  if (spearman.value === null) {
    return `No correlation is given: both numbers are there on ${many(days, 'day')} only, or one of them does not vary.`
  }
  return (
    `Correlation of the day's net buys (both channels) with the day's change of the index: ${fixed(spearman.value, 3)} ` +
    `(Spearman, of the ranks, ${many(days, 'day')}; ${intervalWords(spearman)}). ` +
    `It says how they moved together on the same days, not that one moves the other, and nothing of the next day: the flows of a day are known in its evening.`
  )
}

/** Same day and next day, side by side. */
function relations({ sameDay, nextDay }: Given): Html | false {
  if (!sameDay || !nextDay) return false
  const rows = [sameDay, nextDay].map((joined) => ({ ...joined, ...flowCorrelation(joined), hits: hitRate(joined) }))
  type Row = (typeof rows)[number]
  const percent = (share: number | null): string => fixed(share === null ? null : 100 * share, 0)
  const number = (text: string, cell: (row: Row) => string, unit?: string) => gridNumber(text, unit, cell)
  const interval = (of: (row: Row) => Estimate) =>
    number('95 % interval', (row) => {
      const { low, high } = of(row)
      return low === null || high === null ? '—' : `${fixed(low, 2)} to ${fixed(high, 2)}`
    })
  const table = htmlGrid('Net buys and the index', rows, [
    gridText('change of the index on', ({ lag }) =>
      lag === 0 ? 'the same day (description)' : 'the next day (prediction)',
    ),
    number('days', ({ days }) => formatCount(days)),
    number('Spearman', ({ spearman }) => fixed(spearman.value, 2)),
    interval(({ spearman }) => spearman),
    number('Pearson', ({ pearson }) => fixed(pearson.value, 2)),
    interval(({ pearson }) => pearson),
    number('same sign', ({ hits }) => percent(hits.share), '% of days'),
    number(
      '95 % interval',
      ({ hits: { low, high } }) => (low === null || high === null ? '—' : `${percent(low)} to ${percent(high)}`),
      '%',
    ),
    number('always the same guess', ({ hits }) => percent(hits.base), '%'),
  ])
  return html`${table}<p>Intervals count days that resemble the days before as fewer. A share of equal signs says
something only if its interval lies above what always guessing the index's more frequent direction hits.</p>
`
}

function concentrationSentence(days: readonly Day[]): string {
  const shares = days.flatMap(({ three }) => (Number.isNaN(three) ? [] : [100 * three]))
  const last = days.at(-1)
  if (shares.length === 0 || !last || Number.isNaN(last.three)) return ''
  const usual = fixed(quantile(shares, 0.5), 0)
  return ` The three stocks traded most made up ${fixed(100 * last.three, 0)} % of the lists' turnover, in the median of ${many(shares.length, 'day')} ${usual} %.`
}

function flowsByDay(days: readonly Day[], unit: string): Html {
  const flow = (text: string, of: (day: Day) => number | undefined) =>
    gridNumber(text, unit, (one: Day) => formatSigned(of(one), 2, yi))
  return htmlGrid('Southbound net buys by day', days, [
    gridText('day', ({ date }) => day(date)),
    flow('via Shanghai', ({ net }) => net['2']),
    flow('via Shenzhen', ({ net }) => net['4']),
    flow('both', ({ net }) => net.both),
    gridNumber('turnover, both', unit, ({ turnover }) => fixed(turnover.both, 2, yi)),
    gridNumber('three largest', '% of turnover', ({ three }) => fixed(100 * three, 1)),
    gridNumber('index close', 'point', ({ index }) => plain(index)),
    gridNumber('index change', '%', ({ change }) => formatSigned(change, 2)),
  ])
}

function indexName({ sameDay }: Given): Html {
  const index = sameDay?.index
  return index ? html`${index.symbol}${index.name && html` ${outside(index.name)}`}` : html`none`
}

async function flowsFigure(given: Given): Promise<Html> {
  const unit = unitOf(given.flows)
  const all = daysOf(given)
  const days = all.slice(-most)
  const last = days.at(-1)
  const said =
    `Net buys of the top ten on ${day(last?.date)}: ${formatSigned(last?.net.both, 2, yi)} ${unit}, of which ` +
    `${formatSigned(last?.net['2'], 2, yi)} via Shanghai and ${formatSigned(last?.net['4'], 2, yi)} via Shenzhen.`
  const unknown = days.filter((one) =>
    ['2', '4'].some((channel) => Number.isNaN(one.net[channel] ?? Number.NaN)),
  ).length
  const gaps = unknown > 0 ? ` On ${many(unknown, 'day')} a channel has no bar: its sum is not known.` : ''
  const cut =
    days.length < all.length ? ` The last ${many(days.length, 'day')} of ${many(all.length, 'day')} are drawn.` : ''
  return figure({
    drawing: await drawPlot(plotOf(days, said, unit)),
    key: [
      { sign: 'solid', ink: 'one', text: 'via Shanghai (2)' },
      { sign: 'hollow', ink: 'two', text: 'via Shenzhen (4)' },
      ...(days.length <= 90 ? [{ sign: 'diamond', ink: 'ink', text: 'both together' } as const] : []),
      { sign: 'line', ink: 'three', text: html`index ${indexName(given)}` },
    ],
    caption: html`${said} Above the line: bought more than sold. Only the ten most active securities of each channel are in
the data, so this is not the whole southbound flow.${concentrationSentence(days)}${gaps}${cut} Sources: <code>southbound_top10</code>, <code>theme_daily</code>.`,
    numbers: flowsByDay(days, unit),
    rows: days.length,
  })
}

/** Southbound net buys by channel beside an index. */
export async function southboundSection(input: ReportInput): Promise<Section> {
  const { flows } = input
  const title = 'Southbound flows'
  if (!flows || !filled(flows.flows.table)) {
    return { id: 'southbound', title, body: absent('southbound flows (southbound_top10)') }
  }
  const body = html`<p>${correlationSentence(flows)}</p>
${await flowsFigure(flows)}${relations(flows)}`
  return { id: 'southbound', title, body }
}
