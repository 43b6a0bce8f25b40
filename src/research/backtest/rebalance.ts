import { toDecimal } from '../checks/exact/decimal.js'
import { type Order, type Side, type TradingAccess, wholeLots } from './execute.js'
import { amountOf, floorShare } from './money.js'
import type { PlacedOrder } from './placed-orders.js'
import type { FillMoment } from './quotes.js'

/** What a decision wants held: instruments, in the order in which they are bought. What is not named is sold. */
export interface Targets {
  readonly symbols: readonly number[]
  /** Share of the account of each; or how many equal places there are. */
  readonly weights: readonly number[] | { readonly places: number }
  /** Instruments beside them that stay as they are, without an order. */
  readonly kept?: readonly number[]
  /** All that is done is to sell these, between the times of the schedule. */
  readonly exits?: readonly number[]
  /** Shares were named, and all of them are 0: cash is what is wanted. */
  readonly isCash?: boolean
  /** All candidates by rank, where they were asked for. */
  readonly ranked?: readonly { readonly symbol: number; readonly score: number }[]
}

/**
 * What becomes of an instrument that a decision names: so many shares are bought or sold, all are sold, or nothing is done (`hold` a target, `keep` what
 * is no target). `lot`: not one lot of it can be had; `not-listed`: it has had no price yet.
 */
export interface SizedOrder {
  readonly symbol: number
  readonly act: 'buy' | 'sell' | 'sell-all' | 'hold' | 'keep' | 'lot' | 'not-listed'
  readonly shares: number
}

/** What a strategy decides: a portfolio, or orders of its own. */
export type Decision = Targets | { readonly orders: readonly PlacedOrder[] }

/** A decision that waits for its fill; a portfolio that was sized when it was decided has its orders. */
export type Pending = Decision & { readonly sized?: readonly SizedOrder[] }

/** What waits for its fill when there is another decision before it: that one; or, if it only sells some holdings, the first without these. */
export function waitingWith(waiting: Pending, next: Pending): Pending {
  if ('orders' in waiting || 'orders' in next || !next.exits) return next
  const { symbols, weights, kept, sized } = waiting
  const stays = (symbol: number): boolean => !next.exits?.includes(symbol)
  return {
    ...waiting,
    symbols: symbols.filter(stays),
    weights: 'places' in weights ? weights : weights.filter((_, place) => stays(symbols[place] as number)),
    ...(kept && { kept: kept.filter(stays) }),
    ...(sized && { sized: sized.filter(({ symbol }) => stays(symbol)) }),
  }
}

type Priced = Pick<TradingAccess, 'quotes' | 'account'>

/** Price for sizing: of the moment, or else the last close. */
function sizingPrice({ quotes, account }: Priced, { time, moment, isMarked }: Sizing, symbol: number): number {
  const isHeld = (account.shares[symbol] as number) > 0
  if (isMarked && isHeld) return account.marks[symbol] as number
  const price = quotes.price(time, symbol, moment)
  if (!Number.isNaN(price)) return price
  return isHeld ? (account.marks[symbol] as number) : quotes.lastClose(time, symbol)
}

/** The account at the prices of a moment, before slippage and costs: whole fen, in mills. */
function accountMills(market: Priced, sizing: Sizing): number {
  const { held, shares, cash } = market.account
  let sum = cash
  for (let at = 0; at < held.length; at++) {
    const symbol = held[at] as number
    sum += amountOf(shares[symbol] as number, sizingPrice(market, sizing, symbol))
  }
  return sum * 10
}

function wantedShares({ weights }: Targets, place: number, value: number, unit: number): number {
  if (Array.isArray(weights)) return floorShare(value, weights[place] as number, unit)
  return Math.floor(value / ((weights as { places: number }).places * unit))
}

/** Whether the value of a target differs from that of the holding by less than so many mills. */
function isWithin({ weights }: Targets, place: number, value: number, held: number, mills: number): boolean {
  if (mills === 0) return false
  const { digits, scale } = 'places' in weights ? { digits: 1n, scale: 0 } : toDecimal(weights[place] as number)
  const parts = 'places' in weights ? BigInt(weights.places) : 10n ** BigInt(scale)
  const gap = BigInt(value) * digits - BigInt(held) * parts
  return (gap < 0n ? -gap : gap) < BigInt(mills) * parts
}

