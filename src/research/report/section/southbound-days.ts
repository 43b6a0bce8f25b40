import type { Say } from '../../../contract/say.js'
import { fact } from '../../../contract/sentence.js'
import { numbers, strings } from '../../../frame/read-columns.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { type Estimate, flowCorrelation, hitRate } from '../../analysis/southbound/flow-correlation.js'
import type { JoinedFlows } from '../../analysis/southbound/index-join.js'
import { fixed, formatCount, many } from '../format-number.js'
import { gridNumber, gridText, type Html, html, htmlGrid } from '../html.js'
import type { ReportInput } from '../report-tables.js'

export type GivenFlows = NonNullable<ReportInput['flows']>

/** Southbound flows of a day, beside the index. */
export interface FlowDay {
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
  const dates = strings(joined.table, 'trade_date')
  return new Map(dates.map((date, row) => [date ?? '', [close[row] as number, change[row] as number]]))
}

export function flowDays({ flows: { table }, sameDay }: GivenFlows): FlowDay[] {
  const quotes = quotesOf(sameDay)
  const [date, channel] = [strings(table, 'trade_date'), strings(table, 'channel')]
  const days = groupItems(
    [...date.keys()].filter((row) => date[row] !== null),
    (row) => date[row] ?? '',
  )
  const [nets, turnovers, shares] = [numbers(table, 'net'), numbers(table, 'turnover'), numbers(table, 'largest_three')]
  const byChannel = (rows: readonly number[], values: Float64Array): Record<string, number> =>
    Object.fromEntries(rows.map((row) => [channel[row] ?? '', values[row] as number]))
  const byDate = Array.from(days, ([own, rows]): FlowDay => {
    const [index, change] = quotes.get(own) ?? [Number.NaN, Number.NaN]
    const [net, turnover] = [byChannel(rows, nets), byChannel(rows, turnovers)]
    return { date: own, net, turnover, three: byChannel(rows, shares)['both'] ?? Number.NaN, index, change }
  })
  return byDate.sort((a, b) => (a.date < b.date ? -1 : 1))
}

/** A confidence interval, and whether it says anything. */
function intervalWords({ low, high }: Estimate, say: Say): string {
  if (low === null || high === null) return say('too few independent days for an interval')
  const range = say`95 % confidence interval ${fixed(low, 2)} to ${fixed(high, 2)}`
  return low > 0 || high < 0 ? say`${range}, significant` : say`${range}, not significant`
}

/** How the flows and the index moved on the same days. */
export function correlationSentence({ sameDay }: GivenFlows, say: Say): string {
  if (!sameDay) return say('Without the index in this source no correlation is given.')
  const { spearman, days } = flowCorrelation(sameDay)
  if (spearman.value === null) {
    return say`No correlation: net buys and index are both known on ${many(days, 'day')} only, or one of them does not vary.`
  }
  const value = fixed(spearman.value, 3)
  return say`Rank correlation (Spearman) of the day's net buys, both channels, with the index's change on the same day: ${value} over ${many(days, 'day')}; ${intervalWords(spearman, say)}. It describes the same day and forecasts nothing.`
}

/** Same day and next day, side by side. */
export function relationTable({ sameDay, nextDay }: GivenFlows, say: Say): Html | false {
  if (!sameDay || !nextDay) return false
  const rows = [sameDay, nextDay].map((joined) => ({ ...joined, ...flowCorrelation(joined), hits: hitRate(joined) }))
  type Row = (typeof rows)[number]
  const percent = (share: number | null): string => fixed(share === null ? null : 100 * share, 0)
  const number = (text: string, cell: (row: Row) => string, unit?: string) => gridNumber(text, unit, cell)
  const interval = ({ low, high }: Pick<Estimate, 'low' | 'high'>, write: (value: number) => string): string =>
    low === null || high === null ? '—' : say`${write(low)} to ${write(high)}`
  const ratio = (value: number): string => fixed(value, 2)
  const title = say('95 % CI')
  const table = htmlGrid(say('Net buys and the index'), rows, [
    gridText(say('index change on'), ({ lag }) =>
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
