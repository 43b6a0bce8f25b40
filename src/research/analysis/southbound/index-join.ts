import type { Table } from 'apache-arrow'
import { southboundTop10 } from '../../../contract/catalogue/southbound-top10.js'
import { indexNames, themeDaily } from '../../../contract/catalogue/theme-daily.js'
import { invalid, type QuotebookError } from '../../../contract/error.js'
import { knownAt } from '../../../contract/known-at.js'
import { nameHint } from '../../../contract/nearest.js'
import { checkOptions } from '../../../contract/options.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { asTable } from '../../../frame/as-table.js'
import type { DataFrame } from '../../../frame/danfo-types.js'
import { dictionary, has, numbers } from '../../../frame/read-columns.js'
import { type CheckColumn, resultTable } from '../../checks/check-columns.js'
import { recordColumns } from '../../checks/record-columns.js'
import type { FlowUnit } from '../../checks/southbound/southbound-channels.js'
import { type MainlandDays, mainlandDays } from './mainland-days.js'
import { type FlowChannel, type Flows, flowChannels } from './southbound-flows.js'

/** One of the indices of theme_daily. */
export interface IndexName {
  readonly symbol: string
  readonly name: string | null
}

interface IndexDay {
  readonly close: number
  /** Percent, from the close before; NaN where null. */
  readonly change: number
  /** The snapshot's time of a day that was not over when it was taken. */
  readonly unfinished: string | undefined
}

export interface IndexQuotes {
  readonly index: IndexName
  readonly days: ReadonlyMap<string, IndexDay>
  /** Days on which the table has a row of any index: the mainland traded. */
  readonly traded: ReadonlySet<string>
}

function unknownIndex(wanted: string, known: readonly string[]): QuotebookError {
  if (indexNames.includes(wanted)) {
    const has = known.length > 0 ? sentence`it has ${known.slice(0, 10).join(', ')}` : sentence`it has no row`
    return invalid(sentence`the index table has no row of '${wanted}'; ${has}`)
  }
  const has = sentence`it has ${known.slice(0, 10).join(', ') || sentence`no row`}`
  const hint = nameHint(wanted, [...new Set([...known, ...indexNames])], has)
  return invalid(sentence`the index table has no index '${wanted}'; ${hint}`)
}

/** Where a day's row was taken before the close, its close and change are not the day's. */
const close = '15:00:00'

/**
 * The quotes of one index by day, found by name or symbol.
 * @throws QuotebookError INVALID_VALUE when it is not there, is a duplicate on a day, or its name is that of two symbols
 */
export function readIndex(input: Table | DataFrame, wanted: string): IndexQuotes {
  if (typeof wanted !== 'string')
    throw invalid(sentence`on must be the name or symbol of an index, not ${String(wanted)}`)
  const table = asTable(input)
  const [date, symbol, name] = [dictionary(table, 'tradedate'), dictionary(table, 'symbol'), dictionary(table, 'name')]
  const [closes, changes] = [numbers(table, 'close'), numbers(table, 'pct_chg')]
  const clock = has(table, 'servertime') ? dictionary(table, 'servertime') : undefined
  const [bySymbol, byName] = [symbol.words.indexOf(wanted), name.words.indexOf(wanted)]
  const days = new Map<string, IndexDay>()
  const traded = new Set<string>()
  let found: IndexName | undefined
  for (let row = 0; row < date.codes.length; row++) {
    const day = date.words[date.codes[row] as number]
    if (day === undefined) continue
    traded.add(day)
    const [own, called] = [symbol.codes[row] as number, name.codes[row] as number]
    if ((bySymbol < 0 || own !== bySymbol) && (byName < 0 || called !== byName)) continue
    const one = { symbol: symbol.words[own] ?? '', name: name.words[called] ?? null }
    if (found && found.symbol !== one.symbol) {
      const both = sentence`${found.symbol} and ${one.symbol}`
      throw invalid(sentence`the index table has two indices '${wanted}', ${both}; give the symbol`)
    }
    if (days.has(day)) throw invalid(sentence`the index table has more than one row of ${wanted} on ${day}`)
    found = { symbol: one.symbol, name: one.name ?? found?.name ?? null }
    const time = clock?.words[clock.codes[row] as number]
    const unfinished = time !== undefined && time < close ? time : undefined
    days.set(day, { close: closes[row] as number, change: changes[row] as number, unfinished })
  }
  if (!found) throw unknownIndex(wanted, [...name.words, ...symbol.words])
  return { index: found, days, traded }
}

/**
 * What a joined number may be used for. `prediction`: the flow was known before the index day began. `description`: it was not,
 * so the two may be compared, and nobody could have traded on it.
 */
