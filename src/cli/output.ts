import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Table, tableToIPC } from 'apache-arrow'
import Table3 from 'cli-table3'
import { writeWhole } from '../archive/write-whole.js'
import { type DatasetName, datasetNames, datasetOf } from '../contract/catalogue.js'
import { QuotebookError } from '../contract/error.js'
import { namesOf, objectsOf, rowsOf } from '../frame/column.js'
import { toCsv } from '../frame/csv.js'
import { toParquet } from '../frame/parquet.js'
import { provenance } from '../frame/provenance.js'

export const formats = ['table', 'json', 'csv', 'parquet', 'arrow'] as const
export type Format = (typeof formats)[number]

const shownRows = 50
const widestCell = 40
const mask = '••••••'

/** Data for the caller. */
export function out(text: string | Uint8Array): void {
  process.stdout.write(text)
}

/** Everything that is not data. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Control characters would let a text from outside steer the terminal. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, ' ')
}

function cellText(cell: unknown, widest: number): string {
  if (cell === null || cell === undefined) return ''
  const text = printable(typeof cell === 'object' ? JSON.stringify(cell) : String(cell))
  return text.length > widest ? `${text.slice(0, widest - 1)}…` : text
}

/** Aligned columns without lines; wide characters count as two. */
export function grid(head: readonly string[], rows: readonly (readonly unknown[])[], widest = 200): string {
  const bare = [
    'top',
    'top-mid',
    'top-left',
    'top-right',
    'bottom',
    'bottom-mid',
    'bottom-left',
    'bottom-right',
    'left',
  ]
  const lines = [...bare, 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid']
  const numeric = head.map(
    (_, i) => rows.length > 0 && rows.every((row) => row[i] === null || row[i] === '…' || typeof row[i] === 'number'),
  )
  const table = new Table3({
    head: [...head],
    chars: { ...Object.fromEntries(lines.map((name) => [name, ''])), middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colAligns: numeric.map((is) => (is ? 'right' : 'left')),
  })
  for (const row of rows) table.push(row.map((cell) => cellText(cell, widest)))
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

function secretsOf(table: Table): ReadonlySet<string> {
  const name = provenance(table)?.dataset as DatasetName | undefined
  if (!name || !datasetNames.includes(name)) return new Set()
  return new Set(Object.entries(datasetOf(name).columns).flatMap(([column, { secret }]) => (secret ? [column] : [])))
}

/** A table as aligned text: the first and last rows of a long one, then its size. */
export function tableText(table: Table): string {
  const rows = rowsOf(table)
  const half = shownRows / 2
  const long = rows.length > shownRows
  const gap = namesOf(table).map(() => '…')
  const shown = long ? [...rows.slice(0, half), gap, ...rows.slice(-half)] : rows
  return `${grid(namesOf(table), shown, widestCell)}\n[${rows.length} rows x ${namesOf(table).length} columns]\n`
}

/** Credentials never leave through an output: their columns read as dots. */
function masked(table: Table): Table {
  const secret = secretsOf(table)
  if (secret.size === 0) return table
  return table.select(namesOf(table).filter((name) => !secret.has(name)))
}

export async function encode(whole: Table, format: Format): Promise<string | Uint8Array> {
  const table = masked(whole)
  if (format !== 'table' && table !== whole)
    say(`left out, because they are credentials: ${[...secretsOf(whole)].join(', ')}`)
  switch (format) {
    case 'table':
      return `${tableText(table)}${table === whole ? '' : `(${[...secretsOf(whole)].join(', ')}: ${mask})\n`}`
    case 'json':
      return `${JSON.stringify(objectsOf(table))}\n`
    case 'csv':
      return toCsv(table)
    case 'parquet':
      return toParquet(table)
    case 'arrow':
      return tableToIPC(table, 'file')
  }
}

/** Said before the work begins and not after it. @throws QuotebookError USAGE when a file can not have this name */
export function checkTarget(file: string): void {
  if (file.trim() === '') throw new QuotebookError('USAGE', '--out is empty; give the name of a file')
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw new QuotebookError('USAGE', `--out ${file} is a directory; give the name of a file`)
  }
}

/** A table to a file, whole or not at all, or to stdout. */
export async function emit(table: Table, format: Format, file: string | undefined): Promise<void> {
  if (file !== undefined) checkTarget(file)
  if (file === undefined && process.stdout.isTTY && (format === 'parquet' || format === 'arrow')) {
    throw new QuotebookError('USAGE', `${format} is binary: give --out FILE, or send it into a pipe`)
  }
  const data = await encode(table, format)
  if (file === undefined) out(data)
  else {
    await writeWhole(resolve(file), data)
    say(`wrote ${file} (${table.numRows} rows)`)
  }
}
