import type { Table } from 'apache-arrow'
import { QuotebookError } from '../../contract/error.js'
import { checkOptions, type OptionKinds } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import { say } from '../../contract/shown-language.js'
import { codeMatcher } from '../../contract/symbol.js'
import type { DataFrame } from '../../frame/danfo-classes.js'
import { cellProgress } from '../../frame/show/notebook-output.js'
import type { Provenance } from '../../frame/table/provenance.js'
import { type ColumnData, textIn } from '../../frame/table/values.js'
import { toDataFrame } from '../../frame/to-data-frame.js'
import type { NameList } from '../names/name-list.js'
import type { Source } from '../source/source.js'
import type { FetchResult } from './fetch/fetch-into-archive.js'
import { type FetchYearOptions, fetchYear } from './fetch/fetch-year.js'
import { tableOfDays } from './read/day-tables.js'
import { codeColumn } from './read/read-day.js'
import { type ReadDay, TickReader } from './read/tick-reader.js'
import { resolveTickRequest, type TickReadOptions, type TickRequest } from './read/tick-request.js'
import type { TickFiles } from './tick-files.js'

/** A day of ticks. */
export interface TickDay {
  /** `YYYYMMDD`. */
  readonly day: string
  readonly table: Table
}

/** Options of a download of ticks: the year, the source and the archive. */
export interface TickFetchOptions extends Omit<FetchYearOptions, 'dest'> {
  /** Directory of the archive that the files go into (default: `auction_ticks`). */
  readonly dest?: string | undefined
}

/** Where fetched files go when nobody says. */
export const defaultDest = 'auction_ticks'

const fetchKinds: OptionKinds<TickFetchOptions> = {
  year: 'any',
  dest: 'any',
  share: 'any',
  kind: 'any',
  password: 'text',
  user: 'text',
  parallel: 'any',
  onProgress: 'a function',
  onWait: 'a function',
  signal: 'an object',
  clock: 'an object',
}

/** Bytes of columns that are made one table. */
const mostBytes = 2 ** 32

