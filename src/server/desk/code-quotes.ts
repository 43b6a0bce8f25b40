import { type DatasetName, datasetOf, ownDatasets } from '../../contract/catalogue.js'
import { dateOf, dayNumber } from '../../contract/date.js'
import { parseCode } from '../../contract/symbol.js'
import { has, numbers, strings } from '../../frame/read-columns.js'
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

/** Columns of quotes by day. */
export interface CodeQuotes {
  readonly dataset: string
  readonly days: readonly string[]
  /** The place of the first day of the range: those before are for averages alone. */
  readonly from: number
  readonly columns: Readonly<Record<string, Float64Array>>
}

/** Quotes of each kind of codes: of ETFs there are bars alone, of stocks what is declared. */
function quotedIn({ kind }: DeskInstrument): string | undefined {
  if (kind === 'bond') return 'convertible_daily'
  if (kind === 'index') return 'theme_daily'
  if (kind === 'hk') return 'southbound_top10'
  if (kind === 'fund') return 'etf_minute'
  const own = ownDatasets().find(
    (one) => one.instruments === 'stock' && one.day !== undefined && 'close' in one.columns,
  )
  return own?.name
}

/** Bars of days as one bar a day. */
function dailyBars(days: readonly string[], bars: Readonly<Record<string, Float64Array>>) {
  const byDay = new Map<string, number[]>()
  for (const [at, day] of days.entries()) byDay.set(day, [...(byDay.get(day) ?? []), at])
  const [names, places] = [[...byDay.keys()], [...byDay.values()]]
  const made = (of: (rows: readonly number[]) => number): Float64Array => Float64Array.from(places, of)
  const known = (name: string, rows: readonly number[]): number[] =>
    rows.map((at) => bars[name]?.[at] ?? Number.NaN).filter((one) => !Number.isNaN(one))
  const sum = (all: readonly number[]): number => all.reduce((a, b) => a + b, all.length > 0 ? 0 : Number.NaN)
  const columns = {
    open: made((rows) => known('open', rows)[0] ?? Number.NaN),
    high: made((rows) => known('high', rows).reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)),
    low: made((rows) => known('low', rows).reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)),
    close: made((rows) => known('close', rows).at(-1) ?? Number.NaN),
    vol: made((rows) => sum(known('vol', rows))),
  }
  return { days: names, columns }
}

const wanted = ['open', 'high', 'low', 'close', 'vol', 'cb_value', 'cb_over_rate', 'net_amount', 'pct_chg', 'p_change']

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
  const symbols = [
    instrument.kind === 'fund' || instrument.kind === 'hk' ? instrument.code : parseCode(instrument.code).bare,
  ]
  const type = dataset.params.type?.required ? { type: dataset.params.type.values?.[0] } : {}
  const table =
    instrument.kind === 'fund'
      ? await visit.market.query(name, { symbols, period: '15m' }, { days: all.filter((one) => one >= early) })
      : await visit.market.query(name, { symbols, startdate: early, enddate: latest, ...type })
  if (table.numRows === 0) return undefined
  const cells = strings(table, day).map((one) => one ?? '')
  const order = [...cells.keys()].sort((a, b) =>
    (cells[a] as string) < (cells[b] as string) ? -1 : cells[a] === cells[b] ? a - b : 1,
  )
  const days = order.map((at) => cells[at] as string)
  const read = wanted.filter((one) => has(table, one)).map((one) => [one, numbers(table, one)] as const)
  const columns = Object.fromEntries(
    read.map(([one, values]) => [one, Float64Array.from(order, (at) => values[at] as number)]),
  )
  const daily = instrument.kind === 'fund' ? dailyBars(days, columns) : { days, columns }
  return {
    dataset: name,
    ...daily,
    from: Math.max(
      0,
      daily.days.findIndex((one) => one >= begin),
    ),
  }
}
