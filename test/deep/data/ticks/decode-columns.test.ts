// Deep: files of every codec, read by three readers.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fromParquet } from '../../../../src/frame/table/parquet.js'
import {
  type DecodedColumns,
  decodeColumns,
  type FileSelection,
} from '../../../../src/frame/table/parquet-file/decode-columns.js'
import { ofMemory } from '../../../../src/frame/table/parquet-file/ranges.js'
import { columnsOf } from '../../../../src/frame/table/unwrap.js'
import { cellOf, type RecordColumns, textIn } from '../../../../src/frame/table/values.js'
import { cellsOf, written } from '../../../data/ticks/read/odd-files.js'

const read = (bytes: Uint8Array, wanted: FileSelection = {}): Promise<DecodedColumns> =>
  decodeColumns(ofMemory(bytes), wanted)

/** Every cell, row by row. */
function cells({ length, columns: of }: RecordColumns): unknown[][] {
  return Array.from({ length }, (_, row) => [...of.values()].map((values) => cellOf(values, row)))
}

/** The same file by the codec's own way, through Arrow IPC, without a hint. */
async function plainly(bytes: Uint8Array): Promise<RecordColumns> {
  const { length, columns: of } = columnsOf(await fromParquet(bytes))
  return { length, columns: new Map([...of].map(([name, values]) => [name, textIn(values) ?? values])) }
}

const rows = 1000
const mixed = `
  select printf('%06d.SH', 600000 + i // 100) as symbol, i::integer as small, (i * 1000003)::bigint as long, (i % 7)::tinyint as tiny,
    (i % 300)::usmallint as short, i::uinteger as whole, i / 8 as price, (i / 3)::float as single, i % 3 = 0 as flag,
    case when i % 5 = 0 then null else '名' || i % 11 end as name, case when i % 4 = 0 then null else i * 0.5 end as gap,
    case when i % 6 = 0 then null else i::bigint end as late, case when i % 9 = 0 then null else i % 2 = 0 end as maybe,
    case when i % 2 = 0 then null else i::integer end as some, null::varchar as nothing
  from range(${rows}) r(i)`

const writings = [
  'compression zstd',
  'compression snappy, row_group_size 2048',
  'compression gzip',
  'compression uncompressed',
  'compression lz4_raw',
  'compression brotli',
  'compression zstd, row_group_size 128, parquet_version v2',
  'compression zstd, dictionary_size_limit 1',
]

describe.each(writings)('a file written with %s', (options) => {
  test('has the cells that the plain way reads, and that DuckDB reads', async () => {
    const path = await written(mixed, options)
    const bytes = new Uint8Array(readFileSync(path))
    const { columns, total } = await read(bytes)
    expect([columns.length, total]).toEqual([rows, rows])
    const forms = Object.fromEntries([...columns.columns].map(([name, { type: form }]) => [name, form]))
    expect(forms).toMatchObject({
      symbol: 'dictionary',
      name: 'dictionary',
      price: 'float',
      long: 'float',
      small: 'int',
      flag: 'boolean',
    })
    expect(cells(columns)).toEqual(cells(await plainly(bytes)))
    const names = ['symbol', 'small', 'long', 'tiny', 'whole', 'flag', 'name', 'late', 'maybe', 'nothing']
    const seen = cells((await read(bytes, { columns: names })).columns)
    expect(seen.map((row) => row.map((cell) => (cell === null ? null : String(cell))))).toEqual(
      await cellsOf(path, names),
    )
  })
})
