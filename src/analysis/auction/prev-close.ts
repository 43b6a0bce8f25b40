import { QuotebookError } from '../../contract/error.js'
import type { Closes } from './closes.js'
import { type Implied, impliedClose, inTicks, ticksPerYuan } from './implied.js'

/** Where a previous close comes from; `conflict`: what there is contradicts itself. */
export type PrevSource = 'given' | 'implied' | 'conflict'

/** The close before an auction, yuan. */
export interface PrevClose {
  readonly source: PrevSource | null
  /** NaN where it is not known to the tick. */
  readonly close: number
  /** Lowest and highest that it can be; equal where it is known, NaN where nothing is. */
  readonly low: number
  readonly high: number
  /** The day of a close that was given. */
  readonly day: string | null
}

const unknown: PrevClose = { source: null, close: Number.NaN, low: Number.NaN, high: Number.NaN, day: null }

/** Ticks in one yuan by the option, or by the code. @throws QuotebookError INVALID_VALUE for a tick that does not divide one yuan */
export function perYuanOf(tick: number | undefined): (symbol: string) => number {
  if (tick === undefined) return ticksPerYuan
  const perYuan = Math.round(1 / tick)
  if (tick > 0 && perYuan >= 1 && 1 / perYuan === tick) return () => perYuan
  throw new QuotebookError('INVALID_VALUE', `tick must be a price step in yuan as 0.01 or 0.001, not ${tick}`)
}

/** Whether a close is one of those that an auction allows; one off the tick, as an adjusted one, may be a tick away. */
function allows({ lowest, highest }: Implied, close: number, perYuan: number): boolean {
  const ticks = inTicks(close, perYuan)
  if (!Number.isNaN(ticks)) return ticks >= lowest && ticks <= highest
  return close * perYuan > lowest - 1 && close * perYuan < highest + 1
}

/**
 * The previous close of one auction: the one given, which has to be one that the prices and percentages of the auction allow;
 * else what these imply.
 */
export function prevCloseOf(
  auction: {
    readonly symbol: string
    readonly day: string
    readonly rows: Int32Array
    readonly prices: Float64Array
    /** Undefined for a file without them. */
    readonly changes: Float64Array | undefined
  },
  perYuan: number,
  closes: Closes | undefined,
): PrevClose {
  const { symbol, day, rows, prices, changes } = auction
  const implied = changes && impliedClose(prices, changes, rows, perYuan)
  const given = closes?.before(symbol, day)
  if (!implied) {
    return given
      ? { source: 'given', close: given.close, low: given.close, high: given.close, day: given.day }
      : unknown
  }
  const [low, high] = [implied.lowest / perYuan, implied.highest / perYuan]
  if (low > high) return { ...unknown, source: 'conflict', day: given?.day ?? null }
  if (!given) return { source: 'implied', close: low === high ? low : Number.NaN, low, high, day: null }
  const { close } = given
  if (allows(implied, close, perYuan)) return { source: 'given', close, low: close, high: close, day: given.day }
  return { source: 'conflict', close: Number.NaN, low, high, day: given.day }
}

/** (price / base - 1) x 100, rounded once where both are on the tick; NaN where either is missing. */
export function percentOver(price: number, base: number, perYuan: number): number {
  const [p, b] = [inTicks(price, perYuan), inTicks(base, perYuan)]
  if (Number.isNaN(p) || Number.isNaN(b)) return ((price - base) / base) * 100
  return ((p - b) * 100) / b
}
