import type { Query } from '../../contract/check-params.js'
import type { Dataset } from '../../contract/dataset.js'
import type { Param } from '../../contract/param.js'
import { codeMatcher } from '../../contract/symbol.js'
import { latestDay, type Part, type Shelf } from '../shelf.js'
import { type Condition, where } from './scan.js'

function contains(param: Param, keyword: string): Condition {
  const wanted = keyword.toLowerCase()
  const conditions = (param.columns ?? []).map((name) =>
    where(name, (text) => text?.toLowerCase().includes(wanted) ?? false),
  )
  return (columns) => {
    const tests = conditions.map((condition) => condition(columns))
    return (row) => tests.some((test) => test(row))
  }
}

function equals(param: Param, wanted: string | number | readonly string[]): Condition[] {
  const list = Array.isArray(wanted) ? (wanted as readonly string[]) : [String(wanted)]
  const isCode = param.kind === 'codes' ? codeMatcher(list) : (word: string) => list.includes(word)
  return (param.columns ?? []).map((name) => where(name, (word) => word !== null && isCode(word)))
}

/** Conditions of the params that compare a column or search a text. */
export function plainConditions(dataset: Dataset, query: Query): Condition[] {
  return Object.entries(dataset.params).flatMap(([name, param]) => {
    const wanted = query[name]
    if (wanted === undefined) return []
    if (param.role === 'match') return equals(param, wanted)
    return param.role === 'search' ? [contains(param, String(wanted))] : []
  })
}

/** First and last day that a request speaks of; open ends are undefined. */
export interface Span {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

function named(dataset: Dataset, query: Query, role: string): string | undefined {
  const name = Object.keys(dataset.params).find((key) => dataset.params[key]?.role === role)
  const value = name === undefined ? undefined : query[name]
  return typeof value === 'string' ? value : undefined
}

/**
 * The days asked for (section 4.0): a single day; a range; `startdate` alone runs to the latest day; `enddate` alone is
 * that day; nothing is the latest day. Where the contract says that ranges are open, an end that is not given is open.
 */
export function spanOf(dataset: Dataset, query: Query, latest: string | undefined): Span {
  const day = named(dataset, query, 'day')
  if (day !== undefined) return { from: day, to: day }
  const from = named(dataset, query, 'from')
  const to = named(dataset, query, 'to')
  if (dataset.openRange) return { from, to }
  if (from === undefined) return { from: to ?? latest, to: to ?? latest }
  return { from, to: to ?? latest }
}

export function within(name: string, { from, to }: Span): Condition {
  return where(name, (day) => day !== null && (from === undefined || day >= from) && (to === undefined || day <= to))
}

/** The parts that can hold days of a span. */
export function partsIn(shelf: Shelf, dataset: Dataset, { from, to }: Span): readonly Part[] {
  return shelf
    .parts(dataset.name)
    .filter(
      (part) => (from === undefined || (part.to ?? from) >= from) && (to === undefined || (part.from ?? to) <= to),
    )
}

/** Days of the parts that a request touches, and the condition that picks its rows. */
export function daysAsked(shelf: Shelf, dataset: Dataset, query: Query): { parts: readonly Part[]; when: Condition[] } {
  if (dataset.day === undefined) return { parts: shelf.parts(dataset.name), when: [] }
  const span = spanOf(dataset, query, latestDay(shelf, dataset.name))
  const open = span.from === undefined && span.to === undefined
  return { parts: partsIn(shelf, dataset, span), when: open ? [] : [within(dataset.day, span)] }
}
