import { anyOf, sentence, type Words } from '../../../contract/sentence.js'
import { parseCode } from '../../../contract/symbol.js'
import { groupItems } from '../../../frame/table/group-items.js'
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
import { priceLimit } from './anomaly-rules.js'
import { type Candidate, indexGrowth, isWhole, lastClose, towardsThreshold } from './candidates.js'
import type { AnomalyHalt } from './compute/compute-anomalies.js'
import type { Note } from './row-checks.js'

/** Two things of which at least one is wrong, and why. */
interface Conflict<T> {
  readonly pair: readonly [T, T]
  readonly why: Words
}

/**
 * Notes conflicts as suspect: of the two, the one that more conflicts name; both where they are level. A number that is
 * wrong in the middle of a series conflicts with both neighbours, its neighbours only with it.
 */
function noteConflicts<T>(
  conflicts: readonly Conflict<T>[],
  rule: string,
  rowsOf: (one: T) => readonly Candidate[],
  note: Note,
): void {
  const times = new Map<T, number>()
  for (const one of conflicts.flatMap(({ pair }) => pair)) times.set(one, (times.get(one) ?? 0) + 1)
  const suspects = new Set<T>()
  for (const { pair } of conflicts) {
    const most = Math.max(...pair.map((one) => times.get(one) ?? 0))
    for (const one of pair) if (times.get(one) === most) suspects.add(one)
  }
  for (const { pair, why } of conflicts) {
    for (const one of pair) if (suspects.has(one)) note(rowsOf(one), 'warn', rule, why)
  }
}

/** Rows whose numbers can be compared with those of other days: the day that their deviation ends with is known. */
const isMeasured = (one: Candidate): boolean =>
  isWhole(one) && one.rule !== undefined && one.basis !== 'live' && Number.isInteger(one.last)

/**
 * Reference price of a day and close of the day that the row's numbers end with, both in whole cents. In a forecast the
 * two are the same.
 */
interface Closes {
  readonly before: number
  readonly close: number
}

const most = 64
/** Slack for the noise of doubles, far above it and far below what a last digit moves. */
const slack = 1e-9

/** Whole cents within bounds; undefined where they are too many to tell anything. */
function wholeCents(lo: number, hi: number): number[] | undefined {
  const from = Math.max(1, Math.ceil(lo * (1 - slack)))
  const to = Math.floor(hi * (1 + slack))
  if (!(to - from < most && to <= Number.MAX_SAFE_INTEGER)) return undefined
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)
}

/** What the exact trigger price may have been, in cents, by the way in which the published one was rounded. */
type Rounding = (cents: number, rises: boolean) => Interval

const roundings: readonly Rounding[] = [
  (cents, rises) => (rises ? { lo: cents - 1, hi: cents } : { lo: cents, hi: cents + 1 }),
  (cents) => ({ lo: cents - 0.5, hi: cents + 0.5 }),
  (cents) => ({ lo: cents - 1, hi: cents + 1 }),
]

/**
 * All pairs of whole-cent prices that a row's trigger price, required change and change of the day can come from.
 * Undefined where the row does not tell: another basis, or too many pairs.
 */
function closesOf(one: Candidate, rounding: Rounding): readonly Closes[] | undefined {
  const { change, required } = one
  if (!isWhole(one) || !one.rule || one.basis === 'live' || !(one.price > 0)) return undefined
  if ((one.basis === 'completed' && !change) || 1 + required.lo <= 0) return undefined
  const { lo, hi } = rounding(Math.round(one.price * 100), one.threshold > 0)
  const befores = wholeCents(lo / (1 + required.hi), hi / (1 + required.lo))
  if (!change) return befores?.map((before) => ({ before, close: before }))
  const pairs: Closes[] = []
  for (const before of befores ?? []) {
    const closes = wholeCents(before * (1 + change.lo), before * (1 + change.hi))
    if (!closes || pairs.push(...closes.map((close) => ({ before, close }))) > most) return undefined
  }
  return befores && pairs
}

/** What the prices of each row that tells them can be. */
type ClosesByRow = ReadonlyMap<Candidate, readonly Closes[]>

/**
 * The prices of every row that tells them. Trigger prices are rounded outward, up for rises and down for falls; if more
 * than a tenth of the rows (and more than four) have no prices then, the service rounds otherwise, to the nearest or
 * either way, and that is tried. If none fits, its prices are no whole cents, and nothing is compared with other days: undefined.
 */
