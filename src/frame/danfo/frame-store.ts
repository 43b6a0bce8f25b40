/*
 * What stands behind every frame and every Series: its columns (a Series has one), and the labels of its rows. danfo's own
 * fields `$data` and `$index` are made of it when they are asked for.
 *
 * Rows that were handed out are the caller's to write to, as in danfo, now or later. So the frame holds them as long as it lives,
 * or until its columns are put in place by a method; whoever reads columns compares them with the rows first, and takes over what
 * was written. What is made for use within danfo alone is not handed out.
 */

import { QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { type Cells, columnOfCells, type DataColumn, isNa, rowsOfColumns } from './data-column.js'

export type Label = string | number

/** Columns of equal length. `length` says how many rows there are when there is no column. */
export class DataColumns {
  readonly list: readonly DataColumn[]
  readonly length: number

  constructor(list: readonly DataColumn[], length = list[0]?.length ?? 0) {
    this.list = list
    this.length = length
  }
}

/** Rows of a frame, or the cells of a Series, that somebody may write to. */
type Rows = unknown[]

interface Store {
  columns: DataColumns
  /** Undefined where rows are numbered from 0. */
  index: readonly Label[] | undefined
  /** Rows that were handed out. */
  handed: Rows | undefined
}

/** The members of a frame or a Series that are read here. */
interface Owner {
  readonly $isSeries: boolean
  readonly $columns: readonly string[]
}

const stores = new WeakMap<Owner, Store>()
const none = new DataColumns([], 0)

function storeOf(owner: Owner): Store {
  let store = stores.get(owner)
  if (!store) {
    store = { columns: none, index: undefined, handed: undefined }
    stores.set(owner, store)
  }
  return store
}

/** The cells at one place of rows; undefined where all are those of the column. */
function written(rows: Rows, at: number | undefined, column: DataColumn): unknown[] | undefined {
  const before = column.cells()
  let changed = false
  const cells = rows.map((row, i) => {
    const cell: unknown = at === undefined ? row : (row as Cells)[at]
    if (cell !== before[i] && !(isNa(cell) && isNa(before[i]))) changed = true
    return cell
  })
  return changed ? cells : undefined
}

function checkRows(rows: Rows, { $isSeries, $columns }: Owner, length: number): void {
  const refuse = (wrong: Words): never => {
    throw new QuotebookError(
      'INVALID_VALUE',
      sentence`${wrong}; make a new ${$isSeries ? 'Series' : 'DataFrame'} of them`,
    )
  }
  if (rows.length !== length) refuse(sentence`the values were ${length} and are ${rows.length} now`)
  if ($isSeries) return
  const odd = rows.findIndex((row) => !Array.isArray(row) || row.length !== $columns.length)
  if (odd !== -1) refuse(sentence`row ${odd + 1} of the values has no longer ${$columns.length} cells`)
}

/** Takes over what was written to rows that had been handed out. */
function takeWritten(owner: Owner, store: Store): void {
  const { handed: rows } = store
  if (!rows) return
  checkRows(rows, owner, store.columns.length)
  const { list, length } = store.columns
  const changed = list.map((column, at) => {
    const cells = written(rows, owner.$isSeries ? undefined : at, column)
    return cells ? columnOfCells(cells, column.dtype) : column
  })
  if (changed.some((column, at) => column !== list[at])) store.columns = new DataColumns(changed, length)
}

/** The columns of a frame, or the one of a Series. */
export function getColumns(owner: object): DataColumns {
  const store = storeOf(owner as Owner)
  takeWritten(owner as Owner, store)
  return store.columns
}

/** Puts columns in the place of others; rows that were handed out before are the frame's no longer. */
export function setColumns(owner: object, columns: DataColumns): void {
  const store = storeOf(owner as Owner)
  store.columns = columns
  store.handed = undefined
}

/** danfo's words for the types of the columns. */
export function dtypesOf(owner: object): string[] {
  return storeOf(owner as Owner).columns.list.map(({ dtype }) => dtype)
}

/** How many rows there are. */
export function lengthOf(owner: object): number {
  return storeOf(owner as Owner).columns.length
}

/** Rows of a frame, or cells of a Series, for a caller who may keep them and write to them. */
export function handOut(owner: object): unknown[] {
  const { $isSeries } = owner as Owner
  const store = storeOf(owner as Owner)
  if (store.handed) return store.handed
  const { list, length } = store.columns
  const rows = $isSeries ? [...(list[0]?.cells() ?? [])] : rowsOfColumns(list, length)
  store.handed = rows
  return rows
}

/** The labels of the rows; undefined where they are numbered from 0. */
export function getLabels(owner: object): readonly Label[] | undefined {
  return storeOf(owner as Owner).index
}

export function setLabels(owner: object, labels: readonly Label[] | undefined): void {
  storeOf(owner as Owner).index = labels
}
