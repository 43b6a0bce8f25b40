/*
 * Sorting by values and by labels.
 *
 * Stock danfo sorts [10, null, -5, 20] into -5, null, 10, 20 and anything with a NaN into disorder; a Series of text comes
 * out descending when it should ascend; equal numbers change places; 'b' stands before 'C'; a frame takes five seconds for
 * 1e5 rows; one row with a label of text can not be sorted; argSort gives labels.
 *
 * Now equal values keep their order, what is missing comes last both ways, text goes by its code units ('C' before 'b'),
 * and argSort gives positions.
 */
import { floatColumn } from '../../table/present-cells.js'
import { sortRows } from '../../table/sort-rows.js'
import type { ColumnData } from '../../table/values.js'
import { DataColumn } from '../data-column.js'
import { getColumns } from '../frame-store.js'
import {
  type Cells,
  columnAt,
  DataFrame,
  type InPlace,
  inWords,
  isNa,
  refuse,
  repair,
  result,
  Series,
  storedIn,
} from './model.js'
import { pickRows } from './pick-rows.js'

interface Options extends InPlace {
  readonly ascending?: boolean
}

/** What a cell is compared by. */
function keyOf(cell: unknown): number | string {
  if (typeof cell === 'number' || typeof cell === 'string') return cell
  if (cell instanceof Date || typeof cell === 'boolean') return Number(cell)
  return refuse('lists and objects have no order')
}

/** A column in a form that has an order: dates as numbers. @throws QuotebookError INVALID_VALUE for a mixture, and for lists */
export function ordered(column: DataColumn): ColumnData {
  const { content } = column
  if (content.type !== 'cells' && content.type !== 'list') return content
  const keys = column.cells().map((cell) => (isNa(cell) ? null : keyOf(cell)))
  const isText = typeof keys.find((key) => key !== null) === 'string'
  const odd = keys.findIndex((key) => key !== null && (typeof key === 'string') !== isText)
  if (odd >= 0) refuse(`text and numbers have no order: ${inWords(column.cellAt(odd))}`)
  if (isText) return { type: 'string', data: keys as (string | null)[] }
  return floatColumn(Float64Array.from(keys, (key) => (key === null ? Number.NaN : (key as number))))
}

/** Positions in the order of the cells: stable, missing last. */
export function orderOf(column: DataColumn, ascending = true): Int32Array {
  return sortRows([{ name: '', values: ordered(column), descending: !ascending }], column.length)
}

/** The same of cells. */
export function order(data: Cells, ascending?: boolean): Int32Array {
  return orderOf(new DataColumn(data.length, { type: 'cells', data }), ascending)
}

repair<DataFrame>(DataFrame.prototype, {
  sortValues(column: string, options?: Options): DataFrame | undefined {
    const stored = getColumns(this).list[columnAt(this, column)] as DataColumn
    return result(this, pickRows(this, orderOf(stored, options?.ascending)), options)
  },

  sortIndex(options?: Options): DataFrame | undefined {
    return result(this, pickRows(this, order(this.$index, options?.ascending)), options)
  },
})

repair<Series>(Series.prototype, {
  sortValues(options?: Options): Series | undefined {
    return result(this, pickRows(this, orderOf(storedIn(this), options?.ascending)), options)
  },

  argSort(options?: Options): Series {
    const places = orderOf(storedIn(this), options?.ascending)
    return new Series([...places], { columns: ['0'], dtypes: ['int32'] })
  },
})
