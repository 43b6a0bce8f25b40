import { type Bool, type Dictionary, type Float64, type Int32, Schema, Table, type Utf8 } from 'apache-arrow'
import fc from 'fast-check'
import { type Data, fromIpc, fromRows, toIpc, toObjects } from 'quotebook'

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

const kinds = { code: 'label', name: 'text', i: 'integer', flag: 'boolean' } as const

const declared: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  code: [
    ['kind', 'code'],
    ['meaning', 'Security code.'],
  ],
  x: [
    ['kind', 'number'],
    ['unit', 'yuan'],
    ['meaning', 'Amount.'],
  ],
  i: [
    ['kind', 'integer'],
    ['unit', 'lot'],
    ['meaning', 'Volume.'],
  ],
}

/** A table with what metadata says of it: of its columns, and of where it came from. */
export function described(
  table: Table,
  about: Readonly<Record<string, readonly (readonly [string, string])[]>>,
): Table {
  const fields = table.schema.fields.map((field) =>
    field.clone({ metadata: new Map((about[field.name] ?? []) as [string, string][]) }),
  )
  return new Table(new Schema(fields, new Map([['quotebook', '{"dataset":"x"}']])), table.batches)
}

/** Rows as a table: `code` a dictionary, `name` text, `i` whole numbers, `flag` booleans, anything else doubles. */
export function tableOf(rows: readonly Row[], columns: readonly string[] = names): Known {
  const of = (name: string) => kinds[name as keyof typeof kinds] ?? 'number'
  const table = fromRows(
    rows.map((row) => columns.map((name) => row[name] ?? null)),
    { columns: [...columns], kinds: Object.fromEntries(columns.map((name) => [name, of(name)])) },
  )
  return described(table, declared) as Known
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

export const positive = (list: readonly Row[]): Row[] =>
  list.map((row) => Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cell === 0 ? 0 : cell])))

/** Rows as plain objects, -0 as 0. */
export const plain = (data: Data): Row[] => positive(toObjects(data) as Row[])

/** A table of columns of texts, numbers or booleans, with what is declared of them and of the whole. */
export function tableOfColumns(
  columns: Readonly<Record<string, readonly Cell[]>>,
  declared: Readonly<Record<string, object>> = {},
  about?: object,
): Table {
  const kindOf = (cells: readonly Cell[]) => {
    const first = typeof cells.find((cell) => cell !== null)
    return first === 'number' || first === 'boolean' ? first : 'text'
  }
  const all = Object.entries(columns)
  const length = all[0]?.[1].length ?? 0
  const table = fromRows(
    Array.from({ length }, (_, row) => all.map(([, cells]) => cells[row])),
    {
      columns: all.map(([name]) => name),
      kinds: Object.fromEntries(all.map(([name, cells]) => [name, kindOf(cells)] as const)),
    },
  )
  if (!about && Object.keys(declared).length === 0) return table
  const whole = { dataset: 'x', source: 'memory', request: { params: {}, fields: [] }, rows: length, complete: true }
  const fields = table.schema.fields.map((field) => {
    const known = Object.entries(declared[field.name] ?? {}) as [string, string][]
    return known.length === 0 ? field : field.clone({ metadata: new Map(known) })
  })
  const metadata = new Map(about ? [['quotebook', JSON.stringify({ ...whole, ...about })]] : [])
  return fromIpc(toIpc(new Table(new Schema(fields, metadata), table.batches)))
}
