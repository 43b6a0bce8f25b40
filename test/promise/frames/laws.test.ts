import fc from 'fast-check'
import { DataFrame } from 'quotebook'
import { expect, test } from 'vitest'

/* Sorting, groups and masks against slow and obvious versions, on few values so that ties and meetings abound. */
type Cell = string | number | null
type Row = [key: Cell, other: Cell, value: number]

const key = fc.constantFrom<Cell>('000001', '1', '-', '_', 'a-b', 'a', 'b', '__proto__', '', null)
const value = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant(Number.NaN))
const rows = fc.array(fc.tuple(key, key, value) as fc.Arbitrary<Row>, { maxLength: 25 })
const frameOf = (data: readonly Row[], columns = ['k', 'l', 'v']) =>
  new DataFrame([...data], { columns, dtypes: ['string', 'string', 'float32'] })
const missing = (cell: unknown) => cell === null || Number.isNaN(cell)
const alike = (a: unknown, b: unknown) => a === b || (missing(a) && missing(b))

function slowSort(data: readonly Row[], at: 0 | 2, ascending: boolean): Row[] {
  const out: Row[] = []
  for (const row of data) {
    const before = (other: Row) => {
      const [a, b] = [other[at], row[at]]
      if (missing(b)) return true
      if (missing(a)) return false
      return ascending ? (a as number) <= (b as number) : (a as number) >= (b as number)
    }
    let place = out.length
    while (place > 0 && !before(out[place - 1] as Row)) place--
    out.splice(place, 0, row)
  }
  return out
}

test('sorting is insertion in order, missing last', () => {
  fc.assert(
    fc.property(rows, fc.constantFrom(0 as const, 2 as const), fc.boolean(), (data, at, ascending) => {
      const sorted = frameOf(data).sortValues(at === 0 ? 'k' : 'v', { ascending })
      expect(sorted?.values).toEqual(slowSort(data, at, ascending))
      expect(sorted?.index.map((label) => data[label as number])).toEqual(sorted?.values)
    }),
  )
})

test('a mask keeps the rows that it means, in whatever order the frame is', () => {
  fc.assert(
    fc.property(rows, fc.integer({ min: -3, max: 3 }), (data, limit) => {
      const sorted = frameOf(data).sortValues('v')
      const wanted = sorted?.values.filter((row) => (row as Row)[2] > limit)
      expect(sorted?.query(sorted['v'].gt(limit)).values).toEqual(wanted)
      expect(sorted?.query(frameOf(data)['v'].gt(limit)).values).toEqual(wanted)
      expect(sorted?.loc({ rows: sorted['v'].gt(limit) }).values).toEqual(wanted)
    }),
  )
})

test('groups are the rows with the same keys, in the order of the first', () => {
  fc.assert(
    fc.property(rows, (data) => {
      const groups: Row[][] = []
      for (const row of data) {
        const group = groups.find(([first]) => first && alike(first[0], row[0]) && alike(first[1], row[1]))
        if (group) group.push(row)
        else groups.push([row])
      }
      const expected = groups.map((group) => {
        const there = group.map(([, , v]) => v).filter((v) => !Number.isNaN(v))
        const sum = there.length === 0 ? Number.NaN : there.reduce((a, b) => a + b, 0)
        const [least] = [...there].sort((a, b) => a - b)
        return [group[0]?.[0], group[0]?.[1], sum, there.length, least ?? Number.NaN]
      })
      const result = frameOf(data)
        .groupby(['k', 'l'])
        .agg({ v: ['sum', 'count', 'min'] })
      expect(result.values).toEqual(expected)
      expect(result.columns).toEqual(['k', 'l', 'v_sum', 'v_count', 'v_min'])
    }),
  )
})

test('rows that are appended come last, and distinct values are those of a set', () => {
  fc.assert(
    fc.property(rows, rows, (one, two) => {
      const labels = two.map((_, row) => one.length + row)
      if (two.length > 0) expect(frameOf(one).append(two as never, labels).values).toEqual([...one, ...two])
      const last = frameOf(one)['k'].dropDuplicates({ keep: 'last' })
      expect(last.values).toEqual([...new Set(one.map(([k]) => k).reverse())].reverse())
    }),
  )
})
