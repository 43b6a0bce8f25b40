import { parseCode } from '../../contract/symbol.js'

/**
 * What prices on a tick and their rounded changes in percent say of the close before them.
 *
 * A published change c of a price p, rounded to the nearest, ends of the interval included, means a close b with
 * |(p / b - 1) x 100 - c| <= half a unit of c's last decimal. On a tick there are few such b, and every snapshot of an
 * auction leaves fewer. All of it is done in whole numbers, so it is exact.
 */
export interface Implied {
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
  const places = new Uint8Array(rows.length)
  for (let i = 0; i < places.length; i++) {
    const [price, change] = [prices[rows[i] as number] as number, changes[rows[i] as number] as number]
    if (price > 0 && !Number.isNaN(change)) places[i] = placesIn(change)
  }
  return places
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
): Implied | undefined {
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
