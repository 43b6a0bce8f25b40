import fc from 'fast-check'
import { groupBy, toDataFrame } from 'quotebook'
import { expect, test } from 'vitest'
import { names, plain, type Row, rows, tableOf } from '../helper/rows.js'

function grouped(list: readonly Row[], keys: readonly string[]): Row[][] {
  const groups: Row[][] = []
  for (const row of list) {
    const group = groups.find(([first]) => keys.every((name) => first?.[name] === row[name]))
    if (group) group.push(row)
    else groups.push([row])
  }
  return groups
}

const there = (group: readonly Row[], name: string) =>
  group.map((row) => row[name] ?? null).filter((cell) => cell !== null)

test('groups are those of the slow comparison of cells, in order of first appearance', () => {
  const by = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 })
  fc.assert(
    fc.property(rows(20), by, (list, keys) => {
      const found = groupBy(tableOf(list), keys, {
        rows: 'rows',
        n: ['x', 'count'],
        kinds: ['code', 'nunique'],
        from: ['name', 'first'],
        to: ['name', 'last'],
        least: ['code', 'min'],
        most: ['name', 'max'],
        low: ['x', 'min'],
        high: ['i', 'max'],
        any: ['flag', 'max'],
        middle: ['i', 'median'],
        texts: ({ code }) => code.filter((text) => text !== null).join('|'),
      })
      const wanted = grouped(list, keys).map((group) => {
        const order = (name: string) => there(group, name).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
        const numbers = order('i') as number[]
        const half = numbers.length / 2
        const middle =
          numbers.length === 0 ? null : ((numbers[Math.ceil(half) - 1] ?? 0) + (numbers[Math.floor(half)] ?? 0)) / 2
        return {
          ...Object.fromEntries(keys.map((name) => [name, group[0]?.[name] === 0 ? 0 : group[0]?.[name]])),
          rows: group.length,
          n: there(group, 'x').length,
          kinds: new Set(there(group, 'code')).size,
          from: there(group, 'name')[0] ?? null,
          to: there(group, 'name').at(-1) ?? null,
          least: order('code')[0] ?? null,
          most: order('name').at(-1) ?? null,
          low: order('x')[0] === 0 ? 0 : (order('x')[0] ?? null),
          high: order('i').at(-1) ?? null,
          any: order('flag').at(-1) ?? null,
          middle: middle === 0 ? 0 : middle,
          texts: there(group, 'code').join('|'),
        }
      })
      expect(plain(found)).toEqual(wanted)
    }),
    { numRuns: 60 },
  )
})

test('sums keep the cents that a sum from left to right loses', () => {
  const amounts = Array.from({ length: 20_000 }, (_, at) => 98765432109.87 + ((at * 7919) % 1009) / 100)
  /* Above 2^33 a double is a whole number of 2^-19, so this sum is exact. */
  const exact = Number(amounts.reduce((sum, amount) => sum + BigInt(amount * 2 ** 20), 0n)) / 2 ** 20
  const list = amounts.map((x) => ({ x, code: 'a' }))
  expect(plain(groupBy(tableOf(list), 'code', { x: ['x', 'sum'] }))[0]?.['x']).toBe(exact)
  expect(amounts.reduce((sum, amount) => sum + amount, 0)).not.toBe(exact)
})

test('infinity does not perturb a sum or a mean', () => {
  const list = [1, Infinity, 2].map((x) => ({ code: 'a', x }))
  expect(plain(groupBy(tableOf(list), 'code', { s: ['x', 'sum'], m: ['x', 'mean'] }))).toEqual([
    { code: 'a', s: Infinity, m: Infinity },
  ])
})

test('units stay where the result still has them', () => {
  const table = groupBy(tableOf([{ code: 'a', x: 1, i: 2 }]), 'code', {
    total: ['x', 'sum'],
    variance: ['x', 'var'],
    lots: ['i', 'mean'],
    n: 'rows',
  })
  const about = table.schema.fields.map(({ name, metadata, type }) => [
    name,
    String(type),
    metadata.get('kind'),
    metadata.get('unit'),
  ])
  expect(about).toEqual([
    ['code', 'Dictionary<Int32, Utf8>', 'code', undefined],
    ['total', 'Float64', 'number', 'yuan'],
    ['variance', 'Float64', 'number', undefined],
    ['lots', 'Float64', 'number', 'lot'],
    ['n', 'Int32', 'integer', undefined],
  ])
})

test('a DataFrame comes back as a DataFrame', () => {
  const frame = toDataFrame(
    tableOf([
      { code: '000001', x: 1 },
      { code: '1', x: 2 },
      { code: '000001', x: 4 },
    ]),
  )
  const found = groupBy(frame, 'code', { total: ['x', 'sum'] })
  expect(found.values).toEqual([
    ['000001', 5],
    ['1', 2],
  ])
  expect(() => groupBy(frame, 'code', { sum: ['x', 'sum'] })).toThrow("has a member 'sum' of its own")
})

test('what can not be is refused', () => {
  const table = tableOf([{ code: 'a', x: 1 }])
  // @ts-expect-error text has no sum
  expect(() => groupBy(table, 'code', { s: ['name', 'sum'] })).toThrow("sum needs numbers; column 'name' holds none")
  expect(() => groupBy(table, 'code', { code: ['x', 'sum'] })).toThrow("'code' is a key already")
  expect(() => groupBy(table, [], {})).toThrow('at least one key')
  // @ts-expect-error a typo in a column
  expect(() => groupBy(table, 'code', { s: ['y', 'sum'] })).toThrow("no column 'y'")
  // @ts-expect-error a typo in an operation
  expect(() => groupBy(table, 'code', { s: ['x', 'summ'] })).toThrow("unknown operation 'summ'")
  // @ts-expect-error a typo in a key
  expect(() => groupBy(table, 'cod', {})).toThrow("no column 'cod'")
  expect(() => groupBy(table, 'code', { s: (() => [1]) as never })).toThrow('makes one value, not an array')
})
