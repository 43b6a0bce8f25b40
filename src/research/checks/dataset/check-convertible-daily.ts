import type { Table } from 'apache-arrow'
import { parseCode } from '../../../contract/symbol.js'
import { dictionary, has, numbers, strings } from '../../../frame/read-columns.js'
import { fails, leavesOpen, passes } from '../check.js'
import { labelColumn, numberColumn } from '../check-columns.js'
import { decimalToNumber, exactDifference, percentOver, quotientHalfUp, toDecimal } from '../exact/decimal.js'
import { usualPlaces } from '../exact/precision.js'
import { isDifference, isPercentChange, placesIn } from '../exact/rounding-tests.js'
import {
  type CellsOf,
  cellsByRow,
  duplicate,
  finding,
  gap,
  mismatch,
  type RowFinding,
  rowCheck,
  unverifiable,
  warn,
} from '../row-findings.js'
import { namePairs } from './check-theme-daily.js'
import { type Before, countNoun, daysInside, rowsBefore } from './earlier-rows.js'

/**
 * Price limits of convertible bonds on both exchanges, in percent of the previous close; 100 yuan on the first day.
 * Source: implementing rules for trading in convertible corporate bonds, Shanghai and Shenzhen, published 2022-07-29, in
 * force since 2022-08-01. Before that day there was no limit.
 */
const since = '20220801'
const usual = { up: 1200n, down: 800n }
const firstDay = { up: 1573n, down: 567n }
/** Issue price, which is the previous close of a bond's first day. */
const issuePrice = 100

interface Limits {
  readonly up: number
  readonly down: number
  readonly first: boolean
}

/** previous close x thousandths, ROUND_HALF_UP to the tick of 0.001 yuan. */
function limit(previous: number, thousandths: bigint): number {
  const { digits, scale } = toDecimal(previous)
  return decimalToNumber(quotientHalfUp(digits * thousandths, 10n ** BigInt(scale)), 3)
}

/**
 * The limits of a bond's day in yuan; undefined before there were any.
 * @param first whether no earlier row of the bond is known; its first day is one with a previous close of 100 as well
 */
export function bondLimits(date: string, previous: number, first: boolean): Limits | undefined {
  if (date < since || !(previous > 0) || !Number.isFinite(previous)) return undefined
  const listed = first && previous === issuePrice
  const { up, down } = listed ? firstDay : usual
  return { up: limit(previous, up), down: limit(previous, down), first: listed }
}

type Verdict = 'pass' | 'unverifiable' | 'gap' | 'warn' | 'duplicate' | 'mismatch'
type Found = RowFinding<Verdict>

const names = ['pre_close', 'open', 'high', 'low', 'close', 'change', 'pct_chg', 'vol', 'amount'] as const
type Cells = CellsOf<(typeof names)[number], 'tradedate'>
const prices = ['open', 'high', 'low', 'close'] as const

interface Places {
  readonly change: number
  readonly percent: number
}

function* changeRules(row: number, cells: Cells, places: Places): Iterable<Found> {
  const { close, pre_close, change, pct_chg } = cells
  if (!(close > 0) || !(pre_close > 0) || !Number.isFinite(close - pre_close)) return
  if (!Number.isNaN(change) && !isDifference(change, close, pre_close, placesIn(change, places.change))) {
    const due = exactDifference(close, pre_close)
    yield mismatch(row, 'change', 'change is not close - pre_close', change, due)
  }
  const decimals = placesIn(pct_chg, places.percent)
  if (!Number.isNaN(pct_chg) && !isPercentChange(pct_chg, close, pre_close, decimals)) {
    const due = percentOver(close, pre_close, decimals)
    yield mismatch(row, 'pct_chg', 'pct_chg is not change / pre_close x 100', pct_chg, due)
  }
}

/** A 0 in the place of a price is none, and left to the rule of signs. */
function* rangeRules(row: number, cells: Cells): Iterable<Found> {
  const [high, low] = [cells.high || Number.NaN, cells.low || Number.NaN]
  if (high < low) {
    yield mismatch(row, 'range', 'high is below low', high, low)
    return
  }
  for (const name of ['open', 'close'] as const) {
    const price = cells[name] || Number.NaN
    if (price > high) {
      yield mismatch(row, 'range', `${name} is above high`, price, high)
    } else if (price < low) yield mismatch(row, 'range', `${name} is below low`, price, low)
  }
}

