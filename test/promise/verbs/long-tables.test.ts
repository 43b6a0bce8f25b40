import type { Table } from 'apache-arrow'
import fc from 'fast-check'
import { derive, filter, join, numbers, sort, toDataFrame, when } from 'quotebook'
import { expect, test } from 'vitest'
import { type Known, plain, type Row, tableOf } from '../helper/rows.js'

/* Tables long enough for the ways of many rows: sorting by digits, bits by eights, stretches copied at once. */

/** Numbers from 0 up to `below`, the same for a seed. */
function drawing(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return Math.floor((state / 0x80000000) * below)
  }
}

const odd = [0, -0, 1, -1, 0.1, -0.1, 5e-324, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1 + 2 ** -52, 1]

function longRows(seed: number, length: number): Row[] {
  const draw = drawing(seed)
  const prices = (): number => (draw(2) ? draw(200) / 100 : (odd[draw(odd.length)] ?? 0)) * (draw(8) ? 1 : -1)
  return Array.from({ length }, (_, row) => ({
    code: draw(20) ? `00000${draw(9)}` : null,
    name: null,
    x: draw(10) ? prices() : null,
    i: draw(10) ? row : null,
    flag: draw(5) ? draw(2) === 1 : null,
  }))
}

/** The same with whole numbers only in `x`, as days and minutes are. */
function wholeRows(seed: number, length: number): Row[] {
  const draw = drawing(seed + 7)
  const [from, span] = [draw(3) * 20_260_000 - 3, 1 + draw(500)]
  return longRows(seed, length).map((row) => ({
    ...row,
    x: row.x === null ? null : draw(9) ? from + draw(span) : -0 * draw(2),
  }))
}

const long = fc.record({ seed: fc.nat(), length: fc.integer({ min: 151, max: 6000 }) })

/** Rows by a key, missing ones last, in JavaScript's stable sort. */
function sorted(list: readonly Row[], sign: 1 | -1): Row[] {
  const there = list
    .filter(({ x }) => x !== null)
    .sort((a, b) => sign * (Number(a['x']) > Number(b['x']) ? 1 : Number(a['x']) < Number(b['x']) ? -1 : 0))
  return [...there, ...list.filter(({ x }) => x === null)]
}

const cellsOf = (list: readonly Row[]): Row[] => plain(tableOf(list))

test('many rows are sorted by a number as JavaScript sorts them: 0 and -0 alike, ties as they were, missing last', () => {
  fc.assert(
    fc.property(long, ({ seed, length }) => {
      for (const [list, key, sign] of [longRows, wholeRows].flatMap((rowsOf) => {
        const list = rowsOf(seed, length)
        return [[list, 'x', 1] as const, [list, '-x', -1] as const]
      })) {
        const wanted = sorted(list, sign)
        const found = sort(tableOf(list), key)
        expect(plain(found)).toEqual(cellsOf(wanted))
        const signs = wanted.map(({ x }) => x ?? Number.NaN)
        expect([...numbers(found, 'x')].every((x, row) => Object.is(x, signs[row]))).toBe(true)
        expect(toDataFrame(tableOf(list)).sortValues('x', { ascending: sign === 1 }).values).toEqual(
          toDataFrame(tableOf(wanted)).values,
        )
      }
    }),
    { numRuns: 5 },
  )
})

test('stretches, single rows and mixtures of them are kept with all of their cells, of whole tables and of slices', () => {
  const stretches = fc.array(fc.tuple(fc.nat(700), fc.nat(700), fc.nat(3)), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(long, stretches, fc.nat(40), ({ seed, length }, parts, from) => {
      const list = longRows(seed, length)
      const table = tableOf(list).slice(from) as Known
      const own = list.slice(from)
      const draw = drawing(seed + 1)
      const keep = new Uint8Array(own.length)
      let at = 0
      for (const [gap, size, thin] of parts) {
        at += gap
        for (let row = at; row < Math.min(at + size, keep.length); row++)
          keep[row] = thin && draw(thin + 1) === 0 ? 0 : 1
        at += size
      }
      const wanted = cellsOf(own.filter((_, row) => keep[row] === 1))
      const kept = filter(table, keep)
      expect(plain(kept)).toEqual(wanted)
      expect(plain(filter(kept, new Uint8Array(kept.numRows).fill(1)))).toEqual(wanted)
      const frame = toDataFrame(table as Table)
      const mask = Array.from(keep, (flag) => flag === 1)
      const again = frame.query(mask)
      expect(again.values).toEqual(frame.values.filter((_: unknown, row: number) => mask[row]))
      expect(again.index).toEqual(frame.index.filter((_: unknown, row: number) => mask[row]))
      expect(again.sortValues('i').head(9).values).toEqual(toDataFrame(sort(kept, 'i')).head(9).values)
    }),
    { numRuns: 12 },
  )
})

test('rows that danfo picked stay what they were when the rows of their frame are written to', () => {
  const frame = toDataFrame(tableOf(longRows(3, 400)))
  const [before, order] = [(frame.values as unknown[][]).map((row) => [...row]), frame.sortValues('x')]
  const picked = frame.query(frame['flag'].values.map((flag: unknown) => flag === true))
  for (const row of frame.values as unknown[][]) row[2] = 7
  frame.addColumn('x', new Array(400).fill(8), { inplace: true })
  expect(picked.values).toEqual(before.filter((row) => row[4] === true))
  expect(order.values).toEqual(order.index.map((row) => before[Number(row)]))
})

test('when takes the side of its flag in every row, missing where that is', () => {
  fc.assert(
    fc.property(long, ({ seed, length }) => {
      const list = longRows(seed, length)
      const made = derive(tableOf(list), {
        two: (c) => when(c.flag, c.x, c.i),
        one: (c) => when(c.flag, 5, c.x.minus(1)),
        none: (c) => when(c.x.gt(c.i), null, c.i),
      })
      const number = (cell: unknown): number => (cell === null ? Number.NaN : Number(cell))
      const side = (flag: unknown, yes: number, no: number): number => (flag === null ? Number.NaN : flag ? yes : no)
      const wanted = list.map(({ flag, x = null, i = null }) => ({
        two: side(flag, number(x), number(i)),
        one: side(flag, 5, number(x) - 1),
        none: side(x === null || i === null ? null : number(x) > number(i), Number.NaN, number(i)),
      }))
      for (const name of ['two', 'one', 'none'] as const)
        expect([...numbers(made, name)]).toEqual(wanted.map((row) => row[name]))
    }),
    { numRuns: 12 },
  )
})

test('a join whose partners follow one another has their cells, and none where there is no partner', () => {
  const list = longRows(5, 5000).map((row, at) => ({ ...row, i: at }))
  const left = tableOf(
    Array.from({ length: 5000 }, (_, at) => ({ i: at + 2500, code: 'left' })),
    ['i', 'code'],
  )
  const inner = join(left, tableOf(list), { on: 'i', how: 'inner' })
  expect(plain(inner).map(({ i, x, flag, code_right: code }) => ({ i, x, flag, code }))).toEqual(
    cellsOf(list.slice(2500)).map(({ i, x, flag, code }) => ({ i, x, flag, code })),
  )
  const all = plain(join(left, tableOf(list), { on: 'i' }))
  expect(all.slice(2500).every(({ x, flag, code_right: code }) => x === null && flag === null && code === null)).toBe(
    true,
  )
})
