/**
 * Holds the convertible bonds that are cheapest by price plus w times premium, and looks at them once a week.
 * It decides at the close and is filled at the next open one tick worse, never at the price that it has just seen; bonds
 * of the first five days after their listing, which have no usual limits, and bonds without a premium take no part.
 * The data names no redemptions and perhaps no delisted bonds, so results are too good by what those would have cost: give them as `delistings`.
 *
 * Params: w (1), n (5), exitRank (8). Days and cash are options of the run.
 */
import { defineStrategy } from 'quotebook'

export const make = ({ w = 1, n = 5, exitRank = Math.max(n, 8) }) => ({
  universe: (bond) => bond.vol > 0 && bond.listedDays > 5,
  score: (bond) => bond.close + w * bond.cb_over_rate,
  pick: { n, side: 'lowest', exitRank },
  when: { weekly: 1 },
})

export default defineStrategy({
  data: { dataset: 'convertible_daily', columns: ['open', 'close', 'pre_close', 'vol', 'cb_over_rate'] },
  make,
})