function readCloses(rows: readonly Candidate[]): ClosesByRow | undefined {
  for (const rounding of roundings) {
    const closes = new Map<Candidate, readonly Closes[]>()
    for (const one of rows) {
      const own = closesOf(one, rounding)
      if (own) closes.set(one, own)
    }
    const none = [...closes.values()].filter(({ length }) => length === 0).length
    if (none <= Math.max(4, closes.size / 10)) return closes
  }
  return undefined
}

/** Rows of one stock whose deviation ends with one close: of the completed day, or of the forecast made from it. */
interface Point {
  readonly kind: 'completed' | 'forecast'
  /** Number of the day of the last close. */
  readonly last: number
  readonly rows: readonly Candidate[]
  /** Reference price of the day and its close in cents; in a forecast both are the last close. */
  readonly before: Interval
  readonly close: Interval
  /** What they can be in whole cents. */
  readonly options: readonly Closes[]
}

/** Points of one stock whose prices follow from each other, day after day: no suspension, no ex-right day between them. */
type Run = readonly Point[]

function hullOf(values: readonly number[]): Interval {
  return { lo: Math.min(...values), hi: Math.max(...values) }
}

/** Options, and the prices that they leave. */
function pricesIn(options: readonly Closes[]): Pick<Point, 'before' | 'close' | 'options'> {
  const before = hullOf(options.map((one) => one.before))
  return { before, close: hullOf(options.map(({ close }) => close)), options }
}

function yuan(cents: Interval, places = 3): string {
  return ((cents.lo + cents.hi) / 200).toFixed(places)
}

const keyOf = ({ before, close }: Closes): string => `${before} ${close}`

/**
 * The prices that most of a day's rows can have, undefined where there are none. `close`: a row that can't have them is
 * named, all rows where there is no majority.
 */
function commonPrices(rows: readonly Candidate[], closes: ClosesByRow, note: Note): readonly Closes[] | undefined {
  const known = rows.filter((one) => (closes.get(one)?.length ?? 0) > 0)
  const groups = [
    ...groupItems(
      known.flatMap((one) => closes.get(one) ?? []),
      keyOf,
    ),
  ]
  const count = Math.max(0, ...groups.map(([, { length }]) => length))
  const best = count * 2 > known.length ? groups.filter(([, { length }]) => length === count) : []
  const [keys, options] = [new Set(best.map(([key]) => key)), best.flatMap(([, group]) => group.slice(0, 1))]
  const others =
    best.length > 0
      ? sentence`the stock's other rows ${yuan(pricesIn(options).before)}`
      : sentence`the stock's rows differ`
  for (const one of known) {
    const own = closes.get(one) ?? []
    if (own.some((pair) => keys.has(keyOf(pair)))) continue
    const prices = anyOf(own.map(({ before }) => (before / 100).toFixed(2)))
    const why = sentence`trigger_price, required_pct_chg and pct_chg imply a last close of ${prices}, ${others}`
    note([one], 'inconsistent', 'close', why)
  }
  return best.length > 0 ? options : undefined
}

/**
 * A row of a completed day whose change of the day leads from no whole-cent price to another: a wrong number, or an
 * ex-right day on which the reference price is no whole cent. Rows that agree on such a day are let pass; where other
 * rows of the day have such prices it contradicts them.
 */
function checkCents(rows: readonly Candidate[], closes: ClosesByRow, note: Note): void {
  const none = rows.filter((one) => closes.get(one)?.length === 0)
  const [first] = none
  if (!first) return
  const contradicts = rows.some((one) => (closes.get(one)?.length ?? 0) > 0)
  const agree = (one: Candidate): boolean =>
    one.pctChg === first.pctChg && intersect(lastClose(one), lastClose(first)) !== undefined
  if (none.length > 1 && !contradicts && none.every(agree)) return
  for (const one of none) {
    const [change, required] = [`${one.pctChg}%`, `${one.requiredPct}%`]
    const none = sentence`no whole-cent prices have the change ${change} and need ${required} to reach ${one.price}`
    if (contradicts)
      note([one], 'inconsistent', 'close', sentence`${none}, other rows of the stock and day have such prices`)
    else note([one], 'warn', 'cents', sentence`${none}: a wrong number, or an ex-right day`)
  }
}

