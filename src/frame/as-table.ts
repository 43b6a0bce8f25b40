import { type Field, Table, Vector } from 'apache-arrow'
import type { Column } from '../contract/column.js'
import type { Dataset } from '../contract/dataset.js'
import { QuotebookError } from '../contract/error.js'
import { sentence } from '../contract/sentence.js'
import { columnStore, DataFrame as OwnFrame } from './danfo-classes.js'
import type { ColumnOfFrame, ColumnsOfFrame, DataFrame } from './danfo-types.js'
import type { Data } from './data.js'
import { type ArrowColumn, arrowColumn, columnTypeOf } from './table/arrow.js'
import { tableOfColumns } from './table/arrow-column.js'
import { columnOfContent } from './table/cells-to-column.js'
import { declarationIn, declarationOf } from './table/declaration.js'
import { chunkOf } from './table/gather-chunk.js'
import { type ExpectedKind, kindOfName } from './table/kind-of-name.js'
import { firstRepeated } from './table/shape.js'
import { columnsOf, namedValues } from './table/unwrap.js'
import type { ColumnData, RecordColumns } from './table/values.js'

/** What is read of a frame: its fields, for a column may hide the accessors of the same content. */
interface Frame {
  readonly $data: readonly (readonly unknown[])[]
  readonly $columns: readonly string[]
  readonly $dtypes: readonly string[]
}

/** Whether a value is a danfo DataFrame, of Quotebook's copy of danfo or of any other. */
export function isDataFrame(value: unknown): value is DataFrame {
  if (typeof value !== 'object' || value === null) return false
  if (value instanceof OwnFrame) return true
  const { $data, $columns, $isSeries } = value as Partial<Frame> & { readonly $isSeries?: unknown }
  return Array.isArray($data) && Array.isArray($columns) && $isSeries === false
}

/** Arrow's `instanceof` says yes to tables of other copies of apache-arrow, whose insides do not go together. */
function isForeign(value: object): boolean {
  return 'schema' in value && 'batches' in value && value.constructor !== Table
}

/** The columns of a frame; those of another copy of danfo are put together from its rows each time. */
function storedColumns(frame: Frame): ColumnsOfFrame {
  if (frame instanceof OwnFrame) return columnStore.getColumns(frame)
  const { $data, $columns, $dtypes } = frame
  const list = $columns.map((_, at) => {
    const data = $data.map((row) => row[at])
    return new columnStore.DataColumn(data.length, { type: 'cells', data }, $dtypes[at] ?? 'undefined')
  })
  return new columnStore.DataColumns(list, $data.length)
}

function checkNames({ $columns }: Frame): void {
  const twice = firstRepeated($columns)
  if (twice !== undefined)
    throw new QuotebookError('INVALID_VALUE', sentence`the DataFrame has two columns named '${twice}'; rename one`)
}

/** What is known of a column: that of the table that its cells came from. */
function aboutOf({ about }: ColumnOfFrame): Column | undefined {
  return about === undefined ? undefined : declarationIn(about as Field)
}

function hasNull(values: ColumnData): boolean {
  if (values.type === 'dictionary') return values.data.includes(-1)
  if (values.type === 'string' || values.type === 'list') return values.data.includes(null)
  return values.valid !== null
}

/** A column that holds nulls here may hold nulls, whatever is known of it: checkTable judges. */
function asFound(about: Column | undefined, values: ColumnData): Column | undefined {
  if (!about || columnTypeOf(about.kind) !== values.type) return undefined
  return hasNull(values) ? { ...about, nullable: true } : about
}

/** What a column of a frame was made into under a name. */
interface Made {
  readonly name: string
  values?: ColumnData
  arrow?: ArrowColumn
}

const madeOf = new WeakMap<ColumnOfFrame, Made>()
const tables = new WeakMap<ColumnsOfFrame, Table>()

/** Says which table columns were taken from: while a frame has just these, it is that table. */
export function rememberTable(columns: ColumnsOfFrame, table: Table): void {
  tables.set(columns, table)
  table.schema.fields.forEach((field, at) => {
    const vector = table.getChildAt(at)
    const chunk = vector ? chunkOf(vector) : undefined
    if (chunk) madeOf.set(columns.list[at] as ColumnOfFrame, { name: String(field.name), arrow: { field, chunk } })
  })
}

