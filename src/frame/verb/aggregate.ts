import type { Column } from '../../contract/column.js'
import { aggregateCells } from '../table/aggregate-cells.js'
import { asNullable, declarationOf } from '../table/declaration.js'
import type { RowGroups } from '../table/group-rows.js'
import type { ColumnData } from '../table/values.js'
import type { Operation } from './verb-types.js'

/** A column and what is known of it. */
export interface DeclaredColumn {
  readonly values: ColumnData
  readonly declaration: Column | undefined
}

/** Whole numbers of each group. */
export function countColumn(data: Int32Array): DeclaredColumn {
  return { values: { type: 'int', data, valid: null }, declaration: { kind: 'integer', meaning: 'a count' } }
}

const ofUnit: readonly string[] = ['sum', 'mean', 'median', 'std']

/** What an operation makes of the cells of each group of a column. Kind and unit stay where the result still has them. */
export function aggregate(
  { name, values, declaration }: DeclaredColumn & { readonly name: string },
  operation: Operation,
  groups: RowGroups,
): DeclaredColumn {
  const made = aggregateCells(values, name, operation, groups)
  if (operation === 'count' || operation === 'nunique') return countColumn(made.data as Int32Array)
  if (operation === 'var') return { values: made, declaration: declarationOf('number') }
  const kept = asNullable(declaration)
  return { values: made, declaration: kept && ofUnit.includes(operation) ? { ...kept, kind: 'number' } : kept }
}
