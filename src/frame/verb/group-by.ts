import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { groupSizes } from '../table/aggregate-cells.js'
import { asNullable, declarationOf } from '../table/declaration.js'
import { bucketRows, type RowGroups } from '../table/group-rows.js'
import { namedIn } from '../table/shape.js'
import { aggregate, countColumn, type DeclaredColumn } from './aggregate.js'
import { groupArrays, ResultColumn } from './call-with-columns.js'
import { checkNames, groupInput, readInput, type VerbInput } from './verb-input.js'
import { VerbOutput } from './verb-output.js'
import type {
  Aggregate,
  ColumnsIn,
  Data,
  NameOf,
  OnlyColumns,
  SameForm,
  TypeOfAggregate,
  WithColumns,
} from './verb-types.js'

type Aggregates<D> = Readonly<Record<string, Aggregate<D>>>

type Grouped<D, K extends string, A> = SameForm<
  D,
  WithColumns<OnlyColumns<ColumnsIn<D>, K>, { [N in keyof A]: TypeOfAggregate<ColumnsIn<D>, A[N]> }>
>

function byFunction(
  input: VerbInput,
  name: string,
  make: (columns: never) => unknown,
  groups: RowGroups,
): DeclaredColumn {
  const out = new ResultColumn(name, groups.count)
  let group = 0
  for (const { columns } of groupArrays(input, bucketRows(groups.of, groups.count))) {
    const made = make(columns as never)
    if (typeof made === 'object' && made !== null) {
      throw new QuotebookError(
        'INVALID_VALUE',
        sentence`column '${name}': the function of a group makes one value, not an array`,
      )
    }
    out.setRows(made, Int32Array.of(group++))
  }
  const { values, kind } = out.finish()
  return { values, declaration: asNullable(declarationOf(kind)) }
}

function aggregateOf(input: VerbInput, name: string, wanted: Aggregate<Data>, groups: RowGroups): DeclaredColumn {
  if (wanted === 'rows') return countColumn(groupSizes(groups))
  if (typeof wanted === 'function') return byFunction(input, name, wanted as (columns: never) => unknown, groups)
  if (!Array.isArray(wanted) || wanted.length !== 2) {
    throw new QuotebookError(
      'INVALID_VALUE',
      sentence`column '${name}' must be ['column', 'operation'], 'rows' or a function`,
    )
  }
  const [column = ''] = checkNames(input, wanted[0])
  return aggregate(
    { name: column, values: input.cells(column), declaration: input.declarationOf(column) },
    wanted[1],
    groups,
  )
}

/**
 * Groups rows and returns one row for each combination of keys: the key columns, then each result under its own name:
 * `groupBy(bars, 'symbol', { turnover: ['amount', 'sum'], last: ['close', 'last'], bars: 'rows' })`.
 *
 * Groups come in order of first appearance; keys keep their types ('1' is not 1), and missing keys form one group.
 * Missing cells are skipped: if all cells are missing, every result is missing, also `sum`, while `count` and `nunique`
 * are 0. `rows` counts rows; `first` and `last` are the first and last present cells, in the order of the rows; `std`
 * and `var` divide by the count less one. `sum` and `mean` are compensated; of decimals with up to four places they are
 * exact, so amounts keep their cents. `min`, `max`, `first`, `last`, `count`, `nunique` accept text and booleans too. A
 * function gets the columns of one group as arrays, as in `derive`, and returns one value.
 * @returns the same form as the input; kinds and units are kept if they still apply to the result
 * @throws QuotebookError MISSING_COLUMN; INVALID_VALUE for a result named like a key, and an operation that does not
 * apply to the column
 */
export function groupBy<D extends Data, K extends NameOf<D>, A extends Aggregates<D>>(
  data: D,
  by: K | readonly K[],
  aggregates: A,
): Grouped<D, K, A> {
  const input = readInput(data)
  namedIn(aggregates, sentence`what groupBy makes`, sentence`{ name: ['column', 'operation'] }`)
  const keys = checkNames(input, by)
  const groups = groupInput(input, keys)
  const output = new VerbOutput(groups.count)
  for (const key of keys) output.copy(input, key, groups.first)
  for (const [name, wanted] of Object.entries(aggregates)) {
    if (output.has(name))
      throw new QuotebookError('INVALID_VALUE', sentence`'${name}' is a key already; name the result otherwise`)
    const { values, declaration } = aggregateOf(input, name, wanted as Aggregate<Data>, groups)
    output.set(name, values, declaration)
  }
  return output.inFormOf(input) as Grouped<D, K, A>
}
