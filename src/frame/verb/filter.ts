import { Dictionary, Float64, Int32 } from 'apache-arrow'
import { QuotebookError } from '../../contract/error.js'
import { checkOptions } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import type { RowIn } from '../data.js'
import { freshInts } from '../table/fresh-array.js'
import { wrongShape } from '../table/shape.js'
import { type ColumnData, cellOf, floatsIn, type Text, textIn } from '../table/values.js'
import { groupArrays } from './call-with-columns.js'
import { flagWords } from './cell-array.js'
import { cellCodes } from './coded-cells.js'
import type { DeriveOptions } from './derive.js'
import { rowsByGroup } from './rows-by-group.js'
import { checkNames, readInput, type VerbInput } from './verb-input.js'
import { selectOutput } from './verb-output.js'
import type { ArraysIn, Data, NameOf } from './verb-types.js'

/*
 * One object stands for all rows: its properties read the row at which it stands. The functions behind them are made
 * once for each place and type of a column and shared by all cursors, so that cursors over tables of one kind are of one
 * hidden class, and the engine can put the reading into the loop of who reads.
 */

const row = Symbol('row')
const slots = Symbol('slots')
const read = Symbol('read')

interface Cursor {
  [row]: number
  readonly [slots]: unknown[]
  readonly [read]: (place: number) => ColumnData
}

type Getter = (this: Cursor) => unknown
type Shape = 'number' | 'word' | 'cell'

const makers: Record<Shape, (place: number) => Getter> = {
  number: (place) =>
    function (this: Cursor) {
      this[slots][place] ??= floatsIn(this[read](place))
      return (this[slots][place] as Float64Array)[this[row]]
    },
  word: (place) =>
    function (this: Cursor) {
      this[slots][place] ??= textIn(this[read](place))
      const text = this[slots][place] as Text
      const code = text.data[this[row]] as number
      return code < 0 ? null : text.dictionary[code]
    },
  cell: (place) =>
    function (this: Cursor) {
      this[slots][place] ??= this[read](place)
      const values = this[slots][place] as ColumnData
      const cell = cellOf(values, this[row])
      return cell === null && (values.type === 'float' || values.type === 'int') ? Number.NaN : cell
    },
}

const known: Record<Shape, Getter[]> = { number: [], word: [], cell: [] }

function getterOf(shape: Shape, place: number): Getter {
  const list = known[shape]
  for (let next = list.length; next <= place; next++) list.push(makers[shape](next))
  return list[place] as Getter
}

function shapeOf(input: VerbInput, name: string): Shape {
  const type: unknown = input.arrowColumn(name)?.chunk.type
  if (type instanceof Float64 || type instanceof Int32) return 'number'
  return type instanceof Dictionary ? 'word' : 'cell'
}

/** What JavaScript itself asks an object for, and `href` console.log. */
const asked = new Set(['constructor', 'href', 'then', 'toJSON', 'toString', 'valueOf'])

const bare: object = new Proxy(Object.create(null) as object, {
  get(_, name, cursor) {
    if (typeof name !== 'string' || asked.has(name)) return undefined
    const names = Object.keys(cursor as object).join(', ')
    throw new QuotebookError('MISSING_COLUMN', sentence`there is no column '${name}'; there are: ${names}`)
  },
})

/** A cursor over the rows of the input, and how to move it. Columns are read when they are first asked for. */
function rowView(input: VerbInput): { readonly cursor: object; readonly stand: (at: number) => void } {
  const cursor: object = Object.setPrototypeOf({}, bare)
  Object.defineProperty(cursor, row, { value: 0, writable: true })
  Object.defineProperty(cursor, slots, { value: new Array<unknown>(input.names.length).fill(undefined) })
  Object.defineProperty(cursor, read, { value: (place: number) => input.cells(input.names[place] as string) })
  input.names.forEach((name, place) => {
    Object.defineProperty(cursor, name, { enumerable: true, get: getterOf(shapeOf(input, name), place) })
  })
  const own = cursor as Cursor
  return {
    cursor,
    stand(at) {
      own[row] = at
    },
  }
}

/** The rows that a byte keeps, which is 1; others are 0, or -1 where nothing is known. Without a branch, which a processor would guess wrong. */
function rowsOf(mask: Int8Array): Int32Array {
  let count = 0
  for (let row = 0; row < mask.length; row++) count += ((mask[row] as number) + 1) >> 1
  const rows = freshInts(count + 1)
  let at = 0
  for (let row = 0; row < mask.length; row++) {
    rows[at] = row
    at += ((mask[row] as number) + 1) >> 1
  }
  return rows.subarray(0, count)
}

