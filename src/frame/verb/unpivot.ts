import type { Dictionary, Int32, Utf8 } from 'apache-arrow'
import { QuotebookError } from '../../contract/error.js'
import { checkOptions } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import { asNullable } from '../table/declaration.js'
import { freshInts } from '../table/fresh-array.js'
import { wrongShape } from '../table/shape.js'
import { concatColumns } from './concat.js'
import { checkNames, readInput, type VerbInput } from './verb-input.js'
import { VerbOutput } from './verb-output.js'
import type { ColumnsIn, Data, NameOf, OnlyColumns, SameForm, TypeOfColumns, WithColumns } from './verb-types.js'

/** Options of `unpivot`. */
export interface UnpivotOptions<D, I extends string, K extends string, N extends string, V extends string> {
  /** Columns that stay, and are repeated. */
  readonly id: (I & NameOf<D>) | readonly (I & NameOf<D>)[]
  /** Columns whose cells become rows; without it all others. */
  readonly columns?: (K & NameOf<D>) | readonly (K & NameOf<D>)[]
  /** The column of the names that these had. Default `name`. */
  readonly name?: N
  /** The column of their cells. Default `value`. */
  readonly value?: V
}

type Long<C, I extends string, K extends string, N extends string, V extends string> = WithColumns<
  OnlyColumns<C, I>,
  { [P in N]: Dictionary<Utf8, Int32> } & { [P in V]: TypeOfColumns<C, K> }
>

/** What is known of all of the columns alike. */
function sharedDeclaration(input: VerbInput, names: readonly string[]) {
  const [first, ...rest] = names.map((name) => input.declarationOf(name))
  const alike = rest.every((other) => other?.kind === first?.kind && other?.unit === first?.unit)
  if (!first || !alike) return undefined
  return asNullable(rest.length === 0 ? first : { ...first, meaning: names.join(', ') })
}

/**
 * Reshapes a wide table to long rows, the reverse of `pivot`: for each of the columns all rows, with its name in one
 * column and its cells in another: `unpivot(closes, { id: 'tradedate', name: 'code', value: 'close' })`. Missing cells
 * become rows too.
 *
 * Rows come column after column, as in pandas' `melt`. Cells keep their type: whole numbers together with others become
 * numbers, and a kind and unit that all columns share stay.
 * @returns the same form as the input: the `id` columns, the names, the cells, without provenance
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE for columns of different types, for no columns, and for two of
 * one name
 */
export function unpivot<
  D extends Data,
  I extends NameOf<D> = never,
  K extends NameOf<D> = Exclude<NameOf<D>, I>,
  const N extends string = 'name',
  const V extends string = 'value',
>(data: D, options: UnpivotOptions<D, I, K, N, V>): SameForm<D, Long<ColumnsIn<D>, I, K, N, V>> {
  const input = readInput(data)
  checkOptions(options, { id: 'any', columns: 'any', name: 'any', value: 'any' }, 'unpivot')
  const { name = 'name', value = 'value' } = options
  for (const own of [name, value])
    if (typeof own !== 'string') throw wrongShape(sentence`the name of a column`, sentence`text, such as 'value'`, own)
  const id = checkNames(input, options.id)
  const columns = checkNames(input, options.columns ?? input.names.filter((own) => !id.includes(own)))
  checkNames(input, [...id, ...columns])
  if (columns.length === 0)
    throw new QuotebookError('INVALID_VALUE', sentence`unpivot needs a column beside those of \`id\``)
  const { length } = input
  const [rows, codes] = [freshInts(columns.length * length), freshInts(columns.length * length)]
  for (let row = 0; row < length; row++) rows[row] = row
  for (let at = 1; at < columns.length; at++) rows.copyWithin(at * length, 0, length)
  for (let at = 0; at < columns.length; at++) codes.fill(at, at * length, (at + 1) * length)
  const output = new VerbOutput(rows.length)
  for (const own of id) output.copy(input, own, rows)
  const names = { type: 'dictionary', data: codes, dictionary: columns } as const
  const cells = concatColumns(
    columns.map((own) => input.cells(own)),
    value,
  )
  for (const [own, values] of [
    [name, names],
    [value, cells],
  ] as const) {
    if (output.has(own)) throw new QuotebookError('INVALID_VALUE', sentence`two columns would be named '${own}'`)
    output.set(
      own,
      values,
      values === cells ? sharedDeclaration(input, columns) : { kind: 'label', meaning: 'Name of a column.' },
    )
  }
  return output.inFormOf(input) as SameForm<D, Long<ColumnsIn<D>, I, K, N, V>>
}