function bytesOf({ decoded }: ReadDay): number {
  const sizes = [...decoded.columns.columns.values()].map(({ data }) =>
    'byteLength' in data ? data.byteLength : data.length * 8,
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Codes asked for that have no row. */
function without(days: readonly ReadDay[], symbols: readonly string[] = []): Pick<Provenance, 'without'> {
  const columns = days.map(({ decoded }) => textIn(decoded.columns.columns.get(codeColumn) ?? ({} as ColumnData)))
  if (columns.some((column) => column === undefined)) return {}
  const words = columns.flatMap((column) => {
    const used = new Set(column?.data)
    return (column?.dictionary ?? []).filter((_, code) => used.has(code))
  })
  const missing = symbols.filter((symbol) => !words.some(codeMatcher([symbol])))
  return missing.length > 0 ? { without: { symbols: missing } } : {}
}

/**
 * The auction-tick files of a source, one a day. Their columns are not specified: a table has those of its files. Text
 * is codes into words (`Dictionary<Int32, Utf8>`), numbers are doubles or Int32; 64-bit integers that no double can
 * hold are text, as are dates and moments. Rows are in the order of the file. A file of an archive is compared with its
 * checksum.
 *
 * Entire columns are read by parquet-wasm, several days in threads. A few symbols of a file on this machine are read by
 * DuckDB if it is installed, which is faster for them.
 */
export class Ticks {
  readonly #filesOf: () => TickFiles
  readonly #source: Source | undefined
  readonly #names: NameList | undefined
  #reader: TickReader | undefined
  constructor(filesOf: () => TickFiles, source?: Source, names?: NameList) {
    this.#filesOf = filesOf
    this.#source = source
    this.#names = names
  }

  /** Days that have a file, ascending, `YYYYMMDD`; of one year if it is given. Of a service: those that the key's plan shows. */
  async days(year?: number): Promise<string[]> {
    return this.#filesOf().days(year)
  }

  /**
   * The ticks of a day (`read('20260729')`), or of several, end to end by day: `read({ from, to, symbols, columns })`. A
   * column that some of the files do not have is missing there.
   * @throws QuotebookError FILE when a day has no file, or it can not be read; ARCHIVE when its bytes are not what was written;
   * MISSING_COLUMN for a column in `columns` that a file does not have; USAGE for wrong options, and for more than 4 GiB (`stream` has no limit)
   */
  async read(what: string | TickReadOptions): Promise<Table> {
    const { options, request } = await this.#asked(what)
    const tell = cellProgress()
    const days: ReadDay[] = []
    let bytes = 0
    for await (const day of this.#read(request, options)) {
      const [done, of] = [days.length + 1, request.days.length]
      options.onProgress?.({ done, of, day: day.day })
      if (!options.onProgress) tell?.({ done, of, text: say`${done} of ${of} days` })
      bytes += bytesOf(day)
      if (bytes > mostBytes) {
        const message = sentence`${request.days.length} days of these columns are more than 4 GiB; name fewer columns or symbols, or go day by day with stream`
        throw new QuotebookError('USAGE', message)
      }
      days.push(day)
    }
    return this.#table(days, request, typeof what === 'string' ? { day: what } : request.params)
  }

  /** The same as a danfo DataFrame. */
  async load(what: string | TickReadOptions): Promise<DataFrame> {
    return toDataFrame(await this.read(what))
  }

  /**
   * Day by day, ascending, for what does not fit into memory at once: `for await (const { day, table } of …)`. A few days
   * are read ahead; leaving the loop ends that.
   * @throws as `read` does
   */
  async *stream(what: string | TickReadOptions): AsyncGenerator<TickDay> {
    const { options, request } = await this.#asked(what)
    let done = 0
    for await (const read of this.#read(request, options)) {
      options.onProgress?.({ done: ++done, of: request.days.length, day: read.day })
      yield { day: read.day, table: this.#table([read], request, { ...request.params, days: [read.day] }) }
    }
  }

  /**
   * Brings the files of a year into an archive of one's own, `dest`, and keeps it current: what is there already is not
   * fetched again, what was cut off goes on where it was. From the share that a service hands out (waiting while it is not
   * ready), from the archive that this market is, or from `share`: a link (WebDAV, Nextcloud, an index page) or a folder.
   * A file appears under its name once its length, checksum (if the server sends one) and footer were checked; `verifyTicks`
   * looks at every row. Afterwards `connect({ archive: dest })` reads it.
   * @throws QuotebookError FILE with the days that could not be fetched, and why, or if there is no room; what came before stays. SourceError
   * FORBIDDEN for a key without the plan
   */
  async fetch(options: TickFetchOptions): Promise<FetchResult> {
    checkOptions(options, fetchKinds, sentence`fetching ticks`)
    return fetchYear(this.#source, { ...options, dest: options.dest ?? defaultDest })
  }

  /** Sends the threads away that read. The next read has new ones. */
  async close(): Promise<void> {
    await this.#reader?.close()
  }

  /** What is to be read; names among the symbols give way to their codes. */
  async #asked(what: string | TickReadOptions): Promise<{ options: TickReadOptions; request: TickRequest }> {
    const given = typeof what === 'string' ? { days: what } : what
    const codes = this.#names
      ? await this.#names.codes(given.symbols, ['stock', 'bond', 'fund'], ({ code }) => code)
      : given.symbols
    const options = codes === given.symbols ? given : { ...given, symbols: codes as readonly string[] }
    return { options, request: await resolveTickRequest(this.#filesOf(), options) }
  }

  #read(request: TickRequest, { threads, signal }: TickReadOptions): AsyncGenerator<ReadDay> {
    this.#reader ??= new TickReader(this.#filesOf())
    return this.#reader.read(request.days, request.selection, { threads, signal })
  }

  #table(days: readonly ReadDay[], { selection }: TickRequest, params: Readonly<Record<string, unknown>>): Table {
    const total = days.reduce((sum, { decoded }) => sum + decoded.total, 0)
    const rows = days.reduce((sum, { decoded }) => sum + decoded.columns.length, 0)
    const fields = [...new Set(days.flatMap(({ decoded }) => [...decoded.columns.columns.keys()]))]
    return tableOfDays(days, {
      dataset: 'auction_tick',
      source: String(this.#filesOf().name),
      request: { params, fields },
      rows,
      complete: days.every(({ whole }) => whole),
      ...(selection.symbols ? without(days, selection.symbols) : { total }),
    })
  }
}
