import {
  add,
  agreement,
  bounded,
  divide,
  type Interval,
  intersect,
  multiply,
  point,
  subtract,
} from '../exact/interval.js'
import { groupItems } from '../group.js'
import { blamed, type Conflict } from './blame.js'
import type { Note } from './inside.js'
import type { Candidate } from './row.js'
import { priceLimit } from './rules.js'
import type { Point, Run } from './series.js'

/** A row and the close before its interval as the row alone implies it, in cents. */
interface Own {
  readonly one: Candidate
  readonly at: Point
  readonly baseClose: Interval
}

/** A row with what follows from it and from the rows that share its interval's base. */
export interface Based {
  readonly one: Candidate
  readonly at: Point
  /** Close before the interval in cents, cut for ex-rights within it. */
  readonly baseClose: Interval
  /** Growth of the benchmark since then. */
  readonly index: Interval
}

/**
 * The close before the interval: with r the reference price, c the last close, x the required change, d the deviation
 * and T the threshold, c / base - B = d and r (1 + x) / base - B = T give base = (r (1 + x) - c) / (T - d).
 */
function baseCloseOf(one: Candidate, at: Point): Interval | undefined {
  const target = multiply(at.before, add(point(1), one.required))
  const found = divide(subtract(target, at.close), subtract(point(one.threshold), one.deviation))
  return bounded(found) ? found : undefined
}

/** The index growth that a base close leaves: last close / base close - deviation. */
function indexOf(one: Candidate, at: Point, baseClose: Interval): Interval | undefined {
  const growth = subtract(divide(at.close, baseClose), one.deviation)
  return bounded(growth) && growth.lo > 0 ? growth : undefined
}

const yuan = (cents: Interval): string => ((cents.lo + cents.hi) / 200).toFixed(4)

/** Closes of the stock that a run tells: of its days, and the one before its first. */
function closesIn(run: Run): ReadonlyMap<number, Interval> {
  const [first] = run
  const closes = new Map(run.map((at) => [at.last, at.close]))
  if (first && first.kind === 'completed') closes.set(first.last - 1, first.before)
  return closes
}

const slack = 1e-6
/** Wider than this, an interval says little about whole cents. */
const telling = 0.5
/** Days within which a single ex-right day is a less likely reason than a wrong number. */
const few = 5

function holdsWhole({ lo, hi }: Interval): boolean {
  return Math.ceil(lo - slack) <= Math.floor(hi + slack)
}

/** Rows whose base close is no whole cents by itself, or none that the other rows of the start can have too. */
function withoutWhole(group: readonly Own[]): Own[] {
  const shared = (rows: readonly Own[]): Interval | undefined =>
    rows.reduce<Interval | undefined>((all, { baseClose }) => all && intersect(all, baseClose), { lo: 0, hi: Infinity })
  const whole = (rows: readonly Own[]): boolean => {
    const common = shared(rows)
    return common !== undefined && holdsWhole(common)
  }
  if (group.length > 1 && whole(group)) return []
  return group.filter((own) => {
    if (!holdsWhole(own.baseClose)) return true
    const others = group.filter((one) => one !== own)
    return others.length > 0 && shared(group) !== undefined && whole(others)
  })
}

/**
 * `whole`: the close before an interval is whole cents too, unless an ex-right day in the interval rescaled it; that
 * rescales all earlier bases of the run as well. So a row without whole cents is suspect if an earlier base has them,
 * or if it is the only such row and a base of the next few days has them; otherwise it is let pass.
 */
function findWhole(rows: readonly Own[], note: Note): void {
  const tells = rows.filter(({ at, baseClose: { lo, hi } }) => at.options?.length === 1 && hi - lo < telling)
  const groups = [...groupItems(tells, ({ one }) => one.base)].map(([base, group]) => ({
    base,
    odd: withoutWhole(group),
  }))
  const odd = groups.filter((group) => group.odd.length > 0)
  const first = Math.min(...groups.filter((group) => group.odd.length === 0).map(({ base }) => base))
  const size = odd.reduce((sum, group) => sum + group.odd.length, 0)
  if (odd.length === 0 || size * 2 > tells.length) return
  for (const { base, odd: found } of odd) {
    if (base < first && (size > 1 || first - base > few)) continue
    for (const { one, baseClose } of found) {
      const why = `implies a close of ${yuan(baseClose)} before the interval, no whole cents: a wrong number, or an ex-right day`
      note(one.row, { verdict: 'suspect', rule: 'whole', why })
    }
  }
}

