import { statSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import type { Table } from 'apache-arrow'
import { writeFileAtomically } from '../archive/file-access.js'
import { type DatasetName, datasetNames, datasetOf } from '../contract/catalogue.js'
import { QuotebookError } from '../contract/error.js'
import { namesOf } from '../frame/read-columns.js'
import { toCsv, toIpc, toJson, toParquet } from '../frame/write-data.js'
import { cellText, secretMark } from '../show/cell-text.js'
import { show } from '../show/show-data.js'
import { alignColumns as aligned } from '../show/text-table.js'
import { provenance } from '../table/provenance.js'
import { say } from './chosen-language.js'

export const formats = ['table', 'json', 'csv', 'parquet', 'arrow'] as const
export type Format = (typeof formats)[number]

const shownRows = 50

/** Data for the caller. */
export function out(text: string | Uint8Array): void {
  process.stdout.write(text)
}

/** Everything that is not data. */
export function log(text: string): void {
  process.stderr.write(`${text}\n`)
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

function secretsOf(table: Table): ReadonlySet<string> {
  const name = provenance(table)?.dataset as DatasetName | undefined
  if (!name || !datasetNames.includes(name)) return new Set()
  return new Set(Object.entries(datasetOf(name).columns).flatMap(([column, { secret }]) => (secret ? [column] : [])))
}

/** A table as aligned text: the first and last rows of a long one, then its size. A terminal's width is kept to. */
export function tableText(table: Table, width = process.stdout.isTTY ? process.stdout.columns : undefined): string {
  return `${show(table, { rows: shownRows, width: width || Number.POSITIVE_INFINITY }).text()}\n`
}

/** Credentials never leave through an output: their columns read as dots. */
function masked(table: Table): Table {
  const secret = secretsOf(table)
  if (secret.size === 0) return table
  return table.select(namesOf(table).filter((name) => !secret.has(name)))
}

/** @param width of a table in text; a terminal's own where it is not given */
export async function encode(whole: Table, format: Format, width?: number): Promise<string | Uint8Array> {
  const table = masked(whole)
  if (format !== 'table' && table !== whole) log(say('left out', { names: [...secretsOf(whole)].join(', ') }))
  switch (format) {
    case 'table':
      return `${tableText(table, width)}${table === whole ? '' : `(${[...secretsOf(whole)].join(', ')}: ${secretMark})\n`}`
    case 'json':
      return `${toJson(table)}\n`
    case 'csv':
      return toCsv(table)
    case 'parquet':
      return toParquet(table)
    case 'arrow':
      return toIpc(table)
  }
}

/** Said before the work begins and not after it. @throws QuotebookError USAGE when a file can not have this name */
export function checkTarget(file: string): void {
  if (file.trim() === '') throw new QuotebookError('USAGE', say('out is empty'))
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw new QuotebookError('USAGE', say('out is a directory', { file }))
  }
}

const endings: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.json': 'json',
  '.parquet': 'parquet',
  '.arrow': 'arrow',
  '.ipc': 'arrow',
}

/**
 * The format that was asked for, or that the name of the file says, or a table for reading.
 * @throws QuotebookError USAGE for a file whose name does not say it
 */
export function formatFor(format: Format | undefined, file: string | undefined): Format {
  if (format !== undefined || file === undefined) return format ?? 'table'
  const known = endings[extname(file).toLowerCase()]
  if (known) return known
  const names = Object.keys(endings).join(', ')
  throw new QuotebookError('USAGE', say('which format', { file, names }))
}

/** A table to a file, whole or not at all, or to stdout. */
export async function emit(table: Table, asked: Format | undefined, file: string | undefined): Promise<void> {
  const format = formatFor(asked, file)
  if (file !== undefined) checkTarget(file)
  if (file === undefined && process.stdout.isTTY && (format === 'parquet' || format === 'arrow')) {
    throw new QuotebookError('USAGE', say('is binary', { format }))
  }
  const data = await encode(table, format, file === undefined ? undefined : Number.POSITIVE_INFINITY)
  if (file === undefined) out(data)
  else {
    await writeFileAtomically(resolve(file), data)
    const isCut = format === 'table' && table.numRows > shownRows
    log(say(isCut ? 'wrote some' : 'wrote', { file, rows: table.numRows }))
  }
}
