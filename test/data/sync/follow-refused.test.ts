import { expect, test } from 'vitest'
import { readFollowStatus, unfollowed } from '../../../src/data/archive/follow-status.js'
import { emptyManifest } from '../../../src/data/archive/manifest.js'
import { newestDays } from '../../../src/data/archive/newest-days.js'
import { storeOf } from '../../../src/data/archive/store/store-of.js'
import { SourceError } from '../../../src/data/source/source-error.js'
import { type FollowOptions, type FollowRun, followArchive } from '../../../src/data/sync/follow.js'
import { createFollowMetrics } from '../../../src/server/service/metrics.js'
import { tempDir } from '../../helper/temp.js'
import { SleptTime, TimedSource } from './timed-source.js'

/** A follower of indices on an evening, and its first runs. */
async function runsOf(failure: Error | undefined, count: number, more: Partial<FollowOptions> = {}) {
  const clock = new SleptTime('2026-07-28T16:00:00')
  const source = new TimedSource(clock)
  source.failure = failure
  const archive = `${tempDir()}/own`
  const runs: FollowRun[] = []
  const options = { archive, datasets: ['theme_daily'], from: '20260727', clock, time: clock.now, ...more }
  let during: Awaited<ReturnType<typeof readFollowStatus>>
  for await (const run of followArchive(source, options)) {
    runs.push(run)
    if (runs.length < count) continue
    during = await readFollowStatus(archive)
    break
  }
  return { archive, runs, during, after: await readFollowStatus(archive) }
}

const figure = async (read: () => ReturnType<typeof readFollowStatus>, name: string): Promise<number> => {
  const waiting = { '': { '20260727': { asked: '20260728', rows: 3, cells: 1 } } }
  const theme = {
    parts: [],
    ledger: [{ scope: '', symbols: 'all', days: [['20260701', '20260728']], proof: 'total' }],
    waiting,
  } as const
  const held = { ...emptyManifest, datasets: { theme_daily: theme } }
  const { text } = await createFollowMetrics(read, async () => held)
  return Number(new RegExp(`^${name}(?:{.*})? (.*)$`, 'm').exec(await text())?.[1])
}

test('a source that asks to wait for years is left alone for an hour, and who asked is told', async () => {
  const wait = new SourceError('UNAVAILABLE', 'slower', { retryable: true, retryAfter: 86_400_000, node: 'http://a' })
  const { runs, during } = await runsOf(wait, 2)
  expect(runs.map(({ at }) => at.slice(11, 19))).toEqual(['16:00:00', '17:00:00'])
  expect(runs[0]?.next).toEqual({
    at: '2026-07-28T17:00:00+08:00',
    datasets: ['theme_daily'],
    held: { by: 'http://a', until: '2026-07-28T17:00:00+08:00' },
  })
  const status = async () => during
  expect(await figure(status, 'quotebook_sync_held_until_timestamp_seconds')).toBe(
    Date.parse('2026-07-28T18:00:00+08:00') / 1000,
  )
  expect(await figure(status, 'quotebook_newest_day_timestamp_seconds')).toBe(
    Date.parse('2026-07-28T00:00:00+08:00') / 1000,
  )
  expect([await figure(status, 'quotebook_waiting_days'), await figure(status, 'quotebook_waiting_rows')]).toEqual([
    1, 4,
  ])
})

test.each([
  ['a key', new SourceError('FORBIDDEN', 'bad key'), ['16:00:00', '17:00:00', '18:00:00']],
  [
    'a name that does not resolve',
    new SourceError('UNREACHABLE', 'no such host'),
    ['16:00:00', '16:01:00', '16:03:00'],
  ],
])(
  '%s that is refused from the start: patient, it goes on and says since when; else it fails at once',
  async (_, error, times) => {
    await expect(runsOf(error, 1)).rejects.toBe(error)
    const { runs, during, after } = await runsOf(error, 3, { patient: true })
    expect(runs.map(({ at }) => at.slice(11, 19))).toEqual(times)
    const told = { since: '2026-07-28T16:00:00+08:00', why: error.message }
    expect([during && unfollowed(during), after && unfollowed(after)]).toEqual([told, told])
    expect(await figure(async () => during, 'quotebook_sync_unfollowed_timestamp_seconds')).toBe(
      Date.parse(told.since) / 1000,
    )
  },
)

test('of a synced archive the newest settled day is known, and it is followed', async () => {
  const { archive, during, after } = await runsOf(undefined, 1)
  expect([...newestDays((await storeOf(archive).read())?.manifest as never)]).toEqual([['theme_daily', '20260727']])
  expect(during && unfollowed(during)).toBeUndefined()
  expect(after && unfollowed(after)).toMatchObject({ why: 'the process that follows the source has ended' })
})
