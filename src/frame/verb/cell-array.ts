import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { fillArray, freshInts } from '../table/fresh-array.js'
import { wrongShape } from '../table/shape.js'
import { checkLengths } from './array-statistics.js'
import { type Codes, cellCodes, codedCells } from './coded-cells.js'

export type Flags = readonly (boolean | null)[]

/** One text for all rows, or one for each; null is missing. */
export type TextOperand = string | readonly (string | null)[]

/** One flag for all rows, or one for each; null is missing. */
export type FlagOperand = boolean | Flags

/**
 * A column of true, false and null (missing). As in SQL and in pandas' `boolean`, `and` is false if one side is false,
 * `or` true if one side is true; otherwise both are missing if a side is, and so is `not`. `orElse` fills missing
 * cells.
 */
export interface FlagArray extends ReadonlyArray<boolean | null> {
  /** False if one side is false, true if both are true; else missing. */
  and(other: Flags): FlagArray
  /** True if one side is true, false if both are false; else missing. */
  or(other: Flags): FlagArray
  /** The other flag; missing if this is. */
  not(): FlagArray
  /** True if it is null. */
  isMissing(): FlagArray
  /** The other if this is missing. */
  orElse(other: FlagOperand): FlagArray
}

/** Comparable with one value or with one for each row: less, less or equal, greater, … Missing where either side is. */
export interface Comparable<O> {
  /** Less. */
  lt(other: O): FlagArray
  /** Less or equal. */
  le(other: O): FlagArray
  /** Greater. */
  gt(other: O): FlagArray
  /** Greater or equal. */
  ge(other: O): FlagArray
  /** Equal. */
  eq(other: O): FlagArray
  /** Not equal. */
  ne(other: O): FlagArray
}

/**
 * A column of text, null for missing. It is compared by code units: `tradedate.ge('20260701')`. `orElse` fills missing
 * cells.
 */
export interface TextArray extends ReadonlyArray<string | null>, Comparable<TextOperand> {
  /** True if it is null. */
  isMissing(): FlagArray
  /** The other if this is missing. */
  orElse(other: TextOperand): TextArray
}

/** What a comparison answers. */
type ByOrder = readonly [less: boolean, equal: boolean, greater: boolean]

/** The comparisons by what makes each of them, given what it answers for a less, an equal and a greater one. */
function comparisonsBy<M>(make: (answers: ByOrder) => M): Readonly<Record<keyof Comparable<unknown>, M>> {
  return {
    lt: make([true, false, false]),
    le: make([true, true, false]),
    gt: make([false, false, true]),
    ge: make([false, true, true]),
    eq: make([false, true, false]),
    ne: make([true, false, true]),
  }
}

/** JavaScript would make text of an array, so that `close > 100` is false and `close - open` no number, for a whole column and without a word. */
const refused: PropertyDescriptor = {
  value(hint: string) {
    if (hint === 'string') return 'a column as an array of cells'
    const right = sentence`write close.minus(open) or close.gt(100), or compute cell by cell: close.map((cell, row) => …)`
    throw new QuotebookError(
      'INVALID_VALUE',
      sentence`a column is an array of cells, which operators can not take; ${right}`,
    )
  },
}

/** Methods by name for an array, or the prototype of many: not enumerable, so that it prints and compares as before. */
export function methodsBy<X>(
  methods: Readonly<Record<string, (own: X, other: never) => unknown>>,
): PropertyDescriptorMap {
  const properties: PropertyDescriptorMap = { [Symbol.toPrimitive]: refused }
  for (const [name, run] of Object.entries(methods)) {
    properties[name] = {
      value(this: X, other: never) {
        return run(this, other)
      },
    }
  }
  return properties
}

type Cell = string | boolean | null
type Cells = readonly Cell[]

/** One side of an operation: the codes of its rows, or with step 0 one for all. */
interface Side extends Codes {
  readonly step: 0 | 1
}

function cellAt({ data, words, step }: Side, row: number): Cell {
  const code = data[row * step] as number
  return code < 0 ? null : (words[code] as Cell)
}

const isColumn = (x: unknown): x is Cells => Array.isArray(x)

/** Of which type the cells of a side are; 'undefined' when nothing tells. */
export function typeOfCells(side: unknown): string {
  const codes = cellCodes(side)
  if (codes) return typeof codes.words[0]
  return isColumn(side) ? typeof (side.find((cell) => cell !== null) ?? undefined) : typeof (side ?? undefined)
}

/** The codes of a side, whose cells are of a type. @throws QuotebookError USAGE, INVALID_VALUE */
function sideOf(side: unknown, length: number, type: string): Side {
  const fits = (cell: unknown): boolean => cell === null || typeof cell === type || type === 'undefined'
  const known = cellCodes(side)
  const isFit = known ? fits(known.words[0] ?? null) : isColumn(side) ? side.every(fits) : fits(side)
  if (!isFit) throw wrongShape(sentence`an operand`, sentence`${type} or a column of it`, side)
  if (!isColumn(side)) return { data: Int32Array.of(side === null ? -1 : 0), words: [side as Cell], step: 0 }
  checkLengths({ length }, side, 'operands')
  if (known) return { ...known, step: 1 }
  return { data: fillArray(freshInts(length), (row) => (side[row] === null ? -1 : row)), words: side, step: 1 }
}

