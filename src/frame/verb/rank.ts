import { checkOptions } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import { checkKnown } from '../table/shape.js'
import { sortNumbers } from '../table/sort-rows.js'
import { type Numbers, toFloats } from './array-statistics.js'
import { type NumberArray, numberArray } from './number-array.js'

/** Options of `rank`. By default the order is ascending, and equal numbers get the average of their ranks. */
export interface RankOptions {
  /** What equal numbers get: the average, least or greatest of their places, one place without gaps, or places as they come. */
  readonly method?: 'average' | 'min' | 'max' | 'dense' | 'first'
  /** The greatest number is first. */
  readonly descending?: boolean
  /** Places divided by the number of those that have one: above 0, up to 1. */
  readonly percent?: boolean
}

/**
 * Ranks numbers in their order, from 1; NaN for missing ones. Equal numbers share the average of their ranks, or the
 * rank by `method`.
 */
export function rank(x: Numbers, options: RankOptions = {}): NumberArray {
  const {
    method = 'average',
    descending = false,
    percent = false,
  } = checkOptions(options, { method: 'any', descending: 'true or false', percent: 'true or false' }, 'rank')
  checkKnown(method, ['average', 'min', 'max', 'dense', 'first'], sentence`rank: unknown method`)
  const own = toFloats(x, 'rank')
  const order = sortNumbers(own, descending)
  const out = new Float64Array(own.length).fill(Number.NaN)
  let [from, dense] = [0, 0]
  while (from < order.length) {
    const value = own[order[from] as number] as number
    if (Number.isNaN(value)) break
    let to = from + 1
    while (to < order.length && own[order[to] as number] === value) to++
    dense++
    const shared = { average: (from + 1 + to) / 2, min: from + 1, max: to, dense, first: 0 }[method]
    for (let at = from; at < to; at++) out[order[at] as number] = method === 'first' ? at + 1 : shared
    from = to
  }
  const places = method === 'dense' ? dense : from
  return numberArray(percent ? out.map((place) => place / places) : out)
}
