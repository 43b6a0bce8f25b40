import type { Column } from '../../contract/column.js'
import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { asTable, columnNames, frameColumn, frameLength, isDataFrame, readColumn, tableColumn } from '../as-table.js'
import type { Data } from '../data.js'
import type { ArrowColumn } from '../table/arrow.js'
import { canGather } from '../table/gather-chunk.js'
import { groupRows, type RowGroups } from '../table/group-rows.js'
import { missingColumn, twiceIn, wrongShape } from '../table/shape.js'
import type { ColumnData } from '../table/values.js'

/** Data as a verb reads it: column by column, each at most once. */
export interface VerbInput {
  readonly length: number
  readonly names: readonly string[]
  readonly isFrame: boolean
  /** The cells of a column. @throws QuotebookError MISSING_COLUMN */
  cells(name: string): ColumnData
  /** A column of a table in one piece, of a frame where its rows can be taken as such. */
  arrowColumn(name: string): ArrowColumn | undefined
  /** What is known of a column; undefined when nothing is. */
  declarationOf(name: string): Column | undefined
}

function checkTwice(names: readonly string[]): void {
  const name = twiceIn(names)
  if (name !== undefined)
    throw new QuotebookError('INVALID_VALUE', sentence`there are two columns named '${name}'; rename one`)
}

export function readInput(data: Data): VerbInput {
  const isFrame = isDataFrame(data)
  const table = isFrame ? undefined : asTable(data)
  const names = columnNames(data)
  checkTwice(names)
  const read = new Map<string, ColumnData>()
  return {
    length: table ? table.numRows : frameLength(data),
    names,
    isFrame,
    cells(name) {
      const known = read.get(name)
      if (known) return known
      const values = readColumn(data, name)
      if (!values) throw missingColumn(name, names, isFrame)
      read.set(name, values)
      return values
    },
    arrowColumn(name) {
      if (table) return tableColumn(table, name)?.arrow
      const arrow = frameColumn(data, name)?.arrow
      return arrow && canGather(arrow.chunk) ? arrow : undefined
    },
    declarationOf: (name) => (table ? tableColumn(table, name) : frameColumn(data, name))?.about,
  }
}

/** Rows that share the cells of the named columns. */
export function groupInput(input: VerbInput, names: readonly string[]): RowGroups {
  return groupRows(names.map((name) => ({ name, values: input.cells(name) })))
}

/** Names as a list. @throws QuotebookError USAGE for anything else, MISSING_COLUMN when one is not a column, INVALID_VALUE when one stands twice */
export function checkNames(input: VerbInput, names: string | readonly string[]): readonly string[] {
  const list: readonly unknown[] = typeof names === 'string' ? [names] : names
  if (!Array.isArray(list) || !list.every((name) => typeof name === 'string'))
    throw wrongShape(sentence`names of columns`, sentence`a name or a list of names, such as ['code', 'close']`, names)
  for (const name of list) if (!input.names.includes(name)) throw missingColumn(name, input.names, input.isFrame)
  const twice = twiceIn(list)
  if (twice !== undefined) throw new QuotebookError('INVALID_VALUE', sentence`column '${twice}' is named twice`)
  return list
}
