import type { Table } from 'apache-arrow'
import { isDate } from '../../../contract/date.js'
import { invalid } from '../../../contract/error.js'
import { checkOptions } from '../../../contract/options.js'
import { sentence } from '../../../contract/sentence.js'
import { asTable, isDataFrame } from '../../../frame/as-table.js'
import type { DataFrame } from '../../../frame/danfo-types.js'
import { has, numbers, strings } from '../../../frame/read-columns.js'
import { decimalToNumber, toDecimal } from '../../checks/exact/decimal.js'
import type { FlowUnit } from '../../checks/southbound/southbound-channels.js'

/**
 * Yuan for one Hong Kong dollar: one number for all days, a number by day (`{ '20260701': 0.912 }`), or a table with the
 * columns `trade_date` (or `tradedate`) and `rate`.
 */
export type Rate = number | Readonly<Record<string, number>> | Table | DataFrame

export interface UnitOptions {
  /**
   * What the amounts that were sent are counted in. The contract says yuan, which is the default; the exchange publishes
   * the same list in Hong Kong dollars, and who knows better says so here.
   */
  readonly unit?: FlowUnit
  /** Turns Hong Kong dollars into yuan; needs `unit: 'Hong Kong dollar'`. Nothing is converted without it. */
  readonly rate?: Rate
}

export interface Conversion {
  /** The unit of what comes out. */
  readonly unit: FlowUnit
  /** An amount of a day in that unit; NaN where the day has no rate. */
  readonly convert: (amount: number, day: string) => number
}

/** @throws QuotebookError INVALID_VALUE for a rate that is not above 0, and for a day that is no date: it would match none */
function checkedRate(rate: unknown, day?: string): number {
  if (day !== undefined && !isDate(day)) throw invalid(sentence`a day of the rates must be YYYYMMDD, not '${day}'`)
  if (typeof rate === 'number' && Number.isFinite(rate) && rate > 0) return rate
  const where = day === undefined ? '' : sentence` of ${day}`
  throw invalid(sentence`the rate${where} must be a number above 0, not ${String(rate)}`)
}

function ratesIn(input: Table | DataFrame): ReadonlyMap<string, number> {
  const table = asTable(input)
  const days = strings(table, has(table, 'trade_date') ? 'trade_date' : 'tradedate')
  const values = numbers(table, 'rate')
  const rates = new Map<string, number>()
  days.forEach((day, row) => {
    const value = values[row] as number
    if (day === null || Number.isNaN(value)) return
    const before = rates.get(day)
    if (before !== undefined && before !== value)
      throw invalid(sentence`the rates have both ${before} and ${value} for ${day}`)
    rates.set(day, checkedRate(value, day))
  })
  return rates
}

function isTable(rate: Rate): rate is Table | DataFrame {
  return typeof rate === 'object' && (isDataFrame(rate) || 'schema' in rate)
}

function rateOn(rate: Rate): (day: string) => number {
  if (typeof rate === 'number') {
    const one = checkedRate(rate)
    return () => one
  }
  if (typeof rate !== 'object' || rate === null) checkedRate(rate)
  const rates = isTable(rate)
    ? ratesIn(rate)
    : new Map(Object.entries(rate).map(([day, value]) => [day, checkedRate(value, day)]))
  return (day) => rates.get(day) ?? Number.NaN
}

/** The double nearest to the product of two decimals. */
function product(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.NaN
  const [x, y] = [toDecimal(a), toDecimal(b)]
  return decimalToNumber(x.digits * y.digits, x.scale + y.scale)
}

/**
 * How amounts are counted, and turned.
 * @throws QuotebookError INVALID_VALUE for an unknown unit, a rate that is not above 0, and a rate for amounts in yuan
 */
export function conversionOf(options: UnitOptions, caller: string): Conversion {
  const { unit = 'yuan', rate } = checkOptions(options, { unit: 'any', rate: 'any' }, caller)
  if (unit !== 'yuan' && unit !== 'Hong Kong dollar')
    throw invalid(sentence`unit must be 'yuan' or 'Hong Kong dollar', not '${String(unit)}'`)
  if (rate === undefined) return { unit, convert: (amount) => amount }
  if (unit === 'yuan') {
    const right = sentence`say unit: 'Hong Kong dollar' where the amounts that were sent are, or leave the rate out`
    throw invalid(sentence`a rate turns Hong Kong dollars into yuan, and these are yuan; ${right}`)
  }
  const of = rateOn(rate)
  return { unit: 'yuan', convert: (amount, day) => product(amount, of(day)) }
}
