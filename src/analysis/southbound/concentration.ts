import { sumDecimals } from '../../checks/exact/decimal.js'

interface Shares {
  readonly largest: Float64Array
  readonly three: Float64Array
  readonly herfindahl: Float64Array
}

/** Buys and sells added, exactly, of whole numbers without a detour. */
export function turnoverOf(parts: readonly number[]): number {
  let sum = 0
  for (const part of parts) {
    if (!Number.isInteger(part)) return sumDecimals(parts)
    sum += Math.abs(part)
  }
  return sum <= Number.MAX_SAFE_INTEGER && parts.every((part) => part >= 0) ? sum : sumDecimals(parts)
}

/**
 * Writes how much of the whole the largest have: the first, the first three, and the sum of the squared shares (Herfindahl's
 * index). Nothing where the whole is not known or not above 0, or a part is below 0. The order of the parts does not matter.
 */
export function concentrate(parts: Float64Array, whole: number, into: Shares, row: number): void {
  if (!(whole > 0)) return
  parts.sort()
  const count = parts.length
  if (!((parts[0] as number) >= 0)) return
  into.largest[row] = (parts[count - 1] as number) / whole
  into.three[row] = count <= 3 ? 1 : sumDecimals(parts.subarray(count - 3)) / whole
  let squares = 0
  for (const part of parts) squares += (part / whole) ** 2
  into.herfindahl[row] = Math.min(1, squares)
}
