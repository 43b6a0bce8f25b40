import { Bool, Dictionary, type Field, Float64, Int32, type Table, Utf8, type Vector } from 'apache-arrow'
import { QuotebookError } from '../contract/error.js'
import { sentence } from '../contract/sentence.js'
import { asTable, columnNames, rememberTable } from './as-table.js'
import { columnStore, DataFrame as OwnFrame } from './danfo-classes.js'
import type { ColumnOfFrame, DataFrame } from './danfo-types.js'
import type { ColumnsIn, Data, FrameOf } from './data.js'
import { keepProvenance } from './table/provenance.js'
import { twiceIn } from './table/shape.js'
import { namedValues } from './table/unwrap.js'
import type { ColumnData } from './table/values.js'

type Dtype = 'float32' | 'int32' | 'string' | 'boolean'

/** danfo's label of a form. It knows no 64-bit labels: the label is only a word, the numbers stay doubles. */
function dtypeOf(values: ColumnData): Dtype {
  switch (values.type) {
    case 'float':
      return 'float32'
    case 'int':
      return values.valid === null ? 'int32' : 'float32'
    case 'boolean':
      return 'boolean'
    default:
      return 'string'
  }
}

/** Lists are text with commas, which must be there to tell the parts apart and for nothing else. */
function checkLists(name: string, lists: readonly (readonly string[] | null)[]): void {
  lists.forEach((list, row) => {
    const part = list?.find((text) => text.includes(',') || text === '')
    if (part === undefined) return
    const wrong = sentence`column '${name}', row ${row + 1}: ${JSON.stringify(part)} can not stand in a list with commas`
    throw new QuotebookError('INVALID_VALUE', sentence`${wrong}; read the Arrow table instead`)
  })
}

/** Types whose columns are read when they are first asked for: what danfo calls them can be told beforehand. */
function dtypeBefore(vector: Vector): Dtype | undefined {
  const type: unknown = vector.type
  if (type instanceof Float64) return 'float32'
  if (type instanceof Int32) return vector.nullCount === 0 ? 'int32' : 'float32'
  if (type instanceof Bool) return 'boolean'
  return type instanceof Utf8 || (type instanceof Dictionary && type.dictionary instanceof Utf8) ? 'string' : undefined
}

interface TypedColumn {
  readonly dtype: Dtype
  readonly column: ColumnOfFrame
}

function typedColumn(field: Field, vector: Vector): TypedColumn {
  const name = String(field.name)
  const read = (): ColumnData => namedValues(name, vector)
  const dtype = dtypeBefore(vector)
  if (dtype) return { dtype, column: new columnStore.DataColumn(vector.length, read, field) }
  const values = read()
  if (values.type === 'list') checkLists(name, values.data)
  return { dtype: dtypeOf(values), column: new columnStore.DataColumn(vector.length, values, field) }
}

/** A column becomes a property of the frame, so its name must not be one that the frame already has. */
function checkNames(names: readonly string[]): void {
  const empty = new OwnFrame([])
  const taken = names.find((name) => name in empty)
  if (taken !== undefined) {
    const wrong = sentence`a danfo DataFrame has a member '${taken}' of its own that a column of this name would hide`
    throw new QuotebookError(
      'INVALID_VALUE',
      sentence`${wrong}; name it otherwise, or keep to Arrow tables (asTable makes one of a frame)`,
    )
  }
  const twice = twiceIn(names)
  if (twice !== undefined)
    throw new QuotebookError('INVALID_VALUE', sentence`the table has two columns named '${twice}'`)
}

/**
 * A table as a danfo DataFrame with explicit dtypes, rows numbered from 0.
 *
 * Codes, dates and ids are text with dtype `string`. Numbers are doubles, NaN where missing; whole numbers are labelled
 * `int32` when none is missing, all others `float32`. Missing text and missing booleans are null. A list of codes is
 * one text with commas, nested values are their JSON text. A DataFrame gives a copy with rows numbered from 0.
 * `provenance` tells of the frame what it tells of the table.
 * @throws QuotebookError INVALID_VALUE for a column named like a member of DataFrame (`sum`, `index`, …), and for a list
 * whose parts hold commas
 */
export function toDataFrame<D extends Data>(data: D): FrameOf<ColumnsIn<D>> {
  checkNames(columnNames(data))
  const frame = data instanceof OwnFrame ? sameColumns(data) : frameOf(asTable(data))
  keepProvenance(frame, data)
  return frame as unknown as FrameOf<ColumnsIn<D>>
}

function sameColumns(frame: DataFrame): DataFrame {
  const { $columns, $dtypes } = frame as unknown as { readonly $columns: string[]; readonly $dtypes: string[] }
  return new OwnFrame(columnStore.getColumns(frame), { columns: [...$columns], dtypes: [...$dtypes] })
}

function frameOf(table: Table): DataFrame {
  const { fields } = table.schema
  const typed = fields.map((field, at) => typedColumn(field, table.getChildAt(at) as Vector))
  const columns = new columnStore.DataColumns(
    typed.map(({ column }) => column),
    table.numRows,
  )
  rememberTable(columns, table)
  return new OwnFrame(columns, {
    columns: fields.map(({ name }) => String(name)),
    dtypes: typed.map(({ dtype }) => dtype),
  })
}
