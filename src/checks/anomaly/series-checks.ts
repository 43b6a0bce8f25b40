import { parseCode } from '../../contract/symbol.js'
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
import { groupItems } from '../group-items.js'
import { priceLimit } from './anomaly-rules.js'
import { findBoards, type Implied, type Peers } from './board-index.js'
import { type Candidate, indexGrowth, isWhole, lastClose } from './candidates.js'
import type { AnomalyHalt } from './compute/compute-anomalies.js'
import type { Note } from './row-checks.js'

/** Two things of which at least one is wrong. */
type Conflict<T> = readonly [T, T]

/**
 * Who is to blame in conflicts: of the two, the one that more conflicts name; both where they are level. A number that
 * is wrong in the middle of a series conflicts with both neighbours, its neighbours only with it.
 */
function blamed<T>(conflicts: readonly Conflict<T>[]): Set<T> {
  const named = new Map<T, number>()
  for (const pair of conflicts) for (const one of pair) named.set(one, (named.get(one) ?? 0) + 1)
  const found = new Set<T>()
  for (const [a, b] of conflicts) {
    const gap = (named.get(a) ?? 0) - (named.get(b) ?? 0)
    if (gap >= 0) found.add(a)
    if (gap <= 0) found.add(b)
  }
  return found
}

/**
 * Reference price of a day and close of the day that the row's numbers end with, both in whole cents. In a forecast the
 * two are the same.
 */
export interface Closes {
  readonly before: number
  readonly close: number
}

/** How the published trigger price was made of the exact one. */
type Rounding = 'outward' | 'nearest' | 'either'

/** What the exact trigger price may have been, in cents. */
function targetOf(one: Candidate, rounding: Rounding): Interval {
  const cents = Math.round(one.price * 100)
  if (rounding === 'nearest') return { lo: cents - 0.5, hi: cents + 0.5 }
  if (rounding === 'either') return { lo: cents - 1, hi: cents + 1 }
  return one.threshold > 0 ? { lo: cents - 1, hi: cents } : { lo: cents, hi: cents + 1 }
}

const most = 64
/** Slack for the noise of doubles, far above it and far below what a last digit moves. */
const slack = 1e-9

/**
 * All pairs of whole-cent prices that a row's trigger price, required change and change of the day can come from.
 * Undefined where the row does not tell: another basis, or too many pairs.
 */
function closesOf(one: Candidate, rounding: Rounding): readonly Closes[] | undefined {
  if (!isWhole(one) || !one.rule || one.basis === 'live' || !(one.price > 0)) return undefined
  if (one.basis === 'completed' && !one.change) return undefined
  const { lo, hi } = targetOf(one, rounding)
  if (1 + one.required.lo <= 0) return undefined
  const from = Math.max(1, Math.ceil((lo / (1 + one.required.hi)) * (1 - slack)))
  const to = Math.floor((hi / (1 + one.required.lo)) * (1 + slack))
  if (!(to - from < most && to <= Number.MAX_SAFE_INTEGER)) return undefined
  const found: Closes[] = []
  for (let before = from; before <= to; before++) {
    if (!one.change || one.basis === 'forecast') {
      found.push({ before, close: before })
      continue
    }
    const first = Math.max(1, Math.ceil(before * (1 + one.change.lo) * (1 - slack)))
    const end = Math.floor(before * (1 + one.change.hi) * (1 + slack))
    if (!(end - first < most && end <= Number.MAX_SAFE_INTEGER)) return undefined
    for (let close = first; close <= end; close++) found.push({ before, close })
    if (found.length > most) return undefined
  }
  return found
}

/** How the trigger prices of a table were rounded, and what each row's prices can be. */
interface Cents {
  readonly rounding: Rounding
  readonly closes: ReadonlyMap<Candidate, readonly Closes[]>
}

const roundings: readonly Rounding[] = ['outward', 'nearest', 'either']

/**
 * The prices of every row that tells them. Trigger prices are rounded outward, up for rises and down for falls; if more
 * than a tenth of the rows (and more than four) have no prices then, the service rounds otherwise, and the next way is
 * tried. If none fits, its prices are no whole cents (adjusted ones may not be), and nothing is asked of them.
 */
