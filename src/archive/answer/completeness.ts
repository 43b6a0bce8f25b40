import { calendarYears } from '../../contract/calendar.js'
import type { Query } from '../../contract/check-params.js'
import type { Dataset } from '../../contract/dataset.js'
import { dateIn } from '../../contract/date.js'
import { daysBetween } from '../../contract/day-list.js'
import { absentDaysNote } from '../../table/absent-days.js'
import type { Proof } from '../../table/provenance.js'
import { type RecordColumns, textCells } from '../../table/values.js'
import { coverageOf } from '../cache/coverage.js'
import { includes } from '../cache/day-ranges.js'
import { dayColumn } from '../merge-rows.js'
import type { ManifestPart, Snapshot } from '../snapshot.js'
import { latestIn, type OpenRange, partsBetween } from './day-conditions.js'

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
const calendarDays = daysBetween(calendar.from, calendar.to)

const known = new WeakMap<ManifestPart, ReadonlyMap<string, ReadonlySet<string>>>()

function lookAt(columns: RecordColumns, day: string, scope: string | undefined): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  const words = scope === undefined ? [] : textCells(columns, scope)
  textCells(columns, day).forEach((at, row) => {
    const word = words[row] ?? ''
    const days = found.get(word) ?? new Set()
    found.set(word, days.add(dateIn(at ?? '') ?? ''))
  })
  return found
}

/** Adds the days of a part that have rows. */
async function addDays(
  days: Set<string>,
  snapshot: Snapshot,
  dataset: Dataset,
  part: ManifestPart,
  asked: RequiredDays,
): Promise<void> {
  const { column = dayColumn(dataset) as string, scope } = asked
  if (!scope && part.from !== undefined && part.from === part.to && column === dayColumn(dataset)) {
    days.add(part.from)
    return
  }
  let all = known.get(part)
  if (!all) {
    all = lookAt(await snapshot.load(dataset.name, part), column, scope?.[0])
    known.set(part, all)
  }
  for (const day of all.get(scope?.[1] ?? '') ?? []) days.add(day)
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
  const { requiredDays: asked, missing, proof } = found
  if (!asked) return missing === undefined ? { proof: 'state' } : { note: missing }
  const parts = snapshot.parts(dataset.name)
  const from = asked.span.from ?? dataset.since ?? calendar.from
  const to = asked.span.to ?? latestIn(parts)
  if (to === undefined) return { note: `the archive holds nothing of ${dataset.name}` }
  const start = dataset.since !== undefined && from < dataset.since ? dataset.since : from
  const days = start === to ? daysBetween(start, to) : calendarDays.filter((day) => day >= start && day <= to)
  const isCovered = covers(snapshot, dataset, query, asked.scope?.[1] ?? '')
  const open = days.filter((day) => !isCovered(day))
  const isKnown = start === to || (start >= calendar.from && to <= calendar.to)
  if (open.length === 0 && isKnown && days.length > 0) return { proof: 'calendar' }
  const present = new Set<string>()
  for (const part of partsBetween(parts, { from: start, to })) await addDays(present, snapshot, dataset, part, asked)
  const absent = open.filter((day) => !present.has(day))
  if (absent.length > 0) return { absentDays: absent, note: absentDaysNote(dataset, absent) }
  if (open.length > 0 && snapshot.entry(dataset.name)?.kept) {
    return { note: `rows of ${open[0]} may be missing: only what was asked for is kept` }
  }
  if (!isKnown) return { note: `the trading calendar knows ${firstYear} to ${lastYear} only` }
  return missing === undefined ? { proof: proof ?? 'calendar' } : { note: missing }
}
