import { newsSources } from '../../../contract/catalogue/news.js'
import { checkFields } from '../../../contract/check-fields.js'
import { checkParams, givenIn, type Query } from '../../../contract/check-params.js'
import type { Dataset } from '../../../contract/dataset.js'
import { askedDays, dayParam } from '../../../contract/day-list.js'
import { worded } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import type { Explanation, QueryOptions } from '../source.js'
import { type Asked, intervalOf, oneDayParam, planAsked } from './asked.js'
import { type Overlap, overlapping, type RangeSize } from './overlap.js'
import { codeGroups, daysIn, describeRange, type QueryRange, requestShape, splitInterval } from './query-range.js'

/** How a dataset is asked for so that its answer can be shown to be whole. */
export interface QueryPlan {
  /**
   * `once`: as it was asked, in one request. `ranges`: one request for each range, and two for the halves of one whose reply
   * is suspect. `pages`: page by page to the end.
   */
  readonly strategy: 'once' | 'ranges' | 'pages'
  /** What each request covers, in the order of the answer; disjoint, and together all that was asked for. */
  readonly ranges: readonly QueryRange[]
  /** The ranges as they are sent, where they overlap. */
  readonly overlap?: Overlap
  /** A reply with so many rows may have been cut. */
  readonly cap?: number
  /** `limit` of each request. */
  readonly limit?: number
}

/** Requests that are sent at most, beside those of a plan, to show that nothing is missing, as long as nothing is. */
export function mostProbes({ strategy, ranges }: QueryPlan): number {
  return strategy === 'ranges' ? lastProbes + 8 + 2 * ranges.length : 0
}

/** Those of them that are kept for the end, when all is there: two for one state, three for holes that all codes share. */
export const lastProbes = 5

/** What a plan is made from beside the params. */
export interface PlanOptions {
  /** Params that the caller gave; the rest are defaults. */
  readonly given: ReadonlySet<string>
  /** Every row that matches. */
  readonly whole: boolean
  /** Days to run an operation of one day a call over. */
  readonly days?: readonly string[] | undefined
  readonly asked: Asked
  /** Where data is expected to end, `YYYYMMDD`. It guides the cutting of a range without an end and loses nothing when it is wrong. */
  readonly today: string
}

function withDays(ranges: readonly QueryRange[], days: readonly string[] | undefined): QueryRange[] {
  return days ? days.flatMap((day) => ranges.map((range) => ({ ...range, day }))) : [...ranges]
}

/** The ranges that a range is cut into so that no reply is larger than it may be, as far as that can be said beforehand. */
export function rangesWithin(range: QueryRange, { most, bars, daily }: RangeSize): QueryRange[] {
  const { symbols, days: interval } = range
  const cells = Math.max(1, Math.floor(most / bars))
  const days = Math.max(1, daysIn(range).length)
  const shape = symbols
    ? requestShape(symbols.length, days, cells)
    : { codes: 1, days: Math.max(1, Math.floor(most / daily)) }
  const byDays = interval ? splitInterval(interval, shape.days).map((part) => ({ ...range, days: part })) : [range]
  if (!symbols) return byDays
  const groups = codeGroups(symbols, shape.codes)
  return byDays.flatMap((part) => groups.map((group) => ({ ...part, symbols: group })))
}

/** All that a query asks for, in one range for each of its days. */
function rangesByDay(dataset: Dataset, query: Query, options: PlanOptions): QueryRange[] {
  const interval = intervalOf(dataset, query, options.today)
  const { codes: symbols } = options.asked
  return withDays([{ ...(interval ? { days: interval } : {}), ...(symbols ? { symbols } : {}) }], options.days)
}

function capped(
  dataset: Dataset,
  query: Query,
  options: PlanOptions,
  cap: number,
): Pick<QueryPlan, 'ranges' | 'overlap'> {
  const ranges = rangesByDay(dataset, query, options)
  const { closes } = options.asked
  // Over several days nobody wants the latest bucket of each, which is what the operation answers without codes.
  if (options.days && closes && query.symbols === undefined && query.trademin === undefined) {
    return { ranges: ranges.flatMap((range) => closes.map((minute) => ({ ...range, minute }))) }
  }
  const size = { most: cap - 1, bars: closes?.length ?? 1, daily: rowsPerDay(dataset) }
  const parts = ranges.flatMap((range) => rangesWithin(range, size))
  const overlap = overlapping(parts, size)
  return { ranges: parts, ...(overlap.shared.length > 0 ? { overlap } : {}) }
}

/** Rows of a day of the whole market, as far as anybody can say beforehand. */
function rowsPerDay({ limit }: Dataset): number {
  return (limit.kind === 'cap' && limit.daily) || 1
}

