import { checkFields } from '../../../contract/check-fields.js'
import { checkParams, givenIn, type Query } from '../../../contract/check-params.js'
import type { CacheRule, Dataset } from '../../../contract/dataset.js'
import { dateOf, dayNumber } from '../../../contract/date.js'
import { askedDays, type PlainDays } from '../../../contract/day-list.js'
import { parseCode } from '../../../contract/symbol.js'
import { matchedCodes, paramWithRole, type QueryDays, queryDays } from '../../source/plan/asked.js'
import { queryOnDay } from '../../source/plan/query-plan.js'
import type { QueryOptions } from '../../source/source.js'
import type { Coverage } from './coverage.js'
import { type DayRanges, daysWithout, endOfDays, includes, intersection, rangesOfDays, union } from './day-ranges.js'

/** A query of which days may be cached. */
export interface CacheQuery {
  readonly dataset: Dataset
  readonly rule: CacheRule
  /** As the caller gave them. */
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Query
  readonly fields: readonly string[]
  readonly scope: string
  /** Codes, no two of which have a row in common; undefined for all. */
  readonly codes: readonly string[] | undefined
  /** It asks for some rows of each day only: whole days answer it, and its answer is not stored. */
  readonly isFiltered: boolean
  /** The days of an operation that answers one day a call; undefined where params tell the days. */
  readonly listed: readonly string[] | undefined
  /** Params tell a first and a last day, so that a request takes one range. */
  readonly isRange: boolean
  /** The dates of the query; an open range goes on to the end of days. */
  readonly dates: DayRanges
}

/** Codes of a query (all codes where undefined), and some of its dates. */
export interface CodeGroup {
  readonly codes: readonly string[] | undefined
  readonly dates: DayRanges
}

/** A query as what the cache answers and what the service has to. */
export interface CacheSplit {
  readonly cached: readonly CodeGroup[]
  readonly missing: readonly CodeGroup[]
}

/** `000001` beside `000001.SH`: which of them a row answers can not be told. */
function isAnyCodeTwice(codes: readonly string[]): boolean {
  return new Set(codes.map((code) => parseCode(code).bare)).size < codes.length
}

/** The dates of a query whose params have no role. */
function rangeOf([from, to]: readonly [string, string], query: Query): QueryDays {
  return { from: query[from] as string | undefined, to: query[to] as string | undefined, isLatest: false }
}

/**
 * A query as the cache sees it; undefined when nothing of it may be cached, and the service is to be asked as ever.
 * @throws ParamsError as the service's own source does
 */
export function cacheQuery(dataset: Dataset, params: unknown, options: QueryOptions): CacheQuery | undefined {
  const rule: CacheRule | undefined = dataset.cache
  if (!rule || options.whole !== true || options.allowTruncated === true) return undefined
  const query = checkParams(dataset, params)
  const listed = options.days === undefined ? undefined : askedDays(dataset, query, options.days)
  const fields = checkFields(dataset, options.fields, queryOnDay(dataset, query, listed?.[0]))
  const { day, from, to } = rule.range ? rangeOf(rule.range, query) : queryDays(dataset, query, {})
  const single = listed ?? (day === undefined ? undefined : [day])
  const codes = matchedCodes(dataset, query)
  if ((!single && from === undefined) || (rule.buckets && !codes && !listed) || (codes && isAnyCodeTwice(codes)))
    return undefined
  if (rule.never?.some((name) => query[name] !== undefined && givenIn(params).has(name))) return undefined
  if (Object.entries(rule.only ?? {}).some(([name, value]) => query[name] !== value)) return undefined
  return {
    dataset,
    rule,
    params: (params ?? {}) as Readonly<Record<string, unknown>>,
    query,
    fields,
    scope: rule.scope === undefined ? '' : String(query[rule.scope]),
    codes,
    isFiltered: rule.filters?.some((name) => query[name] !== undefined) ?? false,
    listed,
    isRange: !single,
    dates: single ? rangesOfDays(single) : [[from as string, to ?? endOfDays]],
  }
}

/** The last date whose rows can no longer change once a service has shown a latest day. */
export function lastSettled({ lag = 0 }: CacheRule, latest: string): string {
  return dateOf(dayNumber(latest) - 1 - lag)
}