/** The point of some rows; undefined where they have no prices in common. */
function readPoint(rows: readonly Candidate[], closes: ClosesByRow, note: Note): Point | undefined {
  const [first] = rows
  if (!first) return undefined
  const kind = first.basis === 'forecast' ? 'forecast' : 'completed'
  checkCents(rows, closes, note)
  const options = commonPrices(rows, closes, note)
  return options && { kind, last: first.last, rows, ...pricesIn(options) }
}

/** Two neighbouring points with only what fits together; undefined when nothing does. */
function matched(left: Point, right: Point): readonly [Point, Point] | undefined {
  const closes = new Set(left.options.map(({ close }) => close))
  const befores = new Set(right.options.map(({ before }) => before))
  const before = left.options.filter(({ close }) => befores.has(close))
  const after = right.options.filter((one) => closes.has(one.before))
  if (before.length === 0) return undefined
  return [
    { ...left, ...pricesIn(before) },
    { ...right, ...pricesIn(after) },
  ]
}

/**
 * Cuts a stock's points into runs. `chain`: the close of a day is the reference price of the next, unless the stock
 * went ex-right between them.
 */
function linkPoints(points: readonly Point[], note: Note): Run[] {
  const runs: Point[][] = []
  const conflicts: Conflict<Point>[] = []
  for (const right of points) {
    const run = runs.at(-1)
    const left = run?.at(-1)
    const step = right.kind === 'forecast' ? 0 : 1
    const follows = left?.kind === 'completed' && right.last === left.last + step
    const both = follows ? matched(left, right) : undefined
    if (both) run?.splice(-1, 1, ...both)
    else runs.push([right])
    if (follows && !both) conflicts.push({ pair: [left, right], why: whyBroken(left, right) })
  }
  for (const run of runs) {
    for (let i = run.length - 1; i > 0; i--) {
      const both = matched(run[i - 1] as Point, run[i] as Point)
      if (both) run.splice(i - 1, 2, ...both)
    }
  }
  noteConflicts(conflicts, 'chain', ({ rows }) => rows, note)
  return runs
}

function whyBroken(left: Point, right: Point): Words {
  const [day, next] = [left.rows[0]?.tradedate, right.rows[0]?.tradedate]
  const implied = sentence`rows of ${day} imply a close of ${yuan(left.close)}, of ${next} a last close of ${yuan(right.before)}`
  return sentence`${implied}: a wrong number, or an ex-right day`
}

/** The runs of every stock. */
function readRuns(rows: readonly Candidate[], note: Note): Run[] {
  const closes = readCloses(rows)
  if (!closes) return []
  const usable = rows.filter((one) => isMeasured(one) && (one.basis === 'forecast' || one.change))
  return [...groupItems(usable, ({ symbol }) => symbol).values()].flatMap((own) => {
    const groups = [...groupItems(own, (one) => one.last * 2 + (one.basis === 'forecast' ? 1 : 0))]
    const ordered = groups.sort(([a], [b]) => a - b)
    return linkPoints(
      ordered.flatMap(([, group]) => readPoint(group, closes, note) ?? []),
      note,
    )
  })
}

/** A row with the close before its interval, in cents, cut for ex-rights within it. */
interface BaseRow {
  readonly one: Candidate
  readonly at: Point
  readonly baseClose: Interval
}

/** The same, with the growth of the benchmark since then. */
interface BasedRow extends BaseRow {
  readonly index: Interval
}

/**
 * The close before the interval as a row alone implies it: with r the reference price, c the last close, x the required
 * change, d the deviation and T the threshold, c / base - B = d and r (1 + x) / base - B = T give
 * base = (r (1 + x) - c) / (T - d).
 */
function baseRows(run: Run): BaseRow[] {
  const rows = run.flatMap((at) => at.rows.map((one) => ({ one, at })))
  return rows.flatMap(({ one, at }) => {
    if (!Number.isInteger(one.base)) return []
    const target = multiply(at.before, add(point(1), one.required))
    const baseClose = divide(subtract(target, at.close), subtract(point(one.threshold), one.deviation))
    return bounded(baseClose) ? [{ one, at, baseClose }] : []
  })
}

const centSlack = 1e-6
/** Wider than this, an interval says little about whole cents. */
const widest = 0.5
/** Days within which a single ex-right day is a less likely reason than a wrong number. */
const few = 5

function hasWholeCents(cents: Interval | undefined): boolean {
  return cents !== undefined && Math.ceil(cents.lo - centSlack) <= Math.floor(cents.hi + centSlack)
}

