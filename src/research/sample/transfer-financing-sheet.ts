import { drawsFrom, fork, isChosen, level } from './random.js'
import type { Day } from './sample-days.js'
import { type WholeRow, wholeSheetOf } from './sample-sheet.js'

/** Ten million yuan: the step in which balances are published. */
const step = 10_000_000

/** Balance after day t, in steps; it rests on some days. */
function balanceOf(root: number, t: number): number {
  const moves = isChosen(fork(fork(root, 'rest'), t), 5) ? t - 1 : t
  return level(root, moves, 14_000, 0.3)
}

/** Not every trading day is published: one in nine is not, and never two in a row. */
function isPublished(root: number, t: number): boolean {
  return t % 2 === 0 || !isChosen(fork(fork(root, 'unpublished'), t), 5)
}

function publishedBefore(root: number, t: number): number {
  return isPublished(root, t - 1) ? t - 1 : t - 2
}

/** Flows that lead from one balance to the next; what did not happen is null, not 0. */
function rowOf(root: number, day: Day): WholeRow<'transfer_financing'> {
  const own = fork(fork(root, 'flow'), day.t)
  const { int, once } = drawsFrom(own)
  const opening = balanceOf(root, publishedBefore(root, day.t))
  const closing = balanceOf(root, day.t)
  const quiet = opening === closing && once(2)
  const auction = !quiet && once(6) ? int(1, 50) * 10 : 0
  const lent = quiet ? 0 : int(0, 3) * int(1, 100)
  const reborrow = Math.max(lent, closing - opening - auction)
  const repayment = opening + auction + reborrow - closing
  const yuan = (steps: number): number | null => (steps === 0 ? null : steps * step)
  return {
    tradedate: day.date,
    opening_balance: opening * step,
    auction_amount: yuan(auction),
    reborrow_amount: yuan(reborrow),
    repayment_amount: yuan(repayment),
    closing_balance: closing * step,
  }
}

/**
 * Refinancing, financing side. opening + auction + reborrow - repayment = closing, a missing amount counting as none,
 * and a day opens with the balance at which the published day before it closed.
 */
export const transferFinancingSheet = wholeSheetOf(
  'transfer_financing',
  (sample) => {
    const root = fork(sample.seed, 'financing')
    return sample.days.filter((day) => isPublished(root, day.t))
  },
  (sample, days) => {
    const root = fork(sample.seed, 'financing')
    return days.map((day) => rowOf(root, day))
  },
)
