import { type Columns, cellOf, takeRows, texts, type Values } from '../../frame/values.js'

/** The row with the highest version of each record. */
export function newest(columns: Columns, record: string, version: string): Columns {
  const versions = columns.of.get(version) as Values
  const best = new Map<string, number>()
  texts(columns, record).forEach((id, row) => {
    const other = best.get(id ?? '')
    const isNewer = other === undefined || Number(cellOf(versions, row)) > Number(cellOf(versions, other))
    if (isNewer) best.set(id ?? '', row)
  })
  return takeRows(
    columns,
    [...best.values()].sort((a, b) => a - b),
  )
}
