import fc from 'fast-check'
import { expect, test } from 'vitest'
import { level, maxWave, wave } from '../../../src/research/sample/random.js'

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
