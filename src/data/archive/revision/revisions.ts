import type { Column } from '../../../contract/column.js'
import type { Dataset } from '../../../contract/dataset.js'
import { columnTypeOf } from '../../../frame/table/arrow.js'
import { gatherCells, gatherRows } from '../../../frame/table/gather-cells.js'
import {
  type ColumnData,
  cellOf,
  concatCells,
  nulls,
  type RecordColumns,
  textCells,
} from '../../../frame/table/values.js'
import { type DayRanges, rangesOfDays } from '../coverage/day-ranges.js'
import type { DayRecord } from '../manifest-entries.js'
import { codesOf, dayColumn, keyOf, storedKey } from '../merge-rows.js'
import { countByDay, type RowsByDay } from '../part-days.js'
import { isObservedByRow, placeOf } from './row-places.js'

/** What is kept beside a row that gave way, or that was not there yet. */
const own: Readonly<Record<string, Column>> = {
  seen_from: { kind: 'label', meaning: 'From which moment on it was so, Beijing time; empty: from the beginning.' },
  seen_until: { kind: 'label', meaning: 'The moment at which it was found to be otherwise.' },
  was_there: { kind: 'boolean', meaning: 'The row was there as it stands; else there was none with its key.' },
  was_settled: { kind: 'boolean', meaning: 'Its day counted as settled.' },
}

/** The columns of a file of revisions. Of a row that was not there it has the key alone. */
export function revisionColumns(dataset: Dataset): Readonly<Record<string, Column>> {
  const stored = Object.entries({ ...dataset.columns, ...dataset.stored })
  return { ...Object.fromEntries(stored.map(([name, column]) => [name, { ...column, nullable: true }])), ...own }
}

/** A row that is not the same in every column before and after a change. */
interface RowChange {
  /** Its place among the rows before and, behind them, those after: of one that was there before, before. */
  readonly row: number
  readonly wasThere: boolean
  readonly key: () => string
  /** The scope and the day by which it is known. */
  readonly place: readonly [scope: string, day: string]
}

function changesBetween(dataset: Dataset, { before, after }: ChangedRows): readonly RowChange[] {
  const { sides, size } = codesOf(before, after, storedKey(dataset))
  const [codesBefore, codesAfter] = sides as [Int32Array, Int32Array]
  const places = new Int32Array(size).fill(-1)
  codesBefore.forEach((code, row) => {
    places[code] = row
  })
  const columns = [...before.columns].map(([name, values]) => [values, after.columns.get(name) as ColumnData] as const)
  const isSame = (a: number, b: number): boolean =>
    columns.every(([x, y]) => {
      const [one, other] = [cellOf(x, a), cellOf(y, b)]
      return one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other))
    })
  const changed: number[] = []
  const isLeft = new Uint8Array(before.length).fill(1)
  codesAfter.forEach((code, row) => {
    const old = places[code] as number
    if (old >= 0) isLeft[old] = 0
    if (old < 0 || !isSame(old, row)) changed.push(old >= 0 ? old : before.length + row)
  })
  isLeft.forEach((left, row) => {
    if (left === 1) changed.push(row)
  })
  const told = [before, after].map((rows) => [keyOf(dataset, rows), placeOf(dataset, rows)] as const)
  return changed.map((row): RowChange => {
    const wasThere = row < before.length
    const own = wasThere ? row : row - before.length
    const [key, place] = told[wasThere ? 0 : 1] as (typeof told)[0]
    return { row, wasThere, key: () => key(own), place: place(own) }
  })
}

/** A partition's rows before and after a change. */
export interface ChangedRows {
  readonly before: RecordColumns
  readonly after: RecordColumns
}

/** What is known of the rows of a partition before they change. */
export interface KnownRows {
  /** The revisions that it has already. */
  readonly earlier: RecordColumns | undefined
  /** Since when a day is known, by scope. */
  readonly recordOf: (scope: string, day: string) => DayRecord | undefined
}

/** The last moment at which the row of a key changed. */
export function lastChanges(dataset: Dataset, revised: RecordColumns | undefined): ReadonlyMap<string, string> {
  const last = new Map<string, string>()
  if (!revised) return last
  const key = keyOf(dataset, revised)
  textCells(revised, 'seen_until').forEach((until, row) => {
    const name = key(row)
    if ((until ?? '') > (last.get(name) ?? '')) last.set(name, until as string)
  })
  return last
}

interface Revision {
  /** Its place among the rows before and, behind them, those after. */
  readonly row: number
  readonly from: string
  readonly isThere: boolean
  readonly isSettled: boolean
}

