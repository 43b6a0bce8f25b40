import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellPlaces, publishedPlaces, usualPlaces } from '../../../../src/research/checks/exact/precision.js'

test('decimals of one number: 2 to 6, without the noise of doubles', () => {
  const found = [12, 1.5, 1.25, 1.255, 85.4207, 85.42070000000004, 29.999999999999996, 1 / 3, Number.NaN]
  expect(found.map(publishedPlaces)).toEqual([2, 2, 2, 3, 4, 4, 2, 6, 2])
  expect(publishedPlaces(5.773538409593211e-76)).toBe(2)
  expect(publishedPlaces(Number.POSITIVE_INFINITY)).toBe(2)
})

test('decimals of a column are those of most of it', () => {
  expect(usualPlaces([])).toBe(2)
  expect(usualPlaces([Number.NaN, Number.NaN, 1.2345])).toBe(4)
  expect(usualPlaces([1.2345, 2.5, 3.4567, 4.5678])).toBe(4)
  expect(usualPlaces([1.23, 4.56, 85.4207, 7.89])).toBe(2)
  expect(cellPlaces(85.4207, 2)).toBe(4)
  expect(cellPlaces(85.4, 4)).toBe(4)
})

test('one number of any kind does not change the precision of ten', () => {
  const column = [1.2345, 2.3451, 3.4512, 4.5123, 5.1234, 6.2341, 7.3412, 8.4123, 9.1234, 1.3579]
  fc.assert(fc.property(fc.double(), (one) => usualPlaces([...column, one]) === 4))
})
