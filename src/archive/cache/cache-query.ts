import { checkFields } from '../../contract/check-fields.js'
import { checkParams, type Query } from '../../contract/check-params.js'
import type { CacheRule, Dataset } from '../../contract/dataset.js'
import { askedDays, type Days } from '../../contract/day-list.js'
import { parseCode } from '../../contract/symbol.js'
import { paramWithRole, queryDays } from '../../source/plan/query-days.js'
import { matchedCodes, queryOnDay } from '../../source/plan/query-plan.js'
import type { QueryOptions } from '../../source/source.js'
import type { Coverage } from './coverage.js'
import {
  type DayRanges,
  dayBefore,
  daysWithout,
  endOfDays,
  includes,
  intersection,
  rangesOfDays,
  union,
} from './day-ranges.js'

/** The days that a query asks for: one, as it was given; listed ones, a call each; or a range, whose end may be open. */
type QueryDays =
  | { readonly way: 'one'; readonly day: string }
  | { readonly way: 'list'; readonly days: readonly string[] }
  | { readonly way: 'range'; readonly from: string; readonly to: string | undefined }

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
  readonly days: QueryDays
  /** The dates asked for; an open range goes on to the end of days. */
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

function daysOfQuery(dataset: Dataset, query: Query, listed: readonly string[] | undefined): QueryDays | undefined {
  if (listed) return { way: 'list', days: listed }
  const { day, from, to } = queryDays(dataset, query, {})
  if (day !== undefined) return { way: 'one', day }
  return from === undefined ? undefined : { way: 'range', from, to }
}

function datesOf(days: QueryDays): DayRanges {
  if (days.way === 'one') return [[days.day, days.day]]
  if (days.way === 'list') return rangesOfDays(days.days)
  return [[days.from, days.to ?? endOfDays]]
}

/** `000001` beside `000001.SH`: which of them a row answers can not be told. */
function isAnyCodeTwice(codes: readonly string[]): boolean {
  return new Set(codes.map((code) => parseCode(code).bare)).size < codes.length
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
  const days = daysOfQuery(dataset, query, listed)
  const codes = matchedCodes(dataset, query)
  if (!days || (rule.codesOnly && !codes) || (codes && isAnyCodeTwice(codes))) return undefined
  if (rule.never?.some((name) => query[name] !== undefined)) return undefined
  return {
    dataset,
    rule,
    params: (params ?? {}) as Readonly<Record<string, unknown>>,
    query,
    fields,
    scope: rule.scope === undefined ? '' : String(query[rule.scope]),
    codes,
    isFiltered: rule.filters?.some((name) => query[name] !== undefined) ?? false,
    days,
    dates: datesOf(days),
  }
}

/** The dates of a query before the latest day that is known: their rows can no longer change. */
export function settledDates({ rule, dates }: CacheQuery, latest: string | undefined): DayRanges {
  const from = rule.since ?? '00010101'
  if (latest === undefined || from >= latest) return []
  return intersection(dates, [[from, dayBefore(latest)]])
}

/** How a code is spelt: `510300` or `510300.SH`. */
export function spellingOf(code: string): 'bare' | 'full' {
  return parseCode(code).exchange === undefined ? 'bare' : 'full'
}

/** A call takes one range: dates that lie apart are asked for with those between them. */
function boundingRange({ days: { way } }: CacheQuery, dates: DayRanges): DayRanges {
  const [first, last] = [dates[0], dates.at(-1)]
  return way === 'range' && first && last ? [[first[0], last[1]]] : dates
}

/** The groups that take fewer requests; of as many, those apart, which have fewer rows. */
async function cheaper(
  apart: readonly CodeGroup[],
  together: readonly CodeGroup[],
  requests: (group: CodeGroup) => Promise<number>,
): Promise<readonly CodeGroup[]> {
  if (apart.length < 2) return together
  const total = async (groups: readonly CodeGroup[]): Promise<number> => {
    let sum = 0
    for (const group of groups) sum += await requests(group)
    return sum
  }
  return (await total(apart)) <= (await total(together)) ? apart : together
}

/**
 * What the cache answers of a query, and what is left to ask: the dates that are missing, for all codes together; or for the
 * codes that lack any date, those of which nothing is cached by themselves where that takes no more requests.
 * @param requests how many requests a group takes
 */
export async function splitQuery(
  query: CacheQuery,
  coverage: Coverage,
  latest: string | undefined,
  requests: (group: CodeGroup) => Promise<number>,
): Promise<CacheSplit> {
  const { codes, dates, rule } = query
  const settled = settledDates(query, latest)
  const answersFor = (code: string): boolean => rule.spellings.includes(spellingOf(code))
  if (!codes || query.isFiltered) {
    const lacking = codes?.every(answersFor) === false ? dates : daysWithout(dates, intersection(settled, coverage.all))
    const all = boundingRange(query, lacking)
    const apart = query.days.way === 'range' ? lacking.map((range) => ({ codes, dates: [range] })) : []
    const missing = await cheaper(apart, all.length === 0 ? [] : [{ codes, dates: all }], requests)
    return {
      cached: [{ codes, dates: missing.reduce((left, group) => daysWithout(left, group.dates), dates) }],
      missing,
    }
  }
  const lacking = new Map<string, DayRanges>()
  for (const code of codes) {
    const own = coverage.codes.get(code) ?? []
    lacking.set(code, daysWithout(dates, intersection(settled, answersFor(code) ? union(own, coverage.all) : own)))
  }
  const groupOf = (list: readonly string[]): CodeGroup[] => {
    const ranges = new Map(list.map((code) => [lacking.get(code)?.join(' '), lacking.get(code) ?? []]))
    const all = boundingRange(query, [...ranges.values()].reduce(union, []))
    return all.length === 0 ? [] : [{ codes: list.filter((code) => lacking.get(code)?.length), dates: all }]
  }
  const isFresh = (code: string): boolean => lacking.get(code)?.join(' ') === dates.join(' ')
  const apart = [...groupOf(codes.filter(isFresh)), ...groupOf(codes.filter((code) => !isFresh(code)))]
  const missing = await cheaper(apart, groupOf(codes), requests)
  const cached = missing.map((group) => ({ ...group, dates: daysWithout(dates, group.dates) }))
  const rest = codes.filter((code) => !missing.some((group) => group.codes?.includes(code)))
  return { cached: rest.length > 0 ? [...cached, { codes: rest, dates }] : cached, missing }
}

/** The dates that the cache answers, of any code. */
export function cachedDates({ cached }: CacheSplit): DayRanges {
  return cached.reduce<DayRanges>((sum, { dates }) => union(sum, dates), [])
}

/** How a source is asked for a group: in the caller's own params, as far as the group is the same. */
export function requestFor(
  { dataset, params, codes, days }: CacheQuery,
  group: CodeGroup,
): { readonly params: Readonly<Record<string, unknown>>; readonly days?: Days } {
  const narrower = codes?.join() === group.codes?.join() ? {} : { symbols: group.codes }
  const asked: Record<string, unknown> = { ...params, ...narrower }
  if (days.way === 'list') return { params: asked, days: days.days.filter((day) => includes(group.dates, day)) }
  if (days.way === 'one') return { params: asked }
  const [from, last] = [group.dates[0]?.[0], group.dates.at(-1)?.[1]]
  const to = days.to === undefined && last === endOfDays ? undefined : last
  if (from === days.from && to === days.to) return { params: asked }
  const [first, end] = [paramWithRole(dataset, 'from') as string, paramWithRole(dataset, 'to') as string]
  return { params: { ...asked, [first]: from, [end]: to } }
}
