import { declaredParams, type Query } from '../../../contract/check-params.js'
import type { Dataset } from '../../../contract/dataset.js'
import { type DayRows, outlierDays } from '../../../contract/outlier-days.js'
import { queryDays } from '../../source/plan/asked.js'
import type { ManifestPart, Snapshot } from '../snapshot.js'
import { memoized } from './memoized.js'
import { type Condition, where, whereCode, whereWord } from './row-conditions.js'

/** First and last day that are meant; open ends are undefined. */
export interface OpenRange {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

interface PartDays {
  readonly latest: string | undefined
  readonly stray: readonly string[]
  readonly usual: readonly ManifestPart[]
  /** Parts that hold one day and nothing else, by it; undefined when there are others. */
  readonly byDay: ReadonlyMap<string, ManifestPart> | undefined
}

type Dated = ManifestPart & DayRows

const daysOfParts = memoized((parts: readonly ManifestPart[]): PartDays => {
  const stray = outlierDays(parts.flatMap((part) => (part.from && part.to ? [part as Dated] : [])))
  const usual = stray.length === 0 ? parts : parts.filter((part) => !stray.includes(part as Dated))
  const ends = usual.flatMap(({ to }) => to ?? [])
  const byDay = new Map(parts.flatMap((part) => (part.from && part.from === part.to ? [[part.from, part]] : [])))
  return {
    latest: ends.reduce<string | undefined>((a, b) => (a !== undefined && a >= b ? a : b), undefined),
    usual,
    stray: stray.flatMap(({ from, to }) => (from === to ? [from] : [from, to])),
    byDay: byDay.size === parts.length ? byDay : undefined,
  }
})

/** The latest day of some parts that is no stray one, see `outlierDays`; undefined when they have none. */
export function latestIn(parts: readonly ManifestPart[]): string | undefined {
  return daysOfParts(parts).latest
}

/** The parts without those that hold stray days alone. */
export function usualParts(parts: readonly ManifestPart[]): readonly ManifestPart[] {
  return daysOfParts(parts).usual
}

/** First and last of the days of some parts that lie far after all others and have hardly any rows; none as a rule. */
export function outlierDaysIn(parts: readonly ManifestPart[]): readonly string[] {
  return daysOfParts(parts).stray
}

/** The parts that can hold days from one to another; an end that is undefined is open. */
export function partsBetween(parts: readonly ManifestPart[], { from, to }: OpenRange): readonly ManifestPart[] {
  const { byDay } = daysOfParts(parts)
  if (byDay && from !== undefined && from === to) {
    const part = byDay.get(from)
    return part ? [part] : []
  }
  return parts.filter(
    (part) => (from === undefined || (part.to ?? from) >= from) && (to === undefined || (part.from ?? to) <= to),
  )
}

/** The parts that can hold days of a span. */
export function partsIn(snapshot: Snapshot, dataset: Dataset, span: OpenRange): readonly ManifestPart[] {
  return partsBetween(snapshot.parts(dataset.name), span)
}

/** A condition that a text is in one of some columns. */
function contains(names: readonly string[], text: string): Condition {
  const lower = text.toLowerCase()
  const conditions = names.map((name) => where(name, (word) => word?.toLowerCase().includes(lower) ?? false))
  return (columns) => {
    const tests = conditions.map((test) => test(columns))
    return (row) => tests.some((test) => test(row))
  }
}

/** Conditions of the params that compare a column or search a text. */
export function plainConditions(dataset: Dataset, query: Query): Condition[] {
  const conditions: Condition[] = []
  for (const [name, { role, kind, columns = [] }] of declaredParams(dataset)) {
    const value = query[name]
    if (value === undefined) continue
    if (role === 'search') conditions.push(contains(columns, String(value)))
    if (role !== 'match') continue
    const words = Array.isArray(value) ? (value as readonly string[]) : [String(value)]
    for (const column of columns)
      conditions.push(kind === 'codes' ? whereCode(column, words) : whereWord(column, words))
  }
  return conditions
}

/** A condition that a day lies in a span. */
export function within(name: string, { from, to }: OpenRange): Condition {
  const has = (day: string | null | undefined): boolean =>
    typeof day === 'string' && (from === undefined || day >= from) && (to === undefined || day <= to)
  return { test: where(name, has), holdsFor: (part) => has(part.from) && has(part.to) }
}

/**
 * Days of the parts that a request touches, and the condition that picks its rows (section 4.0): a single day; a range;
 * `startdate` alone runs to the latest day; `enddate` alone is that day; nothing is the latest day. Where the contract says
 * that ranges are open, an end that is not given is open. `day`: the one that is meant where the request names none.
 */
export function queryParts(
  snapshot: Snapshot,
  dataset: Dataset,
  query: Query,
  day?: string,
): { parts: readonly ManifestPart[]; when: Condition[]; span: OpenRange } {
  const parts = snapshot.parts(dataset.name)
  if (dataset.day === undefined) return { parts, when: [], span: {} }
  const own = queryDays(dataset, query, {})
  const latest = dataset.openRange ? undefined : latestIn(parts)
  const single = day ?? own.day ?? (own.from === undefined ? latest : undefined)
  const span = single === undefined ? { from: own.from, to: own.to ?? latest } : { from: single, to: single }
  const open = span.from === undefined && span.to === undefined
  return { parts: partsBetween(parts, span), when: open ? [] : [within(dataset.day, span)], span }
}
