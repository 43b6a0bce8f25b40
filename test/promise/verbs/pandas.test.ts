import { readFileSync } from 'node:fs'
import {
  asofJoin,
  correlation,
  describe,
  diff,
  dropDuplicates,
  expanding,
  groupBy,
  join,
  pctChange,
  pivot,
  quantile,
  type RankOptions,
  rank,
  rolling,
  shift,
  sort,
} from 'quotebook'
import { expect, test } from 'vitest'
import { plain, positive, type Row, tableOf } from '../helper/rows.js'

/* Expected values: test/fixture/pandas/verbs.py. */

type Cells = (number | null)[]
const pandas = JSON.parse(readFileSync('test/fixture/pandas/verbs.json', 'utf8')) as {
  left: Row[]
  right: Row[]
  sort: Record<string, Row[]>
  groups: Record<string, Row[]>
  join: Record<string, Row[]>
  asof: { direction: 'backward' | 'forward' | 'nearest'; tolerance: number | null; exact: boolean; partners: Cells }[]
  duplicates: Record<'first' | 'last' | 'none', Row[]>
  pivot: Row[]
  rolling: Record<string, Cells>
  expanding: Record<string, Cells>
  rank: Record<string, Cells>
  quantile: Record<string, number>
  sums: Cells
  shift: Cells
  difference: Cells
  pctChange: Cells
  correlation: number
  describe: Record<string, number>
}
const columns = ['code', 'name', 'amount', 'lots', 'at']
const [left, right] = [tableOf(pandas.left, columns), tableOf(pandas.right, columns)]
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

test.each(Object.keys(pandas.sort))('sort by %s', (keys) => {
  expect(plain(sort(left, ...(keys.split(',') as never[])))).toEqual(positive(pandas.sort[keys] ?? []))
})

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

test.each(Object.keys(pandas.join))('join on %s', (words) => {
  const [on = '', how] = words.split(' ')
  const found = join(left as never, right as never, { on: on.split(','), how: how as 'left' })
  expect(plain(found)).toEqual(positive(pandas.join[words] ?? []))
})

test.each(pandas.asof)('as-of join, $direction, tolerance $tolerance, exact $exact', (options) => {
  const { direction, tolerance, exact, partners } = options
  const rows = pandas.right.map((row, i) => ({ code: row['code'] ?? null, at: row['at'] ?? null, i }))
  const found = asofJoin(left as never, tableOf(rows, ['code', 'at', 'i']) as never, {
    on: 'at',
    by: 'code',
    direction,
    exact,
    ...(tolerance === null ? {} : { tolerance }),
  })
  expect(plain(found).map((row) => row['i'])).toEqual(partners)
})

test.each(['first', 'last', 'none'] as const)('dropDuplicates, keep %s', (keep) => {
  expect(plain(dropDuplicates(left as never, ['code', 'lots'], { keep }))).toEqual(positive(pandas.duplicates[keep]))
})

test('pivot', () => {
  const whole = tableOf(
    pandas.left.filter((row) => row['code'] !== null && row['name'] !== null),
    columns,
  )
  const found = plain(pivot(whole as never, { index: 'code', columns: 'name', values: 'amount', op: 'sum' }))
  expect(found.map((row) => Object.keys(row))).toEqual(pandas.pivot.map((row) => Object.keys(row)))
  found.forEach((row, at) => {
    allNear(Object.values(row), Object.values(pandas.pivot[at] ?? {}))
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

test('rolling sums of amounts are those of Python’s fractions to the last bit', () => {
  expect(nulled(rolling(amount, 4, 'sum'))).toEqual(pandas.sums)
})

test.each(Object.keys(pandas.rank))('rank %s', (words) => {
  const [method, descending] = words.split(' ')
  const options = { method, descending: descending === 'True' } as RankOptions
  expect(nulled(rank(amount, options))).toEqual(pandas.rank[words])
})

test('quantile, shift, difference, pctChange, correlation', () => {
  for (const [q, wanted] of Object.entries(pandas.quantile)) near(quantile(amount, Number(q)), wanted)
  expect(nulled(shift(amount, 3))).toEqual(pandas.shift)
  expect(nulled(diff(amount, 2))).toEqual(pandas.difference)
  allNear(nulled(pctChange(lots)), pandas.pctChange)
  near(correlation(amount, lots), pandas.correlation)
})

test('describe', () => {
  const found = plain(describe(left)).find((row) => row['column'] === 'amount') ?? {}
  const [q25, median, q75] = [pandas.describe['25%'], pandas.describe['50%'], pandas.describe['75%']]
  const { count, mean, std, min, max } = pandas.describe
  for (const [name, wanted] of Object.entries({ count, mean, std, min, q25, median, q75, max }))
    near(found[name], wanted)
})
