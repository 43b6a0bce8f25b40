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
const failedWith = (word: RegExp) => ({ code: 1, err: expect.stringMatching(word) })
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

const disk = {
  dir: '',
  mount: (...args: string[]) => spawnSync('mount', ['-t', 'tmpfs', ...args, disk.dir]).status === 0,
}

test.each([200, 400, 700])(
  'a disk of %d kB is full: one clear line, and the next sync brings the rest',
  async (size) => {
    disk.dir = join(tempDir(), 'disk')
    mkdirSync(disk.dir)
    if (!disk.mount('-o', `size=${size}k`, 'quotebook')) return
    try {
      const own = join(disk.dir, 'own')
      expect(await synced(own)).toMatchObject(failedWith(/^[^\n]*\/own[^\n]*full[^\n]*\n$/))
      if (existsSync(join(own, 'manifest.json'))) expect(damaged(own)).toEqual([])
      disk.mount('-o', 'remount,size=64m', 'quotebook')
      expect(await synced(own)).toMatchObject(whole)
      expect(await wrong(own)).toEqual([])
    } finally {
      spawnSync('umount', [disk.dir])
    }
  },
)

test('a file may not grow further: one clear line, and the next sync brings the rest', async () => {
  const own = join(tempDir(), 'own')
  // In kilobytes of the shell.
  const limited = ['-c', 'ulimit -f 24; exec "$@"', 'bash', process.execPath, main, ...argsOf(own)]
  const child = spawn('bash', limited)
  let err = ''
  child.stderr.on('data', (piece) => {
    err += piece
  })
  const [code] = await once(child, 'close')
  expect({ code, err }).toMatchObject(failedWith(/^[^\n]*\/own[^\n]*(large|full)[^\n]*\n$/))
  if (existsSync(join(own, 'manifest.json'))) expect(damaged(own)).toEqual([])
  expect(await synced(own)).toMatchObject(whole)
  expect(await wrong(own)).toEqual([])
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
