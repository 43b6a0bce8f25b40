import type { Dataset } from '../../contract/dataset.js'
import { QuotebookError } from '../../contract/error.js'
import { codeMatcher, parseCode } from '../../contract/symbol.js'
import { manyRows, spansFromParquet } from '../../frame/table/parquet.js'
import type { RowSpan } from '../../frame/table/parquet-file/decode-columns.js'
import { ownLimits } from '../../frame/table/parquet-file/limits.js'
import { type ColumnData, type RecordColumns, type Text, textIn } from '../../frame/table/values.js'
import { memoized } from './answer/memoized.js'
import { filesByCode, filesOfCodes, rowsOnDay } from './code-months.js'
import { sha256 } from './file-access.js'
import { contractVersion } from './manifest.js'
import type { CodesEntry, DatasetEntry, PartEntry } from './manifest-entries.js'
import { inOrder, together } from './merge-rows.js'
import type { AskedCodes, LoadedCodes } from './snapshot.js'
import type { ArchiveStore } from './store/archive-store.js'

/** Spans that are read one by one: some more of them take as long as the whole part. */
const mostSpans = 6
/** Files by code that are read in place of a month's days. */
const mostFiles = 3
/** Times that a part is read for some codes before it is read whole, where all parts of its dataset can be kept. */
const mostReads = 4
/** The same of a file by code. */
const mostByCode = 8
/** Bytes of a cell in memory. */
const cellBytes = 8

const sumOfRows = memoized((parts: readonly PartEntry[]): number => parts.reduce((sum, { rows }) => sum + rows, 0))

/** Stretches of rows. */
type Pieces = readonly RecordColumns[]
type Found = LoadedCodes | undefined

/** Columns that are kept in memory, as an `LRUCache` keeps them. */
interface KeptColumns {
  readonly maxSize: number
  has(key: string): boolean
  get(key: string): RecordColumns | undefined
  set(key: string, columns: RecordColumns): unknown
}

/** Stretches of rows with the same code, as columns: the code, and the first row of each; none where rows do not stand by code. */
function runsOf({ length, columns }: RecordColumns, name: string): RecordColumns {
  const { data, dictionary } = textIn(columns.get(name) as ColumnData) as Text
  const starts: number[] = []
  for (let row = 0; row < length; row++) if (row === 0 || data[row] !== data[row - 1]) starts.push(row)
  const own = starts.length * 4 > length ? [] : starts
  const codes = Int32Array.from(own, (row) => data[row] as number)
  return {
    length: own.length,
    columns: new Map([
      [name, { type: 'dictionary', data: codes, dictionary }],
      ['from', { type: 'int', data: Int32Array.from(own), valid: null }],
    ]),
  }
}

function pieceKey({ file }: PartEntry | CodesEntry, { from, to }: RowSpan): string {
  return `${file} ${from} ${to}`
}

/** Where the rows of some codes lie in a part; undefined where it is better read whole. */
function spansOf(
  runs: RecordColumns,
  { rows, ...file }: PartEntry | CodesEntry,
  { column, codes }: AskedCodes,
): readonly RowSpan[] | undefined {
  if (runs.length === 0) return undefined
  const starts = (runs.columns.get('from') as ColumnData & { readonly data: Int32Array }).data
  const { data, dictionary } = runs.columns.get(column) as Text
  const bare = [...new Set(codes.map((code) => parseCode(code).bare))]
  const isAsked = codeMatcher(codes)
  // Most words are of other codes: their beginning is compared first.
  const isWanted = dictionary.map((word) => bare.some((one) => word.startsWith(one)) && isAsked(word))
  const spans: RowSpan[] = []
  for (let run = 0; run < runs.length; run++) {
    if (!isWanted[data[run] as number]) continue
    const [from, to] = [starts[run] as number, starts[run + 1] ?? rows]
    const last = spans.at(-1)
    if (last?.to === from) spans[spans.length - 1] = { from: last.from, to }
    else spans.push({ from, to })
  }
  const taken = spans.reduce((sum, { from, to }) => sum + to - from, 0)
  return 'codes' in file || (spans.length <= mostSpans && taken * 4 <= rows) ? spans : undefined
}

/**
 * Reads the rows of some codes from large parts of a directory whose rows stand by code, as those of bars do: of the rest nothing
 * is decoded but the codes. The file is compared with its checksum as ever.
 */
export class CodePieces {
  readonly #cache: KeptColumns
  readonly #store: ArchiveStore
  readonly #reads = new Map<string, number>()
  /** Under what the runs of a file are kept: the days of an archive mostly have the same. */
  readonly #runs = new Map<string, string>()
  readonly #reading = new Map<string, Promise<Found>>()
  /** Files by code that can not be read. */
  readonly #lost = new Set<string>()

  constructor(cache: KeptColumns, store: ArchiveStore) {
    this.#cache = cache
    this.#store = store
  }

