import type { Table } from 'apache-arrow'
import type { Column } from '../../../contract/column.js'
import type { Dataset } from '../../../contract/dataset.js'
import { asReply, type Content, contentOf } from '../../../contract/envelope.js'
import { ContractError, ImportError, messageOf, QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import type { TextEncoding } from '../../../contract/text-encodings.js'
import { withoutMark } from '../../../contract/without-mark.js'
import { writtenNumber } from '../../../contract/written-number.js'
import { readColumns } from '../../../frame/as-table.js'
import { jsonNames } from '../../../frame/read-columns.js'
import { columnTypeOf } from '../../../frame/table/arrow.js'
import { asDeclared } from '../../../frame/table/as-declared.js'
import { checkJson, parseJson } from '../../../frame/table/check-json.js'
import { csvOf } from '../../../frame/table/csv.js'
import { CsvText } from '../../../frame/table/csv-read.js'
import { decode } from '../../../frame/table/decode.js'
import { unguarded } from '../../../frame/table/formula-guard.js'
import { fromIpc } from '../../../frame/table/ipc.js'
import { lostDigits } from '../../../frame/table/lost-digits.js'
import { isMissingWord } from '../../../frame/table/missing-word.js'
import { codedFromParquet } from '../../../frame/table/parquet.js'
import { plainCells } from '../../../frame/table/plain-rows.js'
import { isSourceNote } from '../../../frame/table/source-note.js'
import { readWorkbook, type SheetContent } from '../../../frame/table/spreadsheet.js'
import { fromTdx, isTdx } from '../../../frame/table/tdx.js'
import { type DecodedText, decodeText } from '../../../frame/table/text-encoding.js'
import { checkUnpacked } from '../../../frame/table/unpacked-size.js'
import { type ColumnData, distinctWords, type RecordColumns } from '../../../frame/table/values.js'
import { checkImported, type limitsOf } from './import-limits.js'
import { headsOfSheet, knownHeads } from './sheet-heads.js'
import { declaredIn, type ImportRemark, respelledRows, respelledWords, type Spelling } from './spelling.js'

/** A file to be read, and what it is read as. */
export interface GivenFile {
  /** Its own name, without its folder. */
  readonly file: string
  readonly bytes: Buffer
  readonly dataset: Dataset
  readonly limits: ReturnType<typeof limitsOf>
  readonly spelling: Spelling
  /** That of a text, if it is stated. */
  readonly encoding?: TextEncoding | undefined
  /** Called now and then with the share of a CSV that was read, from 0 to 1. */
  readonly onRead?: ((done: number) => void) | undefined
}

/** What a file holds, before its names are those of the contract. */
export interface RawFile {
  /** Its names; none in an answer without data. */
  readonly fields: readonly string[]
  /** Its cells, under names of the contract in the order of `fields`, compared with the contract column by column. */
  columns(names: readonly string[]): RecordColumns | Promise<RecordColumns>
  /** Line of a row in a text file, from 1. */
  readonly lineOf?: (row: number) => number
  readonly reply?: boolean
  readonly beside?: Readonly<Record<string, unknown>>
  readonly request?: unknown
  readonly remarks?: readonly ImportRemark[]
  /** A program whose files are known by themselves. */
  readonly form?: 'tdx'
}

/** The number that a text stands for in a file of whatever program: blanks around it, a plus and leading zeros do no harm. */
const numberOf = (text: string, column: Column | undefined): number | undefined =>
  writtenNumber(unguarded(text).trim(), column?.unit)

/** A text of JSON as what it holds; any other as it is. @throws QuotebookError ENVELOPE for what is too deep */
function jsonCell(text: string): unknown {
  try {
    return parseJson(text, 'a cell')
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

/** A text given for a column, in the wire form; a text that does not fit is handed on, for the contract to refuse. */
export function typedCell(column: Column | undefined, text: string): unknown {
  switch (column?.kind) {
    case 'number':
    case 'integer':
    case 'long':
      return numberOf(text, column) ?? (column.nullable && isMissingWord(text) ? null : text)
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'texts':
    case 'json':
      return jsonCell(text)
    default:
      return text
  }
}

/** What steps come to, each in a turn of its own, so that a signal is heard between them. */
async function inTurns<T>(steps: Generator<number, T>, onStep?: (done: number) => void): Promise<T> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    onStep?.(value)
    await new Promise(setImmediate)
  }
}

const separatorNames = { '\t': 'tab', ';': 'semicolon' } as const

/** What was found beside rows: another separator, and an end that is no row. */
function csvRemarks({ separator, footer }: CsvText): ImportRemark[] {
  const { notes, emptyRows } = footer
  return [
    ...(separator === ',' ? [] : [{ about: 'separator', separator: separatorNames[separator] } as const]),
    ...(notes.length + emptyRows > 0 ? [{ about: 'footer', notes, emptyRows } as const] : []),
  ]
}

/** Lines above the heads that are not cells: the title and the sums that a terminal writes over its table. */
function titleLines(bytes: Buffer, dataset: Dataset): { readonly length: number; readonly lines: number } {
  if (!dataset.own) return { length: 0, lines: 0 }
  const isKnown = knownHeads(dataset)
  const texts = bytes.toString('utf8', 0, 16_384).split('\n').slice(0, 12)
  const known = (text: string): number =>
    text.split(/[\t,;]/).filter((cell) => isKnown(cell.replace(/^\ufeff?=?"?|"?\s*$/g, ''))).length
  const at = known(texts[0] ?? '') > 0 ? 0 : texts.findIndex((text) => known(text) > 1)
  const above = texts.slice(0, Math.max(at, 0))
  return { length: Buffer.byteLength(above.map((text) => `${text}\n`).join('')), lines: above.length }
}

function readCsv({ file, bytes, dataset, limits, spelling, onRead }: GivenFile): RawFile {
  const above = titleLines(bytes, dataset)
  const csv = new CsvText(bytes.subarray(above.length), limits.cell, true)
  if (csv.fields.length === 0) throw new ImportError(file, sentence`is empty`)
  const word = (name: string, column: Column, text: string): string => spelling.text(name, column, text)
  return {
    fields: csv.fields.map(unguarded),
    columns: (names) => inTurns(csvOf(csv, dataset, names, { number: numberOf, word }), onRead),
    lineOf: (row) => above.lines + csv.lineOf(row),
    remarks: csvRemarks(csv),
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

function readJson({ file, bytes, dataset, limits, spelling }: GivenFile): RawFile {
  let value: unknown
  try {
    checkJson(bytes, { what: 'it', values: Math.floor(limits.bytes / valueBytes), text: limits.cell, twice: true })
    value = JSON.parse(withoutMark(bytes.toString()))
  } catch (cause) {
    if (cause instanceof QuotebookError) throw cause
    throw new ImportError(file, sentence`is not JSON: ${messageOf(cause)}`, { cause })
  }
  const reply = !Array.isArray(value)
  const content = Array.isArray(value) ? fromObjects(file, value) : contentOf(asReply(value), dataset.shape)
  const { fields, items, beside } = content ?? { fields: [], items: [], beside: {} }
  const columns = (names: readonly string[]): RecordColumns => {
    const rows = reply ? items : respelledRows(dataset, names, items, spelling)
    const decoded = decode(dataset, names, names.length > 0 ? rows : [])
    const lost = lostDigits(decoded)
    if (lost) throw new ContractError(dataset.name, lost.message, lost)
    return decoded
  }
  return { fields, columns, reply, beside, request: reply ? (value as { request?: unknown }).request : undefined }
}

/** Cells of a column of a Parquet file in the wire form: texts of JSON as the values that they hold. */
function wireCells(name: string, values: ColumnData, column: Column | undefined, isJson: boolean): readonly unknown[] {
  const cells = plainCells(name, values, isJson)
  if (isJson || column?.kind !== 'json') return cells
  return cells.map((cell) => (typeof cell === 'string' ? jsonCell(cell) : cell))
}

/** Sees nulls where none may be by their count, before anybody makes cells of millions of them. */
function checkNulls(dataset: Dataset, names: readonly string[], table: Table): void {
  const declared = declaredIn(dataset)
  names.forEach((name, at) => {
    const column = declared(name)
    const vector = table.getChildAt(at)
    if (!vector || !column || column.nullable || vector.nullCount === 0) return
    let row = 0
    while (vector.get(row) !== null) row++
    const wrong = sentence`row ${row + 1}: ${name} is null where the contract requires a value`
    throw new ContractError(dataset.name, wrong, { field: name, row })
  })
}

/** Text spelled out in each row. */
function spelledOut(values: ColumnData): ColumnData {
  if (values.type !== 'dictionary') return values
  return { type: 'string', data: distinctWords(values) }
}

/** A Parquet or an Arrow IPC file. */
function readTable(table: Table, { dataset, limits, spelling }: GivenFile): RawFile {
  const columns = (names: readonly string[]): RecordColumns => {
    const declared = declaredIn(dataset)
    checkNulls(dataset, names, table)
    const found = readColumns(table)
    checkImported(found, limits)
    const json = jsonNames(table)
    const of = [...found.columns].map(([own, coded], at) => {
      const name = names[at] as string
      const column = declared(name)
      const values = column && columnTypeOf(column.kind) === 'dictionary' ? coded : spelledOut(coded)
      const cells = (): readonly unknown[] => {
        const plain = wireCells(own, values, column, json.has(own))
        return column?.kind === 'code' ? plain.map((cell) => spelling.code(name, column, cell)) : plain
      }
      return [name, asDeclared(dataset, name, respelledWords(name, values, column, spelling), cells)] as const
    })
    return { length: found.length, columns: new Map(of) }
  }
  return { fields: table.schema.fields.map(({ name }) => String(name)), columns }
}

type SheetValue = SheetContent['rows'][number][number]

const midnight = /^(\d{4})-(\d\d)-(\d\d)T00:00:00$/

/** A cell of a sheet in the wire form: what the sheet calls a date, a number or a text as the column writes it. */
function sheetCell(
  name: string,
  column: Column | undefined,
  cell: SheetValue | undefined,
  spelling: Spelling,
): unknown {
  if (cell === null || cell === undefined || (cell === '' && column?.kind !== 'text')) return null
  // What a cell of a date shows, as `2026-07-01T09:30:00`, for Excel knows no time zone.
  const shown = cell instanceof Date ? cell.toISOString().slice(0, 19) : cell
  if (column?.kind === 'date' && cell instanceof Date && midnight.test(String(shown)))
    return String(shown).replace(midnight, '$1$2$3')
  if (column?.kind === 'date') return typeof shown === 'boolean' ? shown : spelling.text(name, column, String(shown))
  if (cell instanceof Date) return String(shown).replace(/T00:00:00$/, '')
  if (typeof shown !== 'string') return spelling.code(name, column, shown)
  return column?.kind === 'code' ? spelling.text(name, column, shown) : typedCell(column, shown)
}

/** The first sheet of an Excel file, its first row the names. @throws ImportError for a file that is none, is empty, or has a cell below no name */
async function readExcel({ file, bytes, dataset, limits, spelling }: GivenFile): Promise<RawFile> {
  let content: SheetContent | undefined
  try {
    await checkUnpacked(bytes, Math.floor(limits.bytes / 5))
    content = await readWorkbook(bytes)
  } catch (cause) {
    throw new ImportError(file, sentence`can not be read as an Excel file: ${messageOf(cause)}`, { cause })
  }
  const { fields, rows, remarks } = headsOfSheet(content?.rows ?? [], dataset)
  if (!content || fields.length === 0) throw new ImportError(file, sentence`its first sheet has no row of names`)
  const { sheet, others, uncomputed } = content
  if (uncomputed !== undefined)
    throw new ImportError(
      file,
      sentence`cell ${uncomputed} holds a formula whose value is not stored; open the file in Excel and save it`,
    )
  const filled = rows.filter((row) => row.some((cell) => cell !== null && cell !== ''))
  const { kept, remarks: left } = withoutNotes(filled)
  const hasIndex = fields[0] === '' && kept.length > 0 && kept.every(([cell]) => Number.isInteger(cell))
  const skip = hasIndex ? 1 : 0
  const unnamed = fields.indexOf('', skip)
  if (unnamed >= 0) throw new ImportError(file, sentence`column ${unnamed + 1} of its first row has no name`)
  const columns = (names: readonly string[]): RecordColumns => {
    const declared = declaredIn(dataset)
    const items = kept.map((row) => names.map((name, at) => sheetCell(name, declared(name), row[at + skip], spelling)))
    return decode(dataset, names, items)
  }
  const index: readonly ImportRemark[] = hasIndex ? [{ about: 'index' }] : []
  return {
    fields: fields.slice(skip),
    columns,
    remarks: [{ about: 'sheet', sheet, others }, ...remarks, ...index, ...left],
  }
}

/** Rows without the notes below them that name their source; one with rows below it is a row. */
function withoutNotes(rows: SheetContent['rows']): { kept: SheetContent['rows']; remarks: readonly ImportRemark[] } {
  let end = rows.length
  while (end > 0 && isSourceNote(rows[end - 1] ?? [])) end--
  const notes = rows.slice(end).map((row) => String(row.find((cell) => cell !== null && cell !== '')).trim())
  return { kept: rows.slice(0, end), remarks: notes.length === 0 ? [] : [{ about: 'footer', notes, emptyRows: 0 }] }
}

/** A file of 通达信; its heads say their units. @throws ImportError for bars where the contract tells the last quote of a bucket */
function readTdx(given: GivenFile): RawFile {
  const { file, bytes, dataset } = given
  const table = fromTdx(bytes, file)
  if (
    dataset.columns.time &&
    !dataset.columns.time.nullable &&
    table.schema.fields.some(({ name }) => name === 'trademin')
  ) {
    const lacks = sentence`bars of 通达信 do not tell time, the last quote of a bucket, nor the opening auction by itself`
    throw new ImportError(
      file,
      sentence`${lacks}: ${dataset.name} is not made of them; fromTdx and resampleBars join them`,
    )
  }
  const units = table.schema.fields.map(({ name, metadata }) => {
    const unit = metadata.get('unit')
    return unit === undefined ? name : `${name}（${unit}）`
  })
  return { ...readTable(table, given), fields: units, form: 'tdx' }
}

/** How a compound file begins, which .xls is. */
const oldExcel = Buffer.from('d0cf11e0a1b11ae1', 'hex')

function startsWith(bytes: Uint8Array, magic: string): boolean {
  return bytes.length >= magic.length && String.fromCharCode(...bytes.subarray(0, magic.length)) === magic
}

function encodingRemarks({ encoding, isBoth }: DecodedText): ImportRemark[] {
  return encoding === 'UTF-8' ? [] : [{ about: 'encoding', encoding, ...(isBoth && { isBoth }) }]
}

/** Reads a file as what its content shows it to be. @param path for its ending */
export async function readRaw(path: string, given: GivenFile): Promise<RawFile> {
  const { file, bytes, limits, encoding } = given
  if (isTdx(bytes, file)) return readTdx(given)
  if (startsWith(bytes, 'ARROW1')) return readTable(fromIpc(bytes, file), given)
  if (startsWith(bytes, 'PAR1') || path.endsWith('.parquet')) {
    const { rows, columns, bytes: most } = limits
    return readTable(await codedFromParquet(bytes, file, { rows, columns, bytes: Math.floor(most / 2) }), given)
  }
  if (startsWith(bytes, 'PK\u0003\u0004')) return readExcel(given)
  if (bytes.subarray(0, 8).equals(oldExcel)) {
    throw new ImportError(file, sentence`is an Excel file of the old kind (.xls); save it as .xlsx or CSV`)
  }
  const text = decodeText(bytes, file, encoding)
  const first = text.bytes.find((byte) => byte > 32 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf)
  const own = { ...given, bytes: text.bytes }
  const raw = first === 0x7b || first === 0x5b ? readJson(own) : readCsv(own)
  return { ...raw, remarks: [...encodingRemarks(text), ...(raw.remarks ?? [])] }
}
