import { type DatasetName, datasetOf, ownDatasets } from '../../contract/catalogue.js'
import { dateOf, dayNumber } from '../../contract/date.js'
import { parseCode } from '../../contract/symbol.js'
import { has, numbers, strings } from '../../frame/read-columns.js'
import { resampleBars } from '../../research/checks/bars/resample-bars.js'
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
  const isOfBars = instrument.kind === 'fund'
  const fields = [day, ...wanted].filter((one) => one in dataset.columns)
  const found = isOfBars
    ? await visit.market.query(name, { symbols, period: '15m' }, { days: all.filter((one) => one >= early) })
    : await visit.market.query(name, { symbols, startdate: early, enddate: latest, ...type }, { fields })
  const table = isOfBars && found.numRows > 0 ? resampleBars(found, 'day') : found
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
  return {
    dataset: name,
    days,
    columns,
    from: Math.max(
      0,
      days.findIndex((one) => one >= begin),
    ),
  }
}
