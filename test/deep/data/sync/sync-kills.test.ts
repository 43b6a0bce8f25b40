// Deep: a sync is killed again and again.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { writeSample } from '../../../../src/cli/write-sample.js'
import { datasetOf, datasets } from '../../../../src/contract/catalogue.js'
import { Archive } from '../../../../src/data/archive/archive.js'
import { HttpSource } from '../../../../src/data/source/http-source.js'
import type { QueryOptions } from '../../../../src/data/source/source.js'
import { rangeParams } from '../../../../src/data/sync/plan-sync.js'
import { syncArchive } from '../../../../src/data/sync/sync.js'
import { syncable, syncSeriesOf } from '../../../../src/data/sync/sync-series.js'
import { toObjects } from '../../../../src/frame/read-columns.js'
import { cases } from '../../../helper/cases.js'
import { chances } from '../../../helper/chance.js'
import { type FaultLine, faultLine } from '../../../helper/fault-line.js'
import { sampleArchive } from '../../../helper/running-service.js'
import { command, damaged, endAll, type Served, served } from '../../../helper/served.js'
import { tempDir } from '../../../helper/temp.js'

afterAll(endAll)

/** YEAR=1: the 250 days of a year and a hundred kills, some 25 minutes. */
const isYear = process.env.YEAR !== undefined
const kills = Number(process.env.KILLS ?? (isYear ? 100 : 4))
const seed = Number(process.env.SEED ?? 20_260_730)
const latest = '20260729'

async function made(): Promise<string> {
  const dir = join(tempDir(), 'year')
  await writeSample(dir, { days: 250, hostile: true })
  return dir
}

/** The questions whose answers together are all that an archive has. */
function allOf(from: string): [name: string, params: object, options: QueryOptions][] {
  return syncable.flatMap((name) =>
    syncSeriesOf(datasetOf(name), ['1001']).map((series): [string, object, QueryOptions] => {
      const { dataset, params, way } = series
      const start = [from, dataset.since ?? '', dataset.cache?.since ?? ''].sort().at(-1) as string
      if (way === 'snapshot') return [name, params, {}]
      if (way === 'day') return [name, params, { days: { from: start, to: latest } }]
      return [name, { ...params, [rangeParams(series)[0]]: start }, {}]
    }),
  )
}

/** What no reply tells of an announcement: the record of a version, its report period, the time of a day. */
const isUntold = (name: string, params: Record<string, unknown>): boolean =>
  (name === 'finance_announcement' && params.version !== 'all') || params.tradedate === '20250820'

async function expectSame(truth: Archive, own: Archive, name: string, params: object, options: QueryOptions) {
  const rows = async (archive: Archive): Promise<string[]> => {
    const all = toObjects(await archive.query(datasetOf(name), params, options)).map((row) => JSON.stringify(row))
    // Announcements of a day without a time stand in an order of their own.
    return name === 'finance_announcement' ? all.sort() : all
  }
  expect([name, params, await rows(own)]).toEqual([name, params, await rows(truth)])
}

/** Requests of an action. */
async function sentBy(line: FaultLine, action: () => Promise<unknown>): Promise<readonly string[]> {
  const before = line.answered.length
  await action()
  return line.answered.slice(before)
}

/** How long what came waits for others at most before it is stored, with the time that storing takes. Milliseconds. */
const storedWithin = 2000

/**
 * A sync in a process of its own, killed when the service has answered so many requests and a moment has gone by.
 * @returns how many it had answered within the last second; undefined where it had ended before
 */
async function killedSync(
  line: FaultLine,
  args: readonly string[],
  target: number,
  moment: number,
): Promise<number | undefined> {
  const { child, ended } = await command('sync', ...args)
  const counts: number[] = []
  const clock = setInterval(() => counts.push(line.answered.length), 100)
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  while (!hasEnded && line.answered.length < target) await sleep(2)
  await sleep(moment)
  child.kill('SIGKILL')
  clearInterval(clock)
  const before = counts.at(-storedWithin / 100) ?? counts[0] ?? line.answered.length
  return (await ended)[1] === 'SIGKILL' ? line.answered.length - before : undefined
}

test('killed again and again on a bad line, a sync asks for hardly more than one that is left alone, and brings the same', {
  timeout: 3_600_000,
}, async () => {
  const dir = isYear ? await made() : sampleArchive
  const from = isYear ? '20250718' : '20260720'
  const chance = chances(seed)
  let service: Served = await served('--archive', dir, '--port', '0')
  const line = await faultLine(service.url, seed)
  process.env.QUOTEBOOK_APIKEY = 'KEY'

  line.isFaulty = false
  const source = new HttpSource({ nodes: [line.url], apikey: 'KEY' })
  const alone = { archive: join(tempDir(), 'alone'), themes: ['1001'] }
  const least = await sentBy(line, () => syncArchive(source, { ...alone, from }))
  const leastAgain = await sentBy(line, () => syncArchive(source, alone))
  await source.close()

  line.isFaulty = true
  const own = join(tempDir(), 'own')
  const args = ['--source', line.url, '--archive', own, '--from', from, '--themes', '1001']
  const begun = line.answered.length
  const targets = Array.from({ length: kills }, () => begun + least.length * chance()).sort((a, b) => a - b)
  let [killed, last] = [0, 0]
  for (const [n, target] of targets.entries()) {
    const lost = await killedSync(line, args, target, 400 * chance())
    if (lost !== undefined) killed++
    last += lost ?? 0
    if (existsSync(join(own, 'manifest.json'))) expect(damaged(own)).toEqual([])
    if (n % 10 !== 3) continue
    // The service is killed too, while it is being asked, and comes back.
    service.child.kill('SIGKILL')
    setTimeout(async () => {
      service = await served('--archive', dir, '--port', '0')
      line.upstream = service.url
    }, 1000 * chance())
  }
  const whole = await command('sync', ...args)
  expect([await whole.ended, whole.err()]).toEqual([[0, null], expect.stringContaining(`${from} to ${latest}`)])
  const sent = line.answered.slice(begun)
  const again = await sentBy(line, async () => (await command('sync', ...args)).ended)
  const figures = { least: least.length, sent: sent.length, kills: killed, again: again.length, due: leastAgain.length }
  if (isYear) console.log(JSON.stringify({ ...figures, ratio: sent.length / least.length, faults: [...line.faults] }))

  expect(existsSync(join(own, '.unfinished-sync'))).toBe(false)
  const [truth, found] = [new Archive(dir, 'truth'), new Archive(own, 'own')]
  for (const [name, params, options] of allOf(from)) {
    await expectSame(truth, found, name, params, { ...options, whole: true })
  }
  for (const [name, params, , fields] of isYear ? cases : []) {
    if (!isUntold(name, params)) await expectSame(truth, found, name, params, fields ? { fields } : {})
  }
  expect(again.length / leastAgain.length).toBeLessThanOrEqual(1.05)
  // Under way when it is killed: four questions of up to 17 requests. When it is begun again the latest day is asked for: of each
  // dataset that has all days, since none of them shows the day on which this runs. Of the latest day, a question.
  const showing = datasets.filter(({ name }) => datasetOf(name).load?.showsLatestDay).length
  const settled = (all: readonly string[]): number =>
    all.filter((one) => !one.includes(`"tradedate":"${latest}"`)).length
  expect(settled(sent) - settled(least)).toBeLessThanOrEqual(last + killed * (4 * 17 + showing))
  await line.close()
})
