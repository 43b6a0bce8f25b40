import { type BarDataset, runsOf } from '../bars/laws.js'
import { type Law, open, sound, wrong } from '../law.js'
import { checkVwap } from './vwap.js'

function vwapLaw(dataset: BarDataset): Law {
  return {
    name: 'vwap',
    brief: 'the average price of the day, recomputed',
    dataset,
    rule: 'The average price of the day up to each bar is recomputed from the bars: turnover so far over (volume so far times the lot factor), rounded half up to 3 decimals (or as many as were sent beyond them), and compared with the vwap that was sent.',
    meanings: {
      equal: sound('The number sent is the number recomputed, to the last decimal.'),
      computed: open('No number was sent; ours stands alone.'),
      'lot-bound': open('Differs, by no more than volumes rounded to whole lots can explain.'),
      unverifiable: open(
        'A missing turnover, volume or bar, or a bar that stands there twice, leaves the sums unknown; or the day was not backfilled.',
      ),
      'null-rule': wrong('Missing where a value is due, or a value before the first trade.'),
      mismatch: wrong('Differs, and rounding does not explain it.'),
    },
    confirmedAs: 'recomputed to the same number',
    runs: (tables) => runsOf(tables, dataset, (table) => checkVwap(table, { dataset })),
  }
}

/** Average prices of the day, recomputed, of ETFs and of bonds. */
export const vwapLaws: readonly Law[] = [vwapLaw('etf_minute'), vwapLaw('convertible_minute')]
