import type { Side, TradingAccess } from './execute.js'
import type { FillMoment } from './quotes.js'

/**
 * An order that a strategy gives itself. It lives for the bar after the decision and is filled at that bar's open, close or average
 * price. With a limit, it is filled where that price is no worse; at the open, else at the limit if the bar traded through it.
 */
export interface PlacedOrder {
  readonly symbol: number
  readonly side: Side
  readonly shares: number
  /** Yuan; absent: at the market. Between two ticks, the one that is worse for being filled. */
  readonly limit?: number
  /** The moment of the account's `fill` unless given. */
  readonly at?: 'open' | 'close'
}

/** A limit in mills, on a tick; what computing in doubles leaves beside a tick does not count. */
function limitMills({ side, limit = Number.NaN }: PlacedOrder, tick: number): number {
  const ticks = (limit * 1000) / tick
  return (side === 'buy' ? Math.floor(ticks + 1e-6) : Math.ceil(ticks - 1e-6)) * tick
}

/** The price of a limit order; NaN where the bar does not reach it. */
function limitPrice(
  { quotes }: TradingAccess,
  time: number,
  { symbol, side }: PlacedOrder,
  { price, limit, moment }: { price: number; limit: number; moment: FillMoment },
): number {
  if (side === 'buy' ? price <= limit : price >= limit) return price
  if (moment !== 'open') return Number.NaN
  const far = quotes.extreme(time, symbol, side === 'buy' ? 'low' : 'high')
  const isThrough = side === 'buy' ? far < limit : far > limit
  return isThrough ? limit : Number.NaN
}

function fillOrder(market: TradingAccess, time: number, moment: FillMoment, placed: PlacedOrder): void {
  const { quotes, execution } = market
  const { symbol, side, shares } = placed
  const order = { symbol, side, shares }
  const life = execution.life(time, symbol)
  if (life) {
    execution.reject(time, order, 0, life)
    return
  }
  const raw = quotes.price(time, symbol, moment)
  if (placed.limit === undefined || Number.isNaN(raw)) {
    execution[side](time, { ...order, price: raw })
    return
  }
  const limit = limitMills(placed, quotes.rules(time, symbol).tick)
  const price = limitPrice(market, time, placed, { price: raw, limit, moment })
  if (Number.isNaN(price)) execution.reject(time, order, 0, 'price')
  else execution[side](time, { ...order, price, limit })
}

/** Orders of the open before those of the close; of each, sells first, by code; then buys in the order in which they were given. */
export function fillOrders(
  market: TradingAccess,
  time: number,
  moment: FillMoment,
  orders: readonly PlacedOrder[],
): void {
  for (const at of ['open', 'vwap', 'close'] as const) {
    const now = orders.filter((order) => (order.at ?? moment) === at)
    const sells = now.filter(({ side }) => side === 'sell').sort((a, b) => a.symbol - b.symbol)
    const buys = now.filter(({ side }) => side === 'buy')
    for (const order of [...sells, ...buys]) fillOrder(market, time, at, order)
  }
}
