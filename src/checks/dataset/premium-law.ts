import { type Check, fails, leavesOpen, passes } from '../check.js'
import { checkPremium, type Premium } from './premium.js'
import { eachTable } from './verdict.js'

const over: Readonly<Record<Premium, string>> = { cb: 'conversion value', bond: 'pure-bond value' }

function lawOf(premium: Premium): Check {
  return {
    name: `${premium} premium`,
    summary: `premiums of bonds over their ${over[premium]}, recomputed`,
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
