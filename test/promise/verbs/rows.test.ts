import { inspect } from 'node:util'
import { type Table, tableFromIPC, tableToIPC } from 'apache-arrow'
import fc from 'fast-check'
import { derive, dropDuplicates, filter, join, provenance, select, sort, toDataFrame } from 'quotebook'
import { expect, test } from 'vitest'
import { type Known, names, plain, positive, type Row, rows, tableOf } from '../helper/rows.js'

/** Whether `a` comes before `b` by one key: the rule, said slowly. */
function before(a: Row, b: Row, key: string): boolean {
  const descending = key.startsWith('-')
  const name = descending ? key.slice(1) : key
  const [one, two] = [a[name] ?? null, b[name] ?? null]
  if (one === null || two === null) return one !== null && two === null
  return descending ? one > two : one < two
}

function slowSort(list: readonly Row[], keys: readonly string[]): Row[] {
  const out: Row[] = []
  for (const row of list) {
    let at = out.length
    while (at > 0) {
      const other = out[at - 1] as Row
      const key = keys.find((name) => before(row, other, name) || before(other, row, name))
      if (key === undefined || !before(row, other, key)) break
      at--
    }
    out.splice(at, 0, row)
  }
  return out
}

const keyLists = fc
  .uniqueArray(fc.constantFrom(...names), { minLength: 1 })
  .chain((list) => fc.tuple(...list.map((name) => fc.constantFrom(name, `-${name}` as const))))

test('sort is the slow stable sort, missing last both ways', () => {
  fc.assert(
    fc.property(rows(), keyLists, (list, keys) => {
      expect(plain(sort(tableOf(list), ...keys))).toEqual(positive(slowSort(list, keys)))
    }),
    { numRuns: 60 },
  )
})

test('a DataFrame is sorted as its table is', () => {
  fc.assert(
    fc.property(rows(), keyLists, (list, keys) => {
      const frame = toDataFrame(tableOf(list))
      const known = list.some((row) => row['code'] !== null)
      if (known) expect(plain(sort(frame, ...keys))).toEqual(plain(sort(tableOf(list), ...keys)))
    }),
    { numRuns: 60 },
  )
})

test('sort has a key and its name', () => {
  const table = tableOf([{ code: 'a' }])
  expect(() => sort(table)).toThrow('sort needs a key')
  // @ts-expect-error a typo is an error of the compiler too
  expect(() => sort(table, '-cod')).toThrow("the table has no column 'cod'; did you mean 'code'?")
})

test('filter keeps the rows for which the test is true, by typed properties', () => {
  fc.assert(
    fc.property(rows(), fc.double({ noNaN: true }), (list, least) => {
      const table = tableOf(list)
      const copy = JSON.stringify(plain(table))
      const found = filter(table, (row) => row.x > least || row.code === '000001' || row.flag === true)
      const wanted = list.filter(
        (row) =>
          (row['x'] !== null && (row['x'] as number) > least) || row['code'] === '000001' || row['flag'] === true,
      )
      expect(plain(found)).toEqual(positive(wanted))
      expect(JSON.stringify(plain(table))).toBe(copy)
    }),
  )
})

test('a row whose test says nothing is not kept', () => {
  const table = tableOf([{ x: 1 }, { x: 2 }, { x: 3 }])
  const kept = filter(table, (row) => (row.x === 1 ? null : row.x === 2 ? undefined : true))
  expect(plain(select(kept, 'x'))).toEqual([{ x: 3 }])
})

test('filter by a mask', () => {
  const table = tableOf([{ x: 1 }, { x: 2 }, { x: null }])
  expect(plain(select(filter(table, [true, null, true]), 'x'))).toEqual([{ x: 1 }, { x: null }])
  expect(filter(table, Uint8Array.of(0, 0, 0)).numRows).toBe(0)
  expect(() => filter(table, [true])).toThrow('the mask has 1 rows and the data 3')
  expect(() => filter(table, [true, false, 'x' as never])).toThrow('the mask, row 3: x is neither true nor false')
  expect(() => filter(table, ((row: { x: number }) => row.x) as never)).toThrow(
    'row 1: the test of a filter must return',
  )
})

