import { sentence } from '../../contract/sentence.js'
import { fillArray, freshFloats } from '../table/fresh-array.js'
import { checkLengths, type Numbers, toFloats, wholeNumber } from './array-statistics.js'
import { type Comparable, type FlagArray, flagArray, methodsBy } from './cell-array.js'

/** One number for all rows, or one for each; NaN and null are missing. */
export type NumberOperand = number | Numbers

/**
 * A column of numbers, NaN for missing: a Float64Array that computes row by row:
 * `close.minus(pre_close).over(pre_close)`. The other side is a number, or one for each row; `least` and `greatest`
 * take one of the two, `orElse` the other if this is missing. The result is missing if either side is, and if there is
 * no answer (0 over 0, the logarithm of -1); any other number over 0 is infinite.
 */
export interface NumberArray extends Float64Array, Comparable<NumberOperand> {
  /** The sum. */
  plus(other: NumberOperand): NumberArray
  /** This less the other. */
  minus(other: NumberOperand): NumberArray
  /** The product. */
  times(other: NumberOperand): NumberArray
  /** This divided by the other. */
  over(other: NumberOperand): NumberArray
  /** What the division leaves, with the sign of the other, as in pandas. */
  mod(other: NumberOperand): NumberArray
  /** The smaller of the two. */
  least(other: NumberOperand): NumberArray
  /** The larger of the two. */
  greatest(other: NumberOperand): NumberArray
  /** With the other sign. */
  neg(): NumberArray
  /** Without its sign. */
  abs(): NumberArray
  /** Natural logarithm; missing below 0. */
  log(): NumberArray
  /** e to its power. */
  exp(): NumberArray
  /** Square root; missing below 0. */
  sqrt(): NumberArray
  /** To so many decimals (0) of the number as it prints, halves away from zero: 1.005 to 2 is 1.01. pandas takes binary halves to even. */
  round(decimals?: number): NumberArray
  /** The number so many rows (1) earlier; missing if there is none. */
  lag(rows?: number): NumberArray
  /** The number so many rows (1) later; missing if there is none. */
  lead(rows?: number): NumberArray
  /** True if it is NaN. Never missing itself. */
  isMissing(): FlagArray
  /** The other if this is missing. */
  orElse(other: NumberOperand): NumberArray
}

class ComputingArray extends Float64Array {}

/** The same numbers, in the same memory, with methods. */
export function numberArray(x: Float64Array): NumberArray {
  return new ComputingArray(x.buffer as ArrayBuffer, x.byteOffset, x.length) as Float64Array as NumberArray
}

/** The other side of an operation; what belongs to a row is at `row * step`. @throws QuotebookError USAGE, INVALID_VALUE */
export function otherNumbers(other: NumberOperand, own: ArrayLike<unknown>): readonly [Float64Array, 0 | 1] {
  if (typeof other === 'number') return [Float64Array.of(other), 0]
  const numbers = toFloats(other, sentence`an operand`)
  checkLengths(own, numbers, 'operands')
  return [numbers, 1]
}

type Loop = (x: Float64Array, y: Float64Array, step: 0 | 1, out: Float64Array) => void

const computeBy =
  (loop: Loop) =>
  (own: Float64Array, other: NumberOperand): NumberArray => {
    const out = numberArray(freshFloats(own.length))
    loop(toFloats(own, sentence`an operand`), ...otherNumbers(other, own), out)
    return out
  }

/* Plain arithmetic has loops of its own, which take a fraction of the time of calls. */
const plus = computeBy((x, y, step, out) => {
  for (let row = 0; row < out.length; row++) out[row] = (x[row] as number) + (y[row * step] as number)
})
const minus = computeBy((x, y, step, out) => {
  for (let row = 0; row < out.length; row++) out[row] = (x[row] as number) - (y[row * step] as number)
})
const times = computeBy((x, y, step, out) => {
  for (let row = 0; row < out.length; row++) out[row] = (x[row] as number) * (y[row * step] as number)
})
const over = computeBy((x, y, step, out) => {
  for (let row = 0; row < out.length; row++) out[row] = (x[row] as number) / (y[row * step] as number)
})

/** An operation row by row. */
export const cellwise = (
  make: (a: number, b: number) => number,
): ((own: Float64Array, other: NumberOperand) => NumberArray) =>
  computeBy((x, y, step, out) => {
    for (let row = 0; row < out.length; row++) out[row] = make(x[row] as number, y[row * step] as number)
  })

