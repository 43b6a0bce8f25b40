import type { ColumnData, RecordColumns } from './values.js'

/** A text that a spreadsheet would take for a formula, also behind quotes put there by us. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/

/** Text with one leading quote mark where a spreadsheet would compute it. */
export function guarded(text: string): string {
  return formula.test(text) ? `'${text}` : text
}

/** How Excel is told that a cell is text: `="600000.SH"`. */
const textFormula = /^="((?:[^"]|"")*)"$/

/** The inverse of guarded; of Excel's formula for a text, the text. */
export function unguarded(text: string): string {
  if (text.charCodeAt(0) === 61) return textFormula.exec(text)?.[1]?.replaceAll('""', '"') ?? text
  return text.charCodeAt(0) === 39 && formula.test(text) ? text.slice(1) : text
}

const isFormula = (text: string | null | undefined): boolean =>
  text !== null && text !== undefined && formula.test(text)

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
