import { QuotebookError } from '../../contract/error.js'
import { allOf, sentence } from '../../contract/sentence.js'
import { asNullable } from '../table/declaration.js'
import { floatColumn, isBlank } from '../table/present-cells.js'
import { wrongShape } from '../table/shape.js'
import { type ColumnData, floatsIn, concatCells as joined, nulls, textIn } from '../table/values.js'
import { readInput } from './verb-input.js'
import { VerbOutput } from './verb-output.js'
import type { Data } from './verb-types.js'

/** Columns of one type, or what brings two types together: whole numbers are numbers, all text is text. */
function alike(parts: readonly ColumnData[], name: string): readonly ColumnData[] {
  const [first] = parts
  if (!first || parts.every(({ type: form }) => form === first.type)) return parts
  const numbers = parts.map(floatsIn)
  if (numbers.every((column) => column !== undefined))
    return numbers.map((column) => floatColumn(column as Float64Array))
  const texts = parts.map(textIn)
  if (texts.every((column) => column !== undefined)) return texts as ColumnData[]
  const forms = allOf([...new Set(parts.map(({ type: form }) => form))])
  throw new QuotebookError(
    'INVALID_VALUE',
    sentence`column '${name}' is of different types (${forms}); a column is of one`,
  )
}

/**
 * Columns end to end; parts without any cell take the type of the others.
 * @throws QuotebookError INVALID_VALUE for columns of different types
 */
export function concatColumns(parts: readonly ColumnData[], name: string): ColumnData {
  const [first] = parts as [ColumnData]
  if (parts.every(({ type: form }) => form === first.type)) return joined(parts)
  const filled = parts.filter((part) => !isBlank(part))
  const columns = alike(filled.length > 0 ? filled : [first], name)
  const { type: form } = columns[0] as ColumnData
  return joined(parts.map((part) => columns[filled.indexOf(part)] ?? nulls(form, part.data.length)))
}

/**
 * Stacks the rows of several tables or frames under the columns of the first. All must have the same columns, in any
 * order. For example, join one-day queries to a range: `concat(await Promise.all(days.map((tradedate) => …)))`.
 * @returns the form of the first, without provenance
 * @throws QuotebookError INVALID_VALUE for no table, for other columns, and for a column of different types
 */
export function concat<D extends Data>(parts: readonly D[]): D {
  if (!Array.isArray(parts)) throw wrongShape(sentence`what concat takes`, sentence`a list of tables or frames`, parts)
  const inputs = (parts as readonly Data[]).map(readInput)
  const [first] = inputs
  if (!first) throw new QuotebookError('INVALID_VALUE', sentence`concat needs at least one table or frame`)
  for (const [i, { names }] of inputs.entries()) {
    const other = [...names, ...first.names].find((name) => !names.includes(name) || !first.names.includes(name))
    if (other === undefined) continue
    const where = names.includes(other) ? sentence`part 1 lacks` : sentence`part ${i + 1} lacks`
    throw new QuotebookError(
      'INVALID_VALUE',
      sentence`${where} the column '${other}'; concat takes parts of the same columns`,
    )
  }
  const output = new VerbOutput(inputs.reduce((sum, { length }) => sum + length, 0))
  for (const name of first.names) {
    if (output.join(inputs, name)) continue
    const parts = inputs.map((input) => input.cells(name))
    const values = concatColumns(parts, name)
    const like = inputs[parts.findIndex(({ type: form }) => form === values.type)] ?? first
    output.set(name, values, asNullable(like.declarationOf(name)))
  }
  return output.inFormOf(first) as D
}
