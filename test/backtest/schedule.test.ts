import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Panel } from '../../src/backtest/panel.js'
import { decisionTimes, type Schedule } from '../../src/backtest/schedule.js'
import { tradingDays } from '../../src/contract/calendar.js'
import { thrownBy } from './small-market.js'

/** Days with their minutes on which a schedule decides. */
function decided(when: Schedule, days: readonly string[], minutes: readonly string[] = ['']): string[] {
  const times = decisionTimes(when, { days, minutes } as Panel)
  expect(times).toHaveLength(days.length * minutes.length)
  const text = (at: number): string => `${days[Math.floor(at / minutes.length)]} ${minutes[at % minutes.length]}`.trim()
  return [...times].flatMap((is, at) => (is ? [text(at)] : []))
}

/** 20261001 (Thursday) to 20261007 are holidays; 20260925 (Friday) is one too. */
const autumn = tradingDays('20260914', '20261016')

test('the calendar of the examples', () => {
  expect(autumn.join(' ')).toBe(
    '20260914 20260915 20260916 20260917 20260918 20260921 20260922 20260923 20260924 20260928 20260929 20260930 ' +
      '20261008 20261009 20261012 20261013 20261014 20261015 20261016',
  )
})

test('weekly: the weekday, or the first trading day after it; a week without trading is one decision', () => {
  expect(decided({ weekly: 1 }, autumn)).toEqual(['20260914', '20260921', '20260928', '20261008', '20261012'])
  expect(decided({ weekly: 3 }, autumn)).toEqual(['20260916', '20260923', '20260930', '20261008', '20261014'])
  expect(decided({ weekly: 4 }, autumn)).toEqual(['20260917', '20260924', '20261008', '20261015'])
  expect(decided({ weekly: 5 }, autumn)).toEqual(['20260918', '20260928', '20261008', '20261009', '20261016'])
})

test('weekly: a panel that begins after a holiday of that weekday decides on its first day, another does not', () => {
  expect(decided({ weekly: 5 }, autumn.slice(autumn.indexOf('20260928')))[0]).toBe('20260928')
  expect(decided({ weekly: 1 }, autumn.slice(autumn.indexOf('20260922')))[0]).toBe('20260928')
})

test('monthly: the n-th trading day of a month, by the calendar and not by where the panel begins', () => {
  expect(decided({ monthly: 1 }, tradingDays('20260601', '20261031'))).toEqual([
    '20260601',
    '20260701',
    '20260803',
    '20260901',
    '20261008',
  ])
  expect(decided({ monthly: 2 }, autumn)).toEqual(['20261009'])
  expect(decided({ monthly: 12 }, autumn)).toEqual(['20260916'])
  expect(decided({ monthly: 1 }, autumn.slice(1, 4))).toEqual([])
})

test('every, days, all of them', () => {
  expect(decided({ every: 4 }, autumn.slice(0, 9))).toEqual(['20260914', '20260918', '20260924'])
  expect(decided({ days: ['20260918', '20260926', '20300101', '20260914'] }, autumn)).toEqual(['20260914', '20260918'])
  expect(decided({}, autumn)).toEqual(autumn)
})

test('bars: the last of the day, those named, every one', () => {
  const [minutes, days] = [['1000', '1130', '1500'], autumn.slice(0, 2)]
  expect(decided({}, days, minutes)).toEqual(['20260914 1500', '20260915 1500'])
  expect(decided({ at: ['1130', '1000'] }, days, minutes)).toEqual(
    days.flatMap((day) => [`${day} 1000`, `${day} 1130`]),
  )
  expect(decided({ weekly: 2, at: 'every bar' }, days, minutes)).toEqual(minutes.map((minute) => `20260915 ${minute}`))
})

const schedule: fc.Arbitrary<Schedule> = fc.oneof(
  fc.record({ every: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ weekly: fc.constantFrom(1 as const, 2 as const, 3 as const, 4 as const, 5 as const) }),
  fc.record({ monthly: fc.integer({ min: 1, max: 23 }) }),
  fc.record({ days: fc.subarray(autumn) }),
  fc.constant({}),
)

test('a panel cut short has the same decisions before the cut', () => {
  const years = tradingDays('20250101', '20261231')
  fc.assert(
    fc.property(schedule, fc.nat(200), fc.integer({ min: 1, max: 200 }), fc.nat(60), (when, from, length, rest) => {
      const [all, cut] = [years.slice(from, from + length + rest), years.slice(from, from + length)]
      const last = cut.at(-1) as string
      expect(decided(when, cut)).toEqual(decided(when, all).filter((day) => day <= last))
    }),
    { numRuns: 500 },
  )
})

test('weekly and monthly do not depend on where a panel begins', () => {
  const years = tradingDays('20250101', '20261231')
  const dated = fc.oneof(
    fc.record({ weekly: fc.constantFrom(1 as const, 2 as const, 3 as const, 4 as const, 5 as const) }),
    fc.record({ monthly: fc.integer({ min: 1, max: 23 }) }),
  )
  fc.assert(
    fc.property(dated, fc.nat(400), (when, from) => {
      const later = years.slice(from)
      expect(decided(when, later)).toEqual(decided(when, years).filter((day) => day >= (later[0] as string)))
    }),
    { numRuns: 500 },
  )
})

test('schedules of another shape are refused in one line', () => {
  const wrong = (when: unknown, minutes = ['']): string => thrownBy(() => decided(when as Schedule, autumn, minutes))
  expect(wrong({ every: 0 })).toBe('USAGE: when: every is a whole number of trading days, from 1')
  expect(wrong({ weekly: 6 })).toBe('USAGE: when: weekly is a weekday, 1 Monday to 5 Friday')
  expect(wrong({ weekly: 'Monday' })).toMatch(/^USAGE: when: weekly/)
  expect(wrong({ monthly: 24 })).toBe('USAGE: when: monthly is a trading day of the month, from 1 to 23')
  expect(wrong({ days: ['2026-09-14'] })).toBe("USAGE: when: days are an array of dates, such as ['20260701']")
  expect(wrong({ days: '20260914' })).toMatch(/^USAGE: when: days/)
  expect(wrong({ weeekly: 1 })).toBe("USAGE: when has no option 'weeekly'; did you mean 'weekly'?")
  expect(wrong({ weekly: 1, monthly: 1 })).toBe('USAGE: when: weekly and monthly: take one')
  expect(wrong({ at: '1500' }, ['1500'])).toBe(
    "USAGE: when: at is an array of closing minutes, such as ['1000'], or 'every bar'",
  )
  expect(wrong({ at: ['0945'] }, ['1000', '1500'])).toBe('USAGE: when: at: no bar closes at 0945; there are 1000, 1500')
  expect(wrong({ at: ['1000'] })).toBe('USAGE: when: at: no bar closes at 1000; the prices are daily')
  expect(wrong('weekly')).toBe(
    'USAGE: when takes an object of options (every, weekly, monthly, days, at), not a string',
  )
  expect(wrong(null)).toMatch(/^USAGE: when takes an object/)
})
