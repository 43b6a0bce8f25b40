import { expect, test } from 'vitest'
import { below, drawsFrom, fork, isChosen, signedUnit } from '../../../src/research/sample/random.js'

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