function byBytes(mask: Uint8Array): Int32Array {
  let bits = 0
  for (let row = 0; row < mask.length; row++) bits |= mask[row] as number
  if (bits <= 1) return rowsOf(new Int8Array(mask.buffer, mask.byteOffset, mask.length))
  const wrong = mask.findIndex((keep) => keep > 1)
  const right = sentence`is neither true nor false, 1 nor 0`
  throw new QuotebookError('INVALID_VALUE', sentence`the mask, row ${wrong + 1}: ${mask[wrong]} ${right}`)
}

function byMask(mask: unknown, length: number, whose = sentence`the data`): Int32Array {
  if (!Array.isArray(mask) && !(mask instanceof Uint8Array))
    throw wrongShape(sentence`the test of a filter`, sentence`a function of a row, or a list of true and false`, mask)
  if (mask.length !== length) {
    throw new QuotebookError('INVALID_VALUE', sentence`the mask has ${mask.length} rows and ${whose} ${length}`)
  }
  if (mask instanceof Uint8Array) return byBytes(mask)
  const flags = cellCodes(mask)
  if (flags?.words === flagWords) return rowsOf(flags.data as Int8Array)
  const kept = new Uint8Array(length)
  for (let row = 0; row < length; row++) {
    const keep = mask[row]
    if (keep === true || keep === 1) kept[row] = 1
    else if (keep !== false && keep !== 0 && keep !== null) {
      throw new QuotebookError(
        'INVALID_VALUE',
        sentence`the mask, row ${row + 1}: ${String(keep)} is neither true nor false`,
      )
    }
  }
  return byBytes(kept)
}

function byTest(input: VerbInput, test: (row: never) => boolean): Int32Array {
  const { cursor, stand } = rowView(input)
  const rows = new Int32Array(input.length)
  let count = 0
  for (let row = 0; row < rows.length; row++) {
    stand(row)
    const keep: unknown = test(cursor as never)
    rows[count] = row
    if (typeof keep === 'boolean') count += Number(keep)
    else if (keep !== null && keep !== undefined) {
      const hint = sentence`the test of a filter must return true or false`
      throw new QuotebookError('INVALID_VALUE', sentence`row ${row + 1}: ${hint}, not ${String(keep)}`)
    }
  }
  return rows.slice(0, count)
}

/** Options of a `filter` by groups. */
export interface GroupFilterOptions<D> extends DeriveOptions<D> {
  /** Rows that are alike in these columns are a group, whose columns the test gets; `[]`: all rows are one group. */
  readonly by: NameOf<D> | readonly NameOf<D>[]
}

type GroupTest<D> = (columns: ArraysIn<D>) => boolean | null | readonly (boolean | null)[] | Uint8Array

function byGroups(input: VerbInput, test: unknown, options: GroupFilterOptions<Data>): Int32Array {
  checkOptions(options, { by: 'any', order: 'any' }, 'filter')
  if (typeof test !== 'function')
    throw wrongShape(sentence`the test of a group`, sentence`a function of its columns`, test)
  checkNames(input, options.by)
  const kept = new Uint8Array(input.length)
  for (const { columns, rows } of groupArrays(input, rowsByGroup(input, options))) {
    const answer: unknown = test(columns)
    const length = rows ? rows.length : input.length
    if (answer === true) for (let at = 0; at < length; at++) kept[rows ? (rows[at] as number) : at] = 1
    else if (answer !== false && answer !== null) {
      const chosen = byMask(answer, length, sentence`the group`)
      if (!rows) return chosen
      for (const at of chosen) kept[rows[at] as number] = 1
    }
  }
  return byBytes(kept)
}

/**
 * Selects the rows for which a test is true, or whose byte or boolean in a mask is true (null is not), in their order.
 *
 * The test gets one object whose properties read the current row: numbers with NaN for missing, text, booleans and
 * lists with null. It is the same object for every row, so keep its values, not it. Comparing with NaN is false
 * whichever way, and text may be null: `row.name?.startsWith('中')`.
 *
 * With `by` the test gets the columns of one group after another as arrays, as in `derive` (with `order` in that
 * order), and answers for the entire group, or with a mask for its rows:
 * `filter(bars, (c) => c.close.gt(c.close.lag()), { by: 'symbol', order: 'tradedate' })`.
 * @returns the same form as the input, without provenance
 * @throws QuotebookError MISSING_COLUMN if the test reads an unknown column; INVALID_VALUE if the mask has another
 * length, or an answer is neither true nor false
 */
export function filter<D extends Data>(
  data: D,
  test: ((row: RowIn<D>) => boolean | null | undefined) | readonly (boolean | null)[] | Uint8Array,
): D
export function filter<D extends Data>(data: D, test: GroupTest<D>, options: GroupFilterOptions<D>): D
export function filter<D extends Data>(data: D, test: unknown, options?: GroupFilterOptions<D>): D {
  const input = readInput(data)
  if (options !== undefined) return selectOutput(input, byGroups(input, test, options)) as D
  const rows = typeof test === 'function' ? byTest(input, test as (row: never) => boolean) : byMask(test, input.length)
  return selectOutput(input, rows) as D
}
