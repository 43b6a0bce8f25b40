import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  calendarYears,
  inCalendar,
  inferredNote,
  isTradingDay,
  learntCalendar,
  noticedCalendar,
  tradingDays,
} from '../../src/contract/calendar.js'
import { closedYears } from '../../src/contract/closed-days.js'
import { dateOf, dayNumber, isDate, weekday } from '../../src/contract/date.js'
import { type DayRows, outlierDays } from '../../src/contract/outlier-days.js'
import '../helper/seed.js'

const [low, high] = [dayNumber('20211201'), dayNumber('20280131')]
const date = fc.integer({ min: low, max: high }).map(dateOf)
const weekdayOf = date.filter((day) => weekday(day) % 6 !== 0)

test('years follow each other, and their closed days are weekdays of their own', () => {
  expect(closedYears.map(({ year }) => year)).toEqual(
    Array.from({ length: closedYears.length }, (_, i) => calendarYears[0] + i),
  )
  for (const { year, days, notice } of closedYears) {
    expect(notice).toMatch(/\d{4}-\d{2}-\d{2}/)
    for (const word of Object.values(days).join(' ').split(/[ -]/)) {
      expect(isDate(`${year}${word}`), word).toBe(true)
      expect(weekday(`${year}${word}`) % 6, word).not.toBe(0)
    }
  }
})

test('a year without notice is refused by name, and inferred only where that is said', () => {
  expect(() => isTradingDay('20270104')).toThrow('the trading calendar knows 2022 to 2026, not 20270104')
  expect(noticedCalendar.isOpen('20270104')).toBeUndefined()
  expect(noticedCalendar.isOpen('20270102'), 'a Saturday').toBe(false)
  const days = noticedCalendar.inferred('20261230', '20270105')
  expect(days).toEqual(['20270101', '20270104', '20270105'])
  expect(`${inferredNote(days)}`).toBe('trading days of 2027 are inferred from weekdays')
  expect(inferredNote([])).toBeUndefined()
})

test('what was learnt decides years without notice, and no other', () => {
  fc.assert(
    fc.property(fc.array(weekdayOf), fc.array(weekdayOf), date, date, (open, shut, a, b) => {
      const [from, to] = [a, b].sort() as [string, string]
      const calendar = learntCalendar(open, shut)
      const wrong: string[] = []
      for (let day = dayNumber(from); day <= dayNumber(to); day++) {
        const at = dateOf(day)
        const known = inCalendar(at)
          ? isTradingDay(at)
          : weekday(at) % 6 === 0
            ? false
            : open.includes(at)
              ? true
              : shut.includes(at)
                ? false
                : undefined
        if (calendar.isOpen(at) !== known) wrong.push(at)
      }
      expect(wrong).toEqual([])
      const between = calendar.between(from, to)
      expect(calendar.inferred(from, to)).toEqual(between.filter((at) => calendar.isOpen(at) === undefined))
      expect(between).toEqual([...between].sort())
      expect(between.every((at) => at >= from && at <= to && calendar.isOpen(at) !== false)).toBe(true)
      expect(noticedCalendar.between(from, to).length, 'knows nothing of it').toBe(
        learntCalendar([]).between(from, to).length,
      )
    }),
    { numRuns: 60 },
  )
})

const usual = (rows: number): DayRows[] =>
  tradingDays('20260601', '20260729').map((day) => ({ from: day, to: day, rows }))
const at = (day: string, rows: number): DayRows => ({ from: day, to: day, rows })

test.each([
  ['a mistyped century', 48, at('20990101', 1), 1],
  ['a mistyped year', 48, at('20270105', 1), 1],
  ['a mistyped year of a dataset with a row a day', 1, at('20990101', 1), 1],
  ['a whole day after a long break', 48, at('20261105', 48), 0],
  ['a few rows within a month', 48, at('20260805', 1), 0],
  ['a row a day after a break', 1, at('20261105', 1), 0],
])('%s', (_, rows, late, stray) => {
  expect(outlierDays([...usual(rows), late])).toHaveLength(stray)
})

test('days without a long gap are never stray, and what is left has none that are', () => {
  const spans = fc
    .uniqueArray(fc.tuple(date, fc.integer({ min: 1, max: 100 })), { selector: ([day]) => day })
    .map((all) => all.map(([day, rows]) => at(day, rows)))
  fc.assert(
    fc.property(spans, fc.integer({ min: 1, max: 30 }), (all, enough) => {
      const stray = outlierDays(all, enough)
      const left = all.filter((span) => !stray.includes(span))
      const latest =
        left
          .map(({ to }) => to)
          .sort()
          .at(-1) ?? ''
      expect(stray.every(({ from }) => from > latest)).toBe(true)
      expect(all.length === 0 || left.length > 0).toBe(true)
      const first = stray[0]
      if (first) expect(dayNumber(first.from) - dayNumber(latest)).toBeGreaterThan(31)
      expect(outlierDays(all.toReversed(), enough), 'in any order').toEqual(stray)
    }),
  )
})