/** Rows whose base close is no whole cents by itself, or none that the other rows of the start can have too. */
function withoutWhole(group: readonly BaseRow[]): readonly BaseRow[] {
  const common = (rows: readonly BaseRow[]): Interval | undefined =>
    rows.reduce<Interval | undefined>((all, { baseClose }) => all && intersect(all, baseClose), { lo: 0, hi: Infinity })
  const shared = common(group)
  if (group.length > 1 && hasWholeCents(shared)) return []
  return group.filter((own) => {
    if (!hasWholeCents(own.baseClose)) return true
    return group.length > 1 && shared !== undefined && hasWholeCents(common(group.filter((one) => one !== own)))
  })
}

/**
 * `whole`: the close before an interval is whole cents too, unless an ex-right day in the interval rescaled it; that
 * rescales all earlier bases of the run as well. So a row without whole cents is suspect if an earlier base has them,
 * or if it is the only such row and a base of the next few days has them; otherwise it is let pass.
 */
function checkWhole(rows: readonly BaseRow[], note: Note): void {
  const precise = rows.filter(({ at, baseClose: { lo, hi } }) => at.options.length === 1 && hi - lo < widest)
  const groups = [...groupItems(precise, ({ one }) => one.base)]
  const odd = groups.flatMap(([, group]) => withoutWhole(group))
  const oddBases = new Set(odd.map(({ one }) => one.base))
  const first = Math.min(...groups.map(([base]) => base).filter((base) => !oddBases.has(base)))
  if (odd.length * 2 > precise.length) return
  for (const { one, baseClose } of odd) {
    if (one.base < first && (odd.length > 1 || first - one.base > few)) continue
    const implied = sentence`implies a close of ${yuan(baseClose, 4)} before the interval, no whole cents`
    note([one], 'warn', 'whole', sentence`${implied}: a wrong number, or an ex-right day`)
  }
}

/**
 * The base closes of a run's rows. `base`: rows of one start have one base close, and where the run tells the close of
 * that day, it is that. Within a run no suspension moves a start and no ex-right day rescales it.
 */
function readBases(run: Run, note: Note): BasedRow[] {
  const rows = baseRows(run)
  checkWhole(rows, note)
  const [first] = run
  const closes = new Map(run.map((at) => [at.last, at.close]))
  if (first?.kind === 'completed') closes.set(first.last - 1, first.before)
  return [...groupItems(rows, ({ one }) => one.base)].flatMap(([base, group]) => {
    const known = closes.get(base)
    const { common, apart } = agreement(group.map(({ baseClose }) => baseClose))
    const others = common
      ? sentence`the other rows of this start ${yuan(common, 4)}`
      : sentence`the rows of this start differ`
    return group.flatMap(({ one, at, baseClose }, i) => {
      if (known ? !intersect(known, baseClose) : apart.includes(i)) {
        const against = known ? sentence`and the rows of that day ${yuan(known, 4)}` : others
        const why = sentence`implies a close of ${yuan(baseClose, 4)} before the interval, ${against}`
        note([one], 'inconsistent', 'base', why)
        return []
      }
      const best = known ?? common ?? baseClose
      const index = subtract(divide(at.close, best), one.deviation)
      return bounded(index) && index.lo > 0 ? [{ one, at, baseClose: best, index }] : []
    })
  })
}

/** Rows whose measure may have begun anew within their window, by a movement of the same window before them or by a halt. */
type BegunAnew = (one: Candidate) => boolean

const windowOf = ({ symbol, rule }: Candidate): string => `${symbol} ${rule?.days}`

/**
 * Whether a table's measures begin anew after a movement is not said. They do if most intervals of rows that follow a
 * triggered one of their stock and window, within that window, begin after it; else a row stays triggered for as long as
 * its window holds the move, and nothing begins anew. A verification halt between the two explains it by itself.
 */
