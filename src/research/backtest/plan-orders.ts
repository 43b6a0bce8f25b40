import { inCalendar } from '../../contract/calendar.js'
import { invalid, misuse } from '../../contract/error.js'
import { checkOptions } from '../../contract/options.js'
import { fact, sentence, type Words } from '../../contract/sentence.js'
import { described } from '../../frame/table/shape.js'
import { Account } from './account.js'
import { type AccountState, pendingState, takeState } from './account-state.js'
import { type BacktestOptions, backtestKinds, normalOptions } from './backtest-options.js'
import { compareUnderNoise, type LookaheadCheck, lastDecisions, watchedPanel } from './check-lookahead.js'
import { cursorOf } from './cursor.js'
import { missingValues } from './missing-values.js'
import type { Panel } from './panel.js'
import { type PlannedDay, plannedDay } from './planned-day.js'
import { quotesOf } from './quotes.js'
import { type Decision, type Pending, sizeTargets } from './rebalance.js'
import type { SimulationRules } from './run-account.js'
import { decideOf, type Settled, type Strategy } from './strategy.js'

/** What is held at the close: a code, with or without its exchange, and shares, bonds or units. */
export interface Holdings {
  readonly symbol: string
  readonly shares: number
}

/** Options of `planOrders`: those of a backtest, of which slippage and the share of a volume have no part in orders. */
export interface OrderPlanOptions extends Omit<BacktestOptions, 'onProgress'> {
  /** Default: nothing. */
  readonly holdings?: readonly Holdings[]
  /** Names by code. */
  readonly names?: Readonly<Record<string, string>>
}

/** Orders for the next trading day, with notes on them. */
export interface OrderPlan extends PlannedDay {
  /** Holdings of codes that the panel does not have: they are left alone, and not counted. */
  readonly unknown: readonly Holdings[]
  /** Of the last three decisions before; undefined if it was not run. */
  readonly lookahead: LookaheadCheck | undefined
  readonly warnings: readonly Words[]
}

/** The place of a code, with or without its exchange; undefined where there is none, or more than one. */
export function codeIn(symbols: readonly string[], code: string): string | undefined {
  if (symbols.includes(code)) return code
  const found = symbols.filter((one) => one.startsWith(`${code}.`))
  return found.length === 1 ? found[0] : undefined
}

/** @throws QuotebookError USAGE for what is no whole number of shares, and for a code twice */
function stateOf(panel: Panel, cash: number, holdings: readonly Holdings[]) {
  const unknown: Holdings[] = []
  const seen = new Set<string>()
  const held = holdings.flatMap((one) => {
    const { shares } = one
    const symbol = codeIn(panel.symbols, one.symbol)
    if (!Number.isSafeInteger(shares) || shares < 0)
      throw misuse(sentence`holdings: ${one.symbol} has ${described(shares)} shares; they are a whole number from 0`)
    if (symbol === undefined) unknown.push(one)
    if (symbol === undefined || shares === 0) return []
    if (seen.has(symbol)) throw misuse(sentence`holdings: two rows of ${symbol}`)
    seen.add(symbol)
    const opened = panel.days.at(-1) as string
    const none = { locked: 0, mark: Number.NaN, stale: false, stopped: false, tripCash: 0, cost: null }
    return [{ symbol, shares, ...none, opened }]
  })
  return { state: { cash, held }, unknown }
}

/** The account of a state at the last close of a panel, with marks of the panel. */
function accountAt(panel: Panel, rules: SimulationRules, state: AccountState): Account {
  const account = new Account(0, panel)
  const quotes = quotesOf(panel, 'close', rules.commission)
  takeState(state, { panel, quotes, account, from: panel.times }, () => undefined)
  return account
}

/**
 * Whether the last three decisions before the last one, asked with what is held now, stay the same when what followed them is noise;
 * also those before the first day of the account.
 */
export function lastLookahead(
  panel: Panel,
  strategy: Strategy,
  rules: SimulationRules,
  state: AccountState,
  anew?: () => Strategy,
): LookaheadCheck {
  const whole = panel.withColumns(panel.cols, { begin: 0 })
  const { seen, taken } = watchedPanel(whole)
  const { decide } = decideOf(strategy, whole, cursorOf(whole, 'close'), { seen })
  const record = { ...lastDecisions(whole, decide, accountAt(whole, rules, state), 3), taken }
  return compareUnderNoise(whole, strategy, { decideAt: 'close', cuts: 3, anew }, record)
}

