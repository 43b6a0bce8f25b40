import fc from 'fast-check'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { dateOf, dayNumber } from '../../../../src/contract/date.js'
import { coverageOf, extendCoverage } from '../../../../src/data/archive/coverage/coverage.js'
import {
  type DayRanges,
  datesIn,
  daysWithout,
  includes,
  intersection,
  rangesOfDays,
  union,
} from '../../../../src/data/archive/coverage/day-ranges.js'
import { contractVersion } from '../../../../src/data/archive/manifest.js'
import type { Covered } from '../../../../src/data/archive/manifest-entries.js'

const first = dayNumber('20261220')
const dates = fc.uniqueArray(fc.integer({ min: first, max: first + 25 }).map(dateOf), { maxLength: 20 })

test('spans are sets of dates', () => {
  fc.assert(
    fc.property(dates, dates, (a, b) => {
      const [left, right] = [rangesOfDays(a), rangesOfDays(b)]
      const same = (spans: DayRanges, set: readonly string[]) =>
        expect(datesIn(spans)).toEqual([...new Set(set)].sort())
      same(left, a)
      same(union(left, right), [...a, ...b])
      same(
        daysWithout(left, right),
        a.filter((day) => !b.includes(day)),
      )
      same(
        intersection(left, right),
        a.filter((day) => b.includes(day)),
      )
      for (const day of b) expect(includes(left, day)).toBe(a.includes(day))
      expect(rangesOfDays(datesIn(left))).toEqual(left)
      for (let i = 1; i < left.length; i++) {
        expect(dayNumber(left[i]?.[0] ?? '')).toBeGreaterThan(dayNumber(left[i - 1]?.[1] ?? '') + 1)
      }
    }),
  )
})

test('an open range is cut at its start', () => {
  expect(daysWithout([['20260701', '99991231']], [['20260601', '20260710']])).toEqual([['20260711', '99991231']])
  expect(daysWithout([['20260701', '20260731']], [['20260705', '99991231']])).toEqual([['20260701', '20260704']])
})

test('coverage adds up to what was added, each code in one list', () => {
  const etf = datasetOf('etf_minute')
  const codes = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 })
  const more = fc.record({
    scope: fc.constantFrom('15m', '30m'),
    symbols: fc.oneof(fc.constant('all' as const), codes),
    days: dates,
  })
  fc.assert(
    fc.property(fc.array(more, { maxLength: 8 }), (list) => {
      const covered = list.reduce<readonly Covered[]>(
        (sum, { scope, symbols, days }) => extendCoverage(sum, { scope, symbols, days: rangesOfDays(days) }),
        [],
      )
      const kept = { contract: contractVersion(etf), from: [], rows: {} }
      for (const scope of ['15m', '30m']) {
        const { all, codes: known } = coverageOf(etf, { parts: [], covered, kept }, scope)
        const own = list.filter((one) => one.scope === scope)
        const daysOf = (name: string) =>
          own.flatMap(({ symbols, days }) =>
            (symbols === 'all' ? name === 'all' : (symbols as string[]).includes(name)) ? days : [],
          )
        expect(all).toEqual(rangesOfDays(daysOf('all')))
        for (const code of ['a', 'b', 'c', 'd']) expect(known.get(code) ?? []).toEqual(rangesOfDays(daysOf(code)))
        const lists = covered.filter((one) => one.scope === scope).map(({ days }) => days.join())
        expect(
          covered.flatMap(({ scope: at, symbols }) => (at === scope && symbols !== 'all' ? symbols : [])),
        ).toHaveLength(known.size)
        expect(new Set(lists).size).toBeGreaterThanOrEqual(lists.length - 1)
      }
    }),
  )
})
