import { setMaxListeners } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import root from '#root'
import { QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import {
  type ColumnMetadata,
  type DecodedColumns,
  decodeColumns,
} from '../../../frame/table/parquet-file/decode-columns.js'
import type { Footer } from '../../../frame/table/parquet-file/footer.js'
import type { ParquetLimits } from '../../../frame/table/parquet-file/limits.js'
import { checkedFooter } from '../../../frame/table/parquet-file/pages.js'
import { project } from '../../../frame/table/values.js'
import { defaultThreads, WorkerPool } from '../../../threads/worker-pool.js'
import { fileStamp, openFile, rememberVerified, wasVerified } from '../../archive/file-access.js'
import { checkNumber } from '../../source/check-options.js'
import { findRows } from '../../sql/find-rows.js'
import type { FetchedFile, LocalFile, TickFiles } from '../tick-files.js'
import type { DecodedDay } from './day-tables.js'
import { fileRanges } from './file-ranges.js'
import {
  checkDay,
  codeColumn,
  codeRange,
  type DayFile,
  type DaySelection,
  readDay,
  rowsWithSymbols,
} from './read-day.js'
import type { ReadTask } from './reader-thread.js'
import type { TickReadOptions } from './tick-request.js'

/** A day that was read, and what is known of its file. */
export interface ReadDay extends DecodedDay {
  /** The file is whole as far as anybody can tell: its length or its checksum is known, and its rows are as many as it counts. */
  readonly whole: boolean
}

/**
 * Reads the files of days: one at a time here, several in threads. A file is compared with its checksum when it is read for
 * the first time, and again when it is not the file any more that it was.
 */
export class TickReader {
  readonly #files: TickFiles
  /** By their size: a read does not end another's. */
  readonly #pools = new Map<number, WorkerPool<ReadTask, DecodedColumns>>()

  constructor(files: TickFiles) {
    this.#files = files
  }

  /** The days in the order given, each as soon as it is read; a few are read ahead. */
  async *read(
    days: readonly string[],
    selection: DaySelection,
    options: Pick<TickReadOptions, 'threads' | 'signal'> = {},
  ): AsyncGenerator<ReadDay> {
    checkNumber('threads', options.threads, 1)
    const threads = Math.floor(options.threads ?? defaultThreads())
    const { signal } = options
    const stop = new AbortController()
    const ending = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
    setMaxListeners(0, ending)
    const pool = days.length > 1 && threads > 1 ? this.#poolOf(threads) : undefined
    const ahead: Promise<ReadDay>[] = []
    let next = 0
    try {
      for (let at = 0; at < days.length; at++) {
        while (next < days.length && ahead.length < (pool ? threads + 1 : 1)) {
          const reading = this.#day(days[next++] as string, selection, pool, ending)
          reading.catch(() => undefined)
          ahead.push(reading)
        }
        const day = await (ahead.shift() as Promise<ReadDay>)
        signal?.throwIfAborted()
        yield day
      }
    } finally {
      stop.abort(new QuotebookError('FILE', sentence`not wanted any more`))
    }
  }

  /** Sends the threads away; a read that is under way fails. */
  async close(): Promise<void> {
    const pools = [...this.#pools.values()]
    this.#pools.clear()
    await Promise.all(pools.map((pool) => pool.close()))
  }

  async #day(
    day: string,
    selection: DaySelection,
    pool: WorkerPool<ReadTask, DecodedColumns> | undefined,
    signal: AbortSignal,
  ): Promise<ReadDay> {
    signal.throwIfAborted()
    for (let attempt = 0; ; attempt++) {
      const file = await this.#files.file(day, signal)
      if ('read' in file) {
        const decoded = await file.read(selection, signal)
        return decoded ? { day, decoded, whole: true } : fetched(await file.fetch(), selection)
      }
      if (!('path' in file)) return fetched(file, selection)
      try {
        const read = await this.#local(file, selection, pool, signal)
        if (read) return read
        if (attempt === 3) throw new QuotebookError('ARCHIVE', sentence`${file.name} is written to while it is read`)
      } catch (cause) {
        if (existsSync(file.path)) throw cause
        // A file that was replaced meanwhile has another name now.
        if (attempt === 3)
          throw new QuotebookError('ARCHIVE', sentence`${file.name} is missing; quotebook archive repair removes it`, {
            cause,
          })
      }
    }
  }

  /** Undefined where the file was touched meanwhile. */
  async #local(
    file: LocalFile,
    selection: DaySelection,
    pool: WorkerPool<ReadTask, DecodedColumns> | undefined,
    signal: AbortSignal,
  ): Promise<ReadDay | undefined> {
    const { day, name, path, sha256, rows } = file
    const stamp = await fileStamp(path)
    const isKnown = sha256 === undefined || wasVerified(path, stamp, sha256)
    // For rows of a few codes no file is held in memory.
    if (!isKnown && selection.symbols) await checkDay(file, sha256)
    const isChecked = isKnown || selection.symbols !== undefined
    const searched = isChecked && selection.symbols ? await searchSymbols({ path, stamp }, selection) : undefined
    const task: DayFile = { name: String(name), path, ...(isChecked ? {} : { check: sha256 }) }
    const decoded =
      searched ??
      (pool ? await pool.run({ file: task, selection }, [], { name, signal }) : await readDay(task, selection))
    if (isChecked && (await fileStamp(path)) !== stamp) return undefined
    if (sha256 !== undefined) rememberVerified(path, stamp, sha256)
    if (rows !== undefined && rows !== decoded.total) {
      throw new QuotebookError('ARCHIVE', sentence`${name} has ${decoded.total} rows; the manifest counts ${rows}`)
    }
    return { day, decoded, whole: true }
  }

  #poolOf(threads: number): WorkerPool<ReadTask, DecodedColumns> {
    const file = join(root, 'dist/lib/tick-reader.cjs')
    const pool = this.#pools.get(threads) ?? new WorkerPool<ReadTask, DecodedColumns>({ size: threads, file })
    this.#pools.set(threads, pool)
    return pool
  }
}

