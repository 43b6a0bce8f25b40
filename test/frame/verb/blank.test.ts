import { expect, test } from 'vitest'
import type { Data } from '../../../src/frame/data.js'
import { toDataFrame } from '../../../src/frame/to-data-frame.js'
import { asofJoin } from '../../../src/frame/verb/asof-join.js'
import { concat } from '../../../src/frame/verb/concat.js'
import { join } from '../../../src/frame/verb/join.js'
import { toTable } from '../../../src/table/arrow.js'
import type { ColumnData } from '../../../src/table/values.js'
import { plain } from './data.js'

/* A column without any cell tells nothing of its type: danfo and CSV take one of text for numbers. */

const bytes = (length: number, missing: boolean) => new Uint8Array(length).fill(missing ? 0 : 1)
const columns: Record<ColumnData['type'], (length: number, missing: boolean) => ColumnData> = {
  float: (length, missing) => ({
    type: 'float',
    data: new Float64Array(length).fill(missing ? Number.NaN : 1.5),
    valid: bytes(length, missing),
  }),
  int: (length, missing) => ({ type: 'int', data: new Int32Array(length).fill(2), valid: bytes(length, missing) }),
  boolean: (length, missing) => ({
    type: 'boolean',
    data: new Uint8Array(length).fill(1),
    valid: bytes(length, missing),
  }),
  dictionary: (length, missing) => ({
    type: 'dictionary',
    data: new Int32Array(length).fill(missing ? -1 : 0),
    dictionary: ['2026-07-01'],
  }),
  string: (length, missing) => ({ type: 'string', data: new Array(length).fill(missing ? null : '20260701') }),
  list: (length, missing) => ({ type: 'list', data: new Array(length).fill(missing ? null : ['a']) }),
}
const forms = Object.keys(columns) as ColumnData['type'][]
const keyed = (key: ColumnData, length: number): Data =>
  toTable(
    {
      length,
      columns: new Map([
        ['key', key],
        ['day', columns.dictionary(length, false)],
        ['row', { type: 'int', data: Int32Array.from({ length }, (_, row) => row), valid: null }],
      ]),
    },
    {},
  )

const pairs = forms.flatMap((one) => forms.map((two) => [one, two] as const)).filter(([, two]) => two !== 'list')
const blanks = [
  [0, true],
  [2, true],
] as const

test.each(pairs)('a key of %s without any cell matches no %s', (one, two) => {
  for (const [length, missing] of blanks) {
    for (const on of ['key', ['key', 'day']] as const) {
      const [blank, filled] = [keyed(columns[one](length, missing), length), keyed(columns[two](2, false), 2)]
      for (const [left, right] of [
        [blank, filled],
        [filled, blank],
      ] as const) {
        const rows = plain(left)
        const alone = rows.map(({ row }) => [row, null])
        const pairsOf = (joined: Data) => plain(joined).map((cells) => [cells['row'], cells['row_right']])
        expect(pairsOf(join(left, right, { on }))).toEqual(alone)
        expect(pairsOf(join(left, right, { on, how: 'inner' }))).toEqual([])
        const outer = join(left, right, { on, how: 'outer' })
        expect(pairsOf(outer)).toEqual([...alone, ...plain(right).map(({ row }) => [null, row])])
        expect(plain(outer).map(({ key }) => key)).toEqual([...rows, ...plain(right)].map(({ key }) => key))
        const asof = asofJoin(left, right, { on: 'row', by: on } as never) as Data
        expect(plain(asof)).toHaveLength(rows.length)
      }
    }
  }
})

test.each(pairs)('a time of %s without any cell meets no %s', (one, two) => {
  if (two === 'boolean') return
  for (const [length, missing] of blanks) {
    const [blank, filled] = [keyed(columns[one](length, missing), length), keyed(columns[two](2, false), 2)]
    expect(plain(asofJoin(blank, filled, { on: 'key' })).map((row) => row['row_right'])).toEqual(
      Array(length).fill(null),
    )
    expect(plain(asofJoin(filled, blank, { on: 'key' })).map((row) => row['row_right'])).toEqual([null, null])
  }
})

test.each(forms.flatMap((one) => forms.map((two) => [one, two] as const)))(
  'concat of nothing as %s and of %s',
  (one, two) => {
    for (const [length, missing] of blanks) {
      const [blank, filled] = [keyed(columns[one](length, missing), length), keyed(columns[two](2, false), 2)]
      for (const parts of [
        [blank, filled],
        [filled, blank],
      ]) {
        expect(plain(concat(parts)).map(({ key }) => key)).toEqual(
          parts.flatMap((part) => plain(part).map(({ key }) => key)),
        )
      }
    }
  },
)

test('a frame that lost all its names joins, and the kind of the key is that of its cells', () => {
  const text = toTable(
    { length: 1, columns: new Map([['code', { type: 'dictionary', data: Int32Array.of(0), dictionary: ['000001'] }]]) },
    { code: { kind: 'code', meaning: 'Security code.' } },
  )
  const none = toTable(
    { length: 1, columns: new Map([['code', columns.float(1, true)]]) },
    { code: { kind: 'number', meaning: 'Nothing.', nullable: true } },
  )
  for (const right of [text, toDataFrame(text)] as Data[]) {
    const outer = join(none as Data, right, { on: 'code', how: 'outer' }) as typeof text
    expect(plain(outer)).toEqual([{ code: null }, { code: '000001' }])
    expect(outer.schema.fields[0]?.metadata.get('kind')).toBe('code')
  }
  expect((concat([none, text]) as typeof text).schema.fields[0]?.metadata.get('kind')).toBe('code')
})
