import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { parquetMetadata } from 'hyparquet'
import { describe, expect, test } from 'vitest'
import { toParquet } from '../../../src/frame/write-data.js'
import { fromRows } from '../../../src/table/from-rows.js'
import { fromParquet } from '../../../src/table/parquet.js'
import { parquetCodec, resetCodecs } from '../../../src/table/parquet-engine.js'
import {
  type DecodedColumns,
  decodeColumns,
  type FileSelection,
} from '../../../src/table/parquet-file/decode-columns.js'
import { footerAt } from '../../../src/table/parquet-file/footer.js'
import { ofMemory } from '../../../src/table/parquet-file/ranges.js'
import { schemaBytes, withSchema } from '../../../src/table/parquet-file/schema-hint.js'
import { columnsOf } from '../../../src/table/unwrap.js'
import { cellOf, type RecordColumns, textIn } from '../../../src/table/values.js'
import { bytesWritten, cellsOf, written } from './odd-files.js'

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

  test('gives the columns that are wanted in the order in which they are, and row groups alone', async () => {
    const bytes = await bytesWritten(mixed, options)
    const whole = (await read(bytes)).columns
    const part = (await read(bytes, { columns: ['price', 'symbol', 'gap'] })).columns
    expect([...part.columns.keys()]).toEqual(['price', 'symbol', 'gap'])
    for (const [name, values] of part.columns) expect(values).toEqual(whole.columns.get(name))
    const groups = parquetMetadata(bytes.slice().buffer).row_groups.map((group) => Number(group.num_rows))
    const last = groups.length - 1
    const { columns, total } = await read(bytes, { rowGroups: () => [last] })
    expect([columns.length, total]).toEqual([groups[last], rows])
    expect(cells(columns)).toEqual(cells(whole).slice(rows - (groups[last] as number)))
    expect((await read(bytes, { rowGroups: () => [] })).columns.length).toBe(0)
  })
})

describe('types that take the longer way', () => {
  test.each([
    ['numbers that no double holds stay text', 'select 9007199254740993 + i as id, i as n from range(5) r(i)'],
    [
      'dates and moments',
      "select date '2026-01-05' + i::int as day, timestamp '2026-01-05 09:15:00' as at from range(3) r(i)",
    ],
    ['decimals', 'select (i / 100)::decimal(9, 2) as price, i as n from range(300) r(i)'],
    ['nested values', "select {'a': i, 'b': 'x'} as both, ['p', 'q'] as list, i as n from range(4) r(i)"],
  ])('%s', async (_, query) => {
    const bytes = await bytesWritten(query, 'compression zstd, row_group_size 2048')
    expect(cells((await read(bytes)).columns)).toEqual(cells(await plainly(bytes)))
    const [last = ''] = [...(await plainly(bytes)).columns.keys()].slice(-1)
    expect([...(await read(bytes, { columns: [last] })).columns.columns.keys()]).toEqual([last])
  })

  test('a wide number in one row group alone makes text of all', async () => {
    const bytes = await bytesWritten(
      'select case when i = 4000 then 9007199254740993 else i end as id, i / 2 as n from range(5000) r(i)',
      'compression zstd, row_group_size 2048',
    )
    const { columns } = await read(bytes)
    expect(columns.columns.get('id')?.type).toBe('dictionary')
    expect(cells(columns).map(([id]) => id)).toEqual(
      Array.from({ length: 5000 }, (_, i) => (i === 4000 ? '9007199254740993' : String(i))),
    )
  })
})

test('no row, and row groups without rows', async () => {
  const { columns, total } = await read(await bytesWritten(`${mixed} limit 0`))
  expect([columns.length, total, columns.columns.size]).toEqual([0, 0, 15])
  expect(
    (await read(await bytesWritten(`${mixed} limit 0`), { columns: ['price'] })).columns.columns.get('price')?.type,
  ).toBe('float')
})

test('units and kinds of a file that has an Arrow schema are kept', async () => {
  const table = fromRows([{ symbol: '600000.SH', price: 1.5 }])
  table.schema.fields[1]?.metadata.set('unit', 'yuan')
  const { metadata } = await read(await toParquet(table))
  expect(metadata.get('price')?.get('unit')).toBe('yuan')
})

