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
