import { expect, test } from 'vitest'
import { data, moments, scalar, Tensor, tensor1d, tensor2d } from '../../src/danfo/tensor64.js'

const nan = Number.NaN
const grid = tensor2d([
  [1, 2, 3],
  [4, 5, 6],
])

test('cells become doubles and come back in their shape', () => {
  expect(grid.arraySync()).toEqual([
    [1, 2, 3],
    [4, 5, 6],
  ])
  expect([grid.shape, grid.rank]).toEqual([[2, 3], 2])
  expect(tensor1d([1, null, undefined, true]).arraySync()).toEqual([1, nan, nan, 1])
  expect(scalar(0.1).arraySync()).toBe(0.1)
  expect(tensor2d([], [0, 2]).add(scalar(1)).arraySync()).toEqual([])
  expect(grid.transpose().arraySync()).toEqual([
    [1, 4],
    [2, 5],
    [3, 6],
  ])
  expect(() => tensor2d([['a']])).toThrow('a tensor holds numbers, not "a"')
  expect(() => tensor2d([1, 2, 3], [2, 2])).toThrow('3 values do not fill the shape [2,2]')
})

test('a side of one is repeated, other sides must agree', () => {
  expect(grid.add(tensor2d([10, 20], [2, 1])).arraySync()).toEqual([
    [11, 12, 13],
    [24, 25, 26],
  ])
  expect(grid.sub(tensor1d([1, 2, 3])).arraySync()).toEqual([
    [0, 0, 0],
    [3, 3, 3],
  ])
  expect(tensor1d([2, 4]).div(scalar(2)).arraySync()).toEqual([1, 2])
  expect(() => grid.add(tensor1d([1, 2]))).toThrow('operands of 3 and 2 do not go together')
})

test('division, remainder and powers', () => {
  expect(tensor1d([1, 0, nan]).div(scalar(0)).arraySync()).toEqual([Infinity, nan, nan])
  expect(tensor1d([1, 0, nan]).divNoNan(scalar(0)).arraySync()).toEqual([0, 0, nan])
  expect(tensor1d([7, -7, 6]).mod(scalar(3)).arraySync()).toEqual([1, 2, 0])
  expect(tensor1d([7, -7]).mod(scalar(-3)).arraySync()).toEqual([-2, -1])
  expect(tensor1d([2, nan]).pow(scalar(0)).arraySync()).toEqual([1, nan])
})

test('a comparison with what is missing is false, except that it is unequal', () => {
  const [a, b] = [tensor1d([1, 2, nan]), tensor1d([2, 2, nan])]
  expect(a.less(b).arraySync()).toEqual([1, 0, 0])
  expect(a.lessEqual(b).arraySync()).toEqual([1, 1, 0])
  expect(a.greater(b).arraySync()).toEqual([0, 0, 0])
  expect(a.greaterEqual(b).arraySync()).toEqual([0, 1, 0])
  expect(a.equal(b).arraySync()).toEqual([0, 1, 0])
  expect(a.notEqual(b).arraySync()).toEqual([1, 0, 1])
})

test('reductions skip what is missing', () => {
  const gaps = tensor2d([
    [1, nan],
    [3, nan],
    [nan, nan],
  ])
  expect(gaps.mean(0).arraySync()).toEqual([2, nan])
  expect(gaps.max(0).arraySync()).toEqual([3, nan])
  expect(gaps.min(0).arraySync()).toEqual([1, nan])
  expect(moments(gaps, 0).variance.sqrt().arraySync()).toEqual([1, nan])
  expect(tensor1d([2, 4]).mean(0).arraySync()).toBe(3)
  expect(tensor1d([nan, 3, 9, 9]).argMax().arraySync()).toBe(2)
  expect(tensor1d([nan, 3, 9, 3]).argMin().arraySync()).toBe(1)
  expect(tensor1d([nan]).argMax().arraySync()).toBe(-1)
})

test('a copy is a copy', () => {
  const copy = grid.clone()
  copy.values[0] = 99
  expect(grid.values[0]).toBe(1)
  expect(copy).toBeInstanceOf(Tensor)
})

test('a seed fixes the order, and every item is in it once', async () => {
  const items = Array.from({ length: 20 }, (_, i) => i)
  const draw = (seed: string) => data.array(items).shuffle(20, seed).take(20).toArray()
  expect(await draw('1')).toEqual(await draw('1'))
  expect(await draw('1')).not.toEqual(await draw('2'))
  expect((await draw('1')).sort((a, b) => a - b)).toEqual(items)
})
