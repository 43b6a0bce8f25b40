import { worded } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { DictionaryBuilder, numberArrays } from './column-builder.js'
import { mapRows } from './fresh-array.js'

/**
 * The cells of one column in memory: typed arrays and dictionary codes, the form that everything below a table
 * works in. Null is a cleared byte of `valid`, code -1 in a dictionary, and null in the rest.
 */
export type ColumnData =
  | { readonly type: 'float'; readonly data: Float64Array; readonly valid: Uint8Array | null }
  | { readonly type: 'int'; readonly data: Int32Array; readonly valid: Uint8Array | null }
  | { readonly type: 'boolean'; readonly data: Uint8Array; readonly valid: Uint8Array | null }
  | { readonly type: 'dictionary'; readonly data: Int32Array; readonly dictionary: readonly string[] }
  | { readonly type: 'string'; readonly data: readonly (string | null)[] }
  | { readonly type: 'list'; readonly data: readonly (readonly string[] | null)[] }

export type ColumnType = ColumnData['type']

/** A column as a frame keeps it: dates, lists, mixtures and texts that were given as cells are the cells themselves. */
export type ColumnContent = ColumnData | { readonly type: 'cells'; readonly data: readonly unknown[] }

/** Columns of equal length under their names, in order. */
export interface RecordColumns {
  readonly length: number
  readonly columns: ReadonlyMap<string, ColumnData>
}

/** One cell; null where missing. */
export function cellOf(values: ColumnData, row: number): number | string | boolean | readonly string[] | null {
  switch (values.type) {
    case 'float':
    case 'int':
      return values.valid && values.valid[row] === 0 ? null : (values.data[row] ?? null)
    case 'boolean':
      return values.valid && values.valid[row] === 0 ? null : values.data[row] === 1
    case 'dictionary':
      return values.dictionary[values.data[row] ?? -1] ?? null
    default:
      return values.data[row] ?? null
  }
}

type NumberData = Extract<ColumnData, { readonly type: keyof typeof numberArrays }>

function joinNumbers({ type }: NumberData, parts: readonly NumberData[], length: number): ColumnData {
  const data = new numberArrays[type](length)
  const valid = parts.some((part) => part.valid) ? new Uint8Array(length).fill(1) : null
  let at = 0
  for (const part of parts) {
    data.set(part.data, at)
    if (part.valid) valid?.set(part.valid, at)
    at += part.data.length
  }
  return { type, data, valid } as ColumnData
}

function joinCodes(parts: readonly Text[], length: number): ColumnData {
  const joined = new DictionaryBuilder(length)
  let at = 0
  const [first] = parts
  if (first && parts.every(({ dictionary }) => dictionary === first.dictionary)) {
    for (const { data } of parts) {
      joined.data.set(data, at)
      at += data.length
    }
    return { ...first, data: joined.data }
  }
  for (const part of parts) {
    const codes = part.dictionary.map((word) => joined.codeOf(word))
    for (const code of part.data) joined.data[at++] = code < 0 ? -1 : (codes[code] ?? -1)
  }
  return joined.build()
}

/** Columns of one type, end to end. */
export function concatCells(parts: readonly ColumnData[]): ColumnData {
  const [first] = parts
  if (!first) throw worded(RangeError, sentence`concat needs at least one part`)
  if (parts.length === 1) return first
  const length = parts.reduce((sum, part) => sum + part.data.length, 0)
  const other = parts.find(({ type }) => type !== first.type)
  if (other) throw worded(TypeError, sentence`concat of ${first.type} and ${other.type}`)
  switch (first.type) {
    case 'dictionary':
      return joinCodes(parts as readonly Text[], length)
    case 'string':
    case 'list':
      return { type: first.type, data: parts.flatMap(({ data }) => data as readonly unknown[]) } as ColumnData
    default:
      return joinNumbers(first, parts as readonly NumberData[], length)
  }
}

/** A column of nothing but nulls. */
export function nulls(form: ColumnType, length: number): ColumnData {
  switch (form) {
    case 'float':
      return { type: form, data: new Float64Array(length).fill(Number.NaN), valid: new Uint8Array(length) }
    case 'int':
      return { type: form, data: new Int32Array(length), valid: new Uint8Array(length) }
    case 'boolean':
      return { type: form, data: new Uint8Array(length), valid: new Uint8Array(length) }
    case 'dictionary':
      return { type: form, data: new Int32Array(length).fill(-1), dictionary: [] }
    default:
      return { type: form, data: new Array<null>(length).fill(null) }
  }
}

/** Columns by name, in that order. */
export function project(columns: RecordColumns, names: readonly string[]): RecordColumns {
  return {
    length: columns.length,
    columns: new Map(names.map((name) => [name, columns.columns.get(name) as ColumnData])),
  }
}

/** The texts of a column, null where missing. */
export function textCells(columns: RecordColumns, name: string): (string | null)[] {
  const values = columns.columns.get(name)
  const texts: (string | null)[] = []
  for (let row = 0; values && row < columns.length; row++) {
    const cell = cellOf(values, row)
    texts.push(cell === null ? null : String(cell))
  }
  return texts
}

/** Text as codes into its distinct words. */
export type Text = Extract<ColumnData, { type: 'dictionary' }>

/** Numbers of a column, NaN where missing; undefined when it holds none. Not the caller's own: to be read only. */
export function floatsIn(values: ColumnData): Float64Array | undefined {
  if (values.type === 'float') return values.data
  if (values.type !== 'int') return undefined
  const out = new Float64Array(values.data)
  const { valid } = values
  if (valid) for (let row = 0; row < out.length; row++) if (valid[row] === 0) out[row] = Number.NaN
  return out
}

/** Texts of codes, null where missing. */
export function distinctWords({ data, dictionary }: Pick<Text, 'data' | 'dictionary'>): (string | null)[] {
  return mapRows(data.length, (row) => dictionary[data[row] as number] ?? null)
}

/** Texts as codes into their distinct words; undefined for a column that is no text. */
export function textIn(values: ColumnData): Text | undefined {
  if (values.type === 'dictionary') return values
  if (values.type !== 'string') return undefined
  const column = new DictionaryBuilder(values.data.length)
  values.data.forEach((text, row) => {
    if (text !== null) column.data[row] = column.codeOf(text)
  })
  return column.build()
}

/** Whether a cell of a frame, or of anything that is shown, is missing: NaN among numbers, null or undefined elsewhere. */
export function isMissing(cell: unknown): boolean {
  return cell === null || cell === undefined || Number.isNaN(cell)
}

/** Rows end to end, with the columns of the first part, which all have. */
export function concatRows(parts: readonly RecordColumns[]): RecordColumns {
  const names = [...(parts[0]?.columns.keys() ?? [])]
  const cells = (name: string) => concatCells(parts.map(({ columns }) => columns.get(name) as ColumnData))
  return {
    length: parts.reduce((sum, { length }) => sum + length, 0),
    columns: new Map(names.map((name) => [name, cells(name)])),
  }
}
