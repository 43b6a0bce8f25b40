import { QuotebookError } from '../../contract/error.js'
import { type Numbers, wholeNumber } from '../../frame/verb/array-statistics.js'
import { namedIn, wrongShape } from '../../table/shape.js'
import { meanOf } from './return-moments.js'
import { returnSeries } from './return-series.js'

/** Options of `probabilityOfOverfitting`. */
export interface OverfittingOptions {
  /** Parts of the days, an even number from 2 to 24. Default 16, which gives 12870 halves. */
  readonly blocks?: number
}

/** What becomes of the trial that was best in one half of the days in the other half. */
export interface Overfitting {
  /** In how many of the halves it was not above the median of all trials in the other half. */
  readonly probability: number
  /** In how many its Sharpe ratio was below 0 in the other half. */
  readonly lossProbability: number
  /** Ways to take half of the blocks. */
  readonly combinations: number
}

/** 2.7 million halves; beyond, nobody waits. */
const mostBlocks = 24

/** Sums of all trials over every subset of some blocks, of distances from each trial's mean, so that squares lose nothing. */
interface SubsetSums {
  /** Days of a subset; a bit a block. */
  readonly days: Float64Array
  /** Subset by subset, in each trial by trial. */
  readonly sums: Float64Array
  readonly squares: Float64Array
}

function subsetSums(trials: readonly Float64Array[], means: Float64Array, edges: readonly number[]): SubsetSums {
  const [width, subsets] = [trials.length, 2 ** (edges.length - 1)]
  const days = new Float64Array(subsets)
  const [sums, squares] = [new Float64Array(subsets * width), new Float64Array(subsets * width)]
  for (let block = 0; block < edges.length - 1; block++) {
    const [bit, from, to] = [2 ** block, edges[block] as number, edges[block + 1] as number]
    days[bit] = to - from
    trials.forEach((returns, trial) => {
      let [sum, square] = [0, 0]
      for (let day = from; day < to; day++) {
        const off = (returns[day] as number) - (means[trial] as number)
        sum += off
        square += off * off
      }
      sums[bit * width + trial] = sum
      squares[bit * width + trial] = square
    })
    // Every subset of the blocks before, with this one.
    for (let rest = 1; rest < bit; rest++) {
      days[bit + rest] = (days[bit] as number) + (days[rest] as number)
      for (let trial = 0; trial < width; trial++) {
        const [to, one, other] = [(bit + rest) * width + trial, bit * width + trial, rest * width + trial]
        sums[to] = (sums[one] as number) + (sums[other] as number)
        squares[to] = (squares[one] as number) + (squares[other] as number)
      }
    }
  }
  return { days, sums, squares }
}

/**
 * Mean over standard deviation of each trial in a subset of the low and one of the high blocks; 0 where nothing varies, as for a trial
 * that did not trade. They are written over `ratios`.
 */
function sharpesIn(
  low: SubsetSums,
  high: SubsetSums,
  at: readonly [number, number],
  means: Float64Array,
  ratios: Float64Array,
): void {
  const width = means.length
  const days = (low.days[at[0]] as number) + (high.days[at[1]] as number)
  const [ofLow, ofHigh] = [at[0] * width, at[1] * width]
  for (let trial = 0; trial < width; trial++) {
    const mean = means[trial] as number
    const sum = (low.sums[ofLow + trial] as number) + (high.sums[ofHigh + trial] as number)
    const square = (low.squares[ofLow + trial] as number) + (high.squares[ofHigh + trial] as number)
    const variance = (square - (sum * sum) / days) / (days - 1)
    const scale = mean * mean + square / days
    ratios[trial] = variance > 1e-13 * scale ? (mean + sum / days) / Math.sqrt(variance) : 0
  }
}

