import { asofJoin, concat, type Data, fromRows, join, toDataFrame } from 'quotebook'
import { expect, test } from 'vitest'
import { plain } from '../helper/rows.js'

/* A column without any cell tells nothing of its type: danfo and CSV take one of text for numbers. */

const samples = { number: 1.5, integer: 2, boolean: true, label: '2026-07-01', text: '20260701', texts: ['a'] } as const
type Form = keyof typeof samples
const forms = Object.keys(samples) as Form[]
const keyed = (form: Form, length: number, missing: boolean): Data =>
  fromRows(
    Array.from({ length }, (_, row) => [missing ? null : samples[form], '2026-07-01', row]),
    { columns: ['key', 'day', 'row'], kinds: { key: form, day: 'label', row: 'integer' } },
  )

const pairs = (['number', 'label', 'texts'] as const)
  .flatMap((one) => forms.map((two) => [one, two] as const))
  .filter(([, two]) => two !== 'texts')
const blanks = [
  [0, true],
  [2, true],
] as const

test.each(pairs)('a key of %s without any cell matches no %s', (one, two) => {
  for (const [length, missing] of blanks) {
    for (const on of ['key', ['key', 'day']] as const) {
      const [blank, filled] = [keyed(one, length, missing), keyed(two, 2, false)]
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
    const [blank, filled] = [keyed(one, length, missing), keyed(two, 2, false)]
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
      const [blank, filled] = [keyed(one, length, missing), keyed(two, 2, false)]
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
  const text = fromRows([['000001']], { columns: ['code'], kinds: { code: 'code' } })
  const none = fromRows([[null]], { columns: ['code'], kinds: { code: 'number' } })
  for (const right of [text, toDataFrame(text)] as Data[]) {
    const outer = join(none as Data, right, { on: 'code', how: 'outer' }) as typeof text
    expect(plain(outer)).toEqual([{ code: null }, { code: '000001' }])
    expect(outer.schema.fields[0]?.metadata.get('kind')).toBe('code')
  }
  expect((concat([none, text]) as typeof text).schema.fields[0]?.metadata.get('kind')).toBe('code')
})
