/** Numbers there and the sum of their squared distances from their mean, of each window of `n` rows; see window-sum.ts. */
export interface WindowSquares {
  readonly count: Int32Array
  readonly squares: Float64Array
}

/** The first finite number from a row towards another; 0 where there is none. */
function originOf(x: Float64Array, from: number, to: number): number {
  const step = from <= to ? 1 : -1
  for (let row = from; row !== to + step; row += step) if (Number.isFinite(x[row])) return x[row] as number
  return 0
}

/**
 * Welford's recurrence within a block, Chan's formula across two. Means are kept as distances from a number that is in
 * the window itself, the block's first or last, so that small variations of great numbers lose nothing.
 */
export function windowSquares(x: Float64Array, n: number): WindowSquares {
  const { length } = x
  const count = new Int32Array(length)
  const squares = new Float64Array(length)
  const size = Math.min(n, length)
  const [tailMean, tailSquares] = [new Float64Array(size + 1), new Float64Array(size + 1)]
  const tailCount = new Int32Array(size + 1)
  let last = 0
  for (let base = 0; base < length; base += n) {
    const end = Math.min(base + n, length)
    let origin = originOf(x, base, end - 1)
    const between = origin - last
    let [there, mean, m2] = [0, 0, 0]
    for (let row = base; row < end; row++) {
      const value = x[row] as number
      if (!Number.isNaN(value)) {
        const off = value - origin - mean
        mean += off / ++there
        m2 += off * (value - origin - mean)
      }
      const at = base === 0 ? size : row - base + 1
      const before = tailCount[at] as number
      const all = there + before
      count[row] = all
      if (before === 0) squares[row] = m2
      else if (there === 0) squares[row] = tailSquares[at] as number
      else {
        const apart = mean - (tailMean[at] as number) + between
        squares[row] = m2 + (tailSquares[at] as number) + (apart * apart * there * before) / all
      }
    }
    if (end === length) break
    origin = originOf(x, end - 1, base)
    last = origin
    there = 0
    mean = 0
    m2 = 0
    for (let at = n - 1; at > 0; at--) {
      const value = x[base + at] as number
      if (!Number.isNaN(value)) {
        const off = value - origin - mean
        mean += off / ++there
        m2 += off * (value - origin - mean)
      }
      tailMean[at] = mean
      tailSquares[at] = m2
      tailCount[at] = there
    }
  }
  return { count, squares }
}
