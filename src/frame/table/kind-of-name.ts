import { datasets } from '../../contract/catalogue.js'
import type { Column, Kind } from '../../contract/column.js'
import type { Dataset } from '../../contract/dataset.js'

/** The kind a column is read by. `strict`: cells of another type are an error, not a reason to read it otherwise. */
export interface ExpectedKind {
  readonly kind: Kind
  readonly strict: boolean
  /** The only words that it may be, where the datasets agree on that too. */
  readonly values?: readonly string[]
}

let known: ReadonlyMap<string, ExpectedKind | undefined> | undefined

function agreed(one: ExpectedKind | undefined, { kind, values }: Column): ExpectedKind | undefined {
  if (one?.kind !== kind) return undefined
  return one.values?.join() === values?.join() ? one : { kind, strict: false }
}

function byName(): ReadonlyMap<string, ExpectedKind | undefined> {
  const kinds = new Map<string, ExpectedKind | undefined>()
  for (const { columns, stored } of datasets as readonly Dataset[]) {
    for (const [name, column] of Object.entries({ ...columns, ...stored })) {
      const { kind, values } = column
      const own = { kind, strict: false, ...(values && { values }) }
      kinds.set(name, kinds.has(name) ? agreed(kinds.get(name), column) : own)
    }
  }
  return kinds
}

/** The kind of a column name, where every dataset that has it agrees; undefined where none has it or they differ. */
export function kindOfName(name: string): ExpectedKind | undefined {
  known ??= byName()
  return known.get(name)
}
