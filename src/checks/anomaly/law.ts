import { eachTable } from '../dataset/verdict.js'
import { type Law, open, sound, wrong } from '../law.js'
import { checkAnomalies } from './check.js'

/** Candidates of abnormal movement against themselves, each other and the rules; see checkAnomalies. */
export const anomalyLaw: Law = {
  name: 'anomaly',
  brief: 'candidates against the rules, against each other, and against prices where there are any',
  dataset: 'anomaly_forecast',
  rule: 'Deviation, required change, trigger price and status of each candidate are held against each other and the rules; candidates against those of the days before and after and of the same board: closes in whole cents that follow from each other, one close before an interval, one path of the benchmark, the most extreme interval of each window. The closes of stock and index are not in the data, so the deviation itself is not recomputed.',
  meanings: {
    sound: sound('Nothing in the row, or in the rows that it was held against, contradicts it.'),
    suspect: open(
      'Does not fit the rows beside it: a wrong number, or something that the data does not tell, such as a suspension, an ex-right day or a new name.',
    ),
    unverifiable: open('The rule is not understood, or its board or threshold is not known; the rest was checked.'),
    inconsistent: wrong('Rows contradict each other.'),
    broken: wrong('The row contradicts itself, the rules or the trading calendar.'),
    equal: sound('Recomputed from prices to the same numbers.'),
    mismatch: wrong('Recomputed from prices to other numbers.'),
    unexpected: wrong('By the prices the stock is no candidate by this rule on this day.'),
  },
  confirmedAs: 'without contradiction',
  partial: true,
  runs: eachTable('anomaly_forecast', (table) => checkAnomalies(table)),
}
