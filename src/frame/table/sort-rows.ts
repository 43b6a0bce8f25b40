import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { fillArray } from './fresh-array.js'
import { codesByOffset } from './group-rows.js'
import { type ColumnData, floatsIn, textIn } from './values.js'

/*
 * The order of rows by columns. Every order is stable, and missing cells come last in both directions.
 *
 * Text is sorted by the ranks of its words. Doubles are sorted by their bits, turned so that they compare as unsigned
 * numbers the way the doubles do: first by the upper 32, with which few different numbers are equal, then those few by
 * the lower 32.
 */

/** A column to sort by; the name is for messages. */
export interface SortColumn {
  readonly name: string
  readonly values: ColumnData
  readonly descending: boolean
}

/** The rank of each cell of a column. */
interface CellRanks {
  /** By row; a missing cell has the greatest. */
  readonly ranks: Uint32Array
  /** All ranks are below it. */
  readonly size: number
}

/** The place of each word in the order of code units. */
export function rankWords(words: readonly string[]): Uint32Array {
  const sorted = Int32Array.from(words.keys()).sort((a, b) => {
    const [one, two] = [words[a] as string, words[b] as string]
    return one < two ? -1 : one > two ? 1 : 0
  })
  const ranks = new Uint32Array(words.length)
  sorted.forEach((code, rank) => {
    ranks[code] = rank
  })
  return ranks
}

/** Ranks of text or booleans. @throws QuotebookError INVALID_VALUE for lists */
export function rankCells({ name, values, descending }: SortColumn): CellRanks {
  const text = textIn(values)
  if (text) {
    const last = text.dictionary.length
    const ascending = rankWords(text.dictionary)
    const rankOf = descending ? ascending.map((rank) => last - 1 - rank) : ascending
    const ranks = new Uint32Array(text.data.length)
    for (let row = 0; row < ranks.length; row++) {
      const code = text.data[row] as number
      ranks[row] = code < 0 ? last : (rankOf[code] as number)
    }
    return { ranks, size: last + 1 }
  }
  if (values.type !== 'boolean')
    throw new QuotebookError('INVALID_VALUE', sentence`column '${name}' holds lists, which have no order`)
  const { data, valid } = values
  const rankAt = (row: number): number => {
    const flag = data[row] as number
    return valid?.[row] === 0 ? 2 : descending ? 1 - flag : flag
  }
  return { ranks: fillArray(new Uint32Array(data.length), rankAt), size: 3 }
}

/** One pass of a counting sort: rows in the order of their ranks, equal ones as they were. */
function countingSort(order: Int32Array, ranks: Uint32Array, size: number): Int32Array {
  const next = new Int32Array(size)
  for (let row = 0; row < ranks.length; row++) {
    const rank = ranks[row] as number
    next[rank] = (next[rank] as number) + 1
  }
  if (ranks.length > 0 && next[ranks[0] as number] === ranks.length) return order
  let sum = 0
  for (let rank = 0; rank < size; rank++) {
    const count = next[rank] as number
    next[rank] = sum
    sum += count
  }
  const out = new Int32Array(order.length)
  for (let i = 0; i < order.length; i++) {
    const row = order[i] as number
    const rank = ranks[row] as number
    const at = next[rank] as number
    out[at] = row
    next[rank] = at + 1
  }
  return out
}

function sortByRanks(order: Int32Array, { ranks, size }: CellRanks): Int32Array {
  return size <= 65_536 ? countingSort(order, ranks, size) : radixSort(ranks, order).rows
}

/** The bits of each number in two halves, turned so that they sort as the numbers do; of NaN above all others. */
interface SortableBits {
  readonly low: Uint32Array
  readonly high: Uint32Array
}

function sortableBits(numbers: Float64Array, descending: boolean): SortableBits {
  const { length } = numbers
  const words = new Uint32Array(numbers.buffer, numbers.byteOffset, 2 * length)
  const [low, high] = [new Uint32Array(length), new Uint32Array(length)]
  for (let row = 0; row < length; row++) {
    const value = numbers[row] as number
    if (Number.isNaN(value)) {
      low[row] = 0xffffffff
      high[row] = 0xffffffff
      continue
    }
    const top = value === 0 ? 0 : (words[2 * row + 1] as number)
    const flip = top >>> 31 === (descending ? 0 : 1) ? 0xffffffff : 0
    const sign = descending ? (flip ? 0x7fffffff : 0) : flip || 0x80000000
    low[row] = (words[2 * row] as number) ^ flip
    high[row] = top ^ sign
  }
  return { low, high }
}

interface KeyedRows {
  readonly rows: Int32Array
  readonly keys: Uint32Array
}

const digitBits = 11
const digits = 1 << digitBits

/** How often each digit of each pass comes, and the keys in an order, in one walk. */
function countDigits(key: Uint32Array, order: Int32Array, keys: Uint32Array): Int32Array {
  const counts = new Int32Array(3 * digits)
  for (let at = 0; at < order.length; at++) {
    const own = key[order[at] as number] as number
    keys[at] = own
    const [low, middle] = [own & (digits - 1), digits + ((own >>> digitBits) & (digits - 1))]
    const high = 2 * digits + (own >>> (2 * digitBits))
    counts[low] = (counts[low] as number) + 1
    counts[middle] = (counts[middle] as number) + 1
    counts[high] = (counts[high] as number) + 1
  }
  return counts
}