/** When and at what prices orders are sized. */
export interface Sizing {
  readonly time: number
  readonly moment: FillMoment
  /** Whether what is held has been marked by these prices. */
  readonly isMarked: boolean
  /** A held target whose value differs from its holding by less than that of so many steps is left alone. */
  readonly minTradeLots: number
}

/** What moves a holding to its target. @param value of the account, in mills */
function sizedOrder(market: Priced, targets: Targets, place: number, value: number, sizing: Sizing): SizedOrder {
  const { time, minTradeLots } = sizing
  const { quotes, account } = market
  const symbol = targets.symbols[place] as number
  const rules = quotes.rules(time, symbol)
  const { step } = rules.lot
  const holding = account.shares[symbol] as number
  const price = sizingPrice(market, sizing, symbol)
  if (Number.isNaN(price)) return { symbol, act: 'not-listed', shares: 0 }
  const wanted = wantedShares(targets, place, value, price * step) * step
  if (holding === 0) {
    const isEnough = wholeLots(wanted, rules) > 0
    return { symbol, act: isEnough ? 'buy' : 'lot', shares: isEnough ? wanted : 0 }
  }
  const isNear = isWithin(targets, place, value, holding * price, minTradeLots * step * price)
  if (wanted === 0 && !isNear) return { symbol, act: 'sell-all', shares: 0 }
  const change = isNear ? 0 : wholeLots(Math.abs(wanted - holding), rules)
  return { symbol, act: change === 0 ? 'hold' : wanted > holding ? 'buy' : 'sell', shares: change }
}

/** Sizes the orders of a decision by what the account holds. The value that weights are shares of is taken once, before all of them. */
export function sizeTargets(market: Priced, targets: Targets, sizing: Sizing): SizedOrder[] {
  const { symbols, weights, kept = [] } = targets
  const value = accountMills(market, sizing)
  const sized: SizedOrder[] = []
  for (let place = 0; place < symbols.length; place++)
    if ('places' in weights || weights[place] !== 0) sized.push(sizedOrder(market, targets, place, value, sizing))
  for (const symbol of kept) sized.push({ symbol, act: 'keep', shares: 0 })
  return sized
}

/** Whether a sized order is still to be filled at a time; refuses what is not, or no longer, there. */
function isPlaced(execution: TradingAccess['execution'], time: number, { symbol, act }: SizedOrder): boolean {
  if (act === 'keep') return false
  const refused = execution.life(time, symbol) ?? (act === 'lot' || act === 'not-listed' ? act : undefined)
  if (refused) execution.reject(time, { symbol, side: 'buy', shares: 0 }, 0, refused)
  return !refused && act !== 'hold'
}

/**
 * Gives sized orders at a moment of a bar: sells first, by code, with all of what is not named; then buys, in the order of the targets.
 */
export function placeSized(
  { quotes, account, execution }: TradingAccess,
  time: number,
  moment: FillMoment,
  sized: readonly SizedOrder[],
): void {
  const { named } = execution
  for (let place = 0; place < sized.length; place++) {
    const one = sized[place] as SizedOrder
    named[one.symbol] = isPlaced(execution, time, one) ? place + 1 : -1
  }
  const order = (symbol: number, side: Side, shares: number): Order => {
    return { symbol, side, shares, price: quotes.price(time, symbol, moment), at: moment }
  }
  const held = account.held.slice()
  for (let at = 0; at < held.length; at++) {
    const symbol = held[at] as number
    const place = named[symbol] as number
    const one = place > 0 ? (sized[place - 1] as SizedOrder) : undefined
    const all = account.shares[symbol] as number
    if (place === 0 || one?.act === 'sell-all') execution.sell(time, order(symbol, 'sell', all))
    else if (one?.act === 'sell') execution.sell(time, order(symbol, 'sell', Math.min(one.shares, all)))
  }
  for (let place = 0; place < sized.length; place++) {
    const { symbol, act, shares } = sized[place] as SizedOrder
    if (act === 'buy' && (named[symbol] as number) > 0) execution.buy(time, order(symbol, 'buy', shares))
    named[symbol] = 0
  }
}
