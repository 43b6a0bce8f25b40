import { Dictionary, Float64, Int32 } from 'apache-arrow'
import { QuotebookError } from '../../contract/error.js'
import { type ColumnData, cellOf, floatsIn, type Text, textIn } from '../../table/values.js'
import type { Input } from './input.js'

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
      let numbers = this[slots][place] as Float64Array | undefined
      if (numbers === undefined) {
        numbers = floatsIn(this[read](place)) as Float64Array
        this[slots][place] = numbers
      }
      return numbers[this[row]]
    },
  word: (place) =>
    function (this: Cursor) {
      let text = this[slots][place] as Text | undefined
      if (text === undefined) {
        text = textIn(this[read](place)) as Text
        this[slots][place] = text
      }
      const code = text.data[this[row]] as number
      return code < 0 ? null : text.dictionary[code]
    },
  cell: (place) =>
    function (this: Cursor) {
      let values = this[slots][place] as ColumnData | undefined
      if (values === undefined) {
        values = this[read](place)
        this[slots][place] = values
      }
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

function shapeOf(input: Input, name: string): Shape {
  const type: unknown = input.column(name)?.chunk.type
  if (type instanceof Float64 || type instanceof Int32) return 'number'
  return type instanceof Dictionary ? 'word' : 'cell'
}

/** What JavaScript itself asks an object for, and `href` console.log. */
const asked = new Set(['constructor', 'href', 'then', 'toJSON', 'toString', 'valueOf'])

const bare: object = new Proxy(Object.create(null) as object, {
  get(_, name, cursor) {
    if (typeof name !== 'string' || asked.has(name)) return undefined
    const names = Object.keys(cursor as object).join(', ')
    throw new QuotebookError('MISSING_COLUMN', `there is no column '${name}'; there are: ${names}`)
  },
})

/** A cursor over the rows of the input, and how to move it. Columns are read when they are first asked for. */
export function cursorOf(input: Input): { readonly cursor: object; readonly stand: (at: number) => void } {
  const cursor: object = Object.setPrototypeOf({}, bare)
  Object.defineProperty(cursor, row, { value: 0, writable: true })
  Object.defineProperty(cursor, slots, { value: new Array<unknown>(input.names.length).fill(undefined) })
  Object.defineProperty(cursor, read, { value: (place: number) => input.values(input.names[place] as string) })
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
