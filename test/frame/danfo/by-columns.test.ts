import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DataFrame } from '../../../src/frame/danfo-classes.js'

const mixed = (): DataFrame =>
  new DataFrame({ a: [1, 2.5, Number.NaN], b: [4, 5, 6], g: ['x', null, 'x'] }, { index: ['p', 'q', 'r'] })

test('isNa, round and abs are what they are cell by cell, in types, labels and place', () => {
  const cell = fc.oneof(fc.constant(null), fc.double({ min: -1e6, max: 1e6 }), fc.integer({ min: -9, max: 9 }))
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 0, max: 3 }),
      (rows, places) => {
        const index = rows.map((_, row) => `r${row}`)
        const frame = new DataFrame(rows, { columns: ['a', 'b'], index })
        const by = (make: (value: number) => unknown): DataFrame =>
          new DataFrame(
            rows.map((row) => row.map((value) => (value === null || Number.isNaN(value) ? Number.NaN : make(value)))),
            { columns: ['a', 'b'], index },
          )
        const parts = (of: DataFrame) => [of.values, of.index, of.columns, of.dtypes]
        const wanted = by((value) => Number(value.toFixed(places)))
        expect(parts(frame.round(places))).toEqual(parts(wanted))
        expect(parts(frame.abs())).toEqual(parts(by(Math.abs)))
        const missing = rows.map((row) => row.map((value) => value === null || Number.isNaN(value)))
        expect(parts(frame.isNa())).toEqual([missing, index, ['a', 'b'], ['boolean', 'boolean']])
        frame.round(places, { inplace: true })
        expect(parts(frame)).toEqual(parts(wanted))
      },
    ),
    { numRuns: 200 },
  )
  expect(() => mixed().round(1)).toThrow("'g' is text, which has no rounding")
  expect(mixed().isNa().values).toEqual([
    [false, false, false],
    [false, false, true],
    [true, false, false],
  ])
})
