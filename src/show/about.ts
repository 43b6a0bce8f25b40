import type { Field } from 'apache-arrow'
import { datasets } from '../contract/catalogue.js'
import type { Column } from '../contract/column.js'
import type { Dataset } from '../contract/dataset.js'

/** What is known of a column beside its cells. */
export interface About {
  readonly name: string
  readonly kind?: string
  readonly unit?: string
  readonly meaning?: string
  /** A credential: shown as dots. */
  readonly secret: boolean
}

let declared: ReadonlyMap<string, readonly Column[]> | undefined

function declarationsOf(name: string): readonly Column[] {
  if (!declared) {
    const all = new Map<string, Column[]>()
    for (const { columns, stored } of datasets as readonly Dataset[]) {
      for (const [key, column] of Object.entries({ ...columns, ...stored })) {
        const known = all.get(key)
        if (known) known.push(column)
        else all.set(key, [column])
      }
    }
    declared = all
  }
  return declared.get(name) ?? []
}

function agreed<K extends 'kind' | 'unit' | 'meaning'>(columns: readonly Column[], key: K): Column[K] | undefined {
  const first = columns[0]?.[key]
  return columns.every((column) => column[key] === first) ? first : undefined
}

/**
 * What the contract says of a column name, as far as every dataset that has it says the same. A name is secret when
 * every dataset that has it marks it so: a frame does not know which dataset it is of.
 */
export function aboutName(name: string): About {
  const columns = declarationsOf(name)
  const [kind, unit, meaning] = [agreed(columns, 'kind'), agreed(columns, 'unit'), agreed(columns, 'meaning')]
  return {
    name,
    ...(kind === undefined ? {} : { kind }),
    ...(unit === undefined ? {} : { unit }),
    ...(meaning === undefined ? {} : { meaning }),
    secret: columns.length > 0 && columns.every((column) => column.secret === true),
  }
}

/** What a field of a table says of itself; secret by its dataset, or by its name as in `aboutName`. */
export function aboutField(field: Field, dataset: string | undefined): About {
  const name = String(field.name)
  const said = (key: string): string | undefined => field.metadata.get(key)
  const [kind, unit, meaning] = [said('kind'), said('unit'), said('meaning')]
  const columns = (datasets as readonly Dataset[]).find((one) => one.name === dataset)?.columns
  const own = columns && Object.hasOwn(columns, name) ? columns[name] : undefined
  return {
    name,
    kind: kind && kind !== 'extra' ? kind : String(field.type),
    ...(unit === undefined ? {} : { unit }),
    ...(meaning === undefined ? {} : { meaning }),
    secret: own?.secret === true || aboutName(name).secret,
  }
}

/** Kind, unit and meaning in a line; empty when nothing is known. */
export function told({ kind, unit, meaning }: About): string {
  const type = [kind, unit].filter((part) => part !== undefined).join(', ')
  return [type, meaning].filter((part) => part).join(': ')
}
