import type { Table } from 'apache-arrow'
import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { parseJson } from './check-json.js'
import { type ColumnData, cellOf, type RecordColumns } from './values.js'

/** Which columns of a table hold JSON text. */
export function jsonColumns(table: Table): ReadonlySet<string> {
  const fields = table.schema.fields.filter((field) => field.metadata.get('kind') === 'json')
  return new Set(fields.map((field) => String(field.name)))
}

/** The value of a cell of JSON text. @throws QuotebookError INVALID_VALUE for what is no JSON */
export function parsedCell(name: string, row: number, text: string): unknown {
  try {
    return parseJson(text, `column '${name}', row ${row + 1},`)
  } catch (cause) {
    if (cause instanceof QuotebookError) throw cause
    throw new QuotebookError('INVALID_VALUE', sentence`column '${name}', row ${row + 1}: ${text} is not JSON`, {
      cause,
    })
  }
}

/** The cells of a column in the wire form, null where missing. */
export function plainCells(name: string, values: ColumnData, isJson: boolean): unknown[] {
  if (isJson && values.type === 'string')
    return values.data.map((text, row) => (text === null ? null : parsedCell(name, row, text)))
  const out = new Array<unknown>(values.data.length)
  if (values.type === 'float') {
    for (let row = 0; row < out.length; row++) {
      const value = values.data[row] as number
      out[row] = Number.isNaN(value) ? null : value
    }
  } else if (values.type === 'dictionary') {
    for (let row = 0; row < out.length; row++) out[row] = values.dictionary[values.data[row] as number] ?? null
  } else for (let row = 0; row < out.length; row++) out[row] = cellOf(values, row)
  return out
}

function plainColumns({ columns }: RecordColumns, json: ReadonlySet<string>): unknown[][] {
  return [...columns].map(([name, values]) => plainCells(name, values, json.has(name)))
}

/** Rows in the wire form: arrays of plain values by position, null for missing, values of `json` columns parsed. */
export function plainRows(columns: RecordColumns, json: ReadonlySet<string>): unknown[][] {
  const cells = plainColumns(columns, json)
  const rows = new Array<unknown[]>(columns.length)
  for (let row = 0; row < rows.length; row++) {
    const out = new Array<unknown>(cells.length)
    for (let at = 0; at < cells.length; at++) out[at] = (cells[at] as unknown[])[row]
    rows[row] = out
  }
  return rows
}

/** Rows as objects under the column names. */
export function plainObjects(columns: RecordColumns, json: ReadonlySet<string>): Record<string, unknown>[] {
  const names = [...columns.columns.keys()]
  const cells = plainColumns(columns, json)
  const isSpecial = names.includes('__proto__')
  const rows = new Array<Record<string, unknown>>(columns.length)
  for (let row = 0; row < rows.length; row++) {
    const out: Record<string, unknown> = {}
    for (let at = 0; at < cells.length; at++) {
      const [name, value] = [names[at] as string, (cells[at] as unknown[])[row]]
      if (isSpecial) Object.defineProperty(out, name, { value, enumerable: true, configurable: true, writable: true })
      else out[name] = value
    }
    rows[row] = out
  }
  return rows
}