/** The dates of a query before the latest day that is known: their rows can no longer change. */
export function settledDates({ rule, dates }: CacheQuery, latest: string | undefined): DayRanges {
  const from = rule.since ?? '00010101'
  if (latest === undefined || from > lastSettled(rule, latest)) return []
  return intersection(dates, [[from, lastSettled(rule, latest)]])
}

/** How a code is spelt: `510300` or `510300.SH`. */
export function spellingOf(code: string): 'bare' | 'full' {
  return parseCode(code).exchange === undefined ? 'bare' : 'full'
}

/** What the cache lacks: all codes together where the cache goes by whole days, and each code by itself elsewhere. */
function lackingDates(query: CacheQuery, { all, codes: covered }: Coverage, latest: string | undefined): CodeGroup[] {
  const { codes, dates, rule } = query
  const settled = settledDates(query, latest)
  const without = (known: DayRanges): DayRanges => daysWithout(dates, intersection(settled, known))
  const wholeDays = (list: readonly string[] = []): DayRanges =>
    list.every((code) => rule.spellings.includes(spellingOf(code))) ? all : []
  if (!codes || query.isFiltered) return [{ codes, dates: without(wholeDays(codes)) }]
  return codes.map((code) => ({ codes: [code], dates: without(union(covered.get(code) ?? [], wholeDays([code]))) }))
}

/** Groups with the same dates as one; those without dates are left out. */
function joinGroups(groups: readonly CodeGroup[]): CodeGroup[] {
  const joined = new Map<string, { codes: string[] | undefined; dates: DayRanges }>()
  for (const { codes, dates } of groups) {
    const same = joined.get(dates.join(' '))
    if (same) same.codes?.push(...(codes ?? []))
    else if (dates.length > 0) joined.set(dates.join(' '), { codes: codes && [...codes], dates })
  }
  return [...joined.values()]
}

/**
 * What the cache answers of a query, and what is left to ask: codes that lack the same dates together, and in a request of
 * one range these dates only; all that lacks anything in one, where that takes fewer requests.
 * @param requests how many requests a group takes
 */
export async function splitQuery(
  query: CacheQuery,
  coverage: Coverage,
  latest: string | undefined,
  requests: (group: CodeGroup) => Promise<number>,
): Promise<CacheSplit> {
  const { dates, isRange } = query
  const lacking = lackingDates(query, coverage, latest)
  const apart = joinGroups(
    lacking.flatMap((group) => (isRange ? group.dates.map((range) => ({ ...group, dates: [range] })) : [group])),
  )
  const all = apart.map((group) => group.dates).reduce(union, [])
  const [first, last] = [all[0]?.[0], all.at(-1)?.[1]]
  const span: DayRanges = isRange && first !== undefined && last !== undefined ? [[first, last]] : all
  const together = joinGroups(lacking.map((group) => ({ ...group, dates: group.dates.length > 0 ? span : [] })))
  const isApart = apart.length > 1 && (await sumOf(apart, requests)) <= (await sumOf(together, requests))
  const cached = lacking.map((group) => {
    const asked = isApart || group.dates.length === 0 ? group.dates : span
    return { ...group, dates: daysWithout(dates, asked) }
  })
  return { cached: joinGroups(cached), missing: isApart ? apart : together }
}

async function sumOf<T>(items: readonly T[], count: (item: T) => Promise<number>): Promise<number> {
  let sum = 0
  for (const item of items) sum += await count(item)
  return sum
}

/** The dates that the cache answers, of any code. */
export function cachedDates({ cached }: CacheSplit): DayRanges {
  return cached.reduce<DayRanges>((sum, { dates }) => union(sum, dates), [])
}

/** How a source is asked for a group: in the caller's own params, as far as the group is the same. */
export function requestFor(
  { dataset, params, codes, dates, listed, isRange }: CacheQuery,
  group: CodeGroup,
): { readonly params: Readonly<Record<string, unknown>>; readonly days?: PlainDays } {
  const narrower = codes?.length === group.codes?.length ? params : { ...params, symbols: group.codes }
  if (listed) return { params: narrower, days: listed.filter((day) => includes(group.dates, day)) }
  const [[from, to] = []] = group.dates
  if (!isRange || (from === dates[0]?.[0] && to === dates[0]?.[1])) return { params: narrower }
  const [start, end] = ['from', 'to'].map((role) => paramWithRole(dataset, role) as string) as [string, string]
  return { params: { ...narrower, [start]: from, ...(to === dates[0]?.[1] ? {} : { [end]: to }) } }
}
