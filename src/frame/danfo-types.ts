import type { ColumnContent } from './table/values.js'

/** A column of a frame as the bundle keeps it: never written to, so it may be shared (src/frame/danfo/data-column.ts). */
export interface ColumnOfFrame {
  readonly length: number
  readonly content: ColumnContent
  /** danfo's word for the type of its cells. */
  readonly dtype: string
  /** What was known of the column when it was made; it stays where cells are moved, and goes where they are computed. */
  readonly about: unknown
  cellAt(row: number): unknown
  cells(): readonly unknown[]
}

/** The columns of a frame, or the one of a Series. */
export interface ColumnsOfFrame {
  readonly list: readonly ColumnOfFrame[]
  readonly length: number
}

/** What the bundle has besides danfo (src/frame/danfo/frame-store.ts). */
export interface ColumnStore {
  readonly DataColumns: new (list: readonly ColumnOfFrame[], length: number) => ColumnsOfFrame
  readonly DataColumn: new (
    length: number,
    content: ColumnOfFrame['content'] | (() => ColumnOfFrame['content']),
    dtype: string,
    about?: unknown,
  ) => ColumnOfFrame
  getColumns(data: object): ColumnsOfFrame
  /** The labels of the rows; undefined where they are numbered from 0. */
  getLabels(data: object): readonly (string | number)[] | undefined
}

export type { DataFrame, Series } from '#danfo'
