import type { Dataset } from './dataset.js'
import { beijingMoment, isDate } from './date.js'
import { ParamsError, QuotebookError } from './error.js'
import { unknownName } from './nearest.js'
import type { Param } from './param.js'
import { sentence, type Words } from './sentence.js'
import { bucketCloses } from './session.js'
import { isBeijing } from './symbol.js'

/** Params in canonical form: lists are arrays, integers numbers, the rest strings; absent ones are absent. */
export type Query = Readonly<Record<string, string | number | readonly string[]>>

/** A value as JSON; one that is nested too deeply, or in itself, is only named. */
function textOf(value: unknown): Words {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return Array.isArray(value) ? sentence`an array` : sentence`of type ${typeof value}`
  }
}

function shown(value: unknown): string {
  const text = String(textOf(value))
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

function text(name: string, value: unknown): string {
  if (typeof value === 'number')
    throw new ParamsError(
      name,
      sentence`${name} must be a string: give ${shown(String(value))}, a number loses leading zeros.`,
    )
  if (typeof value !== 'string') throw new ParamsError(name, sentence`${name} must be a string, not ${shown(value)}.`)
  const trimmed = value.trim()
  if (trimmed === '') throw new ParamsError(name, sentence`${name} is empty; leave it out to set no condition.`)
  return trimmed
}

function list(name: string, value: unknown): readonly string[] {
  const parts = new Set<string>()
  for (const given of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
    const whole = text(name, given)
    if (!whole.includes(',')) parts.add(whole)
    else for (const part of whole.split(',')) if (part.trim() !== '') parts.add(part.trim())
  }
  if (parts.size === 0) throw new ParamsError(name, sentence`${name} is empty; leave it out to set no condition.`)
  return [...parts]
}

function integer(name: string, value: unknown, param: Param): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new ParamsError(name, sentence`${name} must be a whole number, not ${shown(value)}.`)
  const { min = -Infinity, max = Infinity } = param
  if (value < min || value > max) {
    const range = Number.isFinite(max) ? sentence`from ${min} to ${max}` : sentence`${min} or more`
    throw new ParamsError(name, sentence`${name} must be ${range}, not ${value}.`)
  }
  return value
}

function oneOf(name: string, value: string, values: readonly string[]): string {
  if (values.includes(value)) return value
  throw unknownName(name, value, values, 'value', name)
}

function date(name: string, value: unknown): string {
  const given = text(name, value)
  if (!isDate(given)) {
    const digits = given.replaceAll('-', '')
    const hint = isDate(digits) ? sentence` Write '${digits}'.` : ''
    throw new ParamsError(name, sentence`${name} must be a date YYYYMMDD, not ${shown(given)}.${hint}`)
  }
  return given
}

function minute(name: string, value: unknown): string {
  const given = text(name, value)
  if (!/^([01]\d|2[0-3])[0-5]\d$/.test(given))
    throw new ParamsError(name, sentence`${name} must be a minute HHmm such as '1000', not ${shown(given)}.`)
  return given
}

function moment(name: string, value: unknown): string {
  const at = beijingMoment(text(name, value))
  if (at === undefined)
    throw new ParamsError(
      name,
      sentence`${name} must be YYYYMMDD, YYYY-MM-DD or an ISO 8601 time, not ${shown(value)}.`,
    )
  return at
}

function canonical(name: string, value: unknown, param: Param): string | number | readonly string[] {
  switch (param.kind) {
    case 'integer':
      return integer(name, value, param)
    case 'date':
      return date(name, value)
    case 'minute':
      return minute(name, value)
    case 'moment':
      return moment(name, value)
    case 'choice':
      return oneOf(name, text(name, value), param.values ?? [])
    case 'choices':
      return list(name, value).map((part) => oneOf(name, part, param.values ?? []))
    case 'codes':
    case 'ids':
    case 'texts':
      return list(name, value)
    case 'text':
      return text(name, value)
  }
}

function checkExclusive(dataset: Dataset, given: ReadonlySet<string>): void {
  for (const [left, right] of dataset.exclusive ?? []) {
    const a = left.find((name) => given.has(name))
    const b = right.find((name) => given.has(name))
    if (a && b) throw new ParamsError(a, sentence`${a} can not be combined with ${b}; leave one of them out.`)
  }
}

