import { dictionary, numbers } from '../../../frame/read-columns.js'
import { fails, leavesOpen, passes } from '../check.js'
import { labelColumn, numberColumn } from '../check-columns.js'
import { exactDifference, sumDecimals, toDecimal } from '../exact/decimal.js'
import { brokenLaws, type CellsOf, cellsByRow, type Law, rowCheck } from '../row-findings.js'
import { countNoun, daysInside, rowsBefore } from './earlier-rows.js'

type Verdict = 'pass' | 'unverifiable' | 'gap' | 'warn' | 'duplicate' | 'mismatch'

const names = ['opening_balance', 'auction_amount', 'reborrow_amount', 'repayment_amount', 'closing_balance'] as const
type Day = CellsOf<(typeof names)[number], 'tradedate'>

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

/** opening + auction + reborrow - repayment, where a null flow adds nothing; NaN without an opening balance. */
function sumOf({ opening_balance: start, auction_amount, reborrow_amount, repayment_amount }: Day): number {
  const flow = (x: number): number => (Number.isNaN(x) ? 0 : x)
  return sumDecimals([start, flow(auction_amount), flow(reborrow_amount), -flow(repayment_amount)])
}

/** @param step power of ten in which every amount is published */
function wrongSum(one: Day, step: number) {
  const [given, due] = [one.closing_balance, sumOf(one)]
  const off = exactDifference(given, due)
  if (Number.isNaN(off) || off === 0) return false
  const isRounding = Math.abs(off) <= 2.5 * 10 ** step
  const why = isRounding
    ? `closing_balance differs by no more than five numbers rounded to 1e${step} can`
    : 'closing_balance is not opening + auction + reborrow - repayment'
  return { why, given, due, verdict: isRounding ? 'warn' : 'mismatch' } as const
}

function lawsOf(days: readonly Day[], step: number, { row: before, twice }: ReturnType<typeof rowsBefore>) {
  const inside = daysInside()
  const earlierOf = ({ row }: Day): Day | undefined => days[before[row] as number]
  const wrongChain = (one: Day, earlier: Day) => {
    const [given, due] = [one.opening_balance, earlier.closing_balance]
    if (Number.isNaN(given) || Number.isNaN(due) || given === due) return false
    const gap = inside(String(earlier.tradedate), String(one.tradedate))
    const why = `opening_balance is not the closing_balance of ${earlier.tradedate}, the record before`
    if (gap === 0) return { why, given, due }
    const between = `${why}; ${countNoun(gap, 'trading day')} between without a record`
    return { why: between, given, due, verdict: 'gap' } as const
  }
  const laws: readonly Law<Day, Verdict>[] = [
    {
      rule: 'key',
      verdict: 'duplicate',
      broken: (one) => twice[one.row] === 1 && `${one.tradedate} is a duplicate`,
    },
    {
      rule: 'sign',
      verdict: 'mismatch',
      broken: (one) => names.map((name) => one[name] < 0 && { why: `${name} is below 0`, given: one[name] }),
    },
    {
      rule: 'sum',
      verdict: 'unverifiable',
      broken: (one) => {
        const missing = (['opening_balance', 'closing_balance'] as const).filter((name) => Number.isNaN(one[name]))
        return missing.length > 0 && `${missing.join(' and ')} null`
      },
    },
    { rule: 'sum', verdict: 'mismatch', broken: (one) => wrongSum(one, step) },
    {
      rule: 'chain',
      verdict: 'unverifiable',
      broken: (one) => {
        const earlier = earlierOf(one)
        if (!earlier || !Number.isNaN(earlier.closing_balance)) return false
        return `closing_balance of ${earlier.tradedate}, the record before, is null`
      },
    },
    {
      rule: 'chain',
      verdict: 'mismatch',
      broken: (one) => {
        const earlier = earlierOf(one)
        return earlier !== undefined && wrongChain(one, earlier)
      },
    },
  ]
  return laws
}

/**
 * The days of transfer_financing against their sums, compared as the decimals that were sent, in any unit.
 *
 * - closing = opening + auction + reborrow - repayment; a null flow is no amount and adds nothing.
 * - opening = closing of the record before, also where trading days without a record lie between (not every day has one).
 * - no amount is below 0, one record a day.
 */
export const financingCheck = rowCheck<Verdict>({
  name: 'financing',
  summary: 'balances of refinancing against what moved them',
  chinese: '转融资：余额与发生额是否衔接',
  dataset: 'transfer_financing',
  rule: 'Opening balance + auction + re-borrowing - repayment must be the closing balance, to the last decimal, and a day must open with the balance at which the record before it closed. A null flow adds nothing.',
  verdicts: {
    pass: passes('The balances follow from one another to the last decimal.'),
    unverifiable: leavesOpen('A balance is null, so nothing can be recomputed.'),
    gap: leavesOpen(
      'Opens with another balance than the record before closed with; the trading days between have no record.',
    ),
    warn: leavesOpen('The sum differs by no more than the rounding of its five numbers can give.'),
    duplicate: fails('The day is a duplicate.'),
    mismatch: fails('The balances do not follow from one another, or an amount is below 0.'),
  },
  confirmedAs: 'recomputed to the same balance',
  read: (table) => {
    const days = cellsByRow(table, names, ['tradedate'])
    const date = dictionary(table, 'tradedate')
    const everything = { codes: new Int32Array(date.codes.length), words: [''] }
    const before = rowsBefore(everything, date)
    const step = commonStep(names.map((name) => numbers(table, name)))
    const closedBefore = Float64Array.from(before.row, (row) => days[row]?.closing_balance ?? Number.NaN)
    return {
      findings: brokenLaws(lawsOf(days, step, before), days),
      compares: true,
      columns: {
        tradedate: labelColumn('date', 'Trading day.', date),
        opening_balance: numberColumn(
          'yuan',
          'Balance at the start of the day as published.',
          numbers(table, 'opening_balance'),
        ),
        before: numberColumn('yuan', 'closing_balance of the record before; null when there is none.', closedBefore),
        closing_balance: numberColumn(
          'yuan',
          'Balance at the end of the day as published.',
          numbers(table, 'closing_balance'),
        ),
        sum: numberColumn(
          'yuan',
          'opening + auction + reborrow - repayment, a null flow adding nothing.',
          Float64Array.from(days, sumOf),
        ),
      },
    }
  },
})
