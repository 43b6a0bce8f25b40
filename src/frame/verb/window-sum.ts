/*
 * Windows without subtraction. The rows are cut into blocks of the window's length; a window is the end of one block and
 * the beginning of the next, and both are summed by adding only. So nothing drifts, and what has left a window, infinity
 * included, has left no trace. What each addition rounds away is kept (Knuth's two-sum).
 */

/** Sums of each window of `n` rows that ends at a row, of numbers without NaN. */
function denseSums(x: Float64Array, n: number): Float64Array {
  const { length } = x
  const sum = new Float64Array(length)
  const size = Math.min(n, length)
  const [tail, tailLost] = [new Float64Array(size + 1), new Float64Array(size + 1)]
  for (let base = 0; base < length; base += n) {
    const end = Math.min(base + n, length)
    let [s, lost] = [0, 0]
    for (let row = base; row < end; row++) {
      const value = x[row] as number
      const next = s + value
      const part = next - s
      lost += s - (next - part) + (value - part)
      s = next
      const at = base === 0 ? size : row - base + 1
      const other = tail[at] as number
      const all = s + other
      const added = all - s
      const whole = all + (lost + (tailLost[at] as number) + (s - (all - added)) + (other - added))
      sum[row] = Number.isFinite(all) ? whole : all
    }
    if (end === length) break
    s = 0
    lost = 0
    for (let at = n - 1; at > 0; at--) {
      const value = x[base + at] as number
      const next = s + value
      const part = next - s
      lost += s - (next - part) + (value - part)
      s = next
      tail[at] = s
      tailLost[at] = lost
    }
  }
  return sum
}

/** Numbers that are there in each window of `n` rows that ends at a row. */
export function windowCounts(x: Float64Array, n: number): Int32Array {
  const out = new Int32Array(x.length)
  let there = 0
  for (let row = 0; row < x.length; row++) {
    if (!Number.isNaN(x[row])) there++
    if (row >= n && !Number.isNaN(x[row - n])) there--
    out[row] = there
  }
  return out
}

/** Sums of the numbers that are there in each window of `n` rows that ends at a row; 0 of none. */
export function windowSums(x: Float64Array, n: number, missing: boolean): Float64Array {
  return denseSums(missing ? x.map((value) => (Number.isNaN(value) ? 0 : value)) : x, n)
}