/** The words of flags. */
export const flagWords = [false, true] as const

/** Flags as 1 and 0, -1 where missing. @throws QuotebookError USAGE, INVALID_VALUE */
export function flagSide(side: unknown, length: number): Side {
  const found = sideOf(side, length, 'boolean')
  if (found.words === flagWords) return found
  const { data, words, step } = found
  const flagAt = (row: number): number => ((data[row] as number) < 0 ? -1 : Number(words[data[row] as number]))
  return { data: fillArray(new Int8Array(data.length), flagAt), words: flagWords, step }
}

/** What becomes of two flags, at 3 times the one, the other and 4: -1 is missing. */
const logic = {
  and: Int8Array.of(-1, 0, -1, 0, 0, 0, -1, 0, 1),
  or: Int8Array.of(-1, -1, 1, -1, 0, 1, 1, 1, 1),
} as const

const joinBy = (answers: Int8Array) => (own: Cells, other: unknown) => {
  const [{ data: x }, { data: y, step }] = [flagSide(own, own.length), flagSide(other, own.length)]
  const out = new Int8Array(own.length)
  for (let row = 0; row < out.length; row++)
    out[row] = answers[3 * (x[row] as number) + (y[row * step] as number) + 4] as number
  return flagArray(out)
}

const compareBy = ([less, equal, greater]: ByOrder) => {
  const order = (a: Cell, b: Cell): number => {
    if (a === null || b === null) return -1
    if (a === b) return Number(equal)
    return Number(less === greater || a < b ? less : greater)
  }
  return (own: Cells, other: unknown) => {
    const type = typeOfCells(own)
    const [a, b] = [sideOf(own, own.length, type), sideOf(other, own.length, type)]
    const out = new Int8Array(own.length)
    if (b.step === 0 && a.words.length < out.length) {
      const answers = Int8Array.from(['', ...a.words], (word, at) => (at === 0 ? -1 : order(word, cellAt(b, 0))))
      const { data } = a
      for (let row = 0; row < out.length; row++) out[row] = answers[(data[row] as number) + 1] as number
    } else for (let row = 0; row < out.length; row++) out[row] = order(cellAt(a, row), cellAt(b, row))
    return flagArray(out)
  }
}

/** Row by row one of two texts or flags, by flags as numbers; missing where these are. */
export function pickCells<A extends Cells>(flags: ArrayLike<number>, yes: unknown, no: unknown, type: string): A {
  const { length } = flags
  const side = (given: unknown): Side => (type === 'boolean' ? flagSide(given, length) : sideOf(given, length, type))
  const [a, b] = [side(yes), side(no)]
  const shared = a.words === b.words
  const offset = shared ? 0 : a.words.length
  const data = type === 'boolean' ? new Int8Array(length) : new Int32Array(length)
  for (let row = 0; row < length; row++) {
    const flag = flags[row] as number
    const code = flag === 1 ? (a.data[row * a.step] as number) : (b.data[row * b.step] as number)
    data[row] = flag < 0 || code < 0 ? -1 : flag === 1 ? code : code + offset
  }
  return codedArray({ data, words: shared ? a.words : a.words.concat(b.words) })
}

function presence(own: Cells): Int8Array {
  const { data } = sideOf(own, own.length, 'undefined')
  return fillArray(new Int8Array(data.length), (row) => Number((data[row] as number) >= 0))
}

const methods = methodsBy<Cells>({
  ...comparisonsBy(compareBy),
  and: joinBy(logic.and),
  or: joinBy(logic.or),
  not: (own) => flagArray((flagSide(own, own.length).data as Int8Array).map((flag) => (flag < 0 ? -1 : 1 - flag))),
  isMissing: (own) => flagArray(presence(own).map((flag) => 1 - flag)),
  orElse: (own, other) => {
    const type = typeOfCells(own)
    return pickCells(presence(own), own, other, type === 'undefined' ? typeOfCells(other) : type)
  },
})

const prototype: object = Object.create(Array.prototype, methods)

/** Gives an array of text or of flags its methods. */
export function cellArray<A extends Cells>(cells: Cell[]): A {
  return Object.defineProperties(cells, methods) as Cells as A
}

/** An array of text or of flags by their codes, which its methods work with. */
export function codedArray<A extends Cells>(codes: Codes): A {
  return codedCells(codes, prototype) as Cells as A
}

/** Flags by 1, 0, and -1 where missing. */
export function flagArray(data: Int8Array): FlagArray {
  return codedArray({ data, words: flagWords })
}
