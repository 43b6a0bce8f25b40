import { Table } from 'apache-arrow'
import type { Column } from '../contract/column.js'
import type { Dataset } from '../contract/dataset.js'
import { QuotebookError } from '../contract/error.js'
import { toTable } from '../table/arrow.js'
import { columnFrom } from '../table/cells-to-column.js'
import { declarationOf } from '../table/declaration.js'
import { type ExpectedKind, kindOfName } from '../table/kind-of-name.js'
import { namedValues } from '../table/unwrap.js'
import type { ColumnData, RecordColumns } from '../table/values.js'
import type { DataFrame } from './danfo-types.js'
import type { Data } from './data.js'

/** What asTable reads of a frame: its fields, for a column may hide the accessors of the same content. */
interface Frame {
  readonly $data: readonly (readonly unknown[])[]
  readonly $columns: readonly string[]
  readonly $dtypes: readonly string[]
}

/** Whether a value is a danfo DataFrame, of Quotebook's copy of danfo or of any other. */
export function isDataFrame(value: unknown): value is DataFrame {
  if (typeof value !== 'object' || value === null) return false
  const { $data, $columns, $isSeries } = value as Partial<Frame> & { readonly $isSeries?: unknown }
  return Array.isArray($data) && Array.isArray($columns) && $isSeries === false
}

/** Arrow's `instanceof` says yes to tables of other copies of apache-arrow, whose insides do not go together. */
function isForeign(value: object): boolean {
  return 'schema' in value && 'batches' in value && value.constructor !== Table
}

function hasNull(values: ColumnData): boolean {
  if (values.type === 'dictionary') return values.data.includes(-1)
  if (values.type === 'string' || values.type === 'list') return values.data.includes(null)
  return values.valid !== null
}

/** Columns of the contract; one that holds nulls here may hold nulls, whatever the contract says: checkTable judges. */
function declarations(dataset: Dataset | undefined, of: ReadonlyMap<string, ColumnData>): Record<string, Column> {
  const known: Readonly<Record<string, Column>> = { ...dataset?.columns, ...dataset?.stored }
  const out: Record<string, Column> = {}
  for (const [name, values] of of) {
    const column = Object.hasOwn(known, name) ? known[name] : undefined
    if (column) out[name] = hasNull(values) ? { ...column, nullable: true } : column
  }
  return out
}

function frameColumn({ $data, $columns, $dtypes }: Frame, at: number, wanted: ExpectedKind | undefined): ColumnData {
  return columnFrom({ name: String($columns[at]), rows: $data, at, dtype: $dtypes[at] ?? 'undefined' }, wanted)
}

function checkNames({ $columns }: Frame): void {
  if (new Set($columns).size === $columns.length) return
  const twice = $columns.find((name, at) => $columns.indexOf(name) !== at)
  throw new QuotebookError('INVALID_VALUE', `the DataFrame has two columns named '${twice}'; rename one`)
}

function fromFrame(frame: Frame, dataset: Dataset | undefined): Table {
  checkNames(frame)
  const known: Readonly<Record<string, Column>> = { ...dataset?.columns, ...dataset?.stored }
  const of = new Map<string, ColumnData>()
  const declared: Record<string, Column> = {}
  frame.$columns.forEach((name, at) => {
    const column = Object.hasOwn(known, name) ? known[name] : undefined
    const wanted = column ? { kind: column.kind, strict: true } : kindOfName(name)
    const values = frameColumn(frame, at, wanted)
    of.set(name, values)
    if (!column && wanted?.kind === 'json' && values.type === 'string') declared[name] = declarationOf('json')
  })
  return toTable({ length: frame.$data.length, columns: of }, { ...declared, ...declarations(dataset, of) })
}

/** Column names of a table or a frame, in order. */
export function columnNames(data: Data): readonly string[] {
  if (isDataFrame(data)) return (data as unknown as Frame).$columns
  return asTable(data).schema.fields.map((field) => String(field.name))
}

/** One column of a table or a frame in memory form, nothing else being read; undefined when it is not there. */
export function readColumn(data: Data, name: string): ColumnData | undefined {
  if (!isDataFrame(data)) {
    const vector = asTable(data).getChild(name)
    return vector ? namedValues(name, vector) : undefined
  }
  const frame = data as unknown as Frame
  const at = frame.$columns.indexOf(name)
  if (at < 0) return undefined
  checkNames(frame)
  return frameColumn(frame, at, kindOfName(name))
}

/** All columns of a table or a frame in memory form. @throws QuotebookError INVALID_VALUE where asTable does */
export function readColumns(data: Data): RecordColumns {
  const of = new Map<string, ColumnData>()
  const table = isDataFrame(data) ? undefined : asTable(data)
  const names = columnNames(data)
  if (!table) checkNames(data as unknown as Frame)
  names.forEach((name, at) => {
    const vector = table?.getChildAt(at)
    of.set(name, vector ? namedValues(name, vector) : frameColumn(data as unknown as Frame, at, kindOfName(name)))
  })
  if (of.size !== names.length) throw new QuotebookError('INVALID_VALUE', 'the table has two columns of one name')
  return { length: table ? table.numRows : (data as unknown as Frame).$data.length, columns: of }
}

/**
 * A table of either form of data. An Arrow table is handed back as it is.
 *
 * A DataFrame is read by the kinds of `dataset`, where given; otherwise by the kind that its column names have in the
 * contract, as far as the cells fit it, and by the cells themselves: numbers become Float64 (NaN is null), text a
 * dictionary, booleans Bool. Missing is null whichever way danfo spells it. Where it came from is not known of a frame,
 * and the labels of its rows (`index`) are left behind.
 * @throws QuotebookError INVALID_VALUE for anything else, for a table of another copy of apache-arrow, for two
 * columns of one name, for a column of mixed types, and, with a dataset, for cells that are not of the kind of their column
 */
export function asTable(input: Data, dataset?: Dataset): Table {
  if (isDataFrame(input)) return fromFrame(input as unknown as Frame, dataset)
  const value: unknown = input
  if (typeof value === 'object' && value !== null) {
    if (value.constructor === Table) return value as Table
    if (isForeign(value)) {
      const wrong = 'the table was made by another copy of apache-arrow than the one Quotebook uses'
      const right = 'import apache-arrow the way Quotebook is imported (both by import, or both by require)'
      throw new QuotebookError('INVALID_VALUE', `${wrong}; ${right}, or hand over the bytes of tableToIPC`)
    }
  }
  throw new QuotebookError('INVALID_VALUE', 'neither an Arrow table nor a danfo DataFrame')
}
