/*
 * Arithmetic and comparisons of Series and frames, differences and changes, running sums, products, minima and maxima.
 *
 * Stock Series count null as 0: [1, null].add(1) is [2, 1], null < 5 and null >= 0 are true, and null equals null. Frames
 * compute in 32 bits (12345678901.23 + 0 is 12345678848), keep the type int32 for halves, and their change from 0 to 5 is
 * -1. Rows of different labels are mixed, and so are columns of different names. A column has no order against one text or
 * one Date, and two Dates of one moment are not equal. Running sums of Series lose all that follows a NaN; those of frames
 * drop what is missing, so that later values move up a row.
 *
 * Now what is missing stays missing, also to the power of 0; it equals nothing and is neither less nor greater than anything
 * (so `ne` is true of it); running sums go on behind it. The remainder has the sign of the divisor in both classes; a change
 * from 0 is Infinity. Text goes by its code units, dates by time. Text and numbers are unequal and have no order. Rows go
 * together by label (see row-labels.ts), frames must have the same columns.
 */
import { sentence, type Words } from '../../../contract/sentence.js'
import { fillArray } from '../../table/fresh-array.js'
import { codedArray, type TextArray } from '../../verb/cell-array.js'
import { type Codes, cellCodes } from '../../verb/coded-cells.js'
import { cellwise, type NumberArray, type NumberOperand, numberArray } from '../../verb/number-array.js'
import { diff, pctChange } from '../../verb/shift.js'
import { getColumns } from '../frame-store.js'
import { mapAlong, mapNumbers } from './change-cells.js'
import {
  type Axis,
  type Cells,
  cellsOf,
  columnOfFlags,
  type DataColumn,
  DataFrame,
  type InPlace,
  inWords,
  isNa,
  lengthOf,
  like,
  methods,
  numberOf,
  numbersOf,
  refuse,
  repair,
  repairBoth,
  result,
  Series,
  seriesLike,
  storedIn,
  Utils,
} from './model.js'
import { alongColumns, paired, pairing } from './row-labels.js'

type Compute = (own: NumberArray, other: NumberOperand) => NumberArray

const operations = {
  add: (own, other) => own.plus(other),
  sub: (own, other) => own.minus(other),
  mul: (own, other) => own.times(other),
  div: (own, other) => own.over(other),
  /** 0 where the divisor is 0, as stock danfo has it; missing where the dividend is missing. */
  divNoNan: cellwise((a, b) => (b === 0 && !Number.isNaN(a) ? 0 : a / b)),
  mod: (own, other) => own.mod(other),
  pow: cellwise((a, b) => (Number.isNaN(a) ? a : a ** b)),
  maximum: (own, other) => own.greatest(other),
  minimum: (own, other) => own.least(other),
} as const satisfies Readonly<Record<string, Compute>>

type Operation = keyof typeof operations

type Comparable = number | string

const tests = {
  lt: (a: Comparable, b: Comparable) => a < b,
  gt: (a: Comparable, b: Comparable) => a > b,
  le: (a: Comparable, b: Comparable) => a <= b,
  ge: (a: Comparable, b: Comparable) => a >= b,
  eq: (a: Comparable, b: Comparable) => a === b,
  ne: (a: Comparable, b: Comparable) => a !== b,
} as const

type Test = keyof typeof tests

function comparable(cell: unknown): Comparable {
  if (typeof cell === 'number' || typeof cell === 'string') return cell
  if (typeof cell === 'boolean' || cell instanceof Date) return Number(cell)
  return refuse(sentence`${inWords(cell)} can not be compared`)
}

/** Cells of any types, which may be mixed. */
function compared(left: unknown, right: unknown, test: Test): boolean {
  if (isNa(left) || isNa(right)) return test === 'ne'
  const [a, b] = [comparable(left), comparable(right)]
  if (typeof a === typeof b || test === 'eq' || test === 'ne') return tests[test](a, b)
  return refuse(sentence`text and numbers have no order: ${inWords(left)} and ${inWords(right)}`)
}

/** What the verbs make of a comparison, where nothing is missing: what was equals nothing, and is unequal to everything. */
function flagsOf(column: NumberArray | TextArray, other: NumberOperand | string, test: Test): DataColumn {
  const answers = column[test === 'ne' ? 'eq' : test](other as never)
  const { data } = cellCodes(answers) as Codes
  const flip = Number(test === 'ne')
  return columnOfFlags(fillArray(new Uint8Array(data.length), (row) => (((data[row] as number) + 1) >> 1) ^ flip))
}

