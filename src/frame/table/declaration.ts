import type { Field } from 'apache-arrow'
import type { Column, Kind } from '../../contract/column.js'
import { columnTypes } from './arrow.js'

/** What is known of a column that no dataset declares. */
export function declarationOf(kind: Kind): Column {
  return { kind, nullable: true, meaning: 'not in the contract' }
}

/** What the field of a table says of its column; undefined when it says nothing. */
export function declarationIn({ metadata, nullable }: Field): Column | undefined {
  const [kind, unit, meaning] = ['kind', 'unit', 'meaning'].map((key) => metadata.get(key))
  // A table from elsewhere may say of its columns what it likes.
  if (kind === undefined || !Object.hasOwn(columnTypes, kind)) return undefined
  return { kind: kind as Kind, meaning: meaning ?? '', ...(unit && { unit }), ...(nullable && { nullable }) }
}

/** The same column where cells may be missing. */
export function asNullable(declaration: Column | undefined): Column | undefined {
  return declaration && { ...declaration, nullable: true }
}
