import { messageOf, QuotebookError } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { codeMatcher, parseCode } from '../../../contract/symbol.js'
import { gatherRows } from '../../../frame/table/gather-cells.js'
import { type DecodedColumns, decodeColumns } from '../../../frame/table/parquet-file/decode-columns.js'
import type { Footer } from '../../../frame/table/parquet-file/footer.js'
import type { ParquetLimits } from '../../../frame/table/parquet-file/limits.js'
import { ofMemory, type Ranges } from '../../../frame/table/parquet-file/ranges.js'
import { project, type RecordColumns, textIn } from '../../../frame/table/values.js'
import { fileChecksum, openFile, sha256 } from '../../archive/file-access.js'
import { fileRanges } from './file-ranges.js'

/** Which part of the file of a day is read. */
export interface DaySelection {
  /** In their order (default: all). */
  readonly columns?: readonly string[] | undefined
  /** Codes, in either spelling (default: all). */
  readonly symbols?: readonly string[] | undefined
  readonly limits?: ParquetLimits | undefined
}

/** The file of a day: on the disk, with the checksum to hold it against first, or in memory. */
export type DayFile =
  | { readonly name: string; readonly path: string; readonly check?: string | undefined }
  | { readonly name: string; readonly bytes: Uint8Array }

async function part(ranges: Ranges, { columns, symbols, limits }: DaySelection): Promise<DecodedColumns> {
  if (!symbols) return decodeColumns(ranges, { columns, limits })
  const read = columns && !columns.includes(codeColumn) ? [...columns, codeColumn] : columns
  const decoded = await decodeColumns(ranges, {
    columns: read,
    limits,
    rowGroups: (footer) => groupsWithSymbols(footer, symbols),
  })
  const rows = rowsWithSymbols(decoded.columns, symbols)
  return { ...decoded, columns: columns ? project(rows, columns) : rows }
}

const otherBytes = sentence`its checksum is not that of the manifest; quotebook archive repair removes it`

/** Holds a file against its checksum without having it in memory. @throws QuotebookError ARCHIVE when its bytes are others */
export async function checkDay({ name, path }: { readonly name: Words; readonly path: string }, sum: string) {
  if ((await fileChecksum(path)) !== sum) throw new QuotebookError('ARCHIVE', sentence`${name}: ${otherBytes}`)
}

async function onDisk(
  { path, check }: Extract<DayFile, { path: string }>,
  selection: DaySelection,
): Promise<DecodedColumns> {
  const file = await openFile(path)
  try {
    if (check === undefined) return await part(fileRanges(file, (await file.stat()).size), selection)
    const bytes = await file.readFile()
    if (sha256(bytes) !== check) throw new QuotebookError('ARCHIVE', otherBytes)
    return await part(ofMemory(bytes), selection)
  } finally {
    await file.close()
  }
}

/**
 * The selected part of the file of a day, in the order of the file.
 * @throws QuotebookError FILE when it is not a whole Parquet file, ARCHIVE when its bytes are others, MISSING_COLUMN for a
 * column that it does not have; the system's own error when it can not be read
 */
export async function readDay(file: DayFile, selection: DaySelection): Promise<DecodedColumns> {
  try {
    if ('path' in file) return await onDisk(file, selection)
    return await part(ofMemory(file.bytes), selection)
  } catch (cause) {
    if (!(cause instanceof QuotebookError)) throw cause
    throw new QuotebookError(cause.code, sentence`${file.name}: ${messageOf(cause)}`, { cause })
  }
}

/** The column of the codes, in the profile that is assumed. */
export const codeColumn = 'symbol'

/** Where the spellings of a code lie among texts: from the bare code to below the sign after the dot. */
export function codeRange(symbol: string): readonly [from: string, below: string] {
  const { bare } = parseCode(symbol)
  return [bare, `${bare}/`]
}

/** A text that is all there: one that was cut within a sign has another in its place. */
function isBound(bound: unknown): bound is string {
  return typeof bound === 'string' && !bound.includes('\ufffd')
}

/** Row groups that may hold one of the codes, by the bounds in the footer; they are in the order of their bytes. */
export function groupsWithSymbols({ rowGroups }: Footer, symbols: readonly string[]): number[] {
  const reaches = symbols.map((symbol) => codeRange(symbol).map((text) => Buffer.from(text)) as [Buffer, Buffer])
  return rowGroups.flatMap(({ chunks }, at) => {
    const { min, max } = chunks.find(({ column }) => column === codeColumn) ?? {}
    if (!isBound(min) || !isBound(max)) return [at]
    const [least, greatest] = [Buffer.from(min), Buffer.from(max)]
    const isIn = ([from, below]: readonly Buffer[]) =>
      least.compare(below as Buffer) < 0 && greatest.compare(from as Buffer) >= 0
    return reaches.some(isIn) ? [at] : []
  })
}

/**
 * The rows of the codes asked for, in either spelling.
 * @throws QuotebookError MISSING_COLUMN where there is no column of codes
 */
export function rowsWithSymbols(columns: RecordColumns, symbols: readonly string[]): RecordColumns {
  const values = columns.columns.get(codeColumn)
  if (!values)
    throw new QuotebookError('MISSING_COLUMN', sentence`it has no column '${codeColumn}', by which codes are found`)
  const text = textIn(values)
  if (!text)
    throw new QuotebookError(
      'INVALID_VALUE',
      sentence`its column '${codeColumn}' holds no text, by which codes are found`,
    )
  const { data, dictionary } = text
  const isAsked = dictionary.map(codeMatcher(symbols))
  const rows: number[] = []
  for (let row = 0; row < columns.length; row++) if (isAsked[data[row] as number]) rows.push(row)
  return rows.length === columns.length ? columns : gatherRows(columns, rows)
}