async function fetched(file: FetchedFile, selection: DaySelection): Promise<ReadDay> {
  return {
    day: file.day,
    decoded: await readDay({ name: String(file.name), bytes: file.bytes }, selection),
    whole: file.whole,
  }
}

/** Codes beyond which whole row groups are read as fast. */
const most = 50
/** Types that come out of DuckDB in the form that they have here. */
const alike = ['string', 'double', 'int32', 'boolean']

interface Known {
  readonly stamp: string
  readonly footer: Footer
  readonly metadata: ColumnMetadata
}

const files = new Map<string, Known>()
const mostFiles = 1000

async function knownOf(path: string, stamp: string, limits?: ParquetLimits): Promise<Known> {
  const seen = files.get(path)
  if (seen?.stamp === stamp) return seen
  const file = await openFile(path)
  try {
    const ranges = fileRanges(file, (await file.stat()).size)
    const footer = await checkedFooter(ranges, sentence`it`, limits)
    const { metadata } = await decodeColumns(ranges, { rowGroups: () => [], limits })
    if (files.size >= mostFiles) files.clear()
    const known = { stamp, footer, metadata }
    files.set(path, known)
    return known
  } finally {
    await file.close()
  }
}

/** In SQL `Price` and `price` are one name. */
function isDistinct(names: readonly string[]): boolean {
  return new Set(names.map((name) => name.toLowerCase())).size === names.length
}

/**
 * The rows of a few codes, found by DuckDB: it skips pages and texts that the codec would read, and takes a twentieth of the
 * time. Undefined where that is not its work: many codes, types that it gives another form, names that it takes for one,
 * or no DuckDB.
 */
export async function searchSymbols(
  { path, stamp }: { readonly path: string; readonly stamp: string },
  { columns, symbols = [], limits }: DaySelection,
): Promise<DecodedColumns | undefined> {
  if (symbols.length === 0 || symbols.length > most) return undefined
  const { footer, metadata } = await knownOf(path, stamp, limits)
  const types = new Map(footer.columns.map(({ name, type }) => [name, type]))
  const names = columns ?? [...metadata.keys()]
  const isPlain = types.get(codeColumn) === 'string' && names.every((name) => alike.includes(types.get(name) ?? ''))
  if (!isPlain || !isDistinct([...metadata.keys()])) return undefined
  const read = names.includes(codeColumn) ? names : [...names, codeColumn]
  const texts = read.filter((name) => types.get(name) === 'string')
  const found = await findRows({ path, columns: read, texts, column: codeColumn, ranges: symbols.map(codeRange) })
  if (!found) return undefined
  const rows = rowsWithSymbols(found, symbols)
  if (!names.every((name) => rows.columns.has(name))) return undefined
  return { columns: project(rows, names), metadata, total: footer.rows }
}
