// Deep: a service of our own offers shares that expire on the way.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { HttpSource } from '../../../../src/data/source/http-source.js'
import { type FetchYearOptions, fetchYear } from '../../../../src/data/ticks/fetch/fetch-year.js'
import { failure } from '../../../helper/failure.js'
import { sameDays, sumsOf, wrongIn } from '../../../helper/fetched.js'
import { type RunOptions, runService } from '../../../helper/running-service.js'
import { putTicks } from '../../../helper/share.js'
import { tempDir, tempFile } from '../../../helper/temp.js'
import { folderOf, tickDays, tickFiles, year } from '../../../helper/tick-year.js'

const days = tickDays.slice(120, 160)
let files: Map<string, Uint8Array>
let dir: string
const closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  files = await tickFiles(days)
})

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const here = (): string => join(tempDir(), 'archive')

/** Our own service over the tick files, and a source that asks it. */
async function served(options: RunOptions = {}, apikey = 'any'): Promise<HttpSource> {
  dir = here()
  await putTicks(dir, Object.fromEntries(files))
  const service = await runService({ dir, ...options })
  const source = new HttpSource({ nodes: [service.url], apikey })
  closing.push(
    () => service.close(),
    () => source.close(),
  )
  return source
}

function keysOf(plan: string, apikey: string): string {
  const sha256 = createHash('sha256').update(apikey).digest('hex')
  const key = { name: 'tester', sha256, plan, expiry: null, rate: null, added: null }
  return tempFile('keys.json', JSON.stringify({ format: 1, keys: [key] }))
}

test('a share that expires in the middle, again and again: fresh ones are asked for, and nothing is lost', async () => {
  let now = Date.parse('2026-07-29T12:00:00+08:00')
  let expiries = 0
  const source = await served({ shares: { time: () => now, lifetime: 1000 } })
  const onProgress: FetchYearOptions['onProgress'] = ({ done }) => {
    if (done < (expiries + 1) * 8 || expiries === 4) return
    expiries++
    now += 2000 * 1000
  }
  const dest = here()
  expect(await fetchYear(source, { year, dest, onProgress, parallel: 2 })).toMatchObject({ fetched: 40 })
  expect(expiries).toBe(4)
  expect(sameDays(dest, files)).toEqual(days)
  expect(wrongIn(dest, sumsOf(files))).toEqual([])
})

test("a professional key's year begins later: that is explained, and what it sees is fetched", async () => {
  const time = (): number => Date.parse('2026-07-29T12:00:00+08:00')
  const source = await served({ keys: keysOf('professional', 'pro-key'), time, shares: { time } }, 'pro-key')
  const fetched = await fetchYear(source, { year, dest: here() })
  const seen = days.filter((day) => day >= '20250730')
  expect(fetched).toMatchObject({ fetched: seen.length, from: seen[0] })
  expect(seen.length).toBeLessThan(days.length)
  expect(fetched.notes).toEqual([
    `the share begins with 20250730, 138 trading days into the year: a professional key sees the last 365 days, today included; a flagship key all of the year`,
  ])
  const none = await failure(fetchYear(source, { year: 2024, dest: here() }))
  expect(none.message).toContain('has no auction ticks of 2024 for this key: a professional key sees the last 365 days')
})

test('a free key is told which plan it takes, a year to come that there is nothing yet', async () => {
  const free = await served({ keys: keysOf('free', 'free-key') }, 'free-key')
  const dest = here()
  const error = await failure(fetchYear(free, { year, dest }))
  expect(error).toMatchObject({ code: 'FORBIDDEN' })
  expect(error.message).toContain(
    'tick files take a key of a professional plan (the last 365 days) or a flagship plan (all years)',
  )
  const source = await served()
  expect((await failure(fetchYear(source, { year: 2999, dest }))).message).toContain('has no auction ticks of 2999 yet')
  expect(await failure(fetchYear(source, { year: 2021, dest }))).toMatchObject({ code: 'USAGE' })
})

test('a folder is not brought into the archive that it is a part of, which would clear it away', async () => {
  const dest = here()
  mkdirSync(dest)
  renameSync(folderOf(files), join(dest, 'ticks'))
  symlinkSync(dest, `${dest}-link`)
  for (const share of [join(dest, 'ticks'), `${dest}-link/ticks/`, `file://${dest}/ticks`]) {
    const error = await failure(fetchYear(undefined, { year, dest, share }))
    expect(error).toMatchObject({ code: 'USAGE' })
  }
  expect(readdirSync(join(dest, 'ticks'))).toHaveLength(files.size)
})