function readCents(rows: readonly Candidate[]): Cents | undefined {
  for (const rounding of roundings) {
    const closes = new Map<Candidate, readonly Closes[]>()
    let none = 0
    for (const one of rows) {
      const found = closesOf(one, rounding)
      if (!found) continue
      closes.set(one, found)
      if (found.length === 0) none++
    }
    if (none <= Math.max(4, closes.size / 10)) return { rounding, closes }
  }
  return undefined
}

/** Rows of one stock whose deviation ends with one close: of the completed day, or of the forecast made from it. */
interface Point {
  readonly symbol: string
  readonly kind: 'completed' | 'forecast'
  /** Number of the day of the last close. */
  readonly last: number
  readonly rows: readonly Candidate[]
  /** Reference price of the day and its close in cents; in a forecast both are the last close. */
  before: Interval
  close: Interval
  /** What they can be in whole cents; undefined where that is not asked. */
  options: readonly Closes[] | undefined
}

/**
 * Points of one stock whose prices follow from each other, day after day: no suspension, no ex-right day between them.
 */
export type Run = readonly Point[]

const hundred = point(100)

/**
 * Prices without whole cents: the reference price within one tick of the trigger price, and the close by the change.
 */
function pricesOf(one: Candidate): { readonly before: Interval; readonly close: Interval } {
  const before = multiply(lastClose(one), hundred)
  const close = one.basis === 'completed' && one.change ? multiply(before, add(point(1), one.change)) : before
  return { before, close }
}

function hullOf(values: readonly number[]): Interval {
  return { lo: Math.min(...values), hi: Math.max(...values) }
}

function setOptions(at: Point, options: readonly Closes[]): void {
  at.options = options
  at.before = hullOf(options.map(({ before }) => before))
  at.close = hullOf(options.map(({ close }) => close))
}

const same = (a: Closes, b: Closes): boolean => a.before === b.before && a.close === b.close

/** The prices that most of a day's rows can have, and the rows that can't. */
function shared(rows: readonly Candidate[], cents: Cents) {
  const known = rows.flatMap((one) => {
    const closes = cents.closes.get(one)
    return closes && closes.length > 0 ? [{ one, closes }] : []
  })
  let best: { options: Closes[]; count: number } = { options: [], count: 0 }
  for (const option of known.flatMap(({ closes }) => closes)) {
    const count = known.filter(({ closes }) => closes.some((other) => same(option, other))).length
    if (count > best.count) best = { options: [option], count }
    else if (count === best.count && !best.options.some((other) => same(option, other))) best.options.push(option)
  }
  if (best.count * 2 <= known.length && known.length > 0) return { options: undefined, apart: known }
  const apart = known.filter(
    ({ closes }) => !closes.some((other) => best.options.some((option) => same(option, other))),
  )
  return { options: known.length > 0 ? best.options : undefined, apart }
}

function yuan(cents: Interval, places = 3): string {
  return ((cents.lo + cents.hi) / 200).toFixed(places)
}

/**
 * A row of a completed day whose change of the day leads from no whole-cent price to another: a wrong number, or an
 * ex-right day on which the reference price is no whole cent. Rows that agree on such a day are let pass; a row beside
 * others that have such prices contradicts them.
 */
function noteCents(rows: readonly Candidate[], cents: Cents, note: Note): void {
  const none = rows.filter((one) => cents.closes.get(one)?.length === 0)
  const [first] = none
  if (!first) return
  const beside = rows.some((one) => (cents.closes.get(one)?.length ?? 0) > 0)
  const agreed =
    none.length > 1 &&
    !beside &&
    none.every((one) => one.pctChg === first.pctChg && intersect(lastClose(one), lastClose(first)))
  if (agreed) return
  for (const { row, pctChg, requiredPct, price } of none) {
    const fact = `no whole-cent prices have the change ${pctChg}% and need ${requiredPct}% to reach ${price}`
    if (beside) {
      const why = `${fact}, other rows of the stock and day have such prices`
      note(row, { verdict: 'inconsistent', rule: 'close', why })
    } else {
      note(row, { verdict: 'warn', rule: 'cents', why: `${fact}: a wrong number, or an ex-right day` })
    }
  }
}

