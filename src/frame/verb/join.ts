import { QuotebookError } from '../../contract/error.js'
import { checkOptions } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import { asNullable } from '../table/declaration.js'
import { freshInts } from '../table/fresh-array.js'
import { gatherCells } from '../table/gather-cells.js'
import { bucketRows, encodeKeys, type RowBuckets } from '../table/group-rows.js'
import { checkChoice, described } from '../table/shape.js'
import { allRows } from '../table/sort-rows.js'
import type { ColumnData } from '../table/values.js'
import { concatColumns } from './concat.js'
import { addRightColumns, checkSpelling, checkSuffix, type KeyPairs, keyColumns, keyPairs } from './join-keys.js'
import { readInput, type VerbInput } from './verb-input.js'
import { VerbOutput } from './verb-output.js'
import type { ColumnsIn, Data, Joined, On, RightKey, SameForm } from './verb-types.js'

/** Options of `join`. */
export interface JoinOptions<O, S extends string> {
  /** Key columns: `'symbol'`, `['tradedate', 'symbol']`, or `{ left: 'right' }` if the names differ. */
  readonly on: O
  /**
   * `left` (default): every row of the left. `inner`: only those with a partner. `outer`: also rows of the right without
   * one, after the others.
   */
  readonly how?: 'left' | 'inner' | 'outer'
  /** What the right's columns get whose name is taken. Default `_right`. */
  readonly suffix?: S
  /** What is an error: a row of the left with two partners (`many to one`), one of the right (`one to many`), or either. */
  readonly validate?: 'one to one' | 'one to many' | 'many to one'
}

const validations: readonly string[] = ['one to one', 'one to many', 'many to one']

/** Partners row by row: -1 where a side has none. */
interface Matches {
  readonly left: Int32Array
  readonly right: Int32Array
}

function matchesOf(codes: Int32Array, { rows, starts }: RowBuckets, keepLeft: boolean): Matches {
  let size = 0
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number
    const partners = code < 0 ? 0 : (starts[code + 1] as number) - (starts[code] as number)
    size += partners === 0 && keepLeft ? 1 : partners
  }
  const [left, right] = [freshInts(size), freshInts(size)]
  let at = 0
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number
    const from = code < 0 ? 0 : (starts[code] as number)
    const to = code < 0 ? 0 : (starts[code + 1] as number)
    if (from === to && keepLeft) {
      left[at] = row
      right[at++] = -1
    }
    for (let i = from; i < to; i++) {
      left[at] = row
      right[at++] = rows[i] as number
    }
  }
  return { left, right }
}

function withUnmatched({ left, right }: Matches, rightRows: number): Matches {
  const met = new Uint8Array(rightRows)
  for (let at = 0; at < right.length; at++) if ((right[at] as number) >= 0) met[right[at] as number] = 1
  const unmatched = allRows(rightRows).filter((row) => met[row] === 0)
  const longer = (own: Int32Array): Int32Array => {
    const out = new Int32Array(own.length + unmatched.length).fill(-1)
    out.set(own)
    return out
  }
  const more = longer(right)
  more.set(unmatched, right.length)
  return { left: longer(left), right: more }
}

/** @throws QuotebookError INVALID_VALUE where a row of one side has two partners on the other */
function checkPartners(
  codes: Int32Array,
  { rows, starts }: RowBuckets,
  side: 'left' | 'right',
  keys: readonly string[],
  validate: string,
): void {
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row] as number
    if (code < 0 || (starts[code + 1] as number) - (starts[code] as number) < 2) continue
    const [first, second] = [rows[starts[code] as number], rows[(starts[code] as number) + 1]] as [number, number]
    const [one, other] =
      side === 'left' ? [sentence`the left`, sentence`the right`] : [sentence`the right`, sentence`the left`]
    const wrong = sentence`rows ${first + 1} and ${second + 1} of ${other} share the keys ${keys.join(', ')}`
    throw new QuotebookError(
      'INVALID_VALUE',
      sentence`${wrong} with row ${row + 1} of ${one}, which is not ${validate}`,
    )
  }
}

/** A key column of an outer join: the left's cells, then the right's where the left has no row. */
function bothKeys(
  name: string,
  left: ColumnData,
  right: ColumnData,
  { left: rows, right: others }: Matches,
): ColumnData {
  const unmatched = rows.indexOf(-1)
  return concatColumns(
    [gatherCells(left, rows.subarray(0, unmatched)), gatherCells(right, others.subarray(unmatched))],
    name,
  )
}

/**
 * Joins the rows of two sides with equal keys.
 *
 * Rows keep the order of the left; several matches of a row come in the order of the right, each with the row of the
 * left repeated (`validate` rejects that). Missing keys match nothing. Numbers are compared as numbers, text as text.
 * Keys that are text on one side and numbers on the other are rejected, and so are days, codes or minutes in two
 * spellings, which would never match. The key columns appear once, under the names of the left.
 * @returns the form of the left; columns of the left, then those of the right
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE for keys of different types, a second match that `validate`
 * forbids, and two columns of one name
 */
export function join<D extends Data, E extends Data, const O extends On<D, E>, S extends string = '_right'>(
  left: D,
  right: E,
  options: JoinOptions<O, S>,
): SameForm<D, Joined<ColumnsIn<D>, ColumnsIn<E>, RightKey<O>, S>> {
  const [own, other] = [readInput(left), readInput(right)]
  checkOptions<JoinOptions<O, S>>(options, { on: 'any', how: 'any', suffix: 'text', validate: 'any' }, 'join')
  const { how = 'left', suffix = '_right', validate } = options
  checkChoice(how, ['left', 'inner', 'outer'], 'how')
  if (validate !== undefined && !validations.includes(validate)) {
    const wrong = sentence`validate must be ${validations.join(', ')}, not ${described(validate)}`
    throw new QuotebookError('INVALID_VALUE', wrong)
  }
  checkSuffix(suffix)
  const pairs = keyPairs(own, other, options.on)
  const keys = keyColumns(own, other, pairs)
  checkSpelling(keys)
  const { sides, size } = encodeKeys(keys, 'never')
  const [codes, others] = sides as [Int32Array, Int32Array]
  const buckets = bucketRows(others, size)
  if (validate?.endsWith('one')) checkPartners(codes, buckets, 'left', pairs.right, validate)
  if (validate?.startsWith('one')) checkPartners(others, bucketRows(codes, size), 'right', pairs.left, validate)
  const found = matchesOf(codes, buckets, how !== 'inner')
  const matches = how === 'outer' ? withUnmatched(found, other.length) : found
  const output = new VerbOutput(matches.left.length)
  putLeft(output, own, other, pairs, matches)
  addRightColumns(output, other, matches.right, pairs.right, suffix)
  return output.inFormOf(own) as SameForm<D, Joined<ColumnsIn<D>, ColumnsIn<E>, RightKey<O>, S>>
}

function putLeft(output: VerbOutput, own: VerbInput, other: VerbInput, pairs: KeyPairs, matches: Matches): void {
  const unmatched = matches.left.includes(-1)
  for (const name of own.names) {
    const key = pairs.left.indexOf(name)
    if (!unmatched) output.copy(own, name, matches.left)
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