const running = {
  sum: (a: number, b: number) => a + b,
  prod: (a: number, b: number) => a * b,
  min: Math.min,
  max: Math.max,
} as const

export type RunningName = keyof typeof running

/**
 * Running sums and the like; a missing value stays missing in its place, and the next goes on from the last that was
 * there. Sums are plain, as those of pandas: `cumulative` of the verbs keeps what each addition rounds away.
 */
export function runningOf(numbers: Float64Array, name: RunningName): Float64Array {
  let last: number | undefined
  return numbers.map((number) => {
    if (Number.isNaN(number)) return number
    last = last === undefined ? number : running[name](last, number)
    return last
  })
}

/** @throws QuotebookError INVALID_VALUE for columns of text */
export function checkNumbers({ $dtypes, $columns }: DataFrame | Series, what: Words): void {
  const text = $dtypes.indexOf('string')
  const hint = $columns.length > 1 ? sentence`; choose columns with loc` : ''
  if (text !== -1) refuse(sentence`'${$columns[text]}' is text, which has no ${what}${hint}`)
}

function isScalar(other: unknown): boolean {
  return ['number', 'string', 'boolean'].includes(typeof other) || other instanceof Date || isNa(other)
}

/** Cells of the other side, one for each row of a Series. */
function cellsBeside(series: Series, other: unknown): Cells {
  return isScalar(other) ? new Array<unknown>(lengthOf(series)).fill(other) : paired(series, other)
}

const numbersIn = (cells: Cells): Float64Array => Float64Array.from(cells, numberOf)

/** The other side of each column: of one number, of a frame, or of a column (axis 0) or row (axis 1) of numbers. */
function columnsBeside(frame: DataFrame, other: unknown, axis: 0 | 1): (column: number) => NumberOperand {
  if (typeof other === 'number') return () => other
  if (other instanceof DataFrame) {
    const right = other as DataFrame
    if (right.$columns.join('\n') !== frame.$columns.join('\n')) {
      refuse(
        sentence`frames of the columns ${frame.$columns.join(', ')} and ${right.$columns.join(', ')} do not go together`,
      )
    }
    const rows = pairing(frame, right)
    const { list } = getColumns(right)
    return (at) => {
      const column = list[at] as DataColumn
      return numbersOf(rows ? column.gather(rows) : column)
    }
  }
  const numbers = numbersIn(paired(axis === 0 ? frame : { $index: alongColumns(frame, other) }, other))
  return axis === 0 ? () => numbers : (at) => numbers[at] as number
}

/** The other side of a Series; undefined for what is no number for each row. */
function numbersBeside(series: Series, other: unknown): NumberOperand | undefined {
  if (typeof other === 'number') return other
  if (!(other instanceof Series) || pairing(series, other as Series)) return undefined
  const column = storedIn(other as Series)
  return column.content.type === 'float' || column.content.type === 'int' ? numbersOf(column) : undefined
}

/** A frame with what is made of the numbers of each column (axis 0) or of each row (axis 1). */
function alongNumbers(frame: DataFrame, axis: 0 | 1, make: (numbers: Float64Array) => Float64Array): DataFrame {
  return axis === 0 ? mapNumbers(frame, make) : mapAlong(frame, 1, (cells) => Array.from(make(numbersIn(cells))))
}

/** Against the cell some rows before (axis 1) or some columns before (axis 0), or against other numbers. */
function difference(name: 'diff' | 'pctChange') {
  return function (this: DataFrame & WithMath, other: unknown = 1, options?: InPlace & Axis): DataFrame | undefined {
    const axis = options?.axis ?? 1
    if (typeof other !== 'number') {
      return result(this, name === 'diff' ? this.sub(other, { axis }) : this.div(other, { axis }).sub(1), options)
    }
    if (!Number.isInteger(other)) refuse(sentence`${other} is no number of rows`)
    checkNumbers(this, name)
    const change = name === 'diff' ? diff : pctChange
    const made = alongNumbers(this, axis === 0 ? 1 : 0, (numbers) => change(numbers, other))
    return result(this, made, options)
  }
}

interface WithMath {
  sub(other: unknown, options?: Axis): DataFrame & WithMath
  div(other: unknown, options?: Axis): DataFrame & WithMath
}

type Beside = ReturnType<typeof columnsBeside>

