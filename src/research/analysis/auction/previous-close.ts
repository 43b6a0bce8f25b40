import { invalid } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { parseCode } from '../../../contract/symbol.js'
import { fillArray } from '../../../frame/table/fresh-array.js'
import type { ClosesByDay } from './quotes-by-day.js'

/**
 * What prices on a tick and their rounded changes in percent say of the close before them.
 *
 * A published change c of a price p, rounded to the nearest, ends of the interval included, means a close b with
 * |(p / b - 1) x 100 - c| <= half a unit of c's last decimal. On a tick there are few such b, and every snapshot of an
 * auction leaves fewer. All of it is done in whole numbers, so it is exact.
 */
interface CloseBounds {
  /** Lowest and highest price on the tick that all snapshots allow, in ticks. None when the first is above the second. */
  readonly lowest: number
  readonly highest: number
}

/**
 * Ticks in one yuan: 1000 for funds and convertible bonds, whose tick is 0.001, and for B shares of Shanghai; 100 for
 * shares. Source: trading rules of the exchanges.
 */
export function ticksPerYuan(symbol: string): number {
  const { bare } = parseCode(symbol)
  return /^(1[12568]\d{4}|5\d{5}|900\d{3})$/.test(bare) ? 1000 : 100
}

/** A price in ticks; NaN when it is not on one. */
export function inTicks(price: number, perYuan: number): number {
  const ticks = Math.round(price * perYuan)
  return ticks / perYuan === price ? ticks : Number.NaN
}

const least = 2
const most = 6
/** What arithmetic of doubles leaves behind of a decimal, relative to it; never so much that it hides the sixth decimal. */
const noise = 1e-12
const mostNoise = 1e-7

const powers = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000] as const

/** Decimals of a published percentage, 2 to 6; 7 for one that has more. */
function placesIn(x: number): number {
  const allowed = Math.min(mostNoise, noise * Math.max(1, Math.abs(x)))
  for (let places = least; places <= most; places++) {
    const power = powers[places] as number
    if (Math.abs(Math.round(x * power) / power - x) <= allowed) return places
  }
  return most + 1
}

/** Decimals of the percentage of each row that has price and percentage; 0 for any other. */
function placesOfRows(prices: Float64Array, changes: Float64Array, rows: Int32Array): Uint8Array {
  return fillArray(new Uint8Array(rows.length), (at) => {
    const row = rows[at] as number
    const change = changes[row] as number
    return (prices[row] as number) > 0 && !Number.isNaN(change) ? placesIn(change) : 0
  })
}

/** Decimals that more than half of the percentages need no more than; a single long one makes no other precise. */
function usualPlaces(places: Uint8Array): number {
  const counts = new Int32Array(most + 2)
  for (const own of places) counts[own] = (counts[own] as number) + 1
  const known = places.length - (counts[0] as number)
  let [below, usual] = [counts[least] as number, least]
  while (usual <= most && below * 2 <= known) below += counts[++usual] as number
  return usual
}

/** floor(a / b) of whole numbers below 2^53. */
function floorOver(a: number, b: number): number {
  return (a - (a % b)) / b
}

/**
 * The previous closes that all snapshots of one auction allow.
 * @param perYuan ticks in one yuan
 * @returns undefined where no row has both numbers, or a price is not on the tick; bounds that cross where the rows contradict
 * each other
 */
