import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beijingDay, beijingTime, dateOf, dayNumber } from '../../../../src/contract/date.js'
import { entitledDays } from '../../../../src/server/service/share/signed-link.js'

test('days are those of Beijing', () => {
  const [before, after] = [Date.parse('2026-07-29T15:59:59Z'), Date.parse('2026-07-29T16:00:00Z')]
  expect([beijingDay(before), beijingDay(after)]).toEqual(['20260729', '20260730'])
  expect(entitledDays('professional', 2026, before)?.to).toBe('20260729')
  expect(entitledDays('professional', 2025, before)?.from).toBe('20250730')
  expect(entitledDays('professional', 2025, after)?.from).toBe('20250731')
  expect(beijingTime(after)).toBe('2026-07-30T00:00:00+08:00')
})

test('on New Year both years have a share', () => {
  const time = Date.parse('2026-01-01T00:00:00+08:00')
  expect(entitledDays('professional', 2026, time)).toEqual({ from: '20260101', to: '20260101' })
  expect(entitledDays('professional', 2025, time)).toEqual({ from: '20250102', to: '20251231' })
})

test('property: the windows of all years together are 365 days up to today, also over leap days', () => {
  const times = fc.integer({ min: Date.parse('2022-01-01T00:00:00Z'), max: Date.parse('2040-01-01T00:00:00Z') })
  fc.assert(
    fc.property(times, (time) => {
      const today = beijingDay(time)
      const year = Number(today.slice(0, 4))
      const days = [year - 2, year - 1, year, year + 1].flatMap((each) => {
        const window = entitledDays('professional', each, time)
        if (!window) return []
        expect(window.from.slice(0, 4) + window.to.slice(0, 4)).toBe(`${each}${each}`)
        const count = dayNumber(window.to) - dayNumber(window.from) + 1
        return Array.from({ length: count }, (_, i) => dateOf(dayNumber(window.from) + i))
      })
      expect(days).toHaveLength(365)
      expect(days.at(-1)).toBe(today)
      expect(new Set(days).size).toBe(365)
    }),
  )
})
