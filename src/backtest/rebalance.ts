import type { Account } from './account.js'
import { type Execution, type Order, wholeLots } from './execute.js'
import { amountOf, floorShare } from './money.js'
import type { FillMoment, Quotes } from './quotes.js'

/** What a decision wants held: instruments, in the order in which they are bought. What is not named is sold. */
export interface Targets {
  readonly symbols: readonly number[]
  /** Share of the account of each; or how many equal places there are. */
  readonly weights: readonly number[] | { readonly places: number }
}

interface Market {
  readonly quotes: Quotes
  readonly account: Account
  readonly execution: Execution
}

/** Price for sizing: of the moment, or else the last close. */
function sizingPrice({ quotes, account }: Market, time: number, symbol: number, moment: FillMoment): number {
  const price = quotes.price(time, symbol, moment)
  if (!Number.isNaN(price)) return price
  const mark = account.marks[symbol] as number
  return (account.shares[symbol] as number) > 0 ? mark : quotes.lastClose(time, symbol)
}

/** The account at the prices of a moment, before slippage and costs: whole fen, in mills. */
function accountMills(market: Market, time: number, moment: FillMoment): number {
  const { account } = market
  let sum = account.cash
  for (const symbol of account.held) {
    sum += amountOf(account.shares[symbol] as number, sizingPrice(market, time, symbol, moment))
  }
  return sum * 10
}

function wantedShares(targets: Targets, place: number, value: number, unit: number): number {
  const { weights } = targets
  if ('places' in weights) return Math.floor(value / (weights.places * unit))
  return floorShare(value, weights[place] as number, unit)
}

/** The order that moves a holding to its target, if one is to be given. */
function orderOf(
  market: Market,
  time: number,
  target: { symbol: number; place: number },
  targets: Targets,
  context: { value: number; moment: FillMoment; band: number },
): Order | undefined {
  const { symbol, place } = target
  const { quotes, account, execution } = market
  const rules = quotes.rules(time, symbol)
  const { step } = rules.lot
  const holding = account.shares[symbol] as number
  const sized = sizingPrice(market, time, symbol, context.moment)
  const price = quotes.price(time, symbol, context.moment)
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
  const change = Math.abs(wanted - holding)
  if (change < context.band * step) return undefined
  if (wanted === 0) return { symbol, side: 'sell', shares: holding, price }
  if (wholeLots(change, rules) === 0) return undefined
  return { symbol, side: wanted > holding ? 'buy' : 'sell', shares: wholeLots(change, rules), price }
}

/**
 * Brings the account to a decision's targets at a moment of a bar: sells first, by code; then buys, in the order of the
 * targets. The value that weights are shares of is taken once, before all of them.
 * @param band changes of a held name by fewer steps than this are left alone
 */
export function rebalance(market: Market, time: number, moment: FillMoment, targets: Targets, band: number): void {
  const { quotes, account, execution } = market
  const context = { value: accountMills(market, time, moment), moment, band }
  const named = new Set(targets.symbols)
  const orders: Order[] = []
  for (const symbol of account.held) {
    if (named.has(symbol)) continue
    const [shares, price] = [account.shares[symbol] as number, quotes.price(time, symbol, moment)]
    if (shares >= band * quotes.rules(time, symbol).lot.step) orders.push({ symbol, side: 'sell', shares, price })
  }
  targets.symbols.forEach((symbol, place) => {
    const order = orderOf(market, time, { symbol, place }, targets, context)
    if (order) orders.push(order)
  })
  const sells = orders.filter(({ side }) => side === 'sell').sort((a, b) => a.symbol - b.symbol)
  for (const order of sells) execution.sell(time, order)
  for (const order of orders) if (order.side === 'buy') execution.buy(time, order)
}
