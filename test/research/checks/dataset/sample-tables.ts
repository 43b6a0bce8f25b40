import type { Table } from 'apache-arrow'
import { connect } from '../../../../src/connect.js'
import type { DatasetName } from '../../../../src/contract/catalogue.js'
import { strings, toObjects } from '../../../../src/frame/read-columns.js'
import type { Market } from '../../../../src/market.js'
import type { CheckResult, CheckTables } from '../../../../src/research/checks/check.js'
import { barsOfDay, latestTradingDays, loadDataset } from '../../../../src/research/report/load/load-tables.js'
import { type Row, tableFrom } from '../../analysis/help.js'

type Loads = { readonly [N in DatasetName]?: (market: Market) => Promise<readonly Table[]> }

const daily = (name: DatasetName) => async (market: Market) =>
  loadDataset(market, name, await latestTradingDays(market, 60))
const whole = (name: DatasetName, params: Row) => async (market: Market) => [await market.query(name, params)]

/** The sample as checks get it: sixty days of what has days, bars of the latest day, the latest lists, all versions of texts. */
const loads: Loads = {
  etf_minute: async (market) => [
    await barsOfDay(market, 'etf_minute', undefined, '15m'),
    await barsOfDay(market, 'etf_minute', undefined, '30m'),
  ],
  convertible_minute: async (market) => [await barsOfDay(market, 'convertible_minute', undefined, '30m')],
  southbound_top10: daily('southbound_top10'),
  anomaly_forecast: daily('anomaly_forecast'),
  st: daily('st'),
  convertible_daily: daily('convertible_daily'),
  theme_daily: daily('theme_daily'),
  transfer_financing: daily('transfer_financing'),
  hotstock: async (market) => [
    ...(await daily('hotstock')(market)),
    await market.query('hotstock', { type: 'xq&resou' }),
  ],
  thememembers_jx: daily('thememembers_jx'),
  theme_lib_detail_kp: (market) =>
    Promise.all(
      [1001, 1002, 1003, 1004, 1005, 1006, 1007].map((id) =>
        market.query('theme_lib_detail_kp', { theme_id: String(id) }),
      ),
    ),
  news: whole('news', { limit: 500 }),
  finance_announcement: whole('finance_announcement', { version: 'all' }),
  interactive_qa: whole('interactive_qa', { version: 'all' }),
  file_download: whole('file_download', { data_type: 'auction_tick', year: 2026 }),
}

const loaded = new Map<DatasetName, Promise<readonly Table[]>>()

async function load(name: DatasetName): Promise<readonly Table[]> {
  return (await loads[name]?.(await connect())) ?? []
}

/** The sample's tables of a dataset; read once for a test file. */
export function sampleOf(name: DatasetName): Promise<readonly Table[]> {
  const tables = loaded.get(name) ?? load(name)
  loaded.set(name, tables)
  return tables
}

export async function sampleTables(): Promise<CheckTables> {
  const names = Object.keys(loads) as DatasetName[]
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await sampleOf(name)])))
}

/** The rows of the sample's first table of a dataset. */
export async function sampleRows(name: DatasetName, keep: (row: Row) => boolean = () => true): Promise<Row[]> {
  return (await sampleOf(name))
    .slice(0, 1)
    .flatMap((table) => toObjects(table))
    .filter(keep)
}

/** Rows with one cell of one of them replaced, as a table. */
export function changed(name: DatasetName, rows: readonly Row[], at: number, cells: Row): Table {
  return tableFrom(
    name,
    rows.map((row, i) => (i === at ? { ...row, ...cells } : row)),
  )
}

/** Verdicts by row. */
export function verdictsOf(check: CheckResult<string>): (string | null)[] {
  return strings(check.table, 'verdict')
}

export function whysOf(check: CheckResult<string>): (string | null)[] {
  return strings(check.table, 'why')
}