/** No price, volume or turnover below 0; 0 in the place of a price is a day without trade, or wrong. */
function* signRules(row: number, cells: Cells): Iterable<Found> {
  for (const name of ['pre_close', ...prices, 'vol', 'amount'] as const) {
    const value = cells[name]
    if (value < 0) {
      yield mismatch(row, 'sign', `${name} is below 0`, value)
    } else if (value === 0 && name !== 'vol' && name !== 'amount') {
      const idle = cells.vol === 0 && name !== 'pre_close'
      const why = idle ? `${name} is 0 on a day without trade` : `${name} is 0`
      yield finding(idle ? 'warn' : 'mismatch', row, 'sign', why, value)
    }
  }
}

/** Rows whose code and symbol are not those of one bond. */
function* codeFindings(table: Table): Iterable<Found> {
  if (!has(table, 'symbol')) return
  const [code, symbol] = [strings(table, 'code'), strings(table, 'symbol')]
  for (const [row, own] of code.entries()) {
    const number = symbol[row] ?? null
    if (own === null || number === null || parseCode(own).bare === number) continue
    yield mismatch(row, 'code', `symbol ${number} is not the number of ${own}`)
  }
}

/** What rounding a turnover can make up: a cent, or a whole yuan where it has no decimals. */
function slack(amount: number): number {
  return Number.isInteger(amount) ? 1 : 0.01
}

/**
 * The turnover of a day lies between its volume at the low and at the high; a lot is 10 bonds, and volume may be rounded
 * to whole lots either way. Deals outside the matching (negotiated ones) can be counted too, so this contradicts nothing.
 */
function* averageRule(row: number, { vol, amount, low, high }: Cells): Iterable<Found> {
  if (!(vol >= 0 && amount >= 0 && low > 0 && high >= low) || ![vol, amount, high].every(Number.isFinite)) return
  const [least, most] = [10 * low * Math.max(0, vol - 1), 10 * high * (vol + 1)]
  // 10^-12 of the terms is beyond what three operations on doubles leave.
  const margin = slack(amount) + 1e-12 * (most + amount)
  const outside = amount < least - margin || amount > most + margin
  if (!outside) return
  const why = 'amount / (vol x 10) lies outside low and high by more than a lot'
  yield warn(row, 'average price', why, amount, amount < least ? least : most)
}

function* limitRule(row: number, cells: Cells, first: boolean): Iterable<Found> {
  if (cells.high < 1.19 * cells.pre_close && cells.low > 0.81 * cells.pre_close) return
  const limits = bondLimits(cells.tradedate ?? '', cells.pre_close, first)
  if (!limits) return
  const told = limits.first ? '+57.3 / -43.3 % of a first day' : '20 %'
  for (const name of ['high', 'low', 'close'] as const) {
    const price = cells[name]
    if (!(price > 0) || (price <= limits.up && price >= limits.down)) continue
    const due = price > limits.up ? limits.up : limits.down
    yield warn(row, 'limit', `${name} is beyond the limit of ${told}`, price, due)
    return
  }
}

function* nullRule(row: number, cells: Cells): Iterable<Found> {
  const missing = names.filter((name) => Number.isNaN(cells[name]))
  if (missing.length === 0) return
  yield unverifiable(row, 'null', `null: ${missing.join(', ')}; the rest was checked`)
}

/** The latest day before a row on which the bond has a close; undefined where there is none. */
function closedBefore(days: readonly Cells[], before: Int32Array, row: number): Cells | undefined {
  let earlier = before[row] as number
  while (earlier >= 0 && !((days[earlier] as Cells).close > 0)) earlier = before[earlier] as number
  return days[earlier]
}