/**
 * The plan of a query. Pure: the same query and the same `today` give the same plan.
 *
 * Row caps (section 8): as many codes and days a request as keep its reply below the cap, where the codes are known;
 * where they are not, as many days as the size of the market lets expect. Paged operations: the largest pages.
 */
export function planRequests(dataset: Dataset, query: Query, options: PlanOptions): QueryPlan {
  const { limit } = dataset
  if (dayParam(dataset) === undefined && options.days)
    throw worded(TypeError, sentence`${dataset.name} has no days to run over`)
  if (!options.whole) {
    const own = limit.kind === 'page' || limit.kind === 'newest' ? { limit: Number(query.limit) } : {}
    return {
      strategy: 'once',
      ranges: withDays([{}], options.days),
      ...(limit.kind === 'cap' ? { cap: limit.rows } : own),
    }
  }
  switch (limit.kind) {
    case 'cap':
      return { strategy: 'ranges', cap: limit.rows, ...capped(dataset, query, options, limit.rows) }
    case 'none':
      return { strategy: 'ranges', ranges: rangesByDay(dataset, query, options) }
    case 'page':
      if (options.given.has('limit')) return { strategy: 'once', ranges: [{}], limit: Number(query.limit) }
      return { strategy: 'pages', ranges: [{}], limit: limit.max }
    case 'newest': {
      if (options.given.has('limit')) return { strategy: 'once', ranges: [{}], limit: Number(query.limit) }
      const sources = Array.isArray(query.sources) ? (query.sources as readonly string[]) : newsSources
      return { strategy: 'ranges', ranges: [{ sources }], cap: limit.max, limit: limit.max }
    }
  }
}

const mostLines = 8

function counted(count: number): Words {
  return count === 1 ? sentence`1 request` : sentence`${count} requests`
}

function reason({ limit }: Dataset, { strategy, cap, limit: most }: QueryPlan): Words {
  if (strategy === 'once') return sentence`as it is asked`
  if (strategy === 'pages')
    return sentence`pages of ${most} until the rows are as many as the reply counts, and one that shows the end`
  if (limit.kind === 'newest') return sentence`the newest ${most}; when there are as many, each source by itself`
  if (cap !== undefined)
    return sentence`each reply below the cap of ${cap} rows; one at the cap is asked again in halves`
  return sentence`the contract states no limit`
}

/** What a plan is going to ask: how many requests, why, and the first of them. */
export function explainPlan(dataset: Dataset, plan: QueryPlan): Explanation {
  const { ranges, strategy } = plan
  const requests = ranges.length
  const exact = strategy === 'once' && dataset.limit.kind !== 'page'
  const count = strategy === 'pages' ? sentence`at least ${counted(requests)}` : counted(requests)
  const head = sentence`${dataset.name}: ${count}; ${reason(dataset, plan)}`
  const probes = mostProbes(plan)
  const list = ranges.slice(0, mostLines).map((range, i) => sentence`  ${i + 1}  ${describeRange(range)}`)
  const more = requests > mostLines ? [sentence`  … and ${requests - mostLines} more`] : []
  const last = probes > 0 ? [sentence`at most ${probes} more to show that nothing is missing`] : []
  return { dataset: dataset.name, requests, exact, probes, lines: [head, ...list, ...more, ...last] }
}

/** A query that was checked, and how it is going to be asked. */
export interface PlannedQuery {
  readonly dataset: Dataset
  readonly query: Query
  /** Columns that the caller wants. */
  readonly fields: readonly string[]
  /** Params that the caller gave; the rest are defaults. */
  readonly given: ReadonlySet<string>
  readonly days: readonly string[] | undefined
  readonly asked: Asked
  readonly plan: QueryPlan
  /** The running day, `YYYYMMDD`: what lies behind it can still come. */
  readonly today: string
}

/** The query as one of a given day. */
export function queryOnDay(dataset: Dataset, query: Query, day: string | undefined): Query {
  return day === undefined ? query : { ...query, [oneDayParam(dataset) as string]: day }
}

/** @throws ParamsError naming the field */
export function planQuery(dataset: Dataset, params: unknown, options: QueryOptions, today: string): PlannedQuery {
  const query = checkParams(dataset, params)
  const days = options.days === undefined ? undefined : askedDays(dataset, query, options.days)
  const fields = checkFields(dataset, options.fields, queryOnDay(dataset, query, days?.[0]))
  const given = givenIn(params)
  const asked = planAsked(dataset, query, days, today)
  const plan = planRequests(dataset, query, { given, whole: options.whole === true, days, asked, today })
  return { dataset, query, fields, given, days, asked, plan, today }
}
