import { numbers, strings } from '../../../frame/read-columns.js'
import type { JoinedFlows } from '../../analysis/southbound/index-join.js'
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
  const [net, turnover, three] = ['net', 'turnover', 'largest_three'].map((name) => numbers(table, name))
  const rows = new Map<string, number[]>()
  date.forEach((own, row) => {
    if (own !== null) rows.set(own, [...(rows.get(own) ?? []), row])
  })
  const byChannel = (own: readonly number[], column: Float64Array | undefined): Record<string, number> =>
    Object.fromEntries(own.map((row) => [channel[row] ?? '', column?.[row] ?? Number.NaN]))
  const byDate = Array.from(rows, ([own, its]): FlowDay => {
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
