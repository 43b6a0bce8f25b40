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
interface Levels {
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
function levelsOf(rises: Iterable<Rise>): Levels {
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
function withoutEach(rises: readonly Rise[]): (one: Rise) => Interval | undefined {
  const arcs = arcsOf(rises)
  return (one) => {
    const range = { lo: Math.min(one.from, one.to) - near, hi: Math.max(one.from, one.to) + near }
    const there = farthest(arcs, one.from, range, one)?.(one.to)
    return there === undefined || !Number.isFinite(there)
      ? undefined
      : interval(farthest(arcs, one.to, range, one)?.(one.from), there)
  }
}

/** A row and the growth of its benchmark that its numbers imply. */
export interface Implied {
  readonly one: Candidate
  readonly growth: Interval
}

/** Rows of one board whose intervals begin and end on the same days, and the growth that most of them imply. */
export interface Peers {
  readonly common: Interval | undefined
  readonly rows: readonly Candidate[]
}

interface Member extends Rise {
  readonly one: Candidate
  readonly growth: Interval
}

/** Rows of one board that begin and end together, as one rise of the index. */
interface Group extends Rise {
  readonly members: readonly Member[]
  readonly stocks: number
}

function logarithm({ lo, hi }: Interval): Interval {
  const widen = 1e-15
  return { lo: Math.log(lo) - widen, hi: Math.log(hi) + widen }
}

function membersOf(rows: readonly Implied[]): Member[] {
  return rows.flatMap(({ one, growth }) => {
    if (!bounded(growth) || growth.lo <= 0 || !Number.isInteger(one.base)) return []
    return [{ one, growth, from: one.base, to: one.last, rise: logarithm(growth) }]
  })
}

function groupsOf(members: readonly Member[]): { groups: Group[]; apart: Member[] } {
  const groups: Group[] = []
  const apart: Member[] = []
  for (const own of groupItems(members, ({ from, to }) => from * 65_536 + to).values()) {
    const { common, apart: others } = agreement(own.map(({ rise }) => rise))
    const out = new Set(others)
    apart.push(...own.filter((_, i) => out.has(i)))
    const held = own.filter((_, i) => !out.has(i))
    const [first] = held
    if (!common || !first) continue
    const stocks = new Set(held.map(({ one }) => one.symbol)).size
    groups.push({ from: first.from, to: first.to, rise: common, members: held, stocks })
  }
  return { groups, apart }
}

/** A row that the others contradict, and what they say. */
interface Against {
  readonly member: Member
  readonly others: Interval | undefined
}

/** Of single rows that contradict each other, those without which the rest agrees; all of them if there is no such. */
function odd(groups: readonly Group[], rises: readonly Group[]): readonly Group[] {
  if (groups.length < 2 || groups.length > 8) return groups
  const alone = groups.filter((one) => {
    const others = rises.filter((rise) => rise !== one)
    const bounds = withoutEach(others)
    return groups.every((other) => {
      const said = other === one ? undefined : bounds(other)
      return !said || intersect(said, other.rise)
    })
  })
  return alone.length > 0 ? alone : groups
}

/** Rows that the rest of a board contradicts, the levels that stocks agree on, and the levels of all. */
function contradicted(members: readonly Member[]): { against: Against[]; agreed: Levels; all: Levels } {
  const { groups, apart } = groupsOf(members)
  const supported = groups.filter(({ stocks }) => stocks > 1)
  const agreed = levelsOf(supported)
  const against: Against[] = []
  const open: Group[] = []
  const fit: Group[] = [...supported]
  for (const group of groups) {
    if (group.stocks > 1) continue
    const said = agreed.between(group.from, group.to)
    if (said && !intersect(said, group.rise)) {
      against.push(...group.members.map((member) => ({ member, others: said })))
      continue
    }
    fit.push(group)
    if (!said) open.push(group)
  }
  const bounds = withoutEach(fit)
  const said = new Map(open.map((group) => [group, bounds(group)]))
  const clashing = open.filter((group) => {
    const others = said.get(group)
    return others !== undefined && !intersect(others, group.rise)
  })
  const guilty = new Set(odd(clashing, fit))
  for (const group of guilty) against.push(...group.members.map((member) => ({ member, others: said.get(group) })))
  const all = levelsOf(fit.filter((group) => !guilty.has(group)))
  for (const member of apart) {
    const others = all.between(member.from, member.to)
    if (!others || !intersect(others, member.rise)) against.push({ member, others })
  }
  return { against, agreed, all }
}

const longest = 40

/** Closer than any two days of an index are likely to be. */
const close = 1e-4

/** Days on which each stock traded: those of its rows, and of intervals on which it agrees with other stocks. */
function tradedDays(members: readonly Member[], agreed: Levels): Map<string, Set<number>> {
  const days = new Map<string, Set<number>>()
  for (const member of members) {
    const own = days.get(member.one.symbol) ?? new Set<number>()
    days.set(member.one.symbol, own)
    own.add(member.to)
    const said = member.rise.hi - member.rise.lo < close ? agreed.between(member.from, member.to) : undefined
    if (!said || !intersect(said, member.rise)) continue
    for (let day = member.from + 1; day <= member.to; day++) own.add(day)
  }
  return days
}

/**
 * Whether a row's interval can have begun earlier, with days without trade in it: it agrees with its board then, or,
 * where the board says nothing of days so early, other rows of the stock disagree as well. A wrong number is alone.
 */
function paused({ from, to, rise }: Member, traded: ReadonlySet<number>, all: Levels, company: boolean): boolean {
  let free = 0
  for (let day = from + 1; day <= to; day++) if (!traded.has(day)) free++
  for (let days = 1; days <= longest; days++) {
    if (!traded.has(from - days + 1)) free++
    if (days > free) continue
    const said = all.between(from - days, to)
    if (said ? intersect(said, rise) : company) return true
  }
  return false
}

/** Whether other rows of a row's stock, of days about it, are contradicted as well. */
function inCompany(against: readonly Against[]): (one: Member) => boolean {
  const days = new Map<string, number[]>()
  for (const [symbol, own] of groupItems(against, ({ member }) => member.one.symbol)) {
    days.set(symbol, [...new Set(own.map(({ member }) => member.to))])
  }
  return ({ one, to }) => (days.get(one.symbol) ?? []).some((day) => day !== to && Math.abs(day - to) <= longest)
}

const percent = (rise: Interval): string => `${((Math.exp(middle(rise)) - 1) * 100).toFixed(3)}%`

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
 */
export function findBoards(rows: readonly Implied[], note: Note): Boards {
  const peers = new Map<Candidate, Peers>()
  const levels = new Map<string, Levels>()
  for (const [board, own] of groupItems(rows, ({ one }) => one.board)) {
    if (board === undefined) continue
    const members = membersOf(own)
    const { against, agreed, all } = contradicted(members)
    levels.set(board, agreed)
    const traded = tradedDays(members, agreed)
    const company = inCompany(against)
    for (const { member, others } of against) {
      if (paused(member, traded.get(member.one.symbol) ?? new Set(), all, company(member))) continue
      const said = others ? `the board's other rows ${percent(others)}` : "the board's rows differ"
      const why = `implies an index return of ${percent(member.rise)}, ${said}: a wrong number, or days without trade`
      note(member.one.row, { verdict: 'warn', rule: 'index', why })
    }
    for (const group of groupItems(members, ({ from, to }) => from * 65_536 + to).values()) {
      const { common } = agreement(group.map(({ growth }) => growth))
      const made = { common, rows: group.map(({ one }) => one) }
      for (const { one } of group) peers.set(one, made)
    }
  }
  const dayIndex = (one: Candidate, day: number): Interval | undefined => {
    const rise = levels.get(one.board ?? '')?.between(day - 1, day)
    return rise && { lo: Math.exp(rise.lo) - 1e-12, hi: Math.exp(rise.hi) + 1e-12 }
  }
  return { peers, dayIndex }
}
