// Deep: files of every codec and type go through threads.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, expect, test } from 'vitest'
import { tempDir } from '../../../helper/temp.js'
import { seen, useTickLooks } from '../../../helper/tick-looks.js'

useTickLooks()

const folder = 'test/fixture/parquet'
const instance = await DuckDBInstance.create(':memory:')
const duck = await instance.connect()
afterAll(() => duck.closeSync())

/** What belongs to files of ticks and to no other. */
const ofTicks = ['day', 'time', 'null', 'duplicate']

/** Faults of a file as a Parquet file. */
async function faultsOf(bytes: Uint8Array): Promise<string[]> {
  const { findings } = await seen(bytes)
  const faults = findings.filter(({ severity, check }) => severity === 'fault' && !ofTicks.includes(check))
  return faults.map(({ check, what }) => `${check}: ${what}`)
}

async function duckRows(path: string): Promise<number> {
  return Number((await duck.runAndReadAll(`select count(*) from read_parquet('${path}')`)).getRows()[0]?.[0])
}

const refused: Readonly<Record<string, readonly string[]>> = {
  'no-columns.parquet': ['footer: it is not a whole Parquet file: its schema is not whole'],
  'no-numbers.parquet': ['number: f is infinite in 1 row'],
  'no-row-groups.parquet': ['rows: it has no rows'],
  'plain.parquet': [
    "decode: 1 of 1 row group can not be decoded; row group 1: column 'bytes' (Binary): row 1 holds bytes that are no UTF-8 text",
  ],
  'two-of-one-name.parquet': ["decode: 1 of 1 row group can not be decoded; row group 1: it has two columns 'a'"],
  'no-rows.parquet': [expect.stringMatching(/^(rows|footer): /) as unknown as string],
}

test.each(readdirSync(folder).filter((name) => name.endsWith('.parquet')))('%s is read whole', async (name) => {
  const bytes = readFileSync(join(folder, name))
  expect(await faultsOf(bytes)).toEqual(refused[name] ?? [])
  if (name in refused) return
  const { report, findings } = await seen(bytes)
  expect(report.rows).toBe(await duckRows(join(folder, name)))
  expect(findings.filter(({ check }) => check === 'crc')).toEqual([])
})

const all = `select i::tinyint a, i::utinyint b, i::smallint c, i::int d, i::uinteger e, i::bigint f, i::ubigint g, i::hugeint h,
  i / 7 as j, (i / 7)::float k, (i % 3 = 0) l, 's' || (i % 5) m, null::varchar n, date '2026-05-06' + i::int o, time '09:15:03' p,
  timestamp '2026-05-06 09:15:03' q, timestamptz '2026-05-06 09:15:03+08' r, (i / 100)::decimal(9, 2) s, 'x'::blob t,
  [i, null] w, {'x': i, 'y': ['z']} x, map {'k': i} y, repeat('y', i::int) z from range(100) t(i)`
const ticks = `select '20260506' tradedate, '000001.SZ' symbol, printf('09:%02d:%02d', 15 + i // 60, i % 60) as "time",
  i / 100 as m_price from range(500) t(i)`

const written: readonly (readonly [string, string, string])[] = [
  ...['uncompressed', 'snappy', 'gzip', 'zstd', 'brotli', 'lz4', 'lz4_raw'].flatMap((codec) =>
    ['v1', 'v2'].map(
      (version) => [`${codec}, ${version}`, ticks, `codec ${codec}, parquet_version ${version}`] as const,
    ),
  ),
  ['all types, v1', all, 'parquet_version v1'],
  ['all types, v2', all, 'parquet_version v2'],
  ['two rows a row group', ticks.replace('500', '6000'), 'row_group_size 2048'],
  ['no row', `${all} where false`, ''],
  ['a thousand columns', `select ${Array.from({ length: 1000 }, (_, at) => `${at} as c${at}`).join()}`, ''],
  ['a long text', "select repeat('长', 2000000) as s", ''],
  ['odd names', 'select 1 as " ", 2 as "a.b", 3 as "票""\n"', ''],
  ['no dictionary', ticks, 'dictionary_size_limit 1'],
]

test.each(written)('DuckDB: %s', async (_, select, options) => {
  const path = join(tempDir(), 'made.parquet')
  await duck.run(`copy (${select}) to '${path}' (format parquet${options ? `, ${options}` : ''})`)
  const rows = await duckRows(path)
  const bytes = readFileSync(path)
  if (rows === 0) expect((await faultsOf(bytes)).join()).toMatch(/^rows: it has no rows$|^footer: /)
  else {
    expect(await faultsOf(bytes)).toEqual([])
    expect((await seen(bytes)).report.rows).toBe(rows)
  }
})

test.each([
  ["'\\xFF\\xFE'::blob", /'odd' \(Binary\): row 1 holds bytes that are no UTF-8 text/],
  ['uuid()', /'odd' \(FixedSizeBinary\[16\]\): row \d+ holds bytes/],
  ["interval '3 days'", /'odd' \(Interval<DAY_TIME>\): a type that has no form here/],
])('a column of %s, which no reader can tell, is a fault', async (cell, what) => {
  const path = join(tempDir(), 'made.parquet')
  await duck.run(`copy (select ${cell} as odd from range(100)) to '${path}' (format parquet)`)
  const faults = await faultsOf(readFileSync(path))
  expect(faults).toEqual([expect.stringMatching(what)])
  expect(faults[0]).toMatch(/^decode: /)
})
