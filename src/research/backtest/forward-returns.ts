import { QuotebookError } from '../../contract/error.js'
import { checkOptions } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import { described } from '../../frame/table/shape.js'
import type { Signal } from '../analysis/performance/factor-study.js'
import { Account } from './account.js'
import { cursorOf } from './cursor.js'
import type { Panel } from './panel.js'
import type { RankStrategy, Settled } from './strategy.js'
import { strategyFault } from './strategy-fault.js'

/** Options of `forwardReturns`. */
export interface ForwardReturnsOptions {
  /** Times (days, or bars) from the fill to the price that the return is taken to. Default 1, 5 and 20. */
  readonly horizons?: readonly number[]
  /** The price at which a score of one time can be traded at the next. Default `nextOpen`. */
  readonly fill?: 'nextOpen' | 'nextClose'
}

function checked({ horizons = [1, 5, 20], fill = 'nextOpen' }: ForwardReturnsOptions): Required<ForwardReturnsOptions> {
  const isRight = Array.isArray(horizons) && horizons.every((one) => Number.isInteger(one) && one >= 1)
  if (!isRight || horizons.length === 0)
    throw new QuotebookError('USAGE', `forwardReturns: horizons are whole numbers from 1, not ${described(horizons)}`)
  if (fill !== 'nextOpen' && fill !== 'nextClose')
    throw new QuotebookError('USAGE', `forwardReturns: fill is 'nextOpen' or 'nextClose', not ${described(fill)}`)
  return { horizons, fill }
}

/** Prices without ex-rights: each times what the closes before it were more than the previous closes that the exchange named. */
export function adjustedPrices(panel: Panel, name: 'open' | 'close'): Float64Array {
  const [width, perDay] = [panel.symbols.length, panel.minutes.length]
  const [prices, close] = [panel.column(name), panel.column('close')]
  const preClose = panel.has('pre_close') ? panel.column('pre_close') : undefined
  const adjusted = new Float64Array(prices.length)
  for (let symbol = 0; symbol < width; symbol++) {
    let [factor, last, dated] = [1, Number.NaN, -1]
    for (let time = 0, cell = symbol; time < panel.times; time++, cell += width) {
      const [day, pre] = [Math.floor(time / perDay), preClose?.[cell] ?? Number.NaN]
      if (day > dated && pre > 0) {
        if (last > 0) factor *= last / pre
        dated = day
      }
      adjusted[cell] = (prices[cell] as number) * factor
      if ((close[cell] as number) > 0) last = close[cell] as number
    }
  }
  return adjusted
}

/** From the price of the next time to the one `horizon` times later; NaN where either is missing. */
function returnsAhead(prices: Float64Array, width: number, horizon: number): Float64Array {
  return prices.map((_, cell) => {
    const from = cell + width
    return (prices[from + horizon * width] ?? Number.NaN) / (prices[from] ?? Number.NaN) - 1
  })
}

/**
 * The scores of a panel and what came of them, for `factorStudy`: scores as a strategy computes them at each close, and
 * returns from the price at which they could be traded, ex-rights taken out by `pre_close` where the panel has it.
 * Costs, limits and lots have no part in it. A missing row has neither score nor return.
 * @throws QuotebookError USAGE for options; MISSING_COLUMN; STRATEGY for an error in score or universe; NO_DECISION without a score; LOOK_AHEAD where a column is known only after the score
 */
export function forwardReturns<C extends string>(
  panel: Panel<C>,
  strategy: Pick<RankStrategy<Settled<C>>, 'score' | 'universe'>,
  options: ForwardReturnsOptions = {},
): Signal {
  const { horizons, fill } = checked(checkOptions(options, { horizons: 'any', fill: 'any' }, 'forwardReturns'))
  const kinds = { score: 'any', universe: 'a function', pick: 'any', weight: 'any', when: 'any' } as const
  const { score, universe } = checkOptions<object>(strategy, kinds, 'strategy of forwardReturns') as typeof strategy
  if (typeof score !== 'function')
    throw new QuotebookError('USAGE', `forwardReturns: score is a function of a bar, not ${described(score)}`)
  const any = panel as unknown as Panel
  const width = panel.symbols.length
  const cursor = cursorOf(any, 'close')
  const bar = cursor.bar as never
  cursor.reset(any.cols, new Account(0, any))
  const scores = new Float64Array(panel.times * width).fill(Number.NaN)
  for (let cell = 0; cell < scores.length; cell++) {
    if (!panel.present[cell]) continue
    cursor.moveTo(Math.floor(cell / width))
    cursor.moveSymbol(cell % width, cell)
    try {
      if (!universe || universe(bar)) scores[cell] = score(bar)
    } catch (error) {
      throw strategyFault(
        error,
        sentence`on ${panel.timeText(Math.floor(cell / width))} for ${panel.symbols[cell % width]}`,
      )
    }
  }
  if (scores.every(Number.isNaN))
    throw new QuotebookError(
      'NO_DECISION',
      `forwardReturns: no score in any of ${panel.times} times: each is NaN, or left out`,
    )
  const prices = adjustedPrices(any, fill === 'nextOpen' ? 'open' : 'close')
  return {
    times: Array.from({ length: panel.times }, (_, time) => panel.timeText(time)),
    symbols: panel.symbols,
    score: scores,
    forward: horizons.map((horizon) => returnsAhead(prices, width, horizon)),
  }
}
