import type { Side, TradingAccess } from './execute.js'
import type { FillMoment } from './quotes.js'

/**
 * An order that a strategy gives itself. It lives for the bar after the decision and is filled at that bar's open, close or average
 * price. With a limit, it is filled where that price is no worse; at the open, else at the limit if the bar traded through it. With a
 * stop, it waits until the bar trades there.
 */
export interface PlacedOrder {
  readonly symbol: number
  readonly side: Side
  readonly shares: number
  /** Yuan; absent: at the market. Between two ticks, the one that is worse for being filled. */
  readonly limit?: number
  /**
   * Yuan; it waits for the bar to trade at this price or beyond it: below for a sale, above for a purchase. Filled there, or at the bar's open if that
   * lies beyond; a price that is not the open counts only if it is beyond.
   */
  readonly stop?: number
  /** Default: the moment of the account's `fill`. */
  readonly at?: 'open' | 'close'
}

/** A price in mills, on the tick below or above it; what computing in doubles leaves beside a tick does not count. */
function onTick(yuan: number, tick: number, isUp: boolean): number {
  const ticks = (yuan * 1000) / tick
  return (isUp ? Math.ceil(ticks - 1e-6) : Math.floor(ticks + 1e-6)) * tick
}

/** The price at which a stop is met; NaN where the bar does not trade there. */
function stopPrice(
  { quotes }: TradingAccess,
  time: number,
  { symbol, side }: PlacedOrder,
  { price, stop, moment }: { price: number; stop: number; moment: FillMoment },
): number {
  const isBeyond = (one: number): boolean => (side === 'buy' ? one >= stop : one <= stop)
  if (isBeyond(price)) return price
  if (moment !== 'open') return Number.NaN
  return isBeyond(quotes.extreme(time, symbol, side === 'buy' ? 'high' : 'low')) ? stop : Number.NaN
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
  if (Number.isNaN(raw)) {
    execution[side](time, { ...order, price: raw, at: moment })
    return
  }
  const { tick } = quotes.rules(time, symbol)
  const stop = placed.stop === undefined ? undefined : onTick(placed.stop, tick, side === 'buy')
  const met = stop === undefined ? raw : stopPrice(market, time, placed, { price: raw, stop, moment })
  const limit = placed.limit === undefined ? undefined : onTick(placed.limit, tick, side === 'sell')
  // What the bar does after it has met a stop is not known.
  const within = met === raw ? moment : 'close'
  const price = limit === undefined ? met : limitPrice(market, time, placed, { price: met, limit, moment: within })
  if (!(price > 0)) execution.reject(time, order, 0, 'price')
  else
    execution[side](time, {
      ...order,
      price,
      at: price === raw ? moment : 'close',
      ...(limit !== undefined && { limit }),
    })
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
