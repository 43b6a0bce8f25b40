import type { Table } from 'apache-arrow'
import type { Column } from '../../../src/contract/column.js'
import { toTable } from '../../../src/frame/table/arrow.js'
import { type Provenance, provenanceMetadata } from '../../../src/frame/table/provenance.js'
import type { ColumnData } from '../../../src/frame/table/values.js'

type Cells = readonly (string | number | boolean | null)[]

function valuesOf(cells: Cells): ColumnData {
  const first = cells.find((cell) => cell !== null)
  if (typeof first === 'number') {
    const valid = Uint8Array.from(cells, (cell) => (cell === null ? 0 : 1))
    return { type: 'float', data: Float64Array.from(cells, (cell) => (cell as number | null) ?? 0), valid }
  }
  if (typeof first === 'boolean') {
    const valid = Uint8Array.from(cells, (cell) => (cell === null ? 0 : 1))
    return { type: 'boolean', data: Uint8Array.from(cells, (cell) => (cell ? 1 : 0)), valid }
  }
  return { type: 'string', data: cells as readonly (string | null)[] }
}

/** A table of plain columns; null is missing. */
export function tableOf(
  columns: Readonly<Record<string, Cells>>,
  declared: Readonly<Record<string, Column>> = {},
  about?: Partial<Provenance>,
): Table {
  const of = new Map(Object.entries(columns).map(([name, cells]) => [name, valuesOf(cells)]))
  const length = Object.values(columns)[0]?.length ?? 0
  const whole = { dataset: 'x', source: 'memory', request: { params: {}, fields: [] }, rows: length, complete: true }
  return toTable({ length, columns: of }, declared, about && provenanceMetadata({ ...whole, ...about }))
}
