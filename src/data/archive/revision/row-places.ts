import type { Dataset } from '../../../contract/dataset.js'
import { dateIn } from '../../../contract/date.js'
import { cellOf, nulls, type RecordColumns, textIn } from '../../../frame/table/values.js'
import { dayColumn } from '../merge-rows.js'

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
