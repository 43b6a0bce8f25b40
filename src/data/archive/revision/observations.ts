import type { Dataset } from '../../../contract/dataset.js'
import { dateIn } from '../../../contract/date.js'
import { cellOf, nulls, type RecordColumns, textIn } from '../../../frame/table/values.js'
import { type DayRanges, daysWithout, includes, intersection, union } from '../coverage/day-ranges.js'
import type { Observation } from '../manifest-entries.js'
import { dayColumn } from '../merge-rows.js'

/** An answer that brought days. */
export interface ObservedAnswer {
  /** Beijing time at which it was there. */
  readonly at: string
  /** Beijing time at which its sync began. */
  readonly asked: string
  /** Its days can no longer change, as far as a source that mends nothing goes. */
  readonly isSettled: boolean
}

/** Rows that come again on another day, or as a part of all only: each is known by itself, not by its day. */
export function isObservedByRow({ age }: Dataset): boolean {
  return age !== undefined
}

/** The column that tells apart what is stored under a dataset. */
export function scopeColumn({ cache, snapshot, stored }: Dataset): string | undefined {
  const each = snapshot?.each
  return cache?.scope ?? (each !== undefined && stored?.[each] ? each : undefined)
}

/** The column with the day by which a row is known: of candidates the day that they were computed from. */
export function knownDayColumn(dataset: Dataset): string | undefined {
  return dataset.stored?.computed_on ? 'computed_on' : dayColumn(dataset)
}

/** All scopes of a dataset, as its declaration lists them. */
export function scopesOf(dataset: Dataset): readonly string[] {
  const name = scopeColumn(dataset)
  return name === undefined ? [''] : (dataset.params[name]?.values ?? [''])
}

/** The scope and the day by which each row is known. */
export function placeOf(dataset: Dataset, { columns }: RecordColumns): (row: number) => readonly [string, string] {
  const scope = columns.get(scopeColumn(dataset) ?? '')
  const text = textIn(columns.get(knownDayColumn(dataset) ?? '') ?? nulls('dictionary', 0))
  const days = text?.dictionary.map((word) => dateIn(word) ?? '')
  return (row) => [scope ? String(cellOf(scope, row)) : '', days?.[text?.data[row] as number] ?? '']
}

/** Records with days, those that say the same as one. */
function joined(all: readonly Observation[]): readonly Observation[] {
  const by = new Map<string, Observation>()
  for (const { days, ...ground } of all) {
    if (days.length === 0) continue
    const name = JSON.stringify([ground.at, ground.settled ?? '', ground.asked ?? '', ground.again ?? ''])
    by.set(name, { ...ground, days: union(by.get(name)?.days ?? [], days) })
  }
  return [...by].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

/** What is known of days without some of them: nobody knows since when their rows are there. */
export function withoutObservations(seen: readonly Observation[], days: DayRanges): readonly Observation[] {
  return joined(seen.map((one) => ({ ...one, days: daysWithout(one.days, days) })))
}

function laterOf(a: string, b: string): string {
  return a > b ? a : b
}

/** What an ask says of a record whose days it brought again. */
function askedAgain(one: Observation, { at, asked, isSettled }: ObservedAnswer): Observation {
  if (!isSettled) return one
  if (one.settled === undefined) return { ...one, settled: at, asked }
  return one.asked === asked ? one : { ...one, again: dateIn(asked) as string }
}

/**
 * Days that an answer brought. Those that are there already stay known from their first answer on. All that one sync settles
 * counts as settled, and what was new as known, when the last of it was there: one moment is kept for it, and none too early.
 */
export function withObservation(
  seen: readonly Observation[],
  days: DayRanges,
  ask: ObservedAnswer,
): readonly Observation[] {
  const known = seen.reduce<DayRanges>((sum, one) => union(sum, one.days), [])
  const { at, asked, isSettled } = ask
  const before = seen.flatMap((one) => [
    { ...one, days: daysWithout(one.days, days) },
    askedAgain({ ...one, days: intersection(one.days, days) }, ask),
  ])
  const fresh: Observation = { at, ...(isSettled ? { settled: at, asked } : {}), days: daysWithout(days, known) }
  const all = [...before, fresh].map((one) => {
    if (!isSettled || one.asked !== asked || one.settled === undefined) return one
    const settled = laterOf(one.settled, at)
    return { ...one, settled, at: one.at === one.settled ? settled : one.at }
  })
  return joined(all)
}

/** Days that were imported with the time at which they were asked for: nobody asks them again. */
export function withImported(seen: readonly Observation[], days: DayRanges, at: string): readonly Observation[] {
  const known = seen.reduce<DayRanges>((sum, one) => union(sum, one.days), [])
  return joined([...seen, { at, settled: at, days: daysWithout(days, known) }])
}

/** What is known of a day; undefined where nobody said. */
export function observationOf(seen: readonly Observation[], day: string): Observation | undefined {
  return seen.find(({ days }) => includes(days, day))
}

/** The days that an answer brought; with `isSettled` those that one settled. */
export function knownDays(seen: readonly Observation[] = [], isSettled = true): DayRanges {
  const own = seen.filter(({ settled }) => settled !== undefined || !isSettled)
  return own.reduce<DayRanges>((sum, { days }) => union(sum, days), [])
}

/** The days whose rows were known at a moment; those that were settled by then. */
export function observedAt(
  seen: readonly Observation[],
  moment: string,
): { readonly known: DayRanges; readonly settled: DayRanges } {
  const of = (isIt: (one: Observation) => boolean): DayRanges =>
    seen.filter(isIt).reduce<DayRanges>((sum, { days }) => union(sum, days), [])
  return {
    known: of(({ at }) => at <= moment),
    settled: of(({ settled }) => settled !== undefined && settled <= moment),
  }
}
