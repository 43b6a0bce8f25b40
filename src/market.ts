import type { Table } from 'apache-arrow'
import {
  allNames,
  type Catalogue,
  type DatasetName,
  datasetOf,
  type FieldOf,
  type ParamsFor,
} from './contract/catalogue.js'
import { checkParams } from './contract/check-params.js'
import { type Camel, camel, type Dataset } from './contract/dataset.js'
import { writtenDate } from './contract/date.js'
import { type Days, withPlainDates } from './contract/day-list.js'
import { QuotebookError } from './contract/error.js'
import type { NamedCode } from './contract/fitting-names.js'
import { checkOptions, type OptionKinds } from './contract/options.js'
import { sentence, type Words } from './contract/sentence.js'
import { Archive } from './data/archive/archive.js'
import { archiveStatus, type StatusOptions, statusTable } from './data/archive/archive-status.js'
import { givenDays } from './data/archive/coverage/given-days.js'
import { refuseWrongCodes } from './data/names/missing-codes.js'
import { instruments, NameList, nameRequests } from './data/names/name-list.js'
import { allCodesIn } from './data/source/all-codes.js'
import { oneDayParam } from './data/source/plan/asked.js'
import type { EtagCache } from './data/source/reply/etag-cache.js'
import type { Explanation, Progress, QueryOptions, Source } from './data/source/source.js'
import { sourceUntil } from './data/source/source-until.js'
import { archiveSql, type SqlOptions } from './data/sql/sql.js'
import { type FollowOptions, type FollowRun, followArchive } from './data/sync/follow.js'
import { type SyncOptions, type SyncResult, syncArchive } from './data/sync/sync.js'
import { RemoteTicks, type ShareSource } from './data/ticks/remote-ticks.js'
import { localTicks } from './data/ticks/tick-files.js'
import { Ticks } from './data/ticks/ticks.js'
import type { Change } from './data/watch/change.js'
import { type WatchOptions, watchOptions } from './data/watch/poll-interval.js'
import { withKey } from './data/watch/row-changes.js'
import { watchRows } from './data/watch/watch-rows.js'
import type { DataFrame } from './frame/danfo-types.js'
import type { FrameOf } from './frame/data.js'
import { strings } from './frame/read-columns.js'
import { inspectSymbol } from './frame/show/displayable.js'
import { cellSignal, queryProgress } from './frame/show/notebook-output.js'
import { provenance } from './frame/table/provenance.js'
import { described } from './frame/table/shape.js'
import type { ColumnsOf, TableOf } from './frame/table/typed-table.js'
import { tableNames } from './frame/table-names.js'
import { toDataFrame } from './frame/to-data-frame.js'

/** Options of `market.load`, `market.table` and `market.query`. */
export interface LoadOptions<F extends string = string> {
  /** Columns wanted, in the order wanted (default: all). */
  readonly fields?: readonly F[] | undefined
  /**
   * From one day to another, `{ from, to }`, or to the latest, `{ from }`, of any dataset with days; `5`: the last five trading days that
   * the source has of it; or a list of days, of an operation that answers one day a call.
   */
  readonly days?: Days | undefined
  /** Takes what came when rows are missing that can not be asked for; provenance says so. Without it: TruncatedError. */
  readonly allowTruncated?: boolean | undefined
  /** Called while a query runs, as often as it gets further. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

const loadOptions: OptionKinds<LoadOptions> = {
  fields: 'text or an array',
  days: 'any',
  allowTruncated: 'true or false',
  onProgress: 'a function',
  signal: 'an object',
}

/** Params may be left out where the contract requires none. */
type Arguments<N extends DatasetName, F extends string> =
  Record<string, never> extends ParamsFor<N>
    ? [params?: ParamsFor<N> | undefined, options?: LoadOptions<F>]
    : [params: ParamsFor<N>, options?: LoadOptions<F>]

/** In the declarations of the package each name has what the catalogue says of it (`src/build/document-types.mjs`). */
type DatasetByLoader = { readonly [N in keyof Catalogue as Camel<N>]: N }

/** A loader for each dataset, under its name in camelCase; fields that are not asked for are no columns of its result. */
export type TableLoaders = {
  readonly [L in keyof DatasetByLoader]: <const F extends FieldOf<DatasetByLoader[L]> = FieldOf<DatasetByLoader[L]>>(
    ...given: Arguments<DatasetByLoader[L], F>
  ) => Promise<TableOf<DatasetByLoader[L], F>>
}
/** A loader for each dataset under its camel-case name; it resolves to a danfo DataFrame with the columns asked for. */
export type FrameLoaders = {
  readonly [L in keyof DatasetByLoader]: <const F extends FieldOf<DatasetByLoader[L]> = FieldOf<DatasetByLoader[L]>>(
    ...given: Arguments<DatasetByLoader[L], F>
  ) => Promise<FrameOf<ColumnsOf<DatasetByLoader[L], F>>>
}

/**
 * Options of `market.watch`: those of a query, to whose fields the columns of the key are added, and how often it is
 * repeated.
 */
export interface WatchQueryOptions<F extends string = string>
  extends WatchOptions,
    Omit<LoadOptions<F>, 'onProgress' | 'signal'> {}

/** The table that a query of a dataset gives; of a name that is only known at run time, any. */
export type WatchedTable<N extends string> = N extends DatasetName ? TableOf<N> : Table

/** Loads every dataset of one source, by a loader for each. */
export class Market {
  readonly source: Source
  /** The archive that the source is; undefined for a service over HTTP. */
  readonly archive: Archive | undefined
  readonly ticks: Ticks
  /** Each dataset as an Arrow table: `market.table.etfMinute({ symbols: ['510300.SH'], period: '15m' })`. */
  readonly table: TableLoaders
  /** Each dataset as a danfo DataFrame: `market.load.etfMinute({ symbols: ['510300.SH'], period: '15m' })`. */
  readonly load: FrameLoaders

