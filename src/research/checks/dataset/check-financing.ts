import type { Table } from 'apache-arrow'
import { allOf, sentence } from '../../../contract/sentence.js'
import { numbers, strings } from '../../../frame/read-columns.js'
import { fails, leavesOpen, passes } from '../check.js'
import { numberColumn } from '../check-columns.js'
import { exactDifference, sumDecimals, toDecimal } from '../exact/decimal.js'
import { type CellsOf, cellsByRow, finding, type RowFinding, unverifiable } from '../findings.js'
import { givenColumns, rowCheck } from '../row-check.js'
import { chainFinding, daysInside, rowsBefore } from './earlier-rows.js'

const names = ['opening_balance', 'auction_amount', 'reborrow_amount', 'repayment_amount', 'closing_balance'] as const
type Day = CellsOf<(typeof names)[number], 'tradedate'>

/** The largest power of ten that every amount is a multiple of, as its exponent; 0 when there are none. */
function commonStep(table: Table): number {
  const steps = names.flatMap((name) =>
    Array.from(numbers(table, name), (x) => {
      if (!Number.isFinite(x) || x === 0) return Number.POSITIVE_INFINITY
      const { digits, scale } = toDecimal(x)
      return (/0*$/.exec(String(digits))?.[0].length ?? 0) - scale
    }),
  )
  const least = steps.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  return Number.isFinite(least) ? least : 0
}

/** opening + auction + reborrow - repayment, where a null flow adds nothing; NaN without an opening balance. */
function sumOf({ opening_balance: start, auction_amount, reborrow_amount, repayment_amount }: Day): number {
  const flow = (x: number): number => (Number.isNaN(x) ? 0 : x)
  return sumDecimals([start, flow(auction_amount), flow(reborrow_amount), -flow(repayment_amount)])
}

/** @param step power of ten in which every amount is published */
function* sumFindings(one: Day, step: number): Iterable<RowFinding> {
  const missing = (['opening_balance', 'closing_balance'] as const).filter((name) => Number.isNaN(one[name]))
  if (missing.length > 0) yield unverifiable(one.row, 'sum', sentence`${allOf(missing)} null`)
  const [given, due] = [one.closing_balance, sumOf(one)]
  const off = exactDifference(given, due)
  if (Number.isNaN(off) || off === 0) return
  const isRounding = Math.abs(off) <= 2.5 * 10 ** step
  const why = isRounding
    ? sentence`closing_balance differs by no more than five numbers rounded to ${`1e${step}`} can`
    : sentence`closing_balance is not opening + auction + reborrow - repayment`
  yield finding(isRounding ? 'warn' : 'mismatch', one.row, 'sum', why, given, due)
}

function* findings(table: Table, days: readonly Day[], before: Int32Array): Iterable<RowFinding> {
  const inside = daysInside()
  const step = commonStep(table)
  for (const one of days) {
    yield* sumFindings(one, step)
    const earlier = days[before[one.row] as number]
    if (!earlier) continue
    const [given, due, from] = [one.opening_balance, earlier.closing_balance, earlier.tradedate ?? '']
    if (Number.isNaN(due))
      yield unverifiable(one.row, 'chain', sentence`closing_balance of ${from}, the record before, is null`)
    if (Number.isNaN(given) || Number.isNaN(due) || given === due) continue
    const why = sentence`opening_balance is not the closing_balance of ${from}, the record before`
    yield chainFinding(one.row, 'chain', why, [given, due], inside(from, one.tradedate ?? ''), sentence`a record`)
  }
}

/**
 * The days of transfer_financing against their sums, compared as the decimals that were sent, in any unit.
 *
 * - closing = opening + auction + reborrow - repayment; a null flow is no amount and adds nothing.
 * - opening = closing of the record before, also where trading days without a record lie between (not every day has one).
 * - no amount is below 0, one record a day.
 */
export const financingCheck = rowCheck({
  name: 'financing',
  summary: 'balances of refinancing against what moved them',
  dataset: 'transfer_financing',
  rule: 'Opening balance + auction + re-borrowing - repayment must be the closing balance, to the last decimal, and a day must open with the balance at which the record before it closed. A null flow adds nothing.',
  // biome-ignore format: a table, one verdict a line
  verdicts: {
    pass: passes(sentence`The balances follow from one another to the last decimal.`),
    unverifiable: leavesOpen(sentence`A balance is null, so nothing can be recomputed.`),
    gap: leavesOpen(sentence`Opens with another balance than the record before closed with; the trading days between have no record.`),
    warn: leavesOpen(sentence`The sum differs by no more than the rounding of its five numbers can give.`),
    duplicate: fails(sentence`The day is a duplicate.`),
    mismatch: fails(sentence`The balances do not follow from one another, or an amount is below 0.`),
  },
  confirmedAs: 'recomputed to the same balance',
  compares: true,
  twice: (cell) => sentence`${cell('tradedate')} is a duplicate`,
  read: (table) => {
    const days = cellsByRow(table, names, ['tradedate'])
    const dates = strings(table, 'tradedate')
    const before = rowsBefore(
      dates.map(() => ''),
      dates,
    )
    const closed = Float64Array.from(before, (row) => days[row]?.closing_balance ?? Number.NaN)
    const sum = Float64Array.from(days, sumOf)
    return {
      findings: findings(table, days, before),
      columns: {
        ...givenColumns(table, 'transfer_financing', 'tradedate', 'opening_balance'),
        before: numberColumn('yuan', 'closing_balance of the record before; null when there is none.', closed),
        ...givenColumns(table, 'transfer_financing', 'closing_balance'),
        sum: numberColumn('yuan', 'opening + auction + reborrow - repayment, a null flow adding nothing.', sum),
      },
    }
  },
})