function* chainRule(one: Cells, earlier: Cells, inside: (from: string, to: string) => number): Iterable<Found> {
  const [given, due, from] = [one.pre_close, earlier.close, earlier.tradedate ?? '']
  if (!(given > 0) || given === due) return
  const days = inside(from, one.tradedate ?? '')
  const why = `pre_close is not the close of ${from}, the bond's row before`
  if (days === 0) yield mismatch(one.row, 'pre_close', why, given, due)
  else yield gap(one.row, 'pre_close', `${why}; ${countNoun(days, 'trading day')} between without a close`, given, due)
}

function* findings(table: Table, days: readonly Cells[], { row: before, twice }: Before): Iterable<Found> {
  yield* codeFindings(table)
  if (has(table, 'name')) yield* namePairs(strings(table, 'code'), strings(table, 'name'), strings(table, 'tradedate'))
  const inside = daysInside()
  const places = { change: usualPlaces(numbers(table, 'change')), percent: usualPlaces(numbers(table, 'pct_chg')) }
  for (const [row, cells] of days.entries()) {
    if (twice[row]) yield duplicate(row, 'key', 'the bond has two rows of this day')
    yield* signRules(row, cells)
    yield* changeRules(row, cells, places)
    yield* rangeRules(row, cells)
    yield* averageRule(row, cells)
    const earlier = closedBefore(days, before, row)
    if (earlier) yield* chainRule(cells, earlier, inside)
    yield* limitRule(row, cells, (before[row] as number) < 0)
    yield* nullRule(row, cells)
  }
}

/**
 * Daily quotes of convertible bonds against their own row and the bond's row before; prices are what was traded,
 * exact, and computed numbers may be rounded to the decimals that their column is published with, whichever way ties go.
 *
 * - change = close - pre_close, pct_chg = (close / pre_close - 1) x 100; low <= open, close <= high.
 * - no number below 0, no price of 0; amount between vol x 10 at the low and at the high, up to a lot either way.
 * - symbol is the number of code, where there is a column of it.
 * - pre_close = close of the bond's row before, across days on which it did not trade.
 * - high, low and close within 20 % of pre_close since 2022-08-01, +57.3 / -43.3 % on the first day at 100 yuan.
 */
export const convertibleDailyCheck = rowCheck<Verdict>({
  name: 'convertible day',
  summary: 'daily quotes of bonds: change, previous close, range, limits',
  chinese: '可转债日行情：涨跌、昨收、高低区间、涨跌停',
  dataset: 'convertible_daily',
  rule: "change and pct_chg are recomputed from close and pre_close, pre_close is compared with the bond's close before, open and close against low and high, amount against volume at those prices, and prices against the limit of 20 % (+57.3 / -43.3 % on a first day) since 2022-08-01.",
  verdicts: {
    pass: passes('Change, range, turnover and previous close agree, within the rounding of the published numbers.'),
    unverifiable: leavesOpen('A number is null; the rest of the row was checked.'),
    gap: leavesOpen("pre_close is not the bond's close before, and trading days between have no row of it."),
    warn: leavesOpen(
      'Beyond a price limit, an average price outside the range of the day (deals outside the matching can explain it), or 0 for a price on a day without trade.',
    ),
    duplicate: fails('The bond has two rows of the day.'),
    mismatch: fails('A number is not what the others give, or symbol and code are of two bonds.'),
  },
  confirmedAs: 'recomputed to the published decimals',
  read: (table) => {
    const [date, code] = [dictionary(table, 'tradedate'), dictionary(table, 'code')]
    const days = cellsByRow(table, names, ['tradedate'])
    const before = rowsBefore(code, date)
    const closed = Float64Array.from(days, (_, row) => closedBefore(days, before.row, row)?.close ?? Number.NaN)
    return {
      findings: findings(table, days, before),
      compares: true,
      columns: {
        tradedate: labelColumn('date', 'Trading day.', date),
        code: labelColumn('code', 'Bond code with exchange suffix.', code),
        before: numberColumn('yuan', 'Close of the bond before the day; null when the table has none.', closed),
        pre_close: numberColumn('yuan', 'Previous close as published.', numbers(table, 'pre_close')),
        close: numberColumn('yuan', 'Close, or latest price.', numbers(table, 'close')),
      },
    }
  },
})
