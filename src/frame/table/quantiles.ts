/** The numbers that are there, ascending. */
export function sortedPresent(x: Float64Array): Float64Array {
  return x.filter((value) => !Number.isNaN(value)).sort()
}

/** The number at a place of ascending ones, from 0, linear between neighbours; NaN when there are none. */
export function placeInSorted(ascending: Float64Array, at: number): number {
  if (ascending.length === 0) return Number.NaN
  const low = Math.floor(at)
  const a = ascending[low] as number
  const b = ascending[Math.min(low + 1, ascending.length - 1)] as number
  const t = at - low
  if (t === 0 || a === b) return a
  if (!Number.isFinite(a) || !Number.isFinite(b)) return a + b
  return t < 0.5 ? a + (b - a) * t : b - (b - a) * (1 - t)
}

/** The quantile of ascending numbers, linear between neighbours; NaN when there are none. */
export function quantileOfSorted(ascending: Float64Array, q: number): number {
  return placeInSorted(ascending, (ascending.length - 1) * q)
}
