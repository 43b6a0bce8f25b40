import type { Table } from 'apache-arrow'
import { asTable } from '../../../frame/as-table.js'
import type { DataFrame } from '../../../frame/danfo-types.js'
import { dictionary, numbers } from '../../../frame/read-columns.js'
import { wrongShape } from '../../../frame/table/shape.js'
import { type Check, type CheckResult, conclude, fails, leavesOpen, passes, type Severities } from '../check.js'
import { LabelBuilder, labelColumn, numberColumn } from '../check-columns.js'
import { exactDifference, percentOver } from '../exact/decimal.js'
import { divide, intersect, multiply, point, rounded, subtract } from '../exact/interval.js'
import { cellPlaces, usualPlaces } from '../exact/precision.js'
import { allowedCells, eachTable } from '../row-findings.js'

/**
 * Verdicts of `checkPremium`. `within-rounding`: differs by no more than rounding explains; `null-rule`: null where a
 * value is due, or the other way round.
 */
export type PremiumVerdict = 'equal' | 'within-rounding' | 'unverifiable' | 'null-rule' | 'mismatch'

const severities: Severities<PremiumVerdict> = {
  equal: 0,
  'within-rounding': 0,
  unverifiable: 1,
  'null-rule': 1,
  mismatch: 2,
}

/** Which premium: over the conversion value (`cb_value`) or over the pure-bond value (`bond_value`). */
export type Premium = 'cb' | 'bond'

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
  const read = ['close', `${premium}_value`, `${premium}_over_rate`, 'tradedate', 'code']
  const broken = new Map(forbidden.flatMap(({ row, rule, why }) => (read.includes(rule) ? [[row, why]] : [])))
  const close = numbers(table, 'close')
  const value = numbers(table, `${premium}_value`)
  const rate = numbers(table, `${premium}_over_rate`)
  const [valuePlaces, ratePlaces] = [usualPlaces(value), usualPlaces(rate)]
  const recomputed = close.map((price, row) => {
    const base = value[row] as number
    return base > 0 ? percentOver(price, base, cellPlaces(rate[row] as number, ratePlaces)) : Number.NaN
  })
  const [verdict, why] = [new LabelBuilder(close.length), new LabelBuilder(close.length)]
  const judge = (row: number): readonly [PremiumVerdict, string | null] => {
    const [price, base, given] = [close[row] as number, value[row] as number, rate[row] as number]
    const wrong = broken.get(row)
    if (wrong !== undefined) return ['mismatch', wrong]
    if (Number.isNaN(recomputed[row])) return ['unverifiable', `close and ${premium}_value do not give a premium`]
    if (Number.isNaN(given)) return ['null-rule', 'null where a premium can be computed']
    if (given === recomputed[row]) return ['equal', null]
    if (explains(price, base, given, cellPlaces(base, valuePlaces), cellPlaces(given, ratePlaces))) {
      return ['within-rounding', `${premium}_value is published rounded`]
    }
    return ['mismatch', null]
  }
  close.forEach((_, row) => {
    const [word, reason] = judge(row)
    verdict.set(row, word)
    why.set(row, reason)
  })
  const off = rate.map((given, row) => exactDifference(given, recomputed[row] as number))
  return conclude(`${premium} premium`, severities, verdict, why, off, {
    tradedate: labelColumn('date', 'Trading day.', dictionary(table, 'tradedate')),
    code: labelColumn('code', 'Bond code with exchange suffix.', dictionary(table, 'code')),
    close: numberColumn('yuan', 'Close, or latest price.', close),
    value: numberColumn('yuan', `${premium}_value as published.`, value),
    given: numberColumn('percent', `${premium}_over_rate as published.`, rate),
    recomputed: numberColumn('percent', '(close / value - 1) x 100, ROUND_HALF_UP.', recomputed),
    difference: numberColumn('percent', 'given - recomputed.', off),
  })
}

const over: Readonly<Record<Premium, string>> = { cb: 'conversion value', bond: 'pure-bond value' }

const overChinese: Readonly<Record<Premium, string>> = { cb: '转股溢价率', bond: '纯债溢价率' }

function lawOf(premium: Premium): Check {
  return {
    name: `${premium} premium`,
    summary: `premiums of bonds over their ${over[premium]}, recomputed`,
    chinese: `重新计算可转债${overChinese[premium]}`,
    dataset: 'convertible_daily',
    rule: `The premium of each bond over its ${over[premium]} is recomputed from its own row, (close / value - 1) x 100, rounded half up to as many decimals as the column shows, and compared with the premium that was sent.`,
    verdicts: {
      equal: passes('The premium sent is the premium recomputed, to the last decimal.'),
      'within-rounding': passes('Differs, by no more than the rounding of the published value and premium must give.'),
      unverifiable: leavesOpen('Close or value is missing, so nothing can be recomputed.'),
      'null-rule': leavesOpen('No premium was sent, though close and value are there; the latest quotes may lack it.'),
      mismatch: fails('Differs, and rounding does not explain it.'),
    },
    confirmedAs: 'recomputed to the same number, within the rounding of the published ones',
    runs: eachTable('convertible_daily', (table) => checkPremium(table, premium)),
  }
}

export const cbPremiumCheck: Check = lawOf('cb')
export const bondPremiumCheck: Check = lawOf('bond')
