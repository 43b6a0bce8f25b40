import { invalid, misuse } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import type { Account } from './account.js'
import type { Panel } from './panel.js'
import type { PlacedOrder } from './placed-orders.js'
import type { Quotes } from './quotes.js'
import type { Targets } from './rebalance.js'

/** A holding between two days: whole shares, money in fen, its last close in mills. */
export interface HeldState {
  readonly symbol: string
  readonly shares: number
  /** Bought that day, and not to be sold on it. */
  readonly locked: number
  readonly mark: number
  readonly stale: boolean
  /** Its position is stopped at a gap that nothing explains. */
  readonly stopped: boolean
  /** All cash since it was opened. */
  readonly tripCash: number
  /** Paid for what is held, without costs; null where that is not known. */
  readonly cost: number | null
  /** Day on which it was opened. */
  readonly opened: string
}

type Decided = Targets | { readonly orders: readonly PlacedOrder[] }

/** A decision by code. */
export type PendingDecision =
  | { readonly symbols: readonly string[]; readonly weights: Targets['weights'] }
  | { readonly orders: readonly (Omit<PlacedOrder, 'symbol'> & { readonly symbol: string })[] }

/** An account between two days, by code, so that it can be kept and taken up over a panel of more days. */
export interface AccountState {
  /** Fen. */
  readonly cash: number
  readonly held: readonly HeldState[]
  /** What was decided and is not yet filled. */
  readonly pending?: PendingDecision
}

const knownCost = (cost: number): number | null => (Number.isNaN(cost) ? null : cost)
const codeOf = (panel: Panel, symbol: number): string => panel.symbols[symbol] as string

/** @param stopped 1 for each instrument whose position is stopped */
export function accountState(panel: Panel, account: Account, stopped: Uint8Array, pending?: Decided): AccountState {
  const held = account.held.map((symbol): HeldState => {
    const { cash, opened } = account.trip(symbol)
    return {
      symbol: codeOf(panel, symbol),
      shares: account.shares[symbol] as number,
      locked: account.locked[symbol] as number,
      mark: account.marks[symbol] as number,
      stale: account.stale[symbol] === 1,
      stopped: stopped[symbol] === 1,
      tripCash: cash,
      cost: knownCost(account.cost[symbol] as number),
      opened: panel.days[Math.floor(opened / panel.minutes.length)] as string,
    }
  })
  return { cash: account.cash, held, ...(pending && { pending: pendingState(panel, pending) }) }
}

/** A decision by code. */
export function pendingState(panel: Panel, decision: Decided): PendingDecision {
  if ('orders' in decision)
    return { orders: decision.orders.map((order) => ({ ...order, symbol: codeOf(panel, order.symbol) })) }
  return { symbols: decision.symbols.map((symbol) => codeOf(panel, symbol)), weights: decision.weights }
}

/**
 * Gives an account what a state holds. A mark is the last close that the panel has: one that was corrected since is no ex-rights.
 * @returns what was decided
 * @throws QuotebookError INVALID_VALUE for a code that the panel does not have
 */
export function takeState(
  { cash, held, pending }: AccountState,
  at: { readonly panel: Panel; readonly quotes: Quotes; readonly account: Account; readonly from: number },
  stop: (symbol: number) => void,
): Decided | undefined {
  const { panel, quotes, account, from } = at
  if (panel.cashflows)
    throw misuse(sentence`an account that goes on from day to day keeps no cashflows yet; leave them out`)
  const places = new Map(panel.symbols.map((symbol, place) => [symbol, place]))
  const placeOf = (symbol: string): number => {
    const place = places.get(symbol)
    if (place !== undefined) return place
    throw invalid(sentence`the account has ${symbol}, of which there are no prices`)
  }
  account.cash = cash
  for (const { symbol, shares, locked, mark, stale, stopped, tripCash, cost, opened } of held) {
    const place = placeOf(symbol)
    const last = stopped ? Number.NaN : quotes.lastClose(from, place)
    const time = Math.max(0, panel.days.indexOf(opened)) * panel.minutes.length
    const paid = cost ?? Number.NaN
    account.take(place, { shares, locked, mark: last > 0 ? last : mark, cash: tripCash, cost: paid, opened: time })
    account.stale[place] = stale ? 1 : 0
    if (stopped) stop(place)
  }
  if (!pending) return undefined
  if ('orders' in pending)
    return { orders: pending.orders.map((order) => ({ ...order, symbol: placeOf(order.symbol) })) }
  return { symbols: pending.symbols.map(placeOf), weights: pending.weights }
}
