import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, expect, test } from 'vitest'
import { objectsOf } from '../../../src/frame/read-columns.js'
import { type TickCheck, type VerifyOptions, verifyTicks } from '../../../src/ticks/verify/verify-ticks.js'
import { quotebook } from '../../helper/cli.js'
import { editManifest } from '../../helper/manifest.js'
import { tempDir } from '../../helper/temp.js'

const sample = 'data/sample'
const names = readdirSync(join(sample, 'ticks')).sort()
const [first, second, third] = names as [string, string, string]

const instance = await DuckDBInstance.create(':memory:')
const duck = await instance.connect()
afterAll(() => duck.closeSync())

/** A folder of the sample's first files, as somebody downloads them. */
function plain(count = 3): string {
  const dir = tempDir()
  for (const name of names.slice(0, count)) cpSync(join(sample, 'ticks', name), join(dir, name))
  return dir
}

/** The sample as an archive that may be spoilt. */
function archive(): string {
  const dir = tempDir()
  cpSync(sample, dir, { recursive: true })
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

const rowsIn = ({ table }: TickCheck): Row[] => objectsOf(table) as unknown as Row[]
const told = (check: TickCheck): string[] => rowsIn(check).map((row) => `${row.severity} ${row.check}: ${row.what}`)
const of = (check: TickCheck, name: string) => check.checks.find((one) => one.check === name)

async function found(dir: string, options: VerifyOptions = {}): Promise<string[]> {
  return told(await verifyTicks(dir, options))
}

test('the sample is sound, and all is checked but page checksums that it does not have', async () => {
  const progress: number[] = []
  const check = await verifyTicks(sample, { onProgress: ({ done, files }) => progress.push(done / files) })
  expect(told(check)).toEqual([])
  const { ok, files, rows, from, to } = check
  expect({ ok, files, rows, from, to }).toEqual({ ok: true, files: 60, rows: 29795, from: '20260506', to: '20260729' })
  expect(check.checks.filter(({ notMade }) => notMade > 0).map((one) => one.check)).toEqual(['crc'])
  expect(check.checks.filter(({ made }) => made > 0)).toHaveLength(19)
  expect([progress.length, progress.at(-1)]).toEqual([60, 1])
})

test('a plain folder: no manifest, no checksums, and it says so', async () => {
  const check = await verifyTicks(plain())
  expect([check.ok, told(check)]).toEqual([true, []])
  for (const name of ['size', 'sha256'])
    expect(of(check, name)).toMatchObject({ made: 0, notMade: 3, why: ['there is no manifest'] })
})

test('an archive: what is missing, other, cut, unknown, or left behind', async () => {
  const dir = archive()
  const at = (name: string): string => join(dir, 'ticks', name)
  rmSync(at(first))
  truncateSync(at(second), 20_000)
  const bytes = readFileSync(at(third))
  bytes[200] = (bytes[200] as number) ^ 1
  writeFileSync(at(third), bytes)
  cpSync(at(names[3] as string), at('20270101_aucde.parquet'))
  writeFileSync(at(`${first}.0a1b2c3d4e5f.part`), 'x')
  mkdirSync(join(dir, '.fetch'))
  writeFileSync(join(dir, '.fetch', '20260506.0a.part'), 'x')
  const check = await verifyTicks(dir)
  expect(check.ok).toBe(false)
  const lines = told(check)
  expect(lines).toContain('fault file: it is missing')
  expect(lines).toContainEqual(expect.stringMatching(/^fault size: it is 20000 bytes, the manifest says \d+ bytes$/))
  expect(lines).toContainEqual(expect.stringMatching(/^fault magic: it does not end with PAR1; it may be cut/))
  expect(
    rowsIn(check)
      .filter(({ day }) => day === third.slice(0, 8))
      .map((row) => row.check),
  ).toContain('sha256')
  expect(
    rowsIn(check)
      .filter(({ check }) => check === 'unlisted')
      .map(({ file }) => file),
  ).toEqual(['ticks/20270101_aucde.parquet'])
  expect(rowsIn(check).filter(({ check }) => check === 'leftover')).toHaveLength(2)
  expect(of(check, 'decode')).toMatchObject({ notMade: 2 })
})

test('an archive whose manifest counts other rows; one that has two files of a day is none', async () => {
  const dir = archive()
  editManifest(dir, ({ ticks: [first] }) => first && first.rows++)
  const lines = await found(dir)
  expect(lines).toContainEqual(expect.stringMatching(/^fault rows: it counts (\d+) rows, the manifest \d+$/))
  for (const field of ['day', 'file'] as const) {
    const odd = archive()
    editManifest(odd, ({ ticks: [one, other] }) => one && Object.assign(one, { [field]: other?.[field] }))
    await expect(verifyTicks(odd)).rejects.toMatchObject({
      code: 'ARCHIVE',
      message: expect.stringContaining('ticks['),
    })
  }
})

/** What one remade file of a plain folder of three brings to light. */
const made: readonly (readonly [string, string, readonly (string | RegExp)[]])[] = [
  [
    'another day inside',
    `select * exclude ("#") replace (if("#" = 7, '20260101', tradedate) as tradedate) from $`,
    [/fault day: tradedate is another day in 1 row, the first: "20260101" in row 7/],
  ],
  [
    'a time that is none',
    `select * exclude ("#") replace (if("#" in (3, 9), '09:75:00', "time") as "time") from $ where "#" < 10`,
    [/fault time: time is no time in 2 rows, the first: "09:75:00" in row 3/, /note order/, /fault duplicate/],
  ],
  [
    'a number as time that is none',
    `select * exclude ("#") replace (replace("time", ':', '')::int + if("#" = 4, 70, 0) as "time") from $ where "#" < 10`,
    [
      /fault time: time is no time in 1 row, the first: 91591 in row 4/,
      /note order/,
      /fault schema: against 20260506: time was string and is int32/,
      /fault schema: against 20260507: time was int32 and is string/,
    ],
  ],
  [
    'times with another day',
    `select * exclude ("#") replace (if("#" = 2, '2026-05-06', '2026-05-07') || ' ' || "time" as "time") from $`,
    [/fault time: time is of another day in 1 row, the first: "2026-05-06 09:15:09" in row 2/, /note order/],
  ],
  [
    'two ways of writing times',
    `select * exclude ("#") replace (if("#" % 2 = 0, replace("time", ':', ''), "time") as "time") from $`,
    [/note time: times are written in 2 ways: HH:MM:SS, HHMMSS/, /note order/],
  ],
  [
    'rows in another order',
    'select * exclude ("#") from $ order by "time", symbol',
    [/note order: row \d+ is not in the order of \(symbol, time\); they are sorted by \(time, symbol\)/],
  ],
  [
    'rows that stand twice',
    'select * exclude ("#") from (select * from $ union all select * from $ where "#" <= 3) order by symbol, "time"',
    [
      /fault duplicate: rows that stand before, equal in all columns: 3 rows, the first: 20260507 \S+ 09:15:03 in rows 1 and 2/,
    ],
  ],
  [
    'keys that stand twice',
    'select * exclude ("#") from (select * from $ union all select * replace (m_price + 1 as m_price) from $ where "#" = 5) order by symbol, "time"',
    [
      /fault duplicate: rows with a key \(tradedate, symbol, time\) that stands before, and other cells: 1 row, the first: 20260507 \S+ 09:15:27 in rows 5 and 6/,
    ],
  ],
  [
    'keys without a part',
    'select * exclude ("#") replace (if("#" = 5, null, symbol) as symbol) from $',
    [/fault null: symbol is missing in 1 row/],
  ],
  [
    'numbers that are none',
    `select * exclude ("#") replace (if("#" = 5, 'nan'::double, m_price) as m_price, if("#" < 3, '-inf'::double, auc_amt) as auc_amt) from $`,
    [/note number: m_price is NaN in 1 row/, /fault number: auc_amt is infinite in 2 rows/],
  ],
  [
    'a column that came and one that went',
    'select * exclude ("#", um_vol), 1 as extra from $',
    [
      /note schema: against 20260506: there is, and was not: extra \(int32\)/,
      /note schema: against 20260506: there was, and is not: um_vol \(double\)/,
      /note schema: against 20260507: there is, and was not/,
      /note schema: against 20260507: there was, and is not/,
    ],
  ],
  [
    'a column of another type',
    'select * exclude ("#") replace (m_price::float as m_price) from $',
    [
      /fault schema: against 20260506: m_price was double and is float/,
      /fault schema: against 20260507: m_price was float and is double/,
    ],
  ],
  [
    'columns in another order',
    'select m_price, * exclude ("#", m_price) from $',
    [/note schema: .*another order/, /note schema: .*another order/],
  ],
  ['no rows', 'select * exclude ("#") from $ where false', [/fault (rows|footer): /]],
]

test.each(made)('%s', async (_, select, expected) => {
  const dir = plain()
  await remake(join(dir, second), select)
  const lines = await found(dir)
  for (const pattern of expected) expect(lines).toContainEqual(expect.stringMatching(pattern))
  const others = lines.filter((line) => !expected.some((pattern) => new RegExp(pattern).test(line)))
  expect(others).toEqual([])
})

test('what has no column is not checked, by name', async () => {
  const dir = plain(1)
  await remake(join(dir, first), 'select m_price from $')
  const check = await verifyTicks(dir)
  expect(told(check)).toEqual([])
  expect(of(check, 'day')).toMatchObject({ made: 0, why: ['there is no column tradedate'] })
  expect(of(check, 'time')).toMatchObject({ made: 0, why: ['there is no column time'] })
  for (const name of ['order', 'duplicate', 'null'])
    expect(of(check, name)).toMatchObject({ made: 0, why: ['there is no column symbol'] })
})

test('numbers in `time` of a form that is not known are not checked', async () => {
  const dir = plain(1)
  await remake(join(dir, first), 'select * exclude ("#") replace (1780000000000 + "#" as "time") from $')
  expect(of(await verifyTicks(dir), 'time')?.why).toEqual([expect.stringMatching(/neither HHMMSS nor HHMMSSmmm/)])
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

test('days without a file: by the days given, by the other datasets, by the calendar', async () => {
  const dir = archive()
  let gone = { day: '', file: '' }
  editManifest(dir, ({ ticks }) => {
    gone = ticks.splice(10, 1)[0] ?? gone
  })
  rmSync(join(dir, gone.file))
  const line = 'fault missing: there is no file of this trading day'
  expect(await found(dir)).toEqual([`${line} (convertible_daily, theme_daily, the trading calendar)`])
  expect(await found(join(dir, 'ticks'))).toEqual([`${line} (the trading calendar)`])
  expect(await found(dir, { days: [gone.day] })).toContain(`${line} (the days given)`)
  const sparse = plain()
  for (const name of readdirSync(sparse)) renameSync(join(sparse, name), join(sparse, name.replace(/^\d{6}/, '205001')))
  const later = await verifyTicks(sparse)
  expect(of(later, 'missing')).toMatchObject({ made: 0, why: ['the trading calendar knows 2022 to 2026 only'] })
})

test('names that are of no day, and what is no tick file', async () => {
  const dir = plain(1)
  cpSync(join(dir, first), join(dir, '20261399_aucde.parquet'))
  cpSync(join(dir, first), join(dir, '20260506_aucde (1).parquet'))
  writeFileSync(join(dir, '20260508_aucde.parquet.crdownload'), '')
  expect(rowsIn(await verifyTicks(dir)).map(({ check, severity, file }) => [check, severity, file])).toEqual([
    ['unlisted', 'note', '20260506_aucde (1).parquet'],
    ['leftover', 'note', '20260508_aucde.parquet.crdownload'],
    ['name', 'fault', '20261399_aucde.parquet'],
  ])
})

test('a folder that is none, has nothing, or an order to stop', async () => {
  await expect(verifyTicks('/nowhere')).rejects.toMatchObject({ code: 'FILE' })
  await expect(verifyTicks(tempDir())).rejects.toMatchObject({ code: 'FILE' })
  const stop = new AbortController()
  const reason = new Error('enough')
  await expect(verifyTicks(sample, { signal: stop.signal, onProgress: () => stop.abort(reason) })).rejects.toBe(reason)
})

test('a decoder that breaks down over one file costs no other file anything', async () => {
  const dir = plain(8)
  const spoilt = names.slice(0, 8).filter((_, at) => at % 2 === 0)
  for (const name of spoilt) {
    const bytes = readFileSync(join(dir, name))
    bytes[4] = (bytes[4] as number) ^ 64
    writeFileSync(join(dir, name), bytes)
  }
  for (const threads of [1, 4]) {
    const check = await verifyTicks(dir, { threads })
    const faults = rowsIn(check).filter(({ severity }) => severity === 'fault')
    expect(faults.map(({ file, check }) => [file, check])).toEqual(spoilt.map((name) => [name, 'decode']))
    expect(faults[0]?.what).toBe('row group 1 of 1: its decoder broke down (unreachable)')
    expect(of(check, 'order')).toMatchObject({ made: 4, notMade: 4, why: ['it can not be decoded'] })
  }
})

test('the same findings whatever the number of threads', async () => {
  const dir = plain(6)
  for (const name of [first, third]) truncateSync(join(dir, name), 9000)
  await remake(join(dir, second), 'select * exclude ("#") from $ order by "time"')
  const [one, four] = [await verifyTicks(dir, { threads: 1 }), await verifyTicks(dir, { threads: 4 })]
  expect(rowsIn(four)).toEqual(rowsIn(one))
  expect(four.checks).toEqual(one.checks)
})

test('the command: a table of what is wrong, and an exit code', () => {
  const sound = quotebook(['ticks', 'verify', '--source', sample])
  expect([sound.code, sound.out]).toEqual([0, ''])
  expect(sound.err).toMatch(/60 files, 29795 rows, 20260506 to 20260729[\s\S]*nothing is wrong/)
  const dir = plain()
  truncateSync(join(dir, second), 9000)
  const bad = quotebook(['ticks', 'verify', '--source', dir])
  expect(bad.code).toBe(1)
  expect(bad.out).toMatch(/20260507 .*magic .*fault/)
  expect(bad.err).toMatch(/without checksums a changed number inside a page can not be seen\n2 faults, 0 notes/)
  const json = JSON.parse(quotebook(['ticks', 'verify', '--source', dir, '--format', 'json']).out)
  expect(json.map(({ check }: Row) => check)).toEqual(['magic', 'footer'])
})

test('the command shows what was found in full, and how a file that changed on the disk comes again', () => {
  const dir = tempDir()
  cpSync(sample, dir, { recursive: true })
  const file = join(dir, 'ticks', '20260729_aucde.parquet')
  const bytes = readFileSync(file)
  bytes[3000] = (bytes[3000] as number) ^ 1
  writeFileSync(file, bytes)
  const bad = quotebook(['ticks', 'verify', '--source', dir])
  expect(bad.code).toBe(1)
  expect(bad.out).toMatch(/ sha256 +fault +it is [0-9a-f]{12}…, the manifest says [0-9a-f]{12}…\n/)
  expect(bad.err).toMatch(/delete it, and quotebook ticks fetch brings it again\n$/)
})
