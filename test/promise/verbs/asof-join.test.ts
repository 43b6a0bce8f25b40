import fc from 'fast-check'
import { asofJoin } from 'quotebook'
import { expect, test } from 'vitest'
import { plain, type Row, tableOf } from '../helper/rows.js'

type Direction = 'backward' | 'forward' | 'nearest'

function slow(
  left: readonly Row[],
  right: readonly Row[],
  direction: Direction,
  tolerance: number,
  exact: boolean,
): (number | null)[] {
  return left.map(({ code, x }) => {
    if (code === null || x === null) return null
    let best: { i: number; x: number; away: number; after: boolean } | undefined
    right.forEach((row, i) => {
      if (row['code'] !== code || row['x'] === null) return
      const distance = row['x'] === x ? 0 : (row['x'] as number) - (x as number)
      if ((distance === 0 && !exact) || Math.abs(distance) > tolerance) return
      if ((direction === 'backward' && distance > 0) || (direction === 'forward' && distance < 0)) return
      const after = distance > 0 || (distance === 0 && direction === 'forward')
      const away = Math.abs(distance)
      const closer = !best || (after ? Number(row['x']) < best.x : Number(row['x']) >= best.x)
      const better = !best || away < best.away || (away === best.away && (after === best.after ? closer : best.after))
      if (better) best = { i, x: Number(row['x']), away, after }
    })
    return best?.i ?? null
  })
}

const list = fc.array(
  fc.record({
    code: fc.constantFrom(null, 'a', 'b'),
    x: fc.option(
      fc.oneof({ weight: 6, arbitrary: fc.integer({ min: -6, max: 6 }) }, fc.constantFrom(Infinity, -Infinity)),
      {
        freq: 8,
      },
    ),
  }),
  { maxLength: 25 },
)

test('asofJoin is the slow search through all rows', () => {
  const direction = fc.constantFrom('backward', 'forward', 'nearest' as const)
  const tolerance = fc.constantFrom(undefined, 0, 1, 3, Infinity)
  fc.assert(
    fc.property(list, list, direction, tolerance, fc.boolean(), (left, right, which, within, exact) => {
      const numbered = right.map((row, i) => ({ ...row, i }))
      const options = {
        on: 'x',
        by: 'code',
        direction: which,
        exact,
        ...(within === undefined ? {} : { tolerance: within }),
      } as const
      const found = asofJoin(tableOf(left, ['code', 'x']), tableOf(numbered, ['code', 'x', 'i']), options)
      expect(plain(found).map(({ i }) => i)).toEqual(slow(left, right, which, within ?? Infinity, exact))
      expect(plain(found).map(({ code, x }) => ({ code, x }))).toEqual(left.map(({ code, x }) => ({ code, x })))
    }),
    { numRuns: 60 },
  )
})

const at = (words: (string | null)[]) =>
  tableOf(
    words.map((code, i) => ({ code, i })),
    ['code', 'i'],
  )
const matched = (left: (string | null)[], right: (string | null)[], tolerance: number) =>
  plain(asofJoin(at(left), at(right), { on: 'code', tolerance })).map((row) => row['i_right'])

test('tolerance counts days, minutes and seconds', () => {
  expect(matched(['20260301', '20260302', null], ['20260227', null], 2)).toEqual([0, null, null])
  expect(matched(['1005', '1006'], ['0955'], 10)).toEqual([0, null])
  expect(matched(['09:30:01.500', '09:30:01.501', '09:30:01'], ['09:30:00.500'], 1)).toEqual([0, null, 0])
  expect(matched(['10:00:00', '10:00:01'], ['09:59:30'], 30)).toEqual([0, null])
  expect(matched(['2026-07-01T10:00:00', '20260701 11:00'], ['2026-07-01T09:59:30'], 30)).toEqual([0, null])
})

test('a column of its own name on the right stays and tells the time', () => {
  const left = tableOf([{ x: 5 }], ['x'])
  const right = tableOf([{ i: 3, code: 'a' }], ['i', 'code'])
  expect(plain(asofJoin(left, right, { on: { x: 'i' } } as never))).toEqual([{ x: 5, i: 3, code: 'a' }])
})

test('what is no time is refused', () => {
  expect(() => matched(['20260230'], ['20260201'], 1)).toThrow(
    `column 'code' holds text that is not all dates YYYYMMDD`,
  )
  expect(() => matched(['20260201'], ['0930'], 1)).toThrow("'code' holds a date and 'code' of the right a minute")
  expect(() => matched(['0930'], ['0930'], -1)).toThrow('tolerance must be a number of at least 0')
})
