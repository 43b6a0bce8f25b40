import { newsSources } from '../../contract/catalogue/news.js'
import type { Query } from '../../contract/check-params.js'
import { dateOf, dayNumber } from '../../contract/date.js'
import type { ReplyChunk } from '../answer/piece.js'
import { distinctValues } from '../answer/words.js'
import { type QueryRange, splitRange } from '../plan/box.js'
import { splitCodes } from '../plan/cut.js'
import type { ReplyCounts } from './shown.js'

/** Two boxes that are disjoint and together cover a box, each with some of the rows that its reply had; undefined for one that can't be split. */
export function splitByRows(
  range: QueryRange,
  { days, isThere }: ReplyCounts,
  query: Query,
  chunk: ReplyChunk,
): readonly [QueryRange, QueryRange] | undefined {
  const middle = range.days && days.length > 1 ? days[days.length >> 1] : undefined
  if (range.days && middle !== undefined) {
    const { from, to, open } = range.days
    const before = dateOf(dayNumber(middle) - 1)
    return [
      { ...range, days: { from, to: before } },
      { ...range, days: { from: middle, to, ...(open ? { open } : {}) } },
    ]
  }
  if (range.symbols) {
    const second = splitCodes(range.symbols.filter(isThere))?.[1][0]
    if (second === undefined) return undefined
    const cut = range.symbols.indexOf(second)
    return [
      { ...range, symbols: range.symbols.slice(0, cut) },
      { ...range, symbols: range.symbols.slice(cut) },
    ]
  }
  return range.sources ? splitBySource(range, query, chunk) : undefined
}

/** Halving by source would lose the rows of a source that the contract does not know. */
export function splitBySource(
  range: QueryRange,
  query: Query,
  chunk: ReplyChunk,
): readonly [QueryRange, QueryRange] | undefined {
  if (query.view === 'source') return undefined
  const known: readonly string[] = newsSources
  return distinctValues(chunk.columns, 'source').every((source) => known.includes(source))
    ? splitRange(range)
    : undefined
}
