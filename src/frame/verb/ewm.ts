import { QuotebookError } from '../../contract/error.js'
import { checkOptions, type OptionKinds } from '../../contract/options.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { freshFloats } from '../table/fresh-array.js'
import { checkKnown, described } from '../table/shape.js'
import { type Numbers, toFloats, wholeNumber } from './array-statistics.js'
import { type NumberArray, numberArray } from './number-array.js'

/** How fast weights decay, in rows, by one of four names: alpha = 2 / (span + 1) = 1 / (com + 1) = 1 - 0.5 ^ (1 / halflife). */
export type Decay =
  | { readonly span: number }
  | { readonly halflife: number }
  | { readonly alpha: number }
  | { readonly com: number }

/** Options of `ewm`: the decay, and what pandas calls adjust, ignore_na and min_periods. */
export type EwmOptions = Decay & {
  /** Weights are divided by the sum of those that there are (default); false: the recurrence old + alpha (new - old). */
  readonly adjust?: boolean
  /** True: a missing number does not make those before it older. Default false. */
  readonly ignoreMissing?: boolean
  /** Fewer numbers than this up to a row give a missing result. Default 1. */
  readonly minPeriods?: number
}

/** What `ewm` makes of the weighted numbers. */
export type EwmOperation = 'mean' | 'std' | 'var'

const rules: Readonly<
  Record<string, { readonly right: Words; fits(value: number): boolean; com(value: number): number }>
> = {
  span: { right: sentence`at least 1`, fits: (value) => value >= 1, com: (span) => (span - 1) / 2 },
  halflife: {
    right: sentence`greater than 0`,
    fits: (value) => value > 0,
    com: (halflife) => 1 / (1 - Math.exp(Math.log(0.5) / halflife)) - 1,
  },
  alpha: {
    right: sentence`greater than 0, at most 1`,
    fits: (value) => value > 0 && value <= 1,
    com: (a) => (1 - a) / a,
  },
  com: { right: sentence`at least 0`, fits: (value) => value >= 0, com: (com) => com },
}

const ewmOptions: OptionKinds<EwmOptions> = {
  span: 'any',
  halflife: 'any',
  alpha: 'any',
  com: 'any',
  adjust: 'true or false',
  ignoreMissing: 'true or false',
  minPeriods: 'any',
}

function alphaOf(options: Readonly<Record<string, unknown>>): number {
  const [name, ...more] = Object.keys(rules).filter((known) => options[known] !== undefined)
  const rule = name === undefined ? undefined : rules[name]
  if (name === undefined || !rule || more.length > 0)
    throw new QuotebookError(
      'INVALID_VALUE',
      sentence`ewm needs one of span, halflife, alpha and com, such as { span: 12 }`,
    )
  const value = options[name]
  if (typeof value !== 'number' || !Number.isFinite(value) || !rule.fits(value))
    throw new QuotebookError('INVALID_VALUE', sentence`ewm: ${name} must be ${rule.right}, not ${described(value)}`)
  return 1 / (1 + rule.com(value))
}

interface Weights {
  readonly alpha: number
  readonly adjust: boolean
  readonly ignoreMissing: boolean
  readonly least: number
}

type Standing = Record<'there' | 'mean' | 'old', number>

/** Rows at a time: their loop is a function of its own, which the engine compiles as a whole with its numbers unboxed. */
const block = 4096

/** Means row by row, in the steps of pandas, so that results are the same to the last bit. */
function weightedMeans(x: Float64Array, weights: Weights): Float64Array {
  const out = freshFloats(x.length)
  const standing = { there: 0, mean: Number.NaN, old: 1 }
  for (let from = 0; from < x.length; from += block) putMeans(x, out, from, weights, standing)
  return out
}

/** The means of a block, from where those before it stand: how many numbers there were, their mean and its weight. */
function putMeans(x: Float64Array, out: Float64Array, from: number, weights: Weights, standing: Standing): void {
  const { alpha, adjust, ignoreMissing, least } = weights
  const [decay, fresh] = [1 - alpha, adjust ? 1 : alpha]
  let { there, mean, old } = standing
  for (let row = from; row < Math.min(from + block, x.length); row++) {
    const value = x[row] as number
    const present = Number.isFinite(value)
    if (there > 0 && (present || !ignoreMissing)) old *= decay
    if (present) {
      if (there === 0) mean = value
      else {
        if (mean !== value) mean = (old * mean + fresh * value) / (old + fresh)
        old = adjust ? old + fresh : 1
      }
      there++
    }
    out[row] = there < least ? Number.NaN : mean
  }
  Object.assign(standing, { there, mean, old })
}

/** Variances row by row, in the steps of pandas. */
function weightedVariances(x: Float64Array, { alpha, adjust, ignoreMissing, least }: Weights): Float64Array {
  const [decay, fresh] = [1 - alpha, adjust ? 1 : alpha]
  const out = new Float64Array(x.length).fill(Number.NaN)
  let [there, mean, spread] = [0, Number.NaN, 0]
  let [old, sum, squares] = [1, 1, 1]
  for (let row = 0; row < x.length; row++) {
    const value = x[row] as number
    const present = Number.isFinite(value)
    if (present) there++
    if (there > (present ? 1 : 0) && (present || !ignoreMissing)) {
      old *= decay
      sum *= decay
      squares *= decay * decay
    }
    if (present && there === 1) mean = value
    else if (present) {
      const before = mean
      if (mean !== value) mean = (old * mean + fresh * value) / (old + fresh)
      const [moved, off] = [before - mean, value - mean]
      spread = (old * (spread + moved * moved) + fresh * (off * off)) / (old + fresh)
      const all = old + fresh
      const unit = adjust ? 1 : all
      sum = (sum + fresh) / unit
      squares = (squares + fresh * fresh) / (unit * unit)
      old = adjust ? all : 1
    }
    if (there < least) continue
    const freedom = sum * sum - squares
    if (freedom > 0) out[row] = ((sum * sum) / freedom) * spread
  }
  return out
}

/**
 * Computes the exponentially weighted mean, or the unbiased standard deviation or variance, of the numbers up to each
 * row, like pandas' `ewm`: `ewm(bars.close, { span: 12 }, 'mean')`. Returns a new array of the same length.
 *
 * At a missing number the last result is repeated, and earlier numbers grow older unless `ignoreMissing`; infinite
 * numbers count as missing, as in pandas. NaN below `minPeriods` numbers; `std` and `var` of one number are NaN.
 * @throws QuotebookError INVALID_VALUE for no decay or two, one out of its range, and another operation
 */
export function ewm(x: Numbers, options: EwmOptions, operation: EwmOperation): NumberArray {
  const { adjust = true, ignoreMissing = false, minPeriods = 1 } = checkOptions(options, ewmOptions, 'ewm')
  const alpha = alphaOf(options as Readonly<Record<string, unknown>>)
  const least = wholeNumber(minPeriods, 0, 'ewm: minPeriods')
  checkKnown(operation, ['mean', 'std', 'var'], sentence`ewm: unknown operation`)
  const own = toFloats(x, 'ewm')
  const weights = { alpha, adjust, ignoreMissing, least: Math.max(least, 1) }
  const made = operation === 'mean' ? weightedMeans(own, weights) : weightedVariances(own, weights)
  return numberArray(operation === 'std' ? made.map(Math.sqrt) : made)
}
