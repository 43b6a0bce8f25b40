import type { Table } from 'apache-arrow'
import { toTable } from './arrow.js'
import { firstPresentRow } from './cells-to-column.js'
import { decode } from './decode.js'
import { columnOfRows, type FromRows, positional } from './from-rows.js'
import { checkColumns, datasetIn, type ReadColumn, readNamedColumns } from './reading.js'
import { concatCells, nulls } from './values.js'

/** A column of some of the rows. */
interface ColumnPart extends ReadColumn {
  readonly isEmpty: boolean
}

/** A column by its parts, some of which may have no cell; undefined where those that have are not of one type. */
function joined(parts: readonly (ColumnPart | undefined)[], lengths: readonly number[]): ReadColumn | undefined {
  const leading = parts.find((part) => part && !part.isEmpty) ?? parts.find((part) => part)
  if (!leading) return undefined
  const {
    kind,
    values: { type },
  } = leading
  const own = (part: ColumnPart): boolean => part.kind === kind && part.values.type === type
  if (parts.some((part) => part && !part.isEmpty && !own(part))) return undefined
  const cells = lengths.map((length, at) => {
    const part = parts[at]
    return part && own(part) ? part.values : nulls(type, length)
  })
  return { values: concatCells(cells), kind }
}

/** The columns of some of the rows, by name; undefined for one that the dataset does not know. */
function columnsOf(rows: readonly unknown[], options: FromRows): Map<string, ColumnPart> | undefined {
  const { columns } = options
  const { names, cells } = positional(rows, Array.isArray(rows[0]) ? columns : undefined)
  const part = new Map<string, ColumnPart>()
  const dataset = datasetIn(options)
  if (dataset) {
    const known = { ...dataset.columns, ...dataset.stored }
    if (!names.every((name) => Object.hasOwn(known, name))) return undefined
    for (const [name, values] of decode(dataset, names, cells).columns) part.set(name, { values, isEmpty: false })
    return part
  }
  names.forEach((name, at) => {
    if (columns && !columns.includes(name)) return
    const column = { name, rows: cells, at, dtype: 'undefined' }
    part.set(name, { ...columnOfRows(column, options), isEmpty: firstPresentRow(column) < 0 })
  })
  return part
}

/**
 * The table that fromRows makes of all rows, of rows that come in parts and need not be there at one time.
 * @returns undefined where only all rows together show what a column is
 * @throws what fromRows throws of a part, or another error
 */
export function fromRowParts(parts: Iterable<readonly unknown[]>, options: FromRows): Table | undefined {
  const lengths: number[] = []
  const columns = new Map<string, (ColumnPart | undefined)[]>()
  let arrays: boolean | undefined
  for (const rows of parts) {
    arrays ??= Array.isArray(rows[0])
    if (arrays !== Array.isArray(rows[0])) return undefined
    const read = columnsOf(rows, options)
    if (!read) return undefined
    for (const [name, part] of read) {
      const list = columns.get(name) ?? []
      columns.set(name, list)
      list[lengths.length] = part
    }
    lengths.push(rows.length)
  }
  const names = options.columns ?? [...columns.keys()]
  checkColumns(names, options)
  const dataset = datasetIn(options)
  const whole = new Map<string, ReadColumn>()
  for (const name of names) {
    const found = columns.get(name) ?? []
    const column = dataset && lengths.some((_, at) => !found[at]) ? undefined : joined(found, lengths)
    if (!column) return undefined
    whole.set(name, column)
    columns.delete(name)
  }
  const length = lengths.reduce((sum, one) => sum + one, 0)
  if (!dataset) return readNamedColumns(names, length, (name) => whole.get(name) as ReadColumn)
  const cells = new Map([...whole].map(([name, { values }]) => [name, values]))
  return toTable({ length, columns: cells }, { ...dataset.columns, ...dataset.stored })
}
