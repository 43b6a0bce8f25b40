import { messageOf, QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { Account } from './account.js'
import { type BacktestOptions, normalOptions } from './backtest-options.js'
import { cursorOf, type DecideAt } from './cursor.js'
import { memoryText } from './memory.js'
import { lazyColumns, perturber } from './noise-panel.js'
import { NumberRows } from './number-rows.js'
import { Panel } from './panel.js'
import type { Decision } from './rebalance.js'
import { type Decide, runAccount } from './run-account.js'
import { decideOf, type Settled, type Strategy } from './strategy.js'

/** The result of the look-ahead test: whether decisions stay the same if all later data becomes noise. */
export interface LookaheadCheck {
  readonly ok: boolean
  /** How many times everything after a decision was replaced. */
  readonly cuts: number
  /** The first decision that differs, and the noise that it knew of: everything after `cut`. */
  readonly firstDifference?: { readonly time: string; readonly symbol: string | undefined; readonly cut: string }
  /**
   * What makes it not `ok` if that is no look-ahead: `nondeterministic`, asked again with the same data the strategy decides otherwise;
   * `unchecked`, it does not see the noise. `why` says it in words.
   */
  readonly fault?: 'nondeterministic' | 'unchecked'
  readonly why?: Words
}

const nothing: readonly number[] = []

/** What a strategy can see of a holding. */
const heldNames = ['symbol', 'shares', 'opened', 'cost', 'mark', 'high', 'highFrom', 'highDoubt'] as const

type HeldRows = NumberRows<(typeof heldNames)[number]>

/** What an account came to at a time, until the next one. @param before how many round trips an earlier one has */
function heldThen(rows: HeldRows, time: number, account: Account, before?: number) {
  const { held, shares, opened, cost, marks, highs, highFrom, highDoubt, cash, owed, exited, trips } = account
  const from = rows.length
  for (const symbol of held)
    rows.add(
      symbol,
      shares[symbol] as number,
      opened[symbol],
      cost[symbol],
      marks[symbol],
      highs[symbol],
      highFrom[symbol],
      highDoubt[symbol],
    )
  const exits: number[] = []
  const ended = before === undefined ? exited.keys() : before < trips.length ? trips.column('symbol', before) : nothing
  for (const symbol of ended) exits.push(symbol, exited[symbol] as number)
  return { time, rows, from, to: rows.length, cash, owed, exits }
}

type Held = ReturnType<typeof heldThen>

function putExits(account: Account, { exits }: Held): void {
  for (let at = 0; at < exits.length; at += 2) account.exited[exits[at] as number] = exits[at + 1] as number
}

/** Puts an account to what it came to. */
function putBack(account: Account, then: Held): void {
  const { held, shares, opened, cost, marks, highs, highFrom, highDoubt } = account
  for (const symbol of held) shares[symbol] = 0
  held.length = 0
  for (let row = then.from; row < then.to; row++) {
    const symbol = then.rows.cell(row, 0)
    held.push(symbol)
    shares[symbol] = then.rows.cell(row, 1)
    opened[symbol] = then.rows.cell(row, 2)
    cost[symbol] = then.rows.cell(row, 3)
    marks[symbol] = then.rows.cell(row, 4)
    highs[symbol] = then.rows.cell(row, 5)
    highFrom[symbol] = then.rows.cell(row, 6)
    highDoubt[symbol] = then.rows.cell(row, 7)
  }
  account.cash = then.cash
  account.owed = then.owed
  putExits(account, then)
}

/** What a strategy remembered before a decision, and after it. */
interface Remembered {
  readonly before: string | undefined
  readonly after: string
}

/** Decisions by time as they were made, and what was held then. */
export interface DecisionRecord {
  readonly decisions: ReadonlyMap<number, Decision>
  readonly held: readonly Held[]
  /** What it remembered, by time. */
  readonly remembered: ReadonlyMap<number, Remembered>
  /** The first time that was asked (default: the first of all). */
  readonly from?: number
  /** Columns that `prepare` took. */
  readonly taken?: ReadonlySet<string>
}

/** A panel for `prepare`, and which columns it takes. */
export function watchedPanel<C extends string>(panel: Panel<C>): { seen: Panel<C>; taken: ReadonlySet<string> } {
  const taken = new Set<string>()
  const cols = lazyColumns(panel.names, (name) => {
    taken.add(name)
    return panel.cols[name]
  })
  return { seen: new Panel<C>({ ...panel, cols }), taken }
}

/** A column that tells when a cell of it is read. */
function watchedColumn(column: Float64Array, onRead: () => void): Float64Array {
  const get = (target: Float64Array, name: string | symbol): unknown => {
    const value = Reflect.get(target, name, target) as unknown
    if (name !== 'length') onRead()
    return typeof value === 'function' ? value.bind(target) : value
  }
  return new Proxy(column, { get })
}

/** A panel that tells when a cell of one of its columns is read. */
export function readPanel<C extends string>(panel: Panel<C>, onRead: (name: C) => void): Panel<C> {
  const cols = lazyColumns(panel.names, (name) => watchedColumn(panel.cols[name], () => onRead(name)))
  return new Panel<C>({ ...panel, cols })
}

/** The same decisions, and a record of them. */
export function recorded(decide: Decide, taken?: ReadonlySet<string>): { decide: Decide; record: DecisionRecord } {
  const decisions = new Map<number, Decision>()
  const held: Held[] = []
  const rows: HeldRows = new NumberRows(heldNames)
  const remembered = new Map<number, Remembered>()
  let [moves, reads, trips] = [0, 0, undefined as number | undefined]
  let text: string | undefined
  const keep = (time: number, account: Account): void => {
    held.push(heldThen(rows, time, account, trips))
    trips = account.trips.length
  }
  const andRecord = (time: number, account: Account): Decision | undefined => {
    const isMoved = account.moves !== moves
    if (isMoved) keep(time, account)
    if (account.memory !== undefined) text ??= memoryText(account.memory)
    const decision = decide(time, account)
    const isRead = account.reads !== reads
    if (isRead && !isMoved) keep(time, account)
    if (isRead && account.memory !== undefined) {
      const after = memoryText(account.memory)
      remembered.set(time, { before: text, after })
      text = after
    }
    ;[moves, reads] = [account.moves, account.reads]
    if (decision) decisions.set(time, decision)
    return decision
  }
  return { decide: andRecord, record: { decisions, held, remembered, ...(taken && { taken }) } }
}

/** No decision of a strategy. */
const none: Decision = { orders: [{ symbol: -1, side: 'buy', shares: 0 }] }

/** First symbol in which two decisions differ; null where they are the same, undefined where no symbol can be named. */
function difference(a: Decision | undefined, b: Decision | undefined): number | null | undefined {
  if (!a || !b) return a === b ? null : undefined
  if ('orders' in a || 'orders' in b) return JSON.stringify(a) === JSON.stringify(b) ? null : undefined
  const [keptA, keptB] = [a.kept ?? nothing, b.kept ?? nothing]
  const other = keptA.find((symbol) => !keptB.includes(symbol)) ?? keptB.find((symbol) => !keptA.includes(symbol))
  if (other !== undefined) return other
  const [equalA, equalB] = [a, b].map(({ weights }) => ('places' in weights ? 1 / weights.places : undefined))
  const weightOf = (one: typeof a, equal: number | undefined, place: number): number =>
    equal ?? ((one.weights as readonly number[])[place] as number)
  for (let place = 0; place < Math.max(a.symbols.length, b.symbols.length); place++) {
    const isSame =
      a.symbols[place] === b.symbols[place] && Object.is(weightOf(a, equalA, place), weightOf(b, equalB, place))
    if (!isSame) return a.symbols[place] ?? b.symbols[place]
  }
  return null
}

/** What is decided at a time; an error, and to remember something else, is another decision than any. */
function decidedAt(decide: Decide, time: number, account: Account, was?: Remembered): Decision | undefined {
  try {
    account.memory = was?.before === undefined ? undefined : JSON.parse(was.before)
    const decision = decide(time, account)
    return was === undefined || memoryText(account.memory) === was.after ? decision : none
  } catch (error) {
    if (error instanceof QuotebookError) return none
    throw error
  }
}

/**
 * The first time of a stretch at which something else is decided, or remembered, than was, asked with what the account and the memory were then.
 */
function differenceIn(
  panel: Panel,
  decide: Decide,
  { decisions, held, remembered }: DecisionRecord,
  [from, cut]: readonly [number, number],
): LookaheadCheck['firstDifference'] {
  const account = new Account(0, panel)
  const timeOf = (place: number): number => held[place]?.time ?? Number.POSITIVE_INFINITY
  let next = 0
  for (; timeOf(next + 1) <= from; next++) putExits(account, held[next] as Held)
  for (let time = from; time <= cut; time++) {
    for (; timeOf(next) <= time; next++) putBack(account, held[next] as Held)
    const symbol = difference(decisions.get(time), decidedAt(decide, time, account, remembered.get(time)))
    if (symbol === null) continue
    const name = symbol === undefined ? undefined : panel.symbols[symbol]
    return { time: panel.timeText(time), symbol: name, cut: panel.timeText(cut) }
  }
  return undefined
}

/** Times of some decisions, spread over all of them. Nothing comes after a decision at the last close. */
function cutsOf({ decisions }: DecisionRecord, panel: Panel, decideAt: DecideAt, count: number): number[] {
  const times = [...decisions.keys()].filter((time) => decideAt === 'open' || time < panel.times - 1)
  const cuts = Array.from({ length: count }, (_, at) => times[Math.floor(((at + 1) * times.length) / (count + 1))])
  return [...new Set(cuts)].filter((cut) => cut !== undefined).sort((a, b) => b - a)
}

/** The last decisions up to the last time, so many and one, each asked with what an account holds at the end. */
export function lastDecisions(panel: Panel, decide: Decide, account: Account, count: number): DecisionRecord {
  const decisions = new Map<number, Decision>()
  const remembered = new Map<number, Remembered>()
  const before = account.memory === undefined ? undefined : memoryText(account.memory)
  let from = panel.times
  while (from > panel.begin * panel.minutes.length && decisions.size <= count) {
    account.memory = before === undefined ? undefined : JSON.parse(before)
    const decision = decide(--from, account)
    if (decision) decisions.set(from, decision)
    if (account.memory !== undefined) remembered.set(from, { before, after: memoryText(account.memory) })
  }
  return {
    decisions: new Map([...decisions].reverse()),
    held: [heldThen(new NumberRows(heldNames), from, account)],
    remembered,
    from,
  }
}

/** How a strategy is asked again. */
export interface AskedAgain<C extends string> {
  readonly decideAt: DecideAt
  readonly cuts: number
  /** Makes it anew. */
  readonly anew?: (() => Strategy<C>) | undefined
}

const forgetsNothing = sentence`prepare keeps what it computed the first time, and reads no column when it is run again; compute it anew in prepare`

/** Whether a strategy that took columns when it was prepared reads none of them when it is prepared again: it keeps what it had. */
function keepsColumns<C extends string>(
  panel: Panel<C>,
  strategy: Strategy<C>,
  at: DecideAt,
  base: DecisionRecord,
): boolean {
  if (!base.taken?.size) return false
  let isRead = false
  const seen = readPanel(panel, () => {
    isRead = true
  })
  try {
    const { decide } = decideOf(strategy, panel, cursorOf(panel, at), { seen })
    const ask: Decide = (time, account) => (isRead ? base.decisions.get(time) : decide(time, account))
    if (!isRead) differenceIn(panel as unknown as Panel, ask, base, [base.from ?? 0, panel.times - 1])
    return !isRead
  } catch {
    return false
  }
}

/**
 * Asks a strategy again with everything after some of its decisions replaced, the latest first, so that noise only grows. A bar shows
 * nothing after its time, so that `prepare` alone is given the noise. Each decision is asked with the first cut after it, since whoever
 * knows of a later one's noise knows of this one's; only where it differs, and a strategy that counts may, from the first time on.
 * Where one differs it is asked once more without noise: what differs then too does so for another reason.
 * @param base the decisions over the panel as it is
 */
export function compareUnderNoise<C extends string>(
  panel: Panel<C>,
  strategy: Strategy<C>,
  { decideAt, cuts: most, anew }: AskedAgain<C>,
  base: DecisionRecord,
): LookaheadCheck {
  const any = panel as unknown as Panel
  const cuts = cutsOf(base, any, decideAt, most)
  if (cuts.length === 0) return { ok: true, cuts: 0 }
  const perturbedAfter = perturber(panel, decideAt)
  const cursor = cursorOf(panel, decideAt)
  const found = { ok: false, cuts: cuts.length }
  const begin = base.from ?? 0
  for (const [place, cut] of cuts.entries()) {
    const seen = perturbedAfter(cut)
    const differenceFrom = (from: number, of?: Panel<C>, until = cut): LookaheadCheck['firstDifference'] => {
      const again = anew?.() ?? strategy
      return differenceIn(any, decideOf(again, panel, cursor, of && { seen: of }).decide, base, [from, until])
    }
    try {
      const before = cuts[place + 1]
      const isAsked = before === undefined || differenceFrom(before + 1, seen)
      const firstDifference = isAsked && differenceFrom(begin, seen)
      if (!firstDifference) continue
      // Of other lengths, for what counts the times that it was asked.
      const other = differenceFrom(begin) ?? differenceFrom(begin, undefined, cut - 1) ?? differenceFrom(begin)
      if (!other) return { ...found, firstDifference }
      const why = sentence`asked again with the same data, the strategy decides otherwise at ${other.time}: random numbers, or something that it keeps`
      return { ...found, firstDifference: other, fault: 'nondeterministic', why }
    } catch (error) {
      if (!(error instanceof QuotebookError)) throw error
      const why = sentence`prepare fails where what came after ${panel.timeText(cut)} is noise: ${messageOf(error)}`
      return { ...found, fault: 'unchecked', why }
    }
  }
  if (keepsColumns(panel, anew?.() ?? strategy, decideAt, base))
    return { ...found, fault: 'unchecked', why: forgetsNothing }
  return { ok: true, cuts: cuts.length }
}

/**
 * Checks that a strategy uses no future data: everything after a decision (columns, rows, ST marks, delistings) is
 * replaced by noise, and the decisions up to it, from the one tried before, must stay the same, bit for bit. `backtest`
 * runs it by default.
 *
 * Data that a strategy brings along from outside (an array computed over all days before) is not replaced: compute it
 * in `prepare`. A strategy that keeps the result of an earlier `prepare` is `unchecked`, unless `options.anew` creates
 * it anew; a strategy that is not a pure function (random numbers, a counter) is `nondeterministic`. Neither is `ok`.
 * @param cuts how many decisions are tried
 * @throws QuotebookError as `backtest`
 */
export function checkLookahead<C extends string>(
  panel: Panel<C>,
  strategy: Strategy<Settled<C>>,
  options: BacktestOptions,
  cuts = 8,
): LookaheadCheck {
  const { exec, rules } = normalOptions(options, panel.findings)
  const { seen, taken } = watchedPanel(panel)
  const decisive = decideOf(strategy, panel, cursorOf(panel, exec.decide), { seen })
  const { decide, record } = recorded(decisive.decide, taken)
  runAccount(panel as Panel, { ...rules, keepsRecords: false }, decide)
  decisive.tally.warnings()
  const again = { decideAt: exec.decide, cuts, anew: options.anew as AskedAgain<C>['anew'] }
  return compareUnderNoise(panel, strategy, again, record)
}
