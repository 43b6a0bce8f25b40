/*
 * Sums, means, extremes and the like of columns, rows and groups: what is missing is skipped, and nothing but missing
 * values gives a missing result, also for the sum; counts are 0 then. They are those of the verbs.
 *
 * Stock danfo has 0 for the sum of nothing, undefined for its minimum and an exception for its mean; DataFrame.sum takes
 * '000001' for 1; describe() throws on a null, apply() moves the cells behind a gap, and of several most frequent values
 * mode() has the first to appear. Now modes ascend, as in pandas.
 */
import { sentence } from '../../../contract/sentence.js'
import { aggregateCells, pickedRows } from '../../table/aggregate-cells.js'
import { oneGroup, type RowGroups } from '../../table/group-rows.js'
import { floatColumn } from '../../table/present-cells.js'
import type { ColumnData } from '../../table/values.js'
import { DataColumn } from '../data-column.js'
import { getColumns } from '../frame-store.js'
import { checkNumbers } from './arithmetic.js'
import { mapAlong } from './change-cells.js'
import {
  type Axis,
  type Cells,
  cellsAt,
  cellsOf,
  columnOf,
  DataFrame,
  frameOfCells,
  type InPlace,
  isNa,
  lengthOf,
  listsAlong,
  methods,
  numbersOf,
  range,
  refuse,
  repair,
  result,
  Series,
  storedIn,
} from './model.js'
import { order, ordered } from './pick-rows.js'

const ofNumbers = ['sum', 'mean', 'median', 'std', 'var'] as const
const extremes = ['min', 'max'] as const

export type AggregateName = (typeof ofNumbers)[number] | (typeof extremes)[number] | 'count'

/** What there is to aggregate: numbers, and for counts 1 where a cell is there. */
function measured(column: DataColumn, name: AggregateName): Float64Array {
  return name === 'count'
    ? Float64Array.from(column.cells(), (cell) => (isNa(cell) ? Number.NaN : 1))
    : numbersOf(column)
}

/** What an operation makes of the cells of each group of a column. */
export function aggregateColumn(column: DataColumn, name: AggregateName, groups: RowGroups): DataColumn {
  if (name === 'min' || name === 'max') return column.gather(pickedRows(ordered(column), '', name, groups))
  const made = aggregateCells(floatColumn(measured(column, name)), '', name, groups)
  return new DataColumn(groups.count, made, name === 'count' ? 'int32' : 'float32')
}

/** The most frequent values in ascending order. */
export function mostFrequent(cells: Cells): unknown[] {
  const counts = new Map<unknown, number>()
  for (const cell of cells) if (!isNa(cell)) counts.set(cell, (counts.get(cell) ?? 0) + 1)
  const most = [...counts.values()].reduce((a, b) => Math.max(a, b), 0)
  const modes = [...counts].flatMap(([cell, count]) => (count === most ? [cell] : []))
  return [...order(modes)].map((at) => modes[at])
}

const flag = (cell: unknown): unknown => (typeof cell === 'boolean' ? Number(cell) : isNa(cell) ? Number.NaN : cell)

const ofColumn = (column: DataColumn, name: AggregateName): unknown =>
  flag(aggregateColumn(column, name, oneGroup(column.length)).cellAt(0))

/** Of each row: the columns end to end, in groups of one row each. */
function ofRows(frame: DataFrame, name: AggregateName): ColumnData['data'] {
  const length = lengthOf(frame)
  const { list } = getColumns(frame)
  const all = new Float64Array(length * list.length)
  for (const [at, column] of list.entries()) all.set(measured(column, name), at * length)
  const of = Int32Array.from(all, (_, at) => at % length)
  return aggregateCells(floatColumn(all), '', name, { of, count: length, first: of.subarray(0, length) }).data
}

function checkAxis(frame: DataFrame, options: Axis | undefined, name: string): 0 | 1 {
  const axis = options?.axis ?? 1
  if (axis !== 0 && axis !== 1) return refuse(sentence`axis is 0 (columns) or 1 (rows), not ${String(axis)}`)
  if (name !== 'count') checkNumbers(frame, name)
  return axis
}

repair<DataFrame>(
  DataFrame.prototype,
  methods([...ofNumbers, ...extremes, 'count'] as const, (name) => {
    return function (this: DataFrame, options?: Axis): Series {
      if (checkAxis(this, options, name) === 1) return new Series([...ofRows(this, name)], { index: this.$index })
      const values = getColumns(this).list.map((column) => ofColumn(column, name))
      return new Series(values, { index: this.$columns })
    }
  }),
)

const described = ['count', 'mean', 'std', 'min', 'median', 'max', 'var'] as const

repair<DataFrame>(DataFrame.prototype, {
  /** `keep` chooses among the modes, in ascending order from 0; missing where there are no more. */
  mode(options?: Axis & { readonly keep?: number }): Series {
    const axis = checkAxis(this, options, 'mode')
    const values = listsAlong(this, axis).map((cells) => flag(mostFrequent(cells)[options?.keep ?? 0]))
    return new Series(values, { index: axis === 0 ? this.$columns : this.$index })
  },

  describe(): DataFrame {
    const names = this.$columns.filter((name) => /^(float32|int32|boolean)$/.test(columnOf(this, name).dtype))
    const facts = names.map((column) => described.map((name) => ofColumn(columnOf(this, column), name)))
    const index = described.map((name) => (name === 'var' ? 'variance' : name))
    return frameOfCells(names, facts, index, described.length)
  },

  /** The callable gets whole columns (axis 0) or rows (axis 1), gaps included; a list from it is the new column or row. */
  apply(callable: (cells: Cells) => unknown, options?: Axis): DataFrame | Series {
    const axis = options?.axis ?? 1
    const results = listsAlong(this, axis).map((cells) => callable([...cells]))
    if (!Array.isArray(results[0])) return new Series(results, { index: axis === 0 ? this.$columns : this.$index })
    const lists = results as unknown[][]
    const rows = axis === 1 ? lists : range(lists[0]?.length ?? 0).map((row) => cellsAt(lists, row))
    return new DataFrame(rows, { index: this.$index, columns: this.$columns })
  },

  applyMap(callable: (cell: unknown) => unknown, options?: InPlace): DataFrame | undefined {
    const made = mapAlong(this, 0, (cells) => cells.map((cell) => callable(cell)))
    return result(this, made, options)
  },
})

repair<Series>(
  Series.prototype,
  methods([...ofNumbers, ...extremes, 'count'] as const, (name) => {
    return function (this: Series): unknown {
      if (name !== 'count') checkNumbers(this, name)
      return ofColumn(storedIn(this), name)
    }
  }),
)

repair<Series>(Series.prototype, {
  mode(): unknown[] {
    checkNumbers(this, sentence`mode; use valueCounts`)
    return mostFrequent(cellsOf(this)).map(flag)
  },

  ...methods(['argMax', 'argMin'], (name) => {
    return function (this: Series): number {
      const column = floatColumn(numbersOf(storedIn(this)))
      return pickedRows(column, '', name === 'argMax' ? 'max' : 'min', oneGroup(lengthOf(this)))[0] as number
    }
  }),
})
