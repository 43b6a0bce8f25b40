import { tradingDayAfter } from '../../contract/calendar.js'
import { misuse } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import type { AccountState } from './account-state.js'
import type { Fill, RejectReason, Side } from './execute.js'
import { amountOf } from './money.js'
import { Panel } from './panel.js'
import { type Quotes, quotesOf } from './quotes.js'
import type { Targets } from './rebalance.js'
import { runAccount, type SimulationRules } from './run-account.js'

/** Why there is an order: new in the portfolio, more or less of it, no longer in it, or an order of the strategy's own. */
export type OrderReason = 'enter' | 'more' | 'less' | 'leave' | 'own'

/**
 * What to mind at an order, by the last day. `ends`: its redemption or delisting is known. `beyond-limit`: the exchange takes no such
 * price. `missing-value`: it leaves, and a column that the strategy reads has no value for it.
 */
export type OrderNote = 'suspended' | 'limit-up' | 'limit-down' | 'ends' | 'beyond-limit' | 'missing-value'

/** An order for the next trading day. Money is in yuan. */
export interface PlannedOrder {
  readonly symbol: string
  readonly name: string | null
  readonly side: Side
  readonly shares: number
  /** Of the class: 10 bonds, 100 shares or units. */
  readonly lots: number
  /** Null where there is none. */
  readonly lastClose: number | null
  /** Prices beyond which the exchange takes no order that day; null where it has no limit. */
  readonly limitDown: number | null
  readonly limitUp: number | null
  /** That of an order of the strategy's own; null: at the market. */
  readonly limit: number | null
  /** Shares at the last close, or at the own limit where that is better. */
  readonly value: number
  /** What the value would cost in commission and charges. */
  readonly costs: number
  readonly reason: OrderReason
  /** Place among the candidates, from 1, and score; null where the strategy ranks none, and for what is no candidate. */
  readonly rank: number | null
  readonly score: number | null
  /** Share of the account that is wanted; null for orders of its own. */
  readonly weight: number | null
  readonly notes: readonly OrderNote[]
  /** Columns without the value because of which it may leave. */
  readonly missing?: readonly string[]
}

/** What was wanted and is not ordered, or not all of it. */
export interface UntradedOrder {
  readonly symbol: string
  readonly name: string | null
  readonly side: Side
  readonly wanted: number
  readonly ordered: number
  readonly reason: RejectReason
}

/** The orders of a day, and what is left when all of them are filled at the last close. */
export interface PlannedDay {
  /** Day at whose close it was decided. */
  readonly day: string
  /** The next trading day. */
  readonly tradeDay: string
  /** Whether the strategy decides on that day by its schedule. */
  readonly isDecided: boolean
  /** Sells first, by code; then buys, in the order of the strategy. */
  readonly orders: readonly PlannedOrder[]
  readonly untraded: readonly UntradedOrder[]
  /** What is held at the close, at its last close. */
  readonly holdings: readonly Pick<PlannedOrder, 'symbol' | 'name' | 'shares' | 'lastClose' | 'value'>[]
  /** Yuan: before all orders, and after them. */
  readonly cash: number
  readonly cashLeft: number
  readonly equity: number
}

/** Prices at which nothing has moved: every limit order of a day is met. */
const far = { low: 0.001, high: 999_999 }

/** The panel with one day more, on which nothing moves from the last close and no volume is known. */
function dayLonger(panel: Panel, day: string): Panel {
  const [width, perDay, cells] = [panel.symbols.length, panel.minutes.length, panel.present.length]
  const close = panel.column('close')
  const last = new Float64Array(width).fill(Number.NaN)
  for (let cell = 0; cell < cells; cell++) if (!Number.isNaN(close[cell])) last[cell % width] = close[cell] as number
  const names = ['close', 'open', 'pre_close', 'high', 'low', 'vol']
  const there = names.filter((name) => panel.has(name) || name === 'open')
  const cols = there.map((name) => {
    const column = new Float64Array(cells + perDay * width).fill(Number.NaN)
    if (panel.has(name)) column.set(panel.column(name))
    for (let cell = cells; cell < column.length && name !== 'vol'; cell++) {
      const price = last[cell % width] as number
      column[cell] = name === 'low' || name === 'high' ? price && far[name] : price
    }
    return [name, column] as const
  })
  const grown = (from: Uint8Array, more: number): Uint8Array => {
    const longer = new Uint8Array(from.length + more)
    longer.set(from)
    return longer
  }
  const marked = panel.marked && grown(panel.marked, width)
  marked?.copyWithin(marked.length - width, marked.length - 2 * width, marked.length - width)
  const present = grown(panel.present, perDay * width)
  return new Panel({ ...panel, days: [...panel.days, day], cols: Object.fromEntries(cols), present, marked })
}