/** The ratio outside of the first trial that is best inside, and whether it is not above the median there. */
function fateOfBest(inside: Float64Array, outside: Float64Array): { readonly ratio: number; readonly isLow: boolean } {
  let best = 0
  for (let trial = 1; trial < inside.length; trial++) {
    if ((inside[trial] as number) > (inside[best] as number)) best = trial
  }
  const ratio = outside[best] as number
  let [below, same] = [0, 0]
  for (let trial = 0; trial < outside.length; trial++) {
    if ((outside[trial] as number) < ratio) below++
    else if (outside[trial] === ratio) same++
  }
  return { ratio, isLow: (below + (same + 1) / 2) / (outside.length + 1) <= 0.5 }
}

/** Every way to choose half of the blocks, as bits; a way and the one that takes the others come as one, that of the last block. */
function* halves(blocks: number): Generator<number> {
  const countOf = (bits: number): number => (bits === 0 ? 0 : (bits & 1) + countOf(bits >>> 1))
  for (let bits = 2 ** (blocks - 1); bits < 2 ** blocks; bits++) if (countOf(bits) === blocks / 2) yield bits
}

function checkedTrials(trials: readonly Numbers[], blocks: number): Float64Array[] {
  const what = 'probabilityOfOverfitting'
  if (!Array.isArray(trials)) throw wrongShape(`${what}: trials`, 'a list with the returns of each trial', trials)
  const own = trials.map((one, at) => returnSeries(one, `${what}, trial ${at + 1}`).returns)
  const days = own[0]?.length ?? 0
  const other = own.findIndex((one) => one.length !== days)
  const refuse = (message: string): never => {
    throw new QuotebookError('INVALID_VALUE', `${what}: ${message}`)
  }
  if (blocks % 2 === 1) refuse(`blocks must be even, not ${blocks}`)
  if (blocks > mostBlocks) refuse(`blocks must be at most ${mostBlocks}, not ${blocks}`)
  if (own.length < 2) refuse(`at least 2 trials are needed, not ${own.length}`)
  if (days < 2 * blocks) refuse(`${blocks} blocks need at least ${2 * blocks} days, not ${days}`)
  if (other > 0) refuse(`trial ${other + 1} has ${own[other]?.length} returns, the first ${days}`)
  return own
}

/**
 * How probable it is that the best of some trials was picked for its luck: combinatorially symmetric cross-validation, Bailey,
 * Borwein, López de Prado and Zhu, The Probability of Backtest Overfitting (2015). The days are cut into blocks; for each way to
 * take half of them, the trial with the best Sharpe ratio there is looked up in the other half. `probability` counts those
 * whose rank there (1 the worst, ties averaged) over trials + 1 is at most a half. R's `pbo` divides by trials instead.
 * Days that the number of blocks does not divide make some blocks one day longer.
 * @param trials returns of each trial, all of the same days
 * @throws QuotebookError INVALID_VALUE for fewer than two trials or days than two for each block, and for lengths that differ
 */
export function probabilityOfOverfitting(trials: readonly Numbers[], options: OverfittingOptions = {}): Overfitting {
  const { blocks = 16 } = namedIn(options, 'options of probabilityOfOverfitting', '{ blocks: 16 }')
  const returns = checkedTrials(trials, wholeNumber(blocks, 2, 'probabilityOfOverfitting: blocks'))
  const days = (returns[0] as Float64Array).length
  const edges = Array.from({ length: blocks + 1 }, (_, at) => Math.floor((at * days) / blocks))
  const half = blocks / 2
  const means = Float64Array.from(returns, meanOf)
  const [first, last] = [
    subsetSums(returns, means, edges.slice(0, half + 1)),
    subsetSums(returns, means, edges.slice(half)),
  ]
  const all = 2 ** half - 1
  const [inside, outside] = [new Float64Array(returns.length), new Float64Array(returns.length)]
  let [low, lost, combinations] = [0, 0, 0]
  for (const chosen of halves(blocks)) {
    const at = [chosen & all, chosen >>> half] as const
    sharpesIn(first, last, at, means, inside)
    sharpesIn(first, last, [all - at[0], all - at[1]], means, outside)
    for (const { ratio, isLow } of [fateOfBest(inside, outside), fateOfBest(outside, inside)]) {
      if (isLow) low++
      if (ratio < 0) lost++
      combinations++
    }
  }
  return { probability: low / combinations, lossProbability: lost / combinations, combinations }
}
