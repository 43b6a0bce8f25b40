/**
 * Buys ETFs that have fallen below the average price of their day, on 15-minute bars, and leaves before the close.
 * Only funds that may be sold on the day they were bought take part, by the rules of the exchanges and the classes named below;
 * an order is filled at the open of the bar after the one that was seen, for at most a tenth of that bar's volume.
 * It asks to be out before the close, because the bars have no previous close and no adjustment factor that would explain a gap; what the volume does not take stays, and is in `rejected`.
 *
 * Params: below (0.1, percent under the average price), n (2), cash (1000000).
 */
import { chinaRules, filter, panel } from 'quotebook'

/** Funds of Shenzhen whose number does not tell that they follow a market abroad. */
const classes = { '159941.SZ': 'ETF T+0' }
const sameDay = (symbol) => (classes[symbol] ?? chinaRules.classOf(symbol)) === 'ETF T+0'

export default async ({ market, params = {} }) => {
  const { below = 0.1, n = 2, cash = 1_000_000 } = params
  const days = { from: '20260506', to: '20260729' }
  const bars = await market.table.etfMinute({ symbols: 'all', period: '15m' }, { days })
  return {
    panel: panel(
      filter(bars, ({ symbol }) => sameDay(symbol)),
      { columns: ['open', 'close', 'vol', 'vwap'], classes },
    ),
    strategy: {
      universe: (bar) => bar.minute < '1445' && bar.close < bar.vwap * (1 - below / 100),
      score: (bar) => bar.close / bar.vwap,
      pick: { n, side: 'lowest' },
      when: { at: 'every bar' },
    },
    options: { cash },
  }
}
