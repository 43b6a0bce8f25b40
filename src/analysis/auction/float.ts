import type { Table } from 'apache-arrow'
import { isDataFrame } from '../../frame/as-table.js'
import { numbers } from '../../frame/column.js'
import type { Data } from '../../frame/data.js'

/**
 * The shortest decimal that reads back as a single-precision number: 10.34 for 10.34000015258789, which is what a double
 * makes of it. Doubles that are no single-precision numbers come back as they are.
 */
export function shortestOf(x: number): number {
  if (Math.fround(x) !== x) return x
  for (let power = 1; power <= 10_000; power *= 10) {
    const short = Math.round(x * power) / power
    if (Math.fround(short) === x) return short
  }
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(x.toPrecision(digits))
    if (Math.fround(short) === x) return short
  }
  return x
}

/** Whether a column of a table holds single-precision numbers. */
export function isFloat32(data: Data, name: string): boolean {
  if (isDataFrame(data)) return false
  return String((data as Table).schema.fields.find((field) => field.name === name)?.type) === 'Float32'
}

/** A column of prices: NaN where one is missing, infinite or not above 0. @throws QuotebookError as `numbers` */
export function pricesIn(data: Data, name: string): Float64Array {
  const column = numbers(data, name)
  const own = isFloat32(data, name) ? column.map(shortestOf) : column
  for (let row = 0; row < own.length; row++) {
    const price = own[row] as number
    if (!(price > 0 && price < Number.POSITIVE_INFINITY)) own[row] = Number.NaN
  }
  return own
}