/** Rounds halves away from zero, exactly by the double's own digits; `places` below 0 rounds to tens, hundreds, … */
function rounded(cells: Cells, places = 1): unknown[] {
  if (!Number.isInteger(places) || places > 100) refuse(sentence`${places} is no number of decimal places`)
  const unit = 10 ** -places
  return cells.map((cell) => {
    if (typeof cell === 'string') refuse(sentence`${inWords(cell)} is text and can not be rounded`)
    if (typeof cell !== 'number' || !Number.isFinite(cell)) return cell
    return places >= 0 ? Number(cell.toFixed(places)) : Math.sign(cell) * Math.round(Math.abs(cell) / unit) * unit
  })
}

repair<DataFrame & WithMath>(DataFrame.prototype, {
  ...methods(['diff', 'pctChange'], difference),

  /** danfo's methods (`add`, `lt`, …) hand over what this returns to the two below. */
  $getTensorsForArithmeticOperationByAxis(other: unknown, axis: 0 | 1): Beside {
    return columnsBeside(this, other, axis)
  },

  $MathOps(beside: Beside, name: Operation, inplace: boolean): DataFrame | undefined {
    const made = mapNumbers(this, (numbers, at) => operations[name](numbers, beside(at)))
    return result(this, made, { inplace })
  },

  $logicalOps(beside: Beside, name: Test): DataFrame {
    const { list } = getColumns(this)
    return like(this, { list: list.map((column, at) => flagsOf(numberArray(numbersOf(column)), beside(at), name)) })
  },

  round(places?: number, options?: InPlace): DataFrame | undefined {
    checkNumbers(this, 'rounding')
    const made = mapAlong(this, 0, (cells) => rounded(cells, places))
    return result(this, made, options)
  },

  cumOps(name: RunningName, axis: 0 | 1, inplace: boolean): DataFrame | undefined {
    const made = alongNumbers(this, axis, (numbers) => runningOf(numbers, name))
    return result(this, made, { inplace })
  },
})

/** One operation of a Series with a number, an array or another Series. */
function operation(name: Operation) {
  return function (this: Series, other: unknown, options?: InPlace): Series | undefined {
    checkNumbers(this, name)
    if (other instanceof Series) checkNumbers(other as Series, name)
    const numbers = numbersBeside(this, other) ?? numbersIn(paired(this, other))
    const made = mapNumbers(this, (own) => operations[name](own, numbers))
    return result(this, made, options)
  }
}

function logical(join: (a: boolean, b: boolean) => boolean) {
  const isTrue = (cell: unknown): boolean => !isNa(cell) && Boolean(cell)
  return function (this: Series, other: unknown): Series {
    if (other === undefined) refuse(sentence`the other side is missing`)
    const others = cellsBeside(this, other)
    const cells = cellsOf(this).map((cell, row) => join(isTrue(cell), isTrue(others[row])))
    return seriesLike(this, cells, 'boolean')
  }
}

repair<Series>(Series.prototype, {
  ...methods(
    (Object.keys(operations) as Operation[]).filter((name) => name !== 'divNoNan'),
    operation,
  ),

  boolOps(other: unknown, test: Test): Series {
    const column = storedIn(this)
    const { content } = column
    const numbers = content.type === 'float' || content.type === 'int' ? numbersBeside(this, other) : undefined
    if (numbers !== undefined) return like(this, { list: [flagsOf(numberArray(numbersOf(column)), numbers, test)] })
    if (content.type === 'dictionary' && typeof other === 'string') {
      const text = codedArray<TextArray>({ data: content.data, words: content.dictionary })
      return like(this, { list: [flagsOf(text, other, test)] })
    }
    const others = cellsBeside(this, other)
    const cells = cellsOf(this).map((cell, row) => compared(cell, others[row], test))
    return seriesLike(this, cells, 'boolean')
  },

  and: logical((a, b) => a && b),
  or: logical((a, b) => a || b),

  cumOps(name: RunningName, options: InPlace): Series | undefined {
    const made = mapNumbers(this, (numbers) => runningOf(numbers, name))
    return result(this, made, options)
  },
})

repairBoth({
  abs(options?: InPlace): DataFrame | Series | undefined {
    checkNumbers(this, sentence`absolute value`)
    const made = mapNumbers(this, (numbers) => numbers.abs())
    return result(this, made, options)
  },
})

repair(Utils.prototype, { round: rounded })