function begunAnewIn(rows: readonly Candidate[], halts: readonly AnomalyHalt[] = []): BegunAnew {
  const haltsBySymbol = groupItems(halts, ({ symbol }) => parseCode(symbol).bare)
  const measured = rows.filter(isMeasured)
  const triggered = measured.filter(({ basis, status }) => basis === 'completed' && status === 'triggered')
  const movements = groupItems(triggered, windowOf)
  /** The latest movement before a row, as far back as its window may reach with days without trade in it. */
  const movementBefore = (one: Candidate): Candidate | undefined => {
    const end = one.basis === 'forecast' ? one.last : one.last - 1
    const own = movements.get(windowOf(one)) ?? []
    const near = own.filter(({ day }) => day <= end && day > end - 2 * (one.rule?.days ?? 0))
    return near.reduce<Candidate | undefined>((a, b) => (a && a.day > b.day ? a : b), undefined)
  }
  const isHalted = (movement: Candidate, one: Candidate): boolean =>
    (haltsBySymbol.get(parseCode(one.symbol).bare) ?? []).some(
      ({ tradedate }) => movement.tradedate < tradedate && tradedate < one.tradedate,
    )
  let [after, across] = [0, 0]
  for (const one of measured) {
    const movement = movementBefore(one)
    if (!movement || !Number.isInteger(one.base) || isHalted(movement, one)) continue
    if (movement.day > one.base) across++
    else after++
  }
  return (one) => {
    const movement = movementBefore(one)
    return movement !== undefined && (after > across || isHalted(movement, one))
  }
}

const isUp = (one: Candidate): boolean => one.threshold > 0
/** Days that a row's interval can have. */
const longest = (one: Candidate): number => (one.rule?.days ?? 0) - (one.basis === 'forecast' ? 1 : 0)

/** The two measures begin anew each for itself, so their windows need not hold each other. */
const isSevere = (one: Candidate): boolean => (one.rule?.days ?? 0) > 3

/** The one whole number in an interval, if there is exactly one. */
function onlyWhole({ lo, hi }: Interval): number | undefined {
  const [from, to] = [Math.ceil(lo), Math.floor(hi)]
  return from === to ? from : undefined
}

/** Growth of a benchmark over one day where nobody can tell: within the price limit of its shares. */
function anyDay({ board, tradedate }: Candidate): Interval {
  const limit = board ? priceLimit(board, false, tradedate) / 100 : 0.3
  return { lo: 1 - limit, hi: 1 + limit }
}

/**
 * A row's start was there to be taken by the row of the day after, and that one's by the first: each took the better of
 * the two. With A and B the growths to the first day from the starts 1 and 2, g and h the day's growth of stock and
 * index: A1 - B1 >= A2 - B2 and g A2 - h B2 >= g A1 - h B1 (the other way about for falls). With B2 = B2' / h of the
 * second row both bound h, which lies within the limits of a day. Starts of one base close can't change places
 * at all: which is better then hangs on the index at the starts alone.
 */
function movedStart(first: BasedRow, second: BasedRow): Words | undefined {
  const [a, b] = [first.one, second.one]
  if (a.base === b.base || a.elapsed + 1 > longest(b) || b.base >= a.last || a.last - b.base > longest(a)) {
    return undefined
  }
  const whole = onlyWhole(first.baseClose)
  if (whole !== undefined && whole === onlyWhole(second.baseClose)) {
    return sentence`the interval begins on another day than on ${a.tradedate}, with the same close of ${whole / 100} before it`
  }
  const h = anyDay(a)
  const before = subtract(divide(first.at.close, second.baseClose), divide(second.index, h))
  const after = subtract(divide(second.at.close, first.baseClose), multiply(first.index, h))
  const exceeds = (deviation: Interval, one: Candidate): boolean =>
    towardsThreshold(a, deviation).lo > towardsThreshold(a, one.deviation).hi
  if (exceeds(before, a))
    return sentence`the interval of ${b.tradedate} would have been more extreme on ${a.tradedate} already`
  return exceeds(after, b)
    ? sentence`the interval of ${a.tradedate} would be more extreme on ${b.tradedate} still`
    : undefined
}

/** Rows of one last close and direction: a wider window holds every interval of a narrower one. */
function whyNotNested(narrow: Candidate, wide: Candidate): Words | undefined {
  const intervals = sentence`the intervals of ${narrow.rule?.days} and ${wide.rule?.days} days that end with one close`
  const same = narrow.elapsed === wide.elapsed && intersect(narrow.deviation, wide.deviation)
  if (wide.elapsed <= longest(narrow) && !same) return sentence`${intervals} differ`
  const lesser = towardsThreshold(wide, wide.deviation).hi < towardsThreshold(narrow, narrow.deviation).lo
  return lesser ? sentence`${intervals}: the wider window has the lesser deviation` : undefined
}

