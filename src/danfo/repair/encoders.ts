/*
 * Labels and dummies.
 *
 * Stock LabelEncoder gives the number 1 back for the code '000001', numbers 1 and '1' alike and loses '__proto__';
 * OneHotEncoder puts an unknown value under the column -1 of its rows; getDummies makes columns of
 * what is missing, one for null and one for NaN, and with too few prefixes columns called 'undefined_a'.
 *
 * Now labels are the values themselves, and unknown or missing values are -1 (labels) or nothing but zeros (columns).
 */
import {
  become,
  cellsAt,
  columnAt,
  DataFrame,
  type Frame,
  inWords,
  LabelEncoder,
  OneHotEncoder,
  refuse,
  repair,
  rowsOf,
  Series,
  type Vector,
} from './danfo.js'
import { isMissing } from './missing.js'

type Data = Vector | readonly unknown[]

const cellsOf = (data: Data): readonly unknown[] => (Array.isArray(data) ? data : (data as Vector).$data)

function distinct(cells: readonly unknown[]): unknown[] {
  return [...new Set(cells.filter((cell) => !isMissing(cell)))]
}

function indicators(cells: readonly unknown[], values: readonly unknown[]): number[][] {
  return cells.map((cell) => values.map((value) => Number(value === cell)))
}

function likeData(data: Data, cells: readonly unknown[]): Data {
  return Array.isArray(data) ? cells : new Series(cells, { index: (data as Vector).$index })
}

interface Labels {
  $labels: unknown[]
  fit(data: Data): Labels
  transform(data: Data): unknown
}

repair<Labels>(LabelEncoder.prototype, {
  fit(data: Data): Labels {
    this.$labels = distinct(cellsOf(data))
    return this
  },

  transform(data: Data): Data {
    const numbers = new Map(this.$labels.map((value, i) => [value, i]))
    return likeData(
      data,
      cellsOf(data).map((cell) => numbers.get(cell) ?? -1),
    )
  },

  inverseTransform(data: Data): Data {
    return likeData(
      data,
      cellsOf(data).map((at) => this.$labels[at as number] ?? null),
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
    this.$labels = distinct(cellsOf(data))
    return this
  },

  transform(data: Data): Frame | number[][] {
    const rows = indicators(cellsOf(data), this.$labels)
    return Array.isArray(data) ? rows : new DataFrame(rows, { index: (data as Vector).$index })
  },
})

interface Options {
  readonly columns?: string | readonly string[]
  readonly prefix?: string | readonly string[]
  readonly prefixSeparator?: string | readonly string[]
}

/** One text for each of some columns: the given one for all, or those of a list that is as long. */
function each(option: 'prefix' | 'prefixSeparator', given: unknown, names: readonly string[]): readonly string[] {
  const texts: readonly unknown[] = Array.isArray(given) ? given : names.map(() => given)
  if (texts.length !== names.length)
    refuse(`${option} has ${texts.length} entries for ${names.length} columns (${names.join(', ')}); give one for each`)
  return texts.map((text) => (typeof text === 'string' ? text : refuse(`${option} is text, not ${inWords(text)}`)))
}

/** A column of 0 and 1 for each distinct value of some columns, of those of text when none are named. */
export function getDummies(data: Frame | Vector, options: Options = {}): Frame {
  const { prefix, prefixSeparator = '_' } = options
  if (data.$isSeries) {
    const cells = (data as Vector).$data
    const values = distinct(cells)
    const [name] = data.$columns as readonly [string]
    const [own] = prefix === undefined ? [] : each('prefix', prefix, [name])
    const [separator] = each('prefixSeparator', prefixSeparator, [name])
    const columns = values.map((value, i) => `${own ?? i}${separator}${value}`)
    return new DataFrame(indicators(cells, values), { index: data.$index, columns, dtypes: columns.map(() => 'int32') })
  }
  const frame = data as Frame
  const chosen = options.columns ?? frame.$columns.filter((_, at) => frame.$dtypes[at] === 'string')
  const names = typeof chosen === 'string' ? [chosen] : chosen
  const places = names.map((name) => columnAt(frame, name))
  const prefixes = prefix === undefined ? names : each('prefix', prefix, names)
  const separators = each('prefixSeparator', prefixSeparator, names)
  const kept = frame.$columns.flatMap((name, at) =>
    places.includes(at) ? [] : [{ name, dtype: frame.$dtypes[at] as string, cells: cellsAt(frame.$data, at) }],
  )
  const made = places.flatMap((at, i) => {
    const cells = cellsAt(frame.$data, at)
    return distinct(cells).map((value) => ({
      name: `${prefixes[i]}${separators[i]}${value}`,
      dtype: 'int32',
      cells: cells.map((cell) => Number(cell === value)),
    }))
  })
  const columns = [...kept, ...made]
  if (columns.length === 0) refuse('there is no column of text to make dummies of')
  return new DataFrame(
    rowsOf(
      columns.map(({ cells }) => cells),
      frame.$data.length,
    ),
    {
      index: frame.$index,
      columns: columns.map(({ name }) => name),
      dtypes: columns.map(({ dtype }) => dtype),
    },
  )
}

repair<Frame>(DataFrame.prototype, {
  getDummies(options?: Options & { readonly inplace?: boolean }): Frame | undefined {
    const made = getDummies(this, options)
    return options?.inplace ? become(this, { rows: made.$data, columns: made.$columns, dtypes: made.$dtypes }) : made
  },
})

repair<Frame | Vector>(Series.prototype, {
  getDummies(options?: Options): Frame {
    return getDummies(this, options)
  },
})
