import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findRows } from '../../../../src/data/sql/find-rows.js'
import { type DaySelection, groupsWithSymbols, readDay } from '../../../../src/data/ticks/read/read-day.js'
import { searchSymbols } from '../../../../src/data/ticks/read/tick-reader.js'
import { fromRows } from '../../../../src/frame/table/from-rows.js'
import { parquetCodec, resetCodecs } from '../../../../src/frame/table/parquet-engine.js'
import type { DecodedColumns } from '../../../../src/frame/table/parquet-file/decode-columns.js'
import { type ColumnData, cellOf } from '../../../../src/frame/table/values.js'
import { toParquet } from '../../../../src/frame/write-data.js'
import { tempFile } from '../../../helper/temp.js'
import { bytesWritten, written } from './odd-files.js'

let stamps = 0

/** The cells by both engines; undefined of DuckDB where it is not its work. */
async function byBoth(path: string, wanted: DaySelection) {
  const cells = (decoded: DecodedColumns | undefined) =>
    decoded && {
      names: [...decoded.columns.columns.keys()],
      rows: Array.from({ length: decoded.columns.length }, (_, row) =>
        [...decoded.columns.columns.values()].map((values) => cellOf(values, row)),
      ),
    }
  return [
    cells(await readDay({ name: 'x', path }, wanted)),
    cells(await searchSymbols({ path, stamp: `${stamps++}` }, wanted)),
  ] as const
}

const symbols = ['600001']

describe('both engines', () => {
  test('tell NaN from null, and keep -0 and infinities', async () => {
    const path =
      await written(`select '600001.SH' as symbol, case i when 0 then 'nan'::double when 1 then null when 2 then -0.0::double
      when 3 then 'inf'::double else '-inf'::double end as price from range(5) r(i)`)
    const [codec, duckdb] = await byBoth(path, { symbols, columns: ['price'] })
    expect(codec?.rows).toEqual([[Number.NaN], [null], [-0], [Number.POSITIVE_INFINITY], [Number.NEGATIVE_INFINITY]])
    expect(duckdb).toEqual(codec)
  })

  test('columns that differ in capitals alone are the work of one', async () => {
    const rows = [{ symbol: '600001.SH', Price: 1, price: 2, SYMBOL: '600002.SH' }]
    const path = tempFile('x.parquet', await toParquet(fromRows(rows)))
    for (const columns of [['price'], ['Price', 'price'], ['SYMBOL', 'price'], undefined]) {
      const [codec, duckdb] = await byBoth(path, { symbols, columns })
      expect(codec?.rows).toEqual([
        (columns ?? Object.keys(rows[0] as object)).map((name) => (rows[0] as Record<string, unknown>)[name]),
      ])
      expect(duckdb).toBeUndefined()
    }
  })
})

describe('a file that is replaced under its name', () => {
  test('is searched anew, though its size and its time are those of the one before', async () => {
    const query = (columns: string) => `select '600001' as symbol, ${columns} from range(2000) r(i)`
    const plain = 'compression uncompressed, dictionary_size_limit 1'
    const path = await written(query('i::integer as bid, (100000 + i)::integer as ask'), plain)
    const other = await bytesWritten(query('(100000 + i)::integer as ask, i::integer as bid'), plain)
    expect(other.length).toBe(statSync(path).size)
    const firstBid = async () => {
      utimesSync(path, 1e9, 1e9)
      const found = await findRows({ path, columns: ['bid'], column: 'symbol', ranges: [['6', '7']] })
      return cellOf(found?.columns.get('bid') as ColumnData, 0)
    }
    expect(await firstBid()).toBe(0)
    writeFileSync(path, other)
    expect(await firstBid()).toBe(0)
  })
})

describe('row groups by their bounds', () => {
  const footerOf = (min: unknown, max: unknown) =>
    ({ rowGroups: [{ rows: 1, chunks: [{ column: 'symbol', min, max }] }] }) as never
  test.each([
    ['in the order of their bytes, which is not that of JavaScript', 'Ａ', '😀', '😀', [0]],
    ['and on the other side', 'Ａ', '😀', 'Ｚ', [0]],
    ['cut within a sign at the front', '6\ufffd', '7', '6一', [0]],
    ['cut within a sign at the end', '5', '6\ufffd', '6￿', [0]],
    ['bytes', new Uint8Array([54]), new Uint8Array([55]), '600000', [0]],
    ['only one of them', '7', undefined, '600000', [0]],
    ['above', '600001', '700000', '600000', []],
    ['below', '300000', '5', '600000', []],
    ['a bare code among codes with suffix', '600000.SH', '600000.SH', '600000', [0]],
    ['a code with suffix among bare ones', '600000', '600000', '600000.SH', [0]],
  ])('%s', (_, min, max, symbol, groups) => {
    expect(groupsWithSymbols(footerOf(min, max), [symbol])).toEqual(groups)
  })
})

describe('the codec', () => {
  test('fails all that wait for it, and what comes later, when it breaks down', async () => {
    const bytes = readFileSync('test/fixture/parquet/polars-categorical.parquet')
    const codec = await parquetCodec()
    const never = codec.unlessTrapped(new Promise(() => undefined))
    const reading = codec.unlessTrapped(codec.ParquetFile.fromFile(new Blob([bytes])).then((file) => file.read()))
    for (const one of [never, reading]) await expect(one).rejects.toMatchObject({ name: 'RuntimeError' })
    await expect(codec.unlessTrapped(Promise.resolve(1))).rejects.toMatchObject({ name: 'RuntimeError' })
    resetCodecs(await never.catch((error: unknown) => error))
    await expect((await parquetCodec()).unlessTrapped(Promise.resolve(1))).resolves.toBe(1)
    await expect((await parquetCodec()).unlessTrapped(Promise.reject(new Error('own')))).rejects.toThrow('own')
  })
})

test('a small file whose texts unpack to more than may be is not searched: it is left to who keeps each text once', async () => {
  const columns = "'20260730' as tradedate, '600519.SH' as symbol, '09:15:00' as time, repeat('x', 8192) as extra"
  const path = await written(`select ${columns} from range(80000)`)
  expect(await searchSymbols({ path, stamp: 'one' }, { symbols: ['600519'] })).toBeUndefined()
  const few = await searchSymbols({ path, stamp: 'one' }, { symbols: ['600519'], columns: ['time'] })
  expect(few?.columns.length).toBe(80_000)
})
