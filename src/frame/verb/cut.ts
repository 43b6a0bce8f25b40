import { QuotebookError } from '../../contract/error.js'
import { checkOptions } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import { mapRows } from '../table/fresh-array.js'
import { placeInSorted, sortedPresent } from '../table/quantiles.js'
import { described, wrongShape } from '../table/shape.js'
import { type Numbers, toFloats, wholeNumber } from './array-statistics.js'

/** Options of `qcut`. */
export interface QcutOptions {
  /** Two equal edges are an error (default), or one of them is dropped, and with it an interval. */
  readonly duplicates?: 'refuse' | 'drop'
}

/** Options of `cut`. */
export interface CutOptions extends QcutOptions {
  /** True: the least edge itself belongs to the first interval. Default false. */
  readonly includeLowest?: boolean
}

/** A number as `precision` digits behind the point tell it, or as many digits at all when it is below one (as pandas). */
function rounded(value: number, precision: number): number {
  if (!Number.isFinite(value) || value === 0) return value
  return Number(Math.abs(value) < 1 ? value.toPrecision(precision) : value.toFixed(precision))
}

/** Intervals as text, with three digits and more where edges would look alike. */
function intervalNames(edges: readonly number[], includeLowest: boolean): readonly string[] {
  let precision = 3
  let shown: readonly number[] = edges
  for (; precision < 20; precision++) {
    shown = edges.map((edge) => rounded(edge, precision))
    if (new Set(shown).size === edges.length) break
  }
  return shown.slice(1).map((to, at) => `${at === 0 && includeLowest ? '[' : '('}${shown[at]}, ${to}]`)
}

function ascending(given: readonly number[], what: string, { duplicates = 'refuse' }: QcutOptions): number[] {
  if (duplicates !== 'refuse' && duplicates !== 'drop')
    throw new QuotebookError(
      'INVALID_VALUE',
      sentence`${what}: duplicates is 'refuse' or 'drop', not ${described(duplicates)}`,
    )
  const wrong = given.findIndex((edge, at) => at > 0 && !(edge >= (given[at - 1] as number)))
  if (wrong > 0) {
    const pair = sentence`${given[wrong - 1]} and ${given[wrong]}`
    throw new QuotebookError('INVALID_VALUE', sentence`${what}: edges must ascend; these do not: ${pair}`)
  }
  const edges = given.filter((edge, at) => at === 0 || edge !== given[at - 1])
  if (edges.length < given.length && duplicates === 'refuse') {
    const twice = given.find((edge, at) => edge === given[at - 1])
    throw new QuotebookError(
      'INVALID_VALUE',
      sentence`${what}: two edges are ${twice}; { duplicates: 'drop' } takes one`,
    )
  }
  return edges
}

function placed<L>(
  x: Float64Array,
  edges: readonly number[],
  labels: readonly L[] | undefined,
  includeLowest: boolean,
  what: string,
): (L | null)[] {
  if (labels !== undefined && !Array.isArray(labels))
    throw wrongShape(`${what}: labels`, sentence`a list with one for each interval`, labels)
  const count = Math.max(edges.length - 1, 0)
  if (labels && labels.length !== count)
    throw new QuotebookError(
      'INVALID_VALUE',
      sentence`${what}: there are ${labels.length} labels for ${count} intervals`,
    )
  const names = labels ?? (intervalNames(edges, includeLowest) as readonly unknown[] as readonly L[])
  return mapRows(x.length, (row) => {
    const value = x[row] as number
    if (includeLowest && value === edges[0] && count > 0) return names[0] as L
    let [from, to] = [0, edges.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if ((edges[middle] as number) < value) from = middle + 1
      else to = middle
    }
    return from === 0 || from > count || Number.isNaN(value) ? null : (names[from - 1] as L)
  })
}

/**
 * Sorts each number into an interval, by its label or as text such as `(0, 10]`. Intervals lie between neighbouring
 * edges and include the upper one, as in pandas' `cut`:
 * `cut(c.cap, [0, 5e9, 2e10, Infinity], ['small', 'middle', 'large'])`. A number outside of all, and a missing one, is
 * null.
 * @throws QuotebookError INVALID_VALUE for edges that do not ascend, and unless there is one label for each interval
 */
export function cut<L extends string | number = string>(
  x: Numbers,
  edges: readonly number[],
  labels?: readonly L[],
  options: CutOptions = {},
): (L | null)[] {
  checkOptions(options, { duplicates: 'any', includeLowest: 'true or false' }, 'cut')
  const given = [...toFloats(edges, 'cut: edges')]
  const own = ascending(given, 'cut', options)
  if (own.length < 2)
    throw new QuotebookError('INVALID_VALUE', sentence`cut: edges must be at least two different numbers`)
  return placed(toFloats(x, 'cut'), own, labels, options.includeLowest === true, 'cut')
}

/**
 * Sorts each number into one of `count` intervals with as many numbers each (or nearly so), like pandas' `qcut`: edges
 * are the quantiles of the present numbers, each interval includes its upper edge, and the first its lower one too. For
 * example, `qcut(c.cap, 5, [1, 2, 3, 4, 5])` within `derive(…, { by: 'tradedate' })` sorts each day's stocks into
 * fifths. A missing number is null.
 *
 * An edge that is one of the numbers is exactly that number; pandas may round it to one beneath, and so count the
 * number to the next interval.
 * @throws QuotebookError INVALID_VALUE if two edges are equal (many numbers are alike) unless one is dropped, and
 * unless there is one label for each interval
 */
export function qcut<L extends string | number = string>(
  x: Numbers,
  count: number,
  labels?: readonly L[],
  options: QcutOptions = {},
): (L | null)[] {
  checkOptions(options, { duplicates: 'any' }, 'qcut')
  const own = toFloats(x, 'qcut')
  const parts = wholeNumber(count, 1, 'qcut: count')
  const sorted = sortedPresent(own)
  if (sorted.length === 0) return new Array<null>(own.length).fill(null)
  const quantiles = Array.from({ length: parts + 1 }, (_, at) =>
    placeInSorted(sorted, ((sorted.length - 1) * at) / parts),
  )
  return placed(own, ascending(quantiles, 'qcut', options), labels, true, 'qcut')
}
