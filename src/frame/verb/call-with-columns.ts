import type { Kind } from '../../contract/column.js'
import { QuotebookError } from '../../contract/error.js'
import { gatherCells, gatherFloats } from '../table/gather-cells.js'
import type { RowBuckets } from '../table/group-rows.js'
import { plainCells } from '../table/plain-rows.js'
import { validNumbers } from '../table/present-cells.js'
import { type ColumnData, floatsIn } from '../table/values.js'
import { cellArray } from './cell-array.js'
import { numberArray } from './number-array.js'
import type { VerbInput } from './verb-input.js'

type Cells = readonly unknown[]

/** The cells of the given rows as an array of their own: numbers with NaN where missing, anything else with null. */
function arrayAt(values: ColumnData, rows: Int32Array | undefined): Float64Array | Cells {
  const numbers = floatsIn(values)
  if (numbers) return rows ? gatherFloats(numbers, rows) : numbers.slice()
  return plainCells('', rows ? gatherCells(values, rows) : values, false)
}

/** Rows as they are handed to functions, group after group; `asTheyStand`: they are all rows in their own order. */
export interface GroupedRows extends RowBuckets {
  readonly asTheyStand?: boolean
}

/** The columns of one group after another as arrays, and its rows; each column is read when it is first asked for. */
export function* groupArrays(
  input: VerbInput,
  { rows, starts, asTheyStand = false }: GroupedRows,
): Generator<{ readonly columns: object; readonly rows: Int32Array }> {
  let [from, to] = [0, input.length]
  const shown = new Map<string, Float64Array | Cells>()
  const columns: object = Object.create(null)
  for (const name of input.names) {
    let all: Float64Array | Cells | undefined
    const slice = (own: Float64Array | Cells): Float64Array | Cells => {
      if (own instanceof Float64Array) return numberArray(own.subarray(from, to))
      return cellArray((own.length === to - from ? own : own.slice(from, to)) as (string | boolean | null)[])
    }
    const get = (): Float64Array | Cells | undefined => {
      all ??= arrayAt(input.cells(name), asTheyStand ? undefined : rows)
      return shown.get(name) ?? shown.set(name, slice(all)).get(name)
    }
    Object.defineProperty(columns, name, { enumerable: true, get })
  }
  const guarded = new Proxy(columns, {
    get(target, name) {
      if (typeof name !== 'string' || name in target) return Reflect.get(target, name)
      throw new QuotebookError('MISSING_COLUMN', `there is no column '${name}'; there are: ${input.names.join(', ')}`)
    },
  })
  for (let group = 0; group + 1 < starts.length; group++) {
    from = starts[group] as number
    to = starts[group + 1] as number
    shown.clear()
    yield { columns: guarded, rows: rows.subarray(from, to) }
  }
}

type Type = 'float' | 'int' | 'text' | 'boolean'
const called: Record<Type, string> = { float: 'numbers', int: 'numbers', text: 'text', boolean: 'booleans' }

/** A column that a function makes piece by piece, each at its rows: its type is that of what comes. */
export class ResultColumn {
  readonly #name: string
  readonly #numbers: Float64Array
  #type: Type | undefined
  readonly #words: string[] = []
  readonly #codeOf = new Map<string, number>()

  constructor(name: string, length: number) {
    this.#name = name
    this.#numbers = new Float64Array(length).fill(Number.NaN)
  }

  #refuse(wrong: string): never {
    throw new QuotebookError('INVALID_VALUE', `column '${this.#name}': ${wrong}`)
  }

  #is(type: Type): void {
    if (this.#type === undefined || this.#type === type) this.#type = type
    else if (called[type] === called[this.#type]) this.#type = 'float'
    else this.#refuse(`${called[type]} beside ${called[this.#type]}; a column is of one type`)
  }

  #numberOf(cell: unknown): number {
    switch (typeof cell) {
      case 'number':
        this.#is('float')
        return cell
      case 'boolean':
        this.#is('boolean')
        return cell ? 1 : 0
      case 'string': {
        this.#is('text')
        const code = this.#codeOf.get(cell) ?? this.#words.push(cell) - 1
        this.#codeOf.set(cell, code)
        return code
      }
      default:
        if (cell === null || cell === undefined) return Number.NaN
        return this.#refuse(`cells are numbers, text, booleans or null, not ${Object.prototype.toString.call(cell)}`)
    }
  }

  /** Puts one value into all of the rows, or an array's values into them one by one. */
  setRows(made: unknown, rows: Int32Array): void {
    const out = this.#numbers
    if (made === undefined) this.#refuse('the function returned nothing; is a `return` missing?')
    if (made instanceof Float64Array || made instanceof Int32Array) {
      this.#check(made.length, rows.length)
      this.#is(made instanceof Int32Array ? 'int' : 'float')
      for (let at = 0; at < rows.length; at++) out[rows[at] as number] = made[at] as number
    } else if (Array.isArray(made)) {
      this.#check(made.length, rows.length)
      for (let at = 0; at < rows.length; at++) out[rows[at] as number] = this.#numberOf(made[at])
    } else {
      const value = this.#numberOf(made)
      for (let at = 0; at < rows.length; at++) out[rows[at] as number] = value
    }
  }

  #check(length: number, wanted: number): void {
    if (length === wanted) return
    this.#refuse(`the function made ${length} values for ${wanted} rows; make one for each, or one for all`)
  }

  finish(): { readonly values: ColumnData; readonly kind: Kind } {
    const numbers = this.#numbers
    const valid = validNumbers(numbers)
    switch (this.#type) {
      case 'int':
        return { kind: 'integer', values: { type: 'int', data: Int32Array.from(numbers), valid } }
      case 'boolean':
        return { kind: 'boolean', values: { type: 'boolean', data: Uint8Array.from(numbers), valid } }
      case 'text': {
        const data = Int32Array.from(numbers, (code) => (Number.isNaN(code) ? -1 : code))
        return { kind: 'label', values: { type: 'dictionary', data, dictionary: this.#words } }
      }
      default:
        return { kind: 'number', values: { type: 'float', data: numbers, valid } }
    }
  }
}
