import { noticedCalendar } from '../../contract/calendar.js'
import { allNames, datasetOf } from '../../contract/catalogue.js'
import type { Dataset } from '../../contract/dataset.js'
import { dateOf, dayNumber } from '../../contract/date.js'
import { afterCloseBatch } from '../../contract/shared.js'
import { calendarOf } from './answer/completeness.js'
import { latestIn } from './answer/day-conditions.js'
import type { Snapshot } from './snapshot.js'

/** The last date whose rows are due at a moment `YYYY-MM-DDTHH:MM:SS`; undefined where none ever are. */
export function lastDue({ knownAt: rule, renewed = afterCloseBatch }: Dataset, moment: string): string | undefined {
  if ('fetched' in rule) return undefined
  const date = moment.slice(0, 10).replaceAll('-', '')
  const known = 'at' in rule ? rule.at : 'minute' in rule ? '15:00:00' : '23:59:59'
  const batch = 'at' in renewed ? `${renewed.at.at(-1)}:00` : known
  const clock = moment.slice(11)
  return clock >= known && clock >= batch ? date : dateOf(dayNumber(date) - 1)
}

/** The last trading day whose prices are due by a moment. */
export function dueDay(dataset: string | undefined, moment: string): string {
  const due = lastDue(datasetOf(dataset ?? 'convertible_daily'), moment) as string
  return noticedCalendar.between(dateOf(dayNumber(due) - 30), due).at(-1) as string
}

/** The latest days of the datasets that show which trading day it is. */
const shownDays = (snapshot: Snapshot): readonly (readonly [name: string, latest: string])[] =>
  allNames().flatMap((name) => {
    const dataset: Dataset = datasetOf(name)
    const latest = dataset.everyTradingDay || dataset.load?.showsLatestDay ? latestIn(snapshot.parts(name)) : undefined
    return latest === undefined ? [] : [[name, latest] as const]
  })

/** The latest trading day that any dataset of an archive shows. */
export function latestDay(snapshot: Snapshot, shown = shownDays(snapshot)): string | undefined {
  return shown
    .map(([, latest]) => latest)
    .sort()
    .at(-1)
}

/** How far an archive reaches at a moment. */
export interface ArchiveReach {
  /** The latest trading day that it shows. */
  readonly last: string
  /** The last trading day that was due of all datasets that reach so far. */
  readonly due: string
  /** Trading days after the one, up to the other. */
  readonly missing: readonly string[]
}

/** How far an archive reaches, and which days were due since; undefined of one without days. @param moment `YYYY-MM-DDTHH:MM:SS` */
export async function archiveReach(snapshot: Snapshot, moment: string): Promise<ArchiveReach | undefined> {
  const shown = shownDays(snapshot)
  const last = latestDay(snapshot, shown)
  if (last === undefined) return undefined
  const furthest = shown.filter(([name, latest]) => latest === last && lastDue(datasetOf(name), moment))
  const [due = dueDay(undefined, moment)] = furthest.map(([name]) => dueDay(name, moment)).sort()
  if (due <= last) return { last, due, missing: [] }
  const calendar = await calendarOf(snapshot, last, due)
  return { last, due, missing: calendar.between(dateOf(dayNumber(last) + 1), due) }
}
