import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dateOf, dayNumber } from '../../../../src/contract/date.js'
import {
  type DayRanges,
  datesIn,
  daysWithout,
  includes,
  intersection,
  rangesOfDays,
  union,
} from '../../../../src/data/archive/coverage/day-ranges.js'

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
