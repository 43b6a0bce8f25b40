import { agreement, bounded, type Interval, intersect, middle } from '../exact/interval.js'
import { groupItems } from '../group-items.js'
import type { Candidate } from './candidates.js'
import type { Note } from './row-checks.js'

/** What some rows say of the logarithm of an index: its rise from one day to another. */
interface Rise {
  readonly from: number
  readonly to: number
  readonly rise: Interval
}

/** Days that a way may lead beyond the two that it joins, twice the longest interval there is. */
const margin = 64
/** The same for ways around one rise, of which there are many to look for. */
const narrowMargin = 12
/**
 * Bounds that are closer by no more than this are not looked for; last digits move a growth by a hundred times as much.
 */
const fine = 1e-8
/** More than the noise that a way's sum of doubles can have. */
const slack = 1e-11

/** The rise from a day to another; undefined where no way leads, or the rises contradict each other. */
type RiseBetween = (from: number, to: number) => Interval | undefined

interface Arc {
  readonly to: number
  readonly most: number
  readonly rise: Rise
}

/** Rises by the day at which they begin or, turned around, end. */
function arcsOf(rises: Iterable<Rise>): ReadonlyMap<number, readonly Arc[]> {
  const arcs = Array.from(rises).flatMap((rise) => [
    { from: rise.from, to: rise.to, most: rise.rise.hi, rise },
    { from: rise.to, to: rise.from, most: -rise.rise.lo, rise },
  ])
  return groupItems(arcs, ({ from }) => from)
}

type Greatest = (day: number) => number

/**
 * Greatest rise from a day to each day of a range, infinite where no way leads; undefined when the rises contradict
 * each other.
 */
function greatestRises(
  arcs: ReadonlyMap<number, readonly Arc[]>,
  from: number,
  { lo, hi }: Interval,
  without?: Rise,
): Greatest | undefined {
  const greatest = new Float64Array(hi - lo + 1).fill(Number.POSITIVE_INFINITY)
  greatest[from - lo] = 0
  let days = new Set([from])
  for (let round = 0; days.size > 0; round++) {
    if (round > hi - lo + 1) return undefined
    const next = new Set<number>()
    for (const day of days) {
      days.delete(day)
      const here = greatest[day - lo] as number
      for (const { to, most, rise } of arcs.get(day) ?? []) {
        if (to < lo || to > hi || rise === without) continue
        const there = here + most
        if (there >= (greatest[to - lo] as number) - fine) continue
        greatest[to - lo] = there
        if (!days.has(to)) next.add(to)
      }
    }
    days = next
  }
  return (day) => (day < lo || day > hi ? Number.POSITIVE_INFINITY : (greatest[day - lo] as number))
}

function between(least: number | undefined, most: number | undefined): Interval | undefined {
  if (least === undefined || most === undefined || !Number.isFinite(least) || !Number.isFinite(most)) return undefined
  const [lo, hi] = [-least - slack, most + slack]
  return lo <= hi ? { lo, hi } : undefined
}

/**
 * Levels of an index that nobody published, by the rises that rows imply. Every rise bounds the difference of two days;
 * the closest bounds of any two follow along the shortest ways between them.
 */
function levelsOf(rises: Iterable<Rise>): RiseBetween {
  const arcs = arcsOf(rises)
  const known = new Map<number, Greatest | undefined>()
  const from = (day: number): Greatest | undefined => {
    if (!known.has(day)) known.set(day, greatestRises(arcs, day, { lo: day - margin, hi: day + margin }))
    return known.get(day)
  }
  return (day, other) => between(from(other)?.(day), from(day)?.(other))
}

/** For each rise, what all others say of it. */
function withoutEach(rises: readonly Rise[]): (one: Rise) => Interval | undefined {
  const arcs = arcsOf(rises)
  return (one) => {
    const range = { lo: Math.min(one.from, one.to) - narrowMargin, hi: Math.max(one.from, one.to) + narrowMargin }
    const there = greatestRises(arcs, one.from, range, one)?.(one.to)
    if (there === undefined || !Number.isFinite(there)) return undefined
    return between(greatestRises(arcs, one.to, range, one)?.(one.from), there)
  }
}

