/**
 * Buys ETFs that have fallen below the average price of their day, on 15-minute bars, and leaves before the close.
 * Only funds that may be sold on the day they were bought take part, by the rules of the exchanges and the classes named below;
 * an order is filled at the open of the bar after the one that was seen, for at most a tenth of that bar's volume.
 * It asks to be out before the close, because the bars have no previous close and no adjustment factor that would explain a gap; what the volume does not take stays, and is in `rejected`.
 *
 * Params: below (0.1, percent under the average price), n (2). Days and cash are options of the run.
 */
import { chinaRules, defineStrategy } from 'quotebook'

/** Funds of Shenzhen whose number does not tell that they follow a market abroad. */
const classes = { '159941.SZ': 'ETF T+0' }
const sameDay = (symbol) => (classes[symbol] ?? chinaRules.classOf(symbol)) === 'ETF T+0'

export default defineStrategy({
  data: {
    dataset: 'etf_minute',
    params: { period: '15m' },
    columns: ['open', 'close', 'vol', 'vwap'],
    classes,
  },
  make: ({ below = 0.1, n = 2 }) => ({
    universe: (bar) => sameDay(bar.symbol) && bar.minute < '1445' && bar.close < bar.vwap * (1 - below / 100),
    score: (bar) => bar.close / bar.vwap,
    pick: { n, side: 'lowest' },
    when: { at: 'every bar' },
  }),
})
