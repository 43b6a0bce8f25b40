import { chosen } from '../../../src/research/backtest/best-scores.js'
import { type Bar, cursorOf } from '../../../src/research/backtest/cursor.js'
import { Panel } from '../../../src/research/backtest/panel.js'
import type { Decide } from '../../../src/research/backtest/run-account.js'
import type { Schedule } from '../../../src/research/backtest/schedule.js'
import {
  type CrossSection,
  decideOf,
  type SharesByCode,
  type Strategy,
} from '../../../src/research/backtest/strategy.js'
import type { World } from './world.js'

export type GivenDecision =
  | { readonly ranked: readonly string[]; readonly n: number; readonly exitRank?: number; readonly rebalance?: 'swap' }
  | { readonly weights: Readonly<Record<string, string>> }

/** A strategy in the words of oracle/make_worlds.py. */
export interface Program {
  readonly kind: string
  readonly n: number
  readonly keepWithin: number
  readonly weekly?: boolean
  readonly rebalance?: 'swap'
  readonly rest?: number
  readonly stop?: string
  readonly take?: string
  readonly trail?: string
  readonly cap?: string
  readonly ranked?: Readonly<Record<string, readonly string[]>>
  readonly weights?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

type Column = 'close' | 'rank'
type Now = CrossSection<Column>
type OneBar = Bar<Column>

/** What a decision saw, in the words of the oracle. */
interface Seen {
  readonly day: string
  readonly cash: number
  readonly equity: number
  readonly positions: readonly { symbol: string; value: number; entryPrice: number; highSinceEntry: number }[]
  readonly daysSinceExit: Readonly<Record<string, number>>
  state: object
}

const fen = (yuan: number): bigint => BigInt(Math.round(yuan * 100))
const mills = (yuan: number): number => yuan * 1000
const mille = (share = '0'): number => Math.round(Number(share) * 1000)
const score = (bar: OneBar): number => bar.rank

/** The panel with the ranks of each day; a name without a bar may be ranked, and then has no close. */
function rankedPanel(world: World, panel: Panel): Panel<Column> {
  const { symbols, days } = panel
  const rank = new Float64Array(panel.present.length).fill(Number.NaN)
  days.forEach((day, at) => {
    const given = world.decisions[day]
    const ranked = world.program?.ranked?.[day] ?? (given && 'ranked' in given ? given.ranked : [])
    for (const [place, symbol] of ranked.entries()) rank[at * symbols.length + symbols.indexOf(symbol)] = place
  })
  const present = new Uint8Array(panel.present.length).fill(1)
  return new Panel<Column>({ ...panel, cols: { ...panel.cols, rank } as Panel<Column>['cols'], present })
}

/** The chosen of a day's ranks: places of symbols. */
function chosenOf({ n, keepWithin }: Program, now: Now): number[] {
  const { rank, shares } = now
  const ranked = [...rank.keys()]
    .filter((at) => !Number.isNaN(rank[at]))
    .sort((a, b) => (rank[a] as number) - (rank[b] as number))
  return chosen(ranked, n, keepWithin, (at) => (shares[at] as number) > 0).map((place) => ranked[place] as number)
}

function weightsOf(
  program: Program,
  now: Now,
  newWeight: (free: number) => number,
  heldWeight: (at: number) => number | 'keep',
) {
  const all = chosenOf(program, now)
  const isHeld = (at: number): boolean => (now.shares[at] as number) > 0
  const free = program.n - all.filter(isHeld).length
  return Object.fromEntries(all.map((at) => [now.symbols[at], isHeld(at) ? heldWeight(at) : newWeight(free)]))
}

/** The state of a drawdown's stop, changed by a decision. */
interface Stopped {
  peak: number | null
  until: number | null
  next: number
  inCash: boolean
}

function decideToStop({ stop, rest = 0 }: Program, now: Now, state: Stopped): void {
  const [number, equity] = [state.next++, Math.round(now.equity * 100)]
  state.inCash = state.until !== null && number < state.until
  if (state.inCash) return
  if (state.until !== null) Object.assign(state, { peak: equity, until: null })
  state.peak = Math.max(state.peak ?? equity, equity)
  if (!(equity * 1000 < state.peak * (1000 - mille(stop)))) return
  Object.assign(state, { until: number + rest, inCash: true })
}

function exitOf({ program, exits }: World) {
  return (bar: OneBar): boolean => {
    const [close, entry] = [Math.round(mills(bar.close)) * 1000, mills(bar.entryPrice)]
    if (Number.isNaN(close)) return false
    if (exits?.[bar.day]?.includes(bar.symbol)) return true
    if (program?.trail) return close <= mills(bar.highSinceEntry) * (1000 - mille(program.trail)) + 0.001
    if (program?.kind !== 'ranked-stop') return false
    return (
      close <= entry * (1000 - mille(program.stop)) + 0.001 || close >= entry * (1000 + mille(program.take)) - 0.001
    )
  }
}

/** The strategy of a program, as somebody would write it. */
function strategyOf(program: Program, days: readonly string[]): Strategy<Column> {
  const { kind, n, keepWithin, rest = 0, cap, weekly } = program
  const share = Math.floor(1_000_000 / n) / 1_000_000
  const when: Schedule = weekly ? { every: 5 } : {}
  const { rebalance = kind === 'swap' ? 'swap' : 'all' } = program
  const pick = { n, side: 'lowest', exitRank: Math.max(n, keepWithin), rebalance } as const
  if (kind === 'weights-keep') {
    const numbers = (own: Readonly<Record<string, string>> = {}): SharesByCode =>
      Object.fromEntries(Object.entries(own).map(([symbol, one]) => [symbol, one === 'keep' ? 'keep' : Number(one)]))
    return { weights: (now) => numbers(program.weights?.[now.day]), when: { days: Object.keys(program.weights ?? {}) } }
  }
  if (kind === 'cash-sized')
    return {
      weights: (now) => {
        const [cash, equity] = [fen(now.cash), fen(now.equity)]
        const least = (free: number): number => {
          if (equity === 0n) return 0
          const part = Number((cash * 1_000_000n) / (equity * BigInt(free)))
          return Math.min(Math.floor(1_000_000 / n), part) / 1_000_000
        }
        return weightsOf(program, now, least, () => 'keep')
      },
      when,
    }
  if (kind === 'trim')
    return {
      weights: (now) => {
        const isAbove = (at: number): boolean =>
          fen(now.value[at] as number) * 1000n > fen(now.equity) * BigInt(mille(cap))
        return weightsOf(
          program,
          now,
          () => share,
          (at) => (isAbove(at) ? Number(cap) : 'keep'),
        )
      },
      when,
    }
  if (kind === 'drawdown')
    return {
      state: (): Stopped => ({ peak: null, until: null, next: 0, inCash: false }),
      update: (now, state: Stopped) => {
        if (!weekly || days.indexOf(now.day) % 5 === 0) decideToStop(program, now, state)
      },
      universe: (_, state: Stopped) => !state.inCash,
      score,
      pick,
      when,
    }
  return { universe: (bar) => bar.daysSinceExit >= rest, score, pick, when }
}

/** The strategies of decisions that are given: one for the days of each form. */
function givenStrategies(decisions: World['decisions']): Strategy<Column>[] {
  const forms = new Map<string, string[]>()
  for (const [day, decision] of Object.entries(decisions)) {
    const { ranked: _, ...form } = decision as { readonly ranked: unknown }
    const key = 'weights' in decision ? 'weights' : JSON.stringify(form)
    forms.set(key, [...(forms.get(key) ?? []), day])
  }
  return [...forms].map(([key, days]): Strategy<Column> => {
    const when = { days }
    if (key === 'weights')
      return strategyOf(
        {
          kind: 'weights-keep',
          n: 1,
          keepWithin: 1,
          weights: Object.fromEntries(
            days.map((day) => [day, (decisions[day] as { weights: Record<string, string> }).weights]),
          ),
        },
        [],
      )
    const { n, exitRank, rebalance = 'all' } = JSON.parse(key)
    return { score, pick: { n, side: 'lowest', exitRank: exitRank ?? n, rebalance }, when }
  })
}

/** What a world decides, through the strategies of the public door, and what it saw each day. */
export function programOf(world: World, panel: Panel): { readonly decide: Decide; readonly seen: Seen[] } {
  const whole = rankedPanel(world, panel)
  const seen: Seen[] = []
  const { program } = world
  const own = program && program.kind !== 'given' ? [strategyOf(program, panel.days)] : givenStrategies(world.decisions)
  const exit = program || world.exits ? exitOf(world) : undefined
  const look = (now: Now): void => {
    const left = [...now.symbols.keys()].filter((at) => Number.isFinite(now.daysSinceExit[at]))
    const held = [...now.symbols.keys()].filter((at) => (now.shares[at] as number) > 0)
    const of = (column: Float64Array, at: number): number => column[at] as number
    seen.push({
      day: now.day,
      cash: now.cash,
      equity: now.equity,
      positions: held.map((at) => ({
        symbol: now.symbols[at] as string,
        value: of(now.value, at),
        entryPrice: of(now.entryPrice, at),
        highSinceEntry: of(now.highSinceEntry, at),
      })),
      daysSinceExit: Object.fromEntries(left.map((at) => [now.symbols[at], of(now.daysSinceExit, at)])),
      state: {},
    })
  }
  const cursor = cursorOf(whole, 'close')
  const made = [...own, { weights: () => ({}), when: { days: [] } }].map((one) =>
    decideOf({ ...one, ...(exit && { exit }) } as Strategy<Column>, whole, cursor),
  )
  const watch = decideOf<Column>({ weights: () => ({}), update: look, when: { days: [] } }, whole, cursor)
  const decide: Decide = (time, account) => {
    if (program) watch.decide(time, account)
    const one = made.find(({ times }) => times[time]) ?? made.at(-1)
    const decision = one?.decide(time, account)
    const { peak, until } = (account.memory ?? {}) as Partial<Stopped>
    const last = seen.at(-1)
    if (last && peak !== undefined) last.state = { peak, until }
    return decision
  }
  return { decide, seen }
}
