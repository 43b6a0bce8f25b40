import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Table, tableFromIPC, tableToIPC } from 'apache-arrow'
import { expect, test } from 'vitest'
import { connect } from '../src/connect.js'
import { datasetNames, datasetOf } from '../src/contract/catalogue.js'
import type { Column } from '../src/contract/column.js'
import { columnTitle } from '../src/contract/column-titles.js'
import { camel, type Dataset } from '../src/contract/dataset.js'
import { chineseUnits } from '../src/contract/labels.js'
import { readFileColumns } from '../src/data/archive/import/file-columns.js'
import { readBytes } from '../src/data/archive/import/import-limits.js'
import { asTable } from '../src/frame/as-table.js'
import type { DataFrame } from '../src/frame/danfo-types.js'
import { columnNames, rowsOf, toObjects } from '../src/frame/read-columns.js'
import { toTable } from '../src/frame/table/arrow.js'
import { checkTable } from '../src/frame/table/check-table.js'
import { fromParquet } from '../src/frame/table/parquet.js'
import { project } from '../src/frame/table/values.js'
import { toCsv, toIpc, toJson, toParquet, toXlsx } from '../src/frame/write-data.js'
import { tempDir } from './helper/temp.js'

const market = await connect()

/** Params with which the sample has rows that hold nulls and the field quirks. */
const params: Record<string, object> = {
  news: {},
  theme_lib_detail_kp: { theme_id: '1001' },
  hotstock: { type: 'ths&normal' },
  st: { startdate: '20260701' },
  convertible_minute: { symbols: ['123124.SZ', '110059.SH', '113050.SH'] },
  etf_minute: { symbols: ['510300', '159915'], period: '15m' },
  theme_daily: { type: 'tj', startdate: '20260720' },
  convertible_daily: { startdate: '20260720' },
  transfer_financing: { recentdays: 30 },
  thememembers_jx: { level: 'child' },
  southbound_top10: { startdate: '20260701' },
  anomaly_forecast: {},
  file_download: { data_type: 'auction_tick', year: 2026 },
  finance_announcement: { version: 'all' },
  interactive_qa: { version: 'all' },
}

/** Arrow type and danfo label of a contract kind; a whole number with nulls is labelled float32. */
const types: Record<string, [arrow: string, danfo: string]> = {
  code: ['Dictionary<Int32, Utf8>', 'string'],
  date: ['Dictionary<Int32, Utf8>', 'string'],
  minute: ['Dictionary<Int32, Utf8>', 'string'],
  clock: ['Dictionary<Int32, Utf8>', 'string'],
  label: ['Dictionary<Int32, Utf8>', 'string'],
  moment: ['Utf8', 'string'],
  id: ['Utf8', 'string'],
  text: ['Utf8', 'string'],
  json: ['Utf8', 'string'],
  number: ['Float64', 'float32'],
  long: ['Float64', 'float32'],
  integer: ['Int32', 'int32'],
  boolean: ['Bool', 'boolean'],
  texts: ['List<Utf8>', 'string'],
}

type Loaders = Record<string, (params: object) => Promise<DataFrame>>

test.each(datasetNames)(
  '%s: DataFrame and Arrow table have the types of the contract, nulls in place',
  async (name) => {
    const dataset = datasetOf(name)
    const table = await market.query(name, params[name])
    const frame = await (market.load as unknown as Loaders)[camel(name)]?.(params[name] ?? {})
    if (!frame) throw new Error(`no loader for ${name}`)
    checkTable(table, dataset)
    expect(table.numRows).toBeGreaterThan(0)
    expect(frame.shape).toEqual([table.numRows, table.numCols])
    expect(frame.columns).toEqual(columnNames(table))
    const rows = rowsOf(table)
    const cells = frame.values as unknown[][]
    for (const [i, field] of table.schema.fields.entries()) {
      const column = dataset.columns[field.name]
      if (!column) throw new Error(`${field.name} is not of the contract`)
      const [arrow, danfo] = types[column.kind] as [string, string]
      const nulls = table.getChildAt(i)?.nullCount ?? 0
      expect(String(field.type), field.name).toBe(arrow)
      expect([field.nullable, field.metadata.get('unit')]).toEqual([column.nullable === true, column.unit])
      expect(frame.dtypes[i], field.name).toBe(danfo === 'int32' && nulls > 0 ? 'float32' : danfo)
      for (const [row, given] of rows.entries()) {
        const value = given[i]
        const cell = cells[row]?.[i]
        if (value === null) expect(cell).toBe(arrow === 'Float64' || arrow === 'Int32' ? Number.NaN : null)
        else if (column.kind === 'json') expect(JSON.parse(String(cell))).toEqual(value)
        else if (column.kind === 'texts') expect(cell).toBe((value as string[]).join(','))
        else expect(cell).toBe(value)
      }
    }
  },
)

/** A CSV under Chinese titles with units, where a title is of one column alone. */
function withTitles(table: Table, dataset: Dataset): string {
  const names = columnNames(table)
  const columns: Readonly<Record<string, Column>> = { ...dataset.columns, ...dataset.stored }
  const all = Object.keys(columns).map(columnTitle)
  const heads = names.map((name) => {
    const title = columnTitle(name)
    if (title === undefined || all.filter((one) => one === title).length > 1) return name
    const unit = columns[name]?.unit
    return unit === undefined ? title : `${title}（${chineseUnits[unit] ?? unit}）`
  })
  return toCsv(table).replace(/^.*/, heads.join(','))
}

test.each(datasetNames)('%s: through Arrow IPC, danfo, CSV, JSON, Excel and Parquet and back', async (name) => {
  const dataset = datasetOf(name)
  const table = await market.query(name, params[name])
  const frame = await (market.load as unknown as Loaders)[camel(name)]?.(params[name] ?? {})
  const fromFile = async (file: string, content: string | Uint8Array) => {
    const path = join(tempDir(), file)
    writeFileSync(path, content)
    const { columns } = await readFileColumns(path, await readBytes(path), dataset)
    return toTable(project(columns, columnNames(table)), dataset.columns)
  }
  const copies = {
    ipc: tableFromIPC(tableToIPC(table)),
    danfo: asTable(frame as DataFrame, dataset),
    csv: await fromFile('rows.csv', toCsv(table)),
    json: await fromFile('rows.json', JSON.stringify(toObjects(table))),
    parquet: await fromParquet(await toParquet(table)),
    parquetFile: await fromFile('rows.parquet', await toParquet(table)),
    arrowFile: await fromFile('rows.arrow', toIpc(table)),
    excelFile: await fromFile('rows.xlsx', await toXlsx(table)),
    excelCsv: await fromFile('rows.csv', toCsv(table, { bom: true })),
    titledCsv: await fromFile('rows.csv', withTitles(table, dataset)),
    jsonFile: await fromFile('rows.json', toJson(table)),
  }
  for (const [way, copy] of Object.entries(copies)) expect(toObjects(copy), way).toEqual(toObjects(table))
})