export function impliedClose(
  prices: Float64Array,
  changes: Float64Array,
  rows: Int32Array,
  perYuan: number,
): CloseBounds | undefined {
  const places = placesOfRows(prices, changes, rows)
  const usual = usualPlaces(places)
  let [lowest, highest] = [0, Number.POSITIVE_INFINITY]
  for (let i = 0; i < rows.length; i++) {
    const own = places[i] as number
    if (own === 0) continue
    const [price, change] = [prices[rows[i] as number] as number, changes[rows[i] as number] as number]
    const ticks = inTicks(price, perYuan)
    // A number with more decimals is rounded here, which takes another half unit.
    const finest = Math.max(usual, own)
    const [power, slack] = finest > most ? [powers[most], 2] : [powers[finest] as number, 1]
    const numerator = 200 * power * ticks
    const middle = 200 * power + 2 * Math.round(change * power)
    if (!(numerator <= Number.MAX_SAFE_INTEGER && Math.abs(middle) < Number.MAX_SAFE_INTEGER)) return undefined
    if (middle + slack <= 0) return { lowest: 1, highest: 0 }
    const low = floorOver(numerator, middle + slack)
    lowest = Math.max(lowest, low * (middle + slack) === numerator ? low : low + 1)
    if (middle > slack) highest = Math.min(highest, floorOver(numerator, middle - slack))
  }
  return highest === Number.POSITIVE_INFINITY ? undefined : { lowest, highest }
}

/** The close before an auction, yuan. */
export interface PreviousClose {
  /** Where it comes from; `conflict`: what there is contradicts itself. */
  readonly source: 'given' | 'implied' | 'conflict' | null
  /** NaN where it is not known to the tick. */
  readonly close: number
  /** Lowest and highest that it can be; equal where it is known, NaN where nothing is. */
  readonly low: number
  readonly high: number
  /** The day of a close that was given. */
  readonly day: string | null
}

const unknown: PreviousClose = { source: null, close: Number.NaN, low: Number.NaN, high: Number.NaN, day: null }

/** Ticks in one yuan by the option, or by the code. @throws QuotebookError INVALID_VALUE for a tick that does not divide one yuan */
export function ticksPerYuanBy(tick: number | undefined): (symbol: string) => number {
  if (tick === undefined) return ticksPerYuan
  const perYuan = Math.round(1 / tick)
  if (tick > 0 && perYuan >= 1 && 1 / perYuan === tick) return () => perYuan
  throw invalid(sentence`tick must be a price step in yuan as 0.01 or 0.001, not ${tick}`)
}

/** Whether a close is one of those that an auction allows; one off the tick, as an adjusted one, may be a tick away. */
function allows({ lowest, highest }: CloseBounds, close: number, perYuan: number): boolean {
  const ticks = inTicks(close, perYuan)
  if (!Number.isNaN(ticks)) return ticks >= lowest && ticks <= highest
  return close * perYuan > lowest - 1 && close * perYuan < highest + 1
}

/**
 * The previous close of one auction: the one given, which has to be one that the prices and percentages of the auction allow;
 * else what these imply.
 */
export function previousClose(
  auction: {
    readonly symbol: string
    readonly day: string
    readonly rows: Int32Array
    readonly prices: Float64Array
    /** Undefined for a file without them. */
    readonly changes: Float64Array | undefined
  },
  perYuan: number,
  closes: ClosesByDay | undefined,
): PreviousClose {
  const { symbol, day, rows, prices, changes } = auction
  const implied = changes && impliedClose(prices, changes, rows, perYuan)
  const given = closes?.before(symbol, day)
  if (!implied)
    return given
      ? { source: 'given', close: given.close, low: given.close, high: given.close, day: given.day }
      : unknown
  const [low, high] = [implied.lowest / perYuan, implied.highest / perYuan]
  if (low > high) return { ...unknown, source: 'conflict', day: given?.day ?? null }
  if (!given) return { source: 'implied', close: low === high ? low : Number.NaN, low, high, day: null }
  const { close } = given
  if (allows(implied, close, perYuan)) return { source: 'given', close, low: close, high: close, day: given.day }
  return { source: 'conflict', close: Number.NaN, low, high, day: given.day }
}

/** (price / base - 1) x 100, rounded once where both are on the tick; NaN where either is missing. */
export function gapPercent(price: number, base: number, perYuan: number): number {
  const [p, b] = [inTicks(price, perYuan), inTicks(base, perYuan)]
  if (Number.isNaN(p) || Number.isNaN(b)) return ((price - base) / base) * 100
  return ((p - b) * 100) / b
}
