import { noticedCalendar } from './calendar.js'
import type { Query } from './check-params.js'
import type { Dataset } from './dataset.js'
import { dateOf, dayNumber, writtenDate } from './date.js'
import { ParamsError } from './error.js'
import { sentence } from './sentence.js'

/** Days of a query: listed, or from one to another, both included. */
export type PlainDays = readonly string[] | { readonly from: string; readonly to: string }

/**
 * Days in any accepted form: a day, a list or a range, also from one day to the latest of the source, or the last n
 * trading days.
 */
export type Days = PlainDays | { readonly from: string; readonly to?: string | undefined } | number

/** The param of a single day, for an operation that has no range of its own. */
export function dayParam(dataset: Dataset): string | undefined {
  if (dataset.day === undefined || !Object.hasOwn(dataset.params, 'tradedate')) return undefined
  return Object.values(dataset.params).some(({ role }) => role === 'from') ? undefined : 'tradedate'
}

/** Dates on which there may be trading, from one to another, ascending: weekdays in a year without notice. */
export const daysBetween: (from: string, to: string) => string[] = noticedCalendar.between

/** So many trading days up to one, ascending: weekdays in a year without notice. */
export function lastDaysUpTo(latest: string, count: number): readonly string[] {
  return daysBetween(dateOf(dayNumber(latest) - 2 * count - 40), latest).slice(-count)
}

function checkDay(value: unknown): string {
  const date = writtenDate(value)
  if (date !== undefined) return date
  throw new ParamsError('days', sentence`days must be dates YYYYMMDD, not ${JSON.stringify(value) ?? String(value)}.`)
}

function listed(days: PlainDays): string[] {
  if (Array.isArray(days)) return days.map(checkDay)
  const { from, to } = days as { from?: unknown; to?: unknown }
  if (typeof days !== 'object' || from === undefined || to === undefined)
    throw new ParamsError('days', sentence`days must be a list of dates, or { from: 'YYYYMMDD', to: 'YYYYMMDD' }.`)
  if (checkDay(from) > checkDay(to)) throw new ParamsError('days', sentence`days: from ${from} is later than to ${to}.`)
  return daysBetween(checkDay(from), checkDay(to))
}

/**
 * The days that a query is run over, ascending, once each.
 * @throws ParamsError for an operation with a range of its own, beside a day in params, for what is no list of dates
 */
export function askedDays(dataset: Dataset, query: Query, days: PlainDays): readonly string[] {
  const param = dayParam(dataset)
  if (param === undefined) {
    const own = Object.entries(dataset.params).flatMap(([name, { kind }]) => (kind === 'date' ? [name] : []))
    const hint = own.length > 0 ? sentence`give ${own.join(', ')} in params` : sentence`it has no days`
    throw new ParamsError(
      'days',
      sentence`days is for operations that answer one day a call; ${dataset.name}: ${hint}.`,
    )
  }
  if (query[param] !== undefined)
    throw new ParamsError('days', sentence`days can not be combined with ${param}; leave one of them out.`)
  const all = [...new Set(listed(days))].sort()
  if (all.length === 0) throw new ParamsError('days', sentence`days holds no trading day.`)
  return all
}

/** The params of a first and a last day, where a dataset has both. */
export function spanParams({ params, cache }: Dataset): readonly [from: string, to: string] | undefined {
  const roleOf = (role: string): string | undefined =>
    Object.entries(params).find(([, param]) => param.role === role)?.[0]
  const [from, to] = [roleOf('from'), roleOf('to')]
  return from !== undefined && to !== undefined ? [from, to] : cache?.range
}

/**
 * Params and days of a query from one day to another: an operation with a range of its own takes them as params, any other is run
 * over the days.
 * @throws ParamsError beside a date in params
 */
export function overRange(
  dataset: Dataset,
  params: unknown,
  days: PlainDays | undefined,
): { readonly params: unknown; readonly days: PlainDays | undefined } {
  const range = spanParams(dataset)
  if (!days || Array.isArray(days) || !range) return { params, days }
  const given = (params ?? {}) as Readonly<Record<string, unknown>>
  const day = Object.entries(dataset.params).find(([, param]) => param.role === 'day')?.[0]
  const dated = [...range, day ?? range[0]].find((name) => given[name] !== undefined)
  if (dated !== undefined)
    throw new ParamsError('days', sentence`days can not be combined with ${dated}; leave one of them out.`)
  const { from, to } = days as { readonly from: string; readonly to: string }
  if (checkDay(from) > checkDay(to)) throw new ParamsError('days', sentence`days: from ${from} is later than to ${to}.`)
  return { params: { ...given, [range[0]]: checkDay(from), [range[1]]: checkDay(to) }, days: undefined }
}

/** Params with each date as the wire has it, however it was written; what is no date stays, to be refused. */
export function withPlainDates(dataset: Dataset, params: unknown): unknown {
  if (typeof params !== 'object' || params === null) return params
  const dates = Object.entries(params).flatMap(([name, value]) => {
    const kind = Object.hasOwn(dataset.params, name) ? dataset.params[name]?.kind : undefined
    const date = kind === 'date' || kind === 'moment' ? writtenDate(value) : undefined
    return date === undefined ? [] : [[name, date] as const]
  })
  return dates.length === 0 ? params : { ...params, ...Object.fromEntries(dates) }
}