type OwnOrder = Extract<NonNullable<AccountState['pending']>, { orders: unknown }>['orders'][number]

interface Context {
  readonly panel: Panel
  readonly quotes: Quotes
  readonly state: AccountState
  readonly names: Readonly<Record<string, string>>
  readonly ranked: Targets['ranked']
  /** Columns without a value at the last close, by codes that leave. */
  readonly missing: ReadonlyMap<string, readonly string[]>
  /** Orders of the strategy's own that are not yet found among the fills. */
  readonly own: OwnOrder[]
}

const yuan = (mills: number): number | null => (Number.isFinite(mills) && mills > 0 ? mills / 1000 : null)

/** Whether an instrument did not trade on the day before a time. */
function stoodStill(quotes: Quotes, time: number, symbol: number): boolean {
  for (let at = time - quotes.perDay; at < time; at++)
    if (!Number.isNaN(quotes.close(at, symbol)) && quotes.volume(at, symbol) !== 0) return false
  return true
}

function notesOf(
  { panel, quotes, missing }: Context,
  { time, symbol, side }: Fill,
  limit: number | undefined,
): OrderNote[] {
  const before = time - 1
  const close = quotes.close(before, symbol)
  const then = quotes.band(before, symbol)
  const now = quotes.band(time, symbol)
  const isBeyond = limit !== undefined && (limit * 1000 > now.up || limit * 1000 < now.down)
  return [
    ...(stoodStill(quotes, time, symbol) ? (['suspended'] as const) : []),
    ...(side === 'buy' && close >= then.up ? (['limit-up'] as const) : []),
    ...(side === 'sell' && close <= then.down ? (['limit-down'] as const) : []),
    ...(panel.instruments[symbol]?.end ? (['ends'] as const) : []),
    ...(isBeyond ? (['beyond-limit'] as const) : []),
    ...(missing.has(panel.symbols[symbol] as string) ? (['missing-value'] as const) : []),
  ]
}

function reasonOf({ pending, held }: AccountState, code: string, side: Side): OrderReason {
  if (pending && 'orders' in pending) return 'own'
  if (side === 'sell') return pending?.symbols.includes(code) ? 'less' : 'leave'
  return held.some(({ symbol }) => symbol === code) ? 'more' : 'enter'
}

function weightOf({ pending }: AccountState, code: string): number | null {
  if (!pending || 'orders' in pending) return null
  const place = pending.symbols.indexOf(code)
  if (place < 0) return 0
  return 'places' in pending.weights ? 1 / pending.weights.places : (pending.weights[place] as number)
}

function plannedOrder(context: Context, fill: Fill): PlannedOrder {
  const { panel, quotes, state, names, ranked, own, missing } = context
  const { time, symbol, side, shares, amount, commission, stamp, transfer } = fill
  const code = panel.symbols[symbol] as string
  const at = own.findIndex((one) => one.symbol === code && one.side === side && one.shares >= shares)
  const limit = at < 0 ? undefined : own.splice(at, 1)[0]?.limit
  const { up, down } = quotes.band(time, symbol)
  const rank = ranked?.findIndex((one) => one.symbol === symbol) ?? -1
  const last = quotes.lastClose(time, symbol)
  return {
    symbol: code,
    name: names[code] ?? null,
    side,
    shares,
    lots: shares / quotes.rules(time, symbol).lot.unit,
    lastClose: yuan(last),
    limitDown: yuan(down),
    limitUp: yuan(up),
    limit: limit ?? null,
    value: amount / 100,
    costs: (commission + stamp + transfer) / 100,
    reason: reasonOf(state, code, side),
    rank: rank < 0 ? null : rank + 1,
    score: ranked?.[rank]?.score ?? null,
    weight: weightOf(state, code),
    notes: notesOf(context, fill, limit),
    ...(missing.has(code) && { missing: missing.get(code) as readonly string[] }),
  }
}

