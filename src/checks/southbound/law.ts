import { type Check, fails, leavesOpen, passes } from '../check.js'
import { eachTable } from '../dataset/verdict.js'
import { checkSouthbound } from './check.js'

/** net = buy - sell, turnover = buy + sell, and no channel counted twice. */
export const southboundCheck: Check = {
  name: 'southbound',
  summary: 'sums of both channels against their parts',
  dataset: 'southbound_top10',
  rule: 'Of each channel, net must be buys minus sells and turnover buys plus sells; of each row, the totals must be the sums over its channels; of a stock in both channels, its two rows must agree; a channel has ten stocks a day at most, each rank once. Compared to the last decimal.',
  verdicts: {
    equal: passes('Every sum in the row is the sum of its parts.'),
    unverifiable: leavesOpen('The row has no number of either channel.'),
    'double-count': fails(
      'amount counts one channel twice, as published rows are known to do. southboundFlows takes buys and sells and does not use it.',
    ),
    'null-rule': fails('A number is missing where one is due, or stands where none can be.'),
    mismatch: fails(
      'A sum is not the sum of its parts, two rows of a stock differ, a rank stands twice, or the day is no trading day.',
    ),
  },
  confirmedAs: 'without contradiction',
  runs: eachTable('southbound_top10', checkSouthbound),
}
