/*
 * Labels and dummies.
 *
 * Stock LabelEncoder gives the number 1 back for the code '000001', numbers 1 and '1' alike and loses '__proto__';
 * OneHotEncoder puts an unknown value under the column -1 of its rows; getDummies makes columns of
 * what is missing, one for null and one for NaN, and with too few prefixes columns called 'undefined_a'.
 *
 * Now labels are the values themselves, and unknown or missing values are -1 (labels) or nothing but zeros (columns).
 */
import { getLabels } from '../frame-store.js'
import {
  type Cells,
  cellsOf,
  columnOf,
  DataFrame,
  frameOfColumns,
  type InPlace,
  inWords,
  isNa,
  LabelEncoder,
  type LabelledCells,
  labelledColumns,
  lengthOf,
  listOf,
  OneHotEncoder,
  refuse,
  repair,
  result,
  Series,
} from './model.js'

type Data = Series | Cells

const cellsIn = (data: Data): Cells => (Array.isArray(data) ? data : cellsOf(data as Series))

function distinct(cells: Cells): unknown[] {
  return [...new Set(cells.filter((cell) => !isNa(cell)))]
}

function indicators(cells: Cells, values: Cells): number[][] {
  return cells.map((cell) => values.map((value) => Number(value === cell)))
}

function likeData(data: Data, cells: Cells): Data {
  return Array.isArray(data) ? cells : new Series(cells, { index: (data as Series).$index })
}

interface Labels {
  $labels: unknown[]
  fit(data: Data): Labels
  transform(data: Data): unknown
}

repair<Labels>(LabelEncoder.prototype, {
  fit(data: Data): Labels {
    this.$labels = distinct(cellsIn(data))
    return this
  },

  transform(data: Data): Data {
    const numbers = new Map(this.$labels.map((value, i) => [value, i]))
    return likeData(
      data,
      cellsIn(data).map((cell) => numbers.get(cell) ?? -1),
    )
  },

  inverseTransform(data: Data): Data {
    return likeData(
      data,
      cellsIn(data).map((at) => this.$labels[at as number] ?? null),
    )
  },

  get nClasses(): number {
    return this.$labels.length
  },

  get classes(): Record<string, number> {
    return Object.fromEntries(this.$labels.map((value, i) => [String(value), i]))
  },
})

repair<Labels>(OneHotEncoder.prototype, {
  fit(data: Data): Labels {
    this.$labels = distinct(cellsIn(data))
    return this
  },

  transform(data: Data): DataFrame | number[][] {
    const rows = indicators(cellsIn(data), this.$labels)
    return Array.isArray(data) ? rows : new DataFrame(rows, { index: (data as Series).$index })
  },
})

interface Options {
  readonly columns?: string | readonly string[]
  readonly prefix?: string | readonly string[]
  readonly prefixSeparator?: string | readonly string[]
}

/** One text for each of some columns: the given one for all, or those of a list that is as long. */
function each(option: 'prefix' | 'prefixSeparator', given: unknown, names: readonly string[]): readonly string[] {
  const texts: Cells = Array.isArray(given) ? given : names.map(() => given)
  if (texts.length !== names.length)
    refuse(`${option} has ${texts.length} entries for ${names.length} columns (${names.join(', ')}); give one for each`)
  return texts.map((text) => (typeof text === 'string' ? text : refuse(`${option} is text, not ${inWords(text)}`)))
}

/** A column of 0 and 1 for each distinct value of a column. */
function dummiesOf({ cells }: LabelledCells, nameOf: (value: unknown, at: number) => string): LabelledCells[] {
  return distinct(cells).map((value, at) => ({
    name: nameOf(value, at),
    dtype: 'int32',
    cells: cells.map((cell) => Number(cell === value)),
  }))
}

/** A column of 0 and 1 for each distinct value of some columns, of those of text when none are named. */
export function getDummies(data: DataFrame | Series, options: Options = {}): DataFrame {
  const { prefix, prefixSeparator = '_' } = options
  const text = labelledColumns(data).flatMap(({ name, dtype }) => (dtype === 'string' ? [name] : []))
  const names = data.$isSeries ? data.$columns : listOf(options.columns ?? text)
  const chosen = data.$isSeries ? labelledColumns(data) : names.map((name) => columnOf(data, name))
  const prefixes = prefix === undefined ? undefined : each('prefix', prefix, names)
  const separators = each('prefixSeparator', prefixSeparator, names)
  const made = chosen.flatMap((column, i) =>
    dummiesOf(column, (value, at) => `${prefixes?.[i] ?? (data.$isSeries ? at : column.name)}${separators[i]}${value}`),
  )
  const columns = [...labelledColumns(data).filter(({ name }) => !names.includes(name)), ...made]
  if (columns.length === 0 && !data.$isSeries) refuse('there is no column of text to make dummies of')
  return frameOfColumns(columns, getLabels(data), lengthOf(data))
}

repair<DataFrame>(DataFrame.prototype, {
  getDummies(options?: Options & InPlace): DataFrame | undefined {
    return result(this, getDummies(this, options), options)
  },
})

repair<Series>(Series.prototype, {
  getDummies(options?: Options): DataFrame {
    return getDummies(this, options)
  },
})
