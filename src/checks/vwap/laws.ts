import { type MinuteDataset, runBars } from '../bars/laws.js'
import { type Check, fails, leavesOpen, passes } from '../check.js'
import { checkVwap } from './vwap.js'

function vwapLaw(dataset: MinuteDataset): Check {
  return {
    name: 'vwap',
    summary: 'the average price of the day, recomputed',
    dataset,
    rule: 'The average price of the day up to each bar is recomputed from the bars: turnover so far over (volume so far times the lot factor), rounded half up to 3 decimals (or as many as were sent beyond them), and compared with the vwap that was sent.',
    verdicts: {
      equal: passes('The number sent is the number recomputed, to the last decimal.'),
      computed: leavesOpen('No number was sent; ours stands alone.'),
      'lot-bound': leavesOpen('Differs, by no more than volumes rounded to whole lots can explain.'),
      unverifiable: leavesOpen(
        'A missing turnover, volume or bar, or a bar that stands there twice, leaves the sums unknown; or the day was not backfilled.',
      ),
      'null-rule': fails('Missing where a value is due, or a value before the first trade.'),
      mismatch: fails('Differs, and rounding does not explain it.'),
    },
    confirmedAs: 'recomputed to the same number',
    runs: (tables) => runBars(tables, dataset, (table) => checkVwap(table, { dataset })),
  }
}

/** Average prices of the day, recomputed, of ETFs and of bonds. */
export const vwapChecks: readonly Check[] = [vwapLaw('etf_minute'), vwapLaw('convertible_minute')]
