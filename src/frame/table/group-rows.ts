import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { fillArray } from './fresh-array.js'
import { isBlank } from './present-cells.js'
import { type ColumnData, floatsIn, type Text, textIn } from './values.js'

/*
 * Rows by equal keys. Each row gets a whole number, the same for equal keys: of one table to group its rows, of two to
 * join them.
 */

/** Codes of keys: the same code for the same key on every side, -1 for a missing one. */
export interface KeyCodes {
  readonly sides: readonly Int32Array[]
  /** All codes are below it. */
  readonly size: number
}

/** Key columns of one side or more, as cells and names for messages: one entry per key, one place in it per side. */
export type KeyColumns = readonly { readonly sides: readonly ColumnData[]; readonly names: readonly string[] }[]

const float = new Float64Array(1)
const bits = new Uint32Array(float.buffer)

function hashNumber(value: number): number {
  float[0] = value
  let hash = Math.imul(bits[0] as number, 0x9e3779b1) ^ Math.imul(bits[1] as number, 0x85ebca6b)
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}

/** Whole numbers in a narrow range are coded by their distance from the least; undefined for others. */
export function codesByOffset(sides: readonly Float64Array[], rows: number): KeyCodes | undefined {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const side of sides) {
    for (let row = 0; row < side.length; row++) {
      const value = side[row] as number
      if (Number.isNaN(value)) continue
      if (value < least) least = value
      if (value > most) most = value
      if (Math.floor(value) !== value || most - least > 4 * rows + 1024) return undefined
    }
  }
  if (least > most) return { sides: sides.map((side) => new Int32Array(side.length).fill(-1)), size: 0 }
  if (!Number.isSafeInteger(least) || !Number.isSafeInteger(most)) return undefined
  const codes = sides.map((side) => {
    const out = new Int32Array(side.length)
    for (let row = 0; row < side.length; row++) {
      const value = side[row] as number
      out[row] = !Number.isNaN(value) ? value - least : -1
    }
    return out
  })
  return { sides: codes, size: most - least + 1 }
}

function codesByHash(sides: readonly Float64Array[], rows: number): KeyCodes {
  let capacity = 1024
  while (capacity < 2 * rows) capacity *= 2
  const mask = capacity - 1
  const slots = new Int32Array(capacity).fill(-1)
  const known = new Float64Array(rows)
  let size = 0
  const codes = sides.map((side) => {
    const out = new Int32Array(side.length)
    for (let row = 0; row < side.length; row++) {
      const value = (side[row] as number) + 0
      if (Number.isNaN(value)) {
        out[row] = -1
        continue
      }
      let at = hashNumber(value) & mask
      let code = slots[at] as number
      while (code >= 0 && known[code] !== value) {
        at = (at + 1) & mask
        code = slots[at] as number
      }
      if (code < 0) {
        code = size++
        known[code] = value
        slots[at] = code
      }
      out[row] = code
    }
    return out
  })
  return { sides: codes, size }
}

/** 0 and -0 are one number. */
function codesOfNumbers(sides: readonly Float64Array[]): KeyCodes {
  const rows = sides.reduce((sum, side) => sum + side.length, 0)
  return codesByOffset(sides, rows) ?? codesByHash(sides, rows)
}

function codesOfText(sides: readonly Text[]): KeyCodes {
  const [first, ...rest] = sides as [Text, ...Text[]]
  if (rest.length === 0) return { sides: [first.data], size: first.dictionary.length }
  const codeOf = new Map(first.dictionary.map((word, code) => [word, code]))
  const others = rest.map(({ data, dictionary: words }) => {
    const map = Int32Array.from(words, (word) => {
      const code = codeOf.get(word) ?? codeOf.size
      codeOf.set(word, code)
      return code
    })
    return data.map((code) => (code < 0 ? -1 : (map[code] as number)))
  })
  return { sides: [first.data, ...others], size: codeOf.size }
}

const heldWords = {
  text: sentence`text`,
  numbers: sentence`numbers`,
  booleans: sentence`booleans`,
  lists: sentence`lists`,
} as const
type KeyType = keyof typeof heldWords

function typeOfKey({ type: form }: ColumnData): KeyType {
  if (form === 'dictionary' || form === 'string') return 'text'
  if (form === 'float' || form === 'int') return 'numbers'
  return form === 'boolean' ? 'booleans' : 'lists'
}

/** Codes of one key column, shared by all sides that it has. A side without any cell may be of any type. */
function codesOfColumn(sides: readonly ColumnData[], names: readonly string[]): KeyCodes {
  const types = sides.map(typeOfKey)
  const [type] = types
  const other = types.findIndex((found) => found !== type)
  if (other > 0) {
    const filled = sides.filter((values) => !isBlank(values))
    if (filled.length < sides.length) {
      const known = filled.length > 0 ? codesOfColumn(filled, names) : { sides: [], size: 0 }
      const missing = (values: ColumnData): Int32Array => new Int32Array(values.data.length).fill(-1)
      return { size: known.size, sides: sides.map((values) => known.sides[filled.indexOf(values)] ?? missing(values)) }
    }
    const hint = types.includes('text')
      ? sentence`; text read as numbers loses its zeros: read codes and dates as text`
      : ''
    const wrong = sentence`key '${names[0]}' holds ${heldWords[type as KeyType]} and key '${names[other]}' of the right ${heldWords[types[other] as KeyType]}, which are never equal${hint}`
    throw new QuotebookError('INVALID_VALUE', wrong)
  }
  switch (type) {
    case 'text':
      return codesOfText(sides.map((values) => textIn(values) as Text))
    case 'numbers':
      return codesOfNumbers(sides.map((values) => floatsIn(values) as Float64Array))
    case 'booleans': {
      const codes = (values: ColumnData): Int32Array => {
        const { data, valid } = values as Extract<ColumnData, { type: 'boolean' }>
        return fillArray(new Int32Array(data.length), (row) => (valid?.[row] === 0 ? -1 : (data[row] as number)))
      }
      return { sides: sides.map(codes), size: 2 }
    }
    default:
      throw new QuotebookError('INVALID_VALUE', sentence`column '${names[0]}' holds lists, which are no key`)
  }
}

