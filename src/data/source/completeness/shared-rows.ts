import { sentence } from '../../../contract/sentence.js'
import { parseCode } from '../../../contract/symbol.js'
import { gatherRows } from '../../../frame/table/gather-cells.js'
import { groupItems } from '../../../frame/table/group-items.js'
import { allRows } from '../../../frame/table/sort-rows.js'
import { cellOf } from '../../../frame/table/values.js'
import type { PlannedQuery } from '../plan/query-plan.js'
import { describeRange, type QueryRange } from '../plan/query-range.js'
import type { ReplyRows } from '../reply/join-replies.js'
import { rowTexts } from '../reply/reply-chunk.js'
import { ContradictionError, rowsWithin } from './absent-cells.js'
import type { RangeReply, ReplyCounts } from './reply-sizes.js'

/** The ranges of which a reply may hold rows, by its codes and days: to search every reply for every range takes their square. */
function sharedBy(shared: readonly QueryRange[]): (counts: ReplyCounts) => readonly QueryRange[] {
  const bare = (code: string): string => parseCode(code).bare
  const byCode = groupItems(shared, ({ symbols = [] }) => (symbols.length === 1 ? bare(symbols[0] as string) : ''))
  return ({ symbols, days: of }) => {
    const [first = '', last = '9'] = [of[0], of.at(-1)]
    const isNear = ({ day, days }: QueryRange): boolean =>
      (days?.to ?? day ?? last) >= first && (days?.from ?? day ?? first) <= last
    return ['', ...new Set(symbols.map(bare))].flatMap((code) => byCode.get(code)?.filter(isNear) ?? [])
  }
}

/**
 * The rows of replies without those that an earlier one holds too. What two requests asked for came twice, with the same
 * cells; of the running day only the keys are compared.
 * @throws ContradictionError where it did not
 */
export function rowsOnce({ dataset, today, plan }: PlannedQuery, replies: readonly RangeReply[]): readonly ReplyRows[] {
  const sharedIn = sharedBy(plan.overlap?.shared ?? [])
  const isCertain = replies.every(({ truncated, unproven }) => truncated === undefined && unproven === undefined)
  const seen = new Map<string, { readonly text: string; readonly range: QueryRange; count: number }>()
  const once = replies.map(({ chunk, counts }) => {
    const { columns } = chunk
    const dayOf = columns.columns.get(dataset.day ?? '')
    const isRunning = (row: number): boolean =>
      dataset.live !== undefined && dayOf !== undefined && String(cellOf(dayOf, row)) >= today
    const gone = new Set<number>()
    for (const range of sharedIn(counts)) {
      const rows = rowsWithin(dataset, chunk, range)
      const own = gatherRows(columns, Int32Array.from(rows))
      const texts = rowTexts(own, 0, own.length, [...own.columns.keys()].sort())
      for (const [at, key] of rowTexts(own, 0, own.length, dataset.key).entries()) {
        const row = rows[at] as number
        const text = isRunning(row) ? key : (texts[at] as string)
        const known = seen.get(key)
        if (known && known.text !== text)
          throw new ContradictionError(sentence`other cells of ${describeRange(range)}`, range)
        seen.set(key, { text, range, count: 1 + (known?.count ?? 0) })
        if (known) gone.add(row)
      }
    }
    if (gone.size === 0) return columns
    return { ...columns, some: allRows(columns.length).filter((row) => !gone.has(row)) }
  })
  const lone = isCertain ? [...seen.values()].find(({ count }) => count !== 2) : undefined
  if (lone) throw new ContradictionError(sentence`other rows of ${describeRange(lone.range)}`, lone.range)
  return once
}
