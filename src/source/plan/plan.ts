import { newsSources } from '../../contract/catalogue/news.js'
import type { Query } from '../../contract/check-params.js'
import type { Dataset } from '../../contract/dataset.js'
import { dayParam, daysBetween } from '../../contract/days.js'
import { bucketCloses } from '../../contract/session.js'
import type { Box, Interval } from './box.js'
import { codeGroups, distinctCodes, intervals, sides } from './cut.js'
import { paramOf } from './dated.js'

/** How a dataset is asked for so that its answer can be shown to be whole. */
export interface Plan {
  /**
   * `once`: as it was asked, in one request. `boxes`: one request for each box, and two for the halves of one whose reply
   * is suspect. `pages`: page by page to the end.
   */
  readonly way: 'once' | 'boxes' | 'pages'
  /** What each request covers, in the order of the answer; disjoint, and together all that was asked for. */
  readonly boxes: readonly Box[]
  /** A reply with so many rows may have been cut. */
  readonly cap?: number
  /** `limit` of each request. */
  readonly limit?: number
}

/** Requests that are sent at most, beside those of a plan, to show that nothing is missing, as long as nothing is. */
export function mostProbes({ way, boxes }: Plan): number {
  return way === 'boxes' ? 8 + boxes.length : 0
}

/** What a plan is made from beside the params. */
export interface Wish {
  /** Params that the caller gave; the rest are defaults. */
  readonly asked: ReadonlySet<string>
  /** Every row that matches. */
  readonly whole: boolean
  /** Days to run an operation of one day a call over. */
  readonly days?: readonly string[] | undefined
  /** Where data is expected to end, `YYYYMMDD`. It guides the cutting of a range without an end and loses nothing when it is wrong. */
  readonly today: string
}

/** The range of dates of a query with a start; undefined for a single day, for none, and where both ends may be open. */
function rangeOf(dataset: Dataset, query: Query, today: string): Interval | undefined {
  const [from, to] = ['from', 'to'].map((role) => query[paramOf(dataset, role) ?? ''])
  if (dataset.openRange || typeof from !== 'string') return undefined
  if (typeof to === 'string') return { from, to }
  return { from, to: today > from ? today : from, open: true }
}

/** The codes that a query matches rows with, once each; undefined for all. */
export function codesOf(dataset: Dataset, query: Query): readonly string[] | undefined {
  const { symbols } = query
  return dataset.params.symbols?.role === 'match' && Array.isArray(symbols) ? distinctCodes(symbols) : undefined
}

/** Bars of one code on one day; one row where there are no bars. */
export function barsOf(query: Query): number {
  return query.trademin === undefined ? (bucketsOf(query)?.length ?? 1) : 1
}

function bucketsOf({ period }: Query): readonly string[] | undefined {
  return period === '15m' || period === '30m' ? bucketCloses[period] : undefined
}

function withDays(boxes: readonly Box[], days: readonly string[] | undefined): Box[] {
  return days ? days.flatMap((day) => boxes.map((box) => ({ ...box, day }))) : [...boxes]
}

/** How large requests may be, and what they are expected to bring. */
export interface Size {
  /** Rows that a reply may have. */
  readonly most: number
  /** Codes that a request may name. */
  readonly codes?: number
  /** Rows of one code on one day. */
  readonly bars: number
  /** Rows of a day of all codes. */
  readonly daily: number
}

/** The boxes that a box is cut into so that no reply is larger than it may be, as far as that can be said beforehand. */
export function boxesWithin(box: Box, { most, codes: mostCodes = Infinity, bars, daily }: Size): Box[] {
  const { symbols, days: range } = box
  const cells = Math.max(1, Math.floor(most / bars))
  if (!range)
    return symbols ? codeGroups(symbols, Math.min(cells, mostCodes)).map((part) => ({ ...box, symbols: part })) : [box]
  const days = Math.max(1, daysBetween(range.from, range.to).length)
  if (!symbols) return intervals(range, Math.max(1, Math.floor(most / daily))).map((part) => ({ ...box, days: part }))
  const side = sides(Math.min(symbols.length, mostCodes), days, cells)
  return intervals(range, side.days).flatMap((part) =>
    codeGroups(symbols, side.codes).map((list) => ({ ...box, days: part, symbols: list })),
  )
}

/** All that a query asks for, in one box for each of its days. */
function boxesOf(dataset: Dataset, query: Query, wish: Wish): Box[] {
  const range = rangeOf(dataset, query, wish.today)
  const symbols = codesOf(dataset, query)
  return withDays([{ ...(range ? { days: range } : {}), ...(symbols ? { symbols } : {}) }], wish.days)
}

function capped(dataset: Dataset, query: Query, wish: Wish, cap: number): Box[] {
  const boxes = boxesOf(dataset, query, wish)
  const buckets = bucketsOf(query)
  // Over several days nobody wants the latest bucket of each, which is what the operation answers without codes.
  if (wish.days && buckets && query.symbols === undefined && query.trademin === undefined) {
    return boxes.flatMap((box) => buckets.map((minute) => ({ ...box, minute })))
  }
  const size = { most: cap - 1, bars: barsOf(query), daily: expectedOf(dataset) }
  return boxes.flatMap((box) => boxesWithin(box, size))
}

/** Rows of a day of the whole market, as far as anybody can say beforehand. */
function expectedOf({ limit }: Dataset): number {
  return (limit.kind === 'cap' && limit.daily) || 1
}

/**
 * The plan of a query. Pure: the same query and the same `today` give the same plan.
 *
 * Row caps (section 8): as many codes and days a request as keep its reply below the cap, where the codes are known;
 * where they are not, as many days as the size of the market lets expect. Paged operations: the largest pages.
 */
export function planOf(dataset: Dataset, query: Query, wish: Wish): Plan {
  const { limit } = dataset
  if (dayParam(dataset) === undefined && wish.days) throw new TypeError(`${dataset.name} has no days to run over`)
  if (!wish.whole) {
    const own = limit.kind === 'page' || limit.kind === 'newest' ? { limit: Number(query.limit) } : {}
    return { way: 'once', boxes: withDays([{}], wish.days), ...(limit.kind === 'cap' ? { cap: limit.rows } : own) }
  }
  switch (limit.kind) {
    case 'cap':
      return { way: 'boxes', boxes: capped(dataset, query, wish, limit.rows), cap: limit.rows }
    case 'none':
      return { way: 'boxes', boxes: boxesOf(dataset, query, wish) }
    case 'page':
      if (wish.asked.has('limit')) return { way: 'once', boxes: [{}], limit: Number(query.limit) }
      return { way: 'pages', boxes: [{}], limit: limit.max }
    case 'newest': {
      if (wish.asked.has('limit')) return { way: 'once', boxes: [{}], limit: Number(query.limit) }
      const sources = Array.isArray(query.sources) ? (query.sources as readonly string[]) : newsSources
      return { way: 'boxes', boxes: [{ sources }], cap: limit.max, limit: limit.max }
    }
  }
}
