import { checkFields } from '../../contract/check-fields.js'
import { checkParams, type Query } from '../../contract/check-params.js'
import type { Dataset } from '../../contract/dataset.js'
import { askedDays } from '../../contract/day-list.js'
import { parseCode } from '../../contract/symbol.js'
import { queryDays } from '../../source/plan/query-days.js'
import { matchedCodes, queryOnDay } from '../../source/plan/query-plan.js'
import type { QueryOptions } from '../../source/source.js'
import { type DayRange, type DayRanges, dayBefore, endOfDays, rangesOfDays } from './day-ranges.js'
import { type KeepRule, keepRule } from './rule.js'

/** The days that a query asks for: one, as it was given; listed ones, a call each; or a range, whose end may be open. */
export type WishedDays =
  | { readonly way: 'one'; readonly day: string }
  | { readonly way: 'list'; readonly days: readonly string[] }
  | { readonly way: 'range'; readonly from: string; readonly to: string | undefined }

/** A query of which days may be kept. */
export interface Wish {
  readonly dataset: Dataset
  readonly rule: KeepRule
  /** As the caller gave them. */
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Query
  readonly fields: readonly string[]
  readonly scope: string
  /** Codes, no two of which have a row in common; undefined for all. */
  readonly codes: readonly string[] | undefined
  /** It wants some rows of each day only: whole days answer it, and its answer is not kept. */
  readonly isFiltered: boolean
  readonly days: WishedDays
}

function daysOf(dataset: Dataset, query: Query, listed: readonly string[] | undefined): WishedDays | undefined {
  if (listed) return { way: 'list', days: listed }
  const { day, from, to } = queryDays(dataset, query, {})
  if (day !== undefined) return { way: 'one', day }
  return from === undefined ? undefined : { way: 'range', from, to }
}

/** `000001` beside `000001.SH`: which of them a row answers is not for us to say. */
function haveTwins(codes: readonly string[]): boolean {
  return new Set(codes.map((code) => parseCode(code).bare)).size < codes.length
}

/**
 * What a query wishes for; undefined when nothing of it may be kept, and the service is to be asked as ever.
 * @throws ParamsError as the service's own source does
 */
export function wishOf(dataset: Dataset, params: unknown, options: QueryOptions): Wish | undefined {
  const rule = keepRule(dataset)
  if (!rule || options.whole !== true || options.allowTruncated === true) return undefined
  const query = checkParams(dataset, params)
  const listed = options.days === undefined ? undefined : askedDays(dataset, query, options.days)
  const fields = checkFields(dataset, options.fields, queryOnDay(dataset, query, listed?.[0]))
  const days = daysOf(dataset, query, listed)
  const codes = matchedCodes(dataset, query)
  if (!days || (rule.codesOnly && !codes) || (codes && haveTwins(codes))) return undefined
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
  }
}

/** The dates asked for; an open range goes on to the end of days. */
export function datesOf({ days }: Wish): DayRanges {
  if (days.way === 'one') return [[days.day, days.day]]
  if (days.way === 'list') return rangesOfDays(days.days)
  return [[days.from, days.to ?? endOfDays]]
}

/** The dates before the latest day that is known, of which rows may be kept. */
export function settled({ rule }: Wish, latest: string | undefined): DayRanges {
  if (latest === undefined) return []
  const span: DayRange = [rule.since ?? '00010101', dayBefore(latest)]
  return span[0] <= span[1] ? [span] : []
}
