import type { Trading } from '../analysis/performance/factor-quantiles.js'
import type { BacktestOptions } from './backtest-options.js'
import type { Panel } from './panel.js'
import { isDoubted } from './price-findings.js'
import { quotesOf } from './quotes.js'

/** What costs are computed with: as in a backtest, but that the least commission of an order counts for nothing. */
export type SignalCosts = Pick<BacktestOptions, 'commission' | 'slippageTicks' | 'slippageBps'>

/**
 * What it costs to trade at the fill after each time, as a share of the amount: commission, stamp and transfer of the class on that day,
 * and slippage; and whether it could be bought or sold there. Without a price a cost is that of the last fill before, and nothing can be
 * traded.
 */
export function signalTrading(panel: Panel, moment: 'open' | 'close', costs: SignalCosts): Trading {
  const { commission = {}, slippageTicks = 1, slippageBps } = costs
  const quotes = quotesOf(panel, moment, commission)
  const [width, cells] = [panel.symbols.length, panel.times * panel.symbols.length]
  const none = (): Float64Array => new Float64Array(cells)
  const [buy, sell, canBuy, canSell] = [none().fill(Number.NaN), none().fill(Number.NaN), none(), none()]
  for (let cell = 0; cell < cells - width; cell++) {
    const [next, symbol] = [Math.floor(cell / width) + 1, cell % width]
    const price = isDoubted(panel, cell + width, moment) ? Number.NaN : quotes.price(next, symbol, moment)
    if (Number.isNaN(price)) {
      buy[cell] = buy[cell - width] ?? Number.NaN
      sell[cell] = sell[cell - width] ?? Number.NaN
      continue
    }
    const rules = quotes.rules(next, symbol)
    const rate = ({ digits, divisor }: { digits: number; divisor: number }): number => digits / divisor
    const slip = slippageBps === undefined ? (slippageTicks * rules.tick) / price : slippageBps / 10_000
    const common = rate(rules.commission.rate) + slip
    buy[cell] = common + rate(rules.stamp.buy) + rate(rules.transfer.buy)
    sell[cell] = common + rate(rules.stamp.sell) + rate(rules.transfer.sell)
    if (quotes.volume(next, symbol) === 0) continue
    const { up, down } = quotes.band(next, symbol)
    canBuy[cell] = price < up ? 1 : 0
    canSell[cell] = price > down ? 1 : 0
  }
  // What comes after the last time is not known.
  for (const one of [canBuy, canSell]) one.fill(Number.NaN, Math.max(0, cells - width))
  return { buy, sell, canBuy, canSell, amount: amounts(panel) }
}

/** Yuan traded by cell: the column `amount`, or else volume times close in the volume's own unit, which orders names of a class alike. */
function amounts(panel: Panel): Float64Array {
  if (panel.has('amount')) return panel.column('amount')
  if (!panel.has('vol')) return new Float64Array(panel.present.length).fill(Number.NaN)
  const [volume, close] = [panel.column('vol'), panel.column('close')]
  return volume.map((one, cell) => one * (close[cell] as number))
}