/** A decision of the last close with its orders, if they are sized by it. */
function sizedAtClose(panel: Panel, rules: SimulationRules, account: Account, decision: Decision): Pending {
  if ('orders' in decision || rules.sizeAt === 'fill') return decision
  const quotes = quotesOf(panel, 'close', rules.commission)
  const sizing = { time: panel.times - 1, moment: 'close', isMarked: true, minTradeLots: rules.minTradeLots } as const
  return { ...decision, sized: sizeTargets({ quotes, account }, decision, sizing) }
}

/** Whether a strategy decides at bars before the last one of a day. */
function decidesWithinDay(panel: Panel, strategy: Strategy): boolean {
  const { times } = decideOf(strategy, panel, cursorOf(panel, 'close'))
  return times.some((is, time) => is === 1 && (time + 1) % panel.minutes.length !== 0)
}

/** What the reader of orders must know of the panel that they were made from. */
export function planWarnings(
  panel: Panel,
  strategy: Strategy,
  { day, tradeDay, orders, untraded }: PlannedDay,
  lookahead: LookaheadCheck | undefined,
): Words[] {
  const warnings = [...panel.notes]
  if (!inCalendar(tradeDay))
    warnings.push(
      sentence`the calendar does not know ${tradeDay.slice(0, 4)}: ${tradeDay} is taken for a trading day because it is a weekday`,
    )
  if (decidesWithinDay(panel, strategy))
    warnings.push(sentence`the strategy decides within the day: the evening before knows none of those orders`)
  if (!panel.has('pre_close'))
    warnings.push(sentence`no column pre_close: limits go by the last close, and ex-rights are not known`)
  if (lookahead?.why !== undefined)
    warnings.push(fact('LOOK_AHEAD_CHECK', 'the look-ahead check: {why}', { why: lookahead.why }))
  else if (lookahead && !lookahead.ok)
    warnings.push(
      fact('LOOK_AHEAD', 'the strategy looks ahead: its decision at {time} changes when what came after it does', {
        time: lookahead.firstDifference?.time,
      }),
    )
  for (const { symbol, missing } of orders)
    if (missing)
      warnings.push(
        sentence`${symbol} leaves, and of what the strategy reads it has no ${missing.join(', ')} on ${day}: look before you sell it`,
      )
  if (untraded.some(({ reason }) => reason === 'cash'))
    warnings.push(sentence`the cash does not pay all that is wanted: orders were cut, sells first`)
  return warnings
}

/**
 * Plans the orders for the trading day after the last one of a panel: the strategy decides at the last close with the
 * current holdings, and the engine of `backtest` sizes its orders by the rules of that day at the last close. Nothing
 * is sent anywhere.
 * @param options `cash` is the available cash, from 0; `holdings` the current holdings
 * @throws QuotebookError as `backtest`; USAGE for holdings of another shape, and if the strategy decides at the open or
 * fills at the close that it has seen
 */
export function planOrders<C extends string>(
  panel: Panel<C>,
  strategy: Strategy<Settled<C>>,
  options: OrderPlanOptions,
): OrderPlan {
  const kinds = { ...backtestKinds, holdings: 'an array', names: 'an object' } as never
  checkOptions<OrderPlanOptions>(options, kinds, 'planOrders')
  const { holdings = [], names = {}, ...account } = options
  const started = { ...account, cash: account.cash === 0 ? 1 : account.cash }
  const { rules, lookahead: isChecked } = normalOptions(started, panel.findings)
  // Tomorrow's income moves no order: it can't be spent before it is paid.
  const any = panel.withColumns(panel.cols, { cashflows: undefined }) as unknown as Panel
  const { state, unknown } = stateOf(any, account.cash === 0 ? 0 : rules.cash, holdings)
  const { decide } = decideOf(strategy, panel, cursorOf(panel, 'close'), { explains: true })
  const held = accountAt(any, rules, state)
  const decision = decide(panel.times - 1, held)
  const lookahead = isChecked
    ? lastLookahead(any, strategy as unknown as Strategy, rules, state, options.anew as never)
    : undefined
  const marked = state.held.map((one) => ({ ...one, mark: held.marks[panel.symbols.indexOf(one.symbol)] as number }))
  const priceless = marked.find(({ mark }) => !(mark > 0))
  if (priceless) throw invalid(sentence`the account has ${priceless.symbol}, of which there are no prices`)
  const pending = decision && sizedAtClose(any, rules, held, decision)
  const left = { ...state, held: marked, ...(pending && { pending: pendingState(any, pending) }) }
  const ranked = decision && 'ranked' in decision ? decision.ranked : undefined
  const own = strategy as unknown as Strategy
  const planned = plannedDay(any, rules, left, { names, ranked, missing: missingValues(any, own, left) })
  const warnings = planWarnings(any, own, planned, lookahead)
  return { ...planned, unknown, lookahead, warnings }
}
