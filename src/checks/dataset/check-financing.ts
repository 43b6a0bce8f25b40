import type { Table } from 'apache-arrow'
import type { Data } from '../../frame/data.js'
import { numbers, words } from '../../frame/read-columns.js'
import { type CheckResult, fails, leavesOpen, passes } from '../check.js'
import { labelColumn, numberColumn } from '../check-columns.js'
import { exactDifference, sumDecimals, toDecimal } from '../exact/decimal.js'
import { duplicate, mismatch, type RowFinding, rowCheck, unverifiable } from '../row-findings.js'
import { countNoun, daysInside, rowsBefore } from './earlier-rows.js'

/** What `checkFinancing` says of a row; its documentation explains each word. */
export type FinancingVerdict = 'pass' | 'unverifiable' | 'gap' | 'warn' | 'duplicate' | 'mismatch'
type Found = RowFinding<FinancingVerdict>

const names = ['opening_balance', 'auction_amount', 'reborrow_amount', 'repayment_amount', 'closing_balance'] as const

interface Rows {
  readonly date: readonly string[]
  readonly columns: readonly Float64Array[]
  readonly opening: Float64Array
  readonly closing: Float64Array
  /** opening + auction + reborrow - repayment, where a null flow adds nothing; NaN without an opening balance. */
  readonly due: Float64Array
  /** Power of ten in which every amount is published. */
  readonly step: number
}

/** The largest power of ten that every amount is a multiple of, as its exponent; 0 when there are none. */
function commonStep(columns: readonly Float64Array[]): number {
  let least = Number.POSITIVE_INFINITY
  for (const column of columns) {
    for (const x of column) {
      if (!Number.isFinite(x) || x === 0) continue
      const { digits, scale } = toDecimal(x)
      const zeros = /0*$/.exec(String(digits))?.[0].length ?? 0
      least = Math.min(least, zeros - scale)
    }
  }
  return Number.isFinite(least) ? least : 0
}

function read(table: Table): Rows {
  const columns = names.map((name) => numbers(table, name))
  const [opening, auction, reborrow, repayment, closing] = columns as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  const flow = (x: number | undefined): number => (x === undefined || Number.isNaN(x) ? 0 : x)
  const due = opening.map((start, row) =>
    sumDecimals([start, flow(auction[row]), flow(reborrow[row]), -flow(repayment[row])]),
  )
  const { codes, words: all } = words(table, 'tradedate')
  const date = Array.from(codes, (code) => all[code] ?? '')
  return { date, columns, opening, closing, due, step: commonStep(columns) }
}

function* ownRules({ columns, opening, closing, due, step }: Rows, row: number): Iterable<Found> {
  for (const [at, name] of names.entries()) {
    const value = columns[at]?.[row] as number
    if (value < 0) yield mismatch(row, 'sign', `${name} is below 0`, value)
  }
  const [start, end, sum] = [opening[row] as number, closing[row] as number, due[row] as number]
  const missing = [Number.isNaN(start) && 'opening_balance', Number.isNaN(end) && 'closing_balance'].filter(Boolean)
  if (missing.length > 0) {
    yield unverifiable(row, 'sum', `${missing.join(' and ')} null`)
    return
  }
  const off = exactDifference(end, sum)
  if (off === 0) return
  const compared = { row, rule: 'sum', given: end, due: sum }
  if (Math.abs(off) <= 2.5 * 10 ** step) {
    const why = `closing_balance differs by no more than five numbers rounded to 1e${step} can`
    yield { ...compared, verdict: 'warn', why }
  } else {
    const why = 'closing_balance is not opening + auction + reborrow - repayment'
    yield { ...compared, verdict: 'mismatch', why }
  }
}

function* findings(rows: Rows, before: Int32Array, twice: Uint8Array): Iterable<Found> {
  const inside = daysInside()
  const { date, opening, closing } = rows
  for (let row = 0; row < date.length; row++) {
    if (twice[row]) yield duplicate(row, 'key', `${date[row]} stands there twice`)
    yield* ownRules(rows, row)
    const earlier = before[row] as number
    if (earlier < 0) continue
    const [start, end] = [opening[row] as number, closing[earlier] as number]
    if (Number.isNaN(end)) {
      yield unverifiable(row, 'chain', `closing_balance of ${date[earlier]}, the record before, is null`)
    }
    if (Number.isNaN(start) || Number.isNaN(end) || start === end) continue
    const days = inside(date[earlier] as string, date[row] as string)
    const why = `opening_balance is not the closing_balance of ${date[earlier]}, the record before`
    const compared = { row, rule: 'chain', given: start, due: end }
    if (days === 0) yield { ...compared, verdict: 'mismatch', why }
    else
      yield { ...compared, verdict: 'gap', why: `${why}; ${countNoun(days, 'trading day')} between without a record` }
  }
}

export const financingCheck = rowCheck<FinancingVerdict>({
  name: 'financing',
  summary: 'balances of refinancing against what moved them',
  chinese: '转融资余额对照其变动',
  dataset: 'transfer_financing',
  rule: 'Opening balance + auction + re-borrowing - repayment must be the closing balance, to the last decimal, and a day must open with the balance at which the record before it closed. A null flow adds nothing.',
  verdicts: {
    pass: passes('The balances follow from one another to the last decimal.'),
    unverifiable: leavesOpen('A balance is null, so nothing can be recomputed.'),
    gap: leavesOpen(
      'Opens with another balance than the record before closed with; the trading days between have no record.',
    ),
    warn: leavesOpen('The sum differs by no more than the rounding of its five numbers can give.'),
    duplicate: fails('The day stands there twice.'),
    mismatch: fails('The balances do not follow from one another, or an amount is below 0.'),
  },
  confirmedAs: 'recomputed to the same balance',
  read: (table) => {
    const rows = read(table)
    const date = words(table, 'tradedate')
    const everything = { codes: new Int32Array(date.codes.length), words: [''] }
    const { row: before, twice } = rowsBefore(everything, date)
    const { opening, closing } = rows
    const closedBefore = Float64Array.from(before, (row) => (row < 0 ? Number.NaN : (closing[row] as number)))
    return {
      findings: findings(rows, before, twice),
      compares: true,
      columns: {
        tradedate: labelColumn('date', 'Trading day.', date),
        opening_balance: numberColumn('yuan', 'Balance at the start of the day as published.', opening),
        before: numberColumn('yuan', 'closing_balance of the record before; null when there is none.', closedBefore),
        closing_balance: numberColumn('yuan', 'Balance at the end of the day as published.', closing),
        sum: numberColumn('yuan', 'opening + auction + reborrow - repayment, a null flow adding nothing.', rows.due),
      },
    }
  },
})

/**
 * Holds the days of transfer_financing against their sums, compared as the decimals that were sent, in any unit.
 *
 * - closing = opening + auction + reborrow - repayment; a null flow is no amount and adds nothing.
 * - opening = closing of the record before, also where trading days without a record lie between (not every day has one).
 * - no amount is below 0, one record a day.
 *
 * - `pass`: all of these, as far as the table reaches: its first record has no day before it.
 * - `unverifiable`: opening or closing balance of the day, or the closing balance before, is null. Null is never 0.
 * - `gap`: opens with another balance than the record before closed with, and trading days between have no record.
 * - `warn`: the sum differs, by no more than the rounding of five numbers to the power of ten in which all of them are
 *   published can give.
 * - `duplicate`: a second record of one day. `mismatch`: none of these explains it.
 * @throws QuotebookError MISSING_COLUMN
 */
export function checkFinancing(input: Data): CheckResult<FinancingVerdict> {
  return financingCheck.check(input)
}
