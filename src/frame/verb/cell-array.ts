import { QuotebookError } from '../../contract/error.js'
import { wrongShape } from '../table/shape.js'
import { checkLengths } from './array-statistics.js'

export type Flags = readonly (boolean | null)[]

/** One text for all rows, or one for each; null is missing. */
export type TextOperand = string | readonly (string | null)[]

/** One flag for all rows, or one for each; null is missing. */
export type FlagOperand = boolean | Flags

/**
 * A column of true, false and null (missing). As in SQL and in pandas' `boolean`, `and` is false where one side is false, `or` true
 * where one side is true; otherwise both are missing where a side is, and so is `not`. `orElse` fills what is missing.
 */
export interface FlagArray extends ReadonlyArray<boolean | null> {
  /** False where one side is false, true where both are true; else missing. */
  and(other: Flags): FlagArray
  /** True where one side is true, false where both are false; else missing. */
  or(other: Flags): FlagArray
  /** The other flag; missing where this is. */
  not(): FlagArray
  /** True where it is null. */
  isMissing(): FlagArray
  /** The other where this is missing. */
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

/** A column of text, null where missing. It is compared by code units: `tradedate.ge('20260701')`. `orElse` fills what is missing. */
export interface TextArray extends ReadonlyArray<string | null>, Comparable<TextOperand> {
  /** True where it is null. */
  isMissing(): FlagArray
  /** The other where this is missing. */
  orElse(other: TextOperand): TextArray
}

/** What a comparison answers. */
export type ByOrder = readonly [less: boolean, equal: boolean, greater: boolean]

/** The comparisons by what makes each of them, given what it answers for a less, an equal and a greater one. */
export function comparisonsBy<M>(make: (answers: ByOrder) => M): Readonly<Record<keyof Comparable<unknown>, M>> {
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
    const right = 'write close.minus(open) or close.gt(100), or compute cell by cell: close.map((cell, row) => …)'
    throw new QuotebookError('INVALID_VALUE', `a column is an array of cells, which operators can not take; ${right}`)
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

type Cells = readonly (string | boolean | null)[]

/** The other side of an operation, a cell for each row. @throws QuotebookError USAGE, INVALID_VALUE */
export function otherCells<C>(other: unknown, own: Cells, type: string = typeof own.find((cell) => cell !== null)) {
  const fits = (cell: unknown): boolean => cell === null || typeof cell === type || type === 'undefined'
  if (!Array.isArray(other) && fits(other)) return new Array<C | null>(own.length).fill(other as C | null)
  if (!Array.isArray(other) || !other.every(fits)) throw wrongShape('an operand', `${type} or a column of it`, other)
  checkLengths(own, other, 'operands')
  return other as readonly (C | null)[]
}

type Cell = string | boolean | null

function rowByRow<A extends Cells>(own: Cells, other: unknown, make: (a: Cell, b: Cell) => Cell, type?: string): A {
  const right = otherCells<string | boolean>(other, own, type)
  return cellArray<A>(own.map((cell, row) => make(cell, right[row] as Cell)))
}

/** `decides` alone is enough: false in `and`, true in `or`. */
const joinBy = (decides: boolean) => (own: Cells, other: unknown) => {
  const join = (a: Cell, b: Cell) => (a === null || b === null ? null : !decides)
  return rowByRow<FlagArray>(own, other, (a, b) => (a === decides || b === decides ? decides : join(a, b)), 'boolean')
}

const compareBy = ([less, equal, greater]: ByOrder) => {
  const order = (a: Cell, b: Cell) => (less === greater || (a as string) < (b as string) ? less : greater)
  const compare = (a: Cell, b: Cell) => (a === null || b === null ? null : a === b ? equal : order(a, b))
  return (own: Cells, other: unknown) => rowByRow<FlagArray>(own, other, compare)
}

const methods = methodsBy<Cells>({
  ...comparisonsBy(compareBy),
  and: joinBy(false),
  or: joinBy(true),
  not: (own) => cellArray(own.map((flag) => (flag === null ? null : !flag))),
  isMissing: (own) => cellArray(own.map((cell) => cell === null)),
  orElse: (own, other) => rowByRow(own, other, (a, b) => a ?? b),
})

/** Gives an array of text or of flags its methods. */
export function cellArray<A extends Cells>(cells: (string | boolean | null)[]): A {
  return Object.defineProperties(cells, methods) as Cells as A
}
