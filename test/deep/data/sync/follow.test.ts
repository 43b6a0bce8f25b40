// Deep: two weeks of a followed archive, and waits for locks.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Table } from 'apache-arrow'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { beijingTime } from '../../../../src/contract/date.js'
import { Archive } from '../../../../src/data/archive/archive.js'
import { readFollowStatus } from '../../../../src/data/archive/follow-status.js'
import { storeOf } from '../../../../src/data/archive/store/store-of.js'
import type { Source } from '../../../../src/data/source/source.js'
import { SourceError } from '../../../../src/data/source/source-error.js'
import { type FollowOptions, type FollowRun, followArchive } from '../../../../src/data/sync/follow.js'
import { jitterOf } from '../../../../src/data/sync/follow-schedule.js'
import { syncable } from '../../../../src/data/sync/sync-series.js'
import { toObjects } from '../../../../src/frame/read-columns.js'
import { digest } from '../../../../src/frame/table/digest.js'
import { serveMetrics } from '../../../../src/server/service/metrics-server.js'
import { mended } from '../../../data/sync/mended.js'
import { at, SleptTime, TimedSource } from '../../../data/sync/timed-source.js'
import { tempDir } from '../../../helper/temp.js'

/** The runs of a follower that is told to end at a moment. */
async function runsUntil(end: string, clock: SleptTime, source: Source, options: FollowOptions) {
  const stop = new AbortController()
  const runs: FollowRun[] = []
  const sleep: SleptTime['sleep'] = async (milliseconds, signal) => {
    if (clock.time + milliseconds > at(end)) stop.abort()
    await clock.sleep(milliseconds, signal)
  }
  const own = { now: clock.now, chance: clock.chance, sleep }
  const given = { ...options, clock: own, time: clock.now, signal: stop.signal }
  for await (const run of followArchive(source, given)) runs.push(run)
  return runs
}

/** Runs by the times that are declared, the jitter taken off: `16 09:05 st`. */
function shown(runs: readonly FollowRun[], dir: string): string[] {
  return runs.map(({ at: began, datasets, late }) => {
    const time = beijingTime(at(began.slice(0, 19)) - jitterOf(dir))
    return `${time.slice(8, 16).replace('T', ' ')} ${datasets.join(' ')}${late.length > 0 ? ` (late: ${late})` : ''}`
  })
}

const bars = 'convertible_minute etf_minute'
const close = 'hotstock theme_daily convertible_daily thememembers_jx'
const evening = (day: number): string[] => [
  `${day} 18:30 southbound_top10 anomaly_forecast`,
  `${day} 20:30 transfer_financing`,
  `${day} 22:10 finance_announcement`,
]
const morning = (day: number): string[] => [
  `${String(day).padStart(2, '0')} 00:45 theme_lib_detail_kp`,
  `${day} 09:05 st`,
  `${day} 11:40 ${bars}`,
]
const whole = (day: number): string[] => [
  ...morning(day),
  `${day} 15:30 ${close}`,
  `${day} 15:40 ${bars}`,
  ...evening(day),
]
const rest = (day: number): string[] => [`${day} 00:45 theme_lib_detail_kp`, `${day} 22:10 finance_announcement`]

const inAnyOrder = (table: Table): string =>
  toObjects(table)
    .map((row) => JSON.stringify(row))
    .sort()
    .join()

/** Questions whose answers must be those of the source. */
const questions: readonly (readonly [name: string, params: Record<string, unknown>])[] = [
  ['theme_daily', { type: 'tj' }],
  ['theme_daily', { type: 'tj', startdate: '20260611', enddate: '20260626' }],
  ['convertible_daily', { symbols: '123124', startdate: '20260611' }],
  ['convertible_daily', {}],
  ['st', { startdate: '20260616', enddate: '20260624' }],
  ['st', {}],
  ['southbound_top10', { startdate: '20260611' }],
  ['transfer_financing', { startdate: '20260611' }],
  ['anomaly_forecast', {}],
  ['anomaly_forecast', { tradedate: '20260617' }],
  ['hotstock', { type: 'ths&normal' }],
  ['hotstock', { type: 'ths&normal', tradedate: '20260624' }],
  ['convertible_minute', {}],
  ['convertible_minute', { tradedate: '20260618', trademin: '1500' }],
  ['etf_minute', { symbols: '510300', period: '15m' }],
  ['etf_minute', { symbols: '510300', period: '30m', tradedate: '20260617' }],
  ['finance_announcement', { version: 'all', ann_startdate: '20260611' }],
]

