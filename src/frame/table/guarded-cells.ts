import { guarded } from './formula-guard.js'
import type { ColumnData, RecordColumns } from './values.js'

const isFormula = (text: string | null | undefined): boolean =>
  text !== null && text !== undefined && guarded(text) !== text

function countIn(values: ColumnData): number {
  if (values.type === 'string') return values.data.filter(isFormula).length
  if (values.type !== 'dictionary') return 0
  const codes = new Set(values.dictionary.flatMap((word, code) => (isFormula(word) ? [code] : [])))
  return codes.size === 0 ? 0 : values.data.filter((code) => codes.has(code)).length
}

/** How many cells a CSV has with a quote mark before them, because a spreadsheet would compute them. */
export function guardedCells({ columns }: RecordColumns): number {
  return [...columns.values()].reduce((sum, values) => sum + countIn(values), 0)
}
