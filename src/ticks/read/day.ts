import { openFile } from '../../archive/open-file.js'
import { sha256 } from '../../archive/write-whole.js'
import { messageOf, QuotebookError } from '../../contract/error.js'
import type { ParquetLimits } from '../../table/parquet-file/limits.js'
import { ofMemory, type Ranges } from '../../table/parquet-file/ranges.js'
import { project } from '../../table/values.js'
import { type DecodedColumns, decodeColumns } from './decode.js'
import { fileRanges } from './ranges.js'
import { groupsWithSymbols, rowsWithSymbols, symbolColumn } from './symbols.js'

/** What is wanted of the file of a day. */
export interface DaySelection {
  /** In the order wanted; all when absent. */
  readonly columns?: readonly string[] | undefined
  /** Codes, in either spelling; all when absent. */
  readonly symbols?: readonly string[] | undefined
  readonly limits?: ParquetLimits | undefined
}

/** The file of a day: on the disk, with the checksum to hold it against first, or in memory. */
export type DayFile =
  | { readonly name: string; readonly path: string; readonly check?: string | undefined }
  | { readonly name: string; readonly bytes: Uint8Array }

async function part(ranges: Ranges, { columns, symbols, limits }: DaySelection): Promise<DecodedColumns> {
  if (!symbols) return decodeColumns(ranges, { columns, limits })
  const read = columns && !columns.includes(symbolColumn) ? [...columns, symbolColumn] : columns
  const decoded = await decodeColumns(ranges, {
    columns: read,
    limits,
    rowGroups: (footer) => groupsWithSymbols(footer, symbols),
  })
  const rows = rowsWithSymbols(decoded.columns, symbols)
  return { ...decoded, columns: columns ? project(rows, columns) : rows }
}

async function onDisk(
  { path, check }: Extract<DayFile, { path: string }>,
  wanted: DaySelection,
): Promise<DecodedColumns> {
  const file = await openFile(path)
  try {
    if (check === undefined) return await part(fileRanges(file, (await file.stat()).size), wanted)
    const bytes = await file.readFile()
    if (sha256(bytes) !== check)
      throw new QuotebookError(
        'ARCHIVE',
        'its checksum is not that of the manifest; quotebook archive repair lets go of it',
      )
    return await part(ofMemory(bytes), wanted)
  } finally {
    await file.close()
  }
}

/**
 * What is wanted of the file of a day, in the order of the file.
 * @throws QuotebookError FILE when it is not a whole Parquet file, ARCHIVE when its bytes are others, MISSING_COLUMN for a
 * column that it does not have; the system's own error when it can not be read
 */
export async function readDay(file: DayFile, wanted: DaySelection): Promise<DecodedColumns> {
  try {
    if ('path' in file) return await onDisk(file, wanted)
    return await part(ofMemory(file.bytes), wanted)
  } catch (cause) {
    if (!(cause instanceof QuotebookError)) throw cause
    throw new QuotebookError(cause.code, `${file.name}: ${messageOf(cause)}`, { cause })
  }
}
