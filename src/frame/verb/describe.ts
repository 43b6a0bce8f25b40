import type { Dictionary, Float64, Int32, Table, Utf8 } from 'apache-arrow'
import type { Column } from '../../contract/column.js'
import type { Data } from '../data.js'
import { oneGroup } from '../table/group-rows.js'
import { floatColumn, presentIn, validNumbers } from '../table/present-cells.js'
import { presentNumbers, quantileWithin } from '../table/quantiles.js'
import { type ColumnData, floatsIn } from '../table/values.js'
import { aggregate } from './aggregate.js'
import { readInput } from './verb-input.js'
import { VerbOutput } from './verb-output.js'

/** Columns of a description. */
export type Described = {
  column: Dictionary<Utf8, Int32>
  kind: Dictionary<Utf8, Int32>
  count: Int32
  missing: Int32
  distinct: Int32
  mean: Float64
  std: Float64
  min: Float64
  q25: Float64
  median: Float64
  q75: Float64
  max: Float64
}

const plain = {
  float: 'number',
  int: 'integer',
  boolean: 'boolean',
  dictionary: 'text',
  string: 'text',
  list: 'texts',
} as const
const measures = ['mean', 'std', 'min', 'q25', 'median', 'q75', 'max'] as const

function measured(x: Float64Array): number[] {
  const source = { name: '', values: floatColumn(x), declaration: undefined }
  const one = (operation: 'mean' | 'std'): number =>
    floatsIn(aggregate(source, operation, oneGroup(x.length)).values)?.[0] ?? Number.NaN
  const present = presentNumbers(x)
  const quarter = (q: number): number => quantileWithin(present, q)
  return [one('mean'), one('std'), quarter(0), quarter(0.25), quarter(0.5), quarter(0.75), quarter(1)]
}

function wordsOf(words: readonly string[]): ColumnData {
  const known = [...new Set(words)]
  return { type: 'dictionary', data: Int32Array.from(words, (word) => known.indexOf(word)), dictionary: known }
}

/**
 * Summarises each column of the data in one row: its kind, the number of present, missing and distinct cells, and for
 * numbers the mean, the standard deviation (of the count less one), minimum, quartiles and maximum, in the column's own
 * unit; these are missing for columns without numbers. Lists are not compared: `distinct` is missing.
 * @returns a table, also for a DataFrame, whose columns cannot be named `count` or `mean`
 */
export function describe(data: Data): Table<Described> {
  const input = readInput(data)
  const all = input.names.map((name) => {
    const values = input.cells(name)
    const source = { name, values, declaration: input.declarationOf(name) }
    const present = presentIn(values).reduce((sum, there) => sum + there, 0)
    const distinct = values.type === 'list' ? undefined : aggregate(source, 'nunique', oneGroup(input.length)).values
    const numbers = floatsIn(values)
    return {
      name,
      kind: source.declaration?.kind ?? plain[values.type],
      count: present,
      distinct: (distinct && floatsIn(distinct)?.[0]) ?? Number.NaN,
      measures: numbers ? measured(numbers) : measures.map(() => Number.NaN),
    }
  })
  const output = new VerbOutput(all.length)
  const put = (name: string, values: ColumnData, kind: Column['kind'], meaning: string): void =>
    output.set(name, values, { kind, meaning, nullable: true })
  const putWhole = (name: string, meaning: string, of: (about: (typeof all)[number]) => number): void => {
    const numbers = Float64Array.from(all, of)
    put(name, { type: 'int', data: Int32Array.from(numbers), valid: validNumbers(numbers) }, 'integer', meaning)
  }
  put('column', wordsOf(all.map(({ name }) => name)), 'label', 'Name of the column.')
  put('kind', wordsOf(all.map(({ kind }) => kind)), 'label', 'Kind of the column.')
  putWhole('count', 'Cells that are there.', ({ count }) => count)
  putWhole('missing', 'Cells that are missing.', ({ count }) => input.length - count)
  putWhole('distinct', 'Different cells.', ({ distinct }) => distinct)
  measures.forEach((name, at) => {
    const numbers = Float64Array.from(all, (about) => about.measures[at] ?? Number.NaN)
    put(name, floatColumn(numbers), 'number', `Of the column's numbers: ${name}.`)
  })
  return output.table() as Table<Described>
}
