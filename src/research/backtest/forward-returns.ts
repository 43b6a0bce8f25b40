import { invalid, misuse, QuotebookError } from '../../contract/error.js'
import { checkOptions } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import { described } from '../../frame/table/shape.js'
import { quantilesOf } from '../analysis/performance/factor-quantiles.js'
import type { Signal } from '../analysis/performance/factor-study.js'
import { Account } from './account.js'
import { cursorOf } from './cursor.js'
import type { Panel } from './panel.js'
import { isDoubted } from './price-findings.js'
import { type SignalCosts, signalTrading } from './signal-trading.js'
import type { RankStrategy, Settled } from './strategy.js'
import { strategyFault } from './strategy-fault.js'

/** Options of `forwardReturns`. */
export interface ForwardReturnsOptions {
  /** Times (days, or bars) from the fill to the price that the return is taken to. Default 1, 5 and 20. */
  readonly horizons?: readonly number[]
  /** The price at which a score of one time can be traded at the next. Default `nextOpen`. */
  readonly fill?: 'nextOpen' | 'nextClose'
  /** Groups of names: thirds by a column at each time, or `class` (or `board`), the class of the trading rules. */
  readonly by?: string
  /** Columns that the score is compared with. */
  readonly exposures?: readonly string[]
  /** Costs as in a backtest, and what could be traded at the fill; the panel then needs raw prices. Computed only if given; `{}` uses the default ones. */
  readonly costs?: SignalCosts
}

const optionKinds = { horizons: 'any', fill: 'any', by: 'text', exposures: 'an array', costs: 'an object' } as const

function checked({ horizons = [1, 5, 20], fill = 'nextOpen', costs }: ForwardReturnsOptions) {
  const costKinds = { commission: 'an object', slippageTicks: 'any', slippageBps: 'any' } as const
  if (costs) checkOptions<SignalCosts>(costs, costKinds, sentence`costs of forwardReturns`)
  const isRight = Array.isArray(horizons) && horizons.every((one) => Number.isInteger(one) && one >= 1)
  if (!isRight || horizons.length === 0)
    throw misuse(sentence`forwardReturns: horizons are whole numbers from 1, not ${described(horizons)}`)
  if (fill !== 'nextOpen' && fill !== 'nextClose')
    throw misuse(sentence`forwardReturns: fill is 'nextOpen' or 'nextClose', not ${described(fill)}`)
  return { horizons, fill }
}

/**
 * Prices of a column at which there was trade: a row of volume 0 with a price of 0 is a suspension, and one that its own day contradicts is missing.
 * @throws QuotebookError INVALID_VALUE for another price that is not above 0
 */
function tradedPrices(panel: Panel, name: 'open' | 'close'): Float64Array {
  const prices = panel.column(name)
  const volume = panel.has('vol') ? panel.column('vol') : undefined
  return prices.map((price, cell) => {
    if (isDoubted(panel, cell, name)) return Number.NaN
    if (!(price <= 0) && price !== Number.POSITIVE_INFINITY) return price
    if (price === 0 && volume && !((volume[cell] as number) > 0)) return Number.NaN
    const [time, symbol] = [Math.floor(cell / panel.symbols.length), cell % panel.symbols.length]
    throw invalid(
      sentence`forwardReturns: ${name} of ${panel.symbols[symbol]} on ${panel.timeText(time)} is ${price}; a price is above 0`,
    )
  })
}

/** Prices without ex-rights: each times what the closes before it were more than the previous closes that the exchange named. */
export function adjustedPrices(
  panel: Panel,
  name: 'open' | 'close',
  prices: Float64Array = panel.column(name),
): Float64Array {
  const [width, perDay] = [panel.symbols.length, panel.minutes.length]
  const close = panel.column('close')
  const preClose = panel.has('pre_close') ? panel.column('pre_close') : undefined
  const adjusted = new Float64Array(prices.length)
  for (let symbol = 0; symbol < width; symbol++) {
    let [factor, last, dated] = [1, Number.NaN, -1]
    for (let time = 0, cell = symbol; time < panel.times; time++, cell += width) {
      const [day, pre] = [Math.floor(time / perDay), preClose?.[cell] ?? Number.NaN]
      if (day > dated && pre > 0) {
        if (last > 0 && !isDoubted(panel, cell, 'jump')) factor *= last / pre
        dated = day
      }
      adjusted[cell] = (prices[cell] as number) * factor
      if ((close[cell] as number) > 0 && !isDoubted(panel, cell, 'close')) last = close[cell] as number
    }
  }
  return adjusted
}