const single = (make: (a: number) => number) => (own: Float64Array) => cellwise(make)(own, 0)

/** Compared without a branch, which a processor would guess wrong: a number is missing where it is not equal to itself. */
type Comparison = (x: Float64Array, y: Float64Array, stepX: 0 | 1, stepY: 0 | 1, out: Int8Array) => void

const less: Comparison = (x, y, stepX, stepY, out) => {
  for (let row = 0; row < out.length; row++) {
    const a = x[row * stepX] as number
    const b = y[row * stepY] as number
    out[row] = Number(a < b) - (Number(Number.isNaN(a)) | Number(Number.isNaN(b)))
  }
}
const lessOrEqual: Comparison = (x, y, stepX, stepY, out) => {
  for (let row = 0; row < out.length; row++) {
    const a = x[row * stepX] as number
    const b = y[row * stepY] as number
    out[row] = Number(a <= b) - (Number(Number.isNaN(a)) | Number(Number.isNaN(b)))
  }
}
const equal: Comparison = (x, y, stepX, stepY, out) => {
  for (let row = 0; row < out.length; row++) {
    const a = x[row * stepX] as number
    const b = y[row * stepY] as number
    out[row] = Number(a === b) - (Number(Number.isNaN(a)) | Number(Number.isNaN(b)))
  }
}

const compareBy =
  (compare: Comparison, isSwapped = false) =>
  (own: Float64Array, other: NumberOperand): FlagArray => {
    const [[x], [y, step]] = [otherNumbers(own, own), otherNumbers(other, own)]
    const out = new Int8Array(own.length)
    if (isSwapped) compare(y, x, step, 1, out)
    else compare(x, y, 1, step, out)
    return flagArray(out)
  }

/** The decimal that a number prints as, its point moved. */
function movePoint(x: number, places: number): number {
  const [digits, exponent = '0'] = String(x).split('e')
  return Number(`${digits}e${Number(exponent) + places}`)
}

function rounding(places: number): (x: number) => number {
  const power = 10 ** places
  return (x) => {
    const scaled = Math.abs(x) * power
    if (!(scaled < 2 ** 53)) return x
    const nearHalf = Math.abs(scaled - Math.floor(scaled) - 0.5) <= scaled * 2 ** -51
    const whole = Math.round(nearHalf ? movePoint(Math.abs(x), places) : scaled)
    return Math.sign(x) * (places > 22 ? movePoint(whole, -places) : whole / power)
  }
}

/** The numbers `rows` earlier (later when negative); NaN where there are none. */
export function lagged(x: Float64Array, rows: number, what: string): NumberArray {
  const by = wholeNumber(rows, Number.NEGATIVE_INFINITY, what)
  const out = numberArray(new Float64Array(x.length).fill(Number.NaN))
  if (by >= 0) out.set(x.subarray(0, Math.max(x.length - by, 0)), Math.min(by, x.length))
  else out.set(x.subarray(-by))
  return out
}

const methods = methodsBy<Float64Array>({
  lt: compareBy(less),
  le: compareBy(lessOrEqual),
  gt: compareBy(less, true),
  ge: compareBy(lessOrEqual, true),
  eq: compareBy(equal),
  ne: (own, other) => compareBy(equal)(own, other).not(),
  ...{ plus, minus, times, over },
  mod: cellwise((a, b) => (a % b !== 0 && a % b < 0 !== b < 0 ? (a % b) + b : a % b)),
  least: cellwise(Math.min),
  greatest: cellwise(Math.max),
  orElse: cellwise((a, b) => (Number.isNaN(a) ? b : a)),
  neg: single((a) => -a),
  abs: single(Math.abs),
  log: single(Math.log),
  exp: single(Math.exp),
  sqrt: single(Math.sqrt),
  round: (own, decimals = 0 as never) => single(rounding(wholeNumber(decimals, 0, 'round: decimals')))(own),
  lag: (own, rows = 1 as never) => lagged(own, rows, 'lag: rows'),
  lead: (own, rows = 1 as never) => lagged(own, -rows, 'lead: rows'),
  isMissing: (own) => flagArray(fillArray(new Int8Array(own.length), (row) => Number(Number.isNaN(own[row])))),
})
Object.defineProperties(ComputingArray.prototype, methods)
