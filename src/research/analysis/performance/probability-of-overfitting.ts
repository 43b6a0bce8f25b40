import { invalid } from '../../../contract/error.js'
import { checkOptions } from '../../../contract/options.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { wrongShape } from '../../../frame/table/shape.js'
import { type Numbers, wholeNumber } from '../../../frame/verb/array-statistics.js'
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

/** Sums of all trials over some blocks, of distances from each trial's mean, so that squares lose nothing. */
interface BlockSums {
  readonly days: number
  /** Trial by trial. */
  readonly sums: Float64Array
  readonly squares: Float64Array
}

function together(one: BlockSums, other: BlockSums): BlockSums {
  const added = (a: Float64Array, b: Float64Array): Float64Array => a.map((value, at) => value + (b[at] as number))
  const { days, sums, squares } = other
  return { days: one.days + days, sums: added(one.sums, sums), squares: added(one.squares, squares) }
}

/** Sums over every subset of some blocks; a bit a block. */
function subsetSums(blocks: readonly BlockSums[], trials: number): BlockSums[] {
  let all: BlockSums[] = [{ days: 0, sums: new Float64Array(trials), squares: new Float64Array(trials) }]
  for (const own of blocks) all = [...all, ...all.map((rest) => together(rest, own))]
  return all
}

/**
 * Mean over root of the mean square of distances from it, of each trial in three parts of the days: in its order the Sharpe ratio. 0
 * where nothing varies, as for a trial that did not trade. Written over `ratios`.
 */
function sharpesIn(a: BlockSums, b: BlockSums, c: BlockSums, means: Float64Array, ratios: Float64Array): void {
  const [sumA, sumB, sumC] = [a.sums, b.sums, c.sums]
  const [squareA, squareB, squareC] = [a.squares, b.squares, c.squares]
  const perDay = 1 / (a.days + b.days + c.days)
  for (let trial = 0; trial < means.length; trial++) {
    const mean = means[trial] as number
    const off = ((sumA[trial] as number) + (sumB[trial] as number) + (sumC[trial] as number)) * perDay
    const square = ((squareA[trial] as number) + (squareB[trial] as number) + (squareC[trial] as number)) * perDay
    const variance = square - off * off
    ratios[trial] = variance > 1e-13 * (mean * mean + square) ? (mean + off) / Math.sqrt(variance) : 0
  }
}

/** The ratio outside of the first trial that is best inside, and whether it is not above the median there. */
function fateOfBest(inside: Float64Array, outside: Float64Array): { readonly ratio: number; readonly isLow: boolean } {
  let best = 0
  for (let trial = 1; trial < inside.length; trial++)
    if ((inside[trial] as number) > (inside[best] as number)) best = trial
  const ratio = outside[best] as number
  let [below, same] = [0, 0]
  // Sums and no branches, which a processor would guess wrong half of the time.
  for (let trial = 0; trial < outside.length; trial++) {
    below += Number((outside[trial] as number) < ratio)
    same += Number(outside[trial] === ratio)
  }
  return { ratio, isLow: (below + (same + 1) / 2) / (outside.length + 1) <= 0.5 }
}

const countOf = (bits: number): number => (bits === 0 ? 0 : (bits & 1) + countOf(bits >>> 1))

/** Returns of trials, each of which may be made when it is asked for. */
interface TrialReturns {
  readonly length: number
  at(trial: number): Numbers | undefined
}

const what = 'probabilityOfOverfitting'

function refuse(message: Words): never {
  throw invalid(sentence`${what}: ${message}`)
}

