import { tableFromIPC, tableToIPC } from 'apache-arrow'
import { expect, test } from 'vitest'
import { datasetOf } from '../../src/contract/catalogue.js'
import { numbers, objectsOf, rowsOf } from '../../src/frame/read-columns.js'
import { toParquet } from '../../src/frame/write-data.js'
import { toTable } from '../../src/table/arrow.js'
import { decode } from '../../src/table/decode.js'
import { fromParquet } from '../../src/table/parquet.js'

const dataset = datasetOf('etf_minute')
const fields = ['symbol', 'tradedate', 'trademin', 'time', 'open', 'high', 'low', 'close', 'vol', 'amount', 'vwap']
const rows = [
  ['000001.SZ', '20260701', '0930', '09:30:00', 1.1, 1.2, 1, 1.15, 100, 12345678901.23, 1.15],
  ['000001.SZ', '20260701', '1000', '10:00:00', null, null, null, null, 0, null, null],
]

test('nulls, leading zeros and large amounts survive Arrow, IPC and Parquet', async () => {
  const table = toTable(decode(dataset, fields, rows, Object.keys(dataset.columns)), dataset.columns)
  const again = await fromParquet(await toParquet(table))
  const ipc = tableFromIPC(tableToIPC(table))
  for (const t of [table, again, ipc]) {
    expect(objectsOf(t)[0]).toEqual(Object.fromEntries(fields.map((name, i) => [name, rows[0]?.[i]])))
    expect(rowsOf(t)[1]).toEqual(['20260701', '000001.SZ', '1000', '10:00:00', null, null, null, null, 0, null, null])
    expect([...numbers(t, 'open')]).toEqual([1.1, Number.NaN])
    expect(t.schema.fields.find((f) => f.name === 'amount')?.metadata.get('unit')).toBe('yuan')
    expect(String(t.schema.fields[0]?.type)).toBe('Dictionary<Int32, Utf8>')
  }
  const [a, b] = [await toParquet(table), await toParquet(table)]
  expect(Buffer.compare(a, b)).toBe(0)
})