test.each([
  [
    'a column that is not there',
    { columns: ['price', 'pricee'] },
    'MISSING_COLUMN',
    /no column 'pricee'; it has: symbol/,
  ],
])('%s', async (_, wanted, code, message) => {
  await expect(read(await bytesWritten(mixed), wanted)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  })
})

test('random tables: as the plain way reads them', async () => {
  const cell = fc.option(fc.oneof(fc.constant('600000.SH'), fc.string({ maxLength: 6 }), fc.constant('')), {
    nil: null,
  })
  const number = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { nil: null })
  const row = fc.record({ symbol: cell, price: number, note: cell })
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 70 }),
      async (list, rowGroup) => {
        const bytes = await toParquet(fromRows(list), { rowGroup })
        expect(cells((await read(bytes)).columns)).toEqual(cells(await plainly(bytes)))
      },
    ),
    { numRuns: 100 },
  )
})

describe('the footer with another Arrow schema', () => {
  test('says everything else as before', async () => {
    for (const bytes of [
      await bytesWritten(mixed, 'compression zstd, row_group_size 128, kv_metadata {a: 1, b: 2}'),
      await toParquet(fromRows([{ x: 1 }])),
    ]) {
      const { footer, start } = await footerAt(ofMemory(bytes))
      const other = withSchema(footer, new Uint8Array([1, 2, 3]))
      const tail = Buffer.alloc(8, 'PAR1')
      tail.writeUInt32LE(other.length)
      const changed = Buffer.concat([bytes.subarray(0, start), other, tail])
      const before = parquetMetadata(bytes.slice().buffer)
      const after = parquetMetadata(new Uint8Array(changed).buffer)
      const kept = (before.key_value_metadata ?? []).filter(({ key }) => key !== 'ARROW:schema')
      expect(after.key_value_metadata).toEqual([...kept, { key: 'ARROW:schema', value: 'AQID' }])
      const { metadata_length: _, key_value_metadata: __, ...rest } = after
      const { metadata_length: ___, key_value_metadata: ____, ...own } = before
      expect(rest).toEqual(own)
      expect(schemaBytes(other)).not.toEqual(schemaBytes(footer))
    }
  })

  test('garbage is refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          withSchema(bytes, new Uint8Array(4))
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError)
        }
      }),
      { numRuns: 2000 },
    )
  })
})

test('what is no Parquet file is refused', async () => {
  const good = await bytesWritten(mixed)
  const cut = good.subarray(0, good.length - 3)
  for (const bytes of [new Uint8Array(), new Uint8Array(7), new Uint8Array(500), cut, good.subarray(100)]) {
    await expect(read(bytes)).rejects.toMatchObject({ code: 'FILE' })
  }
  expect((await read(good)).total).toBe(rows)
})

test.each(['polars', 'polars-categorical'])('a file of %s, whose Arrow schema has views of text', async (name) => {
  const { columns } = await read(new Uint8Array(readFileSync(`test/fixture/parquet/${name}.parquet`)))
  expect([...columns.columns].map(([column, { type: form }]) => `${column} ${form}`)).toEqual([
    'tradedate dictionary',
    'symbol dictionary',
    'time dictionary',
    'price float',
    'vol float',
  ])
  expect(cells(columns)[2999]).toEqual(['20260105', '600099.SH', '09:15:59', 29.99, 2999])
})

test('a codec that breaks down in a task of its own fails what waits for it; the next file has a fresh one', async () => {
  const bytes = readFileSync('test/fixture/parquet/polars-categorical.parquet')
  const codec = await parquetCodec()
  const reading = codec.ParquetFile.fromFile(new Blob([bytes])).then((file) => file.read())
  const failure = await codec.unlessTrapped(reading).catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: 'RuntimeError' })
  resetCodecs(failure)
  expect(await parquetCodec()).not.toBe(codec)
  expect((await read(await bytesWritten(mixed))).total).toBe(rows)
})