function checkRanges(dataset: Dataset, query: Query): void {
  for (const [from, to] of dataset.ranges ?? []) {
    const [start, end] = [query[from], query[to]]
    if (typeof start === 'string' && typeof end === 'string' && start > end)
      throw new ParamsError(from, sentence`${from} ${start} is later than ${to} ${end}.`)
  }
}

function checkMinute(name: string, param: Param, query: Query): void {
  const period = query[param.period ?? '']
  if (period !== '15m' && period !== '30m') return
  const closes = bucketCloses[period]
  if (!closes.includes(String(query[name])))
    throw new ParamsError(
      name,
      sentence`${name} ${query[name]} closes no ${period} bucket. Buckets close at ${closes.join(', ')}.`,
    )
}

function checkMarket(name: string, param: Param, query: Query): void {
  for (const code of query[name] as readonly string[]) {
    if (isBeijing(code) && !param.markets?.includes('BJ'))
      throw new QuotebookError(
        'UNSUPPORTED_MARKET',
        sentence`UNSUPPORTED_MARKET: ${name} ${code} is of the Beijing exchange.`,
      )
  }
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return !(value instanceof Map) && !(value instanceof Set) && !(value instanceof Date)
}

/** Names of the params that a caller gave; those that are null or undefined count as absent. */
export function givenIn(params: unknown): ReadonlySet<string> {
  const given = new Set<string>()
  if (typeof params !== 'object' || params === null) return given
  for (const name of Object.keys(params)) {
    const value = (params as Record<string, unknown>)[name]
    if (value !== undefined && value !== null) given.add(name)
  }
  return given
}

function neededWords({ name: dataset }: Dataset, name: string, { values, meaning }: Param): Words {
  return values
    ? sentence`${dataset} needs ${name}; it takes ${values.join(', ')}.`
    : sentence`${dataset} needs ${name}: ${meaning}`
}

const declared = new WeakMap<Dataset, readonly (readonly [name: string, param: Param])[]>()

/** The params that a dataset declares, by name. */
export function declaredParams(dataset: Dataset): readonly (readonly [name: string, param: Param])[] {
  let list = declared.get(dataset)
  if (!list) {
    list = Object.entries(dataset.params)
    declared.set(dataset, list)
  }
  return list
}

/**
 * The one validator of params, for client and service alike.
 *
 * @returns canonical params with the defaults filled in; null and undefined count as absent
 * @throws ParamsError that names the field, and the nearest right name or value where one is near
 * @throws QuotebookError UNSUPPORTED_MARKET for a Beijing code where only Shanghai and Shenzhen are served
 */
export function checkParams(dataset: Dataset, params: unknown): Query {
  if (params === undefined || params === null) {
    if (dataset.needsParams) {
      const required = Object.entries(dataset.params).flatMap(([name, { required: is, values }]) =>
        is ? [values?.length === 1 ? `${name}=${values[0]}` : name] : [],
      )
      throw new ParamsError('params', sentence`${dataset.name} needs params: ${required.join(', ')}.`)
    }
  } else if (!isPlain(params))
    throw new ParamsError('params', sentence`params must be an object, not ${shown(params)}.`)
  const query: Record<string, string | number | readonly string[]> = {}
  const given = new Set<string>()
  for (const name of Object.keys(params ?? {})) {
    const value = (params as Record<string, unknown>)[name]
    const param = Object.hasOwn(dataset.params, name) ? dataset.params[name] : undefined
    if (!param) throw unknownName(name, name, Object.keys(dataset.params), 'param', dataset.name)
    if (value === undefined || value === null) continue
    query[name] = canonical(name, value, param)
    given.add(name)
  }
  for (const [name, param] of declaredParams(dataset)) {
    if (given.has(name)) continue
    if (param.required) throw new ParamsError(name, neededWords(dataset, name, param))
    if (param.default !== undefined) query[name] = param.default
  }
  checkExclusive(dataset, given)
  checkRanges(dataset, query)
  for (const [name, param] of declaredParams(dataset)) {
    if (!given.has(name)) continue
    if (param.period) checkMinute(name, param, query)
    if (param.markets) checkMarket(name, param, query)
  }
  return query
}
