import type { Table } from 'apache-arrow'
import { CsvError, parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { namesOf, rowsOf } from './column.js'

/** A text that a spreadsheet would take for a formula, also behind quotes put there by us. */
const formula = /^'*[=+\-@\t\r]/

/** Text is guarded with one leading quote mark where a spreadsheet would compute it; reading takes it away again. */
function guarded(cell: unknown): unknown {
  return typeof cell === 'string' && formula.test(cell) ? `'${cell}` : cell
}

/**
 * A table as CSV (RFC 4180, `\n`): null is an empty cell, an empty text is `""`, lists and nested values are JSON.
 * Texts that begin like a formula get a leading `'`.
 */
export function toCsv(table: Table): string {
  const rows = rowsOf(table).map((row) =>
    row.map((cell) => (typeof cell === 'object' && cell !== null ? JSON.stringify(cell) : guarded(cell))),
  )
  return stringify([namesOf(table), ...rows], {
    quoted_empty: false,
    cast: {
      string: (value) => (value === '' ? { value: '', quoted_empty: true } : value),
      boolean: (value) => (value ? 'true' : 'false'),
    },
  })
}

export interface CsvRows {
  readonly fields: readonly string[]
  /** Texts; null for an empty cell that is not quoted. */
  readonly rows: readonly (readonly (string | null)[])[]
  /** Line of the file, from 1, on which a row ends. */
  readonly lines: readonly number[]
}

/** A CSV that can not be read: the line, from 1, and what is wrong. */
export class CsvSyntaxError extends Error {
  readonly line: number
  constructor(line: number, message: string, cause: unknown) {
    super(message, { cause })
    this.line = line
  }
}

/** Rows of a CSV text. @throws CsvSyntaxError for a ragged row or an open quote */
export function parseCsv(text: string): CsvRows {
  let records: { info: { lines: number }; record: (string | null)[] }[]
  try {
    records = parse(text, {
      bom: true,
      info: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      cast: (value, { quoting }) => {
        if (value === '' && !quoting) return null
        return /^'/.test(value) && formula.test(value) ? value.slice(1) : value
      },
    }) as unknown as typeof records
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    throw new CsvSyntaxError(Number(cause['lines'] ?? 0), cause.message, cause)
  }
  const [head, ...rest] = records
  return {
    fields: (head?.record ?? []).map((name) => (name ?? '').trim()),
    rows: rest.map(({ record }) => record),
    lines: rest.map(({ info }) => info.lines),
  }
}
