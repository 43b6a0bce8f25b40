import { readdirSync, readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { fileRanges } from '../../../src/data/ticks/read/file-ranges.js'
import { fromRows } from '../../../src/frame/table/from-rows.js'
import { type Footer, footerOf, schemaLine } from '../../../src/frame/table/parquet-file/footer.js'
import { toParquet } from '../../../src/frame/write-data.js'
import { tempDir } from '../../helper/temp.js'

const folder = join('data', 'sample', 'ticks')
const names = readdirSync(folder).sort()
const sample = readFileSync(join(folder, names[0] as string))
const runs = Number(process.env.RUNS ?? 100)

/** What DuckDB wrote, and what it says of it. */
const duck = join(tempDir(), 'duck.parquet')
let told: Record<string, unknown>[] = []

beforeAll(async () => {
  const db = await (await DuckDBInstance.create(':memory:')).connect()
  await db.run(`copy (select date '2026-01-05' as tradedate, '60000' || (i % 10) || '.SH' as symbol, time '09:15:03' + to_seconds(i % 600) as time,
    i * 0.01 as price, i::bigint as vol, (i * 1.5)::double as amount, [i, i + 1] as pair, timestamp '2026-01-05 09:15:00' as at,
    case when i % 3 = 0 then null else 'b' end as side from range(10000) t(i))
    to '${duck}' (format parquet, compression zstd, row_group_size 4096)`)
  const reader =
    await db.runAndReadAll(`select row_group_num_rows::int as rows, path_in_schema as path, compression, num_values::int as cells,
    total_compressed_size::int as bytes, stats_null_count::int as nulls from parquet_metadata('${duck}') order by row_group_id, column_id`)
  told = reader.getRowObjects()
})

/** The footer of a file with some bytes of it changed. */
async function outcome(bytes: Uint8Array): Promise<Footer | 'refused'> {
  try {
    return await footerOf(bytes)
  } catch (error) {
    expect(error).toMatchObject({ code: 'FILE', message: expect.stringContaining('not a whole Parquet file') })
    return 'refused'
  }
}

test('the files of the sample: rows, columns, times and day', async () => {
  const { ticks } = JSON.parse(readFileSync('data/sample/manifest.json', 'utf8'))
  for (const { file, day, rows, bytes } of ticks) {
    const footer = await footerOf(readFileSync(join('data/sample', file)))
    expect(footer).toMatchObject({ rows, bytes, from: '09:15:03', to: '09:25:00', days: [day, day] })
    expect(footer.rowGroups.flatMap(({ chunks }) => chunks).every(({ codec }) => codec === 'ZSTD')).toBe(true)
  }
  expect(schemaLine(await footerOf(sample))).toMatch(/^tradedate string, symbol string, time string, m_price double, /)
})

test('a file that DuckDB wrote, as DuckDB describes it; from an open file as from its bytes', async () => {
  const handle = await open(duck)
  try {
    const footer = await footerOf(fileRanges(handle, (await handle.stat()).size))
    expect(await footerOf(readFileSync(duck))).toEqual(footer)
    const ours = footer.rowGroups.flatMap(({ rows, chunks }) =>
      chunks.map(({ column, codec, start, end, values, nulls }) => ({
        rows,
        path: column.replaceAll('.', ', '),
        compression: codec,
        cells: values,
        bytes: end - start,
        nulls,
      })),
    )
    expect(ours).toEqual(told.map(({ nulls, ...rest }) => ({ ...rest, nulls: nulls ?? undefined })))
    expect(footer).toMatchObject({ rows: 10_000, days: ['20260105', '20260105'] })
    expect(schemaLine(footer)).toBe(
      'tradedate date, symbol string, time time[us], price decimal(22,2), vol int64, amount double, pair.list.element int64, at timestamp[us], side string',
    )
  } finally {
    await handle.close()
  }
})

test('a file of no rows is whole; anything else that is none is refused with its reason', async () => {
  const empty = await toParquet(fromRows([{ symbol: 'a' }]).slice(0, 0))
  expect(await footerOf(empty)).toMatchObject({ rows: 0, from: undefined, days: undefined })
  const said = (bytes: Uint8Array) => footerOf(bytes, 'day.parquet').catch((error: Error) => error.message)
  expect(await said(new Uint8Array(0))).toBe('day.parquet is not a whole Parquet file: it has 0 bytes')
  expect(await said(Buffer.from('<!doctype html><title>Log in</title>'))).toContain('does not begin with PAR1')
  expect(await said(sample.subarray(0, sample.length - 1))).toContain('does not end with PAR1')
  const long = Buffer.from(sample)
  long.writeUInt32LE(sample.length, sample.length - 8)
  expect(await said(long)).toContain('longer than the file')
  const encrypted = Buffer.from(sample)
  encrypted.write('PARE', sample.length - 4)
  expect(await said(encrypted)).toContain('encrypted')
})

test('a footer with any bytes in it is a footer or refused, at once', async () => {
  const length = sample.readUInt32LE(sample.length - 8) + 8
  const from = sample.length - length
  const change = fc.tuple(fc.integer({ min: from, max: sample.length - 1 }), fc.integer({ min: 0, max: 255 }))
  let [read, refused] = [0, 0]
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      const bytes = Buffer.from(sample)
      for (const [at, value] of changes) bytes[at] = value
      if ((await outcome(bytes)) === 'refused') refused++
      else read++
    }),
    { numRuns: runs },
  )
  expect(read).toBeGreaterThan(0)
  expect(refused).toBeGreaterThan(0)
})

function asFooter(footer: Uint8Array): Buffer {
  const end = Buffer.alloc(8)
  end.writeUInt32LE(footer.length)
  end.write('PAR1', 4)
  return Buffer.concat([Buffer.from('PAR1'), footer, end])
}

test('lengths that nothing follows make no room: lists of lists of 268 million, numbers without an end', async () => {
  const nested = Buffer.from([0x19, ...Array.from({ length: 20_000 }, () => [0xf9, 0xff, 0xff, 0xff, 0x7f]).flat()])
  expect(await outcome(asFooter(nested))).toBe('refused')
  expect(await outcome(asFooter(Buffer.concat([Buffer.from([0x16]), Buffer.alloc(2_000_000, 0xff)])))).toBe('refused')
  expect(await outcome(asFooter(Buffer.alloc(100_000, 0x1c)))).toBe('refused')
  expect(await outcome(asFooter(Buffer.from([0x19, 0xfc, 0xff, 0xff, 0xff, 0x07])))).toBe('refused')
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      expect(await outcome(asFooter(bytes))).toBe('refused')
    }),
    { numRuns: runs },
  )
})