/** A column of a frame by its place. */
class FrameColumn {
  readonly name: string
  readonly #column: ColumnOfFrame

  constructor({ $columns }: Frame, { list }: ColumnsOfFrame, at: number) {
    this.name = String($columns[at])
    this.#column = list[at] as ColumnOfFrame
  }

  /** In memory form, by the kind that is known of it as far as its cells fit it. */
  get values(): ColumnData {
    const made = this.#made()
    made.values ??= made.arrow ? namedValues(this.name, new Vector([made.arrow.chunk])) : this.readAs(this.#wanted())
    return made.values
  }

  /** As a table has it: with unit, kind and meaning where they are known and its cells are of that kind. */
  get arrow(): ArrowColumn {
    const made = this.#made()
    if (made.arrow) return made.arrow
    const { values } = this
    const isJson = kindOfName(this.name)?.kind === 'json' && values.type === 'string'
    const about = aboutOf(this.#column) ?? (isJson ? declarationOf('json') : undefined)
    made.arrow = arrowColumn(this.name, values, asFound(about, values))
    return made.arrow
  }

  /** What is known of it: by the table that it came from, or by its name. */
  get about(): Column | undefined {
    const kind = kindOfName(this.name)?.kind
    return aboutOf(this.#column) ?? (kind && declarationOf(kind))
  }

  /** By a kind that is asked for. @throws QuotebookError INVALID_VALUE as columnFrom does */
  readAs(wanted: ExpectedKind | undefined): ColumnData {
    return columnOfContent({ name: this.name, dtype: this.#column.dtype }, this.#column, wanted)
  }

  #made(): Made {
    const known = madeOf.get(this.#column)
    if (known?.name === this.name) return known
    const made = { name: this.name }
    madeOf.set(this.#column, made)
    return made
  }

  #wanted(): ExpectedKind | undefined {
    const kind = aboutOf(this.#column)?.kind
    return kind ? { kind, strict: false } : kindOfName(this.name)
  }
}

const columnsOfTable = new WeakMap<Table, Map<number, Made>>()

/** A column of a table by its place: what is made of it is kept with the table, so that batches are put together once. */
class TableColumn {
  readonly name: string
  readonly #table: Table
  readonly #at: number
  readonly #made: Made

  constructor(table: Table, at: number) {
    this.#table = table
    this.#at = at
    this.name = String(table.schema.fields[at]?.name)
    const known = columnsOfTable.get(table) ?? new Map<number, Made>()
    columnsOfTable.set(table, known)
    this.#made = known.get(at) ?? { name: this.name }
    known.set(at, this.#made)
  }

  /** In memory form. */
  get values(): ColumnData {
    this.#made.values ??= namedValues(this.name, this.#vector)
    return this.#made.values
  }

  /** As it stands in the table where its rows can be taken as such, otherwise as one piece of its cells. */
  get arrow(): ArrowColumn {
    const { field } = this
    const chunk = this.#made.arrow ? undefined : chunkOf(this.#vector)
    this.#made.arrow ??= chunk ? { field, chunk } : arrowColumn(this.name, this.values, this.about)
    return this.#made.arrow
  }

  /** What the table says of it. */
  get about(): Column | undefined {
    return declarationIn(this.field)
  }

  get field(): Field {
    return this.#table.schema.fields[this.#at] as Field
  }

  get #vector(): Vector {
    return this.#table.getChildAt(this.#at) as Vector
  }
}

/** A column of a table; undefined when it has none of that name. */
function tableColumn(table: Table, name: string): TableColumn | undefined {
  const at = table.schema.fields.findIndex((field) => String(field.name) === name)
  return at < 0 ? undefined : new TableColumn(table, at)
}

/** A column of a frame; undefined when it has none of that name. */
function frameColumn(data: Data, name: string): FrameColumn | undefined {
  const frame = data as unknown as Frame
  const at = frame.$columns.indexOf(name)
  if (at < 0) return undefined
  checkNames(frame)
  return new FrameColumn(frame, storedColumns(frame), at)
}

/** The columns of a frame. */
function frameColumns(frame: Frame): { readonly columns: readonly FrameColumn[]; readonly length: number } {
  checkNames(frame)
  const stored = storedColumns(frame)
  return { columns: frame.$columns.map((_, at) => new FrameColumn(frame, stored, at)), length: stored.length }
}

function fromFrame(frame: Frame): Table {
  const stored = storedColumns(frame)
  const before = tables.get(stored)
  if (before?.schema.fields.every(({ name }, at) => name === frame.$columns[at])) return before
  const { columns, length } = frameColumns(frame)
  const table = tableOfColumns(
    columns.map(({ arrow }) => arrow),
    length,
  )
  tables.set(stored, table)
  return table
}

/** A frame compared with the contract. */
function fromFrameOf(frame: Frame, dataset: Dataset): Table {
  const { columns, length } = frameColumns(frame)
  const contract: Readonly<Record<string, Column>> = { ...dataset.columns, ...dataset.stored }
  const of = columns.map((column) => {
    const known = Object.hasOwn(contract, column.name) ? contract[column.name] : undefined
    if (!known) return column.arrow
    const values = column.readAs({ kind: known.kind, strict: true })
    return arrowColumn(column.name, values, asFound(known, values))
  })
  return tableOfColumns(of, length)
}

/** How many rows a table or a frame has. */
export function lengthOfData(data: Data): number {
  return isDataFrame(data) ? storedColumns(data as unknown as Frame).length : asTable(data).numRows
}

/** Lists the column names of a table or a frame, in order. */
export function columnNames(data: Data): readonly string[] {
  if (isDataFrame(data)) return (data as unknown as Frame).$columns
  return asTable(data).schema.fields.map((field) => String(field.name))
}

/** A column of a table or a frame; undefined when it is not there. */
export function columnIn(data: Data, name: string): FrameColumn | TableColumn | undefined {
  return isDataFrame(data) ? frameColumn(data, name) : tableColumn(asTable(data), name)
}

/** One column of a table or a frame in memory form, nothing else being read; undefined when it is not there. */
export function readColumn(data: Data, name: string): ColumnData | undefined {
  return columnIn(data, name)?.values
}

/** Kind, unit and meaning of a column of a table or a frame, as far as they are known; undefined when it is not there. */
export function columnAbout(data: Data, name: string): Column | undefined {
  return columnIn(data, name)?.about
}

/** All columns of a table or a frame in memory form. @throws QuotebookError INVALID_VALUE where asTable does */
export function readColumns(data: Data): RecordColumns {
  if (isDataFrame(data)) {
    const { columns, length } = frameColumns(data as unknown as Frame)
    return { length, columns: new Map(columns.map(({ name, values }) => [name, values])) }
  }
  const table = asTable(data)
  const { columns } = columnsOf(table)
  if (columns.size !== table.schema.fields.length)
    throw new QuotebookError('INVALID_VALUE', sentence`the table has two columns of one name`)
  return { length: table.numRows, columns }
}

/**
 * Converts either form of data to an Arrow table. An Arrow table is returned as it is, and for an unchanged frame so is
 * the table that it was made from.
 *
 * A frame's columns get their kinds from, in this order: `dataset`, if given; what is known of the columns (kind and
 * unit travel with moved cells, not with computed ones); the kind of their names in the contract, if the cells fit it;
 * the cells themselves: numbers become Float64 (NaN is null), text a dictionary, booleans Bool. Missing is null,
 * whichever way danfo spells it. Only an unchanged frame keeps its provenance, and row labels (`index`) are dropped.
 * @throws QuotebookError INVALID_VALUE for other data, a table of another copy of apache-arrow, two columns of one
 * name, a column of mixed types, and, with a dataset, cells that do not fit the kind of their column
 */
export function asTable(input: Data, dataset?: Dataset): Table {
  if (isDataFrame(input)) {
    const frame = input as unknown as Frame
    return dataset ? fromFrameOf(frame, dataset) : fromFrame(frame)
  }
  const value: unknown = input
  if (typeof value === 'object' && value !== null) {
    if (value.constructor === Table) return value as Table
    if (isForeign(value)) {
      const wrong = sentence`the table was made by another copy of apache-arrow than the one Quotebook uses`
      const right = sentence`import apache-arrow the way Quotebook is imported (both by import, or both by require)`
      throw new QuotebookError('INVALID_VALUE', sentence`${wrong}; ${right}, or hand over the bytes of tableToIPC`)
    }
  }
  throw new QuotebookError('INVALID_VALUE', sentence`neither an Arrow table nor a danfo DataFrame`)
}
