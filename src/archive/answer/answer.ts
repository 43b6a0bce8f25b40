import type { Table } from 'apache-arrow'
import type { Dataset } from '../../contract/dataset.js'
import type { QueryOptions } from '../../source/source.js'
import { toTable } from '../../table/arrow.js'
import { type Provenance, provenanceMetadata } from '../../table/provenance.js'
import type { Snapshot } from '../snapshot.js'
import { joinSlices } from './row-slices.js'
import { type SelectedRows, selectRows } from './select-rows.js'

/** The params that were answered: when the whole was asked for, the defaults of limit and offset had no part in it. */
function requestOf({ query, asked }: SelectedRows, whole: boolean): Readonly<Record<string, unknown>> {
  const entries = Object.entries(query)
  return Object.fromEntries(
    entries.filter(([name]) => !whole || asked.has(name) || (name !== 'limit' && name !== 'offset')),
  )
}

/** The answer of an archive state to a request as a table, with the provenance that tells whether that is all. */
export async function answer(
  snapshot: Snapshot,
  dataset: Dataset,
  params: unknown,
  options: QueryOptions & { readonly allBars?: boolean },
  source: string,
): Promise<Table> {
  const picked = await selectRows(snapshot, dataset, params, options)
  const { fields, slices, rows, total, complete, proof, note, without, beside, state } = picked
  const about: Provenance = {
    dataset: dataset.name,
    source,
    request: { params: requestOf(picked, options.whole === true), fields },
    rows,
    complete,
    ...(proof === undefined ? {} : { proof }),
    ...(note === undefined ? {} : { note }),
    total,
    ...(without ? { without } : {}),
    ...(beside ? { beside } : {}),
    state,
  }
  const columns = joinSlices(dataset, slices, fields)
  return toTable(columns, { ...dataset.columns, ...dataset.stored }, provenanceMetadata(about))
}
