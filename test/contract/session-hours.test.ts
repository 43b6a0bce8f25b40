import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tradingDays } from '../../src/contract/calendar.js'
import { inSession, nextOpening } from '../../src/contract/session-hours.js'
import '../helper/seed.js'

const at = (text: string): number => Date.parse(`${text}+08:00`)
const shown = (time: number): string => new Date(time + 8 * 3_600_000).toISOString().slice(0, 19)

test.each([
  ['2026-07-29T09:14:59', false, '2026-07-29T09:15:00'],
  ['2026-07-29T09:15:00', true, '2026-07-29T09:15:00'],
  ['2026-07-29T11:30:00', true, '2026-07-29T13:00:00'],
  ['2026-07-29T11:30:01', false, '2026-07-29T13:00:00'],
  ['2026-07-29T13:00:00', true, '2026-07-29T13:00:00'],
  ['2026-07-29T15:00:00', true, '2026-07-30T09:15:00'],
  ['2026-07-29T15:00:01', false, '2026-07-30T09:15:00'],
  ['2026-07-31T20:00:00', false, '2026-08-03T09:15:00'],
  ['2026-09-30T15:30:00', false, '2026-10-08T09:15:00'],
  ['2026-10-05T10:00:00', false, '2026-10-08T09:15:00'],
  ['2026-12-31T16:00:00', false, expect.stringMatching(/^2027-01-0\dT09:15:00$/)],
])('%s: in session %s, next opening %s', (time, is, opening) => {
  expect([inSession(at(time)), shown(nextOpening(at(time)))]).toEqual([is, opening])
})

test('of any moment of four years: an opening is in session, the moment before it is not, and none lies between', () => {
  const days = new Set(tradingDays('20230101', '20261230'))
  const from = at('2023-01-01T00:00:00')
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1455 * 86_400 - 1 }), (seconds) => {
      const time = from + seconds * 1000
      const opening = nextOpening(time)
      const [date, clock] = [shown(time).slice(0, 10).replaceAll('-', ''), shown(time).slice(11)]
      const open = (clock >= '09:15:00' && clock <= '11:30:00') || (clock >= '13:00:00' && clock <= '15:00:00')
      expect(inSession(time)).toBe(open && days.has(date))
      expect([inSession(opening), inSession(opening - 1000)]).toEqual([true, false])
      if (!inSession(time))
        for (let between = time; between < opening; between += 900_000) expect(inSession(between)).toBe(false)
    }),
    { numRuns: 300 },
  )
})
