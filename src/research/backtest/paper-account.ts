import { toObjects } from '../../frame/read-columns.js'
import type { AccountState } from './account-state.js'
import { type BacktestOptions, normalOptions } from './backtest-options.js'
import type { LookaheadCheck } from './check-lookahead.js'
import { cursorOf } from './cursor.js'
import { missingValues } from './missing-values.js'
import { Panel } from './panel.js'
import { lastLookahead } from './plan-orders.js'
import { type PlannedDay, plannedDay } from './planned-day.js'
import type { Decision } from './rebalance.js'
import { eventsTable, fillsTable, positionsTable, rejectedTable } from './result-tables.js'
import { type Decide, runAccount, type Simulation } from './run-account.js'
import { decideOf, type Strategy } from './strategy.js'

/** A row of a table of a backtest, with its names. */
export type ResultRow = Readonly<Record<string, string | number | null>>

/** What a day of a paper account came to: the tables of a backtest of that day in yuan, the next orders, and what it goes on from. */
export interface PaperRun {
  readonly day: string
  readonly equity: number
  readonly cash: number
  readonly fills: readonly ResultRow[]
  readonly rejected: readonly ResultRow[]
  readonly events: readonly ResultRow[]
  readonly holdings: readonly ResultRow[]
  readonly plan: PlannedDay
  readonly state: AccountState
}

/** How the days of an account are run. */
export interface PaperStrategy {
  readonly strategy: Strategy
  readonly options: BacktestOptions
  readonly names?: Readonly<Record<string, string>>
  /** Makes the strategy anew, for the look-ahead check. */
  readonly anew?: () => Strategy
}

/** The panel up to a day. */
export function panelUntil(panel: Panel, day: string): Panel {
  const days = panel.days.filter((one) => one <= day)
  const cells = days.length * panel.minutes.length * panel.symbols.length
  if (days.length === panel.days.length) return panel
  const cols = Object.fromEntries(panel.names.map((name) => [name, panel.cols[name]?.slice(0, cells)]))
  const marked = panel.marked?.slice(0, days.length * panel.symbols.length)
  return new Panel({ ...panel, days, cols: cols as Panel['cols'], present: panel.present.slice(0, cells), marked })
}

const rowsOf = (panel: Panel, run: Simulation, make: (panel: Panel, run: Simulation) => object): ResultRow[] =>
  toObjects(make(panel, run) as never) as unknown as ResultRow[]

/** One day of an account, the place of which in the panel is given. */
function runDay(panel: Panel, options: BacktestOptions, decide: Decide, day: number, state?: AccountState): Simulation {
  const perDay = panel.minutes.length
  const { rules } = normalOptions(options, panel.findings)
  return runAccount(panel, rules, decide, (day + 1) * perDay, day * perDay, state)
}

/**
 * The last day of a panel by the engine of backtests: fills what was decided the day before, marks, decides, and plans the next day.
 * @param state what the day before left; on the first day the cash of the options is all there is
 */
export function paperDay(
  panel: Panel,
  { strategy, options, names = {}, anew }: PaperStrategy,
  state?: AccountState,
): PaperRun & { readonly lookahead: LookaheadCheck | undefined } {
  const { rules, lookahead: isChecked } = normalOptions(options, panel.findings)
  const { decide } = decideOf(strategy, panel, cursorOf(panel, rules.decide ?? 'close'), { explains: true })
  let last: Decision | undefined
  const run = runDay(panel, options, (time, account) => (last = decide(time, account)), panel.days.length - 1, state)
  const ranked = last && 'ranked' in last ? last.ranked : undefined
  const left = run.state
  return {
    day: panel.days.at(-1) as string,
    equity: (run.equity.at(-1) as number) / 100,
    cash: left.cash / 100,
    fills: rowsOf(panel, run, fillsTable),
    rejected: rowsOf(panel, run, rejectedTable),
    events: rowsOf(panel, run, eventsTable),
    holdings: rowsOf(panel, run, positionsTable),
    plan: plannedDay(panel, rules, left, { names, ranked, missing: missingValues(panel, strategy, left) }),
    state: left,
    lookahead: isChecked ? lastLookahead(panel, strategy, rules, left, anew) : undefined,
  }
}

/** Something of a day that would be other with the prices as they are now. */
export interface PaperChange {
  readonly day: string
  readonly what: 'fill' | 'equity' | 'decision'
  readonly symbol: string | null
  /** As the account has it, and as it would be; empty where it is not there. */
  readonly was: string
  readonly now: string
}

const fillKey = ({ symbol, side }: ResultRow): string => `${symbol} ${side}`
const fillText = ({ side, shares, price }: ResultRow): string => `${side} ${shares} @ ${price}`

function fillChanges(day: string, was: readonly ResultRow[], now: readonly ResultRow[]): PaperChange[] {
  const keys = [...new Set([...was, ...now].map(fillKey))]
  return keys.flatMap((key): PaperChange[] => {
    const ofKey = (rows: readonly ResultRow[]) => rows.filter((row) => fillKey(row) === key)
    const [before, after] = [was, now].map((rows) => ofKey(rows).map(fillText).join(', '))
    if (before === after) return []
    return [{ day, what: 'fill', symbol: key.split(' ')[0] as string, was: before as string, now: after as string }]
  })
}

/** What was decided, in a line. */
function decisionText({ pending }: AccountState): string {
  if (!pending) return ''
  if ('orders' in pending) return pending.orders.map((one) => `${one.side} ${one.shares} ${one.symbol}`).join(', ')
  const { symbols, weights, sized } = pending
  const acts = { buy: 'buy ', sell: 'sell ', 'sell-all': 'sell all ' } as const
  if (sized)
    return sized
      .flatMap(({ act, shares, symbol }) => (act in acts ? [`${acts[act as 'buy']}${shares || ''} ${symbol}`] : []))
      .join(', ')
  return symbols.map((symbol, at) => ('places' in weights ? symbol : `${symbol} ${weights[at]}`)).join(', ')
}

/**
 * What days of an account would be with the prices of a panel, each from what the day before had left: a price that was corrected
 * shows on its own days alone. Nothing is rewritten.
 * @param optionsOf how each day was run
 * @param since the first day on which the strategy decided; of days before it fills and equity are compared
 */
export function paperChanges(
  panel: Panel,
  strategy: Strategy,
  days: readonly PaperRun[],
  { optionsOf, since }: { readonly optionsOf: (day: number) => BacktestOptions; readonly since: string },
): PaperChange[] {
  const { decide } = decideOf(strategy, panel, cursorOf(panel, 'close'))
  return days.flatMap((own, at): PaperChange[] => {
    const { day } = own
    const place = panel.days.indexOf(day)
    if (place < 0) return [{ day, what: 'equity', symbol: null, was: String(own.equity), now: '' }]
    const decides = day >= since
    const run = runDay(panel, optionsOf(at), decides ? decide : () => undefined, place, days[at - 1]?.state)
    const equity = (run.equity[place] as number) / 100
    const isSized = 'sized' in (own.state.pending ?? {})
    const shown = ({ pending }: AccountState) => (isSized || !pending ? pending : { ...pending, sized: undefined })
    const [was, now] = [own.state, run.state].map((one) => JSON.stringify(shown(one)) ?? '')
    const changes = fillChanges(day, own.fills, rowsOf(panel, run, fillsTable))
    const note = (what: PaperChange['what'], was: string, now: string) =>
      changes.push({ day, what, symbol: null, was, now })
    if (equity !== own.equity) note('equity', String(own.equity), String(equity))
    if (decides && was !== now) note('decision', decisionText(own.state), decisionText(run.state))
    return changes
  })
}
