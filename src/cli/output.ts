import { statSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import type { Table } from 'apache-arrow'
import { findDataset } from '../contract/catalogue.js'
import type { Values } from '../contract/sentence.js'
import { inParts, writeFileAtomically } from '../data/archive/file-access.js'
import { readColumns } from '../frame/as-table.js'
import { columnNames, jsonNames } from '../frame/read-columns.js'
import { cellText, secretMark } from '../frame/show/cell-text.js'
import { displayOf } from '../frame/show/show-data.js'
import { terminalWidth } from '../frame/show/terminal.js'
import { alignColumns as aligned } from '../frame/show/text-table.js'
import { guardedCells } from '../frame/table/formula-guard.js'
import { jsonChunks } from '../frame/table/json.js'
import { provenance } from '../frame/table/provenance.js'
import { toCsv, toIpc, toParquet, toXlsx } from '../frame/write-data.js'
import { say } from './chosen-language.js'
import { foldText } from './fold-text.js'
import { headIn } from './readable-heads.js'
import { terminalReading } from './terminal-numbers.js'
import { wrongUse } from './wrong-use.js'

export const formats = ['table', 'json', 'csv', 'xlsx', 'parquet', 'arrow'] as const
export type Format = (typeof formats)[number]

/** How rows are written, and where to. */
export interface OutputOptions {
  readonly format?: Format | undefined
  readonly out?: string | undefined
  /** A CSV that Excel opens as what it is. */
  readonly excel?: true | undefined
}

const binary: readonly Format[] = ['xlsx', 'parquet', 'arrow']

const shownRows = 50

/** Data for the caller. */
export function out(text: string | Uint8Array): void {
  process.stdout.write(text)
}

/** Everything that is not data. */
export function log(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** A sentence in lines that a terminal need not break inside a word. */
export function foldedForTerminal(text: string): string {
  return process.stderr.isTTY ? foldText(text, process.stderr.columns || 80).join('\n') : text
}

/** The same as `log`, of a template and its values. */
export function tell(text: string, values?: Values): void {
  process.stderr.write(`${say(text, values)}\n`)
}

/** A text with every sha256 in it by its first 12 digits. */
export function shortSum(text: string): string {
  return text.replace(/\b([0-9a-f]{12})[0-9a-f]{52}\b/g, '$1…')
}

/** Aligned columns without lines; wide characters count as two. Null takes no room. */
export function textGrid(head: readonly string[], rows: readonly (readonly unknown[])[], widest = 200): string {
  const columns = head.map((name, i) => ({
    head: name,
    cells: rows.map((row) => (row[i] === null || row[i] === undefined ? '' : cellText(row[i]))),
    right: rows.length > 0 && rows.every((row) => row[i] === null || typeof row[i] === 'number'),
  }))
  return aligned(columns, Number.POSITIVE_INFINITY, widest).lines.join('\n')
}

/** Rows without heads. */
export function plainGrid(rows: readonly (readonly unknown[])[]): string {
  return `${textGrid(rows[0]?.map(() => '') ?? [], rows).trimStart()}\n`
}

/** Objects as aligned columns of these members. */
export function gridOf<K extends string>(head: readonly K[], rows: readonly Readonly<Record<K, unknown>>[]): string {
  return `${textGrid(
    head.map(headIn),
    rows.map((row) => head.map((name) => row[name])),
  )}\n`
}

function secretsOf(table: Table): ReadonlySet<string> {
  const columns = findDataset(provenance(table)?.dataset)?.columns ?? {}
  return new Set(Object.entries(columns).flatMap(([column, { secret }]) => (secret ? [column] : [])))
}

/** A table as aligned text: the first and last rows of a long one, then its size. A terminal's width is kept to. */
export function tableText(table: Table, width?: number): string {
  const within = { rows: shownRows, width: width ?? terminalWidth() ?? Number.POSITIVE_INFINITY }
  return `${displayOf(table, within, width === undefined ? terminalReading() : undefined).text()}\n`
}

/** Credentials never leave through an output: their columns read as dots. */
function masked(table: Table): Table {
  const secret = secretsOf(table)
  if (secret.size === 0) return table
  return table.select(columnNames(table).filter((name) => !secret.has(name)))
}

/** @param width of a table in text; a terminal's own where it is not given */
async function encode(
  whole: Table,
  format: Format,
  width?: number,
): Promise<string | Uint8Array | Iterable<Uint8Array>> {
  const table = masked(whole)
  if (format !== 'table' && table !== whole)
    tell('left out, because they are credentials: {names}', { names: [...secretsOf(whole)].join(', ') })
  switch (format) {
    case 'table':
      return `${tableText(table, width)}${table === whole ? '' : `(${[...secretsOf(whole)].join(', ')}: ${secretMark})\n`}`
    case 'json':
      return jsonChunks(readColumns(table), jsonNames(table))
    case 'csv':
      return toCsv(table)
    case 'xlsx':
      return toXlsx(table)
    case 'parquet':
      return toParquet(table)
    case 'arrow':
      return toIpc(table)
  }
}

/** Said before the work begins and not after it. @throws QuotebookError USAGE when a file can not have this name */
export function checkTarget(file: string): void {
  if (file.trim() === '') throw wrongUse('--out is empty; give the name of a file')
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw wrongUse('--out {file} is a directory; give the name of a file', { file })
}

const endings: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.xlsx': 'xlsx',
  '.json': 'json',
  '.parquet': 'parquet',
  '.arrow': 'arrow',
  '.ipc': 'arrow',
}

/**
 * The format that was asked for, or that the name of the file says, or a table for reading.
 * @throws QuotebookError USAGE for a file whose name does not say it, and for `excel` with another format than CSV
 */
export function formatFor({ format, out: file, excel }: OutputOptions): Format {
  const named = file === undefined ? 'table' : endings[extname(file).toLowerCase()]
  const known = format ?? named
  if (excel && known !== 'csv') throw wrongUse('--excel requires --format csv')
  if (known) return known
  const names = Object.keys(endings).join(', ')
  throw wrongUse('--out {file}: give --format, or a name that ends in {names}', { file: String(file), names })
}

/** Whether a table is read by a person here and now. */
export function isForReading(options: OutputOptions): boolean {
  return formatFor(options) === 'table' && options.out === undefined
}

/** A CSV for Excel: marked as UTF-8. What was done to its cells, and what it can't carry, is said. */
function csvForExcel(table: Table): string {
  const cells = guardedCells(readColumns(table))
  if (cells > 0) tell("{cells} cells begin like a formula: each has a leading ' that keeps it from running", { cells })
  tell('Excel drops the zeros of codes in a CSV, as in 000001; --format xlsx keeps them')
  return toCsv(table, { bom: true })
}

/** A table to a file, whole or not at all, or to stdout. */
export async function emit(table: Table, options: OutputOptions): Promise<void> {
  const format = formatFor(options)
  const { out: file } = options
  if (file !== undefined) checkTarget(file)
  if (file === undefined && process.stdout.isTTY && binary.includes(format))
    throw wrongUse('{format} is binary: give --out FILE, or send it into a pipe', { format })
  const width = file === undefined ? undefined : Number.POSITIVE_INFINITY
  const data = options.excel ? csvForExcel(masked(table)) : await encode(table, format, width)
  if (file === undefined) for (const part of [...inParts(data)]) out(part)
  else {
    await writeFileAtomically(resolve(file), data)
    const isCut = format === 'table' && table.numRows > shownRows
    tell(
      isCut
        ? 'wrote {file} ({rows} rows, of which it shows the first and last; --format csv writes all)'
        : 'wrote {file} ({rows} rows)',
      { file, rows: table.numRows },
    )
  }
}
