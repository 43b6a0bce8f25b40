import { join } from 'node:path'
import type { Archive } from '../archive/archive.js'
import { QuotebookError } from '../contract/error.js'

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
  /** Its length is known from the share, and is that of `bytes`. */
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

/** The tick files of an archive. */
export function localTicks(archive: Archive): TickFiles {
  return {
    name: archive.name,
    async days(year) {
      const days = (await archive.manifest()).ticks.map(({ day }) => day)
      return year === undefined ? days : days.filter((day) => day.startsWith(`${year}`))
    },
    async file(day) {
      const entry = (await archive.manifest()).ticks.find((tick) => tick.day === day)
      if (!entry) throw new QuotebookError('FILE', `${archive.name} has no auction ticks of ${day}`)
      const { file, sha256, rows } = entry
      const name = `the file of ${day}`
      if (archive.store.dir === undefined) return { name, day, bytes: await archive.bytes(file, sha256), whole: true }
      return { name, day, path: join(archive.dir, file), sha256, rows }
    },
  }
}
