/*
 * Types of columns that are given without.
 *
 * Stock danfo looks at the first 20 cells and takes text of digits for numbers: '000001' is an int32, and the sum of
 * ['000001', '000002'] is '0000001000002'. Twenty nulls make a float32 of text; [null, true] is a float32; a column that
 * begins with undefined or a bigint can not be read, and a Series of Dates not be made.
 *
 * Now every cell counts and text is text. Whole numbers are int32, numbers float32 (a label: all are doubles); what is
 * missing fits everywhere. Lists, objects and mixtures with text are `string` and keep their cells. A bigint becomes a
 * number, or is refused when a number can not hold it.
 */
import { type Row, refuse, repair, rowsOf, Utils } from './danfo.js'
import { dtypeWith, isMissing, missingOf } from './missing.js'

const [text, whole, fraction, flag, date, nothing, big] = [1, 2, 4, 8, 16, 32, 64] as const

function traitOf(cell: unknown): number {
  if (typeof cell === 'number') return Number.isInteger(cell) ? whole : Number.isNaN(cell) ? nothing : fraction
  if (typeof cell === 'string') return text
  if (cell === null || cell === undefined) return nothing
  if (typeof cell === 'boolean') return flag
  if (typeof cell === 'bigint') return whole | big
  return cell instanceof Date ? date : text
}

function traitsOf(cells: readonly unknown[]): number {
  let traits = 0
  for (const cell of cells) traits |= traitOf(cell)
  return traits
}

function dtypeOf(traits: number): string {
  if (traits === 0) return 'undefined'
  const kinds = traits & (text | whole | fraction | flag | date)
  if (kinds & text) return 'string'
  if (kinds === date) return 'datetime'
  if (kinds & date) return 'string'
  if (kinds === flag) return 'boolean'
  return kinds & fraction || traits & nothing ? 'float32' : 'int32'
}

function numberOf(value: bigint): number {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : refuse(`a number can not hold ${value}n exactly; give it as text`)
}

/** The type of cells, and the cells with one sign for what is missing. */
export function inferred(cells: readonly unknown[]): { dtype: string; cells: readonly unknown[] } {
  const traits = traitsOf(cells)
  const dtype = dtypeOf(traits)
  if (!(traits & (nothing | big))) return { dtype, cells }
  const missing = missingOf(dtype)
  const tidy = cells.map((cell) => (isMissing(cell) ? missing : typeof cell === 'bigint' ? numberOf(cell) : cell))
  return { dtype, cells: tidy }
}

/** The type of cells that had one before, which they keep when all are missing now; and the cells. */
export function retyped(cells: readonly unknown[], before: string): { dtype: string; cells: readonly unknown[] } {
  if (cells.length === 0 || !cells.every(isMissing)) return inferred(cells)
  const dtype = dtypeWith(before, cells)
  return { dtype, cells: cells.map(() => missingOf(dtype)) }
}

/** Rows with their types. @throws QuotebookError INVALID_VALUE for a row that is longer or shorter than the first */
export function inferredRows(rows: readonly Row[]): { dtypes: string[]; rows: readonly Row[] } {
  const width = rows[0]?.length ?? 0
  const odd = rows.findIndex((row) => row.length !== width)
  if (odd !== -1) refuse(`row ${odd + 1} has ${rows[odd]?.length} cells where the first has ${width}`)
  const columns = Array.from({ length: width }, (_, at) => inferred(rows.map((row) => row[at])))
  return {
    dtypes: columns.map(({ dtype }) => dtype),
    rows: rowsOf(
      columns.map(({ cells }) => cells),
      rows.length,
    ),
  }
}

repair(Utils.prototype, {
  $typeChecker(cells: readonly unknown[]): string {
    return dtypeOf(traitsOf(cells))
  },

  inferDtype(cells: readonly unknown[]): string[] {
    const [first] = cells
    return Array.isArray(first) ? inferredRows(cells as readonly Row[]).dtypes : [dtypeOf(traitsOf(cells))]
  },
})