/** Missing as a code of its own, the last one. */
function withMissing({ sides, size }: KeyCodes): KeyCodes {
  if (!sides.some((codes) => codes.includes(-1))) return { sides, size }
  return { sides: sides.map((codes) => codes.map((code) => (code < 0 ? size : code))), size: size + 1 }
}

/** One code for each pair of codes; -1 where either is. */
function pairCodes(left: KeyCodes, right: KeyCodes): KeyCodes {
  const { size } = right
  const product = left.size * size
  const rows = left.sides.reduce((sum, codes) => sum + codes.length, 0)
  const pairs = left.sides.map((a, side) => {
    const b = right.sides[side] as Int32Array
    const out = product <= 4 * rows + 65_536 ? new Int32Array(a.length) : new Float64Array(a.length)
    const missing = out instanceof Int32Array ? -1 : Number.NaN
    for (let row = 0; row < out.length; row++) {
      const one = a[row] as number
      const two = b[row] as number
      out[row] = one < 0 || two < 0 ? missing : one * size + two
    }
    return out
  })
  if (product <= 4 * rows + 65_536) return { sides: pairs as Int32Array[], size: product }
  return codesOfNumbers(pairs as Float64Array[])
}

/**
 * One code per row for all key columns together, the same on every side.
 * @param missing `alike`: missing cells are one value; `never`: a row with a missing cell has code -1
 * @throws QuotebookError INVALID_VALUE for no key, keys of different types on two sides, and lists
 */
export function encodeKeys(keys: KeyColumns, missing: 'alike' | 'never'): KeyCodes {
  let all: KeyCodes | undefined
  for (const { sides, names } of keys) {
    const own = codesOfColumn(sides, names)
    const codes = missing === 'alike' ? withMissing(own) : own
    all = all ? pairCodes(all, codes) : codes
  }
  if (!all) throw new QuotebookError('INVALID_VALUE', sentence`at least one key column must be named`)
  return all
}

/** Rows that share their keys, in order of first appearance. Missing keys are alike. */
export interface RowGroups {
  readonly count: number
  /** The group of each row. */
  readonly of: Int32Array
  /** The first row of each group. */
  readonly first: Int32Array
}

/** One group of all rows. */
export function oneGroup(length: number): RowGroups {
  return { count: 1, of: new Int32Array(length), first: new Int32Array(1) }
}

/** @throws QuotebookError INVALID_VALUE for no column, and for lists */
export function groupRows(columns: readonly { readonly name: string; readonly values: ColumnData }[]): RowGroups {
  const keys = columns.map(({ name, values }) => ({ sides: [values], names: [name] }))
  return groupCodes(encodeKeys(keys, 'alike'))
}

/** Rows that are of one group by both. */
export function groupPairs(left: RowGroups, right: RowGroups): RowGroups {
  const [a, b] = [left, right].map(({ of, count }): KeyCodes => ({ sides: [of], size: count })) as [KeyCodes, KeyCodes]
  return groupCodes(pairCodes(a, b))
}

function groupCodes({ sides, size }: KeyCodes): RowGroups {
  const codes = sides[0] as Int32Array
  const groupOf = new Int32Array(size).fill(-1)
  const of = new Int32Array(codes.length)
  const first = new Int32Array(Math.min(size, codes.length))
  let count = 0
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number
    let group = groupOf[code] as number
    if (group < 0) {
      group = count++
      groupOf[code] = group
      first[group] = row
    }
    of[row] = group
  }
  return { count, of, first: first.slice(0, count) }
}

/** Rows by code, in their order within each; rows of code -1 are left out. */
export interface RowBuckets {
  readonly rows: Int32Array
  /** Where each code begins in `rows`; one more entry than codes. */
  readonly starts: Int32Array
}

/** @param order the order in which rows are taken; that of the table when absent */
export function bucketRows(codes: Int32Array, size: number, order?: Int32Array): RowBuckets {
  const starts = new Int32Array(size + 1)
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number
    if (code >= 0) starts[code + 1] = (starts[code + 1] as number) + 1
  }
  for (let code = 0; code < size; code++) starts[code + 1] = (starts[code + 1] as number) + (starts[code] as number)
  const next = starts.slice(0, size)
  const rows = new Int32Array(starts[size] as number)
  for (let i = 0; i < codes.length; i++) {
    const row = order ? (order[i] as number) : i
    const code = codes[row] as number
    if (code < 0) continue
    const at = next[code] as number
    rows[at] = row
    next[code] = at + 1
  }
  return { rows, starts }
}
