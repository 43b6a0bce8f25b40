import type { Table } from 'apache-arrow'
import type { Market } from '../market.js'
import type { ReportInput } from '../report/report-tables.js'
import { provenance, stateOf } from '../table/provenance.js'

type Origin = Pick<ReportInput['source'], 'name' | 'about' | 'state' | 'changed'>

/** What a report says of where its tables came from: one state only where every one of them is of it. */
export async function originOf(market: Market, tables: readonly Table[]): Promise<Origin> {
  const { name, about } = (await market.source.identity?.()) ?? {}
  const { state, note } = stateOf(tables.map((table) => provenance(table) ?? {}))
  return {
    name: name ?? market.source.name,
    ...(about === undefined ? {} : { about }),
    ...(state === undefined ? {} : { state }),
    ...(note === undefined ? {} : { changed: true }),
  }
}
