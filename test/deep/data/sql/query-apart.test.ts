// Deep: queries in processes of their own, which are killed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { runApart } from '../../../../src/data/sql/query-apart.js'
import { runQuery, type SqlParams } from '../../../../src/data/sql/run-query.js'
import type { RecordColumns } from '../../../../src/frame/table/values.js'
import { bundled } from '../../../helper/bundle.js'
import { until } from '../../../helper/many.js'
import { sqlProcesses, watchPeaks } from '../../../helper/sql-processes.js'
import { useOwnTemp } from '../../../helper/temp.js'

useOwnTemp()

const memory = 2 ** 28
const endless = "select levenshtein(repeat('a', 220000), repeat('b', 220000)) as d"

const jobOf = (text: string, more: { params?: SqlParams; signal?: AbortSignal; relations?: RelationsOf } = {}) => ({
  text,
  relations: new Map<string, RecordColumns>(),
  views: { files: [], statements: [] },
  known: [],
  params: undefined,
  signal: undefined,
  memory,
  ...more,
})
type RelationsOf = ReadonlyMap<string, RecordColumns>

const failing = (work: Promise<unknown>) =>
  work.then(
    () => ({ code: '', message: 'no error' }),
    ({ code, message }) => ({ code, message }),
  )

const given: RelationsOf = new Map([
  [
    'bars',
    {
      length: 3,
      columns: new Map<string, never>([
        ['code', { type: 'dictionary', data: Int32Array.of(0, 1, -1), dictionary: ['a', 'b'] } as never],
        ['close', { type: 'float', data: Float64Array.of(1.5, Number.NaN, 3) } as never],
        ['tags', { type: 'list', data: [['x'], null, []] } as never],
      ]),
    },
  ],
])

test('usual queries share a process, which has nothing of the environment', async () => {
  // The first test of the file: a process that earlier queries have let grow ends after its next one.
  process.env['QUOTEBOOK_APIKEY'] = 'secret-of-the-environment'
  await runApart(jobOf('select 1 as one'))
  const before = sqlProcesses()
  expect(before.length).toBeGreaterThan(0)
  await runApart(jobOf('select 2 as two'))
  await failing(runApart(jobOf('select 2 as two, 3 as two')))
  expect(sqlProcesses()).toEqual(before)
  for (const pid of before) expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('secret')
  delete process.env['QUOTEBOOK_APIKEY']
})

test('a process is kept however large the one is that asks', async () => {
  const large = Buffer.alloc(300_000_000, 1)
  const both = () => Promise.all(['select 1 as one', 'select 2 as two'].map((text) => runApart(jobOf(text))))
  await both()
  const before = sqlProcesses()
  await both()
  expect([sqlProcesses(), large.length]).toEqual([before, 300_000_000])
})

test.each<[string, { params?: SqlParams; relations?: RelationsOf }?]>([
  ['select 1 as one, null as none, 1.5::double as half, true as yes'],
  ["select x, x / 7 as y, nullif(x % 3, 0) as z, 'c' || (x % 1000) as code from range(100000) t(x) order by x"],
  ["select ['a', 'b'] as list, {'a': 1, 'b': [date '2026-07-01']} as nested, time '09:30:00' as at"],
  ['select repeat(chr(97 + (x % 26)::int), 3000) || x as long from range(5000) t(x)'],
  ['select x as nothing from range(5) t(x) where x > 9'],
  ['create table t as select x from range(9) t(x); select sum(x) as s from t'],
  ['select code, close, tags, $1 as given from bars order by close nulls last', { params: ['p'], relations: given }],
])(
  '%s: the same rows in a process of its own',
  async (text: string, more: { params?: SqlParams; relations?: RelationsOf } = {}) => {
    expect(await runApart(jobOf(text, more))).toEqual(await runQuery(jobOf(text, more)))
  },
)

test.each([
  ["select repeat('x', 2000000000) as t"],
  ['select len(list(x)) as n from range(100000000) t(x)'],
  ['select len(range(400000000)) as n'],
  ["select sum(jaccard(repeat('abc', 90000000), repeat('abd', 90000000)) + x) as j from range(2000) t(x)"],
  ['pivot (select x % 5000 as c, x % 3000 as r, x as v from range(15000000) t(x)) on c using list(v) group by r'],
])('%s: ends at the limit, with an error of one line, and the next query is answered', async (text) => {
  const peaks = watchPeaks()
  const { code, message } = await failing(runApart(jobOf(text)))
  expect(message).toMatch(/^the query needs more memory than the 256MiB it may take/)
  expect([code, message.includes('\n')]).toEqual(['SQL', false])
  expect((await runApart(jobOf('select 1 as one'))).length).toBe(1)
  const all = peaks()
  expect(Math.max(...all)).toBeGreaterThan(2 ** 25)
  expect(Math.max(...all)).toBeLessThanOrEqual(memory)
})

test('whatever it computes, a query ends when the signal says so, and its process and folder are gone then', async () => {
  const controller = new AbortController()
  await runApart(jobOf('select 1 as one'))
  const [own] = sqlProcesses().slice(-1)
  const all = sqlProcesses()
  const asked = runApart(jobOf(endless, { signal: controller.signal }))
  setTimeout(() => controller.abort(new Error('enough')), 300)
  await expect(asked).rejects.toThrow('enough')
  expect(sqlProcesses()).toEqual(all.filter((pid) => pid !== own))
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('quotebook-sql-'))).toEqual([])
  expect((await runApart(jobOf('select 1 as one'))).length).toBe(1)
  await expect(runApart(jobOf(endless, { signal: AbortSignal.abort(new Error('before')) }))).rejects.toThrow('before')
})

test('a process that is killed is an error, and the next query begins with another', async () => {
  const before = sqlProcesses()
  const asked = failing(runApart(jobOf(endless)))
  await new Promise((resolve) => setTimeout(resolve, 300))
  for (const pid of sqlProcesses()) process.kill(pid, 'SIGKILL')
  expect(await asked).toEqual({ code: 'SQL', message: 'the process that ran the query has ended (SIGKILL)' })
  expect((await runApart(jobOf('select 1 as one'))).length).toBe(1)
  expect(before).not.toContain(sqlProcesses()[0])
})

test('a query ends with the process that asked', async () => {
  const file = await bundled(`
    import { runApart } from './src/data/sql/query-apart.ts'
    const rest = { relations: new Map(), views: { files: [], statements: [] }, known: [], memory: 2 ** 28 }
    await runApart({ ...rest, text: 'select 1 as one' })
    console.log('begun')
    await runApart({ ...rest, text: ${JSON.stringify(endless)} })
  `)
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  const [own = 0] = sqlProcesses(child.pid)
  expect(own).toBeGreaterThan(0)
  child.kill('SIGKILL')
  const lives = (): boolean => {
    try {
      return process.kill(own, 0)
    } catch {
      return false
    }
  }
  await until(() => !lives())
})

test('a process that waits for a query keeps nobody', async () => {
  const file = await bundled(`
    import { runApart } from './src/data/sql/query-apart.ts'
    const rest = { relations: new Map(), views: { files: [], statements: [] }, known: [], memory: 2 ** 28 }
    console.log((await runApart({ ...rest, text: 'select 1 as one' })).length)
  `)
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
  expect(await once(child, 'exit')).toEqual([0, null])
})
