import type { Interval } from '../exact/interval.js'

/** What some rows say of the logarithm of an index: its rise from one day to another. */
export interface Rise {
  readonly from: number
  readonly to: number
  readonly rise: Interval
}

/** Days that a way may lead beyond the two that it joins; the longest interval there is. */
const margin = 32
/** The same for ways around one rise, of which there are many to look for. */
const near = 12
/**
 * Bounds that are closer by no more than this are not looked for; last digits move a growth by a hundred times as much.
 */
const fine = 1e-8
/** More than the noise that a way's sum of doubles can have. */
const slack = 1e-11

/**
 * Levels of an index that nobody published, held together by rises that rows imply. Every rise bounds the difference of
 * two days; the closest bounds of any two follow along the shortest ways between them.
 */
export interface Levels {
  /**
   * The rise from a day to another, as all rises together bound it; undefined where no way leads, or they contradict
   * each other.
   */
  readonly between: (from: number, to: number) => Interval | undefined
}

interface Arc {
  readonly to: number
  readonly most: number
  readonly of: Rise
}

function arcsOf(rises: Iterable<Rise>): Map<number, Arc[]> {
  const arcs = new Map<number, Arc[]>()
  const add = (from: number, arc: Arc): void => {
    const own = arcs.get(from)
    if (own) own.push(arc)
    else arcs.set(from, [arc])
  }
  for (const of of rises) {
    add(of.from, { to: of.to, most: of.rise.hi, of })
    add(of.to, { to: of.from, most: -of.rise.lo, of })
  }
  return arcs
}

/**
 * Greatest rise from a day to each day of a range, infinite where no way leads; undefined when the rises contradict
 * each other.
 */
function farthest(
  arcs: ReadonlyMap<number, readonly Arc[]>,
  from: number,
  { lo, hi }: Interval,
  without: Rise | undefined,
): ((day: number) => number) | undefined {
  const found = new Float64Array(hi - lo + 1).fill(Number.POSITIVE_INFINITY)
  const waiting = new Uint8Array(hi - lo + 1)
  found[from - lo] = 0
  let turn = [from]
  for (let round = 0; turn.length > 0; round++) {
    if (round > hi - lo + 1) return undefined
    const next: number[] = []
    for (const day of turn) {
      waiting[day - lo] = 0
      const here = found[day - lo] as number
      for (const { to, most, of } of arcs.get(day) ?? []) {
        if (to < lo || to > hi || of === without) continue
        const there = here + most
        if (there >= (found[to - lo] as number) - fine) continue
        found[to - lo] = there
        if (waiting[to - lo] === 1) continue
        waiting[to - lo] = 1
        next.push(to)
      }
    }
    turn = next
  }
  return (day) => (day < lo || day > hi ? Number.POSITIVE_INFINITY : (found[day - lo] as number))
}

function interval(least: number | undefined, most: number | undefined): Interval | undefined {
  if (least === undefined || most === undefined || !Number.isFinite(least) || !Number.isFinite(most)) return undefined
  const [lo, hi] = [-least - slack, most + slack]
  return lo <= hi ? { lo, hi } : undefined
}

/** Levels by the rises given. */
export function levelsOf(rises: Iterable<Rise>): Levels {
  const arcs = arcsOf(rises)
  const known = new Map<number, ((day: number) => number) | undefined>()
  const from = (day: number): ((day: number) => number) | undefined => {
    if (!known.has(day)) {
      known.set(day, farthest(arcs, day, { lo: day - 2 * margin, hi: day + 2 * margin }, undefined))
    }
    return known.get(day)
  }
  return { between: (day, other) => interval(from(other)?.(day), from(day)?.(other)) }
}

/** For each rise, what all others say of it. */
export function withoutEach(rises: readonly Rise[]): (one: Rise) => Interval | undefined {
  const arcs = arcsOf(rises)
  return (one) => {
    const range = { lo: Math.min(one.from, one.to) - near, hi: Math.max(one.from, one.to) + near }
    const there = farthest(arcs, one.from, range, one)?.(one.to)
    return there === undefined || !Number.isFinite(there)
      ? undefined
      : interval(farthest(arcs, one.to, range, one)?.(one.from), there)
  }
}
