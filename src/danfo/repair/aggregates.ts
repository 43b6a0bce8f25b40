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
import {
  cellsAt,
  DataFrame,
  type Frame,
  frameOf,
  inWords,
  refuse,
  repair,
  rowsOf,
  Series,
  type Vector,
} from './danfo.js'
import { isMissing } from './missing.js'
import { order } from './sorting.js'

function numbersIn(cells: readonly unknown[]): number[] {
  const found: number[] = []
  for (const cell of cells) {
    if (isMissing(cell)) continue
    if (typeof cell !== 'number' && typeof cell !== 'boolean') refuse(`${inWords(cell)} is not a number`)
    found.push(Number(cell))
  }
  return found
}

function extreme(cells: readonly unknown[], ascending: boolean): unknown {
  let best: unknown
  for (const cell of cells) {
    if (isMissing(cell)) continue
    if (best === undefined || (ascending ? (cell as number) < (best as number) : (cell as number) > (best as number)))
      best = cell
  }
  return best ?? Number.NaN
}

const numeric =
  (compute: (numbers: number[]) => number) =>
  (cells: readonly unknown[]): number => {
    const numbers = numbersIn(cells)
    return numbers.length === 0 ? Number.NaN : compute(numbers)
  }

/** The most frequent values in ascending order. */
function modesOf(cells: readonly unknown[]): unknown[] {
  const modes = mode(cells)
  return order(modes).map((at) => modes[at])
}

export type Aggregate = 'count' | 'sum' | 'mean' | 'median' | 'mode' | 'std' | 'var' | 'min' | 'max'

/** Each aggregate of the cells of a column or a group. `mode` is the least of the most frequent. */
export const aggregates: Readonly<Record<Aggregate, (cells: readonly unknown[]) => unknown>> = {
  count: (cells) => cells.reduce<number>((count, cell) => (isMissing(cell) ? count : count + 1), 0),
  sum: numeric(sum),
  mean: numeric(mean),
  median: numeric(median),
  std: numeric(std),
  var: numeric(variance),
  min: (cells) => extreme(cells, true),
  max: (cells) => extreme(cells, false),
  mode: (cells) => modesOf(cells)[0] ?? Number.NaN,
}

const flag = (cell: unknown): unknown => (typeof cell === 'boolean' ? Number(cell) : cell)

interface Axis {
  readonly axis?: 0 | 1
}

function alongAxis(
  frame: Frame,
  options: Axis | undefined,
  aggregate: Aggregate,
  compute = aggregates[aggregate],
): Vector {
  const axis = options?.axis ?? 1
  if (axis !== 0 && axis !== 1) return refuse(`axis is 0 (columns) or 1 (rows), not ${String(axis)}`)
  const text = frame.$dtypes.indexOf('string')
  if (text !== -1 && aggregate !== 'count')
    refuse(`'${frame.$columns[text]}' is text, which has no ${aggregate}; choose columns with loc`)
  const lists = axis === 0 ? frame.$columns.map((_, at) => cellsAt(frame.$data, at)) : frame.$data
  const values = lists.map((cells) => flag(compute(cells)))
  return new Series(values, { index: axis === 0 ? frame.$columns : frame.$index })
}

const facts = ['count', 'mean', 'std', 'min', 'median', 'max', 'var'] as const
const factNames = ['count', 'mean', 'std', 'min', 'median', 'max', 'variance']

const overFrame = (aggregate: Aggregate) =>
  function (this: Frame, options?: Axis): Vector {
    return alongAxis(this, options, aggregate)
  }

const overSeries = (aggregate: Aggregate) =>
  function (this: Vector): unknown {
    if (this.$dtypes[0] === 'string') refuse(`'${this.$columns[0]}' is text, which has no ${aggregate}`)
    return flag(aggregates[aggregate](this.$data))
  }

repair<Frame>(DataFrame.prototype, {
  count: overFrame('count'),
  sum: overFrame('sum'),
  mean: overFrame('mean'),
  median: overFrame('median'),
  std: overFrame('std'),
  var: overFrame('var'),
  min: overFrame('min'),
  max: overFrame('max'),

  /** `keep` chooses among the modes, in ascending order from 0; missing where there are no more. */
  mode(options?: Axis & { readonly keep?: number }): Vector {
    return alongAxis(this, options, 'mode', (cells) => modesOf(cells)[options?.keep ?? 0] ?? Number.NaN)
  },

  describe(): Frame {
    const numbers = this.$columns.flatMap((_, at) =>
      /^(float32|int32|boolean)$/.test(this.$dtypes[at] as string) ? [at] : [],
    )
    const columns = numbers.map((at) => {
      const cells = cellsAt(this.$data, at).map(flag)
      return facts.map((fact) => aggregates[fact](cells))
    })
    return frameOf(
      rowsOf(columns, facts.length),
      factNames,
      numbers.map((at) => this.$columns[at] as string),
    )
  },

  /** The callable gets whole columns (axis 0) or rows (axis 1), gaps included; a list from it is the new column or row. */
  apply(callable: (cells: readonly unknown[]) => unknown, options?: Axis): Frame | Vector {
    const axis = options?.axis ?? 1
    const results = (axis === 0 ? this.$columns.map((_, at) => cellsAt(this.$data, at)) : this.$data).map((cells) =>
      callable([...cells]),
    )
    if (!Array.isArray(results[0])) return new Series(results, { index: axis === 0 ? this.$columns : this.$index })
    return frameOf(axis === 0 ? rowsOf(results as unknown[][]) : (results as unknown[][]), this.$index, this.$columns)
  },

  applyMap(callable: (cell: unknown) => unknown, options?: { readonly inplace?: boolean }): Frame | undefined {
    const frame = frameOf(
      this.$data.map((row) => row.map((cell) => callable(cell))),
      this.$index,
      this.$columns,
    )
    if (!options?.inplace) return frame
    this.$data = frame.$data
    this.$dtypes = frame.$dtypes
    return undefined
  },
})

repair<Vector>(Series.prototype, {
  sum: overSeries('sum'),
  mean: overSeries('mean'),
  median: overSeries('median'),
  std: overSeries('std'),
  var: overSeries('var'),
  min: overSeries('min'),
  max: overSeries('max'),

  count(): unknown {
    return aggregates.count(this.$data)
  },

  mode(): unknown[] {
    if (this.$dtypes[0] === 'string') refuse(`'${this.$columns[0]}' is text, which has no mode; use valueCounts`)
    return modesOf(this.$data).map(flag)
  },
})
