import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Dataset } from '../../../contract/dataset.js'
import { ContractError, ImportError, QuotebookError } from '../../../contract/error.js'
import { checkOptions, type OptionKinds } from '../../../contract/options.js'
import { sentence } from '../../../contract/sentence.js'
import { type TextEncoding, textEncodings } from '../../../contract/text-encodings.js'
import { wrongInContract } from '../../../frame/table/decode.js'
import { groupRows } from '../../../frame/table/group-rows.js'
import { suspectRows } from '../../../frame/table/suspect-rows.js'
import type { ColumnData, RecordColumns } from '../../../frame/table/values.js'
import { latestIn } from '../answer/day-conditions.js'
import { sha256 } from '../file-access.js'
import { monthsLeft } from '../keep-months.js'
import type { Covered } from '../manifest-entries.js'
import { keyOf, storedKey } from '../merge-rows.js'
import { type ArchivePlace, storeOf } from '../store/store-of.js'
import { ArchiveWriter } from '../writer.js'
import { checkAverages } from './check-averages.js'
import { type FileColumns, inFile, lineOf, readFileColumns } from './file-columns.js'
import { complete } from './fill-columns.js'
import { type ImportLimits, readBytes } from './import-limits.js'
import {
  columnsOfRequest,
  coverageOfRequest,
  isRequest,
  requestBeside,
  type StatedCoverage,
  statedCoverage,
} from './saved-request.js'
import { checkStoredCodes, type ImportRemark } from './spelling.js'

const way = sentence`or import it as it is with --partial, and the archive will say that it may not be whole`

/** What is remembered of a file: a reply may have been cut. */
type Reply = Pick<FileColumns, 'file' | 'reply' | 'beside'> & { readonly rows: number }

/** A reply with as many rows as a call may have: what came after them is not in it. */
function checkCap({ limit }: Dataset, { file, rows, reply }: Reply): void {
  if (!reply || limit.kind !== 'cap' || rows < limit.rows) return
  throw new ImportError(
    file,
    sentence`holds ${rows} rows, the most a call gives: it may be cut. Split the query, ${way}`,
  )
}

/** Pages of replies that count their rows: together they must reach from the first to the last that they say there are. */
function checkPages(files: readonly Reply[]): void {
  const reached = new Map<number, number>()
  const pages = files.flatMap(({ beside: { total, offset: from = 0 }, rows, reply }) =>
    reply && typeof total === 'number' && typeof from === 'number' ? [{ total, from, to: from + rows }] : [],
  )
  const leftOut = (from: number, to: number, total: number): ImportError => {
    const names = files.map(({ file }) => file).join(', ')
    return new ImportError(
      names,
      sentence`leaves out ${sentence`rows ${from + 1} to ${to} of ${total}`}. Give all pages, ${way}`,
    )
  }
  for (const { total, from, to } of pages.sort((a, b) => a.from - b.from)) {
    const end = reached.get(total) ?? 0
    if (from > end) throw leftOut(end, from, total)
    reached.set(total, Math.max(end, to))
  }
  for (const [total, end] of reached) if (end < total) throw leftOut(end, total, total)
}

/**
 * Refuses replies that were cut off: at the row cap of a call, or before the `total` that they state.
 * @throws ImportError naming what is missing
 */
function refuseCutReplies(dataset: Dataset, files: readonly Reply[]): void {
  for (const file of files) checkCap(dataset, file)
  if (dataset.limit.kind === 'page') checkPages(files)
}

/** Options of `importFiles`. */
export interface ImportOptions extends StatedCoverage {
  /** Columns for the whole import that the files do not hold: `{ period: '15m' }`. */
  readonly set?: Readonly<Record<string, string>>
  /** Names in the files → names of the contract. */
  readonly rename?: Readonly<Record<string, string>>
  /** How long to wait for another process that is writing, in milliseconds. Default 15 seconds. */
  readonly waitMs?: number
  /** Takes replies that were cut at a cap or a page; the archive then says that the dataset may not be whole. */
  readonly partial?: boolean
  /** Of CSV and JSON; absent: as their words tell, and an error if these tell nothing. */
  readonly encoding?: TextEncoding
  /** How much of a file is read. */
  readonly limits?: ImportLimits
  readonly signal?: AbortSignal
  /** Called after each file. */
  readonly onFile?: (file: FileNote) => void
  /** Called while files are read and merged: the share of all bytes that is done, from 0 to 1, and the file at hand. */
  readonly onProgress?: (done: number, file: string) => void
}