/** Rows of one last close: the extreme rise is no less than the extreme fall where one window holds both. */
function whyNotExtreme(a: Candidate, b: Candidate): Words | undefined {
  if (isSevere(a) !== isSevere(b)) return undefined
  if (isUp(a) === isUp(b)) return longest(a) > longest(b) ? whyNotNested(b, a) : whyNotNested(a, b)
  const [up, down] = isUp(a) ? [a, b] : [b, a]
  if (down.elapsed > longest(up) && up.elapsed > longest(down)) return undefined
  return up.deviation.hi < down.deviation.lo ? sentence`the greatest deviation lies below the least one` : undefined
}

/**
 * `extreme`: what only the most extreme interval of a window can be. Of a stock's rows that end with one close: a
 * window within another, and the forecast's within the day's, have the same interval if both hold it. From day to day:
 * an interval gives way only to one that was worse before and is better now. Rows whose measure may have begun anew are
 * left out.
 */
function checkExtreme(rows: readonly Candidate[], based: readonly BasedRow[], begunAnew: BegunAnew, note: Note): void {
  const conflicts: Conflict<Candidate>[] = []
  const addConflict = (a: Candidate, b: Candidate, why: Words | undefined): void => {
    if (why && !begunAnew(a) && !begunAnew(b)) conflicts.push({ pair: [a, b], why })
  }
  for (const own of groupItems(rows, ({ last }) => last).values()) {
    own.forEach((a, i) => {
      for (const b of own.slice(i + 1)) addConflict(a, b, whyNotExtreme(a, b))
    })
  }
  const completed = based.filter(({ one }) => one.basis === 'completed')
  for (const own of groupItems(completed, ({ one }) => `${one.rule?.days} ${isUp(one)}`).values()) {
    const byDay = new Map(own.map((row) => [row.one.last, row]))
    for (const second of own) {
      const first = byDay.get(second.one.last - 1)
      if (first) addConflict(first.one, second.one, movedStart(first, second))
    }
  }
  noteConflicts(conflicts, 'extreme', (one) => [one], note)
}

/** Rows of one board whose intervals begin and end on the same days, and the growth that most of them imply. */
interface Peers {
  readonly common: Interval | undefined
  readonly rows: readonly Candidate[]
}

/** What rows of different days and stocks say of one another. */
export interface Comparisons {
  /** Rows of the board over the same days. */
  readonly peers: ReadonlyMap<Candidate, Peers>
  /** How many other rows of its own stock a row was compared with. */
  readonly own: ReadonlyMap<Candidate, number>
  /** Growth of the benchmark since the interval began that a row, with its stock's others, implies. */
  readonly growth: ReadonlyMap<Candidate, Interval>
}

/** Growth that a row implies by itself, as far as its stock's other rows allow. */
function growthOf(one: Candidate, index: Interval | undefined): Interval | undefined {
  const alone = indexGrowth(one)
  if (!alone || !bounded(alone)) return index
  return index ? (intersect(alone, index) ?? index) : alone
}

/** Rows of one board whose intervals begin and end on the same days, under each of them. */
function peersOf(growth: ReadonlyMap<Candidate, Interval>): Map<Candidate, Peers> {
  const rows = [...growth].filter(([one]) => one.board !== undefined && Number.isInteger(one.base))
  const groups = groupItems(rows, ([one]) => `${one.board} ${one.base} ${one.last}`).values()
  return new Map(
    [...groups].flatMap((group) => {
      const { common } = agreement(group.map(([, own]) => own))
      const peers = { common, rows: group.map(([one]) => one) }
      return peers.rows.map((one) => [one, peers] as const)
    }),
  )
}

/** Findings between days: runs of closes, base closes, the extreme of each window. */
export function checkSeries(rows: readonly Candidate[], note: Note, halts?: readonly AnomalyHalt[]): Comparisons {
  const runs = readRuns(rows, note)
  const based = runs.map((run) => readBases(run, note))
  const indexOf = new Map(based.flat().map(({ one, index }) => [one, index]))
  const growth = new Map<Candidate, Interval>()
  for (const one of rows) {
    const own = growthOf(one, indexOf.get(one))
    if (own) growth.set(one, own)
  }
  const own = new Map<Candidate, number>()
  const begunAnew = begunAnewIn(rows, halts)
  runs.forEach((run, i) => {
    const ofRun = run.flatMap((at) => at.rows)
    for (const one of ofRun) own.set(one, ofRun.length - 1)
    checkExtreme(ofRun, based[i] ?? [], begunAnew, note)
  })
  return { peers: peersOf(growth), own, growth }
}