/** By day, the last price of an instrument that is there; NaN where none is. */
export function lastOfDays({ days, minutes, symbols }: Panel, prices: Float64Array, symbol: number): Float64Array {
  const lasts = new Float64Array(days.length).fill(Number.NaN)
  for (let time = 0; time < days.length * minutes.length; time++) {
    const price = prices[time * symbols.length + symbol] as number
    if (price > 0) lasts[Math.floor(time / minutes.length)] = price
  }
  return lasts
}

/** Prices at which what was bought is sold, without ex-rights: from the end of an instrument on what the end paid, as in an account. */
function salePrices(panel: Panel, prices: Float64Array): Float64Array {
  const [width, perDay] = [panel.symbols.length, panel.minutes.length]
  const [close, adjusted, sale] = [panel.column('close'), adjustedPrices(panel, 'close'), prices.slice()]
  panel.instruments.forEach(({ end }, symbol) => {
    if (!end) return
    const from = end.day * perDay * width + symbol
    let last = from - width
    while (last >= 0 && !((close[last] as number) > 0)) last -= width
    const factor = (adjusted[last] as number) / (close[last] as number)
    const paid = end.price === undefined ? adjusted[last] : end.price * factor
    for (let cell = from; cell >= 0 && cell < sale.length; cell += width) sale[cell] = paid ?? Number.NaN
  })
  return sale
}

/** What rounding leaves of no return. */
const noReturn = 1e-13

/** From the price of the next time to the one `horizon` times later, or to the end before it; NaN where either is missing. */
function returnsAhead(prices: Float64Array, sale: Float64Array, width: number, horizon: number): Float64Array {
  return prices.map((_, cell) => {
    const from = cell + width
    const value = (sale[from + horizon * width] ?? Number.NaN) / (prices[from] ?? Number.NaN) - 1
    return Math.abs(value) < noReturn ? 0 : value
  })
}

/** @throws QuotebookError STRATEGY */
function finiteScore(score: number, time: string, symbol: string): number {
  if (score !== Number.POSITIVE_INFINITY && score !== Number.NEGATIVE_INFINITY) return score
  throw new QuotebookError(
    'STRATEGY',
    sentence`strategy: the score of ${symbol} on ${time} is ${score}; give a finite number, or NaN for no candidate`,
  )
}

/** The score of every cell with a row from the panel's first day on; NaN for others, and for names that the universe leaves out. */
function scoresOf(panel: Panel, { score, universe }: Pick<RankStrategy, 'score' | 'universe'>): Float64Array {
  const width = panel.symbols.length
  const cursor = cursorOf(panel, 'close')
  cursor.reset(panel.cols, new Account(0, panel))
  const scores = new Float64Array(panel.times * width).fill(Number.NaN)
  for (let cell = panel.begin * panel.minutes.length * width; cell < scores.length; cell++) {
    if (!panel.present[cell]) continue
    const time = Math.floor(cell / width)
    cursor.moveTo(time)
    cursor.moveSymbol(cell % width, cell)
    const { bar } = cursor
    try {
      if (!universe || universe(bar)) scores[cell] = finiteScore(score(bar), panel.timeText(time), bar.symbol)
    } catch (error) {
      throw strategyFault(error, sentence`on ${panel.timeText(time)} for ${bar.symbol}`)
    }
  }
  if (scores.every(Number.isNaN))
    throw new QuotebookError(
      'NO_DECISION',
      sentence`forwardReturns: no score in any of ${panel.times} times: each is NaN, or left out`,
    )
  return scores
}

