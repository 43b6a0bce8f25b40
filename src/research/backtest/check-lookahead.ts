import { Account } from './account.js'
import type { BacktestOptions } from './backtest-options.js'
import { normalOptions } from './backtest-options.js'
import { cursorOf, type DecideAt, isKnowable } from './cursor.js'
import { Panel } from './panel.js'
import { type Decide, type Decision, runAccount } from './run-account.js'
import { decideOf, type Settled, type Strategy } from './strategy.js'

/** Whether decisions stay the same when everything after them becomes noise. */
export interface LookaheadCheck {
  readonly ok: boolean
  /** How many times everything after a decision was replaced. */
  readonly cuts: number
  /** The first decision that differs, and the noise that it knew of: everything after `cut`. */
  readonly firstDifference?: { readonly time: string; readonly symbol: string | undefined; readonly cut: string }
}

/** What an account held at a time, until the next one. */
interface HeldThen {
  readonly time: number
  readonly symbols: readonly number[]
  readonly shares: readonly number[]
  readonly opened: readonly number[]
  readonly cost: readonly number[]
}

/** Decisions by time as they were made, and what was held then. */
export interface DecisionRecord {
  readonly decisions: ReadonlyMap<number, Decision>
  readonly held: readonly HeldThen[]
  /** The first time that was asked; the first of all unless given. */
  readonly from?: number
}

/** The same decisions, and a record of them. */
export function recorded(decide: Decide): { decide: Decide; record: DecisionRecord } {
  const decisions = new Map<number, Decision>()
  const held: HeldThen[] = []
  let moves = 0
  const andRecord = (time: number, account: Account): Decision | undefined => {
    if (account.moves !== moves) {
      const of = (values: ArrayLike<number>): number[] => account.held.map((at) => values[at] as number)
      const [shares, opened, cost] = [of(account.shares), of(account.opened), of(account.cost)]
      held.push({ time, symbols: account.held.slice(), shares, opened, cost })
    }
    moves = account.moves
    const decision = decide(time, account)
    if (decision) decisions.set(time, decision)
    return decision
  }
  return { decide: andRecord, record: { decisions, held } }
}

const noiseLength = 8191

/** The same noise each time: what cells are multiplied by, and, where `others` is above 0, what stands in their place. */
function makeNoise(seed: number): { readonly factors: Float64Array; readonly others: Float64Array } {
  let state = seed | 1
  const next = (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % 100_000
  }
  const factors = Float64Array.from({ length: noiseLength }, () => (1 + next() / 12_500) ** (next() % 2 ? 1 : -1))
  const others = Float64Array.from({ length: noiseLength }, () => (next() % 8 > 0 ? 0 : (1 + next()) / 1000))
  return { factors, others }
}

const { factors, others } = makeNoise(20_220_801)

/**
 * Replaces cells by a ninth to nine times the last ones before, as often above them as below, and now and then by anything: a strategy
 * that looks for a rise must not find one in the noise too. With `signed` half of them are negative.
 * @param at where in the noise to begin
 */
function perturb(
  column: Float64Array,
  [from, to]: readonly [number, number],
  width: number,
  signed: boolean,
  at: number,
): void {
  let place = at % noiseLength
  const before = column.slice(Math.max(0, from - width), from)
  for (let row = from; row < to; row += width) {
    for (let symbol = 0; symbol < width; symbol++) {
      const other = others[place] as number
      const around = Math.abs(before[symbol] ?? Number.NaN) * (factors[place] as number)
      const size = other === 0 && around > 0 ? around : 1 + 9 * other
      // Math.floor is one instruction, and Math.round is not.
      const mills = Math.max(1, Math.min(1e9, Math.floor(size * 1000 + 0.5)))
      column[row + symbol] = (signed && place % 2 ? -mills : mills) / 1000
      if (++place === noiseLength) place = 0
    }
  }
}

/** First symbol in which two decisions differ; null where they are the same, undefined where no symbol can be named. */
function difference(a: Decision | undefined, b: Decision | undefined): number | null | undefined {
  if (!a || !b) return a === b ? null : undefined
  if ('orders' in a || 'orders' in b) return JSON.stringify(a) === JSON.stringify(b) ? null : undefined
  const weightOf = (one: typeof a, place: number): number =>
    'places' in one.weights ? 1 / one.weights.places : (one.weights[place] as number)
  for (let place = 0; place < Math.max(a.symbols.length, b.symbols.length); place++) {
    const isSame = a.symbols[place] === b.symbols[place] && Object.is(weightOf(a, place), weightOf(b, place))
    if (!isSame) return a.symbols[place] ?? b.symbols[place]
  }
  return null
}

/**
 * The first time of a stretch at which something else is decided than was, asked with what was held then: nothing else of the account
 * matters, and up to the end of the stretch it is the same.
 */
