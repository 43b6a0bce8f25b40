import { divide, type Interval, intersect, multiply, subtract } from '../exact/interval.js'
import { groupItems } from '../group.js'
import type { Based } from './bases.js'
import { blamed, type Conflict } from './blame.js'
import type { Note } from './inside.js'
import type { BegunAnew } from './restarts.js'
import type { Candidate } from './row.js'

/** Growth of the benchmark over one day, by the number of the day; what it may be where nobody knows. */
export type DayIndex = (one: Candidate, day: number) => Interval

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
export function findExtreme(
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
      if (guilty.has(one)) note(one.row, { verdict: 'suspect', rule: 'extreme', why })
    }
  }
}
