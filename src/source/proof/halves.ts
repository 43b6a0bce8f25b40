import { newsSources } from '../../contract/catalogue/news.js'
import type { Query } from '../../contract/check-params.js'
import { dateOf, dayNumber } from '../../contract/date.js'
import type { Piece } from '../answer/piece.js'
import { wordsIn } from '../answer/words.js'
import { type Box, halves } from '../plan/box.js'
import { codeHalves } from '../plan/cut.js'
import type { Counts } from './shown.js'

/** Two boxes that are disjoint and together cover a box, each with some of the rows that its reply had; undefined for one that can't be split. */
export function halvesOf(
  box: Box,
  { days, isThere }: Counts,
  query: Query,
  piece: Piece,
): readonly [Box, Box] | undefined {
  const middle = box.days && days.length > 1 ? days[days.length >> 1] : undefined
  if (box.days && middle !== undefined) {
    const { from, to, open } = box.days
    const before = dateOf(dayNumber(middle) - 1)
    return [
      { ...box, days: { from, to: before } },
      { ...box, days: { from: middle, to, ...(open ? { open } : {}) } },
    ]
  }
  if (box.symbols) {
    const second = codeHalves(box.symbols.filter(isThere))?.[1][0]
    if (second === undefined) return undefined
    const cut = box.symbols.indexOf(second)
    return [
      { ...box, symbols: box.symbols.slice(0, cut) },
      { ...box, symbols: box.symbols.slice(cut) },
    ]
  }
  return box.sources ? halvesBySource(box, query, piece) : undefined
}

/** Halving by source would lose the rows of a source that the contract does not know. */
export function halvesBySource(box: Box, query: Query, piece: Piece): readonly [Box, Box] | undefined {
  if (query.view === 'source') return undefined
  const known: readonly string[] = newsSources
  return wordsIn(piece.columns, 'source').every((source) => known.includes(source)) ? halves(box) : undefined
}
