import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aboutTime, progressLine, rateMeter } from '../../src/cli/progress-line.js'
import { sizeText } from '../../src/data/ticks/fetch/disk-space.js'
import { textWidth } from '../../src/frame/show/text-width.js'

test('the frames of a line have constant columns, whatever the figures, and fit the terminal', () => {
  const state = fc.record({
    of: fc.constantFrom(7, 282, 4567),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
    rate: fc.option(fc.double({ min: 0, max: 5000, noNaN: true }), { nil: undefined }),
    isBytes: fc.boolean(),
  })
  const whatAt = ({ of, part, rate, isBytes }: typeof state extends fc.Arbitrary<infer T> ? T : never): number => {
    const size = isBytes ? { sizeText } : {}
    const line = progressLine({ name: 'sync', done: Math.floor(part * of), of, rate, what: '转债#', ...size }, 120)
    expect(textWidth(line)).toBeLessThan(120)
    return textWidth(line.slice(0, line.indexOf('转')))
  }
  fc.assert(
    fc.property(state, state, (one, other) => {
      const { of, isBytes } = one
      expect(whatAt({ ...other, of, isBytes })).toBe(whatAt(one))
      expect(textWidth(progressLine({ ...one, name: 'x', done: 1, what: '很长'.repeat(50) }, 80))).toBeLessThan(80)
    }),
  )
})

test('times are said alike, rounded so that they stand still', () => {
  const said = [1, 12, 55, 56, 170, 3600, 7800, 86_400].map(aboutTime)
  const wanted = ['5 s', '15 s', '55 s', '1 min', '3 min', '1 h', '2 h 10 min', '24 h'].map((time) => `about ${time}`)
  expect(said).toEqual(wanted)
})

test('a rate is what came in a second, falls while nothing comes, and forgets what is long ago', () => {
  let now = 0
  const rate = rateMeter(() => now)
  expect(rate(0)).toBeUndefined()
  for (now = 1000; now <= 10_000; now += 1000) rate(now / 100)
  now = 10_000
  expect(rate(100)).toBeCloseTo(10)
  now = 20_000
  expect(rate(100)).toBeCloseTo(5)
  for (; now <= 80_000; now += 1000) rate(100)
  expect(rate(100)).toBeCloseTo(0)
})
