/** The file of a day, as far as the listing of a share tells. */
export interface ListedFile {
  /** `YYYYMMDD`. */
  readonly day: string
  /** Bytes, where the listing has them exactly. */
  readonly size?: number
  /** Entity tag as the server writes it, quotes and all. */
  readonly etag?: string
  /** Last-Modified as the server writes it. */
  readonly modified?: string
}

export interface OpenFileOptions {
  /** Bytes that are there already. */
  readonly from?: number | undefined
  /** Entity tag of the file that they are of: of another file the whole comes, from 0. */
  readonly etag?: string | undefined
  /** `Opened.settled` of the file that they are of, for servers without strong entity tags. */
  readonly strongModified?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** The bytes of a file, from somewhere to its end. */
export interface OpenedFile {
  /** First byte of `body`: that asked for, or 0 where the share sends the whole. */
  readonly from: number
  /** Bytes of the whole file; undefined where the share does not tell. */
  readonly size: number | undefined
  /** The end of `body` is told, by `size` or as it goes on (chunks): it can not be cut off without a word. */
  readonly framed?: boolean
  readonly etag: string | undefined
  readonly modified: string | undefined
  /** `modified`, where it lies so far back (a minute before the answer) that it tells this file from any later one. */
  readonly strongModified?: string | undefined
  /**
   * Once. Read to its end or left early (`break`), it lets go of its connection. Throws what broke it off: SourceError
   * CUT_OFF also for fewer bytes than `size` promised.
   */
  readonly body: AsyncIterable<Uint8Array>
}

/** A place that has the tick files of days, `YYYYMMDD_aucde.parquet`, and nothing else that counts. */
export interface TickShare {
  /** For people: host or folder, without link, path or password. */
  readonly name: string
  /**
   * The files, ascending by day, each once.
   * @throws EndedError for a link that has ended; QuotebookError FILE for a place that lists no files
   */
  list(signal?: AbortSignal): Promise<readonly ListedFile[]>
  /** @throws EndedError for a link that has ended; QuotebookError FILE where the day has no file */
  open(day: string, options?: OpenFileOptions): Promise<OpenedFile>
}