/** Whether no price of the next day can meet the own limit of an order. */
function isOutOfReach(quotes: Quotes, { times, symbols }: Panel, { symbol, side, limit }: OwnOrder): boolean {
  const { up, down } = quotes.band(times, symbols.indexOf(symbol))
  return limit !== undefined && (side === 'buy' ? limit * 1000 < down : limit * 1000 > up)
}

/** Orders are sized by last closes, and holdings valued. @throws QuotebookError CONTRADICTED as `believe` */
function believeLast(panel: Panel, quotes: Quotes, symbols: readonly number[]): void {
  for (const symbol of symbols) {
    let last = panel.times - 1
    while (last > 0 && Number.isNaN(quotes.close(last, symbol))) last--
    quotes.believe(last, symbol, 'close')
  }
}

/**
 * What an account orders on the next trading day: the engine of backtests fills its decision at the last close, without slippage and
 * any share of a volume, by the rules of that day.
 * @param ranked candidates of the decision
 * @param missing columns without a value, by codes that leave
 * @throws QuotebookError USAGE where orders are filled before they could be given
 */
export function plannedDay(
  panel: Panel,
  rules: SimulationRules,
  state: AccountState,
  { names = {}, ranked, missing = new Map() }: Partial<Pick<Context, 'names' | 'ranked' | 'missing'>> = {},
): PlannedDay {
  if (rules.decide === 'open' || rules.fill === 'sameClose')
    throw misuse(
      sentence`plan: what is decided at the open, or filled at the close by which it was decided, can't be ordered the evening before; take exec: { decide: 'close', fill: 'nextOpen' }`,
    )
  const day = panel.days.at(-1) as string
  const tradeDay = tradingDayAfter(day)
  const longer = dayLonger(panel, tradeDay)
  const quotes = quotesOf(longer, 'open', rules.commission)
  const { pending } = state
  const all = pending && 'orders' in pending ? pending.orders : []
  const isHopeless = (order: OwnOrder): boolean => isOutOfReach(quotes, panel, order)
  const own = all.filter((order) => !isHopeless(order)).map((order) => ({ ...order, at: 'open' as const }))
  const moved = all.length ? { ...state, pending: { orders: own } } : state
  const still = {
    ...rules,
    fill: 'nextAuction',
    slippage: { ticks: 0 },
    volumeShare: undefined,
    keepsRecords: true,
  } as const
  const run = runAccount(longer, still, () => undefined, longer.times, panel.times, moved)
  const context = { panel: longer, quotes, state, names, ranked, missing, own: [...own] }
  const held = state.held.map((one) => panel.symbols.indexOf(one.symbol))
  believeLast(panel, quotes, [...run.fills.map(({ symbol }) => symbol), ...held])
  const untradedOf = (symbol: string, side: Side, wanted: number, ordered: number, reason: RejectReason) => {
    return { symbol, name: names[symbol] ?? null, side, wanted, ordered, reason }
  }
  const codeOf = (symbol: number): string => longer.symbols[symbol] as string
  const ends = run.events.filter(({ event }) => event === 'end')
  const untraded = [
    ...ends.map(({ symbol, before }) => untradedOf(codeOf(symbol), 'sell', before, 0, 'delisted')),
    ...all.filter(isHopeless).map(({ symbol, side, shares }) => untradedOf(symbol, side, shares, 0, 'price')),
    ...run.rejected.map((one) => untradedOf(codeOf(one.symbol), one.side, one.wanted, one.filled, one.reason)),
  ]
  const holdings = state.held.map(({ symbol, shares, mark }) => {
    return { symbol, name: names[symbol] ?? null, shares, lastClose: yuan(mark), value: amountOf(shares, mark) / 100 }
  })
  const fen = state.held.reduce((sum, one) => sum + amountOf(one.shares, one.mark), state.cash)
  return {
    day,
    tradeDay,
    isDecided: pending !== undefined,
    orders: run.fills.map((fill) => plannedOrder(context, fill)),
    untraded,
    holdings,
    cash: state.cash / 100,
    cashLeft: run.account.cash / 100,
    equity: fen / 100,
  }
}
