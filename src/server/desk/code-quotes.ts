import type { Table } from 'apache-arrow'
import { noticedCalendar } from '../../contract/calendar.js'
import { type DatasetName, datasetOf, ownDatasets } from '../../contract/catalogue.js'
import { dateOf, dayNumber } from '../../contract/date.js'
import { parseCode } from '../../contract/symbol.js'
import { has, numbers, strings } from '../../frame/read-columns.js'
import { resampleBars } from '../../research/checks/bars/resample-bars.js'
import { changeOver } from '../../research/report/section/etf-section.js'
import type { DeskVisit } from './desk-visit.js'
import type { DeskInstrument } from './instrument.js'
import { storedDays } from './stored-days.js'

/** Ranges that a page of a code may show, and how many days back each begins. */
export const ranges = ['1M', '3M', 'YTD', '1Y', 'all'] as const
export type Range = (typeof ranges)[number]

const daysBack = { '1M': 31, '3M': 92, '1Y': 366 } as const

/** The first day of a range that ends on a day. */
function firstDay(range: Range, latest: string): string {
  if (range === 'all') return '19900101'
  return range === 'YTD' ? `${latest.slice(0, 4)}0101` : dateOf(dayNumber(latest) - daysBack[range])
}

/** Calendar days before a range that averages of 20 days reach back to, holidays among them. */
const reach = 45

/** Trading days in the middle of quotes of which nothing is stored. */
export interface QuoteGap {
  /** The place of the first day after them. */
  readonly at: number
  readonly days: number
}

/** Columns of quotes by day, each day once. */
export interface CodeQuotes {
  readonly dataset: string
  readonly days: readonly string[]
  /** The place of the first day of the range: those before are for averages alone. */
  readonly from: number
  readonly columns: Readonly<Record<string, Float64Array>>
  readonly gaps: readonly QuoteGap[]
  /** Stored days before them that were not read. */
  readonly unread: number
}

/** Days of bars that are read for a range at most: each day of bars is a file. */
const mostBarDays = 280

/** Quotes of each kind of codes: of ETFs there are bars alone, of stocks what is declared. */
export function quotedIn({ kind }: DeskInstrument): string | undefined {
  if (kind === 'bond') return 'convertible_daily'
  if (kind === 'index') return 'theme_daily'
  if (kind === 'hk') return 'southbound_top10'
  if (kind === 'fund') return 'etf_minute'
  const own = ownDatasets().find(
    (one) => one.instruments === 'stock' && one.day !== undefined && 'close' in one.columns,
  )
  return own?.name
}

const wanted = [
  ...['open', 'high', 'low', 'close', 'change', 'pct_chg', 'p_change', 'vol', 'amount'],
  ...['cb_over_rate', 'cb_value', 'bond_over_rate', 'bond_value', 'net_amount', 'sh_net_amount', 'sz_net_amount'],
]

/** Days of a table, ascending, and for each the place of its first row: a stock of both southbound channels has two of a day, with the same quotes. */
function firstRows(table: Table, day: string): ReadonlyMap<string, number> {
  const first = new Map<string, number>()
  for (const [row, cell] of strings(table, day).entries()) if (cell && !first.has(cell)) first.set(cell, row)
  return new Map([...first].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Weekdays on which the exchanges have rested in a row at most: more in years without notice are missing. */
const longestRest = 8

/** Where trading days between the days are not among those that are known to be stored. */
function gapsOf(days: readonly string[], known: ReadonlySet<string>): QuoteGap[] {
  return days.flatMap((day, at) => {
    const before = days[at - 1]
    if (before === undefined) return []
    const between = noticedCalendar.between(dateOf(dayNumber(before) + 1), dateOf(dayNumber(day) - 1))
    const missing = between.filter((one) => !known.has(one))
    const isSure = missing.length > longestRest || missing.some((one) => noticedCalendar.isOpen(one))
    return isSure ? [{ at, days: missing.length }] : []
  })
}

/** Changes against the trading day before, percent; none after a gap. */
function changesOf(close: Float64Array, gaps: readonly QuoteGap[]): Float64Array {
  const after = new Set(gaps.map(({ at }) => at))
  return close.map((price, at) => (after.has(at) ? Number.NaN : changeOver(price, close[at - 1])))
}

/** The quotes of a code over a range that ends on the latest day of their dataset; undefined where there are none. */
export async function codeQuotes(
  visit: DeskVisit,
  instrument: DeskInstrument,
  range: Range,
): Promise<CodeQuotes | undefined> {
  const name = quotedIn(instrument)
  if (name === undefined) return undefined
  const all = await storedDays(visit, name as DatasetName)
  const latest = all.at(-1)
  if (latest === undefined) return undefined
  const begin = firstDay(range, latest)
  const early = range === 'all' ? begin : dateOf(dayNumber(begin) - reach)
  const dataset = datasetOf(name)
  const day = dataset.day as string
  const type = dataset.params.type?.required ? { type: dataset.params.type.values?.[0] } : {}
  const isOfBars = instrument.kind === 'fund'
  // Published turnover of southbound stocks may count a channel twice.
  const isOfChannels = instrument.kind === 'hk'
  const symbols = [isOfBars || isOfChannels ? instrument.code : parseCode(instrument.code).bare]
  const fields = [day, ...wanted].filter((one) => one in dataset.columns && !(isOfChannels && one === 'amount'))
  const inRange = all.filter((one) => one >= early)
  const read = isOfBars ? inRange.slice(-mostBarDays) : inRange
  const found = isOfBars
    ? await visit.market.query(name, { symbols, period: '15m' }, { days: read })
    : await visit.market.query(name, { symbols, startdate: early, enddate: latest, ...type }, { fields })
  const table = isOfBars && found.numRows > 0 ? resampleBars(found, 'day') : found
  if (table.numRows === 0) return undefined
  const rows = firstRows(table, day)
  const days = [...rows.keys()]
  const cells = wanted.filter((one) => has(table, one)).map((one) => [one, numbers(table, one)] as const)
  const columns = Object.fromEntries(
    cells.map(([one, values]) => [one, Float64Array.from(rows.values(), (row) => values[row] as number)]),
  )
  // A bond may rest for a day on which others are quoted; bars of an ETF are asked for by themselves.
  const gaps = dataset.everyTradingDay ? gapsOf(days, new Set(isOfBars ? days : all)) : []
  const change = isOfBars && columns.close && { pct_chg: changesOf(columns.close, gaps) }
  const from = Math.max(
    0,
    days.findIndex((one) => one >= begin),
  )
  return { dataset: name, days, columns: { ...columns, ...change }, gaps, from, unread: inRange.length - read.length }
}
