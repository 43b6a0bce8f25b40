import { datasetOf } from '../../../contract/catalogue.js'
import type { Dataset } from '../../../contract/dataset.js'
import { beijingMoment, writtenDate } from '../../../contract/date.js'
import { QuotebookError } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { gatherRows } from '../../../frame/table/gather-cells.js'
import { type ColumnData, cellOf, project, type RecordColumns, textCells } from '../../../frame/table/values.js'
import { emptyColumns, joinSlices, wholeSlice } from '../answer/row-slices.js'
import { datesIn, daysWithout, includes, intersection } from '../coverage/day-ranges.js'
import { type DaysKnown, daysKnownAt, daysOfScope, type Ledger, timedScopes, withAnswer } from '../coverage/ledger.js'
import type { DatasetEntry, Manifest, PartEntry } from '../manifest-entries.js'
import { inOrder, keyOf, span } from '../merge-rows.js'
import type { ManifestPart } from '../snapshot.js'
import { lastChanges } from './revisions.js'
import { isObservedByRow, placeOf, scopesOf } from './row-places.js'

/**
 * A moment as the archive has it, of ISO 8601 (without an offset Beijing time) or a date, which means its end.
 * @throws QuotebookError USAGE for what is none
 */
export function asOfMoment(text: string): string {
  const moment = beijingMoment(writtenDate(text) ?? text)
  if (moment !== undefined) return `${moment}+08:00`
  throw new QuotebookError('USAGE', sentence`asOf must be a date or a time such as 2026-07-30T22:00, not '${text}'`)
}

/** Said of a dataset with rows that are left out because nobody said since when they are there. */
export const untimedNote = sentence`rows of which nobody said since when they are known are left out`

const notYetNote = (name: string, since: string): Words =>
  sentence`nothing of ${name} was known at that moment: the archive knows of it since ${since.slice(0, 19).replace('T', ' ')}, Beijing time`

/** A part of an archive as it was known at a moment. */
export interface PartAsOf extends ManifestPart {
  /** A file that it comes from. */
  readonly file: string
  /** It is the file as it is. */
  readonly isWhole: boolean
  /** Its rows as they were known. */
  read(): RecordColumns | Promise<RecordColumns>
}

/** What was known of a dataset at a moment. */
export interface DatasetAsOf {
  readonly parts: readonly PartAsOf[]
  readonly entry: DatasetEntry
  /** Rows are left out because nobody said since when they are there. */
  readonly isUntimed: boolean
  /** Since when it is known, where nothing of it was known yet. */
  readonly notYet: Words | undefined
}

/** What a moment and the manifest say of a dataset, to choose its rows by. */
interface Choice {
  readonly dataset: Dataset
  readonly moment: string
  readonly ledger: Ledger
  /** Days by scope: those known by now, those known then, and those settled then. */
  readonly days: ReadonlyMap<string, DaysKnown>
}

function isIn({ days }: Choice, when: keyof DaysKnown): (scope: string, day: string) => boolean {
  return (scope, day) => includes(days.get(scope)?.[when] ?? [], day)
}

/** The rows of a part as they were known at a moment, in their order. */
function rowsAsOf(
  choice: Choice,
  live: RecordColumns | undefined,
  revised: RecordColumns | undefined,
): { readonly columns: RecordColumns; readonly isUntimed: boolean } {
  const { dataset, moment } = choice
  const [isKnown, isEverKnown] = [isIn(choice, 'known'), isIn(choice, 'ever')]
  const isByRow = isObservedByRow(dataset)
  const last = lastChanges(dataset, revised)
  const now = live ?? emptyColumns(dataset)
  const [key, place] = [keyOf(dataset, now), placeOf(dataset, now)]
  let isUntimed = false
  const stays = numbers(now.length).filter((row) => {
    const change = last.get(key(row))
    if (isByRow) isUntimed ||= change === undefined
    else {
      const [scope, day] = place(row)
      if (!isKnown(scope, day)) {
        isUntimed ||= !isEverKnown(scope, day)
        return false
      }
    }
    return change === undefined ? !isByRow : change <= moment
  })
  const own = gatherRows(now, stays)
  if (!revised) return { columns: own, isUntimed }
  const [from, until] = [textCells(revised, 'seen_from'), textCells(revised, 'seen_until')]
  const wasThere = revised.columns.get('was_there') as ColumnData
  const placeThen = placeOf(dataset, revised)
  const then = numbers(revised.length).filter(
    (row) =>
      cellOf(wasThere, row) === true &&
      (from[row] ?? '') <= moment &&
      moment < (until[row] ?? '') &&
      (isByRow || isKnown(...placeThen(row))),
  )
  if (then.length === 0) return { columns: own, isUntimed }
  const names = [...emptyColumns(dataset).columns.keys()]
  const both = [project(own, names), project(gatherRows(revised, then), names)]
  return { columns: inOrder(dataset, joinSlices(dataset, both.map(wholeSlice))), isUntimed }
}

