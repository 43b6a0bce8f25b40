import type { Table } from 'apache-arrow'
import type { Archive } from './archive/archive.js'
import {
  type Catalogue,
  type DatasetName,
  datasetOf,
  datasets,
  type FieldOf,
  type ParamsFor,
} from './contract/catalogue.js'
import { type Camel, camel } from './contract/dataset.js'
import { toDataFrame } from './frame/danfo/to-data-frame.js'
import type { ColumnsIn, FrameOf } from './frame/data.js'
import type { TableOf } from './frame/table.js'
import { archiveSql, type SqlOptions } from './sql/sql.js'
import { readTicks } from './ticks/local.js'

export interface LoadOptions<F extends string = string> {
  /** Columns wanted, in the order wanted; all when absent. */
  readonly fields?: readonly F[] | undefined
  readonly signal?: AbortSignal
}

/** Params may be left out where the contract requires none. */
type Arguments<N extends DatasetName> =
  Record<string, never> extends ParamsFor<N>
    ? [params?: ParamsFor<N> | undefined, options?: LoadOptions<FieldOf<N>>]
    : [params: ParamsFor<N>, options?: LoadOptions<FieldOf<N>>]

type DatasetByLoader = { readonly [N in keyof Catalogue as Camel<N>]: N }

/** A loader for each dataset, under its name in camelCase. */
export type TableLoaders = {
  readonly [L in keyof DatasetByLoader]: (
    ...given: Arguments<DatasetByLoader[L]>
  ) => Promise<TableOf<DatasetByLoader[L]>>
}
export type FrameLoaders = {
  readonly [L in keyof DatasetByLoader]: (
    ...given: Arguments<DatasetByLoader[L]>
  ) => Promise<FrameOf<ColumnsIn<TableOf<DatasetByLoader[L]>>>>
}

/** Auction-tick files of the source. Their columns are not specified: a table has those of its file. */
export class Ticks {
  readonly #archive: Archive
  constructor(archive: Archive) {
    this.#archive = archive
  }

  /** Days that have a file, ascending, `YYYYMMDD`. */
  async days(): Promise<string[]> {
    return (await this.#archive.manifest()).ticks.map(({ day }) => day)
  }

  /** The ticks of one day, held against their checksum. @throws QuotebookError FILE when the day has no file */
  read(day: string): Promise<Table> {
    return readTicks(this.#archive, day)
  }
}

/** A place that data comes from, with a loader for each of its datasets. */
export class Market {
  readonly source: Archive
  readonly ticks: Ticks
  /** Each dataset as an Arrow table: `market.table.etfMinute({ symbols: ['510300.SH'], period: '15m' })`. */
  readonly table: TableLoaders
  /** Each dataset as a danfo DataFrame: `market.load.etfMinute({ symbols: ['510300.SH'], period: '15m' })`. */
  readonly load: FrameLoaders

  constructor(source: Archive) {
    this.source = source
    this.ticks = new Ticks(source)
    const names = datasets.map(({ name }) => name)
    const table = (name: string) => (params?: unknown, options?: LoadOptions) => this.query(name, params, options)
    const load = (name: string) => async (params?: unknown, options?: LoadOptions) =>
      toDataFrame(await this.query(name, params, options))
    this.table = Object.fromEntries(names.map((name) => [camel(name), table(name)])) as unknown as TableLoaders
    this.load = Object.fromEntries(names.map((name) => [camel(name), load(name)])) as unknown as FrameLoaders
  }

  /**
   * Every row of a dataset that matches, under the vendor's name for it. A `limit` or `offset` in params is honoured.
   * No matching rows is an empty table with all its columns.
   * @throws ParamsError naming the field, with the nearest right name or value
   */
  async query(name: string, params?: unknown, options: LoadOptions = {}): Promise<Table> {
    const { fields, signal } = options
    return this.source.query(datasetOf(name), params, {
      whole: true,
      ...(fields ? { fields } : {}),
      ...(signal ? { signal } : {}),
    })
  }

  /**
   * SQL in DuckDB over this market's datasets (`from convertible_daily`), its `ticks`, and tables or frames of one's own.
   * A dataset holds every stored row and the stored columns too (all versions, periods and snapshots).
   * The result is an Arrow table; `toDataFrame` makes a frame of it. Types and order: see `sql`.
   * @example await market.sql('select * from bars where close > $1', { tables: { bars }, params: [4] })
   * @throws QuotebookError SQL with what DuckDB says, PACKAGE when @duckdb/node-api is not installed
   */
  sql(text: string, options?: SqlOptions): Promise<Table> {
    return archiveSql(this.source, text, options)
  }
}
