import { messageOf, misuse, type QuotebookError } from '../../contract/error.js'
import { didYouMean, nameHint } from '../../contract/nearest.js'
import { checkOptions } from '../../contract/options.js'
import { allOf, sentence, type Words } from '../../contract/sentence.js'
import { described, namedIn } from '../../frame/table/shape.js'
import { Account } from './account.js'
import { BestScores, chosen } from './best-scores.js'
import { type Bar, type Cursor, daysSinceExitOf, entryPriceOf, heldDaysOf } from './cursor.js'
import { DecisionTally, type SilenceWords } from './decision-tally.js'
import { missingInPanel, type Panel } from './panel.js'
import type { PlacedOrder } from './placed-orders.js'
import type { Decision, Targets } from './rebalance.js'
import { refuseNames } from './refuse-names.js'
import type { Decide } from './run-account.js'
import { decisionTimes, type Schedule } from './schedule.js'
import { checkWeights, takeShares, unknownCode } from './shares-by-code.js'
import { seenByRanks, seenOfCross } from './silent-run.js'
import { givenBack, strategyFault } from './strategy-fault.js'
import { withState } from './strategy-state.js'
import { type NumberOf, plainName, type TextOf, textName } from './text-columns.js'

/** What a strategy remembers: its own matter. */
// biome-ignore lint/suspicious/noExplicitAny: a function of a strategy may name the type of its own state
export type StrategyState = any

/**
 * What every form of a strategy may have beside its decisions. A strategy that remembers has `state`, which makes what it begins with: numbers, text,
 * arrays and plain objects. Its functions get it as their last argument and may change it; it is kept in a paper account.
 */
export interface StrategyParts<C extends string = string> {
  readonly when?: Schedule
  readonly state?: () => StrategyState
  /** Called at each bar before anything is decided, also between the times of `when`: for what is remembered, such as the account's peak. */
  readonly update?: (now: CrossSection<C>, state?: StrategyState) => void
  /** Asked at each bar of what is held and has a row: true sells all of it at the next fill, also between the times of `when`. */
  readonly exit?: (bar: Bar<C>, state?: StrategyState) => boolean
}

/** A strategy that scores every instrument and holds the best. */
export interface RankStrategy<C extends string = string> extends StrategyParts<C> {
  /** Instruments that take part (default: all that have a row). */
  readonly universe?: (bar: Bar<C>, state?: StrategyState) => boolean
  /** NaN (or undefined): not a candidate. */
  readonly score: (bar: Bar<C>, state?: StrategyState) => number
  /**
   * The best `n`; one that is held stays while its rank is within `exitRank`. An unfilled place stays cash. With `rebalance: 'swap'` what stays is left as it
   * is, and only what comes and goes is traded; `'all'`, the default, brings each to its share.
   */
  readonly pick: {
    readonly n: number
    readonly side: 'lowest' | 'highest'
    readonly exitRank?: number
    readonly rebalance?: 'all' | 'swap'
  }
  /** Share of the account by score and rank (from 0; default: 1/n). */
  readonly weight?: 'equal' | ((score: number, rank: number) => number)
}

/** Texts of all instruments, null where one is missing. */
type TextsOfMarket<C extends string> = [TextOf<C>] extends [never]
  ? unknown
  : { readonly [K in TextOf<C>]: readonly (string | null)[] } & {
      lag(column: TextOf<C>, times: number): readonly (string | null)[]
    }

