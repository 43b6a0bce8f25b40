import type { Table } from 'apache-arrow'
import fc from 'fast-check'
import {
  type Column,
  columnNames,
  connect,
  datasets,
  filter,
  fromCsv,
  fromRows,
  groupBy,
  type Kind,
  rowsOf,
  toCsv,
  toObjects,
} from 'quotebook'
import { expect, test } from 'vitest'

type Cell = string | number | boolean | null

/** What the columns of a table hold, whichever way their texts or numbers are stored. */
function contentOf(table: Table): [string, string, unknown[]][] {
  const rows = rowsOf(table)
  return table.schema.fields.map(({ name, type }, at) => {
    const cells = rows.map((row) => row[at])
    const holds = String(type)
      .replace(/^Dictionary.*|Utf8/, 'texts')
      .replace(/^(Float|Int).*/, 'numbers')
    // A column without a cell does not say what it would hold.
    return [String(name), cells.every((cell) => cell === null) ? 'nothing' : holds, cells]
  })
}

const asText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'null',
    'NaN',
    'true',
    'false',
    '0',
    '1',
    '12',
    '-1',
    '1.5',
    '1e+21',
    '000001',
    '600000',
    '1.0',
  ),
  fc.constantFrom('20260701', '20260702', '0930', '1000', '09:30:00', '2026-07-01', '113527', '1234567890123456789'),
  fc.constantFrom(
    '"',
    '""',
    ',',
    '\n',
    '\r\n',
    '\r',
    '\ufeff',
    "'",
    "'=1",
    '=1',
    '+1',
    '＝1',
    'a"b',
    '[]',
    '["a"]',
    '{}',
  ),
  fc.string({ unit: 'grapheme', maxLength: 5 }).filter((text) => !/\p{Cs}/u.test(text)),
)
const asNumber = fc.oneof(
  fc.constantFrom(0, -0, 1, 2, 4, 930, 1000, 113527, 600000, 20260701, 20260702, 1e15, 1e21, 0.1 + 0.2, -1.5, 5e-324),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
/** Columns of one sort, narrow ones too: all numerals, all dates, all words of a few. */
const cells = (length: number): fc.Arbitrary<readonly Cell[]> =>
  fc
    .constantFrom<fc.Arbitrary<Cell>>(
      asText,
      asNumber,
      fc.boolean(),
      fc.constantFrom('1', '2', '4'),
      fc.constantFrom('true', 'false'),
      fc.constantFrom('20260701', '20260702'),
      fc.constantFrom('600000', '113527'),
      fc.constantFrom('1.5', '2.0'),
      fc.constantFrom(20260701, 20260702),
      fc.constantFrom(2, 4),
      fc.constantFrom(1000, 1030),
      fc.constantFrom('1000', '1030'),
    )
    .chain((sort) => fc.array(fc.option(sort, { freq: 5 }), { minLength: length, maxLength: length }))

const columns = datasets.flatMap((one) =>
  Object.entries({ ...one.columns, ...('stored' in one ? one.stored : {}) } as Record<string, Column>),
)
/** Names of lists and nested values are read as such. */
const nested = new Set(columns.flatMap(([name, { kind }]) => (kind === 'texts' || kind === 'json' ? [name] : [])))
const known = [...new Set(columns.map(([name]) => name))].filter((name) => !nested.has(name))
const name = fc.oneof(fc.constantFrom(...known), fc.constantFrom('a', 'b', '中', '', ' ', 'a,b', '=x', '"q"'), asText)

const tables = fc.nat(6).chain((length) =>
  fc.uniqueArray(fc.tuple(name, cells(length)), { minLength: 1, maxLength: 5, selector: ([own]) => own }).map((all) => {
    const kinds = Object.create(null) as Record<string, Kind>
    for (const [own, list] of all) kinds[own] = kindOf(list)
    return fromRows(
      Array.from({ length }, (_, row) => all.map(([, list]) => list[row])),
      { columns: all.map(([own]) => own), kinds },
    )
  }),
)

function kindOf(list: readonly Cell[]): Kind {
  const first = typeof list.find((cell) => cell !== null)
  return first === 'string' ? 'text' : first === 'boolean' ? 'boolean' : 'number'
}

test('a table of texts, numbers and booleans comes back from CSV, whatever its columns are called', () => {
  fc.assert(
    fc.property(tables, fc.boolean(), (table, bom) => {
      fc.pre(!columnNames(table).some((own) => own.includes('\ufffd')))
      const again = fromCsv(toCsv(table, { bom }))
      expect(contentOf(again)).toEqual(contentOf(table))
    }),
    { numRuns: 150 },
  )
})

test('what is made of groups comes back as numbers under names that a dataset has too', async () => {
  const market = await connect()
  const bonds = await market.table.convertibleDaily({ startdate: '20260701', enddate: '20260729' })
  const made = groupBy(bonds, 'code', { n: ['close', 'count'], s: ['close', 'sum'], name: ['vol', 'max'] })
  expect(contentOf(fromCsv(toCsv(made)))).toEqual(contentOf(made))
})

test('every dataset of the sample comes back, and its codes, minutes and words of the contract stand without quotes', async () => {
  const market = await connect()
  const top = await market.table.southboundTop10({ market_type: '2,4' })
  expect(toCsv(top)).not.toContain('"')
  const bars = await market.table.etfMinute({ period: '15m' })
  for (const table of [top, bars, await market.table.st(), await market.table.themeDaily({ type: 'tj' })]) {
    const again = fromCsv(toCsv(table))
    expect(toObjects(again)).toEqual(toObjects(table))
    expect(again.schema.fields.map(String)).toEqual(table.schema.fields.map(String))
  }
  expect(filter(fromCsv(toCsv(top)), (row) => row['market_type'] === '2').numRows).toBeGreaterThan(0)
})

test('quotes tell texts from numbers, but not in a file that quotes everything', () => {
  const table = fromRows(
    [
      ['1', 1, '20260701', 20260701],
      ['2', 2, '20260702', 20260702],
    ],
    { columns: ['text', 'number', 'day', 'x'] },
  )
  expect(toCsv(table)).toBe('text,number,day,x\n"1",1,20260701,20260701.0\n"2",2,20260702,20260702.0\n')
  expect(toObjects(fromCsv('"a","b"\n"1","x"\n"2","y"\n'))).toEqual([
    { a: 1, b: 'x' },
    { a: 2, b: 'y' },
  ])
  expect(toObjects(fromCsv('a,b\n"1",x\n"2",y\n')).map((row) => row['a'])).toEqual(['1', '2'])
})
