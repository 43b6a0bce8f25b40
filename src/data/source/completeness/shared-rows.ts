import { dateOf, dayNumber } from '../../../contract/date.js'
import { gatherRows } from '../../../frame/table/gather-cells.js'
import { cellOf } from '../../../frame/table/values.js'
import type { PlannedQuery } from '../plan/query-plan.js'
import { describeRange, type QueryRange } from '../plan/query-range.js'
import { rowTexts } from '../reply/reply-chunk.js'
import { ContradictionError, rowsWithin } from './grid-holes.js'
import type { RangeReply } from './reply-sizes.js'

/** A range without its first day, where that is shared with the one before: it has to answer for the others. */
function withoutDay(range: QueryRange, shared: readonly QueryRange[]): QueryRange {
  const { days } = range
  const isShared = shared.some(
    (one) =>
      one.days?.from === days?.from && one.days?.to === days?.from && one.symbols?.join() === range.symbols?.join(),
  )
  if (!days || !isShared || days.to <= days.from) return range
  return { ...range, days: { ...days, from: dateOf(dayNumber(days.from) + 1) } }
}

/**
 * Replies without the rows that an earlier one holds too. What two requests asked for came twice, with the same cells; of the
 * running day only the keys are compared.
 * @throws ContradictionError where it did not
 */
export function withoutShared(
  { dataset, today, plan }: PlannedQuery,
  replies: readonly RangeReply[],
): readonly RangeReply[] {
  const shared = plan.overlap?.shared ?? []
  const isCertain = replies.every(({ truncated, unproven }) => truncated === undefined && unproven === undefined)
  const drop = replies.map(() => new Set<number>())
  for (const range of shared) {
    const seen = new Map<string, { readonly text: string; count: number }>()
    for (const [i, { chunk }] of replies.entries()) {
      const rows = rowsWithin(dataset, chunk, range)
      const own = gatherRows(chunk.columns, Int32Array.from(rows))
      const keys = rowTexts(own, 0, own.length, dataset.key)
      const texts = rowTexts(own, 0, own.length, [...own.columns.keys()].sort())
      const dayOf = own.columns.get(dataset.day ?? '')
      const isRunning = (row: number): boolean =>
        dataset.live !== undefined && dayOf !== undefined && String(cellOf(dayOf, row)) >= today
      for (const [at, key] of keys.entries()) {
        const known = seen.get(key)
        const text = isRunning(at) ? key : (texts[at] as string)
        if (!known) seen.set(key, { text, count: 1 })
        else {
          if (known.text !== text) throw new ContradictionError(`other cells of ${describeRange(range)}`)
          known.count++
          drop[i]?.add(rows[at] as number)
        }
      }
    }
    if (isCertain && [...seen.values()].some(({ count }) => count !== 2)) {
      throw new ContradictionError(`other rows of ${describeRange(range)}`)
    }
  }
  return replies.map((reply, i) => {
    const gone = drop[i] as Set<number>
    if (gone.size === 0) return reply
    const { columns } = reply.chunk
    const kept = Array.from({ length: columns.length }, (_, row) => row).filter((row) => !gone.has(row))
    const range = withoutDay(reply.range, shared)
    return { ...reply, range, chunk: { ...reply.chunk, columns: gatherRows(columns, Int32Array.from(kept)) } }
  })
}
