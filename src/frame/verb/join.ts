import { QuotebookError } from '../../contract/error.js'
import { checkOptions } from '../../contract/options.js'
import { gatherCells } from '../../table/gather-cells.js'
import { bucketRows, encodeKeys, type RowBuckets } from '../../table/group-rows.js'
import { described } from '../../table/shape.js'
import type { ColumnData } from '../../table/values.js'
import { concatColumns } from './concat.js'
import { addRightColumns, checkSpelling, checkSuffix, type KeyPairs, keyColumns, keyPairs } from './join-keys.js'
import { readInput, type VerbInput } from './verb-input.js'
import { asNullable, VerbOutput } from './verb-output.js'
import type { ColumnsIn, Data, Joined, On, RightKey, SameForm } from './verb-types.js'

/** Options of `join`. */
export interface JoinOptions<O, S extends string> {
  /** Key columns: `'symbol'`, `['tradedate', 'symbol']`, or `{ left: 'right' }` where the names differ. */
  readonly on: O
  /**
   * `left` (default): every row of the left. `inner`: only those with a partner. `outer`: also rows of the right without
   * one, after the others.
   */
  readonly how?: 'left' | 'inner' | 'outer'
  /** What the right's columns get whose name is taken. Default `_right`. */
  readonly suffix?: S
  /** False: a row of the left with more than one partner is an error. */
  readonly many?: boolean
}

/** Partners row by row: -1 where a side has none. */
interface Matches {
  readonly left: Int32Array
  readonly right: Int32Array
}

function matchesOf(left: Int32Array, { rows, starts }: RowBuckets, keepLeft: boolean): Matches {
  let size = 0
  for (let row = 0; row < left.length; row++) {
    const code = left[row] as number
    const partners = code < 0 ? 0 : (starts[code + 1] as number) - (starts[code] as number)
    size += partners === 0 && keepLeft ? 1 : partners
  }
  const out = { left: new Int32Array(size), right: new Int32Array(size) }
  let at = 0
  for (let row = 0; row < left.length; row++) {
    const code = left[row] as number
    const [from, to] = code < 0 ? [0, 0] : [starts[code] as number, starts[code + 1] as number]
    if (from === to && keepLeft) {
      out.left[at] = row
      out.right[at++] = -1
    }
    for (let i = from; i < to; i++) {
      out.left[at] = row
      out.right[at++] = rows[i] as number
    }
  }
  return out
}

function withLonely({ left, right }: Matches, rightRows: number): Matches {
  const met = new Uint8Array(rightRows)
  for (let at = 0; at < right.length; at++) if ((right[at] as number) >= 0) met[right[at] as number] = 1
  const lonely: number[] = []
  met.forEach((found, row) => {
    if (found === 0) lonely.push(row)
  })
  const joined = (own: Int32Array, more: ArrayLike<number>): Int32Array => {
    const out = new Int32Array(own.length + lonely.length)
    out.set(own)
    out.set(more, own.length)
    return out
  }
  return {
    left: joined(
      left,
      lonely.map(() => -1),
    ),
    right: joined(right, lonely),
  }
}

function checkMany(left: Int32Array, { rows, starts }: RowBuckets, pairs: KeyPairs): void {
  for (let row = 0; row < left.length; row++) {
    const code = left[row] as number
    if (code < 0 || (starts[code + 1] as number) - (starts[code] as number) < 2) continue
    const [first, second] = [rows[starts[code] as number], rows[(starts[code] as number) + 1]] as [number, number]
    const wrong = `rows ${first + 1} and ${second + 1} of the right share the keys ${pairs.right.join(', ')}`
    throw new QuotebookError('INVALID_VALUE', `${wrong} with row ${row + 1} of the left, and \`many\` is false`)
  }
}

/** A key column of an outer join: the left's cells, then the right's where the left has no row. */
function bothKeys(
  name: string,
  left: ColumnData,
  right: ColumnData,
  { left: rows, right: others }: Matches,
): ColumnData {
  const lonely = rows.indexOf(-1)
  return concatColumns([gatherCells(left, rows.subarray(0, lonely)), gatherCells(right, others.subarray(lonely))], name)
}

/**
 * Rows of two sides beside each other where their keys are equal.
 *
 * Rows keep the order of the left; several partners of a row come in the order of the right, each with the row of the left repeated
 * (`many: false` refuses that). Missing keys match nothing. Numbers are compared as numbers, text as text; a key that is text
 * on one side and numbers on the other is refused, and so are days, codes or minutes in two spellings, which would match nowhere. The key columns stand there once, under the names of the left.
 * @returns the form of the left; columns of the left, then those of the right
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE for keys of different types, a second partner where `many` is
 * false, and two columns of one name
 */
export function join<D extends Data, E extends Data, const O extends On<D, E>, S extends string = '_right'>(
  left: D,
  right: E,
  options: JoinOptions<O, S>,
): SameForm<D, Joined<ColumnsIn<D>, ColumnsIn<E>, RightKey<O>, S>> {
  const [own, other] = [readInput(left), readInput(right)]
  checkOptions<JoinOptions<O, S>>(options, { on: 'any', how: 'any', suffix: 'text', many: 'true or false' }, 'join')
  const { how = 'left', suffix = '_right', many = true } = options
  if (!['left', 'inner', 'outer'].includes(how)) {
    throw new QuotebookError('INVALID_VALUE', `how must be left, inner or outer, not ${described(how)}`)
  }
  checkSuffix(suffix)
  const pairs = keyPairs(own, other, options.on)
  const keys = keyColumns(own, other, pairs)
  checkSpelling(keys)
  const { sides, size } = encodeKeys(keys, 'never')
  const [codes, others] = sides as [Int32Array, Int32Array]
  const buckets = bucketRows(others, size)
  if (!many) checkMany(codes, buckets, pairs)
  const found = matchesOf(codes, buckets, how !== 'inner')
  const matches = how === 'outer' ? withLonely(found, other.length) : found
  const output = new VerbOutput(matches.left.length)
  putLeft(output, own, other, pairs, matches)
  addRightColumns(output, other, matches.right, pairs.right, suffix)
  return output.inFormOf(own) as SameForm<D, Joined<ColumnsIn<D>, ColumnsIn<E>, RightKey<O>, S>>
}

function putLeft(output: VerbOutput, own: VerbInput, other: VerbInput, pairs: KeyPairs, matches: Matches): void {
  const lonely = matches.left.includes(-1)
  for (const name of own.names) {
    const key = pairs.left.indexOf(name)
    if (!lonely) output.copy(own, name, matches.left)
    else if (key < 0) output.copy(own, name, matches.left, name, true)
    else {
      const [left, partner] = [own.cells(name), pairs.right[key] as string]
      const values = bothKeys(name, left, other.cells(partner), matches)
      output.set(
        name,
        values,
        asNullable(values.type === left.type ? own.declarationOf(name) : other.declarationOf(partner)),
      )
    }
  }
}
