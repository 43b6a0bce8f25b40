import { QuotebookError } from '../../contract/error.js'
import { type ColumnData, cellOf, floatsIn } from '../../table/values.js'
import type { Input } from './input.js'
import { noOperand } from './whole-array.js'

type Cells = readonly unknown[]

/** The cells of the given rows as an array of their own: numbers with NaN where missing, anything else with null. */
function arrayAt(values: ColumnData, rows: Int32Array | undefined): Float64Array | Cells {
  const numbers = floatsIn(values)
  if (numbers) {
    if (!rows) return numbers.slice()
    const out = new Float64Array(rows.length)
    for (let at = 0; at < out.length; at++) out[at] = numbers[rows[at] as number] as number
    return out
  }
  const at = rows ?? Int32Array.from({ length: values.data.length }, (_, row) => row)
  if (values.type !== 'dictionary') return Array.from(at, (row) => cellOf(values, row))
  const { data, dictionary: words } = values
  return Array.from(at, (row) => {
    const code = data[row] as number
    return code < 0 ? null : (words[code] as string)
  })
}

/** Columns as arrays, of one stretch of rows after another; each column is read when it is first asked for. */
export interface Stretches {
  readonly columns: object
  /** Sets the stretch that `columns` shows, by places in `rows`. */
  show(from: number, to: number): void
}

/** @param rows the rows in the order in which stretches take them; all in their own order when absent */
export function stretchesOf(input: Input, rows: Int32Array | undefined): Stretches {
  let [from, to] = [0, input.length]
  const columns: object = Object.create(null)
  for (const name of input.names) {
    let all: Float64Array | Cells | undefined
    const get = (): Float64Array | Cells => {
      all ??= arrayAt(input.values(name), rows)
      const whole = from === 0 && to === all.length
      return noOperand(whole ? all : all instanceof Float64Array ? all.subarray(from, to) : all.slice(from, to), name)
    }
    Object.defineProperty(columns, name, { enumerable: true, get })
  }
  const guarded = new Proxy(columns, {
    get(target, name) {
      if (typeof name !== 'string' || name in target) return Reflect.get(target, name)
      throw new QuotebookError('MISSING_COLUMN', `there is no column '${name}'; there are: ${input.names.join(', ')}`)
    },
  })
  return {
    columns: guarded,
    show(first, end) {
      from = first
      to = end
    },
  }
}
