import { dayNumber, isDate } from '../../../contract/date.js'
import { invalid } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { described, namedIn, wrongShape } from '../../../frame/table/shape.js'
import { type Numbers, toFloats } from '../../../frame/verb/array-statistics.js'
import { isFlat } from './return-moments.js'

/** Returns with their days. 0.01 is one percent. Above 100, or 20 and more unequal ones that are all above 0.5, they are taken for an account's values and rejected. */
export interface DatedReturns {
  /** YYYYMMDD, ascending. */
  readonly days: readonly string[]
  readonly returns: Numbers
}

/** The value of an account at the close of each day, as the result of a backtest has it. */
export interface AccountCurve {
  /** YYYYMMDD, ascending. */
  readonly days: readonly string[]
  /** Above 0, in any money. */
  readonly equity: Numbers
  /** What there was before the first day, dated at it. A benchmark may do without: its returns then begin with the second day. */
  readonly start?: number | undefined
  /** Round trips; those whose `pnl` is missing are still open and do not count. */
  readonly trades?: readonly { readonly pnl?: number | null | undefined }[] | undefined
  /** Turnover as the account counts it; handed on. */
  readonly turnover?: number | undefined
}

/** What performance is measured of: returns, returns with days, or the curve of an account. */
export type PerformanceInput = Numbers | DatedReturns | AccountCurve

/** Returns r(1) … r(n), and the curve E(0) … E(n) that they make. */
export interface ReturnSeries {
  readonly returns: Float64Array
  /** One more than returns; the first is the start. */
  readonly curve: Float64Array
  readonly days: readonly string[] | undefined
}

function refuse(message: Words): never {
  throw invalid(message)
}

/** A finite number above `least`, or else an error that says what is right. */
export function numberAbove(least: number, given: number | undefined, what: Words): number {
  if (typeof given === 'number' && given > least && given < Infinity) return given
  return refuse(sentence`${what} must be a number above ${least}, not ${described(given)}`)
}

function checkDays(days: readonly string[], rows: number, what: Words): readonly string[] {
  if (days.length !== rows) refuse(sentence`${what}: there are ${days.length} days for ${rows} numbers`)
  days.forEach((day, at) => {
    if (!isDate(day)) refuse(sentence`${what}: a day must be YYYYMMDD, not ${described(day)}`)
    if (at > 0 && day <= (days[at - 1] as string))
      refuse(sentence`${what}: days must ascend; ${days[at - 1]} is before ${day}`)
  })
  return days
}

function checkedNumbers(given: Numbers, right: Words, what: Words, isRight: (x: number) => boolean): Float64Array {
  const numbers = toFloats(given, what)
  const wrong = numbers.findIndex((x) => !(Number.isFinite(x) && isRight(x)))
  if (wrong >= 0) refuse(sentence`${what}, row ${wrong + 1}: ${right}, not ${numbers[wrong]}`)
  return numbers
}

/** A hundredfold of what there was in one period, and what no series of returns exceeds every time: such numbers are values of an account. */
const mostReturn = 100
const everyReturn = 0.5

/** @throws QuotebookError INVALID_VALUE for numbers that are no returns but the values of an account */
function refuseEquity(returns: Float64Array, what: Words): void {
  const isCurve = returns.length >= 20 && !isFlat(returns) && returns.every((x) => x > everyReturn)
  const row = isCurve ? 0 : returns.findIndex((x) => x > mostReturn)
  if (row < 0 || returns.length === 0) return
  refuse(
    sentence`${what}, row ${row + 1}: ${returns[row]} would be a return of ${Math.round((returns[row] as number) * 100)} %; give the values of an account as { days, equity, start }, as a result of backtest has them`,
  )
}

function fromReturns(given: Numbers, days: readonly string[] | undefined, what: Words): ReturnSeries {
  const right = sentence`a return is a number of at least -1`
  const returns = checkedNumbers(given, right, sentence`${what}: returns`, (x) => x >= -1)
  refuseEquity(returns, sentence`${what}: returns`)
  const curve = new Float64Array(returns.length + 1).fill(1)
  for (let t = 0; t < returns.length; t++) curve[t + 1] = (curve[t] as number) * (1 + (returns[t] as number))
  return { returns, curve, days: days && checkDays(days, returns.length, what) }
}

/** @throws QuotebookError INVALID_VALUE for missing numbers, returns below -1, equity that is not above 0, days that do not ascend */
export function returnSeries(input: PerformanceInput, what: Words, needsStart = true): ReturnSeries {
  if (Array.isArray(input) || ArrayBuffer.isView(input)) return fromReturns(input as Numbers, undefined, what)
  const right = sentence`returns, { days, returns } or { days, equity, start }`
  const given = namedIn(input as DatedReturns | AccountCurve, what, right)
  if (!Array.isArray(given.days) || !('returns' in given || 'equity' in given)) throw wrongShape(what, right, input)
  if (!('equity' in given)) return fromReturns(given.returns, given.days, what)
  const above = sentence`equity is a number above 0`
  const equity = checkedNumbers(given.equity, above, sentence`${what}: equity`, (x) => x > 0)
  const isKnown = needsStart || given.start !== undefined
  const start = isKnown ? numberAbove(0, given.start, sentence`${what}: start`) : Number.NaN
  const curve = Float64Array.of(start, ...equity)
  const returns = equity.map((value, t) => value / (curve[t] as number) - 1)
  return { returns, curve, days: checkDays(given.days, equity.length, what) }
}

/** Calendar days from the start, which is dated at the first day, to the last day; NaN without days. */
export function calendarDays({ days }: ReturnSeries, from = 0, to = days?.length ?? 0): number {
  const [first, last] = [days?.[Math.max(from, 1) - 1], days?.[Math.max(to, 1) - 1]]
  return first === undefined || last === undefined ? Number.NaN : dayNumber(last) - dayNumber(first)
}

/**
 * Returns of a benchmark on the days of a series: from one day of the series to its next, compounded over days in between.
 * NaN on the first day where the benchmark has no value before it.
 * @throws QuotebookError INVALID_VALUE when lengths differ or days of the series are missing; they are named
 */
export function benchmarkOn(series: ReturnSeries, benchmark: PerformanceInput, what: string): Float64Array {
  const other = returnSeries(benchmark, sentence`${what}: benchmark`, false)
  const { returns, curve, days } = other
  if (!days) {
    if (returns.length === series.returns.length) return returns
    refuse(sentence`${what}: the benchmark has ${returns.length} returns for ${series.returns.length}`)
  }
  const own = series.days ?? refuse(sentence`${what}: a benchmark with days needs returns with days`)
  const place = new Map(days.map((day, at) => [day, at]))
  const missing = own.filter((day) => !place.has(day))
  if (missing.length > 0) {
    const more = missing.length > 10 ? sentence` and ${missing.length - 10} more` : ''
    refuse(sentence`${what}: the benchmark has no ${missing.slice(0, 10).join(', ')}${more}`)
  }
  return Float64Array.from(own, (day, t) => {
    const at = place.get(day) as number
    const last = t === 0 ? at - 1 : (place.get(own[t - 1] as string) as number)
    return last === at - 1 ? (returns[at] as number) : (curve[at + 1] as number) / (curve[last + 1] as number) - 1
  })
}