/**
 * What was so up to a moment: rows that are others now or are gone, and that a row was not there. Nothing of days, or rows,
 * of which nobody knows since when they are there; of a row that is known by itself at least that it was not.
 */
export function revisionsOf(
  dataset: Dataset,
  changed: ChangedRows,
  { earlier, recordOf }: KnownRows,
  until: string,
): RecordColumns | undefined {
  const changes = changesBetween(dataset, changed)
  const last = lastChanges(dataset, earlier)
  const revisions = changes.flatMap(({ row, wasThere, key, place }): Revision[] => {
    if (isObservedByRow(dataset)) {
      const since = last.get(key())
      const isThere = wasThere && since !== undefined
      return [{ row, from: since ?? '', isThere, isSettled: isThere }]
    }
    const { at, settled } = recordOf(...place) ?? {}
    if (at === undefined) return []
    const since = last.get(key())
    const from = since !== undefined && since > at ? since : at
    return [{ row, from, isThere: wasThere, isSettled: settled !== undefined }]
  })
  const kept = revisions.filter(({ from }) => from < until)
  return kept.length === 0 ? undefined : columnsOfRevisions(dataset, changed, kept, until)
}

function columnsOfRevisions(
  dataset: Dataset,
  { before, after }: ChangedRows,
  all: readonly Revision[],
  until: string,
): RecordColumns {
  const total = before.length + after.length
  const rows = all.map(({ row }) => row)
  const shown = all.map(({ row, isThere }) => (isThere ? row : total))
  const always = new Set([...storedKey(dataset), dayColumn(dataset), ...Object.keys(dataset.stored ?? {})])
  const columns = new Map<string, ColumnData>()
  for (const [name, { kind }] of Object.entries({ ...dataset.columns, ...dataset.stored })) {
    const form = columnTypeOf(kind)
    const cells = [before, after].map((side) => side.columns.get(name) ?? nulls(form, side.length))
    columns.set(name, gatherCells(concatCells([...cells, nulls(form, 1)]), always.has(name) ? rows : shown))
  }
  const truth = (of: (one: Revision) => boolean): ColumnData => ({
    type: 'boolean',
    data: Uint8Array.from(all, (one) => (of(one) ? 1 : 0)),
    valid: null,
  })
  const words = [...new Set(all.map(({ from }) => from))]
  const froms = Int32Array.from(all, ({ from }) => words.indexOf(from))
  columns.set('seen_from', { type: 'dictionary', data: froms, dictionary: words })
  columns.set('seen_until', { type: 'dictionary', data: new Int32Array(all.length), dictionary: [until] })
  const wasThere = truth(({ isThere }) => isThere)
  const wasSettled = truth(({ isSettled }) => isSettled)
  columns.set('was_there', wasThere).set('was_settled', wasSettled)
  return { length: all.length, columns }
}

/** The days, by scope, of rows that changed. */
export function daysOfChanges(dataset: Dataset, rows: ChangedRows): ReadonlyMap<string, DayRanges> {
  const found = new Map<string, Set<string>>()
  for (const { place } of changesBetween(dataset, rows)) {
    const [scope, day] = place
    found.set(scope, (found.get(scope) ?? new Set()).add(day))
  }
  return new Map([...found].map(([scope, days]) => [scope, rangesOfDays([...days].filter((day) => day !== ''))]))
}

/** The revisions that there are already, of rows that did not change. */
export function remainingRevisions(dataset: Dataset, earlier: RecordColumns, rows: ChangedRows): RecordColumns {
  const changed = new Set(changesBetween(dataset, rows).map((change) => change.key()))
  const key = keyOf(dataset, earlier)
  return gatherRows(
    earlier,
    rowsWhere(earlier.length, (row) => !changed.has(key(row))),
  )
}

function rowsWhere(length: number, test: (row: number) => boolean): readonly number[] {
  return Array.from({ length }, (_, row) => row).filter(test)
}

/** The revisions of settled days, and of rows known by themselves: not those of a day that went on. */
export function settledRevisions({ length, columns }: RecordColumns): readonly number[] {
  const settled = columns.get('was_settled') as ColumnData
  return rowsWhere(length, (row) => cellOf(settled, row) === true)
}

/** How many they are by scope and day. */
export function countSettled(dataset: Dataset, revised: RecordColumns): RowsByDay {
  return countByDay(dataset, gatherRows(revised, settledRevisions(revised)))
}
