import { QuotebookError } from '../../contract/error.js'
import { type ColumnData, floatsIn, textIn } from '../../table/values.js'
import { orderByNumber } from './number-order.js'

/** A key as ranks, by digits: the highest digit last. All orders that come of it are stable. */
interface Digits {
  readonly digits: readonly Uint32Array[]
  /** Ranks of a digit are below it. */
  readonly size: number
}

function wordRanks(codes: Int32Array, words: readonly string[], descending: boolean): Digits {
  const sorted = Int32Array.from(words.keys()).sort((a, b) => {
    const [one, two] = [words[a] as string, words[b] as string]
    return one < two ? -1 : one > two ? 1 : 0
  })
  const last = words.length
  const rankOf = new Uint32Array(last)
  sorted.forEach((code, rank) => {
    rankOf[code] = descending ? last - 1 - rank : rank
  })
  const ranks = new Uint32Array(codes.length)
  for (let row = 0; row < ranks.length; row++) {
    const code = codes[row] as number
    ranks[row] = code < 0 ? last : (rankOf[code] as number)
  }
  return last < 65_536 ? { digits: [ranks], size: last + 1 } : { digits: halves(ranks), size: 65_536 }
}

function halves(ranks: Uint32Array): Uint32Array[] {
  return [ranks.map((rank) => rank & 0xffff), ranks.map((rank) => rank >>> 16)]
}

function ranksOf(values: ColumnData, name: string, descending: boolean): Digits {
  const text = textIn(values)
  if (text) return wordRanks(text.data, text.words, descending)
  if (values.form !== 'flag')
    throw new QuotebookError('INVALID_VALUE', `column '${name}' holds lists, which have no order`)
  const { data, valid } = values
  const ranks = Uint32Array.from(data, (flag, row) => (valid?.[row] === 0 ? 2 : descending ? 1 - flag : flag))
  return { digits: [ranks], size: 3 }
}

/** Rows in the order of one digit, equal ones as they were. */
function pass(order: Int32Array, digit: Uint32Array, size: number): Int32Array {
  const next = new Int32Array(size)
  for (let row = 0; row < digit.length; row++) {
    const rank = digit[row] as number
    next[rank] = (next[rank] as number) + 1
  }
  if (digit.length > 0 && next[digit[0] as number] === digit.length) return order
  let sum = 0
  for (let rank = 0; rank < size; rank++) {
    const count = next[rank] as number
    next[rank] = sum
    sum += count
  }
  const out = new Int32Array(order.length)
  for (let i = 0; i < order.length; i++) {
    const row = order[i] as number
    const rank = digit[row] as number
    const at = next[rank] as number
    out[at] = row
    next[rank] = at + 1
  }
  return out
}

export interface OrderKey {
  readonly name: string
  readonly values: ColumnData
  readonly descending: boolean
}

/** Row numbers in the order of the keys, the first key first; stable, missing last. Text by code units. */
export function orderOf(keys: readonly OrderKey[], length: number): Int32Array {
  let order: Int32Array = new Int32Array(length)
  for (let row = 0; row < length; row++) order[row] = row
  for (const { name, values, descending } of [...keys].reverse()) {
    const numbers = floatsIn(values)
    if (numbers) {
      order = orderByNumber(numbers, order, descending)
      continue
    }
    const { digits, size } = ranksOf(values, name, descending)
    for (const digit of digits) order = pass(order, digit, size)
  }
  return order
}
