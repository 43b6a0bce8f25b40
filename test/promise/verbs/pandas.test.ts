import { readFileSync } from 'node:fs'
import { correlation, describe, expanding, groupBy, quantile, rolling } from 'quotebook'
import { expect, test } from 'vitest'
import { plain, type Row, tableOf } from '../helper/rows.js'

/* Expected values: test/fixture/pandas/verbs.py. */

type Cells = (number | null)[]
const pandas = JSON.parse(readFileSync('test/fixture/pandas/verbs.json', 'utf8')) as {
  left: Row[]
  groups: Record<string, Row[]>
  rolling: Record<string, Cells>
  expanding: Record<string, Cells>
  quantile: Record<string, number>
  correlation: number
  describe: Record<string, number>
}
const left = tableOf(pandas.left, ['code', 'name', 'amount', 'lots'])
const numbersOf = (name: string) => Float64Array.from(pandas.left, (row) => (row[name] as number | null) ?? Number.NaN)
const [amount, lots] = [numbersOf('amount'), numbersOf('lots')]
const nulled = (x: Float64Array): Cells =>
  Array.from(x, (value) => (Number.isNaN(value) ? null : value === 0 ? 0 : value))

/** The same to the last digits: pandas rounds on other ways than we. */
function near(found: unknown, wanted: unknown): void {
  if (typeof found === 'number' && typeof wanted === 'number') {
    expect(Math.abs(found - wanted)).toBeLessThanOrEqual(Math.max(1e-12, Math.abs(wanted) * 1e-14))
  } else expect(found).toEqual(wanted)
}

function allNear(found: readonly unknown[], wanted: readonly unknown[]): void {
  expect(found.length).toBe(wanted.length)
  found.forEach((value, at) => {
    near(value, wanted[at])
  })
}

test.each(Object.keys(pandas.groups))('group by %s', (by) => {
  const found = plain(
    groupBy(left as never, by.split(','), {
      total: ['amount', 'sum'],
      average: ['amount', 'mean'],
      low: ['amount', 'min'],
      high: ['amount', 'max'],
      head: ['amount', 'first'],
      tail: ['amount', 'last'],
      middle: ['amount', 'median'],
      spread: ['lots', 'std'],
      square: ['lots', 'var'],
      n: ['amount', 'count'],
      kinds: ['name', 'nunique'],
      all: 'rows',
    }),
  )
  const wanted = pandas.groups[by] ?? []
  expect(found.map((row) => Object.keys(row))).toEqual(wanted.map((row) => Object.keys(row)))
  found.forEach((row, at) => {
    allNear(Object.values(row), Object.values(wanted[at] ?? {}))
  })
})

test.each(Object.keys(pandas.rolling))('rolling %s', (words) => {
  const [operation, least] = words.split(' ')
  const found = rolling(lots, 5, operation as Parameters<typeof expanding>[1], { minPeriods: Number(least) })
  allNear(nulled(found), pandas.rolling[words] ?? [])
})

test.each(Object.keys(pandas.expanding))('expanding %s', (operation) => {
  allNear(nulled(expanding(lots, operation as Parameters<typeof expanding>[1])), pandas.expanding[operation] ?? [])
})

test('quantile and correlation', () => {
  for (const [q, wanted] of Object.entries(pandas.quantile)) near(quantile(amount, Number(q)), wanted)
  near(correlation(amount, lots), pandas.correlation)
})

test('describe', () => {
  const found = plain(describe(left)).find((row) => row['column'] === 'amount') ?? {}
  const [q25, median, q75] = [pandas.describe['25%'], pandas.describe['50%'], pandas.describe['75%']]
  const { count, mean, std, min, max } = pandas.describe
  for (const [name, wanted] of Object.entries({ count, mean, std, min, q25, median, q75, max }))
    near(found[name], wanted)
})
