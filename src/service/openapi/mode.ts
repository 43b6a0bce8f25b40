import type { Column } from '../../contract/column.js'
import type { Dataset } from '../../contract/dataset.js'

export interface Mode {
  /** What the names of its schemas carry; empty where the operation has one mode only. */
  readonly name: '' | 'Latest' | 'History'
  readonly columns: Readonly<Record<string, Column>>
}

/** The modes of an operation with the columns of each: one, or two for `hotstock`. */
export function modesOf({ columns }: Dataset): readonly Mode[] {
  const entries = Object.entries(columns)
  if (!entries.some(([, { mode }]) => mode)) return [{ name: '', columns }]
  const inMode = (wanted: 'latest' | 'history'): Readonly<Record<string, Column>> =>
    Object.fromEntries(entries.filter(([, { mode = wanted }]) => mode === wanted))
  return [
    { name: 'Latest', columns: inMode('latest') },
    { name: 'History', columns: inMode('history') },
  ]
}
