import type { Account } from './account.js'
import type { BacktestOptions } from './backtest-options.js'
import { normalOptions } from './backtest-options.js'
import { cursorOf, type DecideAt, isKnowable } from './cursor.js'
import type { Panel } from './panel.js'
import { type Decide, type Decision, runAccount, type SimulationRules } from './run-account.js'
import { decideOf, type Settled, type Strategy } from './strategy.js'

/** Whether decisions stay the same when everything after them becomes noise. */
export interface LookaheadCheck {
  readonly ok: boolean
  /** How many times everything after a decision was replaced. */
  readonly cuts: number
  /** The first decision that differs, and the noise that it knew of: everything after `cut`. */
  readonly firstDifference?: { readonly time: string; readonly symbol: string | undefined; readonly cut: string }
}

/** Decisions by time, as they were made. */
export type Decisions = ReadonlyMap<number, Decision>

export function recorded(decide: Decide): { decide: Decide; decisions: Map<number, Decision> } {
  const decisions = new Map<number, Decision>()
  const record = (time: number, account: Account): Decision | undefined => {
    const decision = decide(time, account)
    if (decision) decisions.set(time, decision)
    return decision
  }
  return { decide: record, decisions }
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
  let [place, symbol] = [at % noiseLength, 0]
  for (let cell = from; cell < to; cell++) {
    const other = others[place] as number
    const around = Math.abs(column[from - width + symbol] ?? Number.NaN) * (factors[place] as number)
    const size = other === 0 && around > 0 ? around : 1 + 9 * other
    const mills = Math.max(1, Math.min(1e9, Math.round(size * 1000)))
    column[cell] = (signed && place % 2 ? -mills : mills) / 1000
    if (++place === noiseLength) place = 0
    if (++symbol === width) symbol = 0
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

function compare(panel: Panel, base: Decisions, again: Decisions, cut: number): LookaheadCheck['firstDifference'] {
  const times = [...new Set([...base.keys(), ...again.keys()])].filter((time) => time <= cut).sort((a, b) => a - b)
  for (const time of times) {
    const symbol = difference(base.get(time), again.get(time))
    if (symbol === null) continue
    const name = symbol === undefined ? undefined : panel.symbols[symbol]
    return { time: panel.timeText(time), symbol: name, cut: panel.timeText(cut) }
  }
  return undefined
}

/** Times of some decisions, spread over all of them. Nothing comes after a decision at the last close. */
function cutsOf(decisions: Decisions, panel: Panel, decideAt: DecideAt, count: number): number[] {
  const times = [...decisions.keys()].filter((time) => decideAt === 'open' || time < panel.times - 1)
  const cuts = Array.from({ length: count }, (_, at) => times[Math.floor(((at + 1) * times.length) / (count + 1))])
  return [...new Set(cuts)].filter((cut) => cut !== undefined).sort((a, b) => b - a)
}

function hasNegative(column: Float64Array): boolean {
  for (let cell = 0; cell < column.length; cell++) if ((column[cell] as number) < 0) return true
  return false
}

/** A panel whose rows, ST marks and delistings after a decision are noise too; it is perturbed further from one cut to the next. */
function perturber<C extends string>(panel: Panel<C>, decideAt: DecideAt): (cut: number) => Panel<C> {
  const entries = panel.names.map((name) => [name, panel.cols[name].slice()] as const)
  const cols = Object.fromEntries(entries) as { [K in C]: Float64Array }
  const [width, perDay] = [panel.symbols.length, panel.minutes.length]
  const signed = new Map(entries.map(([name, column]) => [name, hasNegative(column)]))
  const [present, marked] = [panel.present.slice(), panel.marked?.slice()]
  const clean = new Map(panel.names.map((name) => [name, panel.present.length]))
  let cleanDays = panel.days.length
  const firstUnseen = (name: string, cut: number): number => {
    if (isKnowable(panel as unknown as Panel, name, cut, decideAt)) return cut + 1
    const known = panel.known.get(name) ?? 'close'
    return known === 'close' ? cut : cut - (cut % perDay)
  }
  return (cut) => {
    for (const [place, name] of panel.names.entries()) {
      const from = firstUnseen(name, cut) * width
      perturb(cols[name], [from, clean.get(name) as number], width, signed.get(name) === true, 977 * place + cut)
      clean.set(name, from)
    }
    present.fill(1, (cut + 1) * width)
    const day = Math.floor(cut / perDay) + 1
    for (let cell = day * width; marked && cell < cleanDays * width; cell++) marked[cell] = 1 - (marked[cell] as number)
    cleanDays = day
    const instruments = panel.instruments.map((one) =>
      one.end && one.end.day >= day ? { ...one, end: undefined } : one,
    )
    return panel.withColumns(cols, { present, marked, instruments })
  }
}

/**
 * Runs a strategy again with everything after some of its decisions replaced, the latest first, so that noise only grows.
 * @param base the decisions over the panel as it is
 */
export function compareUnderNoise<C extends string>(
  panel: Panel<C>,
  strategy: Strategy<C>,
  context: { readonly rules: SimulationRules; readonly decideAt: DecideAt; readonly cuts: number },
  base: Decisions,
): LookaheadCheck {
  const any = panel as unknown as Panel
  const cuts = cutsOf(base, any, context.decideAt, context.cuts)
  if (cuts.length === 0) return { ok: true, cuts: 0 }
  const perturbedAfter = perturber(panel, context.decideAt)
  const cursor = cursorOf(panel, context.decideAt)
  for (const cut of cuts) {
    const perturbed = perturbedAfter(cut)
    const { decide, decisions } = recorded(decideOf(strategy, perturbed, cursor).decide)
    runAccount(
      perturbed as unknown as Panel,
      { ...context.rules, keepsRecords: false },
      (time, account) => (time > cut ? undefined : decide(time, account)),
      cut + 1,
    )
    const firstDifference = compare(any, base, decisions, cut)
    if (firstDifference) return { ok: false, cuts: cuts.length, firstDifference }
  }
  return { ok: true, cuts: cuts.length }
}

/**
 * Whether a strategy decides by what it could know: everything after a decision (columns, rows, ST marks, delistings) is replaced by noise,
 * and all decisions up to it must stay the same, bit for bit. `backtest` runs it by default.
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
  const { exec, rules } = normalOptions(options)
  const decisive = decideOf(strategy, panel, cursorOf(panel, exec.decide))
  const { decide, decisions } = recorded(decisive.decide)
  runAccount(panel as Panel, rules, decide)
  decisive.tally.warnings()
  return compareUnderNoise(panel, strategy, { rules, decideAt: exec.decide, cuts }, decisions)
}
