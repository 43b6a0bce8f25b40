import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { ImportError, messageOf } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { type ParquetLimits, usualLimits } from '../../../frame/table/parquet-file/limits.js'
import type { RecordColumns } from '../../../frame/table/values.js'

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

/** Opened without waiting for the writer of a pipe. */
async function opened(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (cause) {
    const isOther = (cause as NodeJS.ErrnoException).code === 'ENXIO'
    throw new ImportError(
      path,
      isOther ? sentence`is not a regular file` : sentence`can not be read: ${messageOf(cause)}`,
      { cause },
    )
  }
}

/** The bytes of a regular file to import. @throws ImportError for another one, and for one beyond the limits */
export async function readBytes(path: string, limits?: ImportLimits): Promise<Buffer> {
  const handle = await opened(path)
  try {
    const about = await handle.stat()
    if (!about.isFile()) throw new ImportError(path, sentence`is not a regular file`)
    const { bytes: most } = limitsOf(limits)
    if (about.size > most)
      throw new ImportError(
        path,
        sentence`has ${about.size} bytes, and ${most} are the most that is read; give it in parts`,
      )
    return await handle.readFile()
  } catch (cause) {
    if (cause instanceof ImportError) throw cause
    throw new ImportError(path, sentence`can not be read: ${messageOf(cause)}`, { cause })
  } finally {
    await handle.close()
  }
}

/** Bytes of the cells by their words: of the longest, and of all. */
function textSize(values: readonly (string | null)[], codes?: Int32Array): readonly [longest: number, all: number] {
  let [longest, all] = [0, 0]
  const lengths = values.map((word) => {
    const length = word === null ? 0 : word.length
    longest = Math.max(longest, length)
    all += length
    return length
  })
  if (!codes) return [longest, all]
  all = 0
  for (const code of codes) all += lengths[code] ?? 0
  return [longest, all]
}

/**
 * Holds columns that were read against the limits before anybody makes their cells.
 * @throws RangeError naming the column
 */
export function checkImported({ length, columns }: RecordColumns, limits?: ImportLimits): void {
  const { rows, bytes, cell } = limitsOf(limits)
  if (length > rows) throw new RangeError(`it has ${length} rows, and ${rows} are the most that is read`)
  let sum = 0
  for (const [name, values] of columns) {
    const texts = values.type === 'dictionary' ? values.dictionary : values.type === 'string' ? values.data : []
    const [longest, all] = textSize(texts, values.type === 'dictionary' ? values.data : undefined)
    if (longest > cell) throw new RangeError(`${name} has a cell of ${longest} bytes, and ${cell} are the most`)
    sum += 8 * length + all
    if (sum <= bytes / 2) continue
    throw new RangeError(
      `its cells up to ${name} need ${sum} bytes of memory, and ${Math.floor(bytes / 2)} are the most that is read`,
    )
  }
}
