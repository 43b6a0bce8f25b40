/*
 * Doubles are sorted by their bits, turned so that they compare as unsigned numbers the way the doubles do: first by the
 * upper 32, with which few different numbers are equal, then those few by the lower 32.
 */

interface Keys {
  readonly low: Uint32Array
  readonly high: Uint32Array
}

/** Turned bits by row; of NaN above all others, also when descending. */
function keysOf(numbers: Float64Array, descending: boolean): Keys {
  const { length } = numbers
  const normal = new Float64Array(length)
  for (let row = 0; row < length; row++) normal[row] = (numbers[row] as number) + 0
  const words = new Uint32Array(normal.buffer)
  const [low, high] = [new Uint32Array(length), new Uint32Array(length)]
  for (let row = 0; row < length; row++) {
    if (Number.isNaN(normal[row])) {
      low[row] = 0xffffffff
      high[row] = 0xffffffff
      continue
    }
    const top = words[2 * row + 1] as number
    const flip = top >>> 31 === (descending ? 0 : 1) ? 0xffffffff : 0
    const sign = descending ? (flip ? 0x7fffffff : 0) : flip || 0x80000000
    low[row] = (words[2 * row] as number) ^ flip
    high[row] = top ^ sign
  }
  return { low, high }
}

interface Moving {
  readonly rows: Int32Array
  readonly keys: Uint32Array
}

const width = 11
const buckets = 1 << width

/** Rows in the order of 32 bits, equal ones as they were: three passes of eleven, keys moving with their rows. */
function radix(key: Uint32Array, order: Int32Array): Int32Array {
  const { length } = order
  let from: Moving = { rows: order, keys: new Uint32Array(length) }
  for (let at = 0; at < length; at++) from.keys[at] = key[order[at] as number] as number
  let to: Moving = { rows: new Int32Array(length), keys: new Uint32Array(length) }
  for (let shift = 0; shift < 32; shift += width) {
    const next = new Int32Array(buckets)
    const { keys, rows } = from
    for (let at = 0; at < length; at++) {
      const digit = ((keys[at] as number) >>> shift) & (buckets - 1)
      next[digit] = (next[digit] as number) + 1
    }
    if (length === 0 || next[((keys[0] as number) >>> shift) & (buckets - 1)] === length) continue
    let sum = 0
    for (let digit = 0; digit < buckets; digit++) {
      const count = next[digit] as number
      next[digit] = sum
      sum += count
    }
    const [toKeys, toRows] = [to.keys, to.rows]
    for (let at = 0; at < length; at++) {
      const own = keys[at] as number
      const digit = (own >>> shift) & (buckets - 1)
      const place = next[digit] as number
      toKeys[place] = own
      toRows[place] = rows[at] as number
      next[digit] = place + 1
    }
    const free = rows === order ? { rows: new Int32Array(length), keys } : from
    from = to
    to = free
  }
  return from.rows
}

/** Rows of one key of the upper bits are put in the order of the lower, if there are few; false when there are many. */
function settle(order: Int32Array, { low, high }: Keys): boolean {
  for (let from = 0; from < order.length; ) {
    const own = high[order[from] as number] as number
    let to = from + 1
    let sorted = true
    while (to < order.length) {
      const row = order[to] as number
      if (high[row] !== own) break
      if ((low[row] as number) < (low[order[to - 1] as number] as number)) sorted = false
      to++
    }
    if (!sorted) {
      if (to - from > 64) return false
      insert(order, low, from, to)
    }
    from = to
  }
  return true
}

function insert(order: Int32Array, low: Uint32Array, from: number, to: number): void {
  for (let at = from + 1; at < to; at++) {
    const row = order[at] as number
    const own = low[row] as number
    let place = at
    while (place > from && (low[order[place - 1] as number] as number) > own) {
      order[place] = order[place - 1] as number
      place--
    }
    order[place] = row
  }
}

/** Rows in the order of their numbers, equal ones as they were, NaN last both ways. */
export function orderByNumber(numbers: Float64Array, order: Int32Array, descending: boolean): Int32Array {
  const keys = keysOf(numbers, descending)
  const upper = radix(keys.high, order)
  if (upper !== order && settle(upper, keys)) return upper
  return radix(keys.high, radix(keys.low, order))
}

/** Row numbers of numbers in ascending or descending order; stable, NaN last. */
export function numberOrder(numbers: Float64Array, descending = false): Int32Array {
  const order = new Int32Array(numbers.length)
  for (let row = 0; row < order.length; row++) order[row] = row
  return orderByNumber(numbers, order, descending)
}
