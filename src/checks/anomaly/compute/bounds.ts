/** Greatest and least of the numbers that stand up to some places before each place; the first has none. */
export interface Bounds {
  readonly greatest: Float64Array
  readonly least: Float64Array
}

export function emptyBounds(size: number): Bounds {
  return { greatest: new Float64Array(size), least: new Float64Array(size) }
}

/** Greatest and least from the beginning of a block up to each place, and from each place to the end of its block. */
let ahead = emptyBounds(0)
let behind = emptyBounds(0)

/**
 * Bounds of numbers over the `window` places before each place; what is no number is passed over. A window is the end
 * of one block of its own length and the beginning of the next (van Herk, Gil and Werman), so each place costs the same
 * for any window.
 */
export function bound(values: Float64Array, length: number, window: number, out: Bounds): void {
  if (ahead.least.length < length) {
    ahead = emptyBounds(length)
    behind = emptyBounds(length)
  }
  const { greatest: headMost, least: headLeast } = ahead
  const { greatest: tailMost, least: tailLeast } = behind
  const { greatest: most, least } = out
  for (let from = 0; from < length; from += window) {
    const end = Math.min(from + window, length)
    let high = Number.NEGATIVE_INFINITY
    let low = Number.POSITIVE_INFINITY
    for (let at = from; at < end; at++) {
      const value = values[at] as number
      if (value > high) high = value
      if (value < low) low = value
      headMost[at] = high
      headLeast[at] = low
    }
    high = Number.NEGATIVE_INFINITY
    low = Number.POSITIVE_INFINITY
    for (let at = end - 1; at >= from; at--) {
      const value = values[at] as number
      if (value > high) high = value
      if (value < low) low = value
      tailMost[at] = high
      tailLeast[at] = low
    }
  }
  most[0] = Number.NaN
  least[0] = Number.NaN
  const inFirst = Math.min(window + 1, length)
  for (let at = 1; at < inFirst; at++) {
    most[at] = headMost[at - 1] as number
    least[at] = headLeast[at - 1] as number
  }
  for (let at = inFirst; at < length; at++) {
    const high = tailMost[at - window] as number
    const low = tailLeast[at - window] as number
    const highest = headMost[at - 1] as number
    const lowest = headLeast[at - 1] as number
    most[at] = Math.max(high, highest)
    least[at] = Math.min(low, lowest)
  }
}

/**
 * Whether any interval might be a row, by the greatest and least growth of stock (A) and benchmark (B) in the window.
 * A rise needs A (1 + limit) >= (T + B) g if its price is to lie within the limit, g being the day's growth, and
 * A >= T + B if it is triggered; a fall the reverse. Limit prices are rounded by half a cent, and doubles err by far
 * less than the rest of the slack, so that no row is missed. Plain code: it is run for each day of each stock.
 * @param limit of the day as a share of 1, with half a cent added
 * @param room thresholds of the measure that are reached first
 */
export function mayHaveRow(
  room: Room,
  limit: number,
  growth: number,
  level: number,
  stock: Bounds,
  close: number,
  benchmark: Bounds,
  at: number,
): boolean {
  const most = Math.max(1 + limit, growth)
  const highest = level * (stock.greatest[at] as number)
  const lowestIndex = close * (benchmark.least[at] as number)
  if (!(highest * most * (1 + 1e-9) < (room.up + lowestIndex) * growth)) return true
  const least = Math.min(1 - limit, growth)
  const lowest = level * (stock.least[at] as number)
  const highestIndex = close * (benchmark.greatest[at] as number)
  return !(lowest * least > (room.down + highestIndex) * growth * (1 + 1e-9) + 1e-12)
}

/** The least threshold of rises and the greatest of falls, as shares of 1; without rules, out of all reach. */
export interface Room {
  readonly up: number
  readonly down: number
}

export function roomOf(thresholds: readonly { readonly up: boolean; readonly share: number }[]): Room {
  let [up, down] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const one of thresholds) {
    if (one.up) up = Math.min(up, one.share)
    else down = Math.max(down, one.share)
  }
  return { up, down }
}
