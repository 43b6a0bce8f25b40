import type { Table } from 'apache-arrow'
import type { Dataset } from '../../contract/dataset.js'
import { QuotebookError } from '../../contract/error.js'
import { listOf, sentence } from '../../contract/sentence.js'
import { absentDaysNote } from './absent-days.js'
import { toTable } from './arrow.js'
import { type Provenance, provenance, provenanceMetadata, stateOf, weakestProof } from './provenance.js'
import { withSuspects } from './suspect-rows.js'
import { columnsOf } from './unwrap.js'
import { concatRows, type RecordColumns } from './values.js'

/** Why tables together are not whole: absent days of all of them are named in one sentence. */
function lackOf(dataset: Dataset, cut: readonly Provenance[]): Pick<Provenance, 'note' | 'without'> {
  const isAbsence = ({ note, without }: Provenance): boolean =>
    `${note}` === `${absentDaysNote(dataset, without?.days ?? [])}`
  const days = [...new Set(cut.filter(isAbsence).flatMap(({ without }) => without?.days ?? []))].sort()
  const other = cut.find((part) => !isAbsence(part))?.note
  const notes = [...(other === undefined ? [] : [other]), ...(days.length > 0 ? [absentDaysNote(dataset, days)] : [])]
  return { ...(notes.length > 0 ? { note: listOf(notes) } : {}), ...(days.length > 0 ? { without: { days } } : {}) }
}

/** Rows of a dataset, and where they came from. */
export interface ColumnsOfAnswer<P = Provenance> {
  readonly columns: RecordColumns
  readonly about: P
}

function joined(dataset: Dataset, parts: readonly Provenance[], rows: number): Provenance | undefined {
  const [first] = parts
  if (!first) return undefined
  const { total: _, beside: __, note: ___, call: ____, without: _____, state: ______, proof: _______, ...base } = first
  const cut = parts.filter((part) => !part.complete)
  const proof = cut.length > 0 ? undefined : weakestProof(parts.map((part) => part.proof))
  const shown = proof === undefined ? {} : { proof }
  const waiting = [...new Set(parts.flatMap((part) => part.waiting ?? []))].sort()
  const wholeness = { complete: cut.length === 0, ...shown, ...(waiting.length > 0 ? { waiting } : {}) }
  return { ...base, rows, ...wholeness, ...stateOf(parts), ...lackOf(dataset, cut) }
}

/**
 * Answers of one dataset, one at least, end to end, with the columns of the first; the provenance of those that have one.
 * @throws QuotebookError MISSING_COLUMN when one lacks a column of the first
 */
export function concatAnswers<P extends Provenance | undefined>(
  dataset: Dataset,
  parts: readonly ColumnsOfAnswer<P>[],
): ColumnsOfAnswer<P> {
  for (const name of parts[0]?.columns.columns.keys() ?? [])
    if (!parts.every(({ columns }) => columns.columns.has(name)))
      throw new QuotebookError('MISSING_COLUMN', sentence`a table of ${dataset.name} lacks the column '${name}'`)
  const columns = concatRows(parts.map((part) => part.columns))
  const known = parts.flatMap(({ about }) => about ?? [])
  return { columns, about: joined(dataset, known, columns.length) as P }
}

/**
 * Tables of one dataset end to end, in the order given, with the columns of the first. It is complete when all are, and of
 * a state of an archive when all are of the same.
 * @throws QuotebookError MISSING_COLUMN when a table lacks a column of the first
 */
export function concatTables(dataset: Dataset, tables: readonly Table[]): Table {
  if (tables.length === 0) throw new QuotebookError('INVALID_VALUE', sentence`concatTables needs at least one table`)
  const parts = tables.map((table) => ({ columns: columnsOf(table), about: provenance(table) }))
  const { columns, about } = concatAnswers<Provenance | undefined>(dataset, parts)
  const metadata = about ? provenanceMetadata(withSuspects(dataset, columns, about)) : new Map<string, string>()
  return toTable(columns, { ...dataset.columns, ...dataset.stored }, metadata)
}
