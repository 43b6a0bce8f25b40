import { Schema, Table, tableFromArrays } from 'apache-arrow'
import fc from 'fast-check'
import {
  asTable,
  columnNames,
  type Data,
  describe,
  fromCsv,
  fromIpc,
  fromJson,
  fromParquet,
  fromRows,
  type Kind,
  numbers,
  provenance,
  rowsOf,
  strings,
  toCsv,
  toDataFrame,
  toIpc,
  toJson,
  toObjects,
  toParquet,
} from 'quotebook'
import { expect, test } from 'vitest'

const whole = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !/\p{Surrogate}/u.test(text))
const text = fc.oneof(
  whole,
  fc.string({
    unit: fc.constantFrom('"', ',', '\n', '\r', "'", '=', '-', ' ', '0', '1', '.', 'e', '中'),
    maxLength: 6,
  }),
  fc.constantFrom(
    '',
    'null',
    'NaN',
    '000001',
    'true',
    '1e5',
    '-5',
    '=1+1',
    "'=1",
    '＝1',
    '贵州茅台',
    '😀',
    '\uFEFFbom',
    '\u0000',
  ),
)
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(0, -0, 1e15, 1e21, 5e-324, 1.7976931348623157e308, 2 ** 53, 12345678901.23, 0.1 + 0.2, 20260701),
)
const date = fc
  .integer({ min: 10_957, max: 25_932 })
  .map((day) => new Date(day * 864e5).toISOString().slice(0, 10).replaceAll('-', ''))
const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 19 })

const cells: Partial<Record<Kind, fc.Arbitrary<unknown>>> = {
  number,
  integer: fc.integer(),
  boolean: fc.boolean(),
  label: text,
  text,
  date,
  id: digits,
  texts: fc.array(text, { maxLength: 3 }),
  json: fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown),
}
const kindNames = Object.keys(cells) as Kind[]
const name = fc.oneof(
  text.filter((text) => !/^\d+$/.test(text)),
  fc.constantFrom('close', 'constructor', '__proto__', '=cmd', ' blank '),
)

/** A name that only text of another encoding has: fromCsv refuses it. */
const broken = (name: string) => name.includes('\uFFFD')

/** What Arrow IPC does not keep as a name. */
const lost = (name: string) => name === '' || name.startsWith('\uFEFF')

interface Sample {
  readonly names: string[]
  readonly kinds: Record<string, Kind>
  readonly rows: unknown[][]
}

/** Columns of any names and kinds, cells of them or null. */
const samples = fc
  .uniqueArray(fc.tuple(name, fc.constantFrom(...kindNames)), {
    minLength: 1,
    maxLength: 5,
    selector: ([name]) => name,
  })
  .chain((columns) => {
    const names = columns.map(([name]) => name)
    const kinds = Object.create(null) as Record<string, Kind>
    for (const [name, kind] of columns) kinds[name] = kind
    const row = fc.tuple(...columns.map(([, kind]) => fc.option(cells[kind] as fc.Arbitrary<unknown>, { freq: 5 })))
    return fc.array(row, { maxLength: 10 }).map((rows): Sample => ({ names, kinds, rows }))
  })

const read = ({ names, kinds, rows }: Sample) => fromRows(rows, { columns: names, kinds })

/** All that a table holds, the sign of zero too. */
function whatIsIn(data: Data): unknown {
  const table = asTable(data)
  return {
    names: columnNames(table),
    types: table.schema.fields.map((field) => String(field.type).replace(/\d+>/, '>')),
    rows: rowsOf(table),
  }
}

test('any rows come back from a table', () => {
  fc.assert(
    fc.property(samples, (sample) => {
      const table = read(sample)
      expect(columnNames(table)).toEqual(sample.names)
      expect(rowsOf(table)).toEqual(sample.rows)
      expect(toObjects(table).map((row) => sample.names.map((name) => row[name]))).toEqual(sample.rows)
      if (sample.rows.length > 0)
        expect(rowsOf(fromRows(toObjects(table), { columns: sample.names, kinds: sample.kinds }))).toEqual(sample.rows)
    }),
    { numRuns: 25 },
  )
})

test('any table comes back from CSV and JSON, its kinds given', () => {
  fc.assert(
    fc.property(samples, (sample) => {
      const { names: columns, kinds } = sample
      fc.pre(!columns.some(broken))
      const table = read(sample)
      expect(whatIsIn(fromCsv(toCsv(table), { kinds }))).toEqual(whatIsIn(table))
      expect(whatIsIn(fromJson(toJson(table), { kinds, columns }))).toEqual(whatIsIn(table))
    }),
    { numRuns: 40 },
  )
})

