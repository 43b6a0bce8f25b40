import { Bool, Dictionary, type Field, Float64, Int32, type Table, Utf8, type Vector } from 'apache-arrow'
import { QuotebookError } from '../contract/error.js'
import { sentence } from '../contract/sentence.js'
import { asTable, columnNames, rememberTable } from './as-table.js'
import { columnStore, DataFrame as OwnFrame } from './danfo-classes.js'
import type { ColumnOfFrame, ColumnsOfFrame } from './danfo-types.js'
import type { ColumnsIn, Data, FrameOf } from './data.js'
import { keepProvenance } from './table/provenance.js'
import { firstRepeated } from './table/shape.js'
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

function frameColumnOf(field: Field, vector: Vector): ColumnOfFrame {
  const name = String(field.name)
  const read = (): ColumnData => namedValues(name, vector)
  const dtype = dtypeBefore(vector)
  if (dtype) return new columnStore.DataColumn(vector.length, read, dtype, field)
  const values = read()
  if (values.type === 'list') checkLists(name, values.data)
  return new columnStore.DataColumn(vector.length, values, dtypeOf(values), field)
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
  const twice = firstRepeated(names)
  if (twice !== undefined)
    throw new QuotebookError('INVALID_VALUE', sentence`the table has two columns named '${twice}'`)
}

/**
 * Converts a table to a danfo DataFrame with explicit dtypes and rows numbered from 0.
 *
 * Codes, dates and ids are text with dtype `string`. Numbers are doubles, NaN if missing; whole numbers are labelled
 * `int32` if none is missing, all others `float32`. Missing text and missing booleans are null. A list of codes becomes
 * one text with commas, nested values their JSON text. A DataFrame is copied, with rows numbered from 0. `provenance`
 * returns the same for the frame as for the table.
 * @throws QuotebookError INVALID_VALUE for a column named like a member of DataFrame (`sum`, `index`, …), and for a
 * list whose parts contain commas
 */
export function toDataFrame<D extends Data>(data: D): FrameOf<ColumnsIn<D>> {
  const names = columnNames(data)
  checkNames(names)
  const columns = data instanceof OwnFrame ? columnStore.getColumns(data) : columnsOfTable(asTable(data))
  const frame = new OwnFrame(columns, { columns: [...names] })
  keepProvenance(frame, data)
  return frame as unknown as FrameOf<ColumnsIn<D>>
}

function columnsOfTable(table: Table): ColumnsOfFrame {
  const { fields } = table.schema
  const list = fields.map((field, at) => frameColumnOf(field, table.getChildAt(at) as Vector))
  const columns = new columnStore.DataColumns(list, table.numRows)
  rememberTable(columns, table)
  return columns
}
