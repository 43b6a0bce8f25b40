/*
 * Dummies: a column of 0 and 1 for each value.
 *
 * Stock getDummies makes columns of what is missing, one for null and one for NaN, and with too few prefixes columns called
 * 'undefined_a'. Now a missing value is nothing but zeros.
 */
import { getLabels } from '../frame-store.js'
import {
  type Cells,
  columnOf,
  DataFrame,
  frameOfColumns,
  type InPlace,
  inWords,
  isNa,
  type LabelledCells,
  labelledColumns,
  lengthOf,
  listOf,
  refuse,
  repair,
  result,
  Series,
} from './model.js'

function distinct(cells: Cells): unknown[] {
  return [...new Set(cells.filter((cell) => !isNa(cell)))]
}

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
function getDummies(data: DataFrame | Series, options: Options = {}): DataFrame {
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
