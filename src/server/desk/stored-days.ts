import { type DatasetName, datasetOf } from '../../contract/catalogue.js'
import { usualParts } from '../../data/archive/answer/day-conditions.js'
import { type RowsByDay, rowsOfPart, rowsOfParts } from '../../data/archive/part-days.js'
import type { DeskVisit } from './desk-visit.js'

/** Rows of a dataset in the archive, by scope and day. */
export function storedRows({ market, once }: DeskVisit, name: string): Promise<RowsByDay> {
  const { archive } = market
  if (!archive) return Promise.resolve(new Map())
  return once(`rows ${name}`, () =>
    archive.read((snapshot) =>
      rowsOfParts(usualParts(snapshot.parts(name)), (part) => rowsOfPart(part, snapshot, datasetOf(name))),
    ),
  )
}

/** The days of which the archive has rows of a dataset, ascending. */
export async function storedDays(visit: DeskVisit, name: DatasetName): Promise<readonly string[]> {
  const rows = await storedRows(visit, name)
  const days = [...rows.values()].flatMap((one) => [...one.keys()])
  return [...new Set(days)].filter((day) => day !== '').sort()
}
