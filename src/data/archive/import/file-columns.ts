import { basename } from 'node:path'
import type { Table } from 'apache-arrow'
import type { Column } from '../../../contract/column.js'
import type { Dataset } from '../../../contract/dataset.js'
import { asReply, type Content, contentOf } from '../../../contract/envelope.js'
import { ContractError, ImportError, messageOf, QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { readColumns } from '../../../frame/as-table.js'
import { jsonNames } from '../../../frame/read-columns.js'
import { asDeclared } from '../../../frame/table/as-declared.js'
import { checkJson } from '../../../frame/table/check-json.js'
import { readCsvOf } from '../../../frame/table/csv.js'
import { CsvSyntaxError, CsvText } from '../../../frame/table/csv-read.js'
import { decode } from '../../../frame/table/decode.js'
import { unguarded } from '../../../frame/table/formula-guard.js'
import { fromIpc } from '../../../frame/table/ipc.js'
import { lostDigits } from '../../../frame/table/lost-digits.js'
import { fromParquet } from '../../../frame/table/parquet.js'
import { plainCells } from '../../../frame/table/plain-rows.js'
import type { ColumnData, RecordColumns } from '../../../frame/table/values.js'
import { readExcel } from './excel-file.js'
import { namesOfHeads } from './head-names.js'
import { checkImported, type ImportLimits, limitsOf } from './import-limits.js'
import type { ImportRemark } from './import-remark.js'
import { jsonCell } from './json-cell.js'
import { plainDays, Spelling, withPlainDays } from './spelling.js'

const decimal = /^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$/

/** The number that a text stands for in a file of whatever program: blanks around it, a plus and leading zeros do no harm. */
function numberOf(text: string): number | undefined {
  const plain = unguarded(text).trim()
  return decimal.test(plain) ? Number(plain) : undefined
}

/** A text given for a column, in the wire form; a text that does not fit is handed on, for the contract to refuse. */
export function typedCell(column: Column | undefined, text: string): unknown {
  switch (column?.kind) {
    case 'number':
    case 'integer':
    case 'long':
      return numberOf(text) ?? text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'texts':
    case 'json':
      return jsonCell(text)
    default:
      return text
  }
}

/** What a file holds, held against the contract column by column. */
export interface FileColumns {
  /** The file's own name, without its folder. */
  readonly file: string
  /** Under the names of the contract, in the order of the file; none in an answer without data. */
  readonly columns: RecordColumns
  /** Line of a row in a text file, from 1; undefined where rows have no lines. */
  readonly lineOf?: (row: number) => number
  /** A saved reply of the service, which may have been cut at a cap or a page. */
  readonly reply: boolean
  /** What stood beside the rows in a reply. */
  readonly beside: Readonly<Record<string, unknown>>
  /** The request that a reply was saved with. */
  readonly request?: unknown
  readonly remarks: readonly ImportRemark[]
}

type Rename = Readonly<Record<string, string>>

/** The line of a row, as an error states it: nothing where rows have no lines. */
export function lineOf(file: Pick<FileColumns, 'lineOf'>, row: number | undefined): { line?: number } {
  return row === undefined || !file.lineOf ? {} : { line: file.lineOf(row) }
}

/** A contract error in terms of the file that was read. */
export function inFile(file: Pick<FileColumns, 'file' | 'lineOf'>, error: unknown): unknown {
  if (!(error instanceof ContractError)) return error
  const where = {
    ...lineOf(file, error.row),
    ...(error.field === undefined ? {} : { field: error.field }),
  }
  return new ImportError(file.file, error.message, { ...where, cause: error })
}

/** Columns of a file under the names of the contract. @throws ImportError for a name that stands twice, or to rename what is not there */
function namesFor(file: string, dataset: Dataset, rename: Rename, fields: readonly string[]): readonly string[] {
  const names = namesOfHeads(file, dataset, rename, fields)
  if (new Set(names).size < names.length)
    throw inFile({ file }, new ContractError(dataset.name, 'a field is named twice'))
  return names
}

/** How a file is read. */
export interface FileReading {
  /** Names in the file → names of the contract. */
  readonly rename?: Rename | undefined
  readonly limits?: ImportLimits | undefined
  /** Called now and then with the share of a CSV that was read, from 0 to 1. */
  readonly onRead?: (done: number) => void
}

/** Text that is not UTF-8, as GB18030, of which GBK and GB2312 are parts; in UTF-8. */
function fromGb18030(file: string, bytes: Uint8Array): Buffer {
  try {
    return Buffer.from(new TextDecoder('gb18030', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new ImportError(file, sentence`is not UTF-8, nor GB18030 (GBK) text`, { cause })
  }
}

function fromCsv(file: string, bytes: Buffer, dataset: Dataset, reading: FileReading): FileColumns {
  const { rename = {}, limits, onRead } = reading
  try {
    const isUtf8 = CsvText.isText(bytes)
    const csv = new CsvText(isUtf8 ? bytes : fromGb18030(file, bytes), limitsOf(limits).cell)
    if (csv.fields.length === 0) throw new ImportError(file, sentence`is empty`)
    const names = namesFor(file, dataset, rename, csv.fields.map(unguarded))
    const whole = { file, lineOf: (row: number) => csv.lineOf(row), reply: false, beside: {} }
    const spelling = new Spelling()
    try {
      const day = (column: string, text: string): string => spelling.day(column, text)
      const columns = readCsvOf(csv, dataset, names, { number: numberOf, day, onRead })
      const encoding: ImportRemark[] = isUtf8 ? [] : [{ about: 'encoding', encoding: 'GB18030' }]
      return { ...whole, columns, remarks: [...encoding, ...spelling.remarks] }
    } catch (error) {
      throw inFile(whole, error)
    }
  } catch (cause) {
    if (!(cause instanceof CsvSyntaxError)) throw cause
    throw new ImportError(file, cause.message, { line: cause.line, cause })
  }
}

function fromObjects(file: string, list: readonly unknown[]): Content {
  const fields = new Set<string>()
  list.forEach((row, i) => {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) {
      throw new ImportError(file, sentence`element ${i + 1} is not a row object`)
    }
    for (const name of Object.keys(row)) fields.add(name)
  })
  const names = [...fields]
  const items = list.map((row) => names.map((name) => (row as Record<string, unknown>)[name] ?? null))
  return { fields: names, items, beside: {} }
}

/** Memory of a value of JSON, about. */
const valueBytes = 32

function fromJson(file: string, bytes: Uint8Array, dataset: Dataset, reading: FileReading): FileColumns {
  const { rename = {}, limits } = reading
  const { bytes: mostBytes, cell } = limitsOf(limits)
  let value: unknown
  try {
    checkJson(bytes, { what: 'it', values: Math.floor(mostBytes / valueBytes), text: cell, twice: true })
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    if (cause instanceof QuotebookError) throw new ImportError(file, cause.message, { cause })
    throw new ImportError(file, sentence`is not JSON: ${messageOf(cause)}`, { cause })
  }
  const reply = !Array.isArray(value)
  let content: Content | undefined
  try {
    content = Array.isArray(value) ? fromObjects(file, value) : contentOf(asReply(value), dataset.shape)
  } catch (cause) {
    throw cause instanceof ImportError ? cause : new ImportError(file, messageOf(cause), { cause })
  }
  const { fields, items, beside } = content ?? { fields: [], items: [], beside: {} }
  const names = fields.length > 0 ? namesFor(file, dataset, rename, fields) : []
  const spelling = new Spelling()
  const rows = fields.length > 0 ? (reply ? items : withPlainDays(dataset, names, items, spelling)) : []
  const request = reply ? (value as { request?: unknown }).request : undefined
  try {
    const columns = decode(dataset, names, rows)
    const lost = lostDigits(columns)
    if (lost) throw new ContractError(dataset.name, lost.message, lost)
    return { file, columns, reply, beside, request, remarks: spelling.remarks }
  } catch (error) {
    throw inFile({ file }, error)
  }
}

/** Cells of a column of a Parquet file in the wire form: texts of JSON as the values that they hold. */
function wireCells(name: string, values: ColumnData, column: Column | undefined, isJson: boolean): readonly unknown[] {
  const cells = plainCells(name, values, isJson)
  if (isJson || column?.kind !== 'json') return cells
  return cells.map((cell) => (typeof cell === 'string' ? jsonCell(cell) : cell))
}

/** Sees nulls where none may be by their count, before anybody makes cells of millions of them. */
function checkNulls(file: string, dataset: Dataset, names: readonly string[], table: Table): void {
  names.forEach((name, at) => {
    const column = { ...dataset.columns, ...dataset.stored }[name]
    const vector = table.getChildAt(at)
    if (!vector || !column || column.nullable || vector.nullCount === 0) return
    let row = 0
    while (vector.get(row) !== null) row++
    const wrong = `row ${row + 1}: ${name} is null where the contract requires a value`
    throw inFile({ file }, new ContractError(dataset.name, wrong, { field: name, row }))
  })
}

/** A Parquet or an Arrow IPC file. */
async function fromTableFile(
  file: string,
  read: (limits: ImportLimits) => Table | Promise<Table>,
  dataset: Dataset,
  { rename = {}, limits }: FileReading,
): Promise<FileColumns> {
  let table: Table
  let found: RecordColumns
  let names: readonly string[]
  try {
    const { bytes, ...others } = limitsOf(limits)
    table = await read({ ...others, bytes: Math.floor(bytes / 2) })
    const fields = table.schema.fields.map(({ name }) => String(name))
    names = namesFor(file, dataset, rename, fields)
    checkNulls(file, dataset, names, table)
    found = readColumns(table)
    checkImported(found, limits)
  } catch (cause) {
    if (cause instanceof ImportError) throw cause
    throw new ImportError(file, messageOf(cause).replace(`${file} `, ''), { cause })
  }
  const json = jsonNames(table)
  const known: Readonly<Record<string, Column>> = { ...dataset.columns, ...dataset.stored }
  const columns = new Map<string, ColumnData>()
  const spelling = new Spelling()
  try {
    ;[...found.columns].forEach(([own, values], at) => {
      const name = names[at] as string
      const cells = (): readonly unknown[] => {
        const plain = wireCells(own, values, known[name], json.has(own))
        return known[name]?.kind === 'code' ? plain.map((cell) => spelling.code(name, known[name], cell)) : plain
      }
      columns.set(name, asDeclared(dataset, name, plainDays(name, values, known[name], spelling), cells))
    })
  } catch (error) {
    throw inFile({ file }, error)
  }
  return {
    file,
    columns: { length: found.length, columns },
    reply: false,
    beside: {},
    remarks: spelling.remarks,
  }
}

async function fromExcel(
  file: string,
  bytes: Uint8Array,
  dataset: Dataset,
  { rename = {}, limits }: FileReading,
): Promise<FileColumns> {
  const known: Readonly<Record<string, Column>> = { ...dataset.columns, ...dataset.stored }
  const spelling = new Spelling()
  const renamed = (names: readonly string[]): readonly string[] => namesFor(file, dataset, rename, names)
  const found = await readExcel(file, bytes, renamed, known, spelling, limits)
  const { names, items, sheet, others } = found
  const remarks: ImportRemark[] = [{ about: 'sheet', sheet, others }, ...spelling.remarks]
  try {
    return { file, columns: decode(dataset, names, items), reply: false, beside: {}, remarks }
  } catch (error) {
    throw inFile({ file }, error)
  }
}

/** How a compound file begins, which .xls is. */
const oldExcel = Buffer.from('d0cf11e0a1b11ae1', 'hex')

function startsWith(bytes: Uint8Array, magic: string): boolean {
  return bytes.length >= magic.length && String.fromCharCode(...bytes.subarray(0, magic.length)) === magic
}

/**
 * A saved reply (a whole envelope), a JSON array of row objects, a CSV, a Parquet, an Arrow or an Excel file, told apart by their
 * content.
 * @param path for the name that errors tell
 * @throws ImportError naming the file, and the line and field where there are any
 */
export async function readFileColumns(
  path: string,
  bytes: Buffer,
  dataset: Dataset,
  reading: FileReading = {},
): Promise<FileColumns> {
  const read = await columnsOfFile(path, bytes, dataset, reading)
  const { rows } = limitsOf(reading.limits)
  if (read.columns.length <= rows) return read
  throw new ImportError(
    read.file,
    sentence`has ${read.columns.length} rows, and ${rows} are the most that is read; give it in parts`,
  )
}

async function columnsOfFile(
  path: string,
  bytes: Buffer,
  dataset: Dataset,
  reading: FileReading,
): Promise<FileColumns> {
  const file = basename(path)
  if (startsWith(bytes, 'ARROW1')) return fromTableFile(file, () => fromIpc(bytes, file), dataset, reading)
  if (startsWith(bytes, 'PAR1') || path.endsWith('.parquet'))
    return fromTableFile(
      file,
      ({ rows, columns, bytes: most }) => fromParquet(bytes, file, { rows, columns, bytes: most }),
      dataset,
      reading,
    )
  if (startsWith(bytes, 'PK\u0003\u0004')) return fromExcel(file, bytes, dataset, reading)
  if (bytes.subarray(0, 8).equals(oldExcel)) {
    throw new ImportError(file, sentence`is an Excel file of the old kind (.xls); save it as .xlsx or CSV`)
  }
  const first = bytes.find((byte) => byte > 32 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf)
  if (first === 0x7b || first === 0x5b) return fromJson(file, bytes, dataset, reading)
  return fromCsv(file, bytes, dataset, reading)
}
