import { Table, Utf8, vectorFromArray } from 'apache-arrow'
import { expect, test } from 'vitest'
import { groupSeries, rowAt, textAt } from '../../../../src/research/checks/bars/bar-series.js'

/** Rows of which each column holds as many different words as there are rows, in pairs that differ in time alone. */
function manyKeys(rows: number): Table {
  const text = (of: (i: number) => number) =>
    vectorFromArray(
      Array.from({ length: rows }, (_, i) => String(1e6 + of(i))),
      new Utf8(),
    )
  const half = (i: number): number => i >> 1
  return new Table({
    tradedate: text((i) => rows - half(i)),
    symbol: text(half),
    period: text((i) => (half(i) * 7919) % rows),
    trademin: text((i) => (i * 7) % rows),
  })
}

test('series stay apart where there are more keys than whole doubles', () => {
  const rows = 20_000
  const series = groupSeries(manyKeys(rows))
  expect((rows / 2) ** 3 * rows).toBeGreaterThan(Number.MAX_SAFE_INTEGER)
  expect([series.starts.length - 1, series.doubled]).toEqual([rows / 2, []])
  for (let s = 0; s < rows / 2; s++) {
    const [first, second] = [2 * s, 2 * s + 1]
    expect(series.starts[s]).toBe(first)
    if (textAt(series, 'symbol', first) !== textAt(series, 'symbol', second)) throw new Error(`series ${s} is mixed`)
    if (rowAt(series, first) >> 1 !== rows / 2 - 1 - s) throw new Error(`series ${s} stands in another place`)
  }
})