/** The entire market at one time; columns are copies. */
export type CrossSection<C extends string = string> = {
  readonly [K in NumberOf<C>]: Float64Array
} & TextsOfMarket<C> & {
    readonly time: number
    readonly day: string
    readonly minute: string
    readonly symbols: readonly string[]
    /** The values of all instruments so many times (days, or bars) before; NaN before the first, and if there is no row. */
    lag(column: NumberOf<C>, times: number): Float64Array
    /** Shares held of each instrument. */
    readonly shares: Float64Array
    /** Yuan that can be spent. */
    readonly cash: number
    /** Yuan: cash, what is owed, and what is held at the price of the decision (its close; its open with `decide: 'open'`), or its last close. */
    readonly equity: number
    /** Yuan of each holding, and its share of equity. */
    readonly value: Float64Array
    readonly weights: Float64Array
    /** As those of a bar, of each instrument. */
    readonly heldDays: Float64Array
    readonly entryPrice: Float64Array
    readonly daysSinceExit: Float64Array
    readonly highSinceEntry: Float64Array
  }

/**
 * Shares of the account by code, each at least 0 and at most 1 together; what is not named is sold, and what is 'keep' is left as it is and
 * takes no part in the sum.
 */
export type SharesByCode = Readonly<Record<string, number | 'keep'>> | ReadonlyMap<string, number | 'keep'>

// biome-ignore lint/suspicious/noConfusingVoidType: TypeScript 5.0 takes a function without a return for nothing else
type Allocated = SharesByCode | Float64Array | void

/** Returns shares by code; or fills `weights`, which come as zeros in the order of `symbols`, and returns nothing (or them). */
export type Allocate<C extends string = string> = (
  now: CrossSection<C>,
  weights: Float64Array,
  state?: StrategyState,
) => Allocated

/** A strategy that returns target weights for the entire market. */
export interface WeightStrategy<C extends string = string> extends StrategyParts<C> {
  readonly weights: Allocate<C>
}

/**
 * An order by code. It lives for the bar after the decision, and fills at the price of the account's `fill`, or `at`
 * its open or close. With a `limit` (yuan) it fills if that price is no worse; at the open, otherwise at the limit if
 * the bar traded through it.
 */
export type StrategyOrder = Omit<PlacedOrder, 'symbol'> & { readonly symbol: string }

/** A strategy that returns orders instead of a portfolio. */
export interface OrderStrategy<C extends string = string> extends Omit<StrategyParts<C>, 'exit'> {
  /** Orders for the bar after the decision; none: nothing is done. */
  readonly orders: (now: CrossSection<C>, state?: StrategyState) => readonly StrategyOrder[]
}

/** A value of each cell of the panel, time by time and within a time symbol by symbol. */
type OwnColumn = Float64Array | readonly number[]

// biome-ignore lint/suspicious/noExplicitAny: the names of columns that prepare gives are known where a bar's type names them
type AnyBar<V> = V extends (...given: never[]) => infer R ? (...given: any[]) => R : V

/** A strategy with columns that `prepare` has computed; its functions read them as those of the panel. For TypeScript name them: `(bar: Bar<'close' | 'range'>) => …`. */
export type StrategyOfColumns = { readonly columns: Readonly<Record<string, OwnColumn>> } & (
  | { readonly [K in keyof RankStrategy]: AnyBar<RankStrategy[K]> }
  | { readonly [K in keyof WeightStrategy]: AnyBar<WeightStrategy[K]> }
  | { readonly [K in keyof OrderStrategy]: AnyBar<OrderStrategy[K]> }
)

/**
 * Pure functions of what is visible at one time. Compute in `prepare` what needs the panel beforehand: it runs anew on
 * every panel, so that `checkLookahead` covers it; a value from outside the strategy is not covered.
 */
export type Strategy<C extends string = string> =
  | RankStrategy<C>
  | WeightStrategy<C>
  | OrderStrategy<C>
  | Allocate<C>
  | {
      /** Makes the strategy of a panel, and `columns` beside those of the panel, which are known at the close of their bar. */
      readonly prepare: (panel: Panel<C>) => (Strategy<C> & { readonly columns?: undefined }) | StrategyOfColumns
    }

/** C, inferred from other arguments alone. TypeScript 5.0, which notebooks use, has no NoInfer and reads it as any. */
export type Settled<C extends string> = [C][C extends unknown ? 0 : never]

function wrong(what: Words): QuotebookError {
  return misuse(sentence`strategy: ${what}`)
}

