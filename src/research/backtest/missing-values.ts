import { Account } from './account.js'
import type { AccountState } from './account-state.js'
import { readPanel } from './check-lookahead.js'
import { cursorOf } from './cursor.js'
import type { Panel } from './panel.js'
import { decideOf, type Strategy } from './strategy.js'

/** Days before the last one, on one of which there was a value that is missing now. */
const back = 5

/** Columns that a strategy reads for a decision at the last close. */
function columnsRead(panel: Panel, strategy: Strategy): ReadonlySet<string> {
  const read = new Set<string>()
  const watched = readPanel(panel, (name) => read.add(name))
  decideOf(strategy, watched, cursorOf(watched, 'close')).decide(panel.times - 1, new Account(0, panel))
  return read
}

/**
 * Codes that an account holds and its decision leaves out, by the columns that the strategy reads and that have no value for them at
 * the last close, though they had one of late: nothing but that may be why they are sold.
 */
export function missingValues(
  panel: Panel,
  strategy: Strategy,
  { held, pending }: AccountState,
): ReadonlyMap<string, readonly string[]> {
  const missing = new Map<string, readonly string[]>()
  if (!pending || 'orders' in pending) return missing
  const left = held.filter(({ symbol }) => !pending.symbols.includes(symbol))
  if (left.length === 0) return missing
  const [width, perDay, last] = [panel.symbols.length, panel.minutes.length, panel.times - 1]
  const names = [...columnsRead(panel, strategy)].sort()
  const before = Array.from({ length: back }, (_, at) => last - (at + 1) * perDay).filter((time) => time >= 0)
  for (const { symbol } of left) {
    const place = panel.symbols.indexOf(symbol)
    const isThere = (name: string, time: number): boolean => !Number.isNaN(panel.cols[name]?.[time * width + place])
    if (panel.present[last * width + place] !== 1) continue
    const own = names.filter((name) => !isThere(name, last) && before.some((time) => isThere(name, time)))
    if (own.length > 0) missing.set(symbol, own)
  }
  return missing
}
