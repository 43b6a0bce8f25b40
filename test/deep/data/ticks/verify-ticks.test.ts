// Deep: threads decode large files, and break down.
import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, expect, test } from 'vitest'
import { type TickCheck, type VerifyOptions, verifyTicks } from '../../../../src/data/ticks/verify/verify-ticks.js'
import { toObjects } from '../../../../src/frame/read-columns.js'
import { editManifest } from '../../../helper/manifest.js'
import { archiveCopy } from '../../../helper/served.js'
import { tempDir } from '../../../helper/temp.js'

const sample = 'data/sample'
const names = readdirSync(join(sample, 'ticks')).sort()
const [first] = names as [string]

const instance = await DuckDBInstance.create(':memory:')
const duck = await instance.connect()
afterAll(() => duck.closeSync())

/** A folder of the sample's first files, as somebody downloads them. */
function plain(count = 3): string {
  const dir = tempDir()
  for (const name of names.slice(0, count)) cpSync(join(sample, 'ticks', name), join(dir, name))
  return dir
}

/** Rewrites a file by SQL over its rows. */
async function remake(path: string, select: string, options = ''): Promise<void> {
  const other = `${path}.made`
  const from = `(select *, row_number() over () as "#" from read_parquet('${path}'))`
  await duck.run(`copy (${select.replaceAll('$', from)}) to '${other}' (format parquet, codec zstd${options})`)
  renameSync(other, path)
}

type Row = { day: string | null; file: string | null; check: string; severity: string; what: string }

const rowsIn = ({ table }: TickCheck): Row[] => toObjects(table) as unknown as Row[]
const told = (check: TickCheck): string[] => rowsIn(check).map((row) => `${row.severity} ${row.check}: ${row.what}`)
const of = (check: TickCheck, name: string) => check.checks.find((one) => one.check === name)

async function found(dir: string, options: VerifyOptions = {}): Promise<string[]> {
  return told(await verifyTicks(dir, options))
}

test('an archive whose manifest counts other rows; one that has two files of a day is none', async () => {
  const dir = archiveCopy()
  editManifest(dir, ({ ticks: [first] }) => first && first.rows++)
  const lines = await found(dir)
  expect(lines).toContainEqual(expect.stringMatching(/^fault rows: it counts (\d+) rows, the manifest \d+$/))
  for (const field of ['day', 'file'] as const) {
    const odd = archiveCopy()
    editManifest(odd, ({ ticks: [one, other] }) => one && Object.assign(one, { [field]: other?.[field] }))
    await expect(verifyTicks(odd)).rejects.toMatchObject({
      code: 'ARCHIVE',
      message: expect.stringContaining('ticks['),
    })
  }
})

test('duplicates are found across row groups and pieces', async () => {
  const dir = plain(1)
  const many = `select '20260506' as tradedate, printf('%06d.SZ', i // 300) as symbol, printf('09:%02d:%02d', i % 300 // 60, i % 60) as "time", i as v from range(300000) t(i)`
  await remake(
    join(dir, first),
    `(${many}) union all (select * replace (-1 as v) from (${many}) where v = 299999) union all (select * from (${many}) where v = 150000)`,
    ', row_group_size 100000',
  )
  const check = await verifyTicks(dir)
  expect(check.rows).toBe(300_002)
  expect(told(check).join('\n')).toMatch(
    /equal in all columns: 1 row, the first: 20260506 000500.SZ 09:00:00 in rows 150001 and 300002/,
  )
  expect(told(check).join('\n')).toMatch(
    /and other cells: 1 row, the first: 20260506 000999.SZ 09:04:59 in rows 300000 and 300001/,
  )
})

test('a decoder that breaks down over one file costs no other file anything', async () => {
  const dir = plain(8)
  const broken = names.slice(0, 8).filter((_, at) => at % 2 === 0)
  for (const name of broken) {
    const bytes = readFileSync(join(dir, name))
    bytes[4] = (bytes[4] as number) ^ 64
    writeFileSync(join(dir, name), bytes)
  }
  for (const threads of [1, 4]) {
    const check = await verifyTicks(dir, { threads })
    const faults = rowsIn(check).filter(({ severity }) => severity === 'fault')
    expect(faults.map(({ file, check }) => [file, check])).toEqual(broken.map((name) => [name, 'decode']))
    expect(faults[0]?.what).toMatch(/^row group 1 of 1: its decoder broke down/)
    expect(of(check, 'order')).toMatchObject({ made: 4, notMade: 4, why: ['it can not be decoded'] })
  }
})