function numbers(length: number): number[] {
  return Array.from({ length }, (_, i) => i)
}

/** How the files of a state are read. */
type Load = (dataset: Dataset, part: PartEntry) => RecordColumns | Promise<RecordColumns>

/** A part that no row of is to be looked at: all of it was known, or none of it, though later. */
function atOnce(choice: Choice, live: PartEntry, scopes: readonly string[]): 'all' | 'none' | undefined {
  const { dataset, days: byScope } = choice
  const { from, to } = live
  if (isObservedByRow(dataset) || from === undefined || to === undefined || dataset.stored?.computed_on)
    return undefined
  const isLacking = (when: keyof DaysKnown): boolean =>
    scopes.some((scope) => daysWithout([[from, to]], byScope.get(scope)?.[when] ?? []).length > 0)
  if (!isLacking('known')) return 'all'
  const isLater = scopes.every((scope) => intersection([[from, to]], byScope.get(scope)?.known ?? []).length === 0)
  return isLater && !isLacking('ever') ? 'none' : undefined
}

/** What was covered, what could still change, and nothing that is said of the present. */
function entryAsOf({ dataset, moment, ledger, days: byScope }: Choice, { partial, kept }: DatasetEntry): DatasetEntry {
  const then = [...byScope].reduce<Ledger>((sum, [scope, { known, settled }]) => {
    const days = intersection(settled, daysOfScope(ledger, scope).all)
    const open = isObservedByRow(dataset) ? [] : datesIn(daysWithout(known, settled))
    const unsettled = Object.fromEntries(open.map((day) => [day, moment]))
    return withAnswer(sum, { scope, symbols: 'all', days, unsettled })
  }, [])
  return {
    parts: [],
    ...(then.length > 0 && { ledger: then }),
    ...(partial && { partial }),
    ...(kept && { kept: { contract: kept.contract, from: kept.from, ...(kept.since && { since: kept.since }) } }),
  }
}

/**
 * What was known of a dataset at a moment: rows of days that had been asked for by then, as they stood. Reads the files that
 * have rows of both kinds, and those with revisions.
 */
export async function datasetAsOf(name: string, entry: DatasetEntry, moment: string, load: Load): Promise<DatasetAsOf> {
  const dataset: Dataset = datasetOf(name)
  const { ledger = [] } = entry
  const days = new Map(timedScopes(ledger).map((scope) => [scope, daysKnownAt(ledger, scope, moment)]))
  const choice: Choice = { dataset, moment, ledger, days }
  const scopes = scopesOf(dataset)
  const parts: PartAsOf[] = []
  const since = choice.ledger.flatMap(({ at }) => at ?? [])
  let isUntimed = false
  const names = [...new Set([...entry.parts, ...(entry.revised ?? [])].map(({ partition }) => partition))].sort()
  for (const partition of names) {
    const live = entry.parts.find((part) => part.partition === partition)
    const revised = entry.revised?.find((part) => part.partition === partition)
    const known = live && !revised ? atOnce(choice, live, scopes) : undefined
    if (known === 'none') continue
    if (live && known === 'all') {
      parts.push({ ...live, isWhole: true, read: () => load(dataset, live) })
      continue
    }
    const both = async () => [live && (await load(dataset, live)), revised && (await load(dataset, revised))] as const
    const [now, then] = await both()
    const found = rowsAsOf(choice, now, then)
    isUntimed ||= found.isUntimed
    if (then && isObservedByRow(dataset))
      for (const until of textCells(then, 'seen_until')) if (until !== null) since.push(until)
    const rows = found.columns.length
    const { file } = (live ?? revised) as PartEntry
    const read = async (): Promise<RecordColumns> => rowsAsOf(choice, ...(await both())).columns
    if (rows > 0) parts.push({ partition, rows, ...span(dataset, found.columns), file, isWhole: false, read })
  }
  const first = since.sort()[0]
  const notYet = first === undefined || first <= moment ? undefined : notYetNote(name, first)
  return { parts, entry: entryAsOf(choice, entry), isUntimed, notYet }
}

/** @throws QuotebookError ARCHIVE where nothing says since when any rows are known */
export function checkTimed(dir: string, { datasets }: Manifest): void {
  if (Object.values(datasets).some(({ ledger, revised }) => revised || timedScopes(ledger).length > 0)) return
  const why = sentence`no part of it was synced, or imported with the time at which it was asked for`
  throw new QuotebookError('ARCHIVE', sentence`${dir} does not tell what was known at a moment: ${why}`)
}
