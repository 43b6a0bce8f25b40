import { join } from 'node:path'
import { messageOf, QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import type { DecodedColumns } from '../../frame/table/parquet-file/decode-columns.js'
import { project } from '../../frame/table/values.js'
import type { Archive } from '../archive/archive.js'
import type { ClickHouseClient } from '../clickhouse/clickhouse-client.js'
import { readTickRows } from '../clickhouse/tick-rows.js'
import { codeColumn, codeRange, type DaySelection, rowsWithSymbols } from './read/read-day.js'

/** The file of a day, where it is on this machine. */
export interface LocalFile {
  /** For people: `the file of 20260729`. */
  readonly name: Words
  readonly day: string
  readonly path: string
  /** What its bytes must be; undefined where nobody says. */
  readonly sha256?: string | undefined
  /** Rows that it must have; undefined where nobody says. */
  readonly rows?: number | undefined
}

/** The file of a day, as it came from a share. */
export interface FetchedFile {
  readonly name: Words
  readonly day: string
  readonly bytes: Uint8Array
  /** Its length is known from the share, and is that of `bytes`. */
  readonly whole: boolean
}

/** The file of a day whose rows an engine holds. */
export interface HeldFile {
  readonly name: Words
  readonly day: string
  /** The rows, those of the file in its order; undefined where the engine has none of them. */
  read(selection: DaySelection, signal?: AbortSignal): Promise<DecodedColumns | undefined>
  /** The file itself, for rows that the engine does not have. */
  fetch(): Promise<FetchedFile>
}

export type TickFile = LocalFile | FetchedFile | HeldFile

/** The auction-tick files of a source, one a day. */
export interface TickFiles {
  /** For people: where the files are. */
  readonly name: Words
  /** Days that have a file, ascending, `YYYYMMDD`; of one year where it is given. */
  days(year?: number): Promise<string[]>
  /** @throws QuotebookError FILE when the day has no file */
  file(day: string, signal?: AbortSignal): Promise<TickFile>
}

export { firstTickYear } from '../../contract/catalogue/file-download.js'

/** Rows that an engine holds, in the shape of those of a file. */
async function readHeld(
  client: ClickHouseClient,
  { name, part, rows }: { readonly name: Words; readonly part: string; readonly rows: number },
  { columns, symbols }: DaySelection,
  signal: AbortSignal | undefined,
): Promise<DecodedColumns | undefined> {
  const read = columns && symbols && !columns.includes(codeColumn) ? [...columns, codeColumn] : columns
  const found = await readTickRows(client, part, { columns: read, ranges: symbols?.map(codeRange) }, { signal }).catch(
    (cause: unknown) => {
      if (!(cause instanceof QuotebookError)) throw cause
      throw new QuotebookError(cause.code, sentence`${name}: ${messageOf(cause)}`, { cause })
    },
  )
  if (found && found.total !== rows) {
    throw new QuotebookError(
      'ARCHIVE',
      sentence`${name}: ${client.node} has ${found.total} rows; the manifest counts ${rows}`,
    )
  }
  if (!found || !symbols) return found
  const chosen = rowsWithSymbols(found.columns, symbols)
  return { ...found, columns: columns ? project(chosen, columns) : chosen }
}

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
      if (!entry) throw new QuotebookError('FILE', sentence`${archive.name} has no auction ticks of ${day}`)
      const { file, sha256, rows } = entry
      const name = sentence`the file of ${day}`
      const { dir, engine } = archive.store
      const fetch = async (): Promise<FetchedFile> => ({
        name,
        day,
        bytes: await archive.bytes(file, sha256),
        whole: true,
      })
      const part = engine?.place(file)?.partition
      if (engine && part !== undefined) {
        return {
          name,
          day,
          fetch,
          read: (selection, signal) => readHeld(engine.client, { name, part, rows }, selection, signal),
        }
      }
      if (dir === undefined) return fetch()
      return { name, day, path: join(dir, file), sha256, rows }
    },
  }
}
