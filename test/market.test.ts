import { expect, test } from 'vitest'
import { connect } from '../src/connect.js'
import { datasetNames, datasetOf } from '../src/contract/catalogue.js'
import { camel } from '../src/contract/dataset.js'
import type { DataFrame } from '../src/frame/danfo-types.js'
import { columnNames, rowsOf } from '../src/frame/read-columns.js'
import { checkTable } from '../src/frame/table/check-table.js'

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