const importKinds: OptionKinds<ImportOptions> = {
  set: 'an object',
  rename: 'an object',
  waitMs: 'a number',
  partial: 'true or false',
  encoding: textEncodings,
  limits: 'an object',
  signal: 'an object',
  onFile: 'a function',
  onProgress: 'a function',
  covers: 'an object',
  asked: 'text',
}

/** What happened to an imported file. */
export interface FileNote {
  readonly file: string
  /** Rows that were read. */
  readonly rows: number
  /** The file and its rows in the archive are as the import before left them: it was not read again. */
  readonly unchanged?: true
  /** Columns of the file that the contract does not know; they are not kept. */
  readonly ignored: readonly string[]
  /** Columns of the contract that the file lacks: null, or as they are stored. */
  readonly absent: readonly string[]
  /** What was done beyond reading: days and text in another spelling, a sheet that was picked, a request that filled in. */
  readonly remarks?: readonly ImportRemark[]
}

/** The result of an import: files read, rows in them, and changed files of the archive. */
export interface ImportResult {
  readonly files: number
  readonly rows: number
  /** Parquet files of the archive that changed; 0 when all of it was there already. */
  readonly changed: number
  /** Files of the archive that were missing or damaged, in whose place the rows are now. */
  readonly replaced?: readonly string[]
  /** Whole months of bars that are not kept by code: a repair that rewrites makes them. */
  readonly months?: number
}

function checkKeys(dataset: Dataset, file: FileColumns): void {
  const { columns } = file
  const keys = storedKey(dataset).map((name) => ({ name, values: columns.columns.get(name) as ColumnData }))
  const { count, of, first } = groupRows(keys)
  if (count === columns.length) return
  const row = of.findIndex((group, own) => first[group] !== own)
  const shared = sentence`rows ${(first[of[row] as number] as number) + 1} and ${row + 1} share the key`
  throw new ImportError(file.file, sentence`${shared} ${keyOf(dataset, columns)(row)}`, lineOf(file, row))
}

/** The lists of the contract hold codes. */
function checkLists(dataset: Dataset, { columns: of }: RecordColumns): void {
  for (const [name, values] of of) {
    if (values.type !== 'list') continue
    values.data.forEach((list, row) => {
      const wrong = list?.map((code) => wrongInContract({ kind: 'code' }, code)).find((why) => why !== undefined)
      if (wrong) throw new ContractError(dataset.name, sentence`row ${row + 1}: ${name} ${wrong}`, { field: name, row })
    })
  }
}

/** Tells a file that is imported with some options from every other. */
function sumOf(bytes: Buffer, request: unknown, { set = {}, rename = {}, partial = false, encoding }: ImportOptions) {
  const kept = [request, encoding].filter((one) => one !== undefined)
  return sha256(JSON.stringify([sha256(bytes), set, rename, partial, ...kept]))
}

/** A file to import: what tells it from every other, and its rows, unless they are there as its last import left them. */
interface GivenRows {
  readonly imported: string
  readonly beside: unknown
  /** As the archive keeps them, without what holds the bytes of the file. */
  readonly read?: FileColumns
}

/** @throws ImportError naming file, line and field */
async function readGiven(
  writer: ArchiveWriter,
  dataset: Dataset,
  path: string,
  options: ImportOptions,
  onRead: (done: number) => void,
): Promise<GivenRows> {
  const { rename, limits, encoding, set = {} } = options
  const bytes = await readBytes(path, limits)
  const beside = await requestBeside(path)
  const imported = sumOf(bytes, beside, options)
  if (await writer.isImported(dataset, imported)) return { imported, beside }
  const own = await readFileColumns(path, bytes, dataset, { rename, limits, encoding, onRead })
  if (own.columns.columns.size === 0) return { imported, beside, read: own }
  await new Promise(setImmediate)
  onRead(1)
  try {
    const asked = columnsOfRequest(dataset, own, own.request ?? beside, set)
    const { lineOf: _, ...whole } = complete(dataset, own, { ...asked, ...set })
    checkLists(dataset, whole.columns)
    checkKeys(dataset, { ...own, ...whole })
    if (!own.reply) checkAverages(dataset, { ...own, ...whole })
    const isAsked = Object.keys(asked).length > 0
    const remarks: readonly ImportRemark[] = isAsked ? [...own.remarks, { about: 'request', set: asked }] : own.remarks
    return { imported, beside, read: { ...whole, remarks } }
  } catch (error) {
    throw inFile(own.file, own, error)
  }
}

/**
 * Says of each file which share of all bytes is done, and throws the reason of a signal. Reading and merging it count as one half
 * each.
 */