/** The panel as `prepare` is given it: a name that it does not have is an error. */
function preparing<C extends string>(panel: Panel<C>): Panel<C> {
  const empty = Object.create(refuseNames(Object.prototype, (name) => missingInPanel(name, panel.names)))
  const cols = Object.defineProperties(empty, Object.getOwnPropertyDescriptors(panel.cols))
  const copy = new (panel.constructor as typeof Panel)({ ...panel, cols })
  const members = [...Object.keys(copy), 'times', 'names', 'column', 'has', 'timeText', 'withColumns', 'hash']
  const missing = (name: string): Error => {
    const hint = panel.has(name) ? didYouMean(`cols.${name}`) : nameHint(name, members)
    return wrong(sentence`a panel has no '${name}'; ${hint}`)
  }
  return Object.setPrototypeOf(copy, refuseNames(Object.getPrototypeOf(panel), missing)) as Panel<C>
}

/** The panel with the columns of `prepare` beside its own. @throws QuotebookError USAGE for a name that there is, and another length */
function withOwnColumns<C extends string>(panel: Panel<C>, columns: unknown): Panel<C> {
  const given = namedIn(
    columns as object,
    sentence`columns of prepare`,
    sentence`an object, such as { range: Float64Array }`,
  )
  const [width, cells] = [panel.symbols.length, panel.present.length]
  const own = Object.entries(given).map(([name, column]: [string, unknown]) => {
    if (panel.has(name))
      throw wrong(sentence`prepare gives a column '${name}', which the panel has; give it another name`)
    const isArray = Array.isArray(column) || (ArrayBuffer.isView(column) && !(column instanceof DataView))
    const length = isArray ? (column as OwnColumn).length : undefined
    if (length !== cells)
      throw wrong(
        sentence`the column '${name}' of prepare is an array of ${cells} numbers, ${panel.times} times x ${width} instruments, not ${length === undefined ? described(column) : sentence`an array of ${length}`}`,
      )
    return [name, column instanceof Float64Array ? column : Float64Array.from(column as number[])] as const
  })
  return own.length ? panel.withColumns<C>({ ...panel.cols, ...Object.fromEntries(own) }) : panel
}

/**
 * A strategy with its preparation done, and the panel that it is asked over.
 * @param seen what `prepare` is given in the place of the panel
 */
export function prepared<C extends string>(
  strategy: Strategy<C>,
  panel: Panel<C>,
  seen = panel,
): { readonly strategy: Exclude<Strategy<C>, { prepare: unknown }>; readonly panel: Panel<C> } {
  let found = strategy
  let over = panel
  for (let depth = 0; typeof found === 'object' && found !== null && 'prepare' in found; depth++) {
    if (depth > 8) throw wrong(sentence`prepare gives a strategy that is to be prepared again, and again`)
    if (typeof found.prepare !== 'function')
      throw wrong(sentence`prepare must be a function, not ${described(found.prepare)}`)
    checkOptions<object>(found, { prepare: 'any' }, sentence`a strategy with prepare`)
    try {
      found = found.prepare(preparing(seen)) as Strategy<C>
    } catch (error) {
      throw strategyFault(error, sentence`in prepare`)
    }
    if (typeof found !== 'object' || found === null || !('columns' in found) || 'prepare' in found) continue
    const { columns, ...rest } = found as Strategy<C> & { readonly columns?: unknown }
    if (columns !== undefined) over = withOwnColumns(panel, columns)
    found = rest as Strategy<C>
  }
  return { strategy: found, panel: over }
}

/** What the whole market is asked at: a time, and the account as it is then. */
interface CrossPlace {
  time: number
  holdings: Account
}

