import type { Table } from 'apache-arrow'
import { checkFields } from '../../contract/check-fields.js'
import { checkParams } from '../../contract/check-params.js'
import type { Dataset } from '../../contract/dataset.js'
import { askedDays, type Days, dayParam } from '../../contract/day-list.js'
import { rowsOfDay } from '../../source/reply/reply-chunk.js'
import type { QueryOptions } from '../../source/source.js'
import { toTable } from '../../table/arrow.js'
import { concatTables } from '../../table/concat-tables.js'
import { type Provenance, provenance, provenanceMetadata } from '../../table/provenance.js'
import { columnsOf } from '../../table/unwrap.js'
import { project } from '../../table/values.js'
import type { Snapshot } from '../snapshot.js'
import { joinSlices } from './row-slices.js'
import { selectRows } from './select-rows.js'

/** The answer of an archive state to a request as a table, with the provenance that tells whether that is all. */
export async function answer(
  snapshot: Snapshot,
  dataset: Dataset,
  params: unknown,
  options: QueryOptions & { readonly allBars?: boolean },
  source: string,
): Promise<Table> {
  const { query, given, slices, fields, ...found } = await selectRows(snapshot, dataset, params, options)
  // When the whole was asked for, the defaults of limit and offset had no part in it.
  const idle = options.whole === true ? ['limit', 'offset'].filter((name) => !given.has(name)) : []
  const request = { params: Object.fromEntries(Object.entries(query).filter(([name]) => !idle.includes(name))), fields }
  const about: Provenance = { dataset: dataset.name, source, request, ...found }
  const columns = joinSlices(dataset, slices, fields)
  return toTable(columns, { ...dataset.columns, ...dataset.stored }, provenanceMetadata(about))
}

/** The rows of one day of an answer. */
function tableOfDay(dataset: Dataset, table: Table, day: string): Table {
  const all = columnsOf(table)
  const own = rowsOfDay(dataset, all, day)
  return own === all ? table : toTable(own, { ...dataset.columns, ...dataset.stored }, table.schema.metadata)
}

/** The answers to a question of one day for several days, joined in their order. */
export async function answerDays(
  snapshot: Snapshot,
  dataset: Dataset,
  params: unknown,
  { days, fields, ...options }: QueryOptions & { readonly days: Days },
  source: string,
): Promise<Table> {
  const query = checkParams(dataset, params)
  const all = askedDays(dataset, query, days)
  const param = dayParam(dataset) as string
  const names = checkFields(dataset, fields, { ...query, [param]: all[0] as string })
  const tables: Table[] = []
  for (const day of all) {
    const ofDay = { ...(params as Record<string, unknown>), [param]: day }
    const own = { ...options, allBars: options.whole === true }
    tables.push(tableOfDay(dataset, await answer(snapshot, dataset, ofDay, own, source), day))
  }
  const joined = concatTables(dataset, tables)
  const about = provenance(joined) as Provenance
  const { [param]: _, ...rest } = about.request.params
  const metadata = provenanceMetadata({ ...about, request: { params: rest, fields: names, days: all } })
  return toTable(project(columnsOf(joined), names), { ...dataset.columns, ...dataset.stored }, metadata)
}
