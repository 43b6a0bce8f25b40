import type { Table } from 'apache-arrow'
import { dateOf, dayNumber } from '../../../contract/date.js'
import { invalid } from '../../../contract/error.js'
import { checkOptions } from '../../../contract/options.js'
import { sentence } from '../../../contract/sentence.js'
import type { DataFrame } from '../../../frame/danfo-types.js'
import { quantile as quantileAt } from '../../../frame/verb/array-statistics.js'
import { resultTable } from '../../checks/check-columns.js'
import { recordColumns } from '../../checks/record-columns.js'
import type { FlowUnit } from '../../checks/southbound/southbound-channels.js'
import { excessOf, togetherOf } from './flow-inference.js'
import {
  channelDays,
  checkChannel,
  type IndexName,
  type IndexOptions,
  type IndexQuotes,
  purposeOf,
  readIndex,
} from './index-join.js'
import { type MainlandDays, mainlandDays } from './mainland-days.js'
import type { Flows } from './southbound-flows.js'

/** Options of `eventStudy`. */
export interface EventStudyOptions extends IndexOptions {
  /** A day is extreme when its net is not below this quantile of all days, or not above the opposite one. Default 0.9. */
  readonly quantile?: number
  /** Trading days shown before the event. Default 5. */
  readonly before?: number
  /** Trading days shown after it. Default 5. */
  readonly after?: number
}

/** The index around days of extreme flows. */
export interface EventStudy {
  /** One row for each side (buying, selling) and day around the event. */
  readonly table: Table
  /** The extreme days: `trade_date`, `side`, `net`. */
  readonly events: Table
  /** Days with a known net, which the extremes are taken from. */
  readonly days: number
  readonly index: IndexName
  /** What the flows are counted in. */
  readonly unit: FlowUnit
}

const sides = ['buying', 'selling'] as const

interface Event {
  readonly day: string
  readonly side: (typeof sides)[number]
  readonly net: number
}

function checked(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw invalid(sentence`${name} must be a whole number from ${least} to ${most}, not ${value}`)
}

/** Trading days from some before the first day to some after the last; fewer where the calendar ends. */
function axisOf(first: string, last: string, before: number, after: number, mainland: MainlandDays) {
  const within: string[] = []
  for (let day = dayNumber(first); day <= dayNumber(last); day++) {
    const isOpen = mainland.isOpen(dateOf(day))
    if (isOpen === undefined) {
      const why = sentence`the trading calendar does not know ${dateOf(day)}, so days around an event can not be counted`
      throw invalid(why)
    }
    if (isOpen) within.push(dateOf(day))
  }
  const walk = (from: string, count: number, by: 1 | -1): string[] =>
    Array.from({ length: count }, (_, i) => mainland.step(from, by * (i + 1))).flatMap((day) => day ?? [])
  const lead = walk(first, before, -1).reverse()
  return { axis: [...lead, ...within, ...walk(last, after, 1)], from: lead.length, length: within.length }
}

/** Sums of the logarithms of growth up to each place of the axis, and how many are missing up to it. */
function growthOf(axis: readonly string[], quotes: IndexQuotes) {
  const changes = new Float64Array(axis.length)
  const grown = new Float64Array(axis.length + 1)
  const missing = new Int32Array(axis.length + 1)
  axis.forEach((day, at) => {
    const quote = quotes.days.get(day)
    const change = quote && quote.unfinished === undefined ? quote.change : Number.NaN
    changes[at] = change
    const isUsable = change > -100 && Number.isFinite(change)
    grown[at + 1] = (grown[at] as number) + (isUsable ? Math.log1p(change / 100) : 0)
    missing[at + 1] = (missing[at] as number) + (isUsable ? 0 : 1)
  })
  /** Where the index stands some days from a place, in percent of its close there; NaN where a change in between is missing. */
  const path = (at: number, by: number): number => {
    const [one, other] = by < 0 ? [at + by, at] : [at, at + by]
    if (one < -1 || other >= axis.length) return Number.NaN
    if (missing[other + 1] !== missing[one + 1]) return Number.NaN
    return 100 * Math.expm1((grown[at + by + 1] as number) - (grown[at + 1] as number))
  }
  return { change: (at: number): number => changes[at] ?? Number.NaN, path }
}

function extremes(days: ReadonlyMap<string, { readonly net: number }>, quantile: number): Event[] {
  const nets = Float64Array.from(days.values(), ({ net }) => net)
  const [high, low] = [quantileAt(nets, quantile), quantileAt(nets, 1 - quantile)]
  return [...days].flatMap(([day, { net }]): Event[] => {
    if (net >= high && net > 0) return [{ day, side: 'buying', net }]
    return net <= low && net < 0 ? [{ day, side: 'selling', net }] : []
  })
}

