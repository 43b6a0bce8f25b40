import { readFileSync } from 'node:fs'
import { cut, type EwmOptions, ewm, qcut, rollingCorrelation, rollingRegression } from 'quotebook'
import { expect, test } from 'vitest'

/* Expected values: test/fixture/pandas/array_verbs.py. */

type Cells = (number | null)[]
type Source = 'x' | 'y' | 'price' | 'index'
type Line = 'slope' | 'intercept' | 'rSquared'
const pandas = JSON.parse(readFileSync('test/fixture/pandas/array-verbs.json', 'utf8')) as Record<Source, Cells> & {
  ewm: ({ options: EwmOptions } & Record<Parameters<typeof ewm>[2], Cells>)[]
  lines: ({ n: number; least: number } & Record<Line | 'correlation', Cells>)[]
  cut: { source: Source; edges: number[]; lowest: boolean; codes: Cells; intervals: [number, number][] }[]
  quantileCut: { source: Source; count: number; codes: Cells }[]
}
const cellsOf = (x: Float64Array): Cells => Array.from(x, (value) => (Number.isNaN(value) ? null : value))

function allNear(found: Float64Array, wanted: Cells, relative: number, absolute: number): void {
  expect(found.length).toBe(wanted.length)
  cellsOf(found).forEach((value, row) => {
    const right = wanted[row] ?? null
    if (value === null || right === null) expect([row, value]).toEqual([row, right])
    else if (Math.abs(value - right) > Math.max(absolute, Math.abs(right) * relative))
      expect([row, value]).toEqual([row, right])
  })
}

test.each(pandas.ewm)('ewm $options', ({ options, ...wanted }) => {
  for (const operation of ['mean', 'std', 'var'] as const) {
    const found = ewm(pandas.x, options, operation)
    /* The powers of a half life come from another library than numpy's. */
    if ('halflife' in options) allNear(found, wanted[operation], 1e-13, 1e-14)
    else expect(cellsOf(found)).toEqual(wanted[operation])
  }
})

test.each(pandas.lines)('lines of prices that hardly move, of $n rows, at least $least', (wanted) => {
  const { n, least } = wanted
  const found = rollingRegression(pandas.index, pandas.price, n, { minPeriods: least })
  allNear(found.slope, wanted.slope, 1e-13, 1e-13)
  allNear(found.intercept, wanted.intercept, 1e-13, 1e-9)
  allNear(found.rSquared, wanted.rSquared, 1e-12, 1e-15)
  const correlations = rollingCorrelation(pandas.index, pandas.price, n, { minPeriods: least })
  allNear(correlations, wanted.correlation, 1e-12, 1e-13)
})

test.each(pandas.cut)('cut $source by $edges, lowest $lowest', ({ source, edges, lowest, codes, intervals }) => {
  const options = { includeLowest: lowest, duplicates: 'drop' } as const
  expect(cut(pandas[source], edges, [...intervals.keys()], options)).toEqual(codes)
  const names = cut(pandas[source], edges, undefined, options)
  names.forEach((name, row) => {
    const code = codes[row] ?? null
    if (name === null || code === null) {
      expect([row, name]).toEqual([row, code])
      return
    }
    const [left, right] = intervals[code] as [number, number]
    const first = code === 0 && lowest
    /* pandas writes the closed end as an open one a little lower. */
    expect(name.startsWith(first ? '[' : '(')).toBe(true)
    if (!first) expect(name).toBe(`(${left}, ${right}]`)
    else expect(name.endsWith(`, ${right}]`)).toBe(true)
  })
})

test.each(pandas.quantileCut)('quantileCut $source into $count', ({ source, count, codes }) => {
  const kinds = new Set(codes).size
  const found = qcut(pandas[source], count, undefined, { duplicates: 'drop' })
  const first = new Map(found.map((name, row) => [codes[row] ?? null, name]))
  expect(first.size).toBe(kinds)
  expect(new Set(first.values()).size).toBe(kinds)
  expect(found).toEqual(codes.map((code) => first.get(code ?? null)))
})
