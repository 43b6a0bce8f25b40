import { noticedCalendar } from './calendar.js'
import type { Query } from './check-params.js'
import type { Dataset } from './dataset.js'
import { isDate } from './date.js'
import { ParamsError } from './error.js'
import { sentence } from './sentence.js'

/** Days to run an operation over that answers one day a call: listed, or from one to another, both included. */
export type Days = readonly string[] | { readonly from: string; readonly to: string }

/** The param of a single day, for an operation that has no range of its own. */
export function dayParam(dataset: Dataset): string | undefined {
  if (dataset.day === undefined || !Object.hasOwn(dataset.params, 'tradedate')) return undefined
  return Object.values(dataset.params).some(({ role }) => role === 'from') ? undefined : 'tradedate'
}

/** Dates on which there may be trading, from one to another, ascending: weekdays in a year without notice. */
export const daysBetween: (from: string, to: string) => string[] = noticedCalendar.between

function checkDay(value: unknown): string {
  if (typeof value === 'string' && isDate(value)) return value
  throw new ParamsError('days', sentence`days must be dates YYYYMMDD, not ${JSON.stringify(value) ?? String(value)}.`)
}

function listed(days: Days): string[] {
  if (Array.isArray(days)) return days.map(checkDay)
  const { from, to } = days as { from?: unknown; to?: unknown }
  if (typeof days !== 'object' || from === undefined || to === undefined) {
    throw new ParamsError('days', sentence`days must be a list of dates, or { from: 'YYYYMMDD', to: 'YYYYMMDD' }.`)
  }
  if (checkDay(from) > checkDay(to)) throw new ParamsError('days', sentence`days: from ${from} is later than to ${to}.`)
  return daysBetween(checkDay(from), checkDay(to))
}

/**
 * The days that a query is run over, ascending, once each.
 * @throws ParamsError for an operation with a range of its own, beside a day in params, for what is no list of dates
 */
export function askedDays(dataset: Dataset, query: Query, days: Days): readonly string[] {
  const param = dayParam(dataset)
  if (param === undefined) {
    const own = Object.entries(dataset.params).flatMap(([name, { kind }]) => (kind === 'date' ? [name] : []))
    const hint = own.length > 0 ? sentence`give ${own.join(', ')} in params` : sentence`it has no days`
    throw new ParamsError(
      'days',
      sentence`days is for operations that answer one day a call; ${dataset.name}: ${hint}.`,
    )
  }
  if (query[param] !== undefined) {
    throw new ParamsError('days', sentence`days can not be combined with ${param}; leave one of them out.`)
  }
  const all = [...new Set(listed(days))].sort()
  if (all.length === 0) throw new ParamsError('days', sentence`days holds no trading day.`)
  return all
}

/**
 * Params and days of a query from one day to another: an operation with a range of its own takes them as params, any other is run
 * over the days.
 * @throws ParamsError beside a date in params
 */
export function overRange(
  dataset: Dataset,
  params: unknown,
  days: Days | undefined,
): { readonly params: unknown; readonly days: Days | undefined } {
  const roleOf = (role: string): string | undefined =>
    Object.entries(dataset.params).find(([, param]) => param.role === role)?.[0]
  const [from, to] = [roleOf('from'), roleOf('to')]
  if (!days || Array.isArray(days) || from === undefined || to === undefined) return { params, days }
  const given = (params ?? {}) as Readonly<Record<string, unknown>>
  const dated = [from, to, roleOf('day') ?? from].find((name) => given[name] !== undefined)
  if (dated !== undefined)
    throw new ParamsError('days', sentence`days can not be combined with ${dated}; leave one of them out.`)
  const range = days as { readonly from: string; readonly to: string }
  return { params: { ...given, [from]: checkDay(range.from), [to]: checkDay(range.to) }, days: undefined }
}
