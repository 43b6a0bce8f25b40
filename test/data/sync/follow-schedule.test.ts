import fc from 'fast-check'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { beijingTime } from '../../../src/contract/date.js'
import { followArchive } from '../../../src/data/sync/follow.js'
import { FollowSchedule, jitterOf, SyncTimes } from '../../../src/data/sync/follow-schedule.js'
import { syncable } from '../../../src/data/sync/sync-series.js'
import '../../helper/seed.js'
import { tempDir } from '../../helper/temp.js'
import { at, SleptTime, TimedSource } from './timed-source.js'

const shown = (time: number): string => beijingTime(time).slice(0, 16)
const moment = (time: number) => ({ time, ticks: time })
const all = syncable.map(datasetOf)
const year = fc.integer({ min: at('2026-01-01T00:00:00'), max: at('2026-12-20T00:00:00') })

/** All times of a dataset in a span, one after the other. */
function timesIn(name: string, from: string, to: string): string[] {
  const times = new SyncTimes(datasetOf(name), 0)
  const out: string[] = []
  for (let time = times.next(at(from) - 1); time < at(to); time = times.next(time)) out.push(shown(time))
  return out
}

test('news come every 20 minutes, day and night', () => {
  expect(timesIn('news', '2026-10-01T23:30:00', '2026-10-02T01:00:00')).toEqual([
    '2026-10-01T23:45',
    ...['05', '25', '45'].map((minute) => `2026-10-02T00:${minute}`),
  ])
})

test('a new year without notice counts every weekday', () => {
  expect(timesIn('theme_daily', '2026-12-30T00:00:00', '2027-01-06T00:00:00').map((time) => time.slice(0, 10))).toEqual(
    ['2026-12-30', '2026-12-31', '2027-01-01', '2027-01-04', '2027-01-05'],
  )
})

test('the next time is after a moment and the last one is not, with nothing between them; no day of a batch is missed', () => {
  fc.assert(
    fc.property(year, fc.constantFrom(...all), fc.integer({ min: 0, max: 119 }), (moment, dataset, jitter) => {
      const times = new SyncTimes(dataset, jitter * 1000)
      const [last, next] = [times.last(moment), times.next(moment)]
      expect(last <= moment && moment < next).toBe(true)
      expect([times.next(last), times.last(next - 1), times.last(next)]).toEqual([next, last, next])
    }),
  )
})

test('whatever was missed, each dataset is due once', () => {
  fc.assert(
    fc.property(year, year, (one, other) => {
      const [down, up] = [Math.min(one, other), Math.max(one, other)]
      const schedule = new FollowSchedule(all, 7, new Map(all.map(({ name }) => [name, down])), moment(down))
      const now = moment(up)
      for (const dataset of schedule.due(now)) schedule.note(dataset, { kind: 'brought', isLate: false }, now, now)
      expect(schedule.due(now)).toEqual([])
      expect(schedule.next(now).at).toBeGreaterThan(up)
    }),
    { numRuns: 30 },
  )
})

test('what fails is asked again ever less often, and what is late five times', () => {
  const dataset = datasetOf('theme_daily')
  const begun = at('2026-07-29T15:30:00')
  const asked = (outcome: Parameters<FollowSchedule['note']>[1]): string[] => {
    const schedule = new FollowSchedule([dataset], 0, new Map([['theme_daily', begun - 1]]), moment(begun))
    let now = moment(begun)
    return Array.from({ length: 9 }, () => {
      const time = schedule.next(now).at
      now = moment(time)
      schedule.note(dataset, outcome, now, now)
      return shown(time).slice(8)
    })
  }
  const failing = ['30', '31', '33', '37', '45'].map((minute) => `29T15:${minute}`)
  expect(asked({ kind: 'failed' })).toEqual([...failing, '29T16:01', '29T16:33', '29T17:33', '29T18:33'])
  const late = ['29T15:30', '29T15:40', '29T16:00', '29T16:40', '29T18:00', '29T20:40']
  expect(asked({ kind: 'brought', isLate: true })).toEqual([...late, '30T15:30', '30T15:40', '30T16:00'])
})

test.each([
  ['a year ahead for half an hour', 365 * 86_400_000],
  ['a day behind for half an hour', -86_400_000],
])('a clock that is %s: runs go on at their times', async (_, wrong) => {
  const clock = new SleptTime('2026-07-27T09:10:00')
  const source = new TimedSource(clock)
  const [from, to] = [at('2026-07-27T14:00:00'), at('2026-07-27T14:30:00')]
  const time = () => clock.time + (clock.time >= from && clock.time < to ? wrong : 0)
  const archive = `${tempDir()}/own`
  const runs: string[] = []
  const options = { archive, datasets: ['theme_daily', 'st'], from: '20260724', clock, time }
  for await (const { datasets } of followArchive(source, options)) {
    runs.push(`${shown(clock.time - jitterOf(archive)).slice(8)} ${datasets}`)
    if (clock.time > at('2026-07-28T16:00:00')) break
  }
  expect(runs.slice(1).filter((run) => !/^27T1[34]/.test(run))).toEqual([
    '27T15:30 theme_daily',
    '28T09:05 st',
    '28T15:30 theme_daily',
    '29T09:05 st',
  ])
})

test('a clock that is set back does not lengthen the wait after a failure', () => {
  const [dataset, time] = [datasetOf('theme_daily'), at('2026-07-29T15:30:00')]
  const schedule = new FollowSchedule([dataset], 0, new Map([['theme_daily', time - 1]]), moment(time))
  schedule.note(dataset, { kind: 'failed', wait: 1_800_000 }, moment(time), moment(time))
  const now = { time: time - 86_400_000, ticks: time + 60_000 }
  expect(schedule.next(now).at - now.time).toBe(1_740_000)
})
