import { QuotebookError } from '../../contract/error.js'
import type { KeyColumns } from '../../table/group-rows.js'
import { wrongShape } from '../../table/shape.js'
import { type Input, namesOf } from './input.js'
import type { Output } from './output.js'

/** Names of the key columns of both sides, in pairs. */
export interface Pairs {
  readonly left: readonly string[]
  readonly right: readonly string[]
}

/** `'a'`, `['a', 'b']` or `{ left: 'right' }`. @throws QuotebookError MISSING_COLUMN; INVALID_VALUE */
export function pairsOf(left: Input, right: Input, on: unknown): Pairs {
  if (typeof on !== 'string' && (typeof on !== 'object' || on === null)) {
    throw new QuotebookError('INVALID_VALUE', "`on` must be a column, a list of columns or { left: 'right' }")
  }
  const same = typeof on === 'string' || Array.isArray(on)
  const own = same ? (on as string | readonly string[]) : Object.keys(on)
  const others = same ? own : (Object.values(on) as string[])
  return { left: namesOf(left, own), right: namesOf(right, others) }
}

/** @throws QuotebookError USAGE for a suffix that is no text */
export function checkSuffix(suffix: unknown): void {
  if (typeof suffix !== 'string') throw wrongShape('suffix', "text, such as '_right'", suffix)
}

/** The cells of both sides. */
export function keysOf(left: Input, right: Input, pairs: Pairs): KeyColumns {
  return pairs.left.map((name, at) => {
    const other = pairs.right[at] as string
    return { sides: [left.values(name), right.values(other)], names: [name, other] }
  })
}

/** Puts the right's columns, without `dropped`, beside the left's; a name that is taken gets the suffix. */
export function putRight(
  output: Output,
  right: Input,
  rows: Int32Array,
  dropped: readonly string[],
  suffix: string,
): void {
  const holes = rows.includes(-1)
  for (const name of right.names) {
    if (dropped.includes(name)) continue
    const own = output.has(name) ? name + suffix : name
    if (output.has(own) || (own !== name && right.names.includes(own) && !dropped.includes(own))) {
      throw new QuotebookError(
        'INVALID_VALUE',
        `two columns would be named '${own}'; give another suffix, or rename one`,
      )
    }
    output.pick(right, name, rows, own, holes)
  }
}
