import { toDecimal } from '../checks/exact/decimal.js'
import { type Order, type TradingAccess, wholeLots } from './execute.js'
import { amountOf, floorShare } from './money.js'
import type { FillMoment } from './quotes.js'

/** What a decision wants held: instruments, in the order in which they are bought. What is not named is sold. */
export interface Targets {
  readonly symbols: readonly number[]
  /** Share of the account of each; or how many equal places there are. */
  readonly weights: readonly number[] | { readonly places: number }
  /** All candidates by rank, where they were asked for. */
  readonly ranked?: readonly { readonly symbol: number; readonly score: number }[]
}

/** Price for sizing: of the moment, or else the last close. */
function sizingPrice({ quotes, account }: TradingAccess, time: number, symbol: number, price: number): number {
  if (!Number.isNaN(price)) return price
  const mark = account.marks[symbol] as number
  return (account.shares[symbol] as number) > 0 ? mark : quotes.lastClose(time, symbol)
}

/** The account at the prices of a moment, before slippage and costs: whole fen, in mills. */
function accountMills(market: TradingAccess, time: number, moment: FillMoment): number {
  const { account, quotes } = market
  const { held, shares } = account
  let sum = account.cash
  for (let at = 0; at < held.length; at++) {
    const symbol = held[at] as number
    sum += amountOf(shares[symbol] as number, sizingPrice(market, time, symbol, quotes.price(time, symbol, moment)))
  }
  return sum * 10
}

function wantedShares(targets: Targets, place: number, value: number, unit: number): number {
  const { weights } = targets
  if ('places' in weights) return Math.floor(value / (weights.places * unit))
  return floorShare(value, weights[place] as number, unit)
}

/** Whether the value of a target differs from that of the holding by less than so many mills. */
function isWithin({ weights }: Targets, place: number, value: number, held: number, mills: number): boolean {
  if (mills === 0) return false
  const { digits, scale } = 'places' in weights ? { digits: 1n, scale: 0 } : toDecimal(weights[place] as number)
  const parts = 'places' in weights ? BigInt(weights.places) : 10n ** BigInt(scale)
  const gap = BigInt(value) * digits - BigInt(held) * parts
  return (gap < 0n ? -gap : gap) < BigInt(mills) * parts
}

/** The order that moves a holding to its target, if one is to be given. */
function orderOf(
  market: TradingAccess,
  time: number,
  place: number,
  targets: Targets,
  context: { value: number; moment: FillMoment; minTradeLots: number },
): Order | undefined {
  const symbol = targets.symbols[place] as number
  const { quotes, account, execution } = market
  const rules = quotes.rules(time, symbol)
  const { step } = rules.lot
  const holding = account.shares[symbol] as number
  const price = quotes.price(time, symbol, context.moment)
  const sized = sizingPrice(market, time, symbol, price)
  if (holding === 0 && !('places' in targets.weights) && targets.weights[place] === 0) return undefined
  const life = execution.life(time, symbol)
  if (life) {
    execution.reject(time, { symbol, side: 'buy', shares: 0 }, 0, life)
    return undefined
  }
  const wanted = Number.isNaN(sized) ? 0 : wantedShares(targets, place, context.value, sized * step) * step
  if (holding === 0) {
    if (wholeLots(wanted, rules) > 0) return { symbol, side: 'buy', shares: wanted, price }
    if (wanted > 0 || !Number.isNaN(sized)) execution.reject(time, { symbol, side: 'buy', shares: 0 }, 0, 'lot')
    else execution.reject(time, { symbol, side: 'buy', shares: 0 }, 0, 'suspended')
    return undefined
  }
  if (isWithin(targets, place, context.value, holding * sized, context.minTradeLots * step * sized)) return undefined
  const change = Math.abs(wanted - holding)
  if (wanted === 0) return { symbol, side: 'sell', shares: holding, price }
  if (wholeLots(change, rules) === 0) return undefined
  return { symbol, side: wanted > holding ? 'buy' : 'sell', shares: wholeLots(change, rules), price }
}

/**
 * Brings the account to a decision's targets at a moment of a bar: sells first, by code; then buys, in the order of the
 * targets. The value that weights are shares of is taken once, before all of them.
 * @param minTradeLots a held name whose value differs from its target by less than that of so many steps is left alone
 */
export function rebalance(
  market: TradingAccess,
  time: number,
  moment: FillMoment,
  targets: Targets,
  minTradeLots: number,
): void {
  const { quotes, account, execution } = market
  const { symbols } = targets
  const context = { value: accountMills(market, time, moment), moment, minTradeLots }
  const { named } = execution
  const orders: (Order | undefined)[] = []
  for (let place = 0; place < symbols.length; place++) {
    named[symbols[place] as number] = place + 1
    orders.push(orderOf(market, time, place, targets, context))
  }
  const sells: Order[] = []
  for (let at = 0; at < account.held.length; at++) {
    const symbol = account.held[at] as number
    const place = named[symbol] as number
    if (place > 0) {
      const order = orders[place - 1]
      if (order?.side === 'sell') sells.push(order)
      continue
    }
    const shares = account.shares[symbol] as number
    if (shares < minTradeLots * quotes.rules(time, symbol).lot.step) continue
    sells.push({ symbol, side: 'sell', shares, price: quotes.price(time, symbol, moment) })
  }
  for (let place = 0; place < symbols.length; place++) named[symbols[place] as number] = 0
  for (let at = 0; at < sells.length; at++) execution.sell(time, sells[at] as Order)
  for (let place = 0; place < orders.length; place++) {
    const order = orders[place]
    if (order?.side === 'buy') execution.buy(time, order)
  }
}