  readonly #names: NameList

  constructor(source: Source) {
    this.source = source
    // As the service answers of itself: nobody needs proof of names.
    const ask = async (dataset: Dataset, params: object, fields: readonly string[]) =>
      tableNames(await source.query(dataset, params, { fields }), dataset)
    this.#names = new NameList(ask)
    this.archive = source instanceof Archive ? source : undefined
    const remote = source.get && source.open ? new RemoteTicks(source as ShareSource) : undefined
    this.ticks = new Ticks(() => remote ?? localTicks(this.#archiveFor(sentence`auction ticks`)), source, this.#names)
    const names = allNames()
    const table = (name: string) => (params?: unknown, options?: LoadOptions) => this.query(name, params, options)
    const load = (name: string) => async (params?: unknown, options?: LoadOptions) =>
      toDataFrame(await this.query(name, params, options))
    this.table = Object.fromEntries(names.map((name) => [camel(name), table(name)])) as unknown as TableLoaders
    this.load = Object.fromEntries(names.map((name) => [camel(name), load(name)])) as unknown as FrameLoaders
  }

  /**
   * Every row of a dataset that matches, under the vendor's name for it. A `limit` or `offset` in params is honoured.
   * No matching rows is an empty table with all its columns, whose note says if no trading day was asked for, or one that an archive does not reach; codes
   * that can be none of the dataset's are refused. `symbols: 'all'` is every code, of minute data with all bars. Names may
   * stand for codes, as `find` finds them, and dates may be `20260727`, `2026-07-27` or `2026/7/27`.
   * @throws ParamsError naming the field, with the nearest right name or value, and all codes of a name that fits several; SourceError, TruncatedError and
   * ContractError if a service does not give all of it, or not what was asked
   */
  async query(name: string, params?: unknown, options: LoadOptions = {}): Promise<Table> {
    checkOptions(options, loadOptions, sentence`a query`)
    return this.#query(name, params, options)
  }

  async #query(name: string, params: unknown, options: LoadOptions & { readonly seen?: EtagCache }): Promise<Table> {
    const table = await this.#rows(name, params, options)
    const asked = provenance(table)?.request.params
    await refuseWrongCodes(name, asked, table, async () => (this.archive ? this.symbols(name) : []))
    return table
  }

  async #rows(name: string, params: unknown, options: LoadOptions & { readonly seen?: EtagCache }): Promise<Table> {
    const onProgress = options.onProgress ?? queryProgress()
    const dataset = datasetOf(name)
    const dated = await givenDays(this.source, dataset, withPlainDates(dataset, params), options.days)
    const asked = { ...dated, params: await this.#names.params(dataset, dated.params) }
    const signal = options.signal ?? cellSignal()
    const given = { ...options, days: asked.days, onProgress, signal, whole: true }
    const all = allCodesIn(dataset, asked.params, asked.days)
    if (!all) return this.source.query(dataset, asked.params, given)
    const ask = (more: QueryOptions): Promise<Table> => this.source.query(dataset, all.params, { ...given, ...more })
    if (!all.ofLatest) return ask({ days: all.days ?? asked.days })
    const day = dataset.day as string
    const [latest] = strings(await ask({ fields: [day] }), day)
    return ask(typeof latest === 'string' ? { days: [latest] } : {})
  }

  /**
   * A question asked again and again: the first state at once, then each in which rows are new, changed or gone, told by the key
   * of the dataset. A state is asked for when the caller wants the next one, so that a slow caller gets the newest and none that
   * it has missed, and no request overlaps another. A source that is away is asked again for `patience` seconds. Of an archive,
   * and of one's own service, a state without changes costs no rows.
   * @example for await (const { changed, columns } of market.watch('etf_minute', { symbols: ['510300.SH'] })) …
   * @throws ParamsError as `query` does, QuotebookError USAGE for options that are none and for `file_download`; in the course
   * of it what `query` throws, SourceError of a source that stays away too
   */
  watch<const N extends string>(
    name: N,
    params?: N extends DatasetName ? ParamsFor<N> : unknown,
    options: WatchQueryOptions<N extends DatasetName ? FieldOf<N> : string> = {},
  ): AsyncGenerator<Change<WatchedTable<N>>, undefined, undefined> {
    const { onProgress: _, ...queryOptions } = loadOptions
    checkOptions<WatchQueryOptions>(options, { ...queryOptions, ...watchOptions }, sentence`a watch`)
    const dataset = datasetOf(name)
    if (dataset.archiveRule === 'tick-share')
      throw new QuotebookError('USAGE', sentence`${name} can't be watched: a share is made when it is asked for`)
    const plain = withPlainDates(dataset, params)
    if (options.days === undefined && !allCodesIn(dataset, plain, undefined)) checkParams(dataset, plain)
    const { archive } = this
    const { days, allowTruncated, signal } = options
    const fields = withKey(dataset, options.fields)
    const asked = { days, allowTruncated, signal, fields, onProgress: () => undefined }
    const ask = (seen: EtagCache) => this.#query(name, params, { ...asked, seen }) as Promise<WatchedTable<N>>
    return watchRows({ dataset, ask, state: archive && (() => archive.state()) }, options)
  }

  /**
   * The codes of a dataset that have rows on a day, sorted; on the latest one when none is given.
   * @throws QuotebookError USAGE for a dataset that can't be asked by symbols
   */
  async symbols(name: string, options: { readonly day?: string | undefined } = {}): Promise<string[]> {
    const { day } = checkOptions(options, { day: 'any' }, 'symbols')
    const dataset = datasetOf(name)
    const column = dataset.params.symbols?.role === 'match' ? dataset.params.symbols.columns?.[0] : undefined
    if (column === undefined)
      throw new QuotebookError('USAGE', sentence`${name} can't be asked by symbols, so it has no list of them`)
    const required = Object.entries(dataset.params).filter(([, param]) => param.required)
    const params = Object.fromEntries(required.map(([key, param]) => [key, param.values?.[0]]))
    const dated = day === undefined ? {} : { [oneDayParam(dataset) as string]: day }
    const table = await this.query(name, { ...params, ...dated }, { fields: [column] })
    return [...new Set(strings(table, column).flatMap((code) => code ?? []))].sort()
  }

  /**
   * The codes whose names are a text, or else begin with it; of Latin letters that begin none, those whose pinyin initials they are:
   * `云帆转债`, `yfzz`. Names are those of the source's latest rows, read once, and of much traded ETFs; a name may stand wherever
   * symbols are given. With a dataset those of its kind of codes alone; a service is asked for no others.
   * @example const [bond] = await market.find('云帆转债', { dataset: 'convertible_daily' })
   */
  async find(text: string, options: { readonly dataset?: string | undefined } = {}): Promise<readonly NamedCode[]> {
    const { dataset } = checkOptions(options, { dataset: 'text' }, 'find')
    const own =
      dataset === undefined ? instruments : [datasetOf(dataset).instruments].filter((one) => one !== undefined)
    return this.#names.find(text, own)
  }

  /** How a query would be asked: its requests, before any of them is sent. @throws ParamsError as `query` does */
  async explain(name: string, params?: unknown, options: LoadOptions = {}): Promise<Explanation> {
    checkOptions(options, loadOptions, 'explain')
    const dataset = datasetOf(name)
    const { source } = this
    const ranged = await givenDays(
      source,
      dataset,
      withPlainDates(dataset, params),
      options.days,
      source.explain && 'unasked',
    )
    const all = allCodesIn(dataset, ranged.params, ranged.days)
    const { params: asked, days = ranged.days } = all ?? { params: ranged.params, days: undefined }
    if (source.explain) {
      const plan = await source.explain(dataset, asked, { ...options, days, whole: true })
      const names = nameRequests(dataset, asked)
      if (names) {
        const first = sentence`${names.requests} requests for names: ${names.datasets.join(', ')}`
        return { ...plan, exact: false, requests: plan.requests + names.requests, lines: [first, ...plan.lines] }
      }
      if (!all?.ofLatest) return plan
      return {
        ...plan,
        exact: false,
        lines: [...plan.lines, sentence`then a request for each bucket of the day that it shows`],
      }
    }
    checkParams(dataset, asked)
    return {
      dataset: name,
      requests: 0,
      exact: true,
      lines: [sentence`${name}: no request; ${source.name} is on this machine`],
    }
  }

  /**
   * What the archive has as a DataFrame, a row a dataset (and bar period, or hot list): first and last day, days with rows,
   * trading days covered, days that were due and are missing (null if no day is ever due) with the reason, rows, and when it
   * was last brought up to its source. Reads no clock: `dueBy` says what time it is.
   * @throws QuotebookError USAGE for a service over HTTP, or an option that is no date or time
   */
  async status(options: StatusOptions = {}): Promise<DataFrame> {
    checkOptions(options, { from: 'any', dueBy: 'any' }, 'status')
    const status = await this.#archiveFor(sentence`days and coverage`).read((snapshot) =>
      archiveStatus(snapshot, options),
    )
    return toDataFrame(statusTable(status))
  }

