import { type Check, fails, leavesOpen, passes } from '../check.js'
import { eachTable } from '../dataset/verdict.js'
import { checkAnomalies } from './check.js'

/** Candidates of abnormal movement against themselves, each other and the rules; see checkAnomalies. */
export const anomalyCheck: Check = {
  name: 'anomaly',
  summary: 'candidates against the rules, against each other, and against prices where there are any',
  dataset: 'anomaly_forecast',
  rule: 'Deviation, required change, trigger price and status of each candidate are held against each other and the rules; candidates against those of the days before and after and of the same board: closes in whole cents that follow from each other, one close before an interval, one path of the benchmark, the most extreme interval of each window. The closes of stock and index are not in the data, so the deviation itself is not recomputed.',
  verdicts: {
    sound: passes('Nothing in the row, or in the rows that it was held against, contradicts it.'),
    suspect: leavesOpen(
      'Does not fit the rows beside it: a wrong number, or something that the data does not tell, such as a suspension, an ex-right day or a new name.',
    ),
    unverifiable: leavesOpen(
      'The rule is not understood, or its board or threshold is not known; the rest was checked.',
    ),
    inconsistent: fails('Rows contradict each other.'),
    broken: fails('The row contradicts itself, the rules or the trading calendar.'),
    equal: passes('Recomputed from prices to the same numbers.'),
    mismatch: fails('Recomputed from prices to other numbers.'),
    unexpected: fails('By the prices the stock is no candidate by this rule on this day.'),
  },
  confirmedAs: 'without contradiction',
  partial: true,
  runs: eachTable('anomaly_forecast', (table) => checkAnomalies(table)),
}