test('a row has no other properties than its columns', () => {
  filter(tableOf([{ x: 1 }]), (row) => {
    expect(Object.keys(row)).toEqual([...names])
    expect((row as { toString?: unknown }).toString).toBeUndefined()
    return true
  })
})

test('a column that is not there is an error also where the compiler does not know the columns', () => {
  const table: Table = tableOf([{ x: 1 }])
  expect(() => filter(table, (row) => row.y > 0)).toThrow("there is no column 'y'; there are: ")
  expect(() => filter(toDataFrame(table), (row) => row.y !== 0)).toThrow("there is no column 'y'; there are: ")
  filter(table, (row) => {
    expect('y' in row).toBe(false)
    expect(JSON.parse(JSON.stringify(row))).toMatchObject({ x: 1 })
    expect({ ...row }).toMatchObject({ x: 1 })
    expect(inspect(row)).toContain('x:')
    return true
  })
})

test('select takes columns in the order named, keeps unit and meaning and drops provenance', () => {
  const table = select(tableOf([{ x: 1, code: 'a' }]), 'x', 'code')
  expect(plain(table)).toEqual([{ x: 1, code: 'a' }])
  expect(Object.fromEntries(table.schema.fields[0]?.metadata ?? [])).toEqual({
    kind: 'number',
    unit: 'yuan',
    meaning: 'Amount.',
  })
  expect(provenance(tableOf([]))).toBeDefined()
  expect(provenance(table)).toBeUndefined()
  expect(() => select(table, 'x', 'x')).toThrow("column 'x' is named twice")
  // @ts-expect-error not selected
  expect(() => select(table, 'flag')).toThrow("no column 'flag'")
})

test('dropDuplicates compares cells with their types, missing ones alike', () => {
  const keep = fc.constantFrom('first', 'last', 'none' as const)
  const by = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 })
  fc.assert(
    fc.property(rows(20), by, keep, (list, keys, which) => {
      const alike = (a: Row, b: Row): boolean => keys.every((name) => a[name] === b[name])
      const wanted = list.filter((row, at) => {
        const others = list.flatMap((other, place) => (place !== at && alike(row, other) ? [place] : []))
        if (which === 'first') return others.every((place) => place > at)
        return which === 'last' ? others.every((place) => place < at) : others.length === 0
      })
      expect(plain(dropDuplicates(tableOf(list), keys, { keep: which }))).toEqual(positive(wanted))
    }),
    { numRuns: 60 },
  )
})

test('dropDuplicates without columns compares whole rows', () => {
  const list = [
    { code: '1', x: null },
    { code: '1', x: 2 },
    { code: '1', x: null },
  ]
  expect(plain(select(dropDuplicates(tableOf(list)), 'code', 'x'))).toEqual(list.slice(0, 2))
})

test('tables of several batches and slices of tables are read right', () => {
  fc.assert(
    fc.property(rows(20), rows(20), fc.nat(20), fc.nat(20), (one, two, from, size) => {
      const whole = tableOf(one).concat(tableOf(two)) as Known
      const list = [...one, ...two]
      expect(plain(sort(whole, 'i', '-code'))).toEqual(positive(slowSort(list, ['i', '-code'])))
      const [part, own] = [whole.slice(from, from + size), list.slice(from, from + size)]
      expect(plain(sort(part, '-x'))).toEqual(positive(slowSort(own, ['-x'])))
      expect(plain(select(part, 'flag', 'x', 'code'))).toEqual(
        positive(own.map(({ flag, x, code }) => ({ flag: flag ?? null, x: x ?? null, code: code ?? null }))),
      )
      expect(plain(filter(part, (row) => row.flag === true))).toEqual(
        positive(own.filter((row) => row['flag'] === true)),
      )
    }),
    { numRuns: 30 },
  )
})

test('a result goes through Arrow IPC', () => {
  const table = select(
    tableOf([
      { code: 'a', x: 1 },
      { code: null, x: null },
    ]),
    'flag',
    'x',
    'code',
  )
  const wide = join(table, derive(table, { note: ({ code }) => code.map((text) => `${text}!`) }), {
    on: 'code',
    how: 'outer',
  })
  expect(plain(tableFromIPC(tableToIPC(wide)))).toEqual(plain(wide))
})
