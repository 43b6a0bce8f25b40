import type { Input } from './input.js'
import { keyCodes } from './keys.js'

/** Rows that share their keys, in order of first appearance. Missing keys are alike. */
export interface Groups {
  readonly count: number
  /** The group of each row. */
  readonly of: Int32Array
  /** The first row of each group. */
  readonly first: Int32Array
}

/** One group of all rows. */
export function oneGroup(length: number): Groups {
  return { count: 1, of: new Int32Array(length), first: new Int32Array(1) }
}

export function groupsOf(input: Input, names: readonly string[]): Groups {
  const keys = names.map((name) => ({ sides: [input.values(name)], names: [name] }))
  const { sides, size } = keyCodes(keys, 'alike')
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
export interface Buckets {
  readonly rows: Int32Array
  /** Where each code begins in `rows`; one more entry than codes. */
  readonly starts: Int32Array
}

/** @param order the order in which rows are taken; that of the table when absent */
export function bucketsOf(codes: Int32Array, size: number, order?: Int32Array): Buckets {
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
