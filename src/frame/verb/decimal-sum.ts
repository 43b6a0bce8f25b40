/*
 * Sums of amounts as a person adds them. A double is only the nearest to 0.1, so the exact sum of ten of them is not 1 and
 * prints with a tail. Where every number prints as a decimal of at most four places, the sum that is meant is that of the
 * decimals: whole parts and ten-thousandths are added apart, both as whole numbers, and so without rounding.
 */

const scale = 1e4
/** Below these sizes doubles lie closer than half a unit of 4 and of 2 places: the nearest decimal is the one that is printed. */
const dense = [2 ** 39, 2 ** 46] as const
/** From here on a double prints digits that it does not hold. */
const exact = 2 ** 53

/** The ten-thousandths behind the point of a number as it prints; NaN when it has more places, or is too large to tell. */
export function fractionOf(value: number, whole: number): number {
  if (value === whole) return Math.abs(value) <= exact ? 0 : Number.NaN
  const size = Math.abs(value)
  const unit = size < dense[0] ? scale : 100
  const units = Math.round((value - whole) * unit)
  if (size < dense[1] && (whole * unit + units) / unit === value) return units * (scale / unit)
  if (size < dense[0]) return Number.NaN
  const places = String(value).split('.')[1] ?? ''
  return places.length > 4 ? Number.NaN : Math.sign(value) * Number(places.padEnd(4, '0'))
}

/** The double nearest to a whole number, given as the sum of two, and ten-thousandths. */
export function decimalOf(whole: number, rest: number, fraction: number): number {
  const units = whole * scale + fraction
  if (rest === 0 && Math.abs(units) < exact && Math.abs(whole) * scale < exact) return units / scale
  return Number(`${(BigInt(whole) + BigInt(rest)) * BigInt(scale) + BigInt(fraction)}e-4`)
}
