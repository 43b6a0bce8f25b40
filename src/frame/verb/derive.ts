import { checkOptions } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import { asNullable, declarationOf } from '../table/declaration.js'
import { namedIn, wrongShape } from '../table/shape.js'
import { groupArrays, ResultColumn } from './call-with-columns.js'
import { rowsByGroup } from './rows-by-group.js'
import { readInput } from './verb-input.js'
import { VerbOutput } from './verb-output.js'
import type {
  ArraysIn,
  ColumnResult,
  ColumnsIn,
  Data,
  NameOf,
  SameForm,
  SortKey,
  TypeOfResult,
  WithColumns,
} from './verb-types.js'

/** Options of `derive`. */
export interface DeriveOptions<D> {
  /** One group of rows at a time is handed over, so that windows stay within a symbol. */
  readonly by?: NameOf<D> | readonly NameOf<D>[]
  /** The order in which the rows of a group are handed over. Rows of the result keep their places. */
  readonly order?: SortKey<D> | readonly SortKey<D>[]
}

/** Functions that make columns, under the names of these. */
export type Makers<D> = Readonly<Record<string, (columns: ArraysIn<D>) => ColumnResult>>

type Derived<D, M extends Makers<D>> = SameForm<
  D,
  WithColumns<ColumnsIn<D>, { [K in keyof M]: TypeOfResult<ReturnType<M[K]>> }>
>

/**
 * Adds columns computed by functions, at the end or in place of columns of the same name.
 *
 * A function gets the columns of the data as arrays, its own to change: numbers with NaN for missing, anything else
 * with null. Arrays compute row by row:
 * `derive(bars, { spread: (c) => c.close.minus(c.pre_close).over(c.pre_close) })`; see `NumberArray`, `TextArray`,
 * `FlagArray` and `when`. What is missing stays missing. Results have no unit. A function returns an array with a value
 * for each row (numbers, text, booleans; null or NaN is missing) or one value for all.
 *
 * With `by` a function is called for one group of rows after another, with `order` it gets them in that order, and its
 * results go back to their rows:
 * `derive(bars, { ma: (c) => rolling(c.close, 20, 'mean') }, { by: 'symbol', order: 'tradedate' })`. Functions see the
 * original columns, not the results of each other.
 *
 * An Int32Array gives whole numbers; other numbers are Float64. Missing cells of `by` form a group of their own.
 * @returns the same form as the input, without provenance
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE if the number of values differs from the number of rows, or
 * their types are mixed
 */
export function derive<D extends Data, M extends Makers<D>>(
  data: D,
  makers: M,
  options: DeriveOptions<D> = {},
): Derived<D, M> {
  const input = readInput(data)
  namedIn(makers, sentence`what derive makes`, sentence`{ name: (columns) => … }`)
  checkOptions(options, { by: 'any', order: 'any' }, 'derive')
  const grouped = rowsByGroup(input, options)
  const made = new Map<string, ResultColumn>()
  for (const [name, maker] of Object.entries(makers)) {
    if (typeof maker !== 'function')
      throw wrongShape(sentence`column '${name}'`, sentence`a function of the columns`, maker)
    const column = new ResultColumn(name, input.length)
    for (const { columns, rows } of groupArrays(input, grouped)) column.setRows(maker(columns as ArraysIn<D>), rows)
    made.set(name, column)
  }
  const output = new VerbOutput(input.length)
  for (const name of input.names)
    if (!made.has(name)) output.copy(input, name)
    else put(name)
  for (const name of made.keys()) if (!output.has(name)) put(name)
  return output.inFormOf(input) as Derived<D, M>

  function put(name: string): void {
    const column = made.get(name)?.finish()
    if (column) output.set(name, column.values, asNullable(declarationOf(column.kind)))
  }
}