function makePoint(rows: readonly Candidate[], cents: Cents | undefined, note: Note): Point | undefined {
  const [first] = rows
  if (!first) return undefined
  const kind = first.basis === 'forecast' ? 'forecast' : 'completed'
  const made: Point = { symbol: first.symbol, kind, last: first.last, rows, ...pricesOf(first), options: undefined }
  if (!cents) return made
  noteCents(rows, cents, note)
  const { options, apart } = shared(rows, cents)
  for (const { one, closes } of apart) {
    const own = closes.map(({ before }) => (before / 100).toFixed(2)).join(' or ')
    const others = options
      ? `the stock's other rows ${yuan(hullOf(options.map(({ before }) => before)))}`
      : "the stock's rows differ"
    const why = `trigger_price, required_pct_chg and pct_chg imply a last close of ${own}, ${others}`
    note(one.row, { verdict: 'inconsistent', rule: 'close', why })
  }
  if (!options) return undefined
  setOptions(made, options)
  return made
}

/** Leaves in two neighbouring points only what fits together; false when nothing does. */
function match(left: Point, right: Point): boolean {
  if (left.options && right.options) {
    const [closes, befores] = [
      new Set(left.options.map(({ close }) => close)),
      new Set(right.options.map(({ before }) => before)),
    ]
    const [a, b] = [
      left.options.filter(({ close }) => befores.has(close)),
      right.options.filter(({ before }) => closes.has(before)),
    ]
    if (a.length === 0) return false
    setOptions(left, a)
    setOptions(right, b)
    return true
  }
  return intersect(left.close, right.before) !== undefined
}

/** Whether the second point's prices follow from the first's without a day between. */
function follows(left: Point, right: Point): boolean {
  if (right.kind === 'forecast') return left.kind === 'completed' && left.last === right.last
  return left.kind === 'completed' && right.last === left.last + 1
}

/** Cuts a stock's points into runs. A close that is not the next day's reference price is a conflict of the two. */
function runsOf(points: readonly Point[], conflicts: Conflict<Point>[]): Run[] {
  const linked = points.map((right, i) => i > 0 && follows(points[i - 1] as Point, right))
  const broken = new Set<number>()
  for (let i = 1; i < points.length; i++) {
    const [left, right] = [points[i - 1] as Point, points[i] as Point]
    if (!linked[i] || match(left, right)) continue
    broken.add(i)
    conflicts.push([left, right])
  }
  for (let i = points.length - 1; i > 0; i--) {
    if (linked[i] && !broken.has(i)) match(points[i - 1] as Point, points[i] as Point)
  }
  const runs: Point[][] = []
  points.forEach((at, i) => {
    if (linked[i] && !broken.has(i)) runs.at(-1)?.push(at)
    else runs.push([at])
  })
  return runs
}

function chainNote([left, right]: Conflict<Point>): string {
  const [day, next] = [left.rows[0]?.tradedate, right.rows[0]?.tradedate]
  const implied = `rows of ${day} imply a close of ${yuan(left.close)}, of ${next} a last close of ${yuan(right.before)}`
  return `${implied}: a wrong number, or an ex-right day`
}

/**
 * The runs of every stock. Of a stock's rows of one day, `close`: they have one reference price and one close. Of its
 * days, `chain`: the close of a day is the reference price of the next, unless the stock went ex-right between them.
 */
function readRuns(rows: readonly Candidate[], cents: Cents | undefined, note: Note): Run[] {
  const usable = rows.filter((one) => isWhole(one) && one.rule && one.basis !== 'live' && Number.isInteger(one.last))
  const told = usable.filter((one) => one.basis === 'forecast' || one.change)
  const runs: Run[] = []
  for (const own of groupItems(told, ({ symbol }) => symbol).values()) {
    const groups = groupItems(own, (one) => one.last * 2 + (one.basis === 'forecast' ? 1 : 0))
    const order = [...groups.keys()].sort((a, b) => a - b)
    const points = order.flatMap((key) => makePoint(groups.get(key) ?? [], cents, note) ?? [])
    const conflicts: Conflict<Point>[] = []
    runs.push(...runsOf(points, conflicts))
    const guilty = blamed(conflicts)
    for (const conflict of conflicts) {
      const why = chainNote(conflict)
      for (const at of conflict) {
        if (guilty.has(at)) for (const { row } of at.rows) note(row, { verdict: 'warn', rule: 'chain', why })
      }
    }
  }
  return runs
}

