import { QuotebookError } from '../contract/error.js'
import { type ColumnData, floatsIn } from './values.js'

/** A byte per number that is 1 where it is there; null when none is missing. */
export function validOf(numbers: Float64Array): Uint8Array | null {
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
  return { type: 'float', data, valid: validOf(data) }
}

/** Numbers of a column. @throws QuotebookError INVALID_VALUE when it holds none */
export function numbersIn(values: ColumnData, name: string, what: string): Float64Array {
  const numbers = floatsIn(values)
  if (!numbers) throw new QuotebookError('INVALID_VALUE', `${what} needs numbers; column '${name}' holds none`)
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

function takeBytes(source: Uint8Array | null, rows: Int32Array, there: number): Uint8Array {
  const out = new Uint8Array(rows.length)
  for (let i = 0; i < out.length; i++) {
    const row = rows[i] as number
    out[i] = row < 0 ? 0 : source ? (source[row] as number) : there
  }
  return out
}

/** The cells of the given rows, in that order; a missing cell for row -1. */
export function takeOrMissing(values: ColumnData, rows: Int32Array): ColumnData {
  switch (values.type) {
    case 'float': {
      const data = new Float64Array(rows.length)
      for (let i = 0; i < data.length; i++) {
        const row = rows[i] as number
        data[i] = row < 0 ? Number.NaN : (values.data[row] as number)
      }
      return { type: 'float', data, valid: validOf(data) }
    }
    case 'int': {
      const data = new Int32Array(rows.length)
      for (let i = 0; i < data.length; i++) {
        const row = rows[i] as number
        data[i] = row < 0 ? 0 : (values.data[row] as number)
      }
      return { type: 'int', data, valid: takeBytes(values.valid, rows, 1) }
    }
    case 'boolean':
      return { type: 'boolean', data: takeBytes(values.data, rows, 0), valid: takeBytes(values.valid, rows, 1) }
    case 'dictionary': {
      const data = new Int32Array(rows.length)
      for (let i = 0; i < data.length; i++) {
        const row = rows[i] as number
        data[i] = row < 0 ? -1 : (values.data[row] as number)
      }
      return { type: 'dictionary', data, dictionary: values.dictionary }
    }
    case 'string':
      return { type: 'string', data: Array.from(rows, (row) => values.data[row] ?? null) }
    case 'list':
      return { type: 'list', data: Array.from(rows, (row) => values.data[row] ?? null) }
  }
}
