import { join } from 'node:path'
import { FixedSizeBinary, Table, tableToIPC, vectorFromArray } from 'apache-arrow'
import { afterEach, expect, test } from 'vitest'
import { connect } from '../../../../src/connect.js'
import { ArchiveWriter } from '../../../../src/data/archive/writer.js'
import { rowsOf } from '../../../../src/frame/read-columns.js'
import { fromParquet } from '../../../../src/frame/table/parquet.js'
import { encodeParquet } from '../../../../src/frame/table/parquet-engine.js'
import type { Market } from '../../../../src/market.js'
import { tempDir } from '../../../helper/temp.js'
import { seen, useTickLooks } from '../../../helper/tick-looks.js'
import { bytesWritten } from './odd-files.js'

useTickLooks()

/* Text without its mark, as Impala and old writers leave it: BYTE_ARRAY or FIXED_LEN_BYTE_ARRAY and nothing more. */

const open: Market[] = []
afterEach(async () => {
  for (const market of open.splice(0)) await market.close()
})

const day = '20260105'
const cells = `printf('%06d.SZ', 1 + i // 30) as symbol, '09:15:' || printf('%02d', i % 30) as "time", '名' || i % 2 as name`
const marked = `select '${day}' as tradedate, ${cells}, i / 4 as price from range(1200) r(i)`
const unmarked = `select tradedate::blob as tradedate, symbol::blob as symbol, encode("time") as "time",
  encode(name) as name, price from (${marked})`

async function marketOf(bytes: Uint8Array): Promise<Market> {
  const dir = join(tempDir(), 'archive')
  const writer = await ArchiveWriter.open(dir)
  await writer.putTicks(day, bytes, 1200)
  await writer.commit()
  const market = await connect({ archive: dir })
  open.push(market)
  return market
}

/** The marked file with a column of strings of one length as FIXED_LEN_BYTE_ARRAY. */
async function fixed(): Promise<Uint8Array> {
  const table = await fromParquet(await bytesWritten(marked))
  const strings = rowsOf(table).map(([, symbol]) => Buffer.from(String(symbol)))
  const column = vectorFromArray(strings, new FixedSizeBinary(9))
  return encodeParquet(tableToIPC(table.assign(new Table({ symbol: column })), 'stream'), { rowGroup: 1000 })
}

test.each([
  ['dictionary pages', () => bytesWritten(unmarked)],
  ['plain pages', () => bytesWritten(unmarked, 'dictionary_size_limit 1, row_group_size 2048')],
  ['strings of one length', fixed],
])('%s: cells, codes that are asked for, SQL and verify are those of the marked file', async (_, made) => {
  const bytes = await made()
  const own = rowsOf(await fromParquet(await bytesWritten(marked)))
  expect(rowsOf(await fromParquet(bytes))).toEqual(own)
  const market = await marketOf(bytes)
  const { ticks } = market
  expect(rowsOf(await ticks.read(day))).toEqual(own)
  for (let times = 0; times < 2; times++)
    expect(rowsOf(await ticks.read({ days: day, symbols: '000001.SZ' }))).toEqual(own.slice(0, 30))
  const found = await market.sql('select symbol, name, price from ticks where symbol = \'000002.SZ\' order by "time"')
  expect(rowsOf(found)).toEqual(own.slice(30, 60).map(([, symbol, , name, price]) => [symbol, name, price]))
  expect((await seen(bytes, day)).findings).toEqual([])
})
