import { type ColumnData, cellOf, concat, nulls, type RecordColumns } from '../../table/values.js'

/** Columns that are not in the contract have the kind of their cells, which may differ from reply to reply. */
function asText(values: ColumnData, length: number): ColumnData {
  if (values.type === 'string') return values
  const text = (row: number): string | null => {
    const cell = cellOf(values, row)
    return cell === null ? null : typeof cell === 'string' ? cell : JSON.stringify(cell)
  }
  return { type: 'string', data: Array.from({ length }, (_, row) => text(row)) }
}

/** Pieces of one column in one form. */
function alike(chunks: readonly (ColumnData | undefined)[], lengths: readonly number[]): ColumnData[] {
  const forms = new Set(chunks.flatMap((values) => values?.type ?? []))
  const form = forms.size === 1 ? ([...forms][0] as ColumnData['type']) : 'string'
  return chunks.map((values, i) => {
    const length = lengths[i] as number
    if (!values) return nulls(form, length)
    return values.type === form ? values : asText(values, length)
  })
}

/**
 * Columns end to end, by name: those expected, then the others in the order in which they come up. Each column of the
 * pieces is let go as soon as it is joined, so that the whole is never there twice.
 */
export function joinChunks(chunks: readonly RecordColumns[], expected: readonly string[]): RecordColumns {
  const [only] = chunks
  if (only && chunks.length === 1) return only
  const filled = chunks.filter(({ length }) => length > 0)
  const kept = filled.length > 0 ? filled : chunks.slice(0, 1)
  const parts = kept.map(({ columns: of }) => new Map(of))
  const lengths = kept.map(({ length }) => length)
  for (const { columns: of } of chunks) (of as Map<string, ColumnData>).clear()
  const names = new Set([...expected, ...parts.flatMap((of) => [...of.keys()])])
  const of = new Map<string, ColumnData>()
  for (const name of names) {
    const values = alike(
      parts.map((part) => part.get(name)),
      lengths,
    )
    for (const part of parts) part.delete(name)
    of.set(name, concat(values))
  }
  return { length: lengths.reduce((sum, length) => sum + length, 0), columns: of }
}
