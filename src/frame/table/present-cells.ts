import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { type ColumnData, floatsIn } from './values.js'

/** A byte per number that is 1 where it is there; null when none is missing. */
export function validNumbers(numbers: Float64Array): Uint8Array | null {
  let valid: Uint8Array | null = null
  for (let row = 0; row < numbers.length; row++) {
    const value = numbers[row] as number
    if (!Number.isNaN(value)) continue
    valid ??= new Uint8Array(numbers.length).fill(1)
    valid[row] = 0
  }
  return valid
}

/** Numbers with NaN for missing as a column. */
export function floatColumn(data: Float64Array): ColumnData {
  return { type: 'float', data, valid: validNumbers(data) }
}

/** Numbers of a column. @throws QuotebookError INVALID_VALUE when it holds none */
export function numbersIn(values: ColumnData, name: string, what: string): Float64Array {
  const numbers = floatsIn(values)
  if (!numbers) throw new QuotebookError('INVALID_VALUE', sentence`${what} needs numbers; column '${name}' holds none`)
  return numbers
}

/** A byte per row that is 1 where the cell is there. */
export function presentIn(values: ColumnData): Uint8Array {
  const out = new Uint8Array(values.data.length)
  switch (values.type) {
    case 'float':
      for (let row = 0; row < out.length; row++) out[row] = Number.isNaN(values.data[row]) ? 0 : 1
      return out
    case 'int':
    case 'boolean':
      if (values.valid) out.set(values.valid)
      else out.fill(1)
      return out
    case 'dictionary':
      for (let row = 0; row < out.length; row++) out[row] = (values.data[row] as number) < 0 ? 0 : 1
      return out
    default:
      for (let row = 0; row < out.length; row++) out[row] = values.data[row] === null ? 0 : 1
      return out
  }
}

/** Whether no cell is there: of no rows, or all missing. Such a column tells nothing of its type. */
export function isBlank(values: ColumnData): boolean {
  return !presentIn(values).includes(1)
}