/** The members of a cross section that are of the account. */
function accountOf<C extends string>(at: CrossPlace, cursor: Cursor<C>, { symbols, minutes }: Panel<C>) {
  const perDay = minutes.length
  const read = (): Account => {
    at.holdings.reads++
    return at.holdings
  }
  const values = (): Float64Array => {
    const values = new Float64Array(symbols.length)
    for (const symbol of read().held) values[symbol] = at.holdings.valueOf(symbol) / 100
    return values
  }
  const ofEach = (value: (symbol: number) => number) => Float64Array.from(symbols, (_, symbol) => value(symbol))
  return {
    get shares() {
      return at.holdings.shares.slice()
    },
    get cash() {
      return read().cash / 100
    },
    get equity() {
      return read().equity(at.time) / 100
    },
    get value() {
      return values()
    },
    get weights() {
      const equity = read().equity(at.time) / 100
      return values().map((value) => value / equity)
    },
    get heldDays() {
      return ofEach((symbol) => heldDaysOf(at.holdings, symbol, at.time, perDay))
    },
    get entryPrice() {
      return ofEach((symbol) => entryPriceOf(at.holdings, symbol))
    },
    get daysSinceExit() {
      return ofEach((symbol) => daysSinceExitOf(read(), symbol, at.time, perDay))
    },
    get highSinceEntry() {
      return ofEach((symbol) => cursor.highSinceEntry(read(), symbol))
    },
  }
}

function crossOf<C extends string>(cursor: Cursor<C>, panel: Panel<C>) {
  const at: CrossPlace = { time: 0, holdings: new Account(0, panel as unknown as Panel) }
  const perDay = panel.minutes.length
  const now = {
    get time() {
      return at.time
    },
    get day() {
      return panel.days[Math.floor(at.time / perDay)]
    },
    get minute() {
      return panel.minutes[at.time % perDay]
    },
    symbols: panel.symbols,
    lag: (name: string, times: number) =>
      panel.texts?.has(textName(name)) ? cursor.textRow(textName(name), times) : cursor.lagRow(name, times),
  }
  Object.defineProperties(now, Object.getOwnPropertyDescriptors(accountOf(at, cursor, panel)))
  const own = Object.keys(now)
  const clash = panel.names.map(plainName).find((name) => own.includes(name))
  if (clash !== undefined)
    throw wrong(sentence`the panel has a column '${clash}', which is of the account here; give the column another name`)
  for (const name of panel.names) {
    const get = panel.texts?.has(name) ? () => cursor.textRow(name) : () => cursor.row(name)
    Object.defineProperty(now, plainName(name), { get, enumerable: true })
  }
  // Who writes 'volume' means no 'value'.
  const missing = (name: string): Error =>
    missingInPanel(name, panel.names, [...panel.names, ...own.filter((one) => one !== 'value')])
  Object.setPrototypeOf(now, refuseNames(Object.prototype, missing))
  const place = (time: number, account: Account): void => {
    at.time = time
    at.holdings = account
    cursor.moveTo(time)
  }
  return { now: now as unknown as CrossSection<C>, place }
}

/** A decision with the ranks and scores that it came from. */
function explained(decision: Targets, best: BestScores): Targets {
  const ranked = Array.from(best.symbols.subarray(0, best.length), (symbol, rank) => {
    return { symbol, score: best.scoreAt(rank) }
  })
  return { ...decision, ranked }
}

/** What is held of the best. @param leaving of what is held, what is no candidate */
function rankDecision<C extends string>(
  strategy: RankStrategy<C>,
  best: BestScores,
  account: Account,
  leaving: readonly number[],
): Targets {
  const { n, exitRank = n, rebalance } = strategy.pick
  const all = best.symbols.subarray(0, best.length)
  const places = leaving.length ? [...all.keys()].filter((at) => !leaving.includes(all[at] as number)) : undefined
  const ranked = places ? places.map((at) => all[at] as number) : all
  const isHeld = (symbol: number): boolean => (account.shares[symbol] as number) > 0
  const ranks = chosen(ranked, n, exitRank, isHeld)
  const { weight = 'equal' } = strategy
  if (rebalance !== 'swap' && weight === 'equal')
    return { symbols: ranks.map((rank) => ranked[rank] as number), weights: { places: n } }
  const isKept = (rank: number): boolean => rebalance === 'swap' && isHeld(ranked[rank] as number)
  const [kept, traded] = [ranks.filter(isKept), ranks.filter((rank) => !isKept(rank))]
  const codesOf = (some: readonly number[]): number[] => some.map((rank) => ranked[rank] as number)
  const named = { symbols: codesOf(traded), ...(kept.length > 0 && { kept: codesOf(kept) }) }
  if (weight === 'equal') return { ...named, weights: { places: n } }
  const weights = traded.map((rank) => weight(best.scoreAt(places?.[rank] ?? rank), rank))
  checkWeights(weights)
  return { ...named, weights }
}

