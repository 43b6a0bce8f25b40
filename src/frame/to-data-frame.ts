import { QuotebookError } from '../contract/error.js'
import { keepProvenance } from '../table/provenance.js'
import type { ColumnData, RecordColumns } from '../table/values.js'
import { columnNames, readColumns } from './as-table.js'
import { DataFrame } from './danfo-classes.js'
import type { ColumnsIn, Data, FrameOf } from './data.js'

type Cell = number | string | boolean | null

/** danfo's label of a form. It knows no 64-bit labels: the label is only a word, the numbers stay doubles. */
function dtypeOf(values: ColumnData): 'float32' | 'int32' | 'string' | 'boolean' {
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

/** Lists as text with commas, which must be there to tell the parts apart and for nothing else. */
function joined(name: string, lists: readonly (readonly string[] | null)[]): (string | null)[] {
  return lists.map((list, row) => {
    if (list === null) return null
    const part = list.find((text) => text.includes(',') || text === '')
    if (part === undefined) return list.join(',')
    const wrong = `column '${name}', row ${row + 1}: ${JSON.stringify(part)} can not stand in a list with commas`
    throw new QuotebookError('INVALID_VALUE', `${wrong}; read the Arrow table instead`)
  })
}

type Floats = { readonly type: 'float'; readonly data: Float64Array }
type Codes = Extract<ColumnData, { type: 'dictionary' }>
/** A column with its missing cells as danfo wants them: NaN for a number, null for the rest. Codes are kept as such. */
type Source = Floats | Codes | { readonly type: 'cells'; readonly data: readonly Cell[] }

function sourceOf(name: string, values: ColumnData): Source {
  switch (values.type) {
    case 'float':
    case 'dictionary':
      return values
    case 'int': {
      const { data, valid } = values
      return { type: 'float', data: Float64Array.from(data, (cell, row) => (valid?.[row] === 0 ? Number.NaN : cell)) }
    }
    case 'boolean': {
      const { data, valid } = values
      return { type: 'cells', data: Array.from(data, (cell, row) => (valid?.[row] === 0 ? null : cell === 1)) }
    }
    case 'string':
      return { type: 'cells', data: values.data }
    case 'list':
      return { type: 'cells', data: joined(name, values.data) }
  }
}

/* The three loops below are functions of the file, not closures made for each table: those would lose their compiled
 * code whenever the heap is collected. */

function writeFloats({ data }: Floats, rows: Cell[][], at: number, from: number, to: number): void {
  for (let row = from; row < to; row++) (rows[row] as Cell[])[at] = data[row] as number
}

function writeWords({ data, dictionary: words }: Codes, rows: Cell[][], at: number, from: number, to: number): void {
  for (let row = from; row < to; row++) {
    const code = data[row] as number
    if (code >= 0) (rows[row] as Cell[])[at] = words[code] as string
  }
}

function writeCells(data: readonly Cell[], rows: Cell[][], at: number, from: number, to: number): void {
  for (let row = from; row < to; row++) (rows[row] as Cell[])[at] = data[row] as Cell
}

/** Writes a column into rows, `from` up to `to`, at its place in each. */
function write(source: Source, rows: Cell[][], at: number, from: number, to: number): void {
  if (source.type === 'float') writeFloats(source, rows, at, from, to)
  else if (source.type === 'dictionary') writeWords(source, rows, at, from, to)
  else writeCells(source.data, rows, at, from, to)
}

/** Rows written together: few enough to stay in the processor's cache while each column passes over them. */
const block = 512

function rowsOf(columns: RecordColumns): Cell[][] {
  const sources = [...columns.columns].map(([name, values]) => sourceOf(name, values))
  const blank = sources.map((): Cell => null)
  const rows = new Array<Cell[]>(columns.length)
  for (let from = 0; from < rows.length; from += block) {
    const to = Math.min(from + block, rows.length)
    for (let row = from; row < to; row++) rows[row] = blank.slice()
    for (let at = 0; at < sources.length; at++) write(sources[at] as Source, rows, at, from, to)
  }
  return rows
}

/** A column becomes a property of the frame, so its name must not be one that the frame already has. */
function checkNames(names: readonly string[]): void {
  const empty = new DataFrame([])
  const taken = names.find((name) => name in empty)
  if (taken !== undefined) {
    const wrong = `a danfo DataFrame has a member '${taken}' of its own that a column of this name would hide`
    throw new QuotebookError(
      'INVALID_VALUE',
      `${wrong}; name it otherwise, or keep to Arrow tables (asTable makes one of a frame)`,
    )
  }
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw new QuotebookError('INVALID_VALUE', `the table has two columns named '${twice}'`)
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
  const columns = readColumns(data)
  const frame = new DataFrame(rowsOf(columns), {
    columns: [...columns.columns.keys()],
    dtypes: [...columns.columns.values()].map(dtypeOf),
    config: { lowMemoryMode: true },
  })
  keepProvenance(frame, data)
  return frame as unknown as FrameOf<ColumnsIn<D>>
}