/** Rows in the order of 32 bits, equal ones as they were: three passes of eleven, keys moving with their rows. */
function radixSort(key: Uint32Array, order: Int32Array): KeyedRows {
  const { length } = order
  let from: KeyedRows = { rows: order, keys: new Uint32Array(length) }
  let to: KeyedRows = { rows: new Int32Array(length), keys: new Uint32Array(length) }
  const counts = countDigits(key, order, from.keys)
  for (let pass = 0; pass < 3 && length > 0; pass++) {
    const shift = pass * digitBits
    const next = counts.subarray(pass * digits, (pass + 1) * digits)
    const { keys, rows } = from
    if (next[((keys[0] as number) >>> shift) & (digits - 1)] === length) continue
    let sum = 0
    for (let digit = 0; digit < digits; digit++) {
      const count = next[digit] as number
      next[digit] = sum
      sum += count
    }
    const [toKeys, toRows] = [to.keys, to.rows]
    for (let at = 0; at < length; at++) {
      const own = keys[at] as number
      const digit = (own >>> shift) & (digits - 1)
      const place = next[digit] as number
      toKeys[place] = own
      toRows[place] = rows[at] as number
      next[digit] = place + 1
    }
    const free = rows === order ? { rows: new Int32Array(length), keys } : from
    from = to
    to = free
  }
  return from
}

/** Rows with equal upper bits are put in the order of the lower, if there are few; false when there are many. */
function sortTiesByLow({ rows: order, keys }: KeyedRows, low: Uint32Array): boolean {
  for (let from = 0; from < order.length; ) {
    const own = keys[from] as number
    let to = from + 1
    let sorted = true
    let last = low[order[from] as number] as number
    while (to < order.length && keys[to] === own) {
      const next = low[order[to] as number] as number
      if (next < last) sorted = false
      last = next
      to++
    }
    if (!sorted) {
      if (to - from > 64) return false
      insertionSort(order, low, from, to)
    }
    from = to
  }
  return true
}

function insertionSort(order: Int32Array, low: Uint32Array, from: number, to: number): void {
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

/** Rows up to which comparing costs less than counting 2,048 digits, as in the ranks of one day. */
const few = 150

function sortByComparing(order: Int32Array, numbers: Float64Array, descending: boolean): Int32Array {
  const sign = descending ? -1 : 1
  return order.slice().sort((a, b) => {
    const [x, y] = [numbers[a] as number, numbers[b] as number]
    if (x < y) return -sign
    return x > y ? sign : Number(Number.isNaN(x)) - Number(Number.isNaN(y))
  })
}

/** Whole numbers in a narrow range, as days and minutes are, have ranks: they are counted; undefined for others. */
function sortByCounting(order: Int32Array, numbers: Float64Array, descending: boolean): Int32Array | undefined {
  const coded = codesByOffset([numbers], numbers.length)
  if (!coded) return undefined
  const { size } = coded
  const [codes] = coded.sides as [Int32Array]
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number
    codes[row] = code < 0 ? size : descending ? size - 1 - code : code
  }
  return sortByRanks(order, { ranks: new Uint32Array(codes.buffer), size: size + 1 })
}

function sortByNumbers(order: Int32Array, numbers: Float64Array, descending: boolean): Int32Array {
  if (order.length <= few) return sortByComparing(order, numbers, descending)
  const counted = sortByCounting(order, numbers, descending)
  if (counted) return counted
  const bits = sortableBits(numbers, descending)
  const upper = radixSort(bits.high, order)
  if (upper.rows !== order && sortTiesByLow(upper, bits.low)) return upper.rows
  return radixSort(bits.high, radixSort(bits.low, order).rows).rows
}

/** The numbers from 0 up to `length`: all rows as they stand. */
export function allRows(length: number): Int32Array {
  const rows = new Int32Array(length)
  for (let row = 0; row < length; row++) rows[row] = row
  return rows
}

/** Row numbers of numbers in ascending or descending order; stable, NaN last. */
export function sortNumbers(numbers: Float64Array, descending = false): Int32Array {
  return sortByNumbers(allRows(numbers.length), numbers, descending)
}

/** Whether rows stand in the order of text columns already, as those of answers do: a look at each costs less than to sort. */
export function areSorted(keys: readonly SortColumn[], length: number): boolean {
  const texts = keys.flatMap(({ values, descending }) =>
    values.type === 'dictionary' ? [{ ...values, descending }] : [],
  )
  if (texts.length < keys.length) return false
  next: for (let row = 1; row < length; row++) {
    for (const { data, dictionary, descending } of texts) {
      const own = data[row] as number
      const before = data[row - 1] as number
      if (own === before) continue
      if (before < 0) return false
      if (own < 0) continue next
      const [word, last] = [dictionary[own] as string, dictionary[before] as string]
      if (descending ? word > last : word < last) return false
      continue next
    }
  }
  return true
}

/**
 * Row numbers in the order of the keys, the first key first; stable, missing last. Text is ordered by code units.
 * @throws QuotebookError INVALID_VALUE for a column of lists
 */
export function sortRows(keys: readonly SortColumn[], length: number): Int32Array {
  let order = allRows(length)
  if (areSorted(keys, length)) return order
  for (const key of [...keys].reverse()) {
    const numbers = floatsIn(key.values)
    order = numbers ? sortByNumbers(order, numbers, key.descending) : sortByRanks(order, rankCells(key))
  }
  return order
}
