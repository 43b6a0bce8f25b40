/** The numbers that are there, in an array of their own. */
export function presentNumbers(x: Float64Array): Float64Array {
  const out = new Float64Array(x.length)
  let count = 0
  for (let row = 0; row < x.length; row++) {
    out[count] = x[row] as number
    if (!Number.isNaN(x[row])) count++
  }
  return out.subarray(0, count)
}

/** The same, ascending. */
export function sortedPresent(x: Float64Array): Float64Array {
  return presentNumbers(x).sort()
}

/** Puts the number that belongs at a place of ascending ones there, the smaller before it and the greater behind (Hoare's selection). */
function select(x: Float64Array, place: number): number {
  let [low, high] = [0, x.length - 1]
  while (low < high) {
    const pivot = x[(low + high) >> 1] as number
    let [left, right] = [low, high]
    while (left <= right) {
      while ((x[left] as number) < pivot) left++
      while ((x[right] as number) > pivot) right--
      if (left > right) break
      const swapped = x[left] as number
      x[left++] = x[right] as number
      x[right--] = swapped
    }
    if (place <= right) high = right
    else if (place >= left) low = left
    else break
  }
  return x[place] as number
}

/** The median of the numbers that are there in a part of an array, as `quantileOfSorted` gives it; NaN when there are none. They change places. */
export function medianWithin(x: Float64Array, from: number, end: number): number {
  let to = from
  for (let at = from; at < end; at++) {
    const value = x[at] as number
    x[to] = value
    if (!Number.isNaN(value)) to++
  }
  return quantileWithin(x.subarray(from, to), 0.5)
}

/** The number a share of the way from one to a greater. */
function between(a: number, b: number, t: number): number {
  if (t === 0 || a === b) return a
  if (!Number.isFinite(a) || !Number.isFinite(b)) return a + b
  return t < 0.5 ? a + (b - a) * t : b - (b - a) * (1 - t)
}

/** The quantile of numbers in any order, as `quantileOfSorted` gives it. They change places. */
export function quantileWithin(x: Float64Array, q: number): number {
  if (x.length === 0) return Number.NaN
  const at = (x.length - 1) * q
  const low = Math.floor(at)
  const a = select(x, low)
  let b = at === low ? a : Number.POSITIVE_INFINITY
  for (let above = low + 1; at > low && above < x.length; above++) if ((x[above] as number) < b) b = x[above] as number
  // Sorting puts -0 before 0, selecting does not.
  return a === 0 || b === 0 ? quantileOfSorted(x.sort(), q) : between(a, b, at - low)
}

/** The number at a place of ascending ones, from 0, linear between neighbours; NaN when there are none. */
export function placeInSorted(ascending: Float64Array, at: number): number {
  if (ascending.length === 0) return Number.NaN
  const low = Math.floor(at)
  const a = ascending[low] as number
  const b = ascending[Math.min(low + 1, ascending.length - 1)] as number
  return between(a, b, at - low)
}

/** The quantile of ascending numbers, linear between neighbours; NaN when there are none. */
export function quantileOfSorted(ascending: Float64Array, q: number): number {
  return placeInSorted(ascending, (ascending.length - 1) * q)
}