/** The mean return of each trial, and sums over each block of the days. One trial is read at a time: those of a large sweep are hundreds of megabytes. */
function sumsByBlock(trials: TrialReturns, blocks: number) {
  const perTrial = (): Float64Array => new Float64Array(trials.length)
  const means = perTrial()
  let parts: BlockSums[] = []
  let days = 0
  for (let trial = 0; trial < trials.length; trial++) {
    const { returns } = returnSeries(trials.at(trial) as Numbers, sentence`${what}, trial ${trial + 1}`)
    if (trial === 0) {
      days = returns.length
      if (days < 2 * blocks) refuse(sentence`${blocks} blocks need at least ${2 * blocks} days, not ${days}`)
      const edges = Array.from({ length: blocks + 1 }, (_, at) => Math.floor((at * days) / blocks))
      const empty = (to: number, at: number) => ({
        days: to - (edges[at] as number),
        sums: perTrial(),
        squares: perTrial(),
      })
      parts = edges.slice(1).map(empty)
    }
    if (returns.length !== days) refuse(sentence`trial ${trial + 1} has ${returns.length} returns, the first ${days}`)
    const mean = meanOf(returns)
    means[trial] = mean
    let day = 0
    for (const part of parts) {
      let [sum, square] = [0, 0]
      for (const to = day + part.days; day < to; day++) {
        const off = (returns[day] as number) - mean
        sum += off
        square += off * off
      }
      part.sums[trial] = sum
      part.squares[trial] = square
    }
  }
  return { means, parts }
}

/**
 * Computes the probability that the best of several trials was picked for its luck, by combinatorially symmetric
 * cross-validation: Bailey, Borwein, López de Prado and Zhu, The Probability of Backtest Overfitting (2015). The days
 * are split into blocks; for each way to take half of them, the trial with the best Sharpe ratio there is looked up in
 * the other half. `probability` is the share of cases in which its rank there (1 the worst, ties averaged) over trials
 * + 1 is at most a half. R's `pbo` divides by trials instead. If the number of blocks does not divide the days, some
 * blocks are one day longer.
 * @param trials returns of each trial, all of the same days
 * @throws QuotebookError INVALID_VALUE for fewer than two trials or days than two for each block, and for lengths that
 * differ
 */
export function probabilityOfOverfitting(trials: readonly Numbers[], options: OverfittingOptions = {}): Overfitting {
  const { blocks = 16 } = checkOptions(options, { blocks: 'any' }, what)
  if (!Array.isArray(trials))
    throw wrongShape(`${what}: trials`, sentence`a list with the returns of each trial`, trials)
  return overfittingOf(trials, wholeNumber(blocks, 2, 'probabilityOfOverfitting: blocks'))
}

/** The same of trials that need not be there at once. */
export function overfittingOf(trials: TrialReturns, blocks = 16): Overfitting {
  if (blocks % 2 === 1) refuse(sentence`blocks must be even, not ${blocks}`)
  if (blocks > mostBlocks) refuse(sentence`blocks must be at most ${mostBlocks}, not ${blocks}`)
  if (trials.length < 2) refuse(sentence`at least 2 trials are needed, not ${trials.length}`)
  const { means, parts } = sumsByBlock(trials, blocks)
  const half = blocks / 2
  const quarter = half >>> 1
  // By quarters: over every subset of a half, the sums of a large sweep would take a gigabyte.
  const quarters = [0, quarter, half, half + quarter].map((from, at, edges) =>
    subsetSums(parts.slice(from, edges[at + 1]), trials.length),
  )
  const sumsOf = (place: 0 | 2, bits: number): [BlockSums, BlockSums] => {
    const [one, other] = [quarters[place] as BlockSums[], quarters[place + 1] as BlockSums[]]
    return [one[bits & (one.length - 1)] as BlockSums, other[bits >>> quarter] as BlockSums]
  }
  const all = 2 ** half - 1
  const [inside, outside] = [new Float64Array(means.length), new Float64Array(means.length)]
  let [low, lost, combinations] = [0, 0, 0]
  for (let first = 0; first <= all; first++) {
    const [own, others] = [together(...sumsOf(0, first)), together(...sumsOf(0, all - first))]
    // A way and the one that takes the others come as one, that of the last block.
    for (let last = (all + 1) / 2; last <= all; last++) {
      if (countOf(first) + countOf(last) !== half) continue
      sharpesIn(own, ...sumsOf(2, last), means, inside)
      sharpesIn(others, ...sumsOf(2, all - last), means, outside)
      for (const { ratio, isLow } of [fateOfBest(inside, outside), fateOfBest(outside, inside)]) {
        if (isLow) low++
        if (ratio < 0) lost++
        combinations++
      }
    }
  }
  return { probability: low / combinations, lossProbability: lost / combinations, combinations }
}
