import {
  checks,
  connect,
  type Dataset,
  type DatasetName,
  datasets,
  fromRows,
  strings,
  type Table,
  toObjects,
} from 'quotebook'

export type Row = Readonly<Record<string, unknown>>

const market = await connect()
const fortnight = { startdate: '20260716', enddate: '20260729' }
const day = { tradedate: '20260729' }
const etfs = { ...day, symbols: ['510300.SH', '159915.SZ'] }

const own = {
  etf_minute: [
    await market.table.etfMinute({ ...etfs, period: '15m' }),
    await market.table.etfMinute({ ...etfs, period: '30m' }),
  ],
  convertible_minute: [await market.table.convertibleMinute({ ...day, symbols: ['110059.SH', '123124.SZ'] })],
  southbound_top10: [await market.table.southboundTop10(fortnight)],
  anomaly_forecast: [await market.table.anomalyForecast({})],
  st: [await market.table.st(fortnight)],
  convertible_daily: [await market.table.convertibleDaily(fortnight)],
  theme_daily: [await market.table.themeDaily({ type: 'tj', ...fortnight })],
  transfer_financing: [await market.table.transferFinancing(fortnight)],
  hotstock: [await market.table.hotstock({ type: 'xq&resou', ...day })],
  thememembers_jx: [await market.table.thememembersJx({})],
  theme_lib_detail_kp: [await market.table.themeLibDetailKp({ theme_id: '1001' })],
  news: [await market.table.news({ limit: 100 })],
  finance_announcement: [await market.table.financeAnnouncement({ limit: 100 })],
  interactive_qa: [await market.table.interactiveQa({ version: 'all' })],
  file_download: [await market.table.fileDownload({ data_type: 'auction_tick', year: 2026 })],
} satisfies Partial<Readonly<Record<DatasetName, readonly Table[]>>>
const others = (datasets as readonly Dataset[]).filter(({ name }) => !(name in own))
const tables = await Promise.all(
  others.map(async ({ name, example, ranges }) => [name, [await market.query(name, ranges ? fortnight : example)]]),
)

/** Some rows of the sample by dataset, as the checks take them. */
export const sample = { ...own, ...Object.fromEntries(tables) } as typeof own &
  Readonly<Record<DatasetName, readonly Table[]>>

/** A table's rows with some cells of one of them replaced. */
export function planted(table: Table, row: number, cells: Row): Table {
  const rows = toObjects(table).map((one, at) => (at === row ? { ...one, ...cells } : one))
  return fromRows(rows)
}

export function checkNamed(name: string, dataset: DatasetName) {
  const check = checks.find((one) => one.name === name && one.dataset === dataset)
  if (!check) throw new Error(`no check ${name} of ${dataset}`)
  return check
}

/** The rows of a check's result that do not pass, with verdict and reason. */
export function findings(table: Table): (readonly [row: number, verdict: string, why: string | null])[] {
  const why = strings(table, 'why')
  return strings(table, 'verdict').flatMap((verdict, row) =>
    ['pass', 'equal', 'within-rounding'].includes(String(verdict)) ? [] : [[row, String(verdict), why[row] ?? null]],
  )
}
