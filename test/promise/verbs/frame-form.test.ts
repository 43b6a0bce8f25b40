import {
  Bool,
  DateDay,
  Field,
  Float32,
  Int32,
  Int64,
  List,
  Struct,
  Table,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow'
import fc from 'fast-check'
import * as quotebook from 'quotebook'
import { asTable, booleans, type Data, type DataFrame, lists, numbers, rowsOf, strings, toDataFrame } from 'quotebook'
import { expect, test } from 'vitest'
import { described } from '../helper/rows.js'

/* What a verb makes of a frame is what it makes of the frame's table: rows, types, and what is known of columns. */

// biome-ignore lint/suspicious/noExplicitAny: verbs of any data
type Verb = (data: any, other: any) => any
const { asofJoin, concat, derive, describe, dropDuplicates, filter, groupBy, join, pivot, select, shift, sort } =
  quotebook

const verbs: Record<string, Verb> = {
  filter: (data) => filter(data, (row) => row.lots !== 1 && row.note !== 'a'),
  'filter by a list': (data) => filter(data, (row) => row.parts !== null),
  select: (data) => select(data, ['note', 'lots', 'parts']),
  sort: (data) => sort(data, '-note', 'price', 'flag'),
  dropDuplicates: (data) => dropDuplicates(data, ['word', 'note']),
  derive: (data) => derive(data, { x: (of) => of['price'] ?? null, y: (of) => of['note'] ?? null, z: () => 'k' }),
  'derive by': (data) => derive(data, { x: (of) => shift(of['price'] ?? [], 1) }, { by: 'note', order: 'whole' }),
  groupBy: (data) =>
    groupBy(data, ['note', 'flag'], { n: 'rows', s: ['price', 'sum'], f: ['word', 'first'], m: ['lots', 'max'] }),
  concat: (data, other) => concat([data, other]),
  join: (data, other) => join(data, dropDuplicates(other, 'word'), { on: 'word', suffix: '_r' }),
  'outer join': (data, other) =>
    join(dropDuplicates(data, 'note'), dropDuplicates(other, 'note'), { on: 'note', how: 'outer', suffix: '_r' }),
  asofJoin: (data, other) => asofJoin(data, other, { on: 'whole', suffix: '_r' }),
  pivot: (data) =>
    pivot(
      filter(data, (row) => row.word !== null),
      { index: 'note', columns: 'word', values: 'price', op: 'sum' },
    ),
  describe: (data) => describe(data),
}

const row = fc.record({
  word: fc.integer({ min: -1, max: 2 }),
  price: fc.constantFrom(0.5, 1, 2.25, null),
  lots: fc.constantFrom(1, 2, null),
  flag: fc.constantFrom(true, false, null),
  note: fc.constantFrom('a', 'b', '', 'ü', null),
  parts: fc.constantFrom(['p', 'q'], ['r'], null),
})
type Row = typeof row extends fc.Arbitrary<infer R> ? R : never

function tableOf(list: readonly Row[]): Table {
  const kinds = { word: 'label', price: 'number', lots: 'integer', whole: 'integer', flag: 'boolean' } as const
  const table = quotebook.fromRows(
    list.map(({ word, price, lots, flag, note, parts }, i) => [
      ['000001', 'x', 'y'][word] ?? null,
      ...[price, lots, i, flag, note, parts],
    ]),
    { columns: [...Object.keys(kinds), 'note', 'parts'], kinds: { ...kinds, note: 'text', parts: 'texts' } },
  )
  const extra = [['kind', 'extra']] as const
  const others = Object.fromEntries(table.schema.fields.map(({ name }) => [name, extra]))
  return described(table, {
    ...others,
    lots: [
      ['kind', 'integer'],
      ['unit', 'lots'],
      ['meaning', 'lots of 100'],
    ],
  })
}

const said = (table: Table) => table.schema.fields.map((field) => `${field} ${[...field.metadata].sort().join(' ')}`)

/** Frames of a table: as made, with rows that somebody holds, and with its columns moved. */
const forms: Record<string, (table: Table) => Data> = {
  made: toDataFrame,
  'with rows': (table) => {
    const frame = toDataFrame(table) as DataFrame
    expect(frame.values.length).toBe(table.numRows)
    return frame
  },
  moved: (table) => (toDataFrame(table) as DataFrame).query(Array(table.numRows).fill(true)),
}

test.each(Object.entries(verbs))('%s', (_, verb) => {
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 12 }),
      fc.array(row, { minLength: 1, maxLength: 12 }),
      (a, b) => {
        const [data, other] = [tableOf(a), tableOf(b)]
        const wanted = verb(data, other)
        for (const form of Object.values(forms)) {
          const [frame, right] = [form(data), form(other)]
          const found = asTable(verb(frame, right))
          expect(rowsOf(found)).toEqual(rowsOf(wanted))
          expect(said(found)).toEqual(said(wanted))
          expect(rowsOf(frame)).toEqual(rowsOf(data))
        }
      },
    ),
    { numRuns: 8 },
  )
})

const columns: Record<string, Vector> = {
  a: vectorFromArray([1n, null, 3n], new Int64()),
  wide: vectorFromArray([2n ** 60n, null, 2n ** 61n], new Int64()),
  f: vectorFromArray([1.5, null, 2.5], new Float32()),
  d: vectorFromArray([new Date(0), null, new Date(864e5)], new DateDay()),
  nested: vectorFromArray([{ x: 1 }, null, { x: 2 }], new Struct([new Field('x', new Int32())])),
  flag: vectorFromArray([true, null, false], new Bool()),
  list: vectorFromArray([['a'], null, ['b', 'c']], new List(new Field('item', new Utf8()))),
  text: vectorFromArray(['x', null, 'ü'], new Utf8()),
  word: vectorFromArray(['x', null, 'y']),
}
const whole = new Table(columns)

test.each<[string, Table]>([
  ['one piece', whole],
  ['its end', whole.slice(1)],
  ['its beginning', whole.slice(0, 2)],
  ['two pieces', whole.concat(whole)],
  ['a part of two', whole.concat(whole).slice(2, 5)],
  ['nothing', whole.slice(3)],
])('a table of other types and in pieces is the same in a frame: %s', (_, table) => {
  const frame = toDataFrame(table) as DataFrame
  const rows = rowsOf(table)
  expect(asTable(frame)).toBe(table)
  expect(frame.shape).toEqual([rows.length, 9])
  expect(rowsOf(asTable(frame.copy()))).toEqual(rows)
  const back = rows.map((_, i) => rows.length - 1 - i)
  if (rows.length > 0) expect(rowsOf(asTable(frame.iloc({ rows: back })))).toEqual([...rows].reverse())
  expect(rowsOf(filter(frame, () => true))).toEqual(rows)
  for (const data of [frame, frame.copy()]) {
    expect([numbers(data, 'a'), numbers(data, 'f')]).toEqual([numbers(table, 'a'), numbers(table, 'f')])
    for (const name of ['d', 'text', 'word', 'nested']) expect(strings(data, name)).toEqual(strings(table, name))
    expect([booleans(data, 'flag'), lists(data, 'list')]).toEqual([booleans(table, 'flag'), lists(table, 'list')])
  }
})
