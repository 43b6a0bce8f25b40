import { chances } from '../../../../helper/chance.js'

export type Adjustment = 'pre_close' | 'adj_factor' | 'adjusted'

/** Chance that is the same in every run. */
export class Chance {
  /** From 0 to below 1. */
  readonly next: () => number

  constructor(seed: number) {
    this.next = chances(seed)
  }

  /** A whole number, both ends included. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  often(share: number): boolean {
    return this.next() < share
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.whole(0, choices.length - 1)] as T
  }
}

export const codes = { sh: '000002.SH', sz: '399107.SZ', cy: '399102.SZ', kc: '000688.SH', bj: '899050.BJ' } as const
export const heads = {
  sh: ['600', '601', '603', '605'],
  sz: ['000', '001', '002', '003'],
  cy: ['300', '301'],
  kc: ['688', '689'],
  bj: ['920', '830', '430'],
} as const
export type Board = keyof typeof codes
export const thresholds: Readonly<Record<Board, readonly number[]>> = {
  sh: [20, -20, 12, -12, 15, -15, 100, -50],
  sz: [20, -20, 12, -12, 100, -50],
  cy: [30, -30, 100, -50],
  kc: [30, -30, 100, -50],
  bj: [40, -40, 150, -60],
}
/** Limit price in whole cents of a reference in whole cents. */
const limitCents = (reference: number, percent: number): number => Math.floor((reference * (100 + percent) + 50) / 100)

export function limitPercent(board: Board, st: boolean, day: string): number {
  if (board === 'bj') return 30
  if (board === 'cy' || board === 'kc') return 20
  return st && day < '20260706' ? 5 : 10
}

export function newDays(board: Board, listed: string): number {
  if (board === 'bj') return 1
  return board === 'cy' || board === 'kc' || listed >= '20230410' ? 5 : 1
}

/** Index levels in hundredths. */
export function indexPath(chance: Chance, days: number, isWild = false): number[] {
  const wildly = ['wild', 'wild', 'flat'] as const
  const kinds = ['flat', 'flat', 'calm', 'calm', 'wild', 'steps', 'crash'] as const
  const kind = chance.of(isWild ? wildly : kinds)
  let level = kind === 'steps' ? 100_000 : kind === 'flat' ? 100_000 : chance.whole(80_000, 900_000)
  return Array.from({ length: days }, () => {
    if (kind === 'calm') level = Math.round(level * (1 + (chance.next() - 0.5) * 0.04))
    if (kind === 'wild') level = Math.round(level * (1 + (chance.next() - 0.5) * 0.16))
    if (kind === 'crash') level = Math.round(level * (1 - chance.next() * 0.06))
    if (kind === 'steps') level = 100_000 + 5_000 * chance.whole(-1, 2)
    return level
  })
}

export interface Plan {
  readonly board: Board
  readonly symbol: string
  readonly listed: string | null
  /** Days of the table on which it is ST: from one index to another. */
  readonly st: readonly [number, number]
  readonly stBy: 'name' | 'list'
  readonly adjustment: Adjustment
}

/** One day of a raw path: the close and what limits are counted from, in whole cents. */
export interface Day {
  readonly at: number
  readonly close: number
  readonly reference: number | null
  /** Cumulative factor, units / 10 ^ places, so that its double is the nearest to the decimal. */
  readonly factor: Factor
}

export interface Walk {
  readonly days: readonly Day[]
  readonly unlimited: readonly number[]
  readonly suspended: ReadonlySet<number>
}

interface Factor {
  readonly units: number
  readonly places: number
}

/** Price before and after, in lowest terms, as 2 : 1 for ten shares more for ten. All are finite decimals, few of them doubles. */
const splits = [
  [2, 1],
  [5, 4],
  [3, 2],
  [11, 10],
  [6, 5],
  [13, 10],
] as const

export function walk(
  chance: Chance,
  plan: Plan,
  dates: readonly string[],
  index: readonly number[],
  wishes: readonly number[],
) {
  const days: Day[] = []
  const unlimited: number[] = []
  const suspended = new Set<number>()
  const isSt = (at: number): boolean => plan.st[0] <= at && at < plan.st[1]
  const first = plan.listed === null ? chance.of([0, 0, 0, 3]) : Math.max(0, dates.indexOf(plan.listed))
  const fresh = plan.listed !== null && dates.includes(plan.listed) ? newDays(plan.board, plan.listed) : 0
  let close = chance.of([
    1000,
    2000,
    500,
    10_000,
    640,
    1280,
    3200,
    16_000,
    chance.whole(120, 900),
    chance.whole(900, 30_000),
  ])
  let factor: Factor = { units: 1, places: 0 }
  let [mood, left, away, number] = ['calm', 0, 0, 0]
  let goal: { readonly at: number; readonly close: number } | undefined
  let warm = 0
  for (let at = first; at < dates.length; at++) {
    number++
    if (away > 0) {
      away--
      suspended.add(at)
      continue
    }
    if (days.length > 0 && chance.often(warm >= 2 ? 0.15 : 0.03)) {
      away = chance.of([0, 0, 1, 2, 4, chance.whole(3, 14)])
      suspended.add(at)
      continue
    }
    if (left-- <= 0) {
      left = chance.whole(1, 7)
      mood = chance.of(['up', 'up', 'up', 'down', 'down', 'zigzag', 'zigzag', 'calm', 'noise', 'goal', 'goal', 'goal'])
      goal = undefined
    }
    const before = days.at(-1)
    let reference = close
    let isFlat = false
    if (before && chance.often(0.08) && factor.places < 4) {
      const fitting = splits.filter(([p, q]) => (close * q) % p === 0)
      if (fitting.length > 0 && close > 200) {
        const [p, q] = chance.of(fitting)
        reference = (close * q) / p
        factor = { units: (factor.units * p * 100) / q, places: factor.places + 2 }
        isFlat = chance.often(0.4)
      }
    }
    const percent = limitPercent(plan.board, isSt(at), dates[at] ?? '')
    const [top, bottom] = [limitCents(reference, percent), limitCents(reference, -percent)]
    const inside = (x: number): number => Math.max(bottom, Math.min(top, Math.max(1, Math.round(x))))
    const step = (percent / 100) * reference
    const free = number <= fresh
    const named = !free && before !== undefined && chance.often(0.01)
    if (free || named) {
      if (named) unlimited.push(at)
      close = Math.max(1, Math.round(reference * (0.6 + chance.next() * (free ? 1.2 : 0.9))))
    } else if (isFlat) close = reference
    else if (mood === 'up') close = chance.often(0.7) ? top : inside(reference + step * (0.5 + chance.next() * 0.5))
    else if (mood === 'down')
      close = chance.often(0.7) ? bottom : inside(reference - step * (0.5 + chance.next() * 0.5))
    else if (mood === 'zigzag') {
      const sign = number % 4 < 2 ? 1 : -1
      close = inside(reference + sign * step * (0.7 + chance.next() * 0.3))
    } else if (mood === 'noise') close = inside(reference + step * (chance.next() - 0.5))
    else if (mood === 'goal' && before) {
      goal ??= exactly(chance, before, index, at, wishes)
      if (goal) {
        close = inside(reference * (goal.close / reference) ** (1 / (goal.at - at + 1)))
        left = goal.at - at
      } else {
        const unit = reference > 1000 ? 100 : 20
        close = inside(Math.round(reference / unit) * unit)
        left = 1
      }
    } else close = inside(reference + step * 0.2 * (chance.next() - 0.5))
    warm = close === top || close === bottom ? warm + 1 : 0
    days.push({ at, close, reference: before ? reference : null, factor })
  }
  return { days, unlimited, suspended }
}

/** A close of some following day that reaches a threshold exactly, counted from the last close, if there is one in whole cents. */
function exactly(chance: Chance, base: Day, index: readonly number[], at: number, wishes: readonly number[]) {
  const start = chance.whole(0, wishes.length - 1)
  for (let i = 0; i < wishes.length * 2; i++) {
    const percent = wishes[(start + i) % wishes.length] ?? 0
    const end = at - 1 + (Math.abs(percent) < 50 ? 2 + ((start + i) % 2) : 8 + ((start + i) % 3))
    const [from, to] = [index[base.at], index[end]]
    if (from === undefined || to === undefined) continue
    // close = base (T + to / from)
    const hundredfold = base.close * (percent * from + 100 * to)
    if (hundredfold > 0 && hundredfold % (100 * from) === 0) return { at: end, close: hundredfold / (100 * from) }
  }
  return undefined
}
