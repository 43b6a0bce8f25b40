import type { Dataset } from '../../contract/dataset.js'
import { groupSizes } from '../../frame/table/aggregate-cells.js'
import { groupRows } from '../../frame/table/group-rows.js'
import type { ColumnData, RecordColumns } from '../../frame/table/values.js'
import { memoized } from './answer/memoized.js'
import type { PartEntry } from './manifest-entries.js'
import { knownDayColumn, placeOf, scopeColumn } from './revision/row-places.js'
import type { ManifestPart, Snapshot } from './snapshot.js'

/** Rows by scope and day; '' where a row has none. */
export type RowsByDay = ReadonlyMap<string, ReadonlyMap<string, number>>

function keyColumns(dataset: Dataset): string[] {
  return [scopeColumn(dataset), knownDayColumn(dataset)].flatMap((name) => name ?? [])
}

/** A part of one day, or without days, whose rows nothing tells apart. */
function isOneDay(dataset: Dataset, { from, to }: Pick<ManifestPart, 'from' | 'to'>): boolean {
  const isPlain = scopeColumn(dataset) === undefined
  return isPlain && (knownDayColumn(dataset) === undefined || (from !== undefined && from === to))
}

/** Rows by scope and day, as they show. */
export function countByDay(dataset: Dataset, columns: RecordColumns): RowsByDay {
  const keys = keyColumns(dataset).map((name) => ({ name, values: columns.columns.get(name) as ColumnData }))
  const found = new Map<string, Map<string, number>>()
  if (keys.length === 0 || columns.length === 0) return found
  const groups = groupRows(keys)
  const [place, sizes] = [placeOf(dataset, columns), groupSizes(groups)]
  for (const [group, row] of groups.first.entries()) {
    const [scope, day] = place(row)
    const days = found.get(scope) ?? new Map<string, number>()
    found.set(scope, days.set(day, (days.get(day) ?? 0) + (sizes[group] as number)))
  }
  return found
}

/** Rows by day as an entry of the manifest has them. */
export function daysEntry(rows: RowsByDay): NonNullable<PartEntry['days']> {
  const entries = [...rows].map(([scope, days]) => {
    const sorted = [...days].sort(([a], [b]) => (a < b ? -1 : 1))
    return [scope, sorted.map(([day, count]) => `${day}:${count}`).join(' ')] as const
  })
  return Object.fromEntries(entries)
}

/** The same of a part, where its range does not say it. */
export function daysOfRows(
  dataset: Dataset,
  columns: RecordColumns,
  range: Pick<ManifestPart, 'from' | 'to'>,
): Pick<PartEntry, 'days'> {
  return isOneDay(dataset, range) ? {} : { days: daysEntry(countByDay(dataset, columns)) }
}

/** Rows by day of an entry of the manifest. */
export const parsedDays = memoized((days: NonNullable<PartEntry['days']>): RowsByDay => {
  const scopes = Object.entries(days).map(([scope, text]) => {
    const list = text.split(' ').map((one): [string, number] => {
      const [day = '', rows] = one.split(':')
      return [day, Number(rows)]
    })
    return [scope, new Map(list)] as const
  })
  return new Map(scopes)
})

/** What the manifest says of the rows of a part; undefined where it was written before it said so. */
function toldDays(dataset: Dataset, part: ManifestPart): RowsByDay | undefined {
  if (part.days) return parsedDays(part.days)
  return isOneDay(dataset, part) ? new Map([['', new Map([[part.from ?? '', part.rows]])]]) : undefined
}

/** Rows of a part by scope and day: as the manifest says, or as the part shows. */
export const rowsOfPart = memoized(
  async (part: ManifestPart, snapshot: Snapshot, dataset: Dataset): Promise<RowsByDay> =>
    toldDays(dataset, part) ?? countByDay(dataset, await snapshot.load(dataset.name, part)),
)

/** Rows of some parts by scope and day. */
export async function rowsOfParts<P extends ManifestPart>(
  parts: readonly P[],
  rowsOf: (part: P) => RowsByDay | Promise<RowsByDay>,
): Promise<RowsByDay> {
  const found = new Map<string, Map<string, number>>()
  for (const part of parts) {
    for (const [scope, days] of await rowsOf(part)) {
      const own = found.get(scope) ?? new Map<string, number>()
      found.set(scope, own)
      for (const [day, rows] of days) own.set(day, (own.get(day) ?? 0) + rows)
    }
  }
  return found
}
