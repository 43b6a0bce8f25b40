import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Column } from '../../contract/column.js'
import type { Dataset } from '../../contract/dataset.js'
import { asReply, contentOf } from '../../contract/envelope.js'
import { ImportError, messageOf } from '../../contract/error.js'
import { unknownName } from '../../contract/nearest.js'
import { namesOf, rowsOf } from '../../frame/read-columns.js'
import { CsvSyntaxError, parseCsv } from '../../table/csv.js'
import { fromParquet } from '../../table/parquet.js'
import type { ParquetLimits } from '../../table/parquet-file/limits.js'

const decimal = /^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$/

/** A text cell in the wire form of its column; a text that does not fit is handed on, for the contract to refuse. */
export function typedCell(column: Column | undefined, text: string | null): unknown {
  if (text === null) return null
  switch (column?.kind) {
    case 'number':
    case 'integer':
    case 'long':
      return decimal.test(text.trim()) ? Number(text) : text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'texts':
    case 'json':
      return parsed(text)
    default:
      return text
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** What a file holds, in the wire form. */
export interface FileRows {
  /** The file's own name, without its folder. */
  readonly file: string
  readonly fields: readonly string[]
  readonly items: readonly (readonly unknown[])[]
  /** Line of a row in a text file, from 1; undefined where rows have no lines. */
  readonly lineOf?: (row: number) => number | undefined
  /** A saved reply of the service, which may have been cut at a cap or a page. */
  readonly reply: boolean
  /** What stood beside the rows in a reply. */
  readonly beside: Readonly<Record<string, unknown>>
}

function checkRename(
  file: string,
  dataset: Dataset,
  rename: Readonly<Record<string, string>>,
  fields: readonly string[],
) {
  const columns = Object.keys({ ...dataset.columns, ...dataset.stored })
  for (const [from, to] of Object.entries(rename)) {
    if (!fields.includes(from))
      throw new ImportError(file, `has no column '${from}' to rename; it has ${fields.join(', ')}`)
    if (!columns.includes(to))
      throw new ImportError(file, `${unknownName('rename', to, columns, `column of ${dataset.name}`).message}`)
  }
}

/** The line of a row, as an error states it: nothing where rows have no lines. */
export function lineOf(rows: FileRows, row: number | undefined): { line?: number } {
  const line = row === undefined ? undefined : rows.lineOf?.(row)
  return line === undefined ? {} : { line }
}

/** Names in the file → names of the contract: those given, and those that other publishers use. */
function renamer(dataset: Dataset, rename: Readonly<Record<string, string>>, fields: readonly string[]) {
  const names = new Map(Object.entries(rename))
  for (const [own, others] of Object.entries(dataset.aliases ?? {})) {
    for (const other of others) if (!fields.includes(own) && !names.has(other)) names.set(other, own)
  }
  return (field: string): string => names.get(field) ?? field
}

function fromCsv(
  file: string,
  bytes: Uint8Array,
  dataset: Dataset,
  rename: Readonly<Record<string, string>>,
): FileRows {
  try {
    const { fields, rows, lines } = parseCsv(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (fields.length === 0) throw new ImportError(file, 'is empty')
    checkRename(file, dataset, rename, fields)
    const names = fields.map(renamer(dataset, rename, fields))
    const columns = { ...dataset.columns, ...dataset.stored }
    const declared = names.map((name) => (Object.hasOwn(columns, name) ? columns[name] : undefined))
    const items = rows.map((row) => row.map((cell, i) => typedCell(declared[i], cell)))
    return { file, fields: names, items, lineOf: (row) => lines[row], reply: false, beside: {} }
  } catch (cause) {
    if (cause instanceof ImportError) throw cause
    if (cause instanceof CsvSyntaxError) throw new ImportError(file, cause.message, { line: cause.line, cause })
    throw new ImportError(file, `is not UTF-8 text: ${messageOf(cause)}`, { cause })
  }
}

function fromObjects(file: string, list: readonly unknown[], where: string): Omit<FileRows, 'beside' | 'reply'> {
  const fields = new Set<string>()
  list.forEach((row, i) => {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) {
      throw new ImportError(file, `${where} ${i + 1} is not a row object`)
    }
    for (const name of Object.keys(row)) fields.add(name)
  })
  const names = [...fields]
  return {
    file,
    fields: names,
    items: list.map((row) => names.map((name) => (row as Record<string, unknown>)[name] ?? null)),
  }
}

function fromJson(file: string, bytes: Uint8Array, dataset: Dataset): FileRows {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new ImportError(file, `is not JSON: ${messageOf(cause)}`, { cause })
  }
  if (Array.isArray(value)) return { ...fromObjects(file, value, 'element'), reply: false, beside: {} }
  try {
    const content = contentOf(asReply(value), dataset.shape)
    return {
      file,
      fields: content?.fields ?? [],
      items: content?.items ?? [],
      reply: true,
      beside: content?.beside ?? {},
    }
  } catch (cause) {
    throw new ImportError(file, messageOf(cause), { cause })
  }
}

async function fromParquetFile(
  file: string,
  bytes: Uint8Array,
  dataset: Dataset,
  limits: ParquetLimits | undefined,
): Promise<FileRows> {
  try {
    const table = await fromParquet(bytes, file, limits)
    const fields = namesOf(table)
    const text = table.schema.fields.map(({ metadata }, i) => {
      const isJson = dataset.columns[fields[i] ?? '']?.kind === 'json'
      return isJson && metadata.get('kind') !== 'json'
    })
    const plain = (cell: unknown, i: number): unknown =>
      text[i] && typeof cell === 'string' ? typedCell(dataset.columns[fields[i] ?? ''], cell) : cell
    return { file, fields, items: rowsOf(table).map((row) => row.map(plain)), reply: false, beside: {} }
  } catch (cause) {
    throw new ImportError(file, messageOf(cause).replace(`${file} `, ''), { cause })
  }
}

function startsWith(bytes: Uint8Array, magic: string): boolean {
  return bytes.length >= magic.length && String.fromCharCode(...bytes.subarray(0, magic.length)) === magic
}

/**
 * The rows of a saved reply (a whole envelope), a JSON array of row objects, a CSV or a Parquet file, told apart by
 * their content. Nothing is held against the contract yet.
 * @throws ImportError naming the file, and the line where there is one
 */
export async function readRows(
  path: string,
  dataset: Dataset,
  rename: Readonly<Record<string, string>> = {},
  limits?: ParquetLimits,
): Promise<FileRows> {
  const file = basename(path)
  let bytes: Uint8Array
  try {
    bytes = await readFile(path)
  } catch (cause) {
    throw new ImportError(path, `can not be read: ${messageOf(cause)}`, { cause })
  }
  if (startsWith(bytes, 'ARROW1')) {
    throw new ImportError(
      file,
      'is an Arrow file; give a saved reply, CSV or Parquet (query --format parquet writes one)',
    )
  }
  if (startsWith(bytes, 'PAR1') || path.endsWith('.parquet'))
    return renamed(await fromParquetFile(file, bytes, dataset, limits), dataset, rename)
  const first = bytes.find((byte) => byte > 32 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf)
  if (first === 0x7b || first === 0x5b) return renamed(fromJson(file, bytes, dataset), dataset, rename)
  return fromCsv(file, bytes, dataset, rename)
}

function renamed(rows: FileRows, dataset: Dataset, rename: Readonly<Record<string, string>>): FileRows {
  if (rows.fields.length > 0) checkRename(rows.file, dataset, rename, rows.fields)
  return { ...rows, fields: rows.fields.map(renamer(dataset, rename, rows.fields)) }
}
