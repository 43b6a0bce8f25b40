import type { Table } from 'apache-arrow'
import { sentence, type Words } from '../../../contract/sentence.js'
import { asTable } from '../../../frame/as-table.js'
import type { DataFrame } from '../../../frame/danfo-types.js'
import { numbers } from '../../../frame/read-columns.js'
import { wrongShape } from '../../../frame/table/shape.js'
import { allowedCells } from '../allowed-cells.js'
import { type Check, type CheckResult, type Concluded, conclude, fails, leavesOpen, passes } from '../check.js'
import { LabelBuilder, numberColumn } from '../check-columns.js'
import { exactDifference, percentOver } from '../exact/decimal.js'
import { divide, intersect, multiply, point, rounded, subtract } from '../exact/interval.js'
import { cellPlaces, usualPlaces } from '../exact/precision.js'
import { reasonsOf } from '../findings.js'
import { ReasonBuilder } from '../reasons.js'
import { eachTable, givenColumns } from '../row-check.js'

/**
 * Verdicts of `checkPremium`. `within-rounding`: differs by no more than rounding explains; `null-rule`: null where a
 * value is due, or the other way round.
 */
export type PremiumVerdict = 'equal' | 'within-rounding' | 'unverifiable' | 'null-rule' | 'mismatch'

/** Which premium: over the conversion value (`cb_value`) or over the pure-bond value (`bond_value`). */
export type Premium = 'cb' | 'bond'

/** Names and verdicts of the check of a premium. */
const judged = (premium: Premium): Concluded<PremiumVerdict> => ({
  ...(premium === 'cb' ? { name: 'cb premium' } : { name: 'bond premium' }),
  // biome-ignore format: a table, one verdict a line
  verdicts: {
    equal: passes(sentence`The premium sent is the premium recomputed, to the last decimal.`),
    'within-rounding': passes(sentence`Differs, by no more than the rounding of the published value and premium must give.`),
    unverifiable: leavesOpen(sentence`Close or value is missing, so nothing can be recomputed.`),
    'null-rule': leavesOpen(sentence`No premium was sent, though close and value are there; the latest quotes may lack it.`),
    mismatch: fails(sentence`Differs, and rounding does not explain it.`),
  },
})

/** Whether a published premium is one that the price and a value rounded as published can give. */
function explains(close: number, value: number, rate: number, valuePlaces: number, ratePlaces: number): boolean {
  const ratio = divide(point(close), rounded(value, valuePlaces))
  return intersect(multiply(subtract(ratio, point(1)), point(100)), rounded(rate, ratePlaces)) !== undefined
}

/**
 * Recomputes the premium of bonds from their own row, (close / value - 1) x 100, and compares it with the published
 * rate at the decimals that most of the column is published with (2 to 6; a number with more of its own at those).
 *
 * - `equal`: the same number.
 * - `within-rounding`: differs, and the rounding of the published value and rate explains it.
 * - `unverifiable`: close or value is null or the value not above 0, so nothing can be recomputed; the rate may be null.
 * - `null-rule`: no rate although close and value are there. Not counted as a contradiction: the latest quotes may lack it.
 * - `mismatch`: none of these, or a cell that it is made from holds what the contract forbids.
 * @throws QuotebookError MISSING_COLUMN
 */
export function checkPremium(input: Table | DataFrame, premium: Premium = 'cb'): CheckResult<PremiumVerdict> {
  if (premium !== 'cb' && premium !== 'bond') throw wrongShape('checkPremium: premium', "'cb' or 'bond'", premium)
  const { table, forbidden } = allowedCells(asTable(input), 'convertible_daily')
  const doubted = [`${premium}_over_rate`, 'close', `${premium}_value`]
  const read = [...doubted, 'tradedate', 'code']
  const broken = new Map(forbidden.flatMap((one) => (read.includes(one.rule) ? [[one.row, one] as const] : [])))
  const close = numbers(table, 'close')
  const value = numbers(table, `${premium}_value`)
  const rate = numbers(table, `${premium}_over_rate`)
  const [valuePlaces, ratePlaces] = [usualPlaces(value), usualPlaces(rate)]
  const recomputed = close.map((price, row) => {
    const base = value[row] as number
    return base > 0 ? percentOver(price, base, cellPlaces(rate[row] as number, ratePlaces)) : Number.NaN
  })
  const [verdict, why] = [new LabelBuilder(close.length), new ReasonBuilder(close.length)]
  const judge = (row: number): readonly [PremiumVerdict, ...Words[]] => {
    const [price, base, given] = [close[row] as number, value[row] as number, rate[row] as number]
    const wrong = broken.get(row)
    if (wrong !== undefined) return ['mismatch', ...reasonsOf([wrong])]
    if (Number.isNaN(recomputed[row]))
      return ['unverifiable', sentence`close and ${`${premium}_value`} do not give a premium`]
    if (Number.isNaN(given)) return ['null-rule', sentence`null where a premium can be computed`]
    if (given === recomputed[row]) return ['equal']
    if (explains(price, base, given, cellPlaces(base, valuePlaces), cellPlaces(given, ratePlaces))) {
      return ['within-rounding', sentence`${`${premium}_value`} is published rounded`]
    }
    return ['mismatch']
  }
  close.forEach((_, row) => {
    const [word, ...reasons] = judge(row)
    verdict.set(row, word)
    why.set(row, reasons)
    if (word === 'mismatch' && !broken.has(row)) why.doubted.set(row, doubted)
  })
  const off = rate.map((given, row) => exactDifference(given, recomputed[row] as number))
  return conclude(judged(premium), verdict, why, off, {
    ...givenColumns(table, 'convertible_daily', 'tradedate', 'code', 'close'),
    value: numberColumn('yuan', `${premium}_value as published.`, value),
    given: numberColumn('percent', `${premium}_over_rate as published.`, rate),
    recomputed: numberColumn('percent', '(close / value - 1) x 100, ROUND_HALF_UP.', recomputed),
    difference: numberColumn('percent', 'given - recomputed.', off),
  })
}

function checkOf(premium: Premium): Check {
  const { name, verdicts } = judged(premium)
  const over = premium === 'cb' ? 'conversion value' : 'pure-bond value'
  return {
    name,
    summary:
      premium === 'cb'
        ? 'premiums of bonds over their conversion value, recomputed'
        : 'premiums of bonds over their pure-bond value, recomputed',
    dataset: 'convertible_daily',
    rule: `The premium of each bond over its ${over} is recomputed from its own row, (close / value - 1) x 100, rounded half up to as many decimals as the column shows, and compared with the premium that was sent.`,
    verdicts,
    confirmedAs: 'recomputed to the same number, within the rounding of the published ones',
    runs: eachTable('convertible_daily', (table) => checkPremium(table, premium)),
  }
}

export const premiumChecks: readonly Check[] = [checkOf('cb'), checkOf('bond')]
