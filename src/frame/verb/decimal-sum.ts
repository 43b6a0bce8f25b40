/*
 * Sums of amounts as a person adds them. A double is only the nearest to 0.1, so the exact sum of ten of them is not 1 and
 * prints with a tail. Where every number is the double of a decimal with a few places, the sum that is meant is that of
 * the decimals, and it can be had: the doubles are off by at most 2^-53 of themselves, so their sum is off by at most
 * 2^-53 of the sum of their sizes. While that is less than half a unit of the last place, rounding to the place takes it
 * away.
 */

const scales = [1e2, 1e4] as const

/** Which of the scales makes a number whole, counted from 0; their number when none does. */
export function levelOf(value: number): number {
  if (Math.round(value * 1e2) / 1e2 === value) return 0
  if (Math.round(value * 1e4) / 1e4 === value) return 1
  return scales.length
}

/** A quarter of a unit for the doubles, a quarter for the product below. */
const most = 2 ** 51

/**
 * The sum of decimals.
 * @param sum the compensated sum of their doubles
 * @param size the sum of their absolute values
 * @param level the greatest of their levels
 */
export function asDecimal(sum: number, size: number, level: number): number {
  const scale = scales[level]
  return scale !== undefined && size * scale < most ? Math.round(sum * scale) / scale : sum
}
