import type { Query } from '../../contract/check-params.js'
import type { Dataset } from '../../contract/dataset.js'
import type { Param, Role } from '../../contract/param.js'
import type { ManifestPart, Snapshot } from '../snapshot.js'
import { type Condition, type Indexed, type RowTest, where, whereCode, whereWord } from './row-conditions.js'

/** First and last day that are meant; open ends are undefined. */
export interface OpenRange {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

interface Known {
  readonly latest: string | undefined
  /** Parts that hold one day and nothing else, by it; undefined when there are others. */
  readonly byDay: ReadonlyMap<string, ManifestPart> | undefined
}

const known = new WeakMap<readonly ManifestPart[], Known>()

function look(parts: readonly ManifestPart[]): Known {
  let latest: string | undefined
  const byDay = new Map<string, ManifestPart>()
  for (const part of parts) {
    const { from, to } = part
    if (to !== undefined && (latest === undefined || to > latest)) latest = to
    if (from !== undefined && from === to) byDay.set(from, part)
  }
  return { latest, byDay: byDay.size === parts.length ? byDay : undefined }
}

function knownOf(parts: readonly ManifestPart[]): Known {
  let about = known.get(parts)
  if (!about) {
    about = look(parts)
    known.set(parts, about)
  }
  return about
}

/** The latest day of some parts; undefined when they have none. */
export function latestIn(parts: readonly ManifestPart[]): string | undefined {
  return knownOf(parts).latest
}

/** The parts that can hold days from one to another; an end that is undefined is open. */
export function partsBetween(parts: readonly ManifestPart[], { from, to }: OpenRange): readonly ManifestPart[] {
  const { byDay } = knownOf(parts)
  if (byDay && from !== undefined && from === to) {
    const part = byDay.get(from)
    return part ? [part] : []
  }
  return parts.filter(
    (part) => (from === undefined || (part.to ?? from) >= from) && (to === undefined || (part.from ?? to) <= to),
  )
}

function contains(param: Param, keyword: string): Condition {
  const wanted = keyword.toLowerCase()
  const conditions = (param.columns ?? []).map((name) =>
    where(name, (text) => text?.toLowerCase().includes(wanted) ?? false),
  )
  return (columns) => {
    const tests = conditions.map((test) => test(columns))
    return (row) => tests.some((test) => test(row))
  }
}

function equals(param: Param, wanted: string | number | readonly string[]): Condition[] {
  const list = Array.isArray(wanted) ? (wanted as readonly string[]) : [String(wanted)]
  const has = param.kind === 'codes' ? whereCode : whereWord
  return (param.columns ?? []).map((name) => has(name, list))
}

interface Plain {
  /** Params that compare a column or search a text. */
  readonly matching: readonly (readonly [name: string, param: Param])[]
  /** Names of the params that tell days, by their role. */
  readonly role: Readonly<Partial<Record<Role, string>>>
}

const plainParams = new WeakMap<Dataset, Plain>()

function plainOf(dataset: Dataset): Plain {
  let plain = plainParams.get(dataset)
  if (!plain) {
    const all = Object.entries(dataset.params)
    plain = {
      matching: all.filter(([, { role }]) => role === 'match' || role === 'search'),
      role: Object.fromEntries(all.toReversed().map(([name, { role }]) => [role, name])),
    }
    plainParams.set(dataset, plain)
  }
  return plain
}

/** Conditions of the params that compare a column or search a text. */
export function plainConditions(dataset: Dataset, query: Query): Condition[] {
  const out: Condition[] = []
  for (const [name, param] of plainOf(dataset).matching) {
    const wanted = query[name]
    if (wanted === undefined) continue
    if (param.role === 'search') out.push(contains(param, String(wanted)))
    else out.push(...equals(param, wanted))
  }
  return out
}

function named(dataset: Dataset, query: Query, role: Role): string | undefined {
  const name = plainOf(dataset).role[role]
  const value = name === undefined ? undefined : query[name]
  return typeof value === 'string' ? value : undefined
}

/**
 * The days asked for (section 4.0): a single day; a range; `startdate` alone runs to the latest day; `enddate` alone is
 * that day; nothing is the latest day. Where the contract says that ranges are open, an end that is not given is open.
 */
function spanOf(dataset: Dataset, query: Query, latest: string | undefined): OpenRange {
  const day = named(dataset, query, 'day')
  if (day !== undefined) return { from: day, to: day }
  const from = named(dataset, query, 'from')
  const to = named(dataset, query, 'to')
  if (dataset.openRange) return { from, to }
  if (from === undefined) return { from: to ?? latest, to: to ?? latest }
  return { from, to: to ?? latest }
}

class Within implements Indexed {
  readonly #name: string
  readonly #span: OpenRange

  constructor(name: string, span: OpenRange) {
    this.#name = name
    this.#span = span
  }

  #has(day: string | null): boolean {
    const { from, to } = this.#span
    return day !== null && (from === undefined || day >= from) && (to === undefined || day <= to)
  }

  get test(): RowTest {
    return where(this.#name, (day) => this.#has(day))
  }

  holdsFor({ from, to }: ManifestPart): boolean {
    return from !== undefined && to !== undefined && this.#has(from) && this.#has(to)
  }
}

/** A condition that a day lies in a span. */
export function within(name: string, span: OpenRange): Condition {
  return new Within(name, span)
}

/** The parts that can hold days of a span. */
export function partsIn(snapshot: Snapshot, dataset: Dataset, span: OpenRange): readonly ManifestPart[] {
  return partsBetween(snapshot.parts(dataset.name), span)
}

/**
 * Days of the parts that a request touches, and the condition that picks its rows. `day`: the one that is meant where the
 * request names none.
 */
export function daysAsked(
  snapshot: Snapshot,
  dataset: Dataset,
  query: Query,
  day?: string,
): { parts: readonly ManifestPart[]; when: Condition[]; span: OpenRange } {
  const parts = snapshot.parts(dataset.name)
  if (dataset.day === undefined) return { parts, when: [], span: {} }
  const span = day === undefined ? spanOf(dataset, query, latestIn(parts)) : { from: day, to: day }
  const open = span.from === undefined && span.to === undefined
  return { parts: partsBetween(parts, span), when: open ? [] : [within(dataset.day, span)], span }
}
