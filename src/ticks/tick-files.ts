/** The file of a day, where it is on this machine. */
export interface LocalFile {
  /** For people: `the file of 20260729`. */
  readonly name: string
  readonly day: string
  readonly path: string
  /** What its bytes must be; undefined where nobody says. */
  readonly sha256?: string | undefined
  /** Rows that it must have; undefined where nobody says. */
  readonly rows?: number | undefined
}

/** The file of a day, as it came from a share. */
export interface FetchedFile {
  readonly name: string
  readonly day: string
  readonly bytes: Uint8Array
  /** The share told its length, and that is what came. */
  readonly whole: boolean
}

export type TickFile = LocalFile | FetchedFile

/** The auction-tick files of a source, one a day. */
export interface TickFiles {
  /** For people: where the files are. */
  readonly name: string
  /** Days that have a file, ascending, `YYYYMMDD`; of one year where it is given. */
  days(year?: number): Promise<string[]>
  /** @throws QuotebookError FILE when the day has no file */
  file(day: string, signal?: AbortSignal): Promise<TickFile>
}

/** First year of the files (section 4.13). */
export const firstTickYear = 2022