/** A row and the close before its interval as the row alone implies it, in cents. */
interface Own {
  readonly one: Candidate
  readonly at: Point
  readonly baseClose: Interval
}

/** A row with what follows from it and from the rows that share its interval's base. */
interface Based {
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

/** Closes of the stock that a run tells: of its days, and the one before its first. */
function closesIn(run: Run): ReadonlyMap<number, Interval> {
  const [first] = run
  const closes = new Map(run.map((at) => [at.last, at.close]))
  if (first && first.kind === 'completed') closes.set(first.last - 1, first.before)
  return closes
}

const centSlack = 1e-6
/** Wider than this, an interval says little about whole cents. */
const telling = 0.5
/** Days within which a single ex-right day is a less likely reason than a wrong number. */
const few = 5

function holdsWhole({ lo, hi }: Interval): boolean {
  return Math.ceil(lo - centSlack) <= Math.floor(hi + centSlack)
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
      const why = `implies a close of ${yuan(baseClose, 4)} before the interval, no whole cents: a wrong number, or an ex-right day`
      note(one.row, { verdict: 'warn', rule: 'whole', why })
    }
  }
}

/**
 * The base closes of a run's rows. `base`: rows of one start have one base close, and where the run tells the close of
 * that day, it is that. Within a run no suspension moves a start and no ex-right day rescales it.
 */
