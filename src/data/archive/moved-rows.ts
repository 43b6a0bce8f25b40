import type { Dataset } from '../../contract/dataset.js'
import { type RecordColumns, textCells } from '../../frame/table/values.js'
import type { PartEntry } from './manifest-entries.js'
import { dayColumn, keyOf, storedKey } from './merge-rows.js'
import { LostFileError } from './part-file.js'
import type { ArchiveStore } from './store/archive-store.js'

/** Whether a row may come again on another day, and so belong to another file than before. */
function mayMove(dataset: Dataset): boolean {
  const day = dayColumn(dataset)
  return dataset.partition !== 'whole' && day !== undefined && !storedKey(dataset).includes(day)
}

/** Tells, by the key columns of a file, to which files its rows belong now because they come again among `fresh`, by file. */
function destinations(
  dataset: Dataset,
  fresh: ReadonlyMap<string, RecordColumns>,
): (stored: RecordColumns) => ReadonlySet<string> {
  const columns = { ...dataset.columns, ...dataset.stored }
  const id = storedKey(dataset).find((name) => columns[name]?.kind === 'id') as string
  const ids = new Set<string | null>()
  const places = new Map<string, string>()
  for (const [name, rows] of fresh) {
    const key = keyOf(dataset, rows)
    textCells(rows, id).forEach((own, row) => {
      ids.add(own)
      places.set(key(row), name)
    })
  }
  return (stored) => {
    const key = keyOf(dataset, stored)
    const found = new Set<string>()
    textCells(stored, id).forEach((own, row) => {
      const place = ids.has(own) ? places.get(key(row)) : undefined
      if (place !== undefined) found.add(place)
    })
    return found
  }
}

/** The partitions, ascending, between which rows move because their keys come again on another day. */
export async function movingBetween(
  dataset: Dataset,
  fresh: ReadonlyMap<string, RecordColumns>,
  parts: readonly PartEntry[],
  store: ArchiveStore,
): Promise<readonly string[]> {
  const names = new Set<string>()
  if (!mayMove(dataset) || parts.length === 0) return []
  const placesOf = destinations(dataset, fresh)
  for (const part of parts) {
    try {
      const places = placesOf(await store.readKeys(dataset, part))
      for (const name of places) if (name !== part.partition) names.add(name).add(part.partition)
    } catch (error) {
      // A part that is lost may give way to fresh rows of its days.
      if (!(error instanceof LostFileError && fresh.has(part.partition))) throw error
    }
  }
  return [...names].sort()
}
