import type { Table } from 'apache-arrow'
import { type DatasetName, datasetOf } from '../../contract/catalogue.js'
import type { Column, Kind } from '../../contract/column.js'
import type { Dataset } from '../../contract/dataset.js'
import { QuotebookError } from '../../contract/error.js'
import { nameHint } from '../../contract/nearest.js'
import { sentence } from '../../contract/sentence.js'
import { columnTypes, toTable } from './arrow.js'
import { declarationOf } from './declaration.js'
import { firstRepeated } from './shape.js'
import type { ColumnData } from './values.js'

/** Options for reading columns without types of their own. */
export interface Reading {
  /** Columns of this dataset are compared with the contract, strictly. */
  readonly dataset?: Dataset | DatasetName
  /** Kinds of columns by name; a cell of another kind is an error. */
  readonly kinds?: Readonly<Record<string, Kind>>
}

export function datasetIn({ dataset }: Reading): Dataset | undefined {
  return typeof dataset === 'string' ? datasetOf(dataset) : dataset
}

/** The kind that the caller wants for a column. */
export function kindIn({ kinds }: Reading, name: string): Kind | undefined {
  return kinds && Object.hasOwn(kinds, name) ? kinds[name] : undefined
}

/**
 * @throws QuotebookError INVALID_VALUE for a name that stands twice and for what is no kind, MISSING_COLUMN for a kind of
 * a column that is not there
 */
export function checkColumns(names: readonly string[], reading: Reading): void {
  for (const [name, kind] of Object.entries(reading.kinds ?? {})) {
    if (Object.hasOwn(columnTypes, kind)) continue
    const right = sentence`a kind is one of ${Object.keys(columnTypes).join(', ')}`
    throw new QuotebookError('INVALID_VALUE', sentence`kinds gives column '${name}' the kind '${kind}'; ${right}`)
  }
  const twice = firstRepeated(names)
  if (twice !== undefined) throw new QuotebookError('INVALID_VALUE', sentence`two columns are named '${twice}'`)
  const absent = Object.keys(reading.kinds ?? {}).find((name) => !names.includes(name))
  if (absent === undefined) return
  const wrong = sentence`kinds names a column '${absent}' that is not there`
  throw new QuotebookError('MISSING_COLUMN', sentence`${wrong}; ${nameHint(absent, names)}`)
}

/** What was read of a column: its cells, and its kind where one is known. */
export interface ReadColumn {
  readonly values: ColumnData
  readonly kind?: Kind | undefined
}

/** Reads every column and puts them together. */
export function readNamedColumns(
  names: readonly string[],
  length: number,
  read: (name: string, at: number) => ReadColumn,
): Table {
  const columns = new Map<string, ColumnData>()
  const declared: Record<string, Column> = Object.create(null) as Record<string, Column>
  names.forEach((name, at) => {
    const { values, kind } = read(name, at)
    columns.set(name, values)
    if (kind) declared[name] = declarationOf(kind)
  })
  return toTable({ length, columns }, declared)
}