export type Purpose = 'description' | 'prediction'

/** Which index flows are compared with, and whose flows. */
export interface IndexOptions {
  /** Name or symbol of the index: one of the 48 of theme_daily. */
  readonly on: string
  /** Whose flows. Default both. */
  readonly channel?: FlowChannel
}

/** Options of `joinIndex`. */
export interface IndexJoinOptions extends IndexOptions {
  /**
   * Trading days of the mainland from the day of the flow to the day of the index. Default 1, the next trading day, which is
   * the first that the flow could have been known before. 0 is the same day; below 0 the index comes first.
   */
  readonly lag?: number
}

/** Flows next to an index, and what the pair may be used for. */
export interface JoinedFlows {
  /** One row for each day of flows that has its day of the index, ascending. */
  readonly table: Table
  /** Days that only one of the two has, and why: `day`, `has` (flow or index), `why`. */
  readonly unmatched: Table
  readonly purpose: Purpose
  readonly lag: number
  readonly channel: FlowChannel
  readonly index: IndexName
  /** What the flows are counted in. */
  readonly unit: FlowUnit
}

interface FlowIndexPair {
  readonly day: string
  readonly net: number
  readonly turnover: number
  readonly indexDay: string
  readonly quote: IndexDay
}

interface Unmatched {
  readonly day: string
  readonly has: 'flow' | 'index'
  readonly why: Words
}

const farthest = 60

export function purposeOf(lag: number): Purpose {
  return lag > 0 ? 'prediction' : 'description'
}

/** @throws QuotebookError INVALID_VALUE for a lag that is not whole, or too far */
export function checkLag(lag: number): void {
  if (Number.isInteger(lag) && Math.abs(lag) <= farthest) return
  throw invalid(sentence`a lag must be a whole number of days up to ${farthest}, not ${lag}`)
}

/** @throws QuotebookError INVALID_VALUE for what is none of 2, 4, both */
export function checkChannel(channel: FlowChannel): void {
  if (flowChannels.includes(channel)) return
  throw invalid(sentence`channel must be one of ${flowChannels.join(', ')}, not '${channel}'`)
}

/** The days of one channel with net and turnover, ascending; the other days of the table. */
export function channelDays({ table }: Flows, channel: FlowChannel) {
  const [date, name] = [dictionary(table, 'trade_date'), dictionary(table, 'channel')]
  const [net, turnover] = [numbers(table, 'net'), numbers(table, 'turnover')]
  const own = name.words.indexOf(channel)
  const days = new Map<string, { readonly net: number; readonly turnover: number }>()
  const others = new Set<string>()
  for (let row = 0; row < net.length; row++) {
    const day = date.words[date.codes[row] as number] as string
    if (own < 0 || name.codes[row] !== own) others.add(day)
    else if (days.has(day)) {
      throw invalid(sentence`the flows have more than one row of channel ${channel} on ${day}`)
    } else days.set(day, { net: net[row] as number, turnover: turnover[row] as number })
  }
  const sorted = [...days].sort(([a], [b]) => (a < b ? -1 : 1))
  return { days: new Map(sorted), lacking: [...others].filter((day) => !days.has(day)) }
}

function away(lag: number): Words {
  if (lag === 0) return sentence`the same day`
  const count = Math.abs(lag)
  if (count === 1) return lag > 0 ? sentence`${count} trading day later` : sentence`${count} trading day earlier`
  return lag > 0 ? sentence`${count} trading days later` : sentence`${count} trading days earlier`
}

/** Why a day of flows has no day of the index; undefined when it has. */
function reason(day: string, target: string | undefined, lag: number, quotes: IndexQuotes, mainland: MainlandDays) {
  if (mainland.isOpen(day) === false) return sentence`the mainland does not trade on this day`
  if (target === undefined) return sentence`the trading calendar does not know the day ${away(lag)}`
  const quote = quotes.days.get(target)
  if (!quote) return sentence`the index has no row of ${target}, ${away(lag)}`
  if (quote.unfinished === undefined) return undefined
  return sentence`the row of ${target} was taken at ${quote.unfinished}, before the close`
}

