import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  below,
  drawsFrom,
  fork,
  isChosen,
  level,
  maxWave,
  signedUnit,
  wave,
} from '../../../src/research/sample/random.js'

test('a root gives the same draws for ever, and each key a root of its own', () => {
  const { int, once, pick } = drawsFrom(fork(fork(20260706, 'etf'), 4))
  expect([int(0, 999_999), int(-5, 5), once(2), pick(['a', 'b', 'c'])]).toMatchInlineSnapshot(`
    [
      241949,
      0,
      false,
      "c",
    ]
  `)
  const roots = new Set(Array.from({ length: 20_000 }, (_, key) => fork(7, key)))
  expect(roots.size).toBeGreaterThan(19_995)
  let sum = 0
  for (const root of roots) sum += signedUnit(root)
  expect(Math.abs(sum / roots.size)).toBeLessThan(0.02)
})

test('lots fall as often as they should', () => {
  const roots = Array.from({ length: 20_000 }, (_, key) => fork(9, key))
  const share = roots.filter((root) => isChosen(root, 5)).length / roots.length
  expect(Math.abs(share - 0.2)).toBeLessThan(0.01)
  const counts = new Array<number>(7).fill(0)
  for (const root of roots) counts[below(root, 7)] = (counts[below(root, 7)] ?? 0) + 1
  for (const count of counts) expect(Math.abs(count / roots.length - 1 / 7)).toBeLessThan(0.01)
})

test('a wave keeps its bounds, before and after the calendar begins, and takes small steps', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: -200, max: 5000 }), (root, t) => {
      const here = wave(root, t)
      expect(Math.abs(here)).toBeLessThanOrEqual(maxWave)
      expect(Math.abs(here - wave(root, t + 1))).toBeLessThan(0.043)
      expect(wave(root, t)).toBe(here)
      expect(Number.isInteger(level(root, t, 4000))).toBe(true)
    }),
    { seed: 3, numRuns: 2000 },
  )
})
