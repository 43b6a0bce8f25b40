import fc from 'fast-check'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { dateOf, dayNumber } from '../../../src/contract/date.js'
import { datesIn } from '../../../src/data/archive/coverage/day-ranges.js'
import { dueForRecheck } from '../../../src/data/sync/plan-sync.js'
import { type SyncSeries, syncSeriesOf } from '../../../src/data/sync/sync-series.js'

const series = (name: string): SyncSeries => syncSeriesOf(datasetOf(name))[0] as SyncSeries
const [indices, bars] = [series('theme_daily'), series('convertible_minute')]
const days = Array.from({ length: 120 }, (_, i) => dateOf(dayNumber('20260401') + i))
const asked = (day: string): string => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T20:00:00+08:00`

test('a year brought at once is not asked for again as a whole: its old days are past their ages', () => {
  const year = {
    scope: '',
    symbols: 'all' as const,
    at: 'x',
    settled: 'x',
    asked: asked('20260729'),
    days: [['20250729', '20260728']] as [string, string][],
  }
  expect(datesIn(dueForRecheck(bars, [year], '20260805'))).toEqual([
    '20260723',
    '20260724',
    '20260725',
    '20260726',
    '20260727',
    '20260728',
  ])
  expect(datesIn(dueForRecheck(bars, [year], '20270101'))).toEqual(datesIn(dueForRecheck(bars, [year], '20260805')))
})

test('due is each day that has come to an age since it was last asked for, and no other', () => {
  const day = fc.integer({ min: 0, max: 119 }).map((at) => days[at] as string)
  fc.assert(
    fc.property(day, day, day, fc.option(day, { nil: undefined }), day, (from, to, first, again, today) => {
      const own = { scope: '', symbols: 'all' as const, days: [[from, to]] as [string, string][] }
      const seen = { ...own, at: 'x', settled: 'x', asked: asked(first), ...(again && { again: asked(again) }) }
      // A day to come was told by a clock that was ahead: it counts as asked the day before.
      const last = (again ?? first) > today ? dateOf(dayNumber(today) - 1) : (again ?? first)
      const isDue = (one: string): boolean =>
        [1, 7, 30].some((age) => {
          const turn = dateOf(dayNumber(one) + age)
          return last < turn && turn <= today
        })
      expect(datesIn(dueForRecheck(indices, from <= to ? [seen] : [], today))).toEqual(
        days.filter((one) => from <= one && one <= to && isDue(one)),
      )
    }),
  )
})