test('two weeks: midday, a late batch, a holiday, a revision, an evening without a process, a source that is away', async () => {
  const dir = `${tempDir()}/own`
  const clock = new SleptTime('2026-06-15T22:30:00')
  const source = new TimedSource(clock)
  // Of questions and answers the sample has too few for every evening to have some; news have a test of their own.
  const datasets = syncable.filter((name) => name !== 'news' && name !== 'interactive_qa')
  const options = { archive: dir, datasets, from: '20260611' }
  source.late.set('theme_daily 20260617', '2026-06-17T16:05:00')
  source.late.set('convertible_minute 20260618 1500', '2026-06-18T16:00:00')
  const index = { type: 'tj', tradedate: '20260616' }
  source.mend = (dataset, columns) =>
    dataset.name === 'theme_daily' && source.moment >= '2026-06-22'
      ? mended(dataset, columns, { name: 'theme_daily', day: index.tradedate, at: 3, how: 'change' })
      : columns
  const first = await runsUntil('2026-06-24T12:00:00', clock, source, options)
  expect(first[0]?.datasets).toEqual(datasets)
  expect(shown(first.slice(1), dir)).toEqual([
    ...whole(16),
    ...morning(17),
    `17 15:30 ${close} (late: theme_daily)`,
    `17 15:40 ${bars} theme_daily (late: theme_daily)`,
    `17 16:00 theme_daily (late: theme_daily)`,
    `17 16:40 theme_daily`,
    ...evening(17),
    ...morning(18),
    `18 15:30 ${close}`,
    `18 15:40 ${bars} (late: convertible_minute)`,
    `18 15:50 convertible_minute (late: convertible_minute)`,
    `18 16:10 convertible_minute`,
    ...evening(18),
    ...rest(19),
    ...rest(20),
    ...rest(21),
    ...whole(22),
    ...whole(23),
    ...morning(24),
  ])
  // It is found when its day is a week old; both closes are there, each at its moments.
  const changed = first.filter(({ result }) => result?.revisions)
  expect(shown(changed, dir)).toEqual([`23 15:30 ${close}`])
  const closeAt = async (asOf?: string) =>
    digest(await new Archive(dir, 'own', asOf === undefined ? {} : { asOf }).query(datasetOf('theme_daily'), index))
  expect(await closeAt('2026-06-23T15:00:00+08:00')).toBe(await closeAt('2026-06-16T23:00:00+08:00'))
  expect(await closeAt('2026-06-23T15:59:00+08:00')).toBe(await closeAt())
  expect(await closeAt()).not.toBe(await closeAt('2026-06-16T23:00:00+08:00'))
  // Down from noon to the next day's morning: what was missed comes by one run, but for what has no past.
  clock.time = at('2026-06-25T08:00:00')
  const second = await runsUntil('2026-06-25T16:00:00', clock, source, options)
  expect(second[0]?.datasets).toEqual(datasets.filter((name) => name !== 'st' && name !== 'thememembers_jx'))
  expect(shown(second.slice(1), dir)).toEqual([...morning(25).slice(1), `25 15:30 ${close}`, `25 15:40 ${bars}`])
  // Away: asked again after 1, 2, 4, … minutes, and nothing is asked in between.
  source.failure = new SourceError('UNAVAILABLE', 'nobody there', { retryable: true })
  const third = await runsUntil('2026-06-25T19:20:00', clock, source, options)
  expect(shown(third, dir).map((line) => line.slice(0, 8))).toEqual([
    '25 18:30',
    '25 18:31',
    '25 18:33',
    '25 18:37',
    '25 18:45',
    '25 19:01',
  ])
  expect(third.map(({ failed }) => failed)).toEqual(Array(6).fill('nobody there'))
  expect(await readFollowStatus(dir)).toMatchObject({
    counts: { runs: 6, failures: 6, rows: 0 },
    failure: { why: 'nobody there' },
    last: { at: expect.stringMatching(/^2026-06-25T15:4/) },
    ended: expect.stringMatching(/^2026-06-25T19:/),
  })
  source.failure = undefined
  await runsUntil('2026-06-29T23:59:00', clock, source, options)
  const own = new Archive(dir, 'own')
  const differing: unknown[] = []
  for (const [name, params] of questions) {
    const [truth, found] = [await source.query(datasetOf(name), params), await own.query(datasetOf(name), params)]
    // Announcements of a day without a time stand in an order of their own.
    const isOther =
      name === 'finance_announcement' ? inAnyOrder(found) !== inAnyOrder(truth) : digest(found) !== digest(truth)
    if (isOther) differing.push([name, params, found.numRows, truth.numRows])
  }
  expect(differing).toEqual([])
})

const indices = (archive: string): FollowOptions => ({ archive, datasets: ['theme_daily', 'news'], from: '20260727' })

test('a status file that says something else is taken for none', async () => {
  const dir = `${tempDir()}/own`
  const clock = new SleptTime('2026-07-28T16:00:00')
  await runsUntil('2026-07-28T16:01:00', clock, new TimedSource(clock), indices(dir))
  for (const text of ['', '[]', '{"brought":{"theme_daily":7}}', 'null']) {
    writeFileSync(join(dir, 'sync-status.json'), text)
    expect(await readFollowStatus(dir)).toBeUndefined()
  }
  const runs = await runsUntil('2026-07-28T16:01:30', clock, new TimedSource(clock), indices(dir))
  expect(runs.map(({ datasets }) => datasets)).toEqual([['theme_daily', 'news']])
})

test('the metrics are those of the status file', async () => {
  const dir = `${tempDir()}/own`
  const clock = new SleptTime('2026-07-28T16:00:00')
  await runsUntil('2026-07-28T16:30:00', clock, new TimedSource(clock), indices(dir))
  const { url, close } = await serveMetrics(storeOf(dir), '127.0.0.1', 0)
  try {
    const text = await (await fetch(`${url}/metrics`)).text()
    const value = (name: string) => Number(new RegExp(`^quotebook_sync_${name} (.*)$`, 'm').exec(text)?.[1])
    const { counts, last } = (await readFollowStatus(dir)) ?? {}
    expect(value('runs_total')).toBe(3)
    expect(value('rows_total')).toBe(counts?.rows)
    expect(value('last_run_timestamp_seconds')).toBe(Date.parse(last?.at ?? '') / 1000)
    expect(value('next_run_timestamp_seconds')).toBe(0)
    expect((await fetch(url)).status).toBe(404)
  } finally {
    await close()
  }
})
