import type { Dataset } from '../../contract/dataset.js'
import { ContractError, ImportError, QuotebookError } from '../../contract/error.js'
import { decode, wrongInContract } from '../../table/decode.js'
import type { ParquetLimits } from '../../table/parquet-file/limits.js'
import type { RecordColumns } from '../../table/values.js'
import { keyOf } from '../merge-rows.js'
import { ArchiveWriter } from '../writer.js'
import { complete } from './fill-columns.js'
import { type FileRows, lineOf, readRows } from './read-rows.js'

const way = 'or import it as it is with --partial, and the archive will say that it may not be whole'

/** A reply with as many rows as a call may have: what came after them is not in it. */
function checkCap({ limit }: Dataset, { file, items, reply }: FileRows): void {
  if (!reply || limit.kind !== 'cap' || items.length < limit.rows) return
  throw new ImportError(
    file,
    `holds ${items.length} rows, the most a call gives: it may be cut. Split the query, ${way}`,
  )
}

interface Page {
  readonly from: number
  readonly to: number
}

/** Where the pages of one query leave rows out; undefined when they reach from the first to the last. */
function gapIn(pages: readonly Page[], total: number): string | undefined {
  let reached = 0
  for (const { from, to } of [...pages].sort((a, b) => a.from - b.from)) {
    if (from > reached) return `rows ${reached + 1} to ${from} of ${total}`
    reached = Math.max(reached, to)
  }
  return reached < total ? `rows ${reached + 1} to ${total} of ${total}` : undefined
}

/** Pages of replies that count their rows: together they must hold as many as they say there are. */
function checkPages(files: readonly FileRows[]): void {
  const pages = new Map<number, Page[]>()
  for (const { beside, items, reply } of files) {
    const { total, offset = 0 } = beside
    if (!reply || typeof total !== 'number' || typeof offset !== 'number') continue
    const page = { from: offset, to: offset + items.length }
    pages.set(total, [...(pages.get(total) ?? []), page])
  }
  for (const [total, list] of pages) {
    const gap = gapIn(list, total)
    if (gap)
      throw new ImportError(files.map(({ file }) => file).join(', '), `leaves out ${gap}. Give all pages, ${way}`)
  }
}

/**
 * Refuses replies that were cut off: at the row cap of a call, or before the `total` that they state.
 * @throws ImportError naming what is missing
 */
export function refuseCutReplies(dataset: Dataset, files: readonly FileRows[]): void {
  for (const file of files) checkCap(dataset, file)
  if (dataset.limit.kind === 'page') checkPages(files)
}

/** Options of `importFiles`. */
export interface ImportOptions {
  /** Columns for the whole import that the files do not hold: `{ period: '15m' }`. */
  readonly set?: Readonly<Record<string, string>>
  /** Names in the files → names of the contract. */
  readonly rename?: Readonly<Record<string, string>>
  /** How long to wait for another process that is writing, in milliseconds. Default 15 seconds. */
  readonly waitMs?: number
  /** Takes replies that were cut at a cap or a page; the archive then says that the dataset may not be whole. */
  readonly partial?: boolean
  /** How much of a Parquet file is read. */
  readonly limits?: ParquetLimits
  readonly signal?: AbortSignal
  /** Called after each file. */
  readonly onFile?: (file: FileNote) => void
}

/** What became of a file. */
export interface FileNote {
  readonly file: string
  readonly rows: number
  /** Columns of the file that the contract does not know; they are not kept. */
  readonly ignored: readonly string[]
  /** Columns of the contract that the file lacks: null, or as they are stored. */
  readonly absent: readonly string[]
}

/** What an import came to: files read, rows in them, and files of the archive that changed. */
export interface ImportResult {
  readonly files: number
  readonly rows: number
  /** Parquet files of the archive that changed; 0 when all of it was there already. */
  readonly changed: number
  /** Files of the archive that were missing or damaged, in whose place the rows are now. */
  readonly replaced?: readonly string[]
}

