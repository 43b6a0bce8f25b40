import fc from 'fast-check'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { checkParams } from '../../../src/contract/check-params.js'
import { dateOf, dayNumber } from '../../../src/contract/date.js'
import { daysBetween } from '../../../src/contract/day-list.js'
import type { DayRanges } from '../../../src/data/archive/coverage/day-ranges.js'
import { type Ledger, withAnswer } from '../../../src/data/archive/coverage/ledger.js'
import { planSeries, type SyncRequest } from '../../../src/data/sync/plan-sync.js'
import { type SyncSeries, syncable, syncSeriesOf } from '../../../src/data/sync/sync-series.js'

/** Every series, days as sets of dates: the law by brute force. */
const all: readonly SyncSeries[] = syncable.flatMap((name) => syncSeriesOf(datasetOf(name), ['1001', '1002']))
const first = dayNumber('20250801')
const span = 400
const date = fc.integer({ min: 0, max: span }).map((day) => dateOf(first + day))

/** Any dates: spans of any length, laid over each other. */
const covered = fc
  .array(fc.tuple(fc.integer({ min: 0, max: span }), fc.integer({ min: 0, max: 60 })), { maxLength: 12 })
  .map(
    (spans) => new Set(spans.flatMap(([from, length]) => Array.from({ length }, (_, i) => dateOf(first + from + i)))),
  )

function rangesOf(dates: ReadonlySet<string>): (readonly [string, string])[] {
  const out: [string, string][] = []
  for (const day of [...dates].sort()) {
    const last = out.at(-1)
    if (last && dayNumber(day) === dayNumber(last[1]) + 1) last[1] = day
    else out.push([day, day])
  }
  return out
}

function datesOf({ dates }: SyncRequest, end: string): string[] {
  return dates.flatMap(([from, to]) => {
    const last = dayNumber(to > end ? end : to)
    return Array.from({ length: Math.max(0, last - dayNumber(from) + 1) }, (_, i) => dateOf(dayNumber(from) + i))
  })
}

/** Dates that may have rows: of documents all, else those on which there may be trading. */
function mayHaveRows(series: SyncSeries, from: string, latest: string): string[] {
  const { since = '', cache } = series.dataset
  const start = [from, since, cache?.since ?? ''].sort().at(-1) as string
  if (start > latest) return []
  if (series.way !== 'pages') return daysBetween(start, latest)
  const count = dayNumber(latest) - dayNumber(start) + 1
  return Array.from({ length: count }, (_, i) => dateOf(dayNumber(start) + i))
}

test('after the plan the coverage is what was wanted, and no part of it was covered before but what is due, or is asked twice', () => {
  const state = fc.record({
    from: date,
    latest: date,
    today: date,
    covered,
    again: covered,
    series: fc.constantFrom(...all),
  })
  fc.assert(
    fc.property(state, ({ series, covered, again, ...rest }) => {
      // The latest day is never covered: it may still change.
      const before = new Set([...covered].filter((day) => series.way === 'snapshot' || day < rest.latest))
      const plan = planSeries(series, { ...rest, covered: rangesOf(before), again: rangesOf(again) })
      if (series.way === 'snapshot') {
        expect(plan.length).toBe(before.has(rest.today) && !again.has(rest.today) ? 0 : 1)
        return
      }
      const asked = plan.flatMap((request) => datesOf(request, '20270101'))
      expect(new Set(asked).size).toBe(asked.length)
      expect(asked.filter((day) => before.has(day) && !again.has(day))).toEqual([])
      const marked = plan.flatMap((request) => datesOf({ ...request, dates: request.again ?? [] }, '20270101'))
      expect(marked).toEqual(asked.filter((day) => before.has(day) && again.has(day)))
      const due = mayHaveRows(series, rest.from, rest.latest).filter((day) => before.has(day) && again.has(day))
      expect(due.filter((day) => !marked.includes(day))).toEqual([])
      const after = new Set([...before, ...asked])
      expect(mayHaveRows(series, rest.from, rest.latest).filter((day) => !after.has(day))).toEqual([])
      const days = new Set(mayHaveRows(series, rest.from, rest.latest))
      for (const request of plan) {
        checkParams(series.dataset, request.params)
        expect(request.requests).toBeGreaterThan(0)
        // No request for nothing.
        expect(datesOf(request, '20270101').some((day) => days.has(day))).toBe(true)
      }
    }),
    { numRuns: 500 },
  )
})

test('however often a day is asked for again, it stays known since its first answer', () => {
  const timeOf = (at: number): string => {
    const day = dateOf(first + at)
    return `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T22:00:00+08:00`
  }
  const days: DayRanges = [['20250701', '20250703']]
  const own = { scope: '', symbols: 'all' as const, days, proof: 'total' }
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 8 }), (gaps) => {
      const at = timeOf(0)
      let ledger: Ledger = withAnswer([], { ...own, asked: at, observedAt: at })
      let today = 0
      for (const gap of gaps) {
        today += gap
        const again = timeOf(today)
        ledger = withAnswer(ledger, { ...own, asked: again, observedAt: again })
        expect(ledger).toEqual([{ ...own, at, settled: at, asked: at, again }])
      }
    }),
  )
})