function differenceIn(
  panel: Panel,
  decide: Decide,
  { decisions, held }: DecisionRecord,
  [from, cut]: readonly [number, number],
): LookaheadCheck['firstDifference'] {
  const account = new Account(0, panel)
  let next = 0
  while ((held[next + 1]?.time ?? Number.POSITIVE_INFINITY) <= from) next++
  for (let time = from; time <= cut; time++) {
    const now = held[next]
    if (now && now.time <= time) {
      for (const symbol of account.held) account.shares[symbol] = 0
      account.held.length = 0
      now.symbols.forEach((symbol, place) => {
        account.held.push(symbol)
        account.shares[symbol] = now.shares[place] as number
        account.opened[symbol] = now.opened[place] as number
        account.cost[symbol] = now.cost[place] as number
      })
      next++
    }
    const symbol = difference(decisions.get(time), decide(time, account))
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

function hasNegative(column: Float64Array): boolean {
  for (let cell = 0; cell < column.length; cell++) if ((column[cell] as number) < 0) return true
  return false
}

/** Columns that become noise after a cut when they are read. @param cutsSoFar the latest first; the last one holds */
function noisyColumns<C extends string>(
  panel: Panel<C>,
  decideAt: DecideAt,
  cutsSoFar: readonly number[],
): { readonly [K in C]: Float64Array } {
  const [width, perDay] = [panel.symbols.length, panel.minutes.length]
  const firstUnseen = (name: string, cut: number): number => {
    if (isKnowable(panel as unknown as Panel, name, cut, decideAt)) return cut + 1
    const known = panel.known.get(name) ?? 'close'
    return known === 'close' ? cut : cut - (cut % perDay)
  }
  const cols = {} as { [K in C]: Float64Array }
  for (const [place, name] of panel.names.entries()) {
    let noisy: Float64Array | undefined
    let [done, clean, signed] = [0, panel.present.length, false]
    const read = (): Float64Array => {
      if (!noisy) [noisy, signed] = [panel.cols[name].slice(), hasNegative(panel.cols[name])]
      for (; done < cutsSoFar.length; done++) {
        const cut = cutsSoFar[done] as number
        const from = firstUnseen(name, cut) * width
        perturb(noisy, [from, clean], width, signed, 977 * place + cut)
        clean = from
      }
      return noisy
    }
    const write = function (this: object, value: unknown): void {
      Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true })
    }
    Object.defineProperty(cols, name, { get: read, set: write, enumerable: true, configurable: true })
  }
  return cols
}

/** A panel whose rows, ST marks and delistings after a decision are noise too; it is perturbed further from one cut to the next. */
function perturber<C extends string>(panel: Panel<C>, decideAt: DecideAt): (cut: number) => Panel<C> {
  const cutsSoFar: number[] = []
  const cols = noisyColumns(panel, decideAt, cutsSoFar)
  const [width, perDay] = [panel.symbols.length, panel.minutes.length]
  const [present, marked] = [panel.present.slice(), panel.marked?.slice()]
  let cleanDays = panel.days.length
  return (cut) => {
    cutsSoFar.push(cut)
    present.fill(1, (cut + 1) * width)
    const day = Math.floor(cut / perDay) + 1
    for (let cell = day * width; marked && cell < cleanDays * width; cell++) marked[cell] = 1 - (marked[cell] as number)
    cleanDays = day
    const instruments = panel.instruments.map((one) =>
      one.end && one.end.day >= day ? { ...one, end: undefined } : one,
    )
    const cashflows = panel.cashflows?.filter((one) => one.day < day)
    return new Panel<C>({ ...panel, cols, present, marked, instruments, cashflows })
  }
}

/** The last decisions up to the last time, so many and one, each asked with what an account holds at the end. */
export function lastDecisions(panel: Panel, decide: Decide, account: Account, count: number): DecisionRecord {
  const decisions = new Map<number, Decision>()
  let from = panel.times
  while (from > panel.begin * panel.minutes.length && decisions.size <= count) {
    const decision = decide(--from, account)
    if (decision) decisions.set(from, decision)
  }
  const of = (values: ArrayLike<number>): number[] => account.held.map((symbol) => values[symbol] as number)
  const [shares, opened, cost] = [of(account.shares), of(account.opened), of(account.cost)]
  return {
    decisions: new Map([...decisions].reverse()),
    held: [{ time: from, symbols: account.held.slice(), shares, opened, cost }],
    from,
  }
}

/**
 * Asks a strategy again with everything after some of its decisions replaced, the latest first, so that noise only grows. A bar shows
 * nothing after its time, so that `prepare` alone is given the noise. Each decision is asked with the first cut after it, since whoever
 * knows of a later one's noise knows of this one's; only where it differs, and a strategy that counts may, from the first time on.
 * @param base the decisions over the panel as it is
 */
export function compareUnderNoise<C extends string>(
  panel: Panel<C>,
  strategy: Strategy<C>,
  context: { readonly decideAt: DecideAt; readonly cuts: number },
  base: DecisionRecord,
): LookaheadCheck {
  const any = panel as unknown as Panel
  const cuts = cutsOf(base, any, context.decideAt, context.cuts)
  if (cuts.length === 0) return { ok: true, cuts: 0 }
  const perturbedAfter = perturber(panel, context.decideAt)
  const cursor = cursorOf(panel, context.decideAt)
  for (const [place, cut] of cuts.entries()) {
    const seen = perturbedAfter(cut)
    const differenceFrom = (from: number): LookaheadCheck['firstDifference'] =>
      differenceIn(any, decideOf(strategy, panel, cursor, { seen }).decide, base, [from, cut])
    const begin = base.from ?? 0
    const before = cuts[place + 1]
    const isAsked = before === undefined || differenceFrom(before + 1)
    const firstDifference = isAsked && differenceFrom(begin)
    if (firstDifference) return { ok: false, cuts: cuts.length, firstDifference }
  }
  return { ok: true, cuts: cuts.length }
}

/**
 * Whether a strategy decides by what it could know: everything after a decision (columns, rows, ST marks, delistings) is replaced by noise,
 * and the decisions up to it, from the one tried before, must stay the same, bit for bit. `backtest` runs it by default.
 *
 * What a strategy brings along from outside (an array computed over all days before) is not replaced: compute it in `prepare`.
 * A strategy that is not a pure function (random numbers, a counter) fails as well.
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
  const decisive = decideOf(strategy, panel, cursorOf(panel, exec.decide))
  const { decide, record } = recorded(decisive.decide)
  runAccount(panel as Panel, { ...rules, keepsRecords: false }, decide)
  decisive.tally.warnings()
  return compareUnderNoise(panel, strategy, { decideAt: exec.decide, cuts }, record)
}
