/** All values that a published, rounded number can stand for; ends included, computed outwards. */
export interface Interval {
  readonly lo: number
  readonly hi: number
}

export const everything: Interval = { lo: Number.NEGATIVE_INFINITY, hi: Number.POSITIVE_INFINITY }

function down(x: number): number {
  return x - Math.abs(x) * Number.EPSILON - Number.MIN_VALUE
}

function up(x: number): number {
  return x + Math.abs(x) * Number.EPSILON + Number.MIN_VALUE
}

function hull(a: number, b: number, c: number = a, d: number = b): Interval {
  const [lo, hi] = [Math.min(a, b, c, d), Math.max(a, b, c, d)]
  return Number.isFinite(lo) && Number.isFinite(hi) ? { lo: down(lo), hi: up(hi) } : everything
}

/** The number itself. */
export function point(x: number): Interval {
  return { lo: x, hi: x }
}

/** What a number rounded to so many decimals can have been. */
export function rounded(x: number, places: number): Interval {
  const half = 0.5 * 10 ** -places
  return hull(x - half, x + half)
}

export function add(a: Interval, b: Interval): Interval {
  return hull(a.lo + b.lo, a.hi + b.hi)
}

export function subtract(a: Interval, b: Interval): Interval {
  return hull(a.lo - b.hi, a.hi - b.lo)
}

export function multiply(a: Interval, b: Interval): Interval {
  return hull(a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi)
}

/** Quotient; everything where the divisor may be 0. */
export function divide(a: Interval, b: Interval): Interval {
  if (b.lo <= 0 && b.hi >= 0) return everything
  return hull(a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi)
}

export function intersect(a: Interval, b: Interval): Interval | undefined {
  const [lo, hi] = [Math.max(a.lo, b.lo), Math.min(a.hi, b.hi)]
  return lo <= hi ? { lo, hi } : undefined
}

export function bounded({ lo, hi }: Interval): boolean {
  return Number.isFinite(lo) && Number.isFinite(hi)
}

export function middle({ lo, hi }: Interval): number {
  return (lo + hi) / 2
}

/** What most of some intervals have in common, and which of them do not have it. */
interface Agreement {
  /** Undefined when no more than half of them share a point. */
  readonly common: Interval | undefined
  /** Places of the intervals that stand apart; all of them when there is no majority. */
  readonly apart: readonly number[]
}

/** The majority among intervals that should all hold one value. */
export function agreement(intervals: readonly Interval[]): Agreement {
  const starts = Float64Array.from(intervals, ({ lo }) => lo).sort()
  const ends = Float64Array.from(intervals, ({ hi }) => hi).sort()
  let best: { count: number; at: number } = { count: 0, at: 0 }
  let over = 0
  starts.forEach((at, i) => {
    while ((ends[over] as number) < at) over++
    if (starts[i + 1] !== at && i + 1 - over > best.count) best = { count: i + 1 - over, at }
  })
  const holds = ({ lo, hi }: Interval): boolean => lo <= best.at && best.at <= hi
  if (best.count * 2 <= intervals.length) return { common: undefined, apart: intervals.map((_, i) => i) }
  const common = intervals
    .filter(holds)
    .reduce((a, b) => ({ lo: Math.max(a.lo, b.lo), hi: Math.min(a.hi, b.hi) }), everything)
  return { common, apart: intervals.flatMap((one, i) => (holds(one) ? [] : [i])) }
}
