import type { Column, Kind } from '../contract/column.js'

/** What is known of a column that no dataset declares. */
export function declarationOf(kind: Kind): Column {
  return { kind, nullable: true, meaning: 'not in the contract' }
}
