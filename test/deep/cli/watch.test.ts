// Deep: processes that watch a service for seconds.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { importFiles } from '../../../src/data/archive/import/import-files.js'
import { changedRow } from '../../helper/changed-row.js'
import { main, root } from '../../helper/cli.js'
import { type Running, runService } from '../../helper/running-service.js'
import { archiveCopy } from '../../helper/served.js'

const bonds = datasetOf('convertible_daily')

interface Watching {
  /** Waits until stdout has so many lines more than were taken, and takes them, as JSON. */
  take(count: number): Promise<Record<string, unknown>[]>
  err(): string
  kill(signal: NodeJS.Signals): void
  readonly ended: Promise<number | null>
}

function watching(...args: readonly string[]): Watching {
  const { QUOTEBOOK_SOURCE: _, QUOTEBOOK_CACHE: __, ...own } = process.env
  const env = { ...own, LC_ALL: 'C' }
  const child = spawn(process.execPath, [main, 'watch', ...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err, taken] = ['', '', 0]
  child.stdout.on('data', (piece) => {
    out += piece
  })
  child.stderr.on('data', (piece) => {
    err += piece
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const lines = (): string[] => out.split('\n').slice(taken, -1)
  return {
    async take(count) {
      while (lines().length < count && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20))
      const found = lines().slice(0, count)
      taken += found.length
      return found.map((line) => JSON.parse(line))
    },
    err: () => err,
    kill: (signal) => child.kill(signal),
    ended,
  }
}

let dir: string
let service: Running

beforeAll(async () => {
  dir = archiveCopy()
  service = await runService({ dir })
})
afterAll(() => service.close())

const source = (): string[] => ['--source', service.url, '--every', '0.1']
const close = async (code: string, value: number) => importFiles(dir, bonds, [await changedRow(dir, code, value)])

test('in a pipe: a JSON line for each row, then for each that an import changes; Ctrl-C ends it well', async () => {
  const watch = watching('convertible_daily', 'symbols=123124,110059', '--fields', 'close', ...source())
  const key = (code: string) => ({ tradedate: '20260729', code })
  const [first, second] = await watch.take(2)
  expect(first).toEqual({
    change: 'new',
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/),
    newest: '2026-07-29',
    state: await service.archive.state(),
    row: { ...key('110059.SH'), close: 140.591 },
  })
  expect(second?.row).toEqual({ ...key('123124.SZ'), close: 148.875 })
  await close('127018.SZ', 1)
  await close('123124.SZ', 99.5)
  const [changed] = await watch.take(1)
  expect(changed).toMatchObject({
    change: 'changed',
    before: { close: 148.875 },
    row: { ...key('123124.SZ'), close: 99.5 },
  })
  expect(changed?.state).toBe(await service.archive.state())
  watch.kill('SIGINT')
  expect([await watch.ended, watch.err(), await watch.take(1)]).toEqual([0, '', []])
  const answers = service.entries.filter(({ route }) => route === 'api')
  const idle = answers.filter(({ status }) => status === 412)
  expect(idle.every(({ rows, bytes }) => rows === 0 && bytes === 0)).toBe(true)
  expect(answers.length - idle.length).toBe(2)
})

test('--when tells a row when it begins to match, once, and again after it has stopped; columns that it reads come along', async () => {
  await close('123124.SZ', 120)
  const when = ['--when', 'close < 100', '--fields', 'name']
  const watch = watching('convertible_daily', 'symbols=123124', ...when, ...source())
  const seen = service.entries.length
  while (service.entries.length < seen + 2) await new Promise((resolve) => setTimeout(resolve, 20))
  for (const value of [99, 98, 101, 97]) {
    await close('123124.SZ', value)
    const before = service.entries.length
    while (service.entries.length < before + 3) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const lines = await watch.take(2)
  expect(lines.map(({ change, row }) => [change, row])).toEqual(
    [99, 97].map((value) => ['alert', { tradedate: '20260729', code: '123124.SZ', name: '云帆转债', close: value }]),
  )
  watch.kill('SIGTERM')
  expect([await watch.ended, await watch.take(1)]).toEqual([0, []])
})

test('--once ends with the first rows that match, or with the first change; interrupted before, it says so by its code', async () => {
  await close('123124.SZ', 120)
  const args = ['convertible_daily', 'symbols=123124', '--once', ...source()]
  const matching = watching(...args, '--when', 'close > 100')
  expect([await matching.ended, (await matching.take(2)).map(({ change }) => change)]).toEqual([0, ['alert']])
  const changing = watching(...args)
  await changing.take(1)
  await close('123124.SZ', 121)
  expect([await changing.ended, (await changing.take(2)).map(({ change }) => change)]).toEqual([0, ['changed']])
  const waiting = watching(...args, '--when', 'close > 1000')
  const seen = service.entries.length
  while (service.entries.length < seen + 3) await new Promise((resolve) => setTimeout(resolve, 20))
  waiting.kill('SIGINT')
  expect([await waiting.ended, await waiting.take(1)]).toEqual([130, []])
})