  /**
   * Brings an archive up to this market: every day from the first one wanted that it does not cover, the latest day as it
   * stands (its rows are marked, and the settled day takes their place), and what has no past as it is today. Answers are
   * stored with what they cover in one step, those of a second together: a sync that ends early goes on where it stopped. What is covered is asked again on
   * a few later days only; rows that are others then are kept with the moments between which they were known. Rows that were imported stay on days that the import covers; on others the settled day of this market counts.
   * @throws QuotebookError USAGE for options that are none and for an archive of another service, ARCHIVE_BUSY while another
   * process syncs or writes it, ARCHIVE for a directory that is something else; SourceError when the source does not answer
   * @example await market.sync({ archive: 'mine', from: '20260701' })
   */
  sync(options: SyncOptions): Promise<SyncResult> {
    const { onProgress = queryProgress(), signal = cellSignal() } = options
    return syncArchive(this.source, { ...options, onProgress, signal })
  }

  /**
   * Keeps an archive up to this market without an end, as `sync` would bring it: news every 20 minutes, bars at midday and after
   * the close, lists and indices after it, the rest in the evening, theme details at night; Beijing time, trading days by the
   * calendar (of a year without notice every weekday). Times that were missed are made up by one run. A batch that is late is
   * asked for again after 10, 20, … 160 minutes, a source that is away after 1, 2, … 60. The archive is locked all the while,
   * and `sync-status.json` in it says how it stands. Each run is given when it is over; a caller who is slow delays the next.
   * The signal ends it without an error, after the request under way.
   * @throws QuotebookError USAGE, ARCHIVE and ARCHIVE_BUSY as `sync` does; SourceError when the source refuses from the start
   * @example for await (const { at, result, failed, next } of market.follow({ archive: 'mine' })) …
   */
  follow(options: FollowOptions): AsyncGenerator<FollowRun, undefined, undefined> {
    return followArchive(this.source, options)
  }

