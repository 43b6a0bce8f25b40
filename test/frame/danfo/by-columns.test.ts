import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DataFrame } from '../../../src/frame/danfo-classes.js'

const NDframe = { prototype: Object.getPrototypeOf(DataFrame.prototype) as object }

/** How often the rows of a frame are made for somebody while `run` runs. */
function rowsMade(run: () => unknown): number {
  const before = ['values', '$data'].map(
    (name) => [name, Object.getOwnPropertyDescriptor(NDframe.prototype, name)] as const,
  )
  let made = 0
  for (const [name, own] of before)
    Object.defineProperty(NDframe.prototype, name, {
      ...own,
      get(this: { $isSeries: boolean }) {
        if (!this.$isSeries) made++
        return own?.get?.call(this)
      },
    })
  try {
    run()
  } finally {
    for (const [name, own] of before) Object.defineProperty(NDframe.prototype, name, own as PropertyDescriptor)
  }
  return made
}

const mixed = (): DataFrame =>
  new DataFrame({ a: [1, 2.5, Number.NaN], b: [4, 5, 6], g: ['x', null, 'x'] }, { index: ['p', 'q', 'r'] })
const plain = (): DataFrame => new DataFrame({ a: [1, 2.5, Number.NaN], b: [4, 5, 6] })
const at = (list: number[]) => ({ rows: list })

test.each<[string, () => unknown]>([
  ['isNa', () => mixed().isNa()],
  ['round', () => plain().round(1)],
  ['round in place', () => plain().round(1, { inplace: true })],
  ['abs', () => plain().abs()],
  ['fillNa', () => mixed().fillNa(0)],
  ['replace', () => mixed().replace(4, 9)],
  ['describe', () => mixed().describe()],
  ['head and tail', () => [mixed().head(2), mixed().tail(2)]],
  ['loc and iloc', () => [plain().loc({ ...at([0]), columns: ['a'] }), mixed().iloc(at([0]))]],
  ['addColumn', () => mixed().addColumn('c', [1, 2, 3])],
  ['drop', () => [mixed().drop({ columns: ['a'] }), mixed().drop({ index: ['p'] })]],
  ['rename', () => mixed().rename({ a: 'z' })],
  ['sortValues', () => mixed().sortValues('a')],
  ['groupby', () => mixed().groupby(['g']).sum()],
  ['apply on columns', () => plain().apply((cells: number[]) => cells.length, { axis: 0 })],
  ['applyMap', () => plain().applyMap((cell: number) => cell)],
  ['add, gt', () => [plain().add(plain()), plain().gt(1)]],
  ['cumSum, diff', () => [plain().cumSum(), plain().diff(1)]],
  ['query, dropNa', () => [mixed().query(mixed()['b'].gt(4)), mixed().dropNa({ axis: 1 })]],
])('%s makes no rows', (_, run) => {
  expect(rowsMade(run)).toBe(0)
  expect(rowsMade(() => mixed().values)).toBe(1)
})

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