/** Rows of one board whose intervals begin and end on the same days, and the growth that most of them imply. */
export interface Peers {
  readonly common: Interval | undefined
  readonly rows: readonly Candidate[]
}

/** A row as a rise of the index, with the growth that its numbers imply. */
interface RowRise extends Rise {
  readonly one: Candidate
  readonly growth: Interval
}

/** Rows of one board that begin and end together and agree, as one rise of the index. */
interface GroupRise extends Rise {
  readonly members: readonly RowRise[]
  /** Whether the rows are of several stocks. */
  readonly supported: boolean
}

function risesOf(rows: Iterable<readonly [Candidate, Interval]>): RowRise[] {
  const widen = 1e-15
  return Array.from(rows).flatMap(([one, growth]) => {
    if (!bounded(growth) || growth.lo <= 0 || !Number.isInteger(one.base)) return []
    const rise = { lo: Math.log(growth.lo) - widen, hi: Math.log(growth.hi) + widen }
    return [{ one, growth, from: one.base, to: one.last, rise }]
  })
}

/** A row that the others contradict, and what they say. */
interface Contradicted {
  readonly member: RowRise
  readonly others: Interval | undefined
}

const disagree = (others: Interval | undefined, { rise }: Rise): boolean =>
  others !== undefined && !intersect(others, rise)

/** Of single groups that contradict each other, those without which the rest agrees; all of them if there is no such. */
function oddGroups(groups: readonly GroupRise[], rises: readonly GroupRise[]): readonly GroupRise[] {
  if (groups.length < 2 || groups.length > 8) return groups
  const odd = groups.filter((one) => {
    const bounds = withoutEach(rises.filter((rise) => rise !== one))
    return groups.every((other) => other === one || !disagree(bounds(other), other))
  })
  return odd.length > 0 ? odd : groups
}

/** Rows that the rest of a board contradicts, the levels that stocks agree on, and the levels of all. */
function compareRises(sameDays: Iterable<readonly RowRise[]>) {
  const groups: GroupRise[] = []
  const apart: RowRise[] = []
  for (const own of sameDays) {
    const { common, apart: places } = agreement(own.map(({ rise }) => rise))
    const others = new Set(places)
    const members = own.filter((_, i) => !others.has(i))
    apart.push(...own.filter((_, i) => others.has(i)))
    const [first] = members
    if (!common || !first) continue
    const supported = members.some(({ one }) => one.symbol !== first.one.symbol)
    groups.push({ from: first.from, to: first.to, rise: common, members, supported })
  }
  const supported = groups.filter((group) => group.supported)
  const agreed = levelsOf(supported)
  const contradicted: Contradicted[] = []
  const contradict = (members: readonly RowRise[], others: Interval | undefined): void => {
    for (const member of members) contradicted.push({ member, others })
  }
  const single = groups.filter((group) => !group.supported)
  const said = new Map(single.map((group) => [group, agreed(group.from, group.to)]))
  for (const group of single) if (disagree(said.get(group), group)) contradict(group.members, said.get(group))
  const fit = [...supported, ...single.filter((group) => !disagree(said.get(group), group))]
  const bounds = withoutEach(fit)
  const around = new Map(single.filter((group) => !said.get(group)).map((group) => [group, bounds(group)]))
  const clashing = [...around].flatMap(([group, others]) => (disagree(others, group) ? [group] : []))
  const odd = new Set(oddGroups(clashing, fit))
  for (const group of odd) contradict(group.members, around.get(group))
  const all = levelsOf(fit.filter((group) => !odd.has(group)))
  for (const member of apart) {
    const others = all(member.from, member.to)
    if (!others || disagree(others, member)) contradict([member], others)
  }
  return { contradicted, agreed, all }
}

const longest = 40

/** Closer than any two days of an index are likely to be. */
const close = 1e-4

