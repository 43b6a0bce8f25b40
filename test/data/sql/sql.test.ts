import type { Table } from 'apache-arrow'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sql } from '../../../src/data/sql/sql.js'
import type { DataFrame } from '../../../src/frame/danfo-classes.js'
import { rowsOf } from '../../../src/frame/read-columns.js'
import { toTable } from '../../../src/frame/table/arrow.js'
import { columnsOf } from '../../../src/frame/table/unwrap.js'
import type { ColumnData, RecordColumns } from '../../../src/frame/table/values.js'
import { useOwnTemp } from '../../helper/temp.js'

useOwnTemp()

const nan = Number.NaN

function codes(cells: readonly (string | null)[]): ColumnData {
  const words = [...new Set(cells.filter((cell) => cell !== null))]
  return {
    type: 'dictionary',
    data: Int32Array.from(cells, (cell) => (cell === null ? -1 : words.indexOf(cell))),
    dictionary: words,
  }
}

function float(cells: readonly (number | null)[]): ColumnData {
  return {
    type: 'float',
    data: Float64Array.from(cells, (cell) => cell ?? nan),
    valid: Uint8Array.from(cells, (cell) => (cell === null ? 0 : 1)),
  }
}

function tableOf(of: Record<string, ColumnData>): Table {
  const columns: RecordColumns = {
    length: Object.values(of)[0]?.data.length ?? 0,
    columns: new Map(Object.entries(of)),
  }
  return toTable(columns, {})
}

const bars = tableOf({
  symbol: codes(['600000', '000001', null, '000001', '300750']),
  amount: float([12345678901.23, 98765432109.87, 1, null, 0.1]),
  volume: { type: 'int', data: Int32Array.of(3, 0, 5, 7, -1), valid: Uint8Array.of(1, 0, 1, 1, 1) },
  up: { type: 'boolean', data: Uint8Array.of(1, 0, 0, 1, 0), valid: Uint8Array.of(1, 1, 0, 1, 1) },
  title: { type: 'string', data: ["it's; drop table bars --", null, '股票😀', '', 'a\0b\nc'] },
  held: { type: 'list', data: [['000001', '600000'], null, [], ["o'x"], ['三']] },
})

const ask = (text: string, tables: Record<string, Table | DataFrame> = { bars }) => sql(text, { tables })

test('every table survives the way in and out', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom('', '\0', "'", '"', 'NULL', '000001'),
  )
  const row = fc.record({
    a: fc.option(text, { nil: null }),
    b: fc.option(fc.double({ noNaN: true }), { nil: null }),
    c: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { nil: null }),
    d: fc.option(fc.boolean(), { nil: null }),
    e: fc.option(text, { nil: null }),
    f: fc.option(fc.array(text, { maxLength: 4 }), { nil: null }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 50 }), async (rows) => {
      const valid = (pick: (row: (typeof rows)[number]) => unknown) =>
        Uint8Array.from(rows, (r) => (pick(r) === null ? 0 : 1))
      const table = tableOf({
        a: codes(rows.map(({ a }) => a)),
        b: float(rows.map(({ b }) => b)),
        c: { type: 'int', data: Int32Array.from(rows, ({ c }) => c ?? 0), valid: valid(({ c }) => c) },
        d: { type: 'boolean', data: Uint8Array.from(rows, ({ d }) => (d ? 1 : 0)), valid: valid(({ d }) => d) },
        e: { type: 'string', data: rows.map(({ e }) => e) },
        f: { type: 'list', data: rows.map(({ f }) => f) },
      })
      expect(rowsOf(await ask('from t', { t: table }))).toEqual(rowsOf(table))
    }),
    { numRuns: 30 },
  )
})

test('more rows than a batch, many words: each row keeps its own', async () => {
  const n = 70_001
  const words = Array.from({ length: n }, (_, i) => `w${(i * 48_271) % 99_991}`)
  const table = tableOf({
    w: codes(words.slice(0, 3000).concat(words.slice(0, 3000))),
    x: float(Array.from({ length: 6000 }, (_, i) => (i % 7 === 0 ? null : i))),
  })
  expect(rowsOf(await ask('from t', { t: table }))).toEqual(rowsOf(table))
  const wide: ColumnData = {
    type: 'dictionary',
    data: Int32Array.from({ length: n }, (_, i) => (i * 7) % n),
    dictionary: Array.from({ length: n }, (_, i) => `${(i * 31) % n}.SZ`),
  }
  const big = tableOf({ w: wide })
  const out = columnsOf(await ask('from t', { t: big })).columns.get('w') as Extract<ColumnData, { type: 'dictionary' }>
  for (let row = 0; row < n; row += 97)
    expect(out.dictionary[out.data[row] as number]).toBe(wide.dictionary[wide.data[row] as number])
})