test('any table comes back from Arrow IPC and Parquet with its metadata', async () => {
  await fc.assert(
    fc.asyncProperty(
      samples.filter(({ names }) => !names.some(lost)),
      async (sample) => {
        const { schema, batches } = read(sample)
        const about = { dataset: 'x', source: 'y', request: { params: {}, fields: [] }, rows: 1, complete: true }
        const table = new Table(new Schema(schema.fields, new Map([['quotebook', JSON.stringify(about)]])), batches)
        for (const back of [
          fromIpc(toIpc(table)),
          fromIpc(toIpc(table, 'stream')),
          await fromParquet(await toParquet(table)),
        ]) {
          expect(whatIsIn(back)).toEqual(whatIsIn(table))
          expect(provenance(back)).toEqual(provenance(table))
          expect(back.schema.fields.map((field) => [...field.metadata])).toEqual(
            table.schema.fields.map((field) => [...field.metadata]),
          )
        }
      },
    ),
    { numRuns: 12 },
  )
})

test('JSON is what JSON.stringify makes of the objects, but for the sign of zero', () => {
  fc.assert(
    fc.property(samples, (sample) => {
      const rows = sample.rows.map((row) => row.map((cell) => (cell === 0 ? 0 : cell)))
      const table = read({ ...sample, rows })
      expect(toJson(table)).toBe(JSON.stringify(toObjects(table)))
    }),
  )
  expect(toJson(tableFromArrays({ a: [-0] }))).toBe('[{"a":-0.0}]')
})

test('a frame that was filtered, sorted or calculated goes the same ways', () => {
  const frame = toDataFrame(
    fromRows(
      [
        ['b', 2, 1.5],
        ['a', 1, null],
        ['000001', 3, -0],
      ],
      { columns: ['s', 'lots', 'x'] },
    ),
  )
  const derived = frame.sortValues('lots', { ascending: false }).addColumn('y', [1, 2, 3])
  const rows = [
    ['000001', 3, -0, 1],
    ['b', 2, 1.5, 2],
    ['a', 1, null, 3],
  ]
  expect(rowsOf(derived)).toEqual(rows)
  expect(rowsOf(toDataFrame(derived))).toEqual(rows)
  expect(toDataFrame(derived).index).toEqual([0, 1, 2])
  expect(toCsv(derived)).toBe('s,lots,x,y\n000001,3,-0.0,1\nb,2,1.5,2\na,1,,3\n')
  expect(rowsOf(fromCsv(toCsv(derived)))).toEqual(rows)
  expect(rowsOf(fromIpc(toIpc(derived)))).toEqual(rows)
  expect(strings(describe(derived), 'column')).toEqual(['s', 'lots', 'x', 'y'])
  expect([...numbers(describe(derived), 'missing')]).toEqual([0, 0, 1, 0])
})

test('what a format can not carry is refused', async () => {
  const endless = tableFromArrays({ a: Float64Array.of(1, Number.NEGATIVE_INFINITY) })
  expect(() => toCsv(endless)).toThrow("column 'a', row 2: CSV has no -Infinity; toParquet and toIpc keep it")
  expect(() => toJson(endless)).toThrow("column 'a', row 2: JSON has no -Infinity")
  expect(rowsOf(fromIpc(toIpc(endless)))).toEqual([[1], [Number.NEGATIVE_INFINITY]])
  expect(rowsOf(await fromParquet(await toParquet(endless)))).toEqual([[1], [Number.NEGATIVE_INFINITY]])
  const none = fromRows([{}, {}])
  expect([none.numRows, none.numCols]).toEqual([2, 0])
  expect(() => toCsv(none)).toThrow('without columns')
  await expect(toParquet(none)).rejects.toThrow('without columns')
  expect(toJson(none)).toBe('[{},{}]')
  expect(fromIpc(toIpc(none)).numRows).toBe(2)
  for (const name of ['', '\uFEFFa']) expect(() => toIpc(fromRows([[1]], { columns: [name] }))).toThrow('rename it')
  expect(toDataFrame(fromRows([], { columns: ['a'] })).shape).toEqual([0, 1])
})

test('damaged Arrow bytes are refused, wherever they are cut', () => {
  const table = fromRows(
    [
      ['000001', 1.5, ['a']],
      [null, null, null],
    ],
    { columns: ['s', 'x', 'l'] },
  )
  for (const format of ['file', 'stream'] as const) {
    const bytes = toIpc(table, format)
    for (let end = 0; end < bytes.length; end++) {
      expect(() => fromIpc(bytes.subarray(0, end)), `${format} ${end}`).toThrow(
        expect.objectContaining({ code: 'FILE' }),
      )
    }
  }
  expect(() => fromIpc(new TextEncoder().encode('tradedate,code,close\n1,2,3'))).toThrow('not a whole Arrow IPC file')
})