function readBases(run: Run, note: Note): Based[] {
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
      const others = common ? `the other rows of this start ${yuan(common, 4)}` : 'the rows of this start differ'
      const why = `implies a close of ${yuan(baseClose, 4)} before the interval, ${others}`
      note(one.row, { verdict: 'inconsistent', rule: 'base', why })
    }
    group.forEach(({ one, at, baseClose }, i) => {
      if (known && !intersect(known, baseClose)) {
        const why = `implies a close of ${yuan(baseClose, 4)} before the interval, and the rows of that day ${yuan(known, 4)}`
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
function findPaths(run: Run, rows: readonly Based[], note: Note): void {
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
    const why = `implies closes of ${yuan(left.close, 4)} and, ${right.day - left.day} days later, ${yuan(right.close, 4)}, beyond the price limit`
    for (const one of pair) {
      if (guilty.has(one)) for (const { row } of one.rows) note(row, { verdict: 'warn', rule: 'path', why })
    }
  }
}

/** Rows whose measure may have begun anew within their window, by a movement of the same window before them or by a halt. */
type BegunAnew = (one: Candidate) => boolean

const windowOf = ({ symbol, rule }: Candidate): string => `${symbol} ${rule?.days}`

/**
 * Whether a table's measures begin anew after a movement is not said. They do if most intervals of rows that follow a
 * triggered one of their stock and window, within that window, begin after it; else a row stays triggered for as long as
 * its window holds the move, and nothing begins anew. A verification halt between the two explains it by itself.
 */
export function begunAnewIn(rows: readonly Candidate[], halts: readonly AnomalyHalt[] = []): BegunAnew {
  const halted = groupItems(halts, ({ symbol }) => parseCode(symbol).bare)
  const told = rows.filter((one) => isWhole(one) && one.rule && one.basis !== 'live' && Number.isInteger(one.last))
  const movements = new Map<string, readonly Candidate[]>()
  const triggered = told.filter(({ basis, status }) => basis === 'completed' && status === 'triggered')
  for (const [window, own] of groupItems(triggered, windowOf)) movements.set(window, own)
  /** The latest movement before a row, as far back as its window may reach with days without trade in it. */
  const before = (one: Candidate): Candidate | undefined => {
    const end = one.basis === 'forecast' ? one.last : one.last - 1
    const own = movements.get(windowOf(one)) ?? []
    const near = own.filter(({ day }) => day <= end && day > end - 2 * (one.rule?.days ?? 0))
    return near.reduce<Candidate | undefined>((a, b) => (a && a.day > b.day ? a : b), undefined)
  }
  const isHalted = (movement: Candidate, one: Candidate): boolean =>
    (halted.get(parseCode(one.symbol).bare) ?? []).some(
      ({ tradedate }) => movement.tradedate < tradedate && tradedate < one.tradedate,
    )
  let [after, across] = [0, 0]
  for (const one of told) {
    const movement = before(one)
    if (!movement || !Number.isInteger(one.base) || isHalted(movement, one)) continue
    if (movement.day > one.base) across++
    else after++
  }
  return (one) => {
    const movement = before(one)
    return movement !== undefined && (after > across || isHalted(movement, one))
  }
}

/** Growth of the benchmark over one day, by the number of the day; what it may be where nobody knows. */
type DayIndex = (one: Candidate, day: number) => Interval

/** Two rows that cannot both be the extreme of their windows, and why. */
interface Clash {
  readonly pair: Conflict<Candidate>
  readonly why: string
}

const isUp = (one: Candidate): boolean => one.threshold > 0
const days = (one: Candidate): number => (one.rule?.days ?? 0) - (one.basis === 'forecast' ? 1 : 0)

/** The two measures begin anew each for itself, so their windows need not hold each other. */
const isSevere = (one: Candidate): boolean => (one.rule?.days ?? 0) > 3

/** The one whole number in an interval, if there is exactly one. */
function onlyWhole({ lo, hi }: Interval): number | undefined {
  const [from, to] = [Math.ceil(lo), Math.floor(hi)]
  return from === to ? from : undefined
}

/**
 * A row's start was there to be taken by the row of the day after, and that one's by the first: each took the better of
 * the two. With A and B the growths to the first day from the starts 1 and 2, g and h the day's growth of stock and
 * index: A1 - B1 >= A2 - B2 and g A2 - h B2 >= g A1 - h B1 (the other way about for falls). With B2 = B2' / h of the
 * second row both bound h, and h is known, or within the limits of a day. Starts of one base close can't change places
 * at all: which is better then hangs on the index at the starts alone.
 */
function moved(first: Based, second: Based, dayIndex: DayIndex): string | undefined {
  const [a, b] = [first.one, second.one]
  if (a.base === b.base || a.elapsed + 1 > days(b) || b.base >= a.last || a.last - b.base > days(a)) return undefined
  const whole = onlyWhole(first.baseClose)
  if (whole !== undefined && whole === onlyWhole(second.baseClose)) {
    return `the interval begins on another day than on ${a.tradedate}, with the same close of ${whole / 100} before it`
  }
  const up = isUp(a)
  const h = dayIndex(a, b.last)
  const before = subtract(divide(first.at.close, second.baseClose), divide(second.index, h))
  const after = subtract(divide(second.at.close, first.baseClose), multiply(first.index, h))
  const worse = up ? before.lo > a.deviation.hi : before.hi < a.deviation.lo
  const better = up ? after.lo > b.deviation.hi : after.hi < b.deviation.lo
  if (worse) return `the interval of ${b.tradedate} would have been more extreme on ${a.tradedate} already`
  return better ? `the interval of ${a.tradedate} would be more extreme on ${b.tradedate} still` : undefined
}

/** Rows of one last close and direction: a wider window holds every interval of a narrower one. */
function nested(a: Candidate, b: Candidate): string | undefined {
  if (days(a) > days(b)) return nested(b, a)
  const named = `the intervals of ${a.rule?.days} and ${b.rule?.days} days that end with one close`
  const inBoth = b.elapsed <= days(a)
  if (inBoth && (a.elapsed !== b.elapsed || !intersect(a.deviation, b.deviation))) return `${named} differ`
  const lesser = isUp(a) ? b.deviation.hi < a.deviation.lo : b.deviation.lo > a.deviation.hi
  return lesser ? `${named}: the wider window has the lesser deviation` : undefined
}

/** Rows of one last close: the extreme rise is no less than the extreme fall where one window holds both. */
function crossed(a: Candidate, b: Candidate): string | undefined {
  if (isUp(a) === isUp(b)) return nested(a, b)
  const [up, down] = isUp(a) ? [a, b] : [b, a]
  const holds = (one: Candidate, other: Candidate): boolean => other.elapsed <= days(one)
  if (!holds(up, down) && !holds(down, up)) return undefined
  return up.deviation.hi < down.deviation.lo ? 'the greatest deviation lies below the least one' : undefined
}

function* clashesWithin(rows: readonly Candidate[]): Iterable<Clash> {
  for (const own of groupItems(rows, ({ last }) => last).values()) {
    for (let i = 0; i < own.length; i++) {
      for (let j = i + 1; j < own.length; j++) {
        const pair: Conflict<Candidate> = [own[i] as Candidate, own[j] as Candidate]
        const why = isSevere(pair[0]) === isSevere(pair[1]) ? crossed(...pair) : undefined
        if (why) yield { pair, why }
      }
    }
  }
}

function* clashesBetween(run: readonly Based[], dayIndex: DayIndex): Iterable<Clash> {
  const rules = groupItems(
    run.filter(({ one }) => one.basis === 'completed'),
    ({ one }) => `${one.rule?.days} ${isUp(one)}`,
  )
  for (const own of rules.values()) {
    const byDay = new Map(own.map((based) => [based.one.last, based]))
    for (const second of own) {
      const first = byDay.get(second.one.last - 1)
      const why = first && moved(first, second, dayIndex)
      if (first && why) yield { pair: [first.one, second.one], why }
    }
  }
}

/**
 * `extreme`: what only the most extreme interval of a window can be. Of a stock's rows that end with one close: a
 * window within another, and the forecast's within the day's, have the same interval if both hold it. From day to day:
 * an interval gives way only to one that was worse before and is better now. Not asked of rows whose measure may have
 * begun anew.
 */
function findExtreme(
  run: readonly Based[],
  rows: readonly Candidate[],
  dayIndex: DayIndex,
  begunAnew: BegunAnew,
  note: Note,
): void {
  const clashes = [...clashesWithin(rows), ...clashesBetween(run, dayIndex)].filter(({ pair }) => !pair.some(begunAnew))
  const guilty = blamed(clashes.map(({ pair }) => pair))
  for (const { pair, why } of clashes) {
    for (const one of pair) {
      if (guilty.has(one)) note(one.row, { verdict: 'warn', rule: 'extreme', why })
    }
  }
}

/** What rows of different days and stocks say of one another. */
export interface Between {
  /** Rows of the board over the same days. */
  readonly peers: ReadonlyMap<Candidate, Peers>
  /** How many other rows of its own stock a row was held against. */
  readonly own: ReadonlyMap<Candidate, number>
  /** Growth of the benchmark since the interval began that a row, with its stock's others, implies. */
  readonly growth: ReadonlyMap<Candidate, Interval>
}

/** Growth of a benchmark over one day where nobody can tell: within the price limit of its shares. */
function anyDay({ board, tradedate }: Candidate): Interval {
  const limit = board ? priceLimit(board, false, tradedate) / 100 : 0.3
  return { lo: 1 - limit, hi: 1 + limit }
}

/** Growth that a row implies by itself where its stock's other rows add nothing. */
function growthOf(one: Candidate, based: Based | undefined): Interval | undefined {
  const alone = indexGrowth(one)
  const own = alone && bounded(alone) ? alone : undefined
  if (!based) return own
  return own ? (intersect(own, based.index) ?? based.index) : based.index
}

/**
 * Findings between days and stocks: runs of closes, base closes, the index of the board, the extreme of each window.
 */
export function findAcross(rows: readonly Candidate[], note: Note, halts?: readonly AnomalyHalt[]): Between {
  const runs = readRuns(rows, readCents(rows), note)
  const based = runs.map((run) => readBases(run, note))
  runs.forEach((run, i) => {
    findPaths(run, based[i] ?? [], note)
  })
  const basedOf = new Map(based.flat().map((one) => [one.one, one]))
  const growth = new Map<Candidate, Interval>()
  const implied: Implied[] = []
  for (const one of rows) {
    const found = growthOf(one, basedOf.get(one))
    if (!found) continue
    growth.set(one, found)
    implied.push({ one, growth: found })
  }
  const { peers, dayIndex } = findBoards(implied, note)
  const own = new Map<Candidate, number>()
  const begunAnew = begunAnewIn(rows, halts)
  runs.forEach((run, i) => {
    const mine = run.flatMap((at) => at.rows)
    for (const one of mine) own.set(one, mine.length - 1)
    findExtreme(based[i] ?? [], mine, (one, day) => dayIndex(one, day) ?? anyDay(one), begunAnew, note)
  })
  return { peers, own, growth }
}