/**
 * The base closes of a run's rows. `base`: rows of one start have one base close, and where the run tells the close of
 * that day, it is that. Within a run no suspension moves a start and no ex-right day rescales it.
 */
export function readBases(run: Run, note: Note): Based[] {
  const rows = run.flatMap((at): Own[] =>
    at.rows.flatMap((one) => {
      const baseClose = Number.isInteger(one.base) ? baseCloseOf(one, at) : undefined
      return baseClose ? [{ one, at, baseClose }] : []
    }),
  )
  findWhole(rows, note)
  const closes = closesIn(run)
  const found: Based[] = []
  for (const [base, group] of groupItems(rows, ({ one }) => one.base)) {
    const known = closes.get(base)
    const { common, apart } = agreement(group.map(({ baseClose }) => baseClose))
    for (const i of known ? [] : apart) {
      const { one, baseClose } = group[i] as (typeof group)[number]
      const others = common ? `the other rows of this start ${yuan(common)}` : 'the rows of this start differ'
      const why = `implies a close of ${yuan(baseClose)} before the interval, ${others}`
      note(one.row, { verdict: 'inconsistent', rule: 'base', why })
    }
    group.forEach(({ one, at, baseClose }, i) => {
      if (known && !intersect(known, baseClose)) {
        const why = `implies a close of ${yuan(baseClose)} before the interval, and the rows of that day ${yuan(known)}`
        note(one.row, { verdict: 'inconsistent', rule: 'base', why })
        return
      }
      if (!known && apart.includes(i)) return
      const best = known ?? common ?? baseClose
      const index = indexOf(one, at, best)
      if (index) found.push({ one, at, baseClose: best, index })
    })
  }
  return found
}

/** Days between two closes of which the limit still says something. */
const reach = 6

/**
 * `path`: closes of a run's stock that lie some days apart, its own and those before its intervals, differ by no more
 * than the price limits of the days between allow.
 */
export function findPaths(run: Run, rows: readonly Based[], note: Note): void {
  const [first] = rows
  if (!first?.one.board) return
  const limit = priceLimit(first.one.board, false, first.one.tradedate) / 100
  const closes = [
    ...run.map((at) => ({ day: at.last, close: at.close, rows: [] as Candidate[] })),
    ...[...groupItems(rows, ({ one }) => one.base)].map(([day, own]) => ({
      day,
      close: own[0]?.baseClose ?? { lo: 0, hi: Number.POSITIVE_INFINITY },
      rows: own.map(({ one }) => one),
    })),
  ].sort((a, b) => a.day - b.day)
  const conflicts: Conflict<(typeof closes)[number]>[] = []
  closes.forEach((left, i) => {
    for (let j = i + 1; j < closes.length; j++) {
      const right = closes[j] as typeof left
      const days = right.day - left.day
      if (days > reach) break
      const highest = (left.close.hi + days) * (1 + limit) ** days + 1
      const lowest = (left.close.lo - days) * (1 - limit) ** days - 1
      if (right.close.lo > highest || right.close.hi < lowest) conflicts.push([left, right])
    }
  })
  const guilty = blamed(conflicts)
  for (const pair of conflicts) {
    const [left, right] = pair
    const why = `implies closes of ${yuan(left.close)} and, ${right.day - left.day} days later, ${yuan(right.close)}, beyond the price limit`
    for (const one of pair) {
      if (guilty.has(one)) for (const { row } of one.rows) note(row, { verdict: 'suspect', rule: 'path', why })
    }
  }
}