/**
 * Measures how the index moved around the days of extreme flows: those with the largest net buys and those with the
 * largest net sells. The result has one row for each side and day from `before` days before to `after` days after.
 *
 * | column                      | meaning                                                                                   |
 * |-----------------------------|-------------------------------------------------------------------------------------------|
 * | `side`, `day`               | `buying` or `selling`; trading days of the mainland from the event, 0 is its own           |
 * | `purpose`                   | `prediction` from day 1 on: the flow was known before. `description` up to day 0           |
 * | `events`                    | events of which the path is known up to here                                              |
 * | `change`, `usual_change`    | mean change of the index on this day, and on any day; percent                             |
 * | `path`, `usual_path`        | mean distance of the index from its close of day 0, and that of any day; percent, compounded |
 * | `excess`, `low`, `high`     | path - usual_path, and its 95 % interval                                                   |
 * | `all_low`, `all_high`       | 95 % ends for all days and both sides together: use them if you pick the largest excess     |
 *
 * Extreme days come in clusters, so their windows overlap and are not independent cases. None is dropped; instead the
 * interval is found by shifting the entire pattern of event days along the calendar, by every number of days, with the
 * end joined to the beginning: the pattern keeps its clusters and the index its memory, and only the relation between
 * the two is lost. The spread of the shifted means is what chance alone produces, and the interval is the excess less
 * the middle 95 % of them. It needs 40 days. In simulations without a relation it contains 0 in 93 to 98 of 100 cases.
 *
 * The thresholds of extreme flows come from all days, including later ones, so the result is a description, not a rule
 * that you could have traded. Days with a null net are not events, and a net below 0 is never an extreme of buying.
 * @param quotes a table of theme_daily
 * @throws QuotebookError INVALID_VALUE for a quantile that is not above 0.5 and below 1, for `before` and `after` that
 * are not whole or above 60, for days outside the calendar, and as joinIndex; MISSING_COLUMN
 */
export function eventStudy(flows: Flows, quotes: Table | DataFrame, options: EventStudyOptions): EventStudy {
  const kinds = { on: 'text', channel: 'any', quantile: 'a number', before: 'any', after: 'any' } as const
  const { on, channel = 'both', quantile = 0.9, before = 5, after = 5 } = checkOptions(options, kinds, 'eventStudy')
  checkChannel(channel)
  checked('before', before, 0, 60)
  checked('after', after, 1, 60)
  if (!(quantile > 0.5 && quantile < 1))
    throw invalid(sentence`quantile must be above 0.5 and below 1, not ${quantile}`)
  const read = readIndex(quotes, on)
  const { days } = channelDays(flows, channel)
  const known = new Map([...days].filter(([, { net }]) => !Number.isNaN(net)))
  const events = extremes(known, quantile)
  const table = studyTable(daysAround(events, [...days.keys()], { before, after }, read))
  return { table, events: eventTable(events, flows.unit), days: known.size, index: read.index, unit: flows.unit }
}

function eventTable(events: readonly Event[], unit: FlowUnit): Table {
  const { text, number } = recordColumns(events)
  const sideMeaning = 'buying: among the largest net buys; selling: among the largest net sells.'
  return resultTable({
    trade_date: text('date', 'Day of the flows.', ({ day }) => day),
    side: text('label', sideMeaning, ({ side }) => side),
    net: number(unit, 'Net buys of the day.', ({ net }) => net),
  })
}

/** The index on the days around the events of each side, beside any days. */
function daysAround(
  events: readonly Event[],
  days: readonly string[],
  { before, after }: { readonly before: number; readonly after: number },
  quotes: IndexQuotes,
) {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return []
  const { axis, from, length } = axisOf(first, last, before, after, mainlandDays(quotes.traded))
  const { change, path } = growthOf(axis, quotes)
  const place = new Map(axis.slice(from, from + length).map((day, at) => [day, at]))
  return sides.flatMap((side) => {
    const own = events.flatMap((one) => (one.side === side ? (place.get(one.day) ?? []) : []))
    return Array.from({ length: before + after + 1 }, (_, i) => {
      /** Trading days from the event. */
      const offset = i - before
      const changes = Float64Array.from({ length }, (_, at) => change(from + at + offset))
      const paths = Float64Array.from({ length }, (_, at) => path(from + at, offset))
      return { side, offset, change: excessOf(changes, own), path: excessOf(paths, own) }
    })
  })
}

type EventDay = ReturnType<typeof daysAround>[number]

function studyTable(rows: readonly EventDay[]): Table {
  const others = rows.filter(({ offset, path }) => offset !== 0 && path.count > 0)
  const reach = new Map(togetherOf(others.map(({ path }) => path)).map((half, i) => [others[i], half]))
  const excess = ({ path }: EventDay): number => path.mean - path.usual
  const allEnd = (row: EventDay, sign: 1 | -1): number => excess(row) + sign * (reach.get(row) ?? Number.NaN)
  const sideMeaning = 'buying: around the largest net buys; selling: around the largest net sells.'
  const { text, number, count } = recordColumns(rows)
  const percent = (meaning: string, cell: (row: EventDay) => number) => number('percent', meaning, cell)
  return resultTable({
    side: text('label', sideMeaning, ({ side }) => side),
    day: count('trading day', 'From the event; 0 is its own day.', ({ offset }) => offset),
    purpose: text('label', 'prediction: the flow was known before this day.', ({ offset }) => purposeOf(offset)),
    events: count('event', 'Events of which the path is known up to here.', ({ path }) => path.count),
    change: percent('Mean change of the index on this day.', ({ change }) => change.mean),
    usual_change: percent('Mean change on any day.', ({ change }) => change.usual),
    path: percent('Mean distance of the index from its close of day 0.', ({ path }) => path.mean),
    usual_path: percent('The same distance from any day.', ({ path }) => path.usual),
    excess: percent('path - usual_path.', excess),
    low: percent('Lower end of the 95 % interval of excess.', ({ path, offset }) => (offset ? path.low : Number.NaN)),
    high: percent('Upper end of it.', ({ path, offset }) => (offset ? path.high : Number.NaN)),
    all_low: percent('Lower end that holds for all days and both sides together with 95 %.', (row) => allEnd(row, -1)),
    all_high: percent('Upper end of it.', (row) => allEnd(row, 1)),
  })
}
