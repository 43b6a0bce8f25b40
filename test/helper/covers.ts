import { codeMatcher } from '../../src/contract/symbol.js'
import type { QueryRange } from '../../src/data/source/plan/query-range.js'

/** Whether a row of a code on a date is one that a box asks for. */
export function covers(box: QueryRange, symbol: string | undefined, on: string): boolean {
  if (box.symbols && (symbol === undefined || !codeMatcher(box.symbols)(symbol))) return false
  if (box.day !== undefined && box.day !== on) return false
  if (!box.days) return true
  return on >= box.days.from && (box.days.open === true || on <= box.days.to)
}
