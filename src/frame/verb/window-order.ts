import { sortNumbers } from '../../table/sort-rows.js'

/** The least (or the greatest, with `sign` -1) number of each window of `n` rows; infinite where it has none. */
export function windowLeast(x: Float64Array, n: number, sign: 1 | -1): Float64Array {
  const out = new Float64Array(x.length)
  const rows = new Int32Array(x.length)
  let [head, tail] = [0, 0]
  for (let row = 0; row < x.length; row++) {
    const value = sign * (x[row] as number)
    if (!Number.isNaN(value)) {
      while (tail > head && sign * (x[rows[tail - 1] as number] as number) >= value) tail--
      rows[tail++] = row
    }
    if (head < tail && (rows[head] as number) <= row - n) head++
    out[row] = head < tail ? (x[rows[head] as number] as number) : sign * Number.POSITIVE_INFINITY
  }
  return out
}

/** Which of the numbers of a window are in it, by their places in the order of all: a Fenwick tree of counts. */
class Places {
  readonly #tree: Int32Array
  readonly #top: number

  constructor(size: number) {
    this.#tree = new Int32Array(size + 1)
    let top = 1
    while (top * 2 <= size) top *= 2
    this.#top = top
  }

  add(place: number, by: 1 | -1): void {
    const tree = this.#tree
    for (let at = place + 1; at < tree.length; at += at & -at) tree[at] = (tree[at] as number) + by
  }

  /** The place of the one that has `before` others before it. */
  at(before: number): number {
    const tree = this.#tree
    let [at, left] = [0, before]
    for (let step = this.#top; step > 0; step >>= 1) {
      const next = at + step
      if (next < tree.length && (tree[next] as number) <= left) {
        at = next
        left -= tree[next] as number
      }
    }
    return at
  }
}

/** The median of each window of `n` rows; NaN where it has no number. */
export function windowMedian(x: Float64Array, n: number): Float64Array {
  const order = sortNumbers(x)
  const place = new Int32Array(x.length)
  for (let at = 0; at < order.length; at++) place[order[at] as number] = at
  const there = new Places(x.length)
  const out = new Float64Array(x.length)
  const numberAt = (before: number): number => x[order[there.at(before)] as number] as number
  let count = 0
  for (let row = 0; row < x.length; row++) {
    if (!Number.isNaN(x[row])) {
      there.add(place[row] as number, 1)
      count++
    }
    if (row >= n && !Number.isNaN(x[row - n])) {
      there.add(place[row - n] as number, -1)
      count--
    }
    if (count === 0) out[row] = Number.NaN
    else if (count % 2 === 1) out[row] = numberAt(count >> 1)
    else out[row] = (numberAt((count >> 1) - 1) + numberAt(count >> 1)) / 2
  }
  return out
}
