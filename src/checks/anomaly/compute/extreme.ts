import { compare, type Fraction, fractionOf, minus, quotient } from './fraction.js'
import type { IndexPath } from './index-levels.js'
import { exactGrowth, type Path } from './path.js'
import type { Prices } from './prices.js'

/**
 * The greatest and the least deviation over the intervals that end with one day, as doubles have them. Written in place,
 * as it is used for each day and window.
 */
export interface Extremes {
  greatest: number
  /** Start of the interval; -1 without any. */
  greatestAt: number
  /** Another interval is so near that doubles cannot tell which is the greater. */
  greatestNear: boolean
  least: number
  leastAt: number
  leastNear: boolean
  /** Deviations that are no further apart than this cannot be told apart. */
  tolerance: number
}

export function noExtremes(): Extremes {
  return {
    greatest: Number.NEGATIVE_INFINITY,
    greatestAt: -1,
    greatestNear: false,
    least: Number.POSITIVE_INFINITY,
    leastAt: -1,
    leastNear: false,
    tolerance: 0,
  }
}

/** Begins anew for the intervals that end with a day. */
export function begin(extremes: Extremes, path: Path, index: IndexPath, end: number): void {
  extremes.greatest = Number.NEGATIVE_INFINITY
  extremes.least = Number.POSITIVE_INFINITY
  extremes.greatestAt = -1
  extremes.leastAt = -1
  extremes.greatestNear = false
  extremes.leastNear = false
  const growths =
    (path.level[end] as number) * path.greatestInverse + (index.close[end] as number) * index.greatestInverse
  extremes.tolerance = 2 * path.error * growths
}

/** Looks at the intervals that begin on `from`, on the days before it, and on `to` last: shorter before longer. */
export function extend(extremes: Extremes, path: Path, index: IndexPath, end: number, from: number, to: number): void {
  const { inverse } = path
  const { inverse: indexInverse } = index
  const { tolerance } = extremes
  const [level, close] = [path.level[end] as number, index.close[end] as number]
  let { greatest, greatestAt, greatestNear, least, leastAt, leastNear } = extremes
  for (let start = from; start >= to; start--) {
    const deviation = level * (inverse[start - 1] as number) - close * (indexInverse[start - 1] as number)
    if (deviation > greatest) {
      greatestNear = deviation <= greatest + tolerance
      greatest = deviation
      greatestAt = start
    } else if (deviation >= greatest - tolerance) greatestNear = true
    if (deviation < least) {
      leastNear = deviation >= least - tolerance
      least = deviation
      leastAt = start
    } else if (deviation <= least + tolerance) leastNear = true
  }
  extremes.greatest = greatest
  extremes.greatestAt = greatestAt
  extremes.greatestNear = greatestNear
  extremes.least = least
  extremes.leastAt = leastAt
  extremes.leastNear = leastNear
}

/** The benchmark's growth from a day to a later one, exactly. */
export function exactIndexGrowth(index: IndexPath, from: number, to: number): Fraction {
  return quotient(fractionOf(index.close[to] as number), fractionOf(index.close[from] as number))
}

/** Starts whose deviation doubles can't tell from the extreme one, shorter interval first. */
export function nearStarts(
  extremes: Extremes,
  path: Path,
  index: IndexPath,
  end: number,
  to: number,
  up: boolean,
): number[] {
  const best = up ? extremes.greatest : extremes.least
  const found: number[] = []
  for (let start = end; start >= to; start--) {
    const growth = (path.level[end] as number) * (path.inverse[start - 1] as number)
    const deviation = growth - (index.close[end] as number) * (index.inverse[start - 1] as number)
    if (Math.abs(deviation - best) <= 2 * extremes.tolerance) found.push(start)
  }
  return found
}

/** Of some starts the one of the extreme deviation, exactly; of equal ones the first, which is the shorter interval. */
export function exactStart(
  starts: readonly number[],
  path: Path,
  prices: Prices,
  index: IndexPath,
  end: number,
  up: boolean,
): number {
  let best = -1
  let found: Fraction | undefined
  for (const start of starts) {
    const here = minus(exactGrowth(path, prices, start - 1, end), exactIndexGrowth(index, start - 1, end))
    const order = found === undefined ? 1 : compare(here, found)
    if (found !== undefined && (up ? order <= 0 : order >= 0)) continue
    best = start
    found = here
  }
  return best
}