function pairTable(pairs: readonly FlowIndexPair[], unit: FlowUnit): Table {
  const { text, number } = recordColumns(pairs)
  const moment = (meaning: string, known: (pair: FlowIndexPair) => string | undefined): CheckColumn => ({
    column: { kind: 'moment', meaning },
    values: { type: 'string', data: pairs.map((pair) => known(pair) ?? '') },
  })
  const change = 'Change of the index on its day, from close to close; null where it is not known.'
  return resultTable({
    trade_date: text('date', 'Day of the flows.', ({ day }) => day),
    known_at: moment('When the flows of the day are known, Beijing time.', ({ day }) =>
      knownAt(southboundTop10, { trade_date: day }),
    ),
    net: number(unit, 'Net buys of the channel; null where they are not known.', ({ net }) => net),
    turnover: number(unit, 'Turnover of the channel.', ({ turnover }) => turnover),
    index_date: text('date', 'Day of the index.', ({ indexDay }) => indexDay),
    index_known_at: moment('When the close of the index is known, Beijing time.', ({ indexDay }) =>
      knownAt(themeDaily, { tradedate: indexDay }),
    ),
    index_close: number('point', 'Close of the index.', ({ quote }) => quote.close),
    index_pct_chg: number('percent', change, ({ quote }) => quote.change),
  })
}

function unmatchedTable(list: readonly Unmatched[]): Table {
  const { text } = recordColumns(list)
  return resultTable({
    day: text('date', 'Day that only one of the two has.', ({ day }) => day),
    has: text('label', 'What the day has: flow or index.', ({ has }) => has),
    why: text('label', 'Why it was not joined.', ({ why }) => why),
  })
}

/** Joins what was read before; for several lags at once. */
export function joinIndexDays(
  flows: Flows,
  own: ReturnType<typeof channelDays>,
  quotes: IndexQuotes,
  mainland: MainlandDays,
  channel: FlowChannel,
  lag: number,
): JoinedFlows {
  const pairs: FlowIndexPair[] = []
  const unmatched: Unmatched[] = []
  const used = new Set<string>()
  for (const day of own.lacking) {
    const target = mainland.step(day, lag)
    if (target === undefined || !quotes.days.has(target)) continue
    used.add(target)
    unmatched.push({ day: target, has: 'index', why: sentence`the flows of ${day} have no row of channel ${channel}` })
  }
  let [from, to]: [string | undefined, string | undefined] = [undefined, undefined]
  for (const [day, { net, turnover }] of own.days) {
    const target = mainland.step(day, lag)
    const why = reason(day, target, lag, quotes, mainland)
    from ??= target
    to = target ?? to
    if (why === undefined && target !== undefined) {
      used.add(target)
      pairs.push({ day, net, turnover, indexDay: target, quote: quotes.days.get(target) as IndexDay })
    } else unmatched.push({ day, has: 'flow', why: why ?? '' })
  }
  for (const [day, { unfinished }] of quotes.days) {
    if (used.has(day) || unfinished !== undefined || from === undefined || day < from || day > (to ?? from)) continue
    const source = mainland.step(day, -lag) ?? day
    const why = sentence`no flow of ${source}, ${away(-lag)}: southbound trading rests, or its rows are missing`
    unmatched.push({ day, has: 'index', why })
  }
  unmatched.sort((a, b) => (a.day === b.day ? (a.has < b.has ? -1 : 1) : a.day < b.day ? -1 : 1))
  return {
    table: pairTable(pairs, flows.unit),
    unmatched: unmatchedTable(unmatched),
    purpose: purposeOf(lag),
    lag,
    channel,
    index: quotes.index,
    unit: flows.unit,
  }
}

/**
 * Joins the flows of each day to an index, `lag` trading days later.
 *
 * Flows of a day become known in its evening (column `known_at`), after the close of the index on that day. So lag 0 is
 * for description only, and lag 1, the default, is the earliest that a prediction may use; `purpose` records which it
 * is. The change of the index is from close to close: the part of the next day's change up to the opening is over
 * before you can trade.
 *
 * The day of the index is counted on the mainland's trading days, those of the calendar and any on which `quotes` has a
 * row, and never by the next row of a table: a gap in the index gives no pair. Southbound trading is closed on some
 * days when the mainland trades; such days, and all others in the span of the flows that only one side has, are listed
 * in `unmatched` with the reason. A row of the index from before 15:00 of its day is not a close and is not joined. A
 * null net, or change, stays null in its row.
 * @param quotes a table of theme_daily, which may contain all 48 indices
 * @throws QuotebookError INVALID_VALUE if the index is missing from its table or is a duplicate on a day, for a lag
 * that is not whole or above 60, for a trade_date that is not a date; MISSING_COLUMN
 */
export function joinIndex(flows: Flows, quotes: Table | DataFrame, options: IndexJoinOptions): JoinedFlows {
  const kinds = { on: 'text', lag: 'any', channel: 'any' } as const
  const { on, lag = 1, channel = 'both' } = checkOptions(options, kinds, 'joinIndex')
  checkLag(lag)
  checkChannel(channel)
  const index = readIndex(quotes, on)
  return joinIndexDays(flows, channelDays(flows, channel), index, mainlandDays(index.traded), channel, lag)
}
