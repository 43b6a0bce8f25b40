import fc from 'fast-check'
import { sampleVariance, sum, median as theirMedian } from 'simple-statistics'
import { expect, test } from 'vitest'
import { mean, median, mode, std, variance } from '../../src/danfo/statistics.js'

const number = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => value + 0)
const cells = fc.array(fc.oneof({ weight: 4, arbitrary: number }, fc.constantFrom(null, undefined, Number.NaN)), {
  maxLength: 30,
})

test('they agree with simple-statistics on the values that are there', () => {
  fc.assert(
    fc.property(cells, (all) => {
      const there = all.filter((cell) => typeof cell === 'number' && !Number.isNaN(cell)) as number[]
      fc.pre(there.length > 1)
      expect(mean(all)).toBeCloseTo(sum(there) / there.length, 6)
      expect(median(all)).toBeCloseTo(theirMedian(there), 6)
      const theirs = sampleVariance(there)
      expect(Math.abs(variance(all) - theirs)).toBeLessThanOrEqual(1e-9 * Math.max(1, theirs))
      expect(std(all)).toBe(Math.sqrt(variance(all)))
    }),
  )
})

test('nothing gives NaN, one value has no variance, true counts as one', () => {
  expect([mean([]), median([null]), std([Number.NaN])]).toEqual([Number.NaN, Number.NaN, Number.NaN])
  expect([mean([3]), variance([3]), std([3])]).toEqual([3, Number.NaN, Number.NaN])
  expect(mean([true, false, null])).toBe(0.5)
  expect(() => mean(['1'])).toThrow('not a number: 1')
})

test('mode gives every most frequent value, in order of appearance', () => {
  expect(mode([4, 5, 5, 4, 6, Number.NaN, Number.NaN, Number.NaN])).toEqual([4, 5])
  expect(mode([])).toEqual([])
})