  /**
   * The rows of a part that have one of the codes, ascending, or all that `whole` reads where that is better.
   * @param isOfMany the question has many days of the month: its file by code is read, if there is one
   */
  read(
    dataset: Dataset,
    entry: DatasetEntry,
    part: PartEntry,
    asked: AskedCodes,
    { isOfMany, whole }: { readonly isOfMany: boolean; readonly whole: () => LoadedCodes | Promise<LoadedCodes> },
  ): LoadedCodes | Promise<LoadedCodes> {
    if (this.#store.dir === undefined || this.#cache.has(part.file)) return whole()
    if (part.contract !== contractVersion(dataset) || asked.codes.length > mostSpans) return whole()
    const months = isOfMany ? filesByCode(entry).get(part.partition) : undefined
    const files = months && filesOfCodes(months, asked.codes)
    const isSound = files && files.length <= mostFiles && !files.some(({ file }) => this.#lost.has(file))
    const found = isSound ? this.#ofMonth(dataset, entry, part, asked, files) : this.#ofDay(dataset, entry, part, asked)
    return found instanceof Promise ? found.then((rows) => rows ?? whole()) : (found ?? whole())
  }

  #ofDay(dataset: Dataset, { parts }: DatasetEntry, part: PartEntry, asked: AskedCodes): Found | Promise<Found> {
    return part.rows < manyRows ? undefined : this.#pieces(dataset, parts, part, asked)
  }

  /** The rows of a day out of the files of its month by code. */
  #ofMonth(
    dataset: Dataset,
    entry: DatasetEntry,
    part: PartEntry,
    asked: AskedCodes,
    files: readonly CodesEntry[],
  ): Found | Promise<Found> {
    const ofDay = (all: readonly (Found | 'lost')[]): Found | Promise<Found> => {
      // Its own file has the same rows.
      if (all.includes('lost')) return this.#ofDay(dataset, entry, part, asked)
      if (all.includes(undefined)) return undefined
      const rows = (all.flat() as Pieces).flatMap((own) => rowsOnDay(own, dataset, part.partition))
      return files.length > 1 && rows.length > 1 ? [inOrder(dataset, together(dataset, rows))] : rows
    }
    const found = files.map((file) => {
      const own = this.#pieces(dataset, entry.parts, file, asked)
      return own instanceof Promise ? own.catch((error: unknown) => this.#lose(file, error)) : own
    })
    return found.some((own) => own instanceof Promise) ? Promise.all(found).then(ofDay) : ofDay(found as Found[])
  }

  /** A file by code that can not be read is left alone from then on. @throws what is no error of a file */
  #lose({ file }: CodesEntry, error: unknown): 'lost' {
    if (!(error instanceof QuotebookError && (error.code === 'ARCHIVE' || error.code === 'FILE'))) throw error
    this.#lost.add(file)
    return 'lost'
  }

  /** The rows of a file that have one of the codes, or of a day all; undefined where it is better read whole. */
  #pieces(
    dataset: Dataset,
    parts: readonly PartEntry[],
    part: PartEntry | CodesEntry,
    asked: AskedCodes,
  ): Found | Promise<Found> {
    const runs = this.#cache.get(this.#runs.get(part.file) ?? '')
    const spans = runs && spansOf(runs, part, asked)
    if (runs && !spans) return undefined
    const kept = spans?.map((span) => this.#cache.get(pieceKey(part, span)))
    if (kept?.every((piece) => piece !== undefined)) return kept
    const columns = Object.keys({ ...dataset.columns, ...dataset.stored }).length
    const canKeepAll = sumOfRows(parts) * columns * cellBytes < this.#cache.maxSize
    const reads = (this.#reads.get(part.file) ?? 0) + 1
    this.#reads.set(part.file, reads)
    if (canKeepAll && reads > ('codes' in part ? mostByCode : mostReads)) return undefined
    const key = `${part.file} ${asked.column} ${asked.codes.join(' ')}`
    const reading = this.#reading.get(key) ?? this.#decode(part, asked, spans)
    this.#reading.set(key, reading)
    return reading.finally(() => this.#reading.delete(key))
  }

  async #decode(
    part: PartEntry | CodesEntry,
    asked: AskedCodes,
    known: readonly RowSpan[] | undefined,
  ): Promise<Found> {
    const { file } = part
    const bytes = await this.#store.bytes(file, part.sha256)
    let spans = known
    const rows = await spansFromParquet(bytes, file, ownLimits, async (column) => {
      if (spans) return spans
      const { bytes: own, read } = column(asked.column)
      const key = `${asked.column} ${own.map(sha256).join(' ')}`
      const runs = this.#cache.get(key) ?? runsOf(await read(), asked.column)
      this.#cache.set(key, runs)
      this.#runs.set(file, key)
      spans = spansOf(runs, part, asked)
      return spans ?? ('codes' in part ? [] : undefined)
    })
    for (const [at, piece] of rows.entries())
      this.#cache.set(spans ? pieceKey(part, spans[at] as RowSpan) : file, piece)
    return spans ? rows : rows[0]
  }
}
