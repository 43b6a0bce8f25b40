import type { Kind } from '../../contract/column.js'
import { QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { fillArray, freshFloats, freshInts } from '../table/fresh-array.js'
import { gatherCells, gatherFloats } from '../table/gather-cells.js'
import type { RowBuckets } from '../table/group-rows.js'
import { plainCells } from '../table/plain-rows.js'
import { validNumbers } from '../table/present-cells.js'
import { type ColumnData, floatsIn } from '../table/values.js'
import { cellArray, codedArray, flagWords } from './cell-array.js'
import { type Codes, cellCodes } from './coded-cells.js'
import { numberArray } from './number-array.js'
import type { VerbInput } from './verb-input.js'

type Cells = readonly unknown[]

/** The cells of all rows in the order in which groups have them: numbers with NaN where missing, codes, or cells with null. */
function cellsInOrder(values: ColumnData, rows: Int32Array | undefined): Float64Array | Codes | Cells {
  const numbers = floatsIn(values)
  if (numbers) return rows ? gatherFloats(numbers, rows, false) : numbers
  const own = rows ? gatherCells(values, rows) : values
  if (own.type === 'dictionary') return { data: own.data, words: own.dictionary }
  if (own.type === 'boolean') {
    const { data, valid } = own
    const flags = fillArray(new Int8Array(data.length), (row) => (valid?.[row] === 0 ? -1 : (data[row] as number)))
    return { data: flags, words: flagWords }
  }
  return plainCells('', own, false)
}

/** Some of them as an array of their own. */
function arrayOf(all: Float64Array | Codes | Cells, from: number, to: number, isCopied: boolean): unknown {
  if (all instanceof Float64Array) {
    const own = all.subarray(from, to)
    if (isCopied) return numberArray(own)
    const copy = freshFloats(own.length)
    copy.set(own)
    return numberArray(copy)
  }
  if ('words' in all) return codedArray({ data: all.data.subarray(from, to), words: all.words })
  return cellArray((all.length === to - from ? all : all.slice(from, to)) as (string | boolean | null)[])
}

/** Rows as they are handed to functions, group after group; without `rows` they are all rows in their own order. */
export type GroupedRows = RowBuckets | { readonly rows?: undefined; readonly starts: Int32Array }

/** The columns of one group after another as arrays, and its rows, where these are not all; each column is read when it is first asked for. */
export function* groupArrays(
  input: VerbInput,
  { rows, starts }: GroupedRows,
): Generator<{ readonly columns: object; readonly rows: Int32Array | undefined }> {
  let [from, to] = [0, input.length]
  const shown = new Map<string, unknown>()
  const columns: object = Object.create(null)
  for (const name of input.names) {
    let all: Float64Array | Codes | Cells | undefined
    const get = (): unknown => {
      all ??= cellsInOrder(input.cells(name), rows)
      if (!shown.has(name)) shown.set(name, arrayOf(all, from, to, rows !== undefined))
      return shown.get(name)
    }
    Object.defineProperty(columns, name, { enumerable: true, get })
  }
  const guarded = new Proxy(columns, {
    get(target, name) {
      if (typeof name !== 'string' || name in target) return Reflect.get(target, name)
      throw new QuotebookError(
        'MISSING_COLUMN',
        sentence`there is no column '${name}'; there are: ${input.names.join(', ')}`,
      )
    },
  })
  for (let group = 0; group + 1 < starts.length; group++) {
    from = starts[group] as number
    to = starts[group + 1] as number
    shown.clear()
    yield { columns: guarded, rows: rows?.subarray(from, to) }
  }
}

type Type = 'float' | 'int' | 'text' | 'boolean'
const called: Record<Type, Words> = {
  float: sentence`numbers`,
  int: sentence`numbers`,
  text: sentence`text`,
  boolean: sentence`booleans`,
}

/** A column that a function makes piece by piece, each at its rows: its type is that of what comes. */
export class ResultColumn {
  readonly #name: string
  readonly #length: number
  /** The numbers, flags or codes of all rows so far, NaN where missing. */
  #numbers: Float64Array | undefined
  /** The flags or codes of all rows where they came at once, -1 where missing. */
  #codes: Int32Array | undefined
  #type: Type | undefined
  readonly #words: string[] = []
  readonly #codeOf = new Map<string, number>()

  constructor(name: string, length: number) {
    this.#name = name
    this.#length = length
  }

  #refuse(wrong: Words): never {
    throw new QuotebookError('INVALID_VALUE', sentence`column '${this.#name}': ${wrong}`)
  }

  #is(type: Type): void {
    if (this.#type === undefined || this.#type === type) this.#type = type
    else if (`${called[type]}` === `${called[this.#type]}`) this.#type = 'float'
    else this.#refuse(sentence`${called[type]} beside ${called[this.#type]}; a column is of one type`)
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
        return this.#refuse(
          sentence`cells are numbers, text, booleans or null, not ${Object.prototype.toString.call(cell)}`,
        )
    }
  }

  /** The codes of cells as this column has them, or their flags as numbers; -1 where missing. */
  #ownCodes({ data, words }: Codes): Int32Array {
    const known = new Int32Array(words.length + 1).fill(-1)
    const out = freshInts(data.length)
    for (let at = 0; at < out.length; at++) {
      const code = data[at] as number
      if (code >= 0 && (known[code + 1] as number) < 0) known[code + 1] = this.#numberOf(words[code])
      out[at] = known[code + 1] as number
    }
    return out
  }

  /** Puts one value into all of the rows, or an array's values into them one by one; into all rows where none are given. */
  setRows(made: unknown, rows?: Int32Array): void {
    if (made === undefined) this.#refuse(sentence`the function returned nothing; is a \`return\` missing?`)
    const length = rows ? rows.length : this.#length
    const codes = cellCodes(made)
    if (codes && !rows) {
      this.#check(codes.data.length, length)
      this.#codes = this.#ownCodes(codes)
      return
    }
    this.#numbers ??= rows ? new Float64Array(this.#length).fill(Number.NaN) : freshFloats(length)
    const out = this.#numbers
    if (made instanceof Float64Array || made instanceof Int32Array) {
      this.#check(made.length, length)
      this.#is(made instanceof Int32Array ? 'int' : 'float')
      if (!rows) out.set(made)
      else for (let at = 0; at < length; at++) out[rows[at] as number] = made[at] as number
    } else if (codes) {
      this.#check(codes.data.length, length)
      const own = this.#ownCodes(codes)
      for (let at = 0; at < length; at++) if ((own[at] as number) >= 0) out[rows?.[at] as number] = own[at] as number
    } else if (Array.isArray(made)) {
      this.#check(made.length, length)
      for (let at = 0; at < length; at++) out[rows ? (rows[at] as number) : at] = this.#numberOf(made[at])
    } else {
      const value = this.#numberOf(made)
      if (!rows) out.fill(value)
      else for (let at = 0; at < length; at++) out[rows[at] as number] = value
    }
  }

  #check(length: number, wanted: number): void {
    if (length === wanted) return
    this.#refuse(sentence`the function made ${length} values for ${wanted} rows; make one for each, or one for all`)
  }

  finish(): { readonly values: ColumnData; readonly kind: Kind } {
    const codes = this.#codes
    const numbers = codes ?? this.#numbers ?? new Float64Array(0)
    if (this.#type === 'text') {
      const codeAt = (row: number): number => (Number.isNaN(numbers[row]) ? -1 : (numbers[row] as number))
      const data = codes ?? fillArray(freshInts(numbers.length), codeAt)
      return { kind: 'label', values: { type: 'dictionary', data, dictionary: this.#words } }
    }
    const floats = codes
      ? fillArray(freshFloats(codes.length), (row) =>
          (codes[row] as number) < 0 ? Number.NaN : (codes[row] as number),
        )
      : (numbers as Float64Array)
    const valid = validNumbers(floats)
    if (this.#type === 'int') return { kind: 'integer', values: { type: 'int', data: new Int32Array(floats), valid } }
    if (this.#type === 'boolean')
      return { kind: 'boolean', values: { type: 'boolean', data: new Uint8Array(floats), valid } }
    return { kind: 'number', values: { type: 'float', data: floats, valid } }
  }
}
