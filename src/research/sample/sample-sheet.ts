import { type Catalogue, type DatasetName, datasetOf } from '../../contract/catalogue.js'
import type { Cell, Column } from '../../contract/column.js'
import type { Day } from './sample-days.js'
import type { Sample } from './sample-plan.js'

type Cells<S> = { -readonly [K in keyof S]: S[K] extends Column ? Cell<S[K]> : never }
type Stored<D> = D extends { readonly stored: infer S } ? Cells<S> : unknown

/** A whole row of a dataset: the columns of every mode, and the stored ones. */
export type WholeRow<N extends DatasetName> = Cells<Catalogue[N]['columns']> & Stored<Catalogue[N]>

/** How one dataset is made: the days that it has rows for, and the rows of any of them. */
export interface Sheet {
  readonly dataset: DatasetName
  /** Made at once, because the rows of a day depend on other days; otherwise by the catalogue's `partition`. */
  readonly isWhole?: true
  /** Days with rows, ascending. */
  days(sample: Sample): readonly Day[]
  /** Rows of some of these days, cells in the order of `fieldsOf`, in the order of the contract. */
  rows(sample: Sample, days: readonly Day[]): unknown[][]
}

/** Columns of a row: those of the wire, then the stored ones. */
export function fieldsOf(name: DatasetName): string[] {
  const dataset = datasetOf(name)
  return [...Object.keys(dataset.columns), ...Object.keys(dataset.stored ?? {})]
}

/** Columns that order a batch: the contract's order, then its key and the stored keys to settle ties. */
function orderOf(name: DatasetName): string[] {
  const dataset = datasetOf(name)
  const stored = Object.entries(dataset.stored ?? {}).flatMap(([column, about]) => (about.key ? [column] : []))
  return [...dataset.order, ...dataset.key, ...stored]
}

/** -1, 0 or 1 of two cells; null comes last whatever the direction. */
function compare(a: unknown, b: unknown, sign: number): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return (a as string | number) < (b as string | number) ? -sign : sign
}

/** A sheet whose rows are given as objects, in any order. */
export function sheetOf<N extends DatasetName>(
  name: N,
  days: Sheet['days'],
  rows: (sample: Sample, days: readonly Day[]) => Iterable<WholeRow<N>>,
): Sheet {
  return { dataset: name, days, rows: (sample, own) => sortedCells(name, rows(sample, own)) }
}

/** Rows as sorted arrays of cells. */
function sortedCells<N extends DatasetName>(name: N, rows: Iterable<WholeRow<N>>): unknown[][] {
  const fields = fieldsOf(name)
  const order = orderOf(name).map((text) => {
    const field = text.replace(/^-/, '')
    return { at: fields.indexOf(field), sign: field === text ? 1 : -1 }
  })
  const cells = Array.from(rows, (row) => fields.map((field) => (row as Record<string, unknown>)[field]))
  return cells.sort((a, b) => {
    for (const { at, sign } of order) {
      const way = compare(a[at], b[at], sign)
      if (way !== 0) return way
    }
    return 0
  })
}

/** The same with all rows at once, because the rows of a day depend on other days. */
export function wholeSheetOf<N extends DatasetName>(...sheet: Parameters<typeof sheetOf<N>>): Sheet {
  return { ...sheetOf(...sheet), isWhole: true }
}
