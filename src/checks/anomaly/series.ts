import { add, type Interval, intersect, multiply, point } from '../exact/interval.js'
import { groupItems } from '../group.js'
import { blamed, type Conflict } from './blame.js'
import type { Cents, Closes } from './cents.js'
import type { Note } from './inside.js'
import { type Candidate, isWhole, lastClose } from './row.js'

/** Rows of one stock whose deviation ends with one close: of the completed day, or of the forecast made from it. */
export interface Point {
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

function yuan(value: Interval): string {
  return ((value.lo + value.hi) / 200).toFixed(3)
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
      note(row, { verdict: 'suspect', rule: 'cents', why: `${fact}: a wrong number, or an ex-right day` })
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
export function readRuns(rows: readonly Candidate[], cents: Cents | undefined, note: Note): Run[] {
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
        if (guilty.has(at)) for (const { row } of at.rows) note(row, { verdict: 'suspect', rule: 'chain', why })
      }
    }
  }
  return runs
}
