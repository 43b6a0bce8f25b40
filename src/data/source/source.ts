import type { Table } from 'apache-arrow'
import type { Dataset } from '../../contract/dataset.js'
import type { PlainDays } from '../../contract/day-list.js'
import type { OptionKinds } from '../../contract/options.js'
import type { Words } from '../../contract/sentence.js'
import type { UnsentCloses } from './completeness/unsent-closes.js'
import type { ArchiveIdentity } from './reply/archive-identity.js'
import type { EtagCache } from './reply/etag-cache.js'
import type { GetOptions, StreamOptions } from './transport/http-client.js'
import type { HttpResponse, HttpStream } from './transport/http-stream.js'

/** A plan in words. */
export interface Explanation {
  readonly dataset: string
  /** Requests that will be sent, at least. */
  readonly requests: number
  /** Whether that is all, short of retries: a reply at a cap is asked again in halves, pages go on to the end. */
  readonly exact: boolean
  /** Requests that may come in addition to show that nothing is missing, at most, as long as nothing is. */
  readonly probes?: number
  readonly lines: readonly Words[]
}

/** The progress of a long query. */
export interface Progress {
  /** Requests that were answered, of those known so far: a split adds some. Of an archive: parts or days that were read. */
  readonly done: number
  readonly of: number
  /** Rows that came so far. */
  readonly rows: number
  /** The dataset; of a sync that keeps months by code `by-code/` and how many are left too. */
  readonly what: string
}

/** Options of one query of a source. */
export interface QueryOptions {
  /** Columns wanted, in the order wanted: names, or one comma-separated string. Default: all. */
  readonly fields?: string | readonly string[] | null | undefined
  /**
   * Every row that matches, past row caps and default limits; a `limit` or `offset` that is asked for still counts.
   * Without it the source answers as the service would, cap and all.
   */
  readonly whole?: boolean | undefined
  /** Runs an operation that answers one day a call over several; rows by day, then in the contract's order. */
  readonly days?: PlainDays | undefined
  /** Takes what came when rows are missing that can not be asked for; provenance says so. Without it: TruncatedError. */
  readonly allowTruncated?: boolean | undefined
  /** Called while a query runs, as often as it gets further. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
  readonly signal?: AbortSignal | undefined
  /** What came of the same question before, kept by whoever asks again: a service that knows it sends nothing twice. */
  readonly seen?: EtagCache | undefined
}

/** The same, by name. */
export const queryKinds: OptionKinds<QueryOptions> = {
  fields: 'any',
  whole: 'true or false',
  days: 'any',
  allowTruncated: 'true or false',
  onProgress: 'a function',
  signal: 'an object',
  seen: 'an object',
}

/** How many requests start in a second in the long run. */
export interface Pace {
  readonly perSecond: number
}

/** A source of rows. The HTTP API, a local archive and memory all answer alike. */
export interface Source {
  /** A name for people: what was asked. Never holds a secret. */
  readonly name: Words
  /** How fast it is asked; absent if nothing is sent. */
  readonly pace?: Pace
  /**
   * The rows of a dataset that match, in the contract's order, with their provenance.
   * No matching rows is an empty table with all its columns.
   * @throws ParamsError for a request that the contract does not allow
   */
  query(dataset: Dataset, params?: unknown, options?: QueryOptions): Promise<Table>
  /** How a query would be asked, if that takes requests. Nothing of it is sent. @throws ParamsError as `query` does */
  explain?(dataset: Dataset, params?: unknown, options?: QueryOptions): Promise<Explanation>
  /** The archive that the rows are of, as far as is known by now: of a service, what its replies so far agree on. */
  identity?(): Promise<ArchiveIdentity | undefined>
  /** The closes of which a service was found to send no bar, for an archive beside it to keep. */
  unsent?(dataset: Dataset): UnsentCloses
  /** A file beside the service, if it is one: a share that it has handed out. The caller's key is not sent. */
  get?(address: string, options?: GetOptions): Promise<HttpResponse>
  /** The same with its body as it comes, whatever its size. */
  open?(address: string, options?: StreamOptions): Promise<HttpStream>
  /** Lets go of connections, if there are any. */
  close?(): Promise<void>
}
