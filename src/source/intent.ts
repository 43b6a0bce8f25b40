import { checkFields } from '../contract/check-fields.js'
import { checkParams, givenIn, type Query } from '../contract/check-params.js'
import type { Dataset } from '../contract/dataset.js'
import { askedDays } from '../contract/day-list.js'
import { oneDayParam } from './plan/dated.js'
import { planRequests, type QueryPlan } from './plan/plan.js'
import type { QueryOptions } from './source.js'

/** A query that was checked, and how it is going to be asked. */
export interface PlannedQuery {
  readonly dataset: Dataset
  readonly query: Query
  /** Columns that the caller wants. */
  readonly fields: readonly string[]
  /** Params that the caller gave; the rest are defaults. */
  readonly given: ReadonlySet<string>
  readonly days: readonly string[] | undefined
  readonly plan: QueryPlan
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
  const plan = planRequests(dataset, query, { given, whole: options.whole === true, days, today })
  return { dataset, query, fields, given, days, plan }
}
