import { Buffer, isUtf8 } from 'node:buffer'
import type { Table } from 'apache-arrow'
import type { Column, Kind } from '../../contract/column.js'
import type { Dataset } from '../../contract/dataset.js'
import { beijingMoment, isDate } from '../../contract/date.js'
import { ContractError, messageOf, QuotebookError, rowFact, worded } from '../../contract/error.js'
import { checkOptions, type OptionKinds } from '../../contract/options.js'
import { isFact, sentence } from '../../contract/sentence.js'
import { type TextEncoding, textEncodings } from '../../contract/text-encodings.js'
import { columnTypeOf, toTable } from './arrow.js'
import { isJson } from './cells-to-column.js'
import { atOnce, type CellRule, type CsvColumn, csvColumns, isNothing, listIn } from './csv-column.js'
import { CsvSyntaxError, CsvText, needsQuotes } from './csv-read.js'
import { decodeColumn, wrongInContract, wrongWord } from './decode.js'
import { guarded, unguarded } from './formula-guard.js'
import { kindOfName } from './kind-of-name.js'
import { isMissingWord } from './missing-word.js'
import { numberIn, numeralOf } from './numeral.js'
import { isBlank } from './present-cells.js'
import { checkColumns, datasetIn, kindIn, type Reading, readNamedColumns } from './reading.js'
import { type CellText, rowText } from './row-text.js'
import { isSourceNote } from './source-note.js'
import { decodeText } from './text-encoding.js'
import type { ColumnData, RecordColumns } from './values.js'

