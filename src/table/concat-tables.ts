import type { Table } from 'apache-arrow'
import type { Dataset } from '../contract/dataset.js'
import { QuotebookError } from '../contract/error.js'
import { absentDaysNote } from './absent-days.js'
import { toTable } from './arrow.js'
import { type Provenance, provenance, provenanceMetadata, stateOf, weakestProof } from './provenance.js'
import { columnsOf } from './unwrap.js'
import { type ColumnData, concatCells } from './values.js'

/** Why tables together are not whole: absent days of all of them are named in one sentence. */
function lackOf(dataset: Dataset, cut: readonly Provenance[]): Pick<Provenance, 'note' | 'without'> {
  const isAbsence = ({ note, without }: Provenance): boolean => note === absentDaysNote(dataset, without?.days ?? [])
  const days = [...new Set(cut.filter(isAbsence).flatMap(({ without }) => without?.days ?? []))].sort()
  const other = cut.find((part) => !isAbsence(part))?.note
  const notes = [...(other === undefined ? [] : [other]), ...(days.length > 0 ? [absentDaysNote(dataset, days)] : [])]
  return { ...(notes.length > 0 ? { note: notes.join('; ') } : {}), ...(days.length > 0 ? { without: { days } } : {}) }
}

function joined(dataset: Dataset, parts: readonly Provenance[], rows: number): Provenance | undefined {
  const [first] = parts
  if (!first) return undefined
  const { total: _, beside: __, note: ___, call: ____, without: _____, state: ______, proof: _______, ...base } = first
  const cut = parts.filter((part) => !part.complete)
  const proof = cut.length > 0 ? undefined : weakestProof(parts.map((part) => part.proof))
  const shown = proof === undefined ? {} : { proof }
  return { ...base, rows, complete: cut.length === 0, ...shown, ...stateOf(parts), ...lackOf(dataset, cut) }
}

/**
 * Tables of one dataset end to end, in the order given, with the columns of the first. It is complete when all are, and of
 * a state of an archive when all are of the same.
 * @throws QuotebookError MISSING_COLUMN when a table lacks a column of the first
 */
export function concatTables(dataset: Dataset, tables: readonly Table[]): Table {
  const [first] = tables
  if (!first) throw new QuotebookError('INVALID_VALUE', 'concatTables needs at least one table')
  const all = tables.map((table) => columnsOf(table).columns)
  const of = new Map<string, ColumnData>()
  for (const name of all[0]?.keys() ?? []) {
    const pieces = all.map((columns) => {
      const values = columns.get(name)
      if (!values) throw new QuotebookError('MISSING_COLUMN', `a table of ${dataset.name} lacks the column '${name}'`)
      return values
    })
    of.set(name, concatCells(pieces))
  }
  const rows = tables.reduce((sum, table) => sum + table.numRows, 0)
  const about = joined(
    dataset,
    tables.flatMap((table) => provenance(table) ?? []),
    rows,
  )
  const metadata = about ? provenanceMetadata(about) : new Map<string, string>()
  return toTable({ length: rows, columns: of }, { ...dataset.columns, ...dataset.stored }, metadata)
}
