/*
 * Which type the cells of a column have: every cell counts and text is text. Whole numbers are int32, numbers float32 (a
 * label: all are doubles); what is missing fits everywhere. Lists, objects and mixtures with text are `string` and keep
 * their cells. A bigint becomes a number, or is refused when a number can not hold it.
 */
import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { type Cells, columnOfCells, type DataColumn, dtypeWith, isNa, isNumeric, tidied } from './data-column.js'

const [text, whole, fraction, flag, date, nothing, big] = [1, 2, 4, 8, 16, 32, 64] as const

function traitOf(cell: unknown): number {
  if (typeof cell === 'number') return Number.isInteger(cell) ? whole : Number.isNaN(cell) ? nothing : fraction
  if (typeof cell === 'string') return text
  if (cell === null || cell === undefined) return nothing
  if (typeof cell === 'boolean') return flag
  if (typeof cell === 'bigint') return whole | big
  return cell instanceof Date ? date : text
}

function traitsOf(cells: Cells): number {
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
  if (Number.isSafeInteger(number)) return number
  throw new QuotebookError('INVALID_VALUE', sentence`a number can not hold ${value}n exactly; give it as text`)
}

/** Cells as a column of the type that they have, with one sign for what is missing; the array may be changed afterwards. */
export function inferred(given: Cells): DataColumn {
  const traits = traitsOf(given)
  const dtype = dtypeOf(traits)
  const cells = traits & big ? given.map((cell) => (typeof cell === 'bigint' ? numberOfBig(cell) : cell)) : [...given]
  return columnOfCells(traits & nothing ? tidied(cells, dtype) : cells, dtype)
}

/** Cells of a column that had a type before, which it keeps when all are missing now. */
export function retyped(cells: Cells, before: string): DataColumn {
  if (cells.length === 0 || !cells.every(isNa)) return inferred(cells)
  const dtype = dtypeWith(before, cells)
  return columnOfCells(tidied(cells, dtype), dtype)
}

/** Columns that become one; the type of unlike ones is found from the cells. */
export function joinedCells(parts: readonly DataColumn[], cells: Cells): DataColumn {
  const types = [...new Set(parts.filter(({ length }) => length > 0).map(({ dtype }) => dtype))]
  const [first = parts[0]?.dtype ?? 'undefined'] = types
  const unlike = (): string => (types.every(isNumeric) ? 'float32' : dtypeOf(traitsOf(cells)))
  const dtype = types.length <= 1 ? dtypeWith(first, cells) : unlike()
  return columnOfCells(tidied(cells, dtype), dtype)
}
