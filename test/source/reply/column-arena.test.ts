import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ColumnArena } from '../../../src/source/reply/column-arena.js'

const cells = fc.array(
  fc.record({
    float: fc.double(),
    int: fc.integer(),
    flag: fc.boolean(),
    there: fc.boolean(),
    word: fc.integer({ min: -1, max: 2 }),
  }),
  { maxLength: 40 },
)
type Row = { float: number; int: number; flag: boolean; there: boolean; word: number }

function columnsOf(rows: readonly Row[]) {
  const valid = rows.every(({ there }) => there) ? null : Uint8Array.from(rows, ({ there }) => Number(there))
  return {
    length: rows.length,
    columns: new Map([
      ['float', { type: 'float', data: Float64Array.from(rows, ({ float }) => float), valid }],
      ['int', { type: 'int', data: Int32Array.from(rows, ({ int }) => int), valid }],
      ['flag', { type: 'boolean', data: Uint8Array.from(rows, ({ flag }) => Number(flag)), valid }],
      ['codes', { type: 'dictionary', data: Int32Array.from(rows, ({ word }) => word), dictionary: ['a', 'b', 'c'] }],
      ['strings', { type: 'string', data: rows.map(({ word }) => (word < 0 ? null : String(word))) }],
    ] as const),
  }
}

test('what is kept is what came, whatever is kept after it', () => {
  fc.assert(
    fc.property(fc.array(cells, { maxLength: 20 }), (replies) => {
      const slabs = new ColumnArena()
      const kept = replies.map((rows) => slabs.copy(columnsOf(rows)))
      expect(kept).toEqual(replies.map(columnsOf))
    }),
  )
})

test('the cells of a column share a large block, and one that does not fit gets a block of its own', () => {
  const slabs = new ColumnArena()
  const of = (length: number) =>
    slabs
      .copy({ length, columns: new Map([['x', { type: 'float', data: new Float64Array(length), valid: null }]]) })
      .columns.get('x')
  const [one, two, large, three] = [of(10), of(20), of(2 ** 21), of(5)].map(
    (values) => (values?.data as Float64Array | undefined)?.buffer,
  )
  expect(one).toBe(two)
  expect(large?.byteLength).toBe(2 ** 24)
  expect(three).not.toBe(large)
})