/** A column as it can be known at each close. @throws QuotebookError MISSING_COLUMN, LOOK_AHEAD */
function knownColumn(panel: Panel, name: string): Float64Array {
  const cursor = cursorOf(panel, 'close')
  cursor.reset(panel.cols, new Account(0, panel))
  cursor.moveTo(panel.begin * panel.minutes.length)
  cursor.row(name)
  return panel.column(name)
}

const thirds = ['low', 'middle', 'high']

function groupsOf(panel: Panel, by: string, scores: Float64Array): NonNullable<Signal['groups']> {
  const width = panel.symbols.length
  if ((by === 'class' || by === 'board') && !panel.has(by)) {
    const kinds = panel.instruments.map(({ kind }) => kind)
    const names = [...new Set(kinds)].sort()
    return { by, names, of: scores.map((_, cell) => names.indexOf(kinds[cell % width] as string)) }
  }
  const values = knownColumn(panel, by).map((value, cell) => (Number.isNaN(scores[cell]) ? Number.NaN : value))
  const of = new Float64Array(values.length)
  const placesAt = (from: number) => quantilesOf(values.subarray(from, from + width), 3).map((third) => third - 1)
  for (let from = 0; from < of.length; from += width) of.set(placesAt(from), from)
  return { by, names: thirds, of }
}

/**
 * Computes the scores of a panel and the returns that followed, for `factorStudy`. Scores are computed at each close as
 * a strategy computes them; returns start at the price at which they could be traded, and ex-rights are removed by
 * `pre_close` if the panel has it. Days before the panel's first serve as history and get no score. Costs, limits and
 * lots do not affect the returns. A missing row has neither score nor return; if an instrument ends before a return
 * does, the return uses what the end paid.
 * @throws QuotebookError USAGE for options; MISSING_COLUMN; STRATEGY for an error in score or universe, and a score
 * that is not finite; INVALID_VALUE for prices at or below 0; NO_DECISION without a score; LOOK_AHEAD if a column
 * becomes known only after the score
 */
export function forwardReturns<C extends string>(
  panel: Panel<C>,
  strategy: Pick<RankStrategy<Settled<C>>, 'score' | 'universe'>,
  options: ForwardReturnsOptions = {},
): Signal {
  const { horizons, fill } = checked(checkOptions<ForwardReturnsOptions>(options, optionKinds, 'forwardReturns'))
  const any = panel as unknown as Panel
  const kinds = { score: 'any', universe: 'a function', pick: 'any', weight: 'any', when: 'any' } as const
  const own = checkOptions<object>(strategy, kinds, sentence`strategy of forwardReturns`) as RankStrategy
  if (typeof own.score !== 'function')
    throw misuse(sentence`forwardReturns: score is a function of a bar, not ${described(own.score)}`)
  const scores = scoresOf(any, own)
  const moment = fill === 'nextOpen' ? 'open' : 'close'
  const prices = adjustedPrices(any, moment, tradedPrices(any, moment))
  const sale = salePrices(any, prices)
  const { by, exposures, costs } = options
  const first = panel.begin * panel.minutes.length
  const since = (cells: Float64Array): Float64Array => cells.subarray(first * panel.symbols.length)
  const all = (cells: object): never =>
    Object.fromEntries(Object.entries(cells).map(([name, one]) => [name, since(one as Float64Array)])) as never
  const groups = by === undefined ? undefined : groupsOf(any, by, scores)
  return {
    times: Array.from({ length: panel.times - first }, (_, at) => panel.timeText(first + at)),
    symbols: panel.symbols,
    score: since(scores),
    forward: horizons.map((horizon) => since(returnsAhead(prices, sale, panel.symbols.length, horizon))),
    horizons,
    ...(groups && { groups: { ...groups, of: since(groups.of as Float64Array) } }),
    ...(exposures && { exposures: all(Object.fromEntries(exposures.map((name) => [name, knownColumn(any, name)]))) }),
    ...(costs && { trading: all(signalTrading(any, moment, costs)) }),
  }
}
