/*
 * Sums, means, extremes and the like of columns, rows and groups: what is missing is skipped, and nothing but missing
 * values gives a missing result, also for the sum; counts are 0 then.
 *
 * Stock danfo has 0 for the sum of nothing, undefined for its minimum and an exception for its mean; DataFrame.sum takes
 * '000001' for 1; describe() throws on a null, apply() moves the cells behind a gap, and of several most frequent values
 * mode() has the first to appear. Now modes ascend, as in pandas.
 */
import { median } from 'simple-statistics'
import { mean, mode, std, sum, variance } from '../statistics.js'
import { mapAlong } from './change-cells.js'
import {
  type Axis,
  type Cells,
  cellsOf,
  columnsToRows,
  DataFrame,
  frameOf,
  type InPlace,
  isNa,
  labelledColumns,
  listsAlong,
  methods,
  numberOf,
  refuse,
  repair,
  result,
  Series,
} from './model.js'
import { order } from './sorting.js'

function extreme(cells: Cells, ascending: boolean): unknown {
  let best: unknown
  for (const cell of cells) {
    if (isNa(cell)) continue
    if (best === undefined || (ascending ? (cell as number) < (best as number) : (cell as number) > (best as number)))
      best = cell
  }
  return best ?? Number.NaN
}

const numeric =
  (compute: (numbers: number[]) => number) =>
  (cells: Cells): number => {
    const numbers: number[] = []
    for (const cell of cells) {
      const number = numberOf(cell)
      if (!Number.isNaN(number)) numbers.push(number)
    }
    return numbers.length === 0 ? Number.NaN : compute(numbers)
  }

/** The most frequent values in ascending order. */
function modesOf(cells: Cells): unknown[] {
  const modes = mode(cells)
  return order(modes).map((at) => modes[at])
}

/** Each aggregate of the cells of a column or a group. `mode` is the least of the most frequent. */
export const aggregates = {
  count: (cells: Cells) => cells.reduce<number>((count, cell) => (isNa(cell) ? count : count + 1), 0),
  sum: numeric(sum),
  mean: numeric(mean),
  median: numeric(median),
  std: numeric(std),
  var: numeric(variance),
  min: (cells: Cells) => extreme(cells, true),
  max: (cells: Cells) => extreme(cells, false),
  mode: (cells: Cells) => modesOf(cells)[0] ?? Number.NaN,
} as const

export type AggregateName = keyof typeof aggregates

const flag = (cell: unknown): unknown => (typeof cell === 'boolean' ? Number(cell) : cell)

function alongAxis(
  frame: DataFrame,
  options: Axis | undefined,
  name: AggregateName,
  compute: (cells: Cells) => unknown = aggregates[name],
): Series {
  const axis = options?.axis ?? 1
  if (axis !== 0 && axis !== 1) return refuse(`axis is 0 (columns) or 1 (rows), not ${String(axis)}`)
  const text = frame.$dtypes.indexOf('string')
  if (text !== -1 && name !== 'count')
    refuse(`'${frame.$columns[text]}' is text, which has no ${name}; choose columns with loc`)
  const values = listsAlong(frame, axis).map((cells) => flag(compute(cells)))
  return new Series(values, { index: axis === 0 ? frame.$columns : frame.$index })
}

const ofNumbers = ['sum', 'mean', 'median', 'std', 'var', 'min', 'max'] as const
const described = ['count', 'mean', 'std', 'min', 'median', 'max', 'var'] as const

repair<DataFrame>(
  DataFrame.prototype,
  methods([...ofNumbers, 'count'] as const, (name) => {
    return function (this: DataFrame, options?: Axis): Series {
      return alongAxis(this, options, name)
    }
  }),
)

repair<DataFrame>(DataFrame.prototype, {
  /** `keep` chooses among the modes, in ascending order from 0; missing where there are no more. */
  mode(options?: Axis & { readonly keep?: number }): Series {
    return alongAxis(this, options, 'mode', (cells) => modesOf(cells)[options?.keep ?? 0] ?? Number.NaN)
  },

  describe(): DataFrame {
    const columns = labelledColumns(this).filter(({ dtype }) => /^(float32|int32|boolean)$/.test(dtype))
    const facts = columns.map(({ cells }) => described.map((name) => aggregates[name](cells.map(flag))))
    return frameOf(
      columnsToRows(facts, described.length),
      described.map((name) => (name === 'var' ? 'variance' : name)),
      columns.map(({ name }) => name),
    )
  },

  /** The callable gets whole columns (axis 0) or rows (axis 1), gaps included; a list from it is the new column or row. */
  apply(callable: (cells: Cells) => unknown, options?: Axis): DataFrame | Series {
    const axis = options?.axis ?? 1
    const results = listsAlong(this, axis).map((cells) => callable([...cells]))
    if (!Array.isArray(results[0])) return new Series(results, { index: axis === 0 ? this.$columns : this.$index })
    return frameOf(
      axis === 0 ? columnsToRows(results as unknown[][]) : (results as unknown[][]),
      this.$index,
      this.$columns,
    )
  },

  applyMap(callable: (cell: unknown) => unknown, options?: InPlace): DataFrame | undefined {
    return result(
      this,
      mapAlong(this, 0, (cells) => cells.map((cell) => callable(cell))),
      options,
    )
  },
})

repair<Series>(
  Series.prototype,
  methods(ofNumbers, (name) => {
    return function (this: Series): unknown {
      if (this.$dtypes[0] === 'string') refuse(`'${this.$columns[0]}' is text, which has no ${name}`)
      return flag(aggregates[name](cellsOf(this)))
    }
  }),
)

repair<Series>(Series.prototype, {
  count(): unknown {
    return aggregates.count(cellsOf(this))
  },

  mode(): unknown[] {
    if (this.$dtypes[0] === 'string') refuse(`'${this.$columns[0]}' is text, which has no mode; use valueCounts`)
    return modesOf(cellsOf(this)).map(flag)
  },
})
