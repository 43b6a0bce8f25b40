import { invalid, misuse } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import type { Account } from './account.js'
import { memoryText } from './memory.js'
import type { Panel } from './panel.js'
import type { PlacedOrder } from './placed-orders.js'
import type { Quotes } from './quotes.js'
import type { Pending, SizedOrder, Targets } from './rebalance.js'

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
  /** Highest price since, in yuan; without it that of the bars since `opened` counts. */
  readonly high?: number
}

/** A decision whose instruments are named so: by place, or by code. */
type NamedBy<S> =
  | {
      readonly symbols: readonly S[]
      readonly weights: Targets['weights']
      readonly kept?: readonly S[]
      /** What is bought and sold for it; without it that is sized by the prices of the fill. */
      readonly sized?: readonly (Omit<SizedOrder, 'symbol'> & { readonly symbol: S })[]
    }
  | { readonly orders: readonly (Omit<PlacedOrder, 'symbol'> & { readonly symbol: S })[] }

/** A decision by code. */
export type PendingDecision = NamedBy<string>

function renamed<A, B>(decision: NamedBy<A>, nameOf: (symbol: A) => B): NamedBy<B> {
  const ofEach = <T extends { readonly symbol: A }>(all: readonly T[]) =>
    all.map((one) => ({ ...one, symbol: nameOf(one.symbol) }))
  if ('orders' in decision) return { orders: ofEach(decision.orders) }
  const { symbols, weights, kept, sized } = decision
  return {
    symbols: symbols.map(nameOf),
    weights,
    ...(kept && { kept: kept.map(nameOf) }),
    ...(sized && { sized: ofEach(sized) }),
  }
}

/** An account between two days, by code, so that it can be kept and taken up over a panel of more days. */
export interface AccountState {
  /** Fen. */
  readonly cash: number
  readonly held: readonly HeldState[]
  /** What was decided and is not yet filled. */
  readonly pending?: PendingDecision
  /** Days on which holdings came to an end, the last of each code. */
  readonly exits?: Readonly<Record<string, string>>
  /** What the strategy remembers. */
  readonly memory?: unknown
}

const knownCost = (cost: number): number | null => (Number.isNaN(cost) ? null : cost)
const codeOf = (panel: Panel, symbol: number): string => panel.symbols[symbol] as string

/**
 * What an account comes to at the end of a day.
 * @param stopped 1 for each instrument whose position is stopped
 * @param until the first time after it
 */
export function accountState(
  panel: Panel,
  account: Account,
  {
    stopped,
    pending,
    until,
  }: { readonly stopped: Uint8Array; readonly pending: Pending | undefined; readonly until: number },
): AccountState {
  const dayAt = (time: number): string => panel.days[Math.floor(time / panel.minutes.length)] as string
  const held = account.held.map((symbol): HeldState => {
    const { cash, opened } = account.trip(symbol)
    const high = account.highUntil(symbol, until)
    return {
      symbol: codeOf(panel, symbol),
      shares: account.shares[symbol] as number,
      locked: account.locked[symbol] as number,
      mark: account.marks[symbol] as number,
      stale: account.stale[symbol] === 1,
      stopped: stopped[symbol] === 1,
      tripCash: cash,
      cost: knownCost(account.cost[symbol] as number),
      opened: dayAt(opened),
      ...(high >= 0 && (account.highDoubt[symbol] as number) < 0 && { high }),
    }
  })
  const exits = [...account.exited.keys()].flatMap((symbol) => {
    const time = account.exited[symbol] as number
    return time < 0 ? [] : [[codeOf(panel, symbol), dayAt(time)] as const]
  })
  return {
    cash: account.cash,
    held,
    ...(pending && { pending: pendingState(panel, pending) }),
    ...(exits.length > 0 && { exits: Object.fromEntries(exits) }),
    ...(account.memory !== undefined && { memory: JSON.parse(memoryText(account.memory)) as unknown }),
  }
}

/** A decision by code. */
export function pendingState(panel: Panel, decision: Pending): PendingDecision {
  return renamed(decision, (symbol) => codeOf(panel, symbol))
}

/**
 * Gives an account what a state holds. A mark is the last close that the panel has: one that was corrected since is no ex-rights.
 * @returns what was decided
 * @throws QuotebookError INVALID_VALUE for a code that the panel does not have
 */
export function takeState(
  { cash, held, pending, exits = {}, memory }: AccountState,
  at: { readonly panel: Panel; readonly quotes: Quotes; readonly account: Account; readonly from: number },
  stop: (symbol: number) => void,
): Pending | undefined {
  const { panel, quotes, account, from } = at
  if (panel.cashflows)
    throw misuse(sentence`an account that goes on from day to day keeps no cashflows yet; leave them out`)
  const places = new Map(panel.symbols.map((symbol, place) => [symbol, place]))
  const placeOf = (symbol: string): number => {
    const place = places.get(symbol)
    if (place !== undefined) return place
    throw invalid(sentence`the account has ${symbol}, of which there are no prices`)
  }
  const timeOf = (day: string): number => Math.max(0, panel.days.indexOf(day)) * panel.minutes.length
  account.cash = cash
  account.memory = structuredClone(memory)
  for (const [symbol, day] of Object.entries(exits)) {
    const place = places.get(symbol)
    if (place !== undefined) account.exited[place] = timeOf(day)
  }
  for (const { symbol, shares, locked, mark, stale, stopped, tripCash, cost, opened, high } of held) {
    const place = placeOf(symbol)
    const last = stopped ? Number.NaN : quotes.lastClose(from, place)
    const [time, paid] = [timeOf(opened), cost ?? Number.NaN]
    const since = high === undefined ? { high: paid / shares / 100, highFrom: time } : { high, highFrom: from }
    const own = { shares, locked, cash: tripCash, cost: paid, opened: time, ...since }
    account.take(place, { ...own, mark: last > 0 ? last : mark })
    account.stale[place] = stale ? 1 : 0
    if (stopped) stop(place)
  }
  return pending && renamed(pending, placeOf)
}
