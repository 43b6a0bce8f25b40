import type { Table } from 'apache-arrow'
import { calendarYears, tradingDays } from '../contract/calendar.js'
import { hotLists } from '../contract/catalogue/hotstock.js'
import { type DatasetName, datasetOf } from '../contract/catalogue.js'
import { QuotebookError } from '../contract/error.js'
import { texts } from '../frame/read-columns.js'
import type { Market } from '../market.js'
import { concatTables } from '../table/concat-tables.js'
import { type BarDataset, barsOfDay } from './bars.js'
import { withoutRepeats } from './repeats.js'

/** The days that a report is of. */
export interface Days {
  readonly first: string
  readonly latest: string
  /** Trading days from first to latest, ascending. */
  readonly all: readonly string[]
  /** The answers that told the latest day. */
  readonly shown?: readonly Table[]
}

const dated = [
  ['theme_daily', 'tradedate', { type: 'tj' }],
  ['convertible_daily', 'tradedate', {}],
  ['southbound_top10', 'trade_date', {}],
  ['etf_minute', 'tradedate', {}],
  ['etf_minute', 'tradedate', { period: '15m' }],
  ['convertible_minute', 'tradedate', {}],
] as const

/**
 * The last `count` trading days up to the latest day that the source has.
 * @throws QuotebookError ARCHIVE when it has no daily data at all
 */
export async function daysOf(market: Market, count: number): Promise<Days> {
  const found: string[] = []
  const shown: Table[] = []
  for (const [name, column, params] of dated) {
    const table = await market.query(name, params)
    shown.push(table)
    for (const day of texts(table, column)) if (day !== null) found.push(day)
  }
  const latest = found.sort().at(-1)
  if (latest === undefined) throw new QuotebookError('ARCHIVE', `${market.source.name} has no daily data to report on`)
  const years = `${calendarYears[0]} to ${calendarYears[1]}`
  if (Number(latest.slice(0, 4)) < calendarYears[0] || Number(latest.slice(0, 4)) > calendarYears[1]) {
    throw new QuotebookError(
      'ARCHIVE',
      `${market.source.name}: its latest day ${latest} is outside the trading calendar (${years})`,
    )
  }
  const year = Math.max(calendarYears[0], Number(latest.slice(0, 4)) - 1 - Math.ceil(count / 240))
  const all = tradingDays(`${year}0101`, latest).slice(-count)
  return { first: all[0] ?? latest, latest, all, shown }
}

/** Every bar of the days, all instruments. */
export async function barsOf(market: Market, name: BarDataset, { all }: Days, period: '15m' | '30m'): Promise<Table> {
  const tables: Table[] = []
  for (const day of all) tables.push(await barsOfDay(market, name, day, period))
  return concatTables(datasetOf(name), tables)
}

/**
 * Candidates of every day and the forecast after the last completed one, each row once: the completed day brings its
 * forecast along, and so does the answer without a date, whichever day that is.
 */
export async function candidatesOf(market: Market, { all }: Days): Promise<Table> {
  const days = await Promise.all(all.map((tradedate) => market.query('anomaly_forecast', { tradedate })))
  const answers = [...days, await market.query('anomaly_forecast')]
  const dataset = datasetOf('anomaly_forecast')
  return concatTables(dataset, withoutRepeats(dataset, answers, candidateKeys))
}

/** Day, stock and rule of each candidate. */
function candidateKeys(table: Table): string[] {
  const [day, symbol, rule] = ['tradedate', 'symbol', 'rule'].map((name) => texts(table, name))
  return Array.from({ length: table.numRows }, (_, row) => [day?.[row], symbol?.[row], rule?.[row]].join('\n'))
}

/** The fifteen hot lists of the latest day. */
export async function hotListsOf(market: Market, { latest }: Days): Promise<Table> {
  const lists = await Promise.all(hotLists.map((type) => market.query('hotstock', { type, tradedate: latest })))
  return concatTables(datasetOf('hotstock'), lists)
}

/** Sectors of both levels. */
export async function membersOf(market: Market): Promise<Table> {
  const levels = await Promise.all(['parent', 'child'].map((level) => market.query('thememembers_jx', { level })))
  return concatTables(datasetOf('thememembers_jx'), levels)
}

/** A dataset over the days. */
export function rangeOf(market: Market, name: DatasetName, { first, latest }: Days): Promise<Table> {
  const type = name === 'theme_daily' ? { type: 'tj' } : {}
  return market.query(name, { ...type, startdate: first, enddate: latest })
}
