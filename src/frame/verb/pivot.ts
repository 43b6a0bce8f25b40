import { QuotebookError } from '../../contract/error.js'
import { checkOptions } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import type { NameOfType, Numeric } from '../data.js'
import { arrowColumn } from '../table/arrow.js'
import { asNullable } from '../table/declaration.js'
import { gatherCells } from '../table/gather-cells.js'
import { canGather, gatherChunk } from '../table/gather-chunk.js'
import { groupPairs, type RowGroups } from '../table/group-rows.js'
import { sortRows } from '../table/sort-rows.js'
import { type ColumnData, cellOf } from '../table/values.js'
import { aggregate } from './aggregate.js'
import { checkNames, groupInput, readInput, type VerbInput } from './verb-input.js'
import { VerbOutput } from './verb-output.js'
import type { Data, NameOf, NumberOperation, Operation, SameFormUntyped } from './verb-types.js'

interface PivotPlaces<D> {
  /** Columns that name a row of the result. */
  readonly index: NameOf<D> | readonly NameOf<D>[]
  /** The column whose values become column names. */
  readonly columns: NameOf<D>
}

/**
 * Options of `pivot`. `values`: the column whose values become cells. `op`: how to combine several rows of one cell;
 * without it they are rejected.
 */
export type PivotOptions<D> = PivotPlaces<D> &
  (
    | { readonly values: NameOfType<D, Numeric>; readonly op?: Operation }
    | { readonly values: NameOf<D>; readonly op?: Exclude<Operation, NumberOperation> }
  )

/** Groups in ascending order of their keys, missing last: of each, its place. */
function placesOf(
  input: VerbInput,
  names: readonly string[],
  { first }: RowGroups,
): { order: Int32Array; place: Int32Array } {
  const keys = names.map((name) => ({ name, values: gatherCells(input.cells(name), first), descending: false }))
  const order = sortRows(keys, first.length)
  const place = new Int32Array(order.length)
  order.forEach((group, at) => {
    place[group] = at
  })
  return { order, place }
}

function named(input: VerbInput, name: string, row: number): string {
  const cell = cellOf(input.cells(name), row)
  if (cell !== null && !Number.isNaN(cell)) return String(cell)
  throw new QuotebookError('INVALID_VALUE', sentence`column '${name}', row ${row + 1}: a missing value names no column`)
}

function checkOnce({ of, count, first }: RowGroups, where: string): void {
  if (count === of.length) return
  const seen = new Uint8Array(count)
  of.forEach((group, row) => {
    if (seen[group] === 1) {
      const wrong = sentence`rows ${(first[group] as number) + 1} and ${row + 1} are of one cell (the same ${where})`
      throw new QuotebookError('INVALID_VALUE', sentence`${wrong}; say what to make of them: op: 'sum', 'last', …`)
    }
    seen[group] = 1
  })
}

/**
 * Reshapes long rows to a wide table: a row for each combination of the `index` columns, a column for each value of
 * `columns`, and the `values` in the cells. A cell without a row is missing.
 *
 * Rows are in ascending order of the index, a missing index last; the new columns follow in ascending order of the
 * values that name them (text by code units, numbers as numbers).
 * @returns the same form as the input; its columns depend on the data, so the compiler does not know their types
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE if two rows fall into one cell and no `op` is given, for a
 * missing column name, and for one that is also the name of an index column
 */
export function pivot<D extends Data>(data: D, options: PivotOptions<D>): SameFormUntyped<D> {
  const input = readInput(data)
  checkOptions<PivotOptions<D>>(options, { index: 'any', columns: 'any', values: 'any', op: 'any' }, 'pivot')
  const index = checkNames(input, options.index)
  const [columns = '', values = ''] = checkNames(input, [options.columns, options.values])
  checkNames(input, [...index, columns])
  const [rows, across] = [groupInput(input, index), groupInput(input, [columns])]
  const cells = groupPairs(rows, across)
  if (options.op === undefined) checkOnce(cells, `${index.join(', ')}, ${columns}`)
  const source = { name: values, values: input.cells(values), declaration: input.declarationOf(values) }
  const made = options.op === undefined ? undefined : aggregate(source, options.op, cells)
  const content: ColumnData = made ? made.values : gatherCells(source.values, cells.first)
  const [down, over] = [placesOf(input, index, rows), placesOf(input, [columns], across)]
  const output = new VerbOutput(rows.count)
  for (const name of index) {
    output.set(name, gatherCells(gatherCells(input.cells(name), rows.first), down.order), input.declarationOf(name))
  }
  const at = new Int32Array(across.count * rows.count).fill(-1)
  for (let cell = 0; cell < cells.count; cell++) {
    const row = cells.first[cell] as number
    const column = over.place[across.of[row] as number] as number
    at[column * rows.count + (down.place[rows.of[row] as number] as number)] = cell
  }
  const about = asNullable(made ? made.declaration : source.declaration)
  const { field, chunk } = arrowColumn(values, content, about)
  const tall = canGather(chunk) ? gatherChunk(chunk, at, true) : undefined
  for (let column = 0; column < across.count; column++) {
    const name = named(input, columns, across.first[over.order[column] as number] as number)
    if (output.has(name))
      throw new QuotebookError('INVALID_VALUE', sentence`two columns would be named '${name}'; rename one`)
    const from = column * rows.count
    if (tall) output.take({ field, chunk: tall.slice(from, rows.count) }, undefined, name, true)
    else output.set(name, gatherCells(content, at.subarray(from, from + rows.count)), about)
  }
  return output.inFormOf(input) as SameFormUntyped<D>
}