const special = /[",\r\n]/

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

function cell(text: string): string {
  const own = guarded(text)
  return own === '' || special.test(own) || isSourceNote([own]) ? quoted(own) : own
}

/** A name of the header: blanks around it and a mark at the beginning of the file would not come back. */
function head(name: string): string {
  const text = guarded(name)
  return needsQuotes(text) ? quoted(text) : text
}

/** The cells of a column that are there, as they are written; none of lists and booleans, which nothing else looks like. */
function* spelledCells(values: ColumnData): Generator<string> {
  if (values.type === 'boolean' || values.type === 'list') return
  if (values.type === 'float' || values.type === 'int') {
    const { data, valid } = values
    for (let row = 0; row < data.length; row++) {
      const value = data[row] as number
      if (valid?.[row] !== 0 && !Number.isNaN(value)) yield numeralOf(value)
    }
  } else if (values.type === 'string') {
    for (const text of values.data) if (typeof text === 'string') yield cell(text)
  } else
    for (const code of new Set(values.data)) {
      const text = values.dictionary[code]
      if (text !== undefined) yield cell(text)
    }
}

/** Whether a cell as it is written is of a rule of `rulesOf`. */
function isOfRule(spelled: string, rule: CellRule): boolean {
  if (rule.kind === 'boolean') return isBoolean(spelled)
  if (!isTyped(rule)) return rule.fits?.(spelled) !== false
  if (isNothing(spelled, rule)) return true
  const value = rule.number(spelled)
  if (value === undefined || !Number.isFinite(value)) return false
  return rule.kind === 'number' || (rule.kind === 'long' ? Number.isSafeInteger(value) : (value | 0) === value)
}

/** The first text that is no word for a missing number. */
function firstOf(texts: Iterable<string>): string | undefined {
  for (const text of texts) if (!isMissingWord(text)) return text
  return undefined
}

/** Whether a column would be read as numbers, or as true and false; undefined where no cell tells. */
function readsTyped(name: string, values: ColumnData): boolean | undefined {
  const [any] = spelledCells(values)
  if (any === undefined) return undefined
  const rules = rulesOf(name, firstOf(spelledCells(values)))
  const isNumber = values.type === 'float' || values.type === 'int'
  const before = rules.slice(0, isNumber ? rules.findIndex(({ kind }) => kind === 'number') : rules.length)
  // No cell but the first need be looked at where no rule of the other sort comes before.
  if (!before.some((rule) => isTyped(rule) !== isNumber)) return isNumber
  const taken = rules.find((rule) => {
    for (const spelled of spelledCells(values)) if (!isOfRule(spelled, rule)) return false
    return true
  })
  return taken !== undefined && isTyped(taken)
}

/** A number that nobody takes for a code or a date. */
function withPoint(value: number): string {
  const plain = numeralOf(value)
  return /^-?\d+$/.test(plain) ? `${plain}.0` : plain
}

const inQuotes = (text: string): string => quoted(guarded(text))

function list(parts: readonly string[]): string {
  return cell(JSON.stringify(parts))
}

/** Columns as CSV. @throws QuotebookError INVALID_VALUE for infinity, and for data without columns */
export function writeCsv(columns: RecordColumns): string {
  const names = [...columns.columns.keys()]
  if (names.length === 0) throw new QuotebookError('INVALID_VALUE', sentence`a CSV can not carry data without columns`)
  const spelling = (name: string): CellText => {
    const typed = readsTyped(name, columns.columns.get(name) as ColumnData)
    const number = typed === false ? withPoint : numeralOf
    const afterWhole = typed === false ? '.0' : ''
    return { missing: '', number, afterWhole, text: typed ? inQuotes : cell, list }
  }
  const before = names.map((_, at) => (at === 0 ? '' : ','))
  const rows = rowText(columns, spelling, { format: 'CSV', before, end: '\n', between: '' })
  return `${names.map(head).join(',')}\n${rows}`
}

/** A number as a CSV of ours has it. */
const wide: CellRule['number'] = (text) => numberIn(text, true)

const isBoolean = (text: string): boolean => text === 'true' || text === 'false'

const isNumeric = (kind: Kind): boolean => kind === 'integer' || columnTypeOf(kind) === 'float'

/** Whether cells of a rule are numbers, or true and false. */
function isTyped({ kind }: CellRule): boolean {
  return kind === 'boolean' || isNumeric(kind)
}

/** Whether a text is a number that is written with a point or an exponent. */
const isDecimal = (text: string): boolean => /[.e]/i.test(text) && numberIn(text) !== undefined

/** A column of a kind that nothing declares. */
function ruleOf(kind: Kind, number = wide, values?: readonly string[]): CellRule {
  const rule = { kind, number, isNullable: true, takesWords: isNumeric(kind) }
  const column = values ? { kind, values } : { kind }
  if (columnTypeOf(kind) === 'dictionary') return { ...rule, fits: (word) => wrongWord(column, word) === undefined }
  if (kind === 'boolean') return { ...rule, fits: isBoolean }
  if (kind === 'moment') return { ...rule, fits: (text) => beijingMoment(text) !== undefined }
  if (kind === 'json') return { ...rule, fits: isJson }
  return kind === 'texts' ? { ...rule, fits: (text) => listIn(text) !== undefined } : rule
}

/** A JSON value as the contract keeps it; anything else as a text. */
function jsonOf(text: string): string | null {
  const value: unknown = isJson(text) ? JSON.parse(text) : text
  return value === null ? null : JSON.stringify(value)
}

/** A column that a dataset declares, or that it does not know. */
function strictRule(column: Column | undefined, { number: own, word }: CsvReading, name: string): CellRule {
  if (!column) return { kind: 'text', number: wide, isNullable: true }
  const { kind } = column
  const number = own ? (text: string) => own(text, column) : wide
  const rule = { kind, number, isNullable: column.nullable === true, takesWords: true }
  if (kind === 'boolean') return { ...rule, fits: isBoolean }
  if (kind === 'json') return { ...rule, kept: jsonOf }
  if (kind === 'texts') return { ...rule, fits: (text) => listIn(text) !== undefined }
  const fits = (text: string): boolean => wrongInContract(column, text) === undefined
  if ((kind !== 'date' && kind !== 'code') || !word) return kind === 'text' ? rule : { ...rule, fits }
  return { ...rule, fits: (text) => fits(word(name, column, text)), kept: (text) => word(name, column, text) }
}

/** A cell that is not of its rule, in the wire form: for the contract to refuse. */
function wireCell({ kind, number }: CellRule, text: string | null): unknown {
  if (text === null || kind === 'json') return null
  return isNumeric(kind) ? (number(text) ?? text) : unguarded(text)
}

/** What the contract says of a cell that is none of its column. */
function refuseWire(dataset: Dataset, column: Column, field: string, row: number, cell: unknown): never {
  decodeColumn([[cell]], 0, column, (_, wrong) => {
    throw new ContractError(dataset.name, rowFact(row, sentence`${field} ${wrong}`), { field, row })
  })
  throw worded(
    TypeError,
    sentence`column '${field}', row ${row + 1}: ${JSON.stringify(cell)} is refused without a reason`,
  )
}

/** Columns without the one behind the last separator of each line. */
function withoutTrail({ trails }: CsvText, columns: readonly CsvColumn[]): readonly CsvColumn[] {
  const last = columns.at(-1)
  const isEmpty = last && 'values' in last && isBlank(last.values)
  return trails && isEmpty ? columns.slice(0, -1) : columns
}

/** How the cells of a CSV are read. */
export interface CsvReading {
  /** The number that a text of a column stands for which is no plain decimal. */
  readonly number?: (text: string, column: Column) => number | undefined
  /** The day or the code that a text of a column stands for, as the contract writes it. */
  readonly word?: (name: string, column: Column, text: string) => string
}

/**
 * The columns of a CSV compared with a dataset, under names that may differ from those of its header. Yields now and then the share
 * of the file that was read.
 * @throws ContractError that names field and row; CsvSyntaxError for a file that can not be cut
 */
export function* csvOf(
  csv: CsvText,
  dataset: Dataset,
  names: readonly string[],
  reading: CsvReading = {},
): Generator<number, RecordColumns> {
  const known: Readonly<Record<string, Column>> = { ...dataset.columns, ...dataset.stored }
  const rules = names.map((name) => strictRule(Object.hasOwn(known, name) ? known[name] : undefined, reading, name))
  const { length, columns } = yield* csvColumns(
    csv,
    rules.map((rule) => [rule]),
  )
  const of = withoutTrail(csv, columns).map((column, at): [string, ColumnData] => {
    const name = names[at] as string
    if ('values' in column) return [name, column.values]
    return refuseWire(dataset, known[name] as Column, name, column.row, wireCell(rules[at] as CellRule, column.text))
  })
  return { length, columns: new Map(of) }
}

function strictly(csv: CsvText, names: readonly string[], dataset: Dataset): Table {
  try {
    return toTable(atOnce(csvOf(csv, dataset, names)), { ...dataset.columns, ...dataset.stored })
  } catch (cause) {
    if (!(cause instanceof ContractError) || cause.row === undefined) throw cause
    const { field, row } = cause
    const { what } = cause
    const isOfRow = isFact(what) && what.code === 'ROW'
    throw new ContractError(dataset.name, isOfRow ? sentence`line ${csv.lineOf(row)}: ${what.values.what}` : what, {
      field,
      row,
      cause,
    })
  }
}

/** What a column may be by its first cell, the likeliest first. */
function ownKinds(first: string | undefined): readonly CellRule[] {
  const label = ruleOf('label')
  if (first === undefined) return [label]
  if (first === 'true' || first === 'false') return [ruleOf('boolean'), label]
  const number = ruleOf('number', numberIn)
  if (isDate(first)) return [ruleOf('date'), { ...number, takesWords: false }, label]
  return numberIn(first) === undefined ? [label] : [number, label]
}

/** Kinds that any text has: their names do not say that 12 is no number. */
const anyText: readonly Kind[] = ['label', 'text', 'json']

/** What a column may be by its name and its first cell, the likeliest first. */
function rulesOf(name: string, first: string | undefined): readonly CellRule[] {
  const own = ownKinds(first)
  const known = kindOfName(name)
  if (!known) return own
  const { kind, values } = known
  const rule = ruleOf(kind, wide, values)
  if (anyText.includes(kind) && !values)
    return [...own.filter(isTyped).map((one) => ({ ...one, takesWords: false })), rule, ruleOf('label')]
  const others = own.filter((one) => one.kind !== kind || kind === 'label')
  if (kind !== 'code' && kind !== 'id') return [rule, ...others]
  const { fits } = rule
  return [{ ...rule, fits: (text) => fits?.(text) !== false && !isDecimal(text) && !isBoolean(text) }, ...others]
}

function loosely(csv: CsvText, names: readonly string[], reading: Reading): Table {
  const firsts = csv.firstTexts()
  const rules = names.map((name, at) => {
    const wanted = kindIn(reading, name)
    if (wanted) return [{ ...ruleOf(wanted), takesWords: true }]
    return rulesOf(name, firsts[at]).map((rule) => (isTyped(rule) ? { ...rule, bareOnly: !csv.quotesAll } : rule))
  })
  const { length, columns } = atOnce(csvColumns(csv, rules))
  const own = withoutTrail(csv, columns)
  return readNamedColumns(names.slice(0, own.length), length, (name, at) => {
    const column = own[at] as CsvColumn
    const wanted = kindIn(reading, name)
    if (!('values' in column)) {
      const wrong = sentence`must be ${wanted}, not ${JSON.stringify(column.text)}`
      throw new QuotebookError('INVALID_VALUE', sentence`line ${csv.lineOf(column.row)}, column '${name}': ${wrong}`)
    }
    const { kind } = column.rule
    const isKnown = kind === 'date' || kind === (wanted ?? kindOfName(name)?.kind)
    return { values: column.values, kind: isKnown ? kind : undefined }
  })
}

const decodeHint = sentence`give encoding: 'gbk', or decode the bytes first: new TextDecoder('gb18030').decode(bytes)`

/** How a CSV is read. */
export interface CsvOptions extends Reading {
  /** Of the bytes. Absent: UTF-8, or UTF-16 with its mark; bytes that are GBK, or may be, are refused. */
  readonly encoding?: TextEncoding
}

const csvOptions: OptionKinds<CsvOptions> = {
  dataset: 'text or an object',
  kinds: 'an object',
  encoding: textEncodings,
}

/** The text of a CSV, cut. @throws QuotebookError INVALID_VALUE for bytes in another encoding, and for a file that can not be cut */
function cut(given: string | Uint8Array, encoding: TextEncoding | undefined): CsvText {
  if (typeof given === 'string') return new CsvText(Buffer.from(given))
  if (!(given instanceof Uint8Array))
    throw new QuotebookError('INVALID_VALUE', sentence`fromCsv takes a text or the bytes of one in UTF-8`)
  if (encoding === undefined && !isUtf8(given) && (given[0] as number) < 0xfe)
    throw new QuotebookError('INVALID_VALUE', sentence`the bytes are not UTF-8 text; ${decodeHint}`)
  const text = decodeText(given, sentence`the bytes`, encoding)
  if (text.isBoth)
    throw new QuotebookError('INVALID_VALUE', sentence`the bytes are GBK text by their words, not UTF-8; ${decodeHint}`)
  return new CsvText(text.bytes)
}

function read(csv: CsvText, options: Reading): Table {
  const names = csv.fields.map(unguarded)
  if (names.length === 0)
    throw new QuotebookError('INVALID_VALUE', sentence`the CSV is empty; its first line must name the columns`)
  checkColumns(names, options)
  const broken = names.find((name) => name.includes('\ufffd'))
  if (broken !== undefined)
    throw new QuotebookError(
      'INVALID_VALUE',
      sentence`the name '${broken}' can not be read: the text was not UTF-8; ${decodeHint}`,
    )
  const dataset = datasetIn(options)
  return dataset ? strictly(csv, names, dataset) : loosely(csv, names, options)
}

/**
 * Reads a CSV as a table, from its text or from its bytes in UTF-8 (bytes are read without making a text of them).
 * Cells are separated by commas, tabs or semicolons, as in the header. An empty cell is missing, `""` is an empty text.
 * These are removed: the guard that toCsv puts before formulas, Excel's `="…"` around a text, a separator at the end of
 * every line, and last lines such as `数据来源：Wind`. In a column of numbers `--`, `-`, `NaN`, `None`, `NA`, `N/A`, `NULL`
 * and `#N/A` are missing, in any case; a column of text keeps them.
 *
 * With `dataset` the cells are compared with the contract. Otherwise a column has the kind from `kinds`, else the kind
 * of its name in the contract if all datasets agree on it and every cell has its form (plain numerals never count as
 * label or text), else that of its cells: numbers if all present cells are plain numerals without quotes (no leading
 * zeros, no whole number of more than 15 digits) and not all are dates YYYYMMDD, booleans if all are `true` or `false`
 * without quotes, text otherwise. If a name in the header has unnecessary quotes, quotes are ignored, since some
 * programs quote everything.
 *
 * What `toCsv` wrote comes back with the same names and cells, as texts, numbers and booleans. Only names and `kinds`
 * can restore that a number was of 32 bits, that a text was JSON or a list, and the kind of a column without any cell.
 * @throws QuotebookError INVALID_VALUE for bytes that are not UTF-8 or may also be GBK, a ragged row, a misplaced
 * quote, a repeated name, a cell that does not fit a wanted kind, naming line and column; MISSING_COLUMN for a kind of
 * an unknown column; ContractError with a dataset
 */
export function fromCsv(text: string | Uint8Array, options: CsvOptions = {}): Table {
  checkOptions(options, csvOptions, 'fromCsv')
  try {
    return read(cut(text, options.encoding), options)
  } catch (cause) {
    if (!(cause instanceof CsvSyntaxError)) throw cause
    throw new QuotebookError('INVALID_VALUE', sentence`line ${cause.line} ${messageOf(cause)}`, { cause })
  }
}
