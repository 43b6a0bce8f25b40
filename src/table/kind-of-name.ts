import { datasets } from '../contract/catalogue.js'
import type { Kind } from '../contract/column.js'
import type { Dataset } from '../contract/dataset.js'

/** The kind a column is read by. `strict`: cells of another type are an error, not a reason to read it otherwise. */
export interface ExpectedKind {
  readonly kind: Kind
  readonly strict: boolean
}

let known: ReadonlyMap<string, Kind | undefined> | undefined

function byName(): ReadonlyMap<string, Kind | undefined> {
  const kinds = new Map<string, Kind | undefined>()
  for (const { columns, stored } of datasets as readonly Dataset[]) {
    for (const [name, { kind }] of Object.entries({ ...columns, ...stored })) {
      kinds.set(name, !kinds.has(name) || kinds.get(name) === kind ? kind : undefined)
    }
  }
  return kinds
}

/** The kind of a column name, where every dataset that has it agrees; undefined where none has it or they differ. */
export function kindOfName(name: string): ExpectedKind | undefined {
  known ??= byName()
  const kind = known.get(name)
  return kind && { kind, strict: false }
}