async function progressOf(paths: readonly string[], { onProgress, signal }: ImportOptions) {
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path).catch(() => undefined))?.size ?? 0))
  const all = sizes.reduce((sum, size) => sum + size, 0)
  return (at: number, done: number): void => {
    signal?.throwIfAborted()
    const before = sizes.slice(0, at).reduce((sum, size) => sum + size, 0)
    onProgress?.((before + done * (sizes[at] as number)) / Math.max(1, all), basename(paths[at] as string))
  }
}

/**
 * Merges saved replies, CSV, Parquet and Excel files into an archive: all of them, or on any error none. A file is
 * skipped if the archive still has its rows from the last import with the same options; saved replies are never
 * skipped.
 * @throws ImportError naming file, line and field; QuotebookError ARCHIVE_BUSY while another process writes
 */
export async function importFiles(
  place: ArchivePlace,
  dataset: Dataset,
  given: readonly string[],
  options: ImportOptions = {},
): Promise<ImportResult> {
  checkOptions(options, importKinds, 'importFiles')
  const paths = given.filter((path) => !isRequest(path))
  if (dataset.archiveRule === 'tick-share') {
    throw new QuotebookError(
      'USAGE',
      sentence`${dataset.name} is not imported: an archive answers it from its own tick files`,
    )
  }
  const stated = statedCoverage(dataset, options)
  const covered: Covered[] = stated ? [stated] : []
  const writer = await ArchiveWriter.open(place, undefined, options.waitMs)
  const latest = latestIn(writer.manifest.datasets[dataset.name]?.parts ?? [])
  const show = await progressOf(paths, options)
  const files: Reply[] = []
  let rows = 0
  let changed = 0
  try {
    for (const [at, path] of paths.entries()) {
      options.signal?.throwIfAborted()
      const onRead = (done: number): void => show(at, done / 2)
      const { imported, beside: request, read } = await readGiven(writer, dataset, path, options, onRead)
      if (!read) {
        options.onFile?.({ file: basename(path), rows: 0, unchanged: true, ignored: [], absent: [] })
        continue
      }
      const kept = stated || options.partial ? undefined : (read.request ?? request)
      const own = coverageOfRequest(dataset, read, kept, options, latest)
      if (own) covered.push(own)
      const whole = own ? { ...read, remarks: [...read.remarks, coveredRemark(own)] } : read
      const { file, columns, reply, beside } = whole
      const more = { imported: reply ? undefined : imported, onPart: (done: number) => show(at, 0.5 + done / 2) }
      const ends = (writer.manifest.datasets[dataset.name]?.parts ?? []).flatMap(({ first, last }) => [first, last])
      if (!reply) checkStoredCodes(dataset, columns, ends)
      if (columns.length > 0) changed += await writer.put(dataset, columns, file, more)
      if (beside.meta) writer.putBeside(dataset, { meta: beside.meta })
      rows += columns.length
      files.push({ file, reply, beside, rows: columns.length })
      options.onFile?.(noteOf(dataset, whole))
    }
    if (options.partial) writer.markPartial(dataset)
    else refuseCutReplies(dataset, files)
    for (const one of covered) writer.markCovered(dataset, one)
    options.signal?.throwIfAborted()
  } catch (error) {
    await writer.abort()
    options.signal?.throwIfAborted()
    throw error
  }
  await writer.commit()
  const { replaced } = writer
  const months = changed > 0 ? await monthsLeft(storeOf(place), dataset).catch(() => 0) : 0
  const more = { ...(replaced.length > 0 && { replaced }), ...(months > 0 && { months }) }
  return { files: paths.length, rows, changed, ...more }
}

function coveredRemark({ symbols, days }: Covered): ImportRemark {
  const [from, to] = [days[0]?.[0] as string, days.at(-1)?.[1] as string]
  return { about: 'covered', from, to, codes: symbols === 'all' ? 'all' : symbols.length }
}

function noteOf(dataset: Dataset, { file, columns: rows, remarks: own }: FileColumns): FileNote {
  const { length, columns } = rows
  const suspect = suspectRows(dataset, rows)
  const remarks: readonly ImportRemark[] = suspect.length === 0 ? own : [...own, { about: 'suspect', suspect }]
  const known = Object.keys({ ...dataset.columns, ...dataset.stored })
  const fields = [...columns.keys()]
  return {
    file,
    rows: length,
    ignored: fields.filter((name) => !known.includes(name)),
    absent: Object.keys(dataset.columns).filter((name) => fields.length > 0 && !fields.includes(name)),
    ...(remarks.length > 0 ? { remarks } : {}),
  }
}