/** Days on which each stock traded: those of its rows, and of intervals on which it agrees with other stocks. */
function tradedDays(rises: readonly RowRise[], agreed: RiseBetween): Map<string, Set<number>> {
  const days = new Map<string, Set<number>>()
  for (const { one, from, to, rise } of rises) {
    const own = days.get(one.symbol) ?? new Set<number>()
    days.set(one.symbol, own.add(to))
    const said = rise.hi - rise.lo < close ? agreed(from, to) : undefined
    if (!said || !intersect(said, rise)) continue
    for (let day = from + 1; day <= to; day++) own.add(day)
  }
  return days
}

/**
 * Whether a row's interval can have begun earlier, with days without trade in it: it agrees with its board then, or,
 * where the board says nothing of days so early, other rows of the stock disagree as well. A wrong number is alone.
 */
function paused(
  { from, to, rise }: RowRise,
  traded: ReadonlySet<number>,
  all: RiseBetween,
  hasOthers: boolean,
): boolean {
  let free = 0
  for (let day = from + 1; day <= to; day++) if (!traded.has(day)) free++
  for (let days = 1; days <= longest; days++) {
    if (!traded.has(from - days + 1)) free++
    if (days > free) continue
    const said = all(from - days, to)
    if (said ? intersect(said, rise) : hasOthers) return true
  }
  return false
}

const percent = (rise: Interval): string => `${((Math.exp(middle(rise)) - 1) * 100).toFixed(3)}%`

/** Notes rows that their board contradicts, but those of stocks that can have been suspended. */
function noteContradicted(
  contradicted: readonly Contradicted[],
  traded: ReadonlyMap<string, ReadonlySet<number>>,
  all: RiseBetween,
  note: Note,
): void {
  const bySymbol = groupItems(contradicted, ({ member }) => member.one.symbol)
  for (const { member, others } of contradicted) {
    const { one, to, rise } = member
    const hasOthers = (bySymbol.get(one.symbol) ?? []).some(
      ({ member: other }) => other.to !== to && Math.abs(other.to - to) <= longest,
    )
    if (paused(member, traded.get(one.symbol) ?? new Set(), all, hasOthers)) continue
    const said = others ? `the board's other rows ${percent(others)}` : "the board's rows differ"
    const why = `implies an index return of ${percent(rise)}, ${said}: a wrong number, or days without trade`
    note([one], 'warn', 'index', why)
  }
}

interface Boards {
  readonly peers: ReadonlyMap<Candidate, Peers>
  /** Growth of the board's index over one day where several stocks agree on it. */
  readonly dayIndex: (one: Candidate, day: number) => Interval | undefined
}

/**
 * The benchmark is one path for all stocks of a board, so what rows say of it must fit together: rows that begin and
 * end on the same days imply one growth, and growths over other days add up. `index`: a row that the others contradict.
 * It is suspect only, as `elapsed_days` counts the days of the stock; one that was suspended began earlier. A row that
 * agrees with a longer interval, and whose stock can have been suspended for that long, is let pass.
 * @param growth of the benchmark since the interval began, as each row implies it
 */
export function checkBoards(growth: ReadonlyMap<Candidate, Interval>, note: Note): Boards {
  const peers = new Map<Candidate, Peers>()
  const levels = new Map<string, RiseBetween>()
  for (const [board, own] of groupItems(growth, ([one]) => one.board)) {
    if (board === undefined) continue
    const rises = risesOf(own)
    const sameDays = [...groupItems(rises, ({ from, to }) => from * 65_536 + to).values()]
    const { contradicted, agreed, all } = compareRises(sameDays)
    levels.set(board, agreed)
    noteContradicted(contradicted, tradedDays(rises, agreed), all, note)
    for (const group of sameDays) {
      const { common } = agreement(group.map(({ growth }) => growth))
      const ofDays = { common, rows: group.map(({ one }) => one) }
      for (const { one } of group) peers.set(one, ofDays)
    }
  }
  const dayIndex = (one: Candidate, day: number): Interval | undefined => {
    const rise = levels.get(one.board ?? '')?.(day - 1, day)
    return rise && { lo: Math.exp(rise.lo) - 1e-12, hi: Math.exp(rise.hi) + 1e-12 }
  }
  return { peers, dayIndex }
}