function checkPick({ pick }: RankStrategy): void {
  const isCount = (value: number): boolean => Number.isInteger(value) && value >= 1
  if (typeof pick !== 'object' || pick === null || !isCount(pick.n))
    throw wrong(sentence`pick: { n } is how many are held, a whole number from 1`)
  const unknown = Object.keys(pick).find((name) => !['n', 'side', 'exitRank', 'rebalance'].includes(name))
  if (unknown !== undefined) throw wrong(sentence`no '${unknown}' in pick; it takes n, side, exitRank and rebalance`)
  if (pick.side !== 'lowest' && pick.side !== 'highest') throw wrong(sentence`pick: { side } is 'lowest' or 'highest'`)
  if (pick.rebalance !== undefined && pick.rebalance !== 'all' && pick.rebalance !== 'swap')
    throw wrong(sentence`pick: { rebalance } is 'all' or 'swap', not ${described(pick.rebalance)}`)
  if (pick.exitRank !== undefined && !isCount(pick.exitRank))
    throw wrong(sentence`pick: { exitRank } is a rank, from 1`)
}

/** Rankings of a sweep by time and side, for runs whose scores are equal. */
export class SharedRanks {
  readonly #kept = { lowest: [] as BestScores[], highest: [] as BestScores[] }
  readonly #least: number

  /** @param least how many are ranked at once, so that those who ask for more find them */
  constructor(least: number) {
    this.#least = least
  }

