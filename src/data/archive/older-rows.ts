import type { Dataset } from '../../contract/dataset.js'
import { worded } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { columnTypeOf } from '../../frame/table/arrow.js'
import { asDeclared } from '../../frame/table/as-declared.js'
import { groupRows } from '../../frame/table/group-rows.js'
import { type ColumnData, cellOf, nulls, type RecordColumns } from '../../frame/table/values.js'
import { revisionsFolder } from './check-manifest.js'
import type { PartEntry } from './manifest-entries.js'
import { inOrder, partition, storedKey } from './merge-rows.js'
import { revisionColumns } from './revision/revisions.js'

/**
 * Rows of a part that was written under another declaration, by the names of the present columns: others are left out, and
 * one that was not there is null.
 * @throws RangeError or ContractError saying why they are no rows of the present declaration
 */
export function underPresent(
  dataset: Dataset,
  { file, partition: name }: PartEntry,
  { length, columns }: RecordColumns,
): RecordColumns {
  const isRevision = file.startsWith(`${revisionsFolder}/`)
  const declared = isRevision ? revisionColumns(dataset) : { ...dataset.columns, ...dataset.stored }
  const of = new Map<string, ColumnData>()
  for (const [column, { kind, nullable }] of Object.entries(declared)) {
    const values = columns.get(column)
    const isAsked = Object.values(dataset.params).some((param) => param.columns?.includes(column))
    if (!values && (!nullable || (isAsked && !isRevision)))
      throw worded(RangeError, sentence`it has no column ${column}`)
    const cells = () => Array.from({ length }, (_, row) => cellOf(values as ColumnData, row))
    const isAsItIs = kind === 'json' && values?.type === 'string'
    const own = isAsItIs
      ? values
      : values && asDeclared({ ...dataset, columns: declared, stored: {} }, column, values, cells)
    of.set(column, own ?? nulls(columnTypeOf(kind), length))
  }
  if (isRevision) return { length, columns: of }
  const rows = inOrder(dataset, { length, columns: of })
  const key = storedKey(dataset).map((name) => ({ name, values: rows.columns.get(name) as ColumnData }))
  const { count } = groupRows(key)
  if (count < length) throw worded(RangeError, sentence`${length - count} of its rows have the key of another`)
  if ([...partition(dataset, rows).keys()].join() !== name)
    throw worded(RangeError, sentence`its rows belong into other files`)
  return rows
}
