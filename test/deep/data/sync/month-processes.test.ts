// Deep: `quotebook sync` is killed, runs out of disk, and has a wrong clock.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { HttpSource } from '../../../../src/data/source/http-source.js'
import { syncArchive } from '../../../../src/data/sync/sync.js'
import { chances } from '../../../helper/chance.js'
import { main, quotebookBeside, type Ran } from '../../../helper/cli.js'
import { wrongDays } from '../../../helper/month.js'
import { faultsOn, moment, monthDays } from '../../../helper/month-faults.js'
import { MonthClock, MonthVendor, monthSeries } from '../../../helper/month-vendor.js'
import { command, damaged, endAll } from '../../../helper/served.js'
import { tempDir } from '../../../helper/temp.js'

const days = monthDays.slice(-14)
const [first, last] = [days[0] as string, days.at(-1) as string]
const datasets = monthSeries.map(({ name }) => name)
const clock = new MonthClock(0, 49)
let vendor: MonthVendor

beforeEach(async () => {
  clock.time = moment(last, '23:00')
  vendor = new MonthVendor(clock, first, last)
  await vendor.open()
  process.env.QUOTEBOOK_APIKEY = 'KEY'
})
afterEach(() => vendor.close())
afterAll(endAll)

const argsOf = (archive: string): string[] => {
  const address = vendor.url.replace('localhost', '127.0.0.1')
  return ['sync', '--source', address, '--archive', archive, '--from', first, '--datasets', datasets.join(',')]
}
const synced = (archive: string): Promise<Ran> => quotebookBeside(argsOf(archive), { QUOTEBOOK_APIKEY: 'KEY' })
const whole = { code: 0, err: expect.stringContaining(`${first} to ${last}`) }
const wrong = (dir: string) => wrongDays(dir, vendor, clock.time, first)

test('killed at ten moments and begun again, a sync brings what the vendor has', async () => {
  const own = join(tempDir(), 'own')
  const chance = chances(Number(process.env.SEED ?? 49))
  const before = vendor.requests
  expect(await synced(join(tempDir(), 'alone'))).toMatchObject(whole)
  const least = vendor.requests - before
  let killed = 0
  for (const share of Array.from({ length: 10 }, chance).sort()) {
    const target = vendor.requests + (share * least) / 4
    const [name = '', ...args] = argsOf(own)
    const { child, ended } = await command(name, ...args)
    while (child.exitCode === null && vendor.requests < target) await sleep(2)
    await sleep(300 * chance())
    child.kill('SIGKILL')
    if ((await ended)[1] === 'SIGKILL') killed++
    if (existsSync(join(own, 'manifest.json'))) expect(damaged(own)).toEqual([])
  }
  expect(killed).toBeGreaterThan(5)
  expect(await synced(own)).toMatchObject(whole)
  expect(await wrong(own)).toEqual([])
})

/** Ended with one clear line; what was stored is sound, and with room again the next sync brings the rest. */
async function expectGoesOn(own: string, failed: Pick<Ran, 'code' | 'err'>, makeRoom: () => void): Promise<void> {
  if (existsSync(join(own, 'manifest.json'))) expect(damaged(own)).toEqual([])
  makeRoom()
  expect(await synced(own)).toMatchObject(whole)
  expect(await wrong(own)).toEqual([])
  const last = failed.err.trim().split('\n').at(-1)
  expect([failed.code, last]).toEqual([1, expect.stringMatching(/^quotebook: .*\/own.*(full|no space|too large)/)])
}

test.each([100, 200, 400])('a disk of %d kB is full: the next sync goes on', async (size) => {
  const dir = join(tempDir(), 'disk')
  mkdirSync(dir)
  const mount = (how: string) => spawnSync('mount', ['-t', 'tmpfs', '-o', how, 'quotebook', dir]).status === 0
  if (!mount(`size=${size}k`)) return
  try {
    const own = join(dir, 'own')
    await expectGoesOn(own, await synced(own), () => mount('remount,size=64m'))
  } finally {
    spawnSync('umount', [dir])
  }
})

test('a file may not grow further: the next sync goes on', async () => {
  const own = join(tempDir(), 'own')
  const child = spawn('bash', ['-c', 'ulimit -f 24; exec "$@"', 'bash', process.execPath, main, ...argsOf(own)])
  let err = ''
  child.stderr.on('data', (piece) => {
    err += piece
  })
  const [code] = await once(child, 'close')
  await expectGoesOn(own, { code, err }, () => undefined)
})

test('a clock that was a year ahead for one sync: corrections are found all the same, and the pool of today is the newest', async () => {
  const own = join(tempDir(), 'own')
  vendor.faults = faultsOn(days, { 'values corrected': 5 })
  const source = new HttpSource({ nodes: [vendor.url], apikey: 'KEY', clock })
  for (const [at, day] of days.entries()) {
    clock.time = moment(day, '22:30')
    const ahead = at === 4 ? 365 * 24 * 3600_000 : 0
    await syncArchive(source, { archive: own, datasets, from: first, time: () => clock.time + ahead })
  }
  await source.close()
  expect(await wrong(own)).toEqual([])
})