  /** The ranking of a time, at least so many; made where there is none, or a shorter one. */
  of(
    time: number,
    side: 'lowest' | 'highest',
    most: number,
    fill: (best: BestScores, most: number) => void,
  ): BestScores {
    const kept = this.#kept[side][time]
    if (kept && kept.most >= most) return kept
    const best = new BestScores(side)
    fill(best, Math.max(this.#least, most))
    this.#kept[side][time] = best
    return best
  }
}

const shared = ['when', 'state', 'update', 'exit']
const strategyNames = ['score', 'universe', 'pick', 'weight', 'weights', 'orders', ...shared]
const rankNames = ['score', 'universe', 'pick', 'weight', ...shared]

/** The one form of a strategy, with functions where they belong. */
export function checkForm(strategy: object): void {
  const forms = ['score', 'weights', 'orders'].filter((name) => name in strategy)
  if (forms.length === 0) throw wrong(sentence`it has neither score, nor weights, nor orders`)
  if (forms.length > 1) throw wrong(sentence`it has ${allOf(forms)}; take one`)
  const form = forms[0] as string
  const taken = form === 'score' ? rankNames : [form, ...shared.filter((name) => form === 'weights' || name !== 'exit')]
  for (const [name, value] of Object.entries(strategy)) {
    if (!strategyNames.includes(name)) throw wrong(sentence`no member '${name}'; there are ${strategyNames.join(', ')}`)
    if (!taken.includes(name))
      throw wrong(sentence`'${name}' has no part in a strategy with ${form}; it takes ${taken.join(', ')}`)
    const isData = name === 'pick' || name === 'when' || (name === 'weight' && value === 'equal')
    if (!isData && value !== undefined && typeof value !== 'function')
      throw wrong(
        sentence`${name} must be ${name === 'weight' ? sentence`'equal' or ` : ''}a function, not ${described(value)}`,
      )
  }
}

const orderNames = ['symbol', 'side', 'shares', 'limit', 'stop', 'at']

function checkOrder(order: StrategyOrder): void {
  const { symbol, side, shares, at } = order
  const other = Object.keys(order).find((name) => !orderNames.includes(name))
  if (other !== undefined) throw wrong(sentence`no '${other}' in an order; it takes ${orderNames.join(', ')}`)
  if (side !== 'buy' && side !== 'sell')
    throw wrong(sentence`the order for ${symbol} has side ${described(side)}; it is 'buy' or 'sell'`)
  if (!Number.isSafeInteger(shares) || shares <= 0)
    throw wrong(sentence`an order of ${shares} ${symbol}; shares are a whole number above 0`)
  for (const name of ['limit', 'stop'] as const) {
    const price = order[name]
    if (price !== undefined && !(price > 0 && price < 1e9))
      throw wrong(sentence`a ${name} of ${price} for ${symbol}; it is a price in yuan`)
  }
  if (at !== undefined && at !== 'open' && at !== 'close')
    throw wrong(sentence`the order for ${symbol} is at ${described(at)}; it is at 'open' or 'close'`)
}

/** The function that decides, and what is told of it where it decides nothing. */
interface Decider {
  readonly ask: (time: number, account: Account, leaving: readonly number[]) => Decision | undefined
  readonly words: SilenceWords
}

interface DecideContext<C extends string> {
  readonly cursor: Cursor<C>
  readonly panel: Panel<C>
  readonly times: Uint8Array
}

/** Decisions by rank. Instruments without a row at the time take no part. */
function rankDecide<C extends string>(
  strategy: RankStrategy<C>,
  { cursor, panel, times }: DecideContext<C>,
  { shared, explains }: DecideOptions<C>,
): Decider {
  checkPick(strategy as RankStrategy)
  if (shared && strategy.state)
    throw misuse(sentence`sweep: score or universe reads ${'state'}, so runs can not share scoreParams`)
  const { pick } = strategy
  const own = new BestScores(pick.side)
  const width = panel.symbols.length
  const ask: Decider['ask'] = (time, account, leaving) => {
    const most = explains ? width : Math.min(width, Math.max(pick.n, pick.exitRank ?? 0) + account.held.length)
    const fill = (best: BestScores, atLeast: number): void => {
      try {
        rankAll(strategy, cursor, panel, time, best, atLeast)
      } catch (error) {
        throw strategyFault(error, sentence`on ${panel.timeText(time)} for ${cursor.bar.symbol}`)
      }
    }
    if (shared) {
      cursor.forbidHoldings(true)
      const best = shared.of(time, pick.side, most, fill)
      cursor.forbidHoldings(false)
      return rankDecision(strategy, best, account, leaving)
    }
    fill(own, most)
    const decision = rankDecision(strategy, own, account, leaving)
    return explains ? explained(decision, own) : decision
  }
  const seen = seenByRanks(strategy, cursor, panel, times)
  return { ask, words: { none: sentence`no candidate`, isTold: true, seen } }
}

/** Whether a universe takes a bar, of what it gave that is no boolean. */
function isTaken(given: unknown): boolean {
  if (typeof given === 'number') return Boolean(given)
  throw wrong(sentence`universe gives true or false; it gave ${givenBack(given)}`)
}

function rankAll<C extends string>(
  { universe, score }: RankStrategy<C>,
  cursor: Cursor<C>,
  panel: Panel<C>,
  time: number,
  best: BestScores,
  most: number,
): void {
  const { bar } = cursor
  const width = panel.symbols.length
  best.clear(Math.min(width, most))
  cursor.moveTo(time)
  const { present } = panel
  const sign = best.sign
  for (let symbol = 0, cell = time * width; symbol < width; symbol++, cell++) {
    if (!present[cell]) continue
    cursor.moveSymbol(symbol, cell)
    if (universe) {
      const takes = universe(bar)
      if (takes !== true && (takes === false || !isTaken(takes))) continue
    }
    const value = score(bar)
    if (value * sign >= best.worst) continue
    if (typeof value !== 'number' && value !== undefined)
      throw wrong(sentence`score gives a number, or NaN for no candidate; it gave ${givenBack(value)}`)
    best.add(symbol, value)
  }
}

/** Decisions of a strategy for the market as a whole. */
function crossDecide<C extends string, G>(
  { cursor, panel, times }: DecideContext<C>,
  none: Pick<SilenceWords, 'none' | 'isTold'>,
  give: (now: CrossSection<C>) => G,
  decisionOf: (given: G, leaving: readonly number[]) => Decision | undefined,
): Decider {
  const { now, place } = crossOf(cursor, panel)
  const given = (view: CrossSection<C>, time: number, account: Account): G => {
    place(time, account)
    return give(view)
  }
  const seen = seenOfCross(now, given, panel as unknown as Panel, times)
  const ask: Decider['ask'] = (time, account, leaving) => decisionOf(given(now, time, account), leaving)
  return { ask, words: { ...none, seen } }
}

function weightDecide<C extends string>(
  allocate: (now: CrossSection<C>, weights: Float64Array) => unknown,
  context: DecideContext<C>,
): Decider {
  const { symbols } = context.panel
  const weights = Object.preventExtensions(new Float64Array(symbols.length))
  const places = new Map(symbols.map((symbol, at) => [symbol, at]))
  const give = (now: CrossSection<C>): unknown => {
    weights.fill(0)
    try {
      return allocate(now, weights)
    } catch (error) {
      const [, code] = /^Cannot add property (.+), object is not extensible$/.exec(String(messageOf(error))) ?? []
      if (code === undefined) throw error
      if (!/^\d/.test(code))
        throw wrong(
          sentence`weights['${code}'] is set, and '${code}' is no symbol; if you mean the state, it is the last argument: (now, weights, state) => …`,
        )
      throw wrong(
        sentence`weights['${code}'] is set, and the array goes by the place in symbols; or return { '${code}': share }`,
      )
    }
  }
  return crossDecide(context, { none: sentence`no weight`, isTold: true }, give, (back, leaving) => {
    const isGiven = back !== undefined && back !== weights
    const { kept, named } = isGiven ? takeShares(back, weights, places) : { kept: [], named: 0 }
    checkWeights(weights, (at) => symbols[at] as string)
    for (const symbol of leaving) weights[symbol] = 0
    const held = [...weights.keys()].filter((symbol) => (weights[symbol] as number) > 0)
    const stays = kept.filter((symbol) => !leaving.includes(symbol))
    return {
      symbols: held,
      weights: held.map((symbol) => weights[symbol] as number),
      ...(stays.length > 0 && { kept: stays }),
      ...(named > 0 && held.length === 0 && { isCash: true }),
    }
  })
}

function orderDecide<C extends string>(strategy: OrderStrategy<C>, context: DecideContext<C>): Decider {
  const { panel } = context
  const placeOf = new Map(panel.symbols.map((symbol, at) => [symbol, at]))
  return crossDecide(context, { none: sentence`no order`, isTold: false }, strategy.orders.bind(strategy), (all) => {
    if (!Array.isArray(all)) throw wrong(sentence`orders gives an array of orders, [] for none, not ${givenBack(all)}`)
    const orders = all.map((order: StrategyOrder) => {
      const like = sentence`an object such as { symbol, side: 'buy', shares: 100 }`
      const symbol = placeOf.get(namedIn(order, sentence`an order`, like).symbol)
      if (symbol === undefined) throw unknownCode(sentence`an order for`, order.symbol, panel)
      checkOrder(order)
      return { ...order, symbol }
    })
    return orders.length ? { orders } : undefined
  })
}

const nobody: readonly number[] = []

/** Sells some of what is held, and keeps the rest. */
function allBut(leaving: readonly number[], { held }: Account): Targets {
  return { symbols: [], weights: [], kept: held.filter((symbol) => !leaving.includes(symbol)), exits: leaving }
}

/** What is done at each bar: `update`, and then `exit`, which gives what is to leave of what is held. */
function watchOf<C extends string>(
  { update, exit }: Pick<StrategyParts<C>, 'update'> & { readonly exit?: StrategyParts<C>['exit'] },
  { cursor, panel }: DecideContext<C>,
): ((time: number, account: Account) => readonly number[]) | undefined {
  if (!update && !exit) return undefined
  const cross = update && crossOf(cursor, panel)
  const width = panel.symbols.length
  return (time, account) => {
    cross?.place(time, account)
    if (cross) update?.(cross.now)
    if (!exit) return nobody
    cursor.moveTo(time)
    return account.held.filter((symbol) => {
      const cell = time * width + symbol
      if (!panel.present[cell]) return false
      cursor.moveSymbol(symbol, cell)
      const leaves = exit(cursor.bar)
      if (typeof leaves === 'boolean') return leaves
      throw wrong(sentence`exit gives true or false; it gave ${givenBack(leaves)}`)
    })
  }
}

/** What a strategy decides, and a count of it. */
export interface Decisive {
  readonly decide: Decide
  readonly tally: DecisionTally
  /** 1 at the times at which it may decide. */
  readonly times: Uint8Array
}

interface DecideOptions<C extends string> {
  /** Rankings of runs whose scores are equal. */
  readonly shared?: SharedRanks | undefined
  /** What `prepare` is given in the place of the panel. */
  readonly seen?: Panel<C>
  /** Whether decisions by rank name all candidates. */
  readonly explains?: boolean
}

/**
 * What a strategy decides over a panel, at the times of its schedule.
 * @throws QuotebookError when it is asked: STRATEGY for an error in the strategy's own code; MISSING_COLUMN; USAGE; LOOK_AHEAD
 */
export function decideOf<C extends string>(
  strategy: Strategy<C>,
  given: Panel<C>,
  plain: Cursor<C>,
  options: DecideOptions<C> = {},
): Decisive {
  const { strategy: ready, panel } = prepared(strategy, given, options.seen)
  const cursor = panel === given ? plain : plain.over(panel)
  const isFunction = typeof ready === 'function'
  if (!isFunction && (typeof ready !== 'object' || ready === null || ready instanceof Promise))
    throw wrong(
      sentence`an object with score, weights or orders, or a function, not ${ready ? givenBack(ready) : described(ready)}`,
    )
  if (!isFunction) checkForm(ready)
  const { strategy: own, take } = withState(ready)
  const when = isFunction ? {} : (ready.when ?? {})
  const any = panel as unknown as Panel
  const times = decisionTimes(when, any)
  const context = { cursor, panel, times }
  const { ask, words } =
    typeof own === 'function'
      ? weightDecide(own as (now: CrossSection<C>, weights: Float64Array) => unknown, context)
      : 'score' in own
        ? rankDecide(own, context, options)
        : 'weights' in own
          ? weightDecide(own.weights as (now: CrossSection<C>, weights: Float64Array) => unknown, context)
          : orderDecide(own, context)
  const tally = new DecisionTally(any, when, words)
  const watch = typeof own === 'function' ? undefined : watchOf(own, context)
  const decide: Decide = (time, account) => {
    const isTime = times[time] === 1
    if (!isTime && !watch) return undefined
    cursor.reset(panel.cols, account)
    try {
      take(account)
      const leaving = watch?.(time, account) ?? nobody
      if (!isTime) return leaving.length ? allBut(leaving, account) : undefined
      const decision = ask(time, account, leaving)
      tally.add(time, decision)
      return decision
    } catch (error) {
      throw strategyFault(error, sentence`on ${panel.timeText(time)}`)
    }
  }
  return { decide, tally, times }
}
