import { QuotebookError } from '../../contract/error.js'
import { type Numbers, wholeNumber } from '../../frame/verb/array-statistics.js'
import { namedIn, wrongShape } from '../../table/shape.js'
import { meanOf } from './return-moments.js'
import { returnSeries } from './return-series.js'

/** Options of `probabilityOfOverfitting`. */
export interface OverfittingOptions {
  /** Parts of the days, an even number of at least 2. Default 16, which gives 12870 halves. */
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

/** Sums of one trial by block, of distances from its mean, so that squares lose nothing. */
interface BlockSums {
  readonly mean: number
  readonly sums: Float64Array
  readonly squares: Float64Array
}

function blockSums(returns: Float64Array, edges: readonly number[]): BlockSums {
  const mean = meanOf(returns)
  const parts = edges.length - 1
  const [sums, squares] = [new Float64Array(parts), new Float64Array(parts)]
  for (let block = 0; block < parts; block++) {
    for (let day = edges[block] as number; day < (edges[block + 1] as number); day++) {
      const off = (returns[day] as number) - mean
      sums[block] = (sums[block] as number) + off
      squares[block] = (squares[block] as number) + off * off
    }
  }
  return { mean, sums, squares }
}

/** Mean over standard deviation of some blocks; 0 where nothing varies, as for a trial that did not trade. */
function sharpeIn({ mean, sums, squares }: BlockSums, chosen: readonly number[], days: number): number {
  let [sum, square] = [0, 0]
  for (const block of chosen) {
    sum += sums[block] as number
    square += squares[block] as number
  }
  const variance = (square - (sum * sum) / days) / (days - 1)
  const scale = mean * mean + square / days
  return variance > 1e-13 * scale ? (mean + sum / days) / Math.sqrt(variance) : 0
}

/** Every way to choose half of the blocks. */
function* halves(blocks: number, from = 0, chosen: readonly number[] = []): Generator<readonly number[]> {
  if (chosen.length === blocks / 2) {
    yield chosen
    return
  }
  const last = blocks / 2 + chosen.length
  for (let block = from; block <= last; block++) yield* halves(blocks, block + 1, [...chosen, block])
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
  const size = (block: number): number => (edges[block + 1] as number) - (edges[block] as number)
  const sums = returns.map((one) => blockSums(one, edges))
  let [low, lost, combinations] = [0, 0, 0]
  for (const chosen of halves(blocks)) {
    const others = Array.from({ length: blocks }, (_, at) => at).filter((at) => !chosen.includes(at))
    const inDays = chosen.reduce((sum, block) => sum + size(block), 0)
    const inside = sums.map((one) => sharpeIn(one, chosen, inDays))
    const best = inside.indexOf(inside.reduce((a, b) => Math.max(a, b)))
    const outside = sums.map((one) => sharpeIn(one, others, days - inDays))
    const own = outside[best] as number
    const below = outside.filter((x) => x < own).length
    const same = outside.filter((x) => x === own).length
    if ((below + (same + 1) / 2) / (returns.length + 1) <= 0.5) low++
    if (own < 0) lost++
    combinations++
  }
  return { probability: low / combinations, lossProbability: lost / combinations, combinations }
}
