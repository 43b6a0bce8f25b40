import type { Bool, Dictionary, Float64, Int32, Table, Utf8 } from 'apache-arrow'
import fc from 'fast-check'
import type { Column } from '../../../src/contract/column.js'
import type { Data } from '../../../src/frame/data.js'
import { objectsOf } from '../../../src/frame/read-columns.js'
import { toTable } from '../../../src/table/arrow.js'
import type { ColumnData } from '../../../src/table/values.js'

type Cell = number | string | boolean | null
export type Row = Record<string, Cell>

export type Known = Table<{
  code: Dictionary<Utf8, Int32>
  name: Utf8
  x: Float64
  i: Int32
  flag: Bool
}>

export const names = ['code', 'name', 'x', 'i', 'flag'] as const

const declared: Record<string, Column> = {
  code: { kind: 'code', meaning: 'Security code.', nullable: true },
  x: { kind: 'number', unit: 'yuan', meaning: 'Amount.', nullable: true },
  i: { kind: 'integer', unit: 'lot', meaning: 'Volume.', nullable: true },
}

function valuesOf(cells: readonly Cell[], form: ColumnData['type']): ColumnData {
  const valid = Uint8Array.from(cells, (cell) => (cell === null ? 0 : 1))
  switch (form) {
    case 'float':
      return {
        type: form,
        data: Float64Array.from(cells, (cell) => (cell === null ? Number.NaN : Number(cell))),
        valid,
      }
    case 'int':
      return { type: form, data: Int32Array.from(cells, Number), valid }
    case 'boolean':
      return { type: form, data: Uint8Array.from(cells, Number), valid }
    case 'dictionary': {
      const words = ['not used', ...new Set(cells.filter((cell) => cell !== null))].map(String)
      return { type: form, data: Int32Array.from(cells, (cell) => words.indexOf(String(cell))), dictionary: words }
    }
    default:
      return { type: 'string', data: cells as (string | null)[] }
  }
}

const forms: Record<string, ColumnData['type']> = { code: 'dictionary', name: 'string', i: 'int', flag: 'boolean' }

/** Rows as a table: `code` a dictionary, `name` text, `i` whole numbers, `flag` booleans, anything else doubles. */
export function tableOf(rows: readonly Row[], columns: readonly string[] = names): Known {
  const of = new Map(
    columns.map((name) => [
      name,
      valuesOf(
        rows.map((row) => row[name] ?? null),
        forms[name] ?? 'float',
      ),
    ]),
  )
  return toTable({ length: rows.length, columns: of }, declared, new Map([['quotebook', '{"dataset":"x"}']])) as Known
}

/** Cells few enough for ties and missing ones, with numbers and texts that are easily taken for others. */
export const cells = {
  code: fc.constantFrom(null, '000001', '1', '00001', '', '中文', 'a-b', 'B'),
  name: fc.constantFrom(null, 'b', 'a', 'null', '一二', '\u{1F600}', '\uFF01'),
  x: fc.oneof(
    fc.constantFrom(null, 0, -0, 1, -1, 12345678901.23, 98765432109.87, 0.1, Infinity, -Infinity),
    fc.double({ noNaN: true }),
  ),
  i: fc.constantFrom(null, 0, 1, 2, -3, 2147483647, -2147483648),
  flag: fc.constantFrom(null, true, false),
}

export const rows = (maxLength = 14): fc.Arbitrary<Row[]> => fc.array(fc.record(cells), { maxLength })

/** Rows as plain objects, -0 as 0. */
export function plain(data: Data): Row[] {
  return (objectsOf(data) as Row[]).map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cell === 0 ? 0 : cell])),
  )
}

export const positive = (list: readonly Row[]): Row[] =>
  list.map((row) => Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cell === 0 ? 0 : cell])))