  /**
   * The same market as it was at the end of a day, `YYYYMMDD`: rows of later days are not there, and the latest day is the trading day
   * up to it. Corrections that came later stay. It answers queries alone, no SQL, ticks or status, which would show later days.
   * @throws QuotebookError USAGE for what is no date
   */
  until(day: string): Market {
    const date = writtenDate(day)
    if (date === undefined)
      throw new QuotebookError('USAGE', sentence`market.until takes a day YYYYMMDD, not ${described(day)}`)
    return new Market(sourceUntil(this.source, date))
  }

  /** Lets go of the connections to a service, and of the threads that read ticks. A process ends by itself also without it. */
  async close(): Promise<void> {
    await this.ticks.close()
    await this.source.close?.()
  }

  /** One line for console.log: where data comes from. */
  [inspectSymbol](): string {
    return `Market of ${this.source.name}`
  }

  #archiveFor(what: Words): Archive {
    if (this.archive) return this.archive
    throw new QuotebookError('USAGE', sentence`${what} need an archive; ${this.source.name} is a service over HTTP`)
  }

  /**
   * SQL in DuckDB over this market's datasets (`from convertible_daily`), its `ticks`, and tables or frames of one's own.
   * A dataset holds every stored row and the stored columns too (all versions, periods and snapshots).
   * The result is an Arrow table; `toDataFrame` makes a frame of it. Types and order: see `sql`.
   * @example await market.sql('select * from bars where close > $1', { tables: { bars }, params: [4] })
   * @throws QuotebookError SQL with what DuckDB says, PACKAGE when @duckdb/node-api is not installed
   */
  async sql(text: string, options?: SqlOptions): Promise<Table> {
    return archiveSql(this.#archiveFor(sentence`SQL queries`), text, options)
  }
}
