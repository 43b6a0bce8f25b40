import { calendarYears } from '../../contract/calendar.js'
import type { Query } from '../../contract/check-params.js'
import type { Dataset } from '../../contract/dataset.js'
import { dateIn } from '../../contract/date.js'
import { daysBetween } from '../../contract/day-list.js'
import { absentDaysNote } from '../../table/absent-days.js'
import type { Proof } from '../../table/provenance.js'
import { textCells } from '../../table/values.js'
import { coverageOf } from '../cache/coverage.js'
import { includes } from '../cache/day-ranges.js'
import { dayColumn } from '../merge-rows.js'
import type { ManifestPart, Snapshot } from '../snapshot.js'
import { latestIn, type OpenRange, partsBetween } from './day-conditions.js'
import { memoized } from './memoized.js'

/** The days that an archive must hold for an answer to be whole. */
export interface RequiredDays {
  /** An open end is that of the service's history, or the latest day of the archive. */
  readonly span: OpenRange
  /** The column of their days, where it is not that of the files. */
  readonly column?: string
  /** What tells apart rows stored under one dataset: bars of a period, a hot list. */
  readonly scope?: readonly [column: string, word: string] | undefined
}

/** What shows that an answer is whole, or why nothing does. */
export interface AnswerCompleteness {
  readonly proof?: Proof
  readonly note?: string
  /** Trading days asked for that have no row. */
  readonly absentDays?: readonly string[]
}

const [firstYear, lastYear] = calendarYears
const calendar = { from: `${firstYear}0101`, to: `${lastYear}1231` }
let everyDay: readonly string[] | undefined
const calendarDays = (): readonly string[] => (everyDay ??= daysBetween(calendar.from, calendar.to))

/** The days with rows of a part, by what tells its rows apart; '' where nothing does. */
const daysByScope = memoized(
  async (part: ManifestPart, snapshot: Snapshot, dataset: Dataset, column: string, scope: string | undefined) => {
    const columns = await snapshot.load(dataset.name, part)
    const words = scope === undefined ? [] : textCells(columns, scope)
    const all = new Map<string, Set<string>>()
    textCells(columns, column).forEach((at, row) => {
      const days = all.get(words[row] ?? '') ?? new Set()
      all.set(words[row] ?? '', days.add(dateIn(at ?? '') ?? ''))
    })
    return all
  },
)

/** The days of a part that have rows. */
async function presentDays(
  snapshot: Snapshot,
  dataset: Dataset,
  part: ManifestPart,
  { column = dayColumn(dataset) as string, scope }: RequiredDays,
): Promise<Iterable<string>> {
  if (!scope && part.from !== undefined && part.from === part.to && column === dayColumn(dataset)) return [part.from]
  return (await daysByScope(part, snapshot, dataset, column, scope?.[0])).get(scope?.[1] ?? '') ?? []
}

/** Whether the archive says that it holds every row of a day that the query asks for. */
function covers(snapshot: Snapshot, dataset: Dataset, { symbols }: Query, scope: string): (day: string) => boolean {
  const { all, codes } = coverageOf(dataset, snapshot.entry(dataset.name), scope)
  const own = Array.isArray(symbols) ? (symbols as readonly string[]).map((code) => codes.get(code) ?? []) : undefined
  return (day) => includes(all, day) || (own?.every((spans) => includes(spans, day)) ?? false)
}

/**
 * What shows that an archive's answer is whole. The rule, for all datasets: every trading day that was asked for has rows, or
 * the manifest says that it is covered. A day that has rows counts as whole, because an import refuses replies that were cut;
 * in a cache of a service only what is covered does. What has no days is the present state.
 */
export async function proveComplete(
  snapshot: Snapshot,
  dataset: Dataset,
  query: Query,
  found: { readonly requiredDays?: RequiredDays; readonly missing?: string | undefined; readonly proof?: Proof },
): Promise<AnswerCompleteness> {
  const { requiredDays: required, missing, proof } = found
  if (!required) return missing === undefined ? { proof: 'state' } : { note: missing }
  const parts = snapshot.parts(dataset.name)
  const from = required.span.from ?? dataset.since ?? calendar.from
  const to = required.span.to ?? latestIn(parts)
  if (to === undefined) return { note: `the archive holds nothing of ${dataset.name}` }
  const start = dataset.since !== undefined && from < dataset.since ? dataset.since : from
  const days = start === to ? daysBetween(start, to) : calendarDays().filter((day) => day >= start && day <= to)
  const isCovered = covers(snapshot, dataset, query, required.scope?.[1] ?? '')
  const open = days.filter((day) => !isCovered(day))
  const isKnown = start === to || (start >= calendar.from && to <= calendar.to)
  if (open.length === 0 && isKnown && days.length > 0) return { proof: 'calendar' }
  const present = new Set<string>()
  for (const part of partsBetween(parts, { from: start, to })) {
    for (const day of await presentDays(snapshot, dataset, part, required)) present.add(day)
  }
  const absent = open.filter((day) => !present.has(day))
  if (absent.length > 0) return { absentDays: absent, note: absentDaysNote(dataset, absent) }
  if (open.length > 0 && snapshot.entry(dataset.name)?.kept) {
    return { note: `rows of ${open[0]} may be missing: only what was asked for is kept` }
  }
  if (!isKnown) return { note: `the trading calendar knows ${firstYear} to ${lastYear} only` }
  return missing === undefined ? { proof: proof ?? 'calendar' } : { note: missing }
}
