import type { Coverage } from './coverage.js'
import {
  type DayRange,
  type DayRanges,
  dayAfter,
  dayBefore,
  difference,
  endOfDays,
  includes,
  intersection,
  union,
} from './day-ranges.js'
import { spellingOf } from './rule.js'
import { datesOf, settled, type Wish } from './wish.js'

/** Codes of a query of which the same days are asked and kept. */
export interface Lot {
  /** Undefined: all codes there are. */
  readonly codes: readonly string[] | undefined
  /** Days that the cache answers. */
  readonly served: DayRanges
}

/** Codes and dates to ask the service for. */
export interface Need {
  readonly codes: readonly string[] | undefined
  readonly days: DayRanges
}

/** A query as what the cache answers and what the service has to. */
export interface Split {
  readonly lots: readonly Lot[]
  readonly needs: readonly Need[]
}

/** The dates of which every row of a code is kept; days kept whole answer for codes in a spelling that is sure. */
function coveredOf({ rule }: Wish, { all, codes }: Coverage, code: string): DayRanges {
  const own = codes.get(code) ?? []
  return rule.spellings.includes(spellingOf(code)) ? union(own, all) : own
}

/** Codes by the dates that are kept of them. */
function lotsOf(wish: Wish, coverage: Coverage, dates: DayRanges): Lot[] {
  const { codes, isFiltered, rule } = wish
  if (!codes || isFiltered) {
    const isSure = codes?.every((code) => rule.spellings.includes(spellingOf(code))) ?? true
    return [{ codes, served: isSure ? intersection(dates, coverage.all) : [] }]
  }
  const lots = new Map<string, { codes: string[]; served: DayRanges }>()
  for (const code of codes) {
    const served = intersection(dates, coveredOf(wish, coverage, code))
    const name = served.join(' ')
    const lot = lots.get(name)
    if (lot) lot.codes.push(code)
    else lots.set(name, { codes: [code], served })
  }
  return [...lots.values()]
}

function codesOf(lots: readonly Lot[]): readonly string[] | undefined {
  return lots.some(({ codes }) => codes === undefined) ? undefined : lots.flatMap(({ codes }) => codes ?? []).sort()
}

/** The dates that are asked for, cut wherever a lot begins or ends to be served. */
function pieces(dates: DayRanges, lots: readonly Lot[]): DayRange[] {
  const cuts = new Set(lots.flatMap(({ served }) => served.flatMap(([from, to]) => [from, dayAfter(to)])))
  const sorted = [...cuts].sort()
  return dates.flatMap(([from, to]) => {
    const starts = [from, ...sorted.filter((day) => day > from && day <= to)]
    return starts.map((start, i): DayRange => [start, i + 1 < starts.length ? dayBefore(starts[i + 1] as string) : to])
  })
}

/** What is not served, by the codes that the same dates lack. */
function lacking(dates: DayRanges, lots: readonly Lot[]): Need[] {
  const needs = new Map<string, { codes: readonly string[] | undefined; days: DayRanges }>()
  for (const piece of pieces(dates, lots)) {
    const places = [...lots.keys()].filter((i) => !includes((lots[i] as Lot).served, piece[0]))
    if (places.length === 0) continue
    const name = places.join(' ')
    const need = needs.get(name) ?? { codes: codesOf(places.map((i) => lots[i] as Lot)), days: [] }
    needs.set(name, { ...need, days: union(need.days, [piece]) })
  }
  return [...needs.values()]
}

/** A call takes one range: dates that lie apart are asked for apart. */
function asCalls({ days }: Wish, needs: readonly Need[]): readonly Need[] {
  if (days.way !== 'range') return needs
  return needs.flatMap((need) => need.days.map((span) => ({ ...need, days: [span] })))
}

/** One need that holds all of them. */
function hull({ days: { way } }: Wish, needs: readonly Need[]): Need {
  const lists = needs.map(({ codes }) => codes)
  const codes = lists.includes(undefined) ? undefined : [...new Set(lists.flatMap((list) => list ?? []))].sort()
  const days = needs.reduce<DayRanges>((sum, need) => union(sum, need.days), [])
  const [first, last] = [days[0], days.at(-1)]
  if (way !== 'range' || !first || !last) return { codes, days }
  return { codes, days: [[first[0], last[1]]] }
}

function without(lot: Lot, { codes, days }: Need): Lot {
  const [code] = lot.codes ?? []
  const isAsked = codes === undefined || (code !== undefined && codes.includes(code))
  return isAsked ? { ...lot, served: difference(lot.served, days) } : lot
}

/**
 * What the cache answers of a query, and what is left to ask, in the fewest requests: rather more rows than more requests.
 * @param requests how many requests a need takes
 */
export function split(
  wish: Wish,
  coverage: Coverage,
  latest: string | undefined,
  requests: (need: Need) => Promise<number>,
): Promise<Split> {
  const dates = datesOf(wish)
  const lots = lotsOf(wish, coverage, intersection(dates, settled(wish, latest)))
  const needs = asCalls(wish, lacking(dates, lots))
  return cheapest(wish, lots, needs, requests)
}

async function cheapest(
  wish: Wish,
  lots: readonly Lot[],
  needs: readonly Need[],
  requests: (need: Need) => Promise<number>,
): Promise<Split> {
  if (needs.length < 2) return { lots, needs }
  const whole: Need = { codes: wish.codes, days: datesOf(wish) }
  let best = { needs, cost: await total(needs, requests) }
  for (const one of [hull(wish, needs), whole]) {
    const cost = await requests(one)
    if (cost < best.cost) best = { needs: [one], cost }
  }
  const left = best.needs === needs ? lots : lots.map((lot) => best.needs.reduce(without, lot))
  return { lots: left, needs: best.needs }
}

async function total(needs: readonly Need[], requests: (need: Need) => Promise<number>): Promise<number> {
  let sum = 0
  for (const need of needs) sum += await requests(need)
  return sum
}

/** Whether a need reaches to the end of an open range. */
export function isOpen({ days }: Wish, need: Need): boolean {
  return days.way === 'range' && days.to === undefined && need.days.at(-1)?.[1] === endOfDays
}
