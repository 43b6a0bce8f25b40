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
import {
  type Cells,
  cellsAt,
  dtypeWith,
  isNa,
  isNumeric,
  refuse,
  repair,
  type TypedCells,
  tidied,
  Utils,
} from './model.js'

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

function numberOfBig(value: bigint): number {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : refuse(`a number can not hold ${value}n exactly; give it as text`)
}

/** The type of cells, and the cells with one sign for what is missing. */
export function inferred(cells: Cells): TypedCells {
  const traits = traitsOf(cells)
  const dtype = dtypeOf(traits)
  if (traits & big)
    return { dtype, cells: tidied(cells, dtype).map((cell) => (typeof cell === 'bigint' ? numberOfBig(cell) : cell)) }
  return { dtype, cells: traits & nothing ? tidied(cells, dtype) : cells }
}

/** The type of cells that had one before, which they keep when all are missing now; and the cells. */
export function retyped(cells: Cells, before: string): TypedCells {
  if (cells.length === 0 || !cells.every(isNa)) return inferred(cells)
  const dtype = dtypeWith(before, cells)
  return { dtype, cells: tidied(cells, dtype) }
}

/** Columns that become one; the type of unlike ones is found from the cells. */
export function joinedCells(parts: readonly TypedCells[], cells: Cells): TypedCells {
  const types = [...new Set(parts.filter((part) => part.cells.length > 0).map(({ dtype }) => dtype))]
  const [first = parts[0]?.dtype ?? 'undefined'] = types
  const unlike = (): string => (types.every(isNumeric) ? 'float32' : inferred(cells).dtype)
  const dtype = types.length <= 1 ? dtypeWith(first, cells) : unlike()
  return { dtype, cells: tidied(cells, dtype) }
}

/** The columns of rows with their types. @throws QuotebookError INVALID_VALUE for a row that is longer or shorter than the first */
export function inferredColumns(rows: readonly Cells[]): TypedCells[] {
  const width = rows[0]?.length ?? 0
  const odd = rows.findIndex((row) => row.length !== width)
  if (odd !== -1) refuse(`row ${odd + 1} has ${rows[odd]?.length} cells where the first has ${width}`)
  return Array.from({ length: width }, (_, at) => inferred(cellsAt(rows, at)))
}

repair(Utils.prototype, {
  $typeChecker(cells: Cells): string {
    return dtypeOf(traitsOf(cells))
  },

  inferDtype(cells: Cells): string[] {
    return Array.isArray(cells[0])
      ? inferredColumns(cells as readonly Cells[]).map(({ dtype }) => dtype)
      : [dtypeOf(traitsOf(cells))]
  },
})
