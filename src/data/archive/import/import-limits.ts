import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { ImportError, messageOf, QuotebookError, worded } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { type ParquetLimits, usualLimits } from '../../../frame/table/parquet-file/limits.js'
import type { RecordColumns } from '../../../frame/table/values.js'
import { openFile } from '../file-access.js'

/** How much of a file is imported; what is more, or claims more, is refused. */
export interface ImportLimits extends ParquetLimits {
  /** Default 12 million: a year of half-hour bars of all stocks. */
  readonly rows?: number | undefined
  /**
   * Of a file. Default 1 GiB. The cells of a Parquet or Arrow file may need half of it in memory, an Excel file may unpack to a
   * fifth of it, and a file of JSON have a value for every 32.
   */
  readonly bytes?: number | undefined
  /** Bytes of one cell. Default 16 MiB. */
  readonly cell?: number | undefined
}

export const importLimits = { ...usualLimits, rows: 12_000_000, cell: 2 ** 24 } as const

/** With the usual ones for those that are not given. */
export function limitsOf(given: ImportLimits = {}): Required<{ [K in keyof ImportLimits]: number }> {
  const { rows = importLimits.rows, columns = importLimits.columns } = given
  const { bytes = importLimits.bytes, cell = importLimits.cell } = given
  return { rows, columns, bytes, cell }
}

/** The bytes of a regular file to import. @throws ImportError for another one, and for one beyond the limits */
export async function readBytes(path: string, limits?: ImportLimits): Promise<Buffer> {
  let handle: FileHandle | undefined
  try {
    handle = await openFile(path, constants.O_RDONLY)
    const { size } = await handle.stat()
    const { bytes: most } = limitsOf(limits)
    if (size <= most) return await handle.readFile()
    const message = sentence`has ${size} bytes, and ${most} are the most that is read; give it in parts`
    throw new ImportError(path, message)
  } catch (cause) {
    if (cause instanceof ImportError) throw cause
    const isOther = cause instanceof QuotebookError
    const why = isOther ? sentence`is not a regular file` : sentence`can not be read: ${messageOf(cause)}`
    throw new ImportError(path, why, { cause })
  } finally {
    await handle?.close()
  }
}

/**
 * Holds columns that were read against the limits before anybody makes their cells.
 * @throws RangeError naming the column
 */
export function checkImported({ length, columns }: RecordColumns, { rows, cell }: ReturnType<typeof limitsOf>): void {
  if (length > rows) throw worded(RangeError, sentence`it has ${length} rows, and ${rows} are the most that is read`)
  for (const [name, values] of columns) {
    const texts = values.type === 'dictionary' ? values.dictionary : values.type === 'string' ? values.data : []
    const longest = texts.reduce((most, text) => Math.max(most, text?.length ?? 0), 0)
    if (longest > cell)
      throw worded(RangeError, sentence`${name} has a cell of ${longest} bytes, and ${cell} are the most`)
  }
}
