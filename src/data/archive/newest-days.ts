import { dateOf, dayNumber } from '../../contract/date.js'
import { daysBetween } from '../../contract/day-list.js'
import { latestIn } from './answer/day-conditions.js'
import type { DatasetEntry, Manifest } from './manifest-entries.js'

/** The newest trading day up to the last that is settled; of rows that nobody says so of, the newest that has some. */
function newestOf({ ledger = [], parts }: DatasetEntry): string | undefined {
  const settled = ledger.filter(({ symbols, proof }) => symbols === 'all' && proof !== undefined)
  const last = settled.flatMap(({ days }) => days.at(-1)?.[1] ?? [])
  const end = last.sort().at(-1)
  return end === undefined ? latestIn(parts) : (daysBetween(dateOf(dayNumber(end) - 20), end).at(-1) ?? end)
}

/** The newest settled day of each dataset of an archive, by the dataset's name; those without days are left out. */
export function newestDays({ datasets }: Manifest): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(datasets).flatMap(([name, entry]) => {
      const day = newestOf(entry)
      return day === undefined ? [] : [[name, day]]
    }),
  )
}

/** The days of each dataset that a later answer had less of, ascending, and how many rows and values that were. */
export function waitingByDataset({
  datasets,
}: Manifest): ReadonlyMap<string, { readonly days: string[]; readonly rows: number }> {
  return new Map(
    Object.entries(datasets).flatMap(([name, { waiting = {} }]) => {
      const all = Object.values(waiting).flatMap((days) => Object.entries(days))
      const rows = all.reduce((sum, [, one]) => sum + one.rows + one.cells, 0)
      return all.length === 0 ? [] : [[name, { days: [...new Set(all.map(([day]) => day))].sort(), rows }]]
    }),
  )
}
