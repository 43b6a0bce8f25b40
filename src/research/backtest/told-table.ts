import type { Table } from 'apache-arrow'
import { writtenDate } from '../../contract/date.js'
import { invalid } from '../../contract/error.js'
import { headWords } from '../../contract/head-words.js'
import { sentence } from '../../contract/sentence.js'
import { writtenNumber } from '../../contract/written-number.js'
import { columnNames, readColumn } from '../../frame/as-table.js'
import type { Data } from '../../frame/data.js'
import { toTable } from '../../frame/table/arrow.js'
import { isMissingWord } from '../../frame/table/missing-word.js'
import { type ColumnData, cellOf } from '../../frame/table/values.js'

/** What a column that is looked for holds. */
export type ToldKind = 'code' | 'date' | 'number' | 'label'

/** The column of a table that has a meaning, under any of the heads that people give it, with or without a unit in brackets; undefined where none has. */
export function toldColumn(data: Data, name: string): string | undefined {
  const all = columnNames(data)
  const bare = new Map(all.map((one) => [one.replace(/\s*[（(][^（()）]*[)）]$/, '').trim(), one]))
  const word = headWords(name).find((one) => all.includes(one) || bare.has(one))
  return word === undefined || all.includes(word) ? word : bare.get(word)
}

/** Cells as a column of a kind; a day or a code that is none stays as it is. */
function cellsOf(values: ColumnData, rows: number, kind: ToldKind, name: string): ColumnData {
  const cells = Array.from({ length: rows }, (_, row) => cellOf(values, row))
  if (kind !== 'number') {
    const text = (cell: (typeof cells)[number]): string | null => {
      if (cell === null || String(cell).trim() === '') return null
      return kind === 'date' ? (writtenDate(String(cell)) ?? String(cell)) : String(cell)
    }
    return { type: 'string', data: cells.map(text) }
  }
  const data = Float64Array.from(cells, (cell, row) => {
    if (cell === null || typeof cell === 'number') return cell ?? Number.NaN
    const found = writtenNumber(String(cell).trim())
    if (found !== undefined || isMissingWord(String(cell))) return found ?? Number.NaN
    throw invalid(sentence`row ${row + 1}: ${name}: '${String(cell)}' is no number`)
  })
  return { type: 'float', data, valid: Uint8Array.from(data, (value) => (Number.isNaN(value) ? 0 : 1)) }
}

/**
 * The columns of a table that have a meaning, under the names of that meaning: found by their heads, in Chinese too, days in whichever form, numbers as people write them.
 * @throws QuotebookError INVALID_VALUE for a cell that is no number
 */
export function toldTable(data: Data, wanted: Readonly<Record<string, ToldKind>>): Table {
  const found = Object.entries(wanted).flatMap(([name, kind]) => {
    const own = toldColumn(data, name)
    return own === undefined ? [] : [{ name, own, kind, values: readColumn(data, own) as ColumnData }]
  })
  const length = found[0]?.values.data.length ?? 0
  const columns = found.map(({ name, own, kind, values }) => [name, cellsOf(values, length, kind, own)] as const)
  return toTable({ length, columns: new Map(columns) }, {})
}
