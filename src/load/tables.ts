import type { Table } from 'apache-arrow'
import type { CheckTables } from '../checks/check.js'
import type { DatasetName } from '../contract/catalogue.js'
import type { Market } from '../market.js'
import { barsOf, candidatesOf, type Days, hotListsOf, membersOf, rangeOf } from './load.js'
import { shareOfYear } from './tick-day.js'

export type Tables = { [N in DatasetName]?: Table }

/** A second table of a dataset, of another period. */
export interface MoreTable {
  readonly dataset: DatasetName
  readonly table: Table
}

/** What a source has of its last days. */
export interface Loaded {
  /** The datasets that have rows. */
  readonly tables: Tables
  readonly more: readonly MoreTable[]
  /** Every answer, the empty ones too. */
  readonly answers: readonly Table[]
}

type Load = (market: Market, days: Days) => Promise<Table | undefined>

const range =
  (name: DatasetName): Load =>
  (market, days) =>
    rangeOf(market, name, days)
const whole =
  (name: DatasetName): Load =>
  (market) =>
    market.query(name)

/** How each dataset is loaded. `theme_lib_detail_kp` is not here: the service has no list of theme ids to ask for. */
const loads: Readonly<Partial<Record<DatasetName, Load>>> = {
  news: whole('news'),
  hotstock: hotListsOf,
  st: range('st'),
  convertible_minute: (market, days) => barsOf(market, 'convertible_minute', days, '30m'),
  etf_minute: (market, days) => barsOf(market, 'etf_minute', days, '15m'),
  theme_daily: range('theme_daily'),
  convertible_daily: range('convertible_daily'),
  transfer_financing: range('transfer_financing'),
  thememembers_jx: membersOf,
  southbound_top10: range('southbound_top10'),
  anomaly_forecast: candidatesOf,
  file_download: shareOfYear,
  finance_announcement: whole('finance_announcement'),
  interactive_qa: (market) => market.query('interactive_qa', { version: 'all' }),
}

/** The datasets that can be loaded without a question of one's own. */
export const loadable = Object.keys(loads) as DatasetName[]

/**
 * Loads datasets over the days, one after the other.
 * @param onStep called before each, with how many are done
 */
export async function loadTables(
  market: Market,
  days: Days,
  names: readonly DatasetName[] = loadable,
  onStep: (done: number, name: DatasetName) => void = () => undefined,
): Promise<Loaded> {
  const tables: Tables = {}
  const more: MoreTable[] = []
  const answers: Table[] = []
  const keep = (table: Table): boolean => answers.push(table) > 0 && table.numRows > 0
  for (const [i, name] of names.entries()) {
    onStep(i, name)
    const table = await loads[name]?.(market, days)
    if (table && keep(table)) tables[name] = table
    if (name !== 'etf_minute') continue
    const longer = await barsOf(market, 'etf_minute', days, '30m')
    if (!keep(longer)) continue
    if (tables.etf_minute) more.push({ dataset: 'etf_minute', table: longer })
    else tables.etf_minute = longer
  }
  return { tables, more, answers }
}

/** The same as checks take them. */
export function lawTables({ tables, more }: Pick<Loaded, 'tables' | 'more'>): CheckTables {
  const entries = Object.entries(tables) as [DatasetName, Table][]
  return Object.fromEntries(
    entries.map(([name, table]) => [
      name,
      [table, ...more.filter(({ dataset }) => dataset === name).map((one) => one.table)],
    ]),
  )
}
