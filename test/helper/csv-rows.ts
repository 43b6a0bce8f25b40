import { CsvText } from '../../src/frame/table/csv-read.js'
import { unguarded } from '../../src/frame/table/formula-guard.js'

/** The rows of a CSV as texts, guards of formulas taken away; null for an empty cell that is not quoted. */
export function csvRows(text: string): { fields: readonly string[]; rows: (string | null)[][] } {
  const csv = new CsvText(Buffer.from(text))
  const rows: (string | null)[][] = []
  for (const { length, width, starts, ends } of csv.blocks()) {
    const cell = (at: number) => {
      const [start, end] = [starts[at] as number, ends[at] as number]
      return csv.isMissing(start, end) ? null : unguarded(csv.text(start, end))
    }
    for (let row = 0; row < length; row++) rows.push(Array.from({ length: width }, (_, at) => cell(row * width + at)))
  }
  return { fields: csv.fields.map(unguarded), rows }
}