/** A contract error in terms of the file that was read. */
export function inFile(rows: FileRows, error: unknown): unknown {
  if (!(error instanceof ContractError)) return error
  const where = {
    ...lineOf(rows, error.row),
    ...(error.field === undefined ? {} : { field: error.field }),
  }
  return new ImportError(rows.file, error.message, { ...where, cause: error })
}

function checkKeys(dataset: Dataset, rows: FileRows, columns: RecordColumns): void {
  const key = keyOf(dataset, columns)
  const seen = new Map<string, number>()
  for (let row = 0; row < columns.length; row++) {
    const own = key(row)
    const first = seen.get(own)
    if (first !== undefined) {
      throw new ImportError(rows.file, `rows ${first + 1} and ${row + 1} share the key ${own}`, lineOf(rows, row))
    }
    seen.set(own, row)
  }
}

/** The lists of the contract hold codes. */
function checkLists(dataset: Dataset, { columns: of }: RecordColumns): void {
  for (const [name, values] of of) {
    if (values.type !== 'list') continue
    values.data.forEach((list, row) => {
      const wrong = list?.map((code) => wrongInContract({ kind: 'code' }, code)).find((why) => why !== undefined)
      if (wrong) throw new ContractError(dataset.name, `row ${row + 1}: ${name} ${wrong}`, { field: name, row })
    })
  }
}

/** The rows of a file as the archive keeps them. @throws ImportError naming file, line and field */
async function prepared(
  dataset: Dataset,
  path: string,
  options: ImportOptions,
): Promise<{ rows: FileRows; columns: RecordColumns }> {
  const rows = await readRows(path, dataset, options.rename, options.limits)
  if (rows.fields.length === 0) return { rows, columns: { length: 0, columns: new Map() } }
  const whole = complete(dataset, rows, options.set ?? {})
  try {
    const columns = decode(dataset, whole.fields, whole.items)
    checkLists(dataset, columns)
    checkKeys(dataset, whole, columns)
    return { rows: whole, columns }
  } catch (error) {
    throw inFile(whole, error)
  }
}

/**
 * Merges saved replies, CSV and Parquet files into an archive: all of them, or on any error none.
 * @throws ImportError naming file, line and field; QuotebookError ARCHIVE_BUSY while another process writes
 */
export async function importFiles(
  dir: string,
  dataset: Dataset,
  paths: readonly string[],
  options: ImportOptions = {},
): Promise<ImportResult> {
  if (dataset.archiveRule === 'tick-share') {
    throw new QuotebookError('USAGE', `${dataset.name} is not imported: an archive answers it from its own tick files`)
  }
  const writer = await ArchiveWriter.open(dir, undefined, options.waitMs)
  const files: FileRows[] = []
  let rows = 0
  let changed = 0
  try {
    for (const path of paths) {
      options.signal?.throwIfAborted()
      const file = await prepared(dataset, path, options)
      if (file.columns.length > 0) changed += await writer.put(dataset, file.columns, file.rows.file)
      if (file.rows.beside.meta) writer.putBeside(dataset, { meta: file.rows.beside.meta })
      rows += file.columns.length
      files.push(file.rows)
      options.onFile?.(noteOf(dataset, file.rows))
    }
    if (options.partial) writer.markPartial(dataset)
    else refuseCutReplies(dataset, files)
    options.signal?.throwIfAborted()
  } catch (error) {
    await writer.abort()
    throw error
  }
  await writer.commit()
  const { replaced } = writer
  return { files: paths.length, rows, changed, ...(replaced.length > 0 ? { replaced } : {}) }
}

function noteOf(dataset: Dataset, { file, fields, items }: FileRows): FileNote {
  const known = Object.keys({ ...dataset.columns, ...dataset.stored })
  return {
    file,
    rows: items.length,
    ignored: fields.filter((name) => !known.includes(name)),
    absent: Object.keys(dataset.columns).filter((name) => fields.length > 0 && !fields.includes(name)),
  }
}
