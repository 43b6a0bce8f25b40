import type { Column } from '../../../contract/column.js'
import type { Dataset } from '../../../contract/dataset.js'
import { type ErrorCode, QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import type { RecordColumns } from '../../../frame/table/values.js'
import type { ClickHouseClient } from '../../clickhouse/clickhouse-client.js'
import { manifestFile } from '../manifest.js'
import type { Manifest, PartEntry } from '../manifest-entries.js'

/** The manifest of an archive as a look found it. */
export interface StoredManifest {
  readonly manifest: Manifest
  /** sha256 of its text. */
  readonly state: string
  /** What `stamp` gives while this is the present one. */
  readonly stamp: string
}

/** Rows that are put into an archive, and the Parquet file that they make. */
export interface MadePart {
  readonly dataset: Dataset
  readonly file: string
  readonly rows: RecordColumns
  /** What the columns of the rows are. */
  readonly columns: Readonly<Record<string, Column>>
  readonly bytes: Uint8Array
}

/** An archive open for writing: nothing that is put is seen before `commit`, which replaces the manifest in one step. */
export interface WriteSession {
  /** What is built on. */
  readonly manifest: Manifest
  /** What tells a file apart from all that were put before: its bytes, and the state that it is built on. */
  mark(sum: string): string
  /** Puts the rows of a part. */
  writePart(part: MadePart): Promise<void>
  /** Puts a file of other things than rows of a dataset. */
  write(file: string, bytes: Uint8Array): Promise<void>
  /** Moves a file of this machine under its name. @param isNamed the manifest names it already, with these bytes */
  move(from: string, file: string, bytes: number, isNamed: boolean): Promise<void>
  /** What fails because another process took the archive says so. */
  owning<T>(action: () => Promise<T>): Promise<T>
  /**
   * Replaces the manifest, clears away what it does not name, and releases the archive.
   * @throws QuotebookError ARCHIVE_BUSY when another process has taken the archive, ARCHIVE_CHANGED when something else has
   * changed it; it is left as it is then
   */
  commit(manifest: Manifest): Promise<void>
  /** Takes back what was put and releases the archive. */
  abort(): Promise<void>
}

/** An engine that holds the rows of an archive, for what is asked of it itself. */
export interface ScanEngine {
  readonly client: ClickHouseClient
  /**
   * Where the rows of a file lie: the partition of a table. Of a file of ticks the table is that of its bytes, and its rows have
   * the same partition in a table of their columns. Undefined where there is no such file.
   */
  place(file: string): { readonly table: string; readonly partition: string } | undefined
}

/** A file of an archive, open. The bytes behind it stay the same ones when a writer puts another file under its name. */
export interface StoredFile {
  readonly size: number
  /** Milliseconds since 1970 of the last change of its bytes. */
  readonly modified: number
  /** Changes whenever the file, its bytes or its place change. */
  readonly identity: string
  /** Up to so many bytes from a position on; none at its end, or where they are gone. */
  read(position: number, length: number): Promise<Uint8Array>
  /** Whether its bytes have not changed since it was opened; being renamed or removed is no change. */
  isUnchanged(): Promise<boolean>
  close(): Promise<void>
}

/** The place where an archive lies: files that never change under their names, and the manifest that names them. */
export interface ArchiveStore {
  /** For people; without a password. */
  readonly name: string
  /** The directory, where it is one. */
  readonly dir?: string
  /** Where an engine holds the rows. */
  readonly engine?: ScanEngine
  /** A folder of this machine for locks, downloads and notes of what is under way; it need not be there. */
  readonly workFolder: string
  /**
   * Tells without waiting whether the manifest is that of a look before; undefined where only another look can tell.
   * @throws QuotebookError ARCHIVE where there is no archive
   */
  stamp(): string | undefined
  /**
   * The present manifest; undefined where there is none. Looks that run at once may be one.
   * @throws QuotebookError ARCHIVE for anything but what a writer has written
   */
  read(): Promise<StoredManifest | undefined>
  /**
   * The rows of a part, compared with all that the manifest says of them.
   * @throws LostFileError when they are others or not there; QuotebookError ARCHIVE when they can not be read
   */
  readPart(dataset: Dataset, part: PartEntry): Promise<RecordColumns>
  /** The columns of a part that make the key of its dataset. @throws what `readPart` throws */
  readKeys(dataset: Dataset, part: PartEntry): Promise<RecordColumns>
  /** The bytes of a file, compared with the checksum that the manifest states. @throws what `readPart` throws */
  bytes(file: string, sum: string): Promise<Uint8Array>
  /** The same for a file of any size, whose bytes are not wanted. @throws what `readPart` throws */
  verify(file: string, sum: string): Promise<void>
  /**
   * Opens a file that is no part of a dataset. Whoever gets it closes it.
   * @throws the error of the file system or of the server; QuotebookError ARCHIVE for anything but a file
   */
  open(file: string): Promise<StoredFile>
  /** Puts a damaged file where it is in nobody's way. */
  putAside(file: string): Promise<void>
  /**
   * Takes the archive for writing, making it where there is none.
   * @param waitMs how long to wait for another writer, where only one can be
   * @throws QuotebookError ARCHIVE_BUSY when another process is writing, ARCHIVE when something else is there
   */
  begin(waitMs: number, signal?: AbortSignal): Promise<WriteSession>
  /** Lets go of connections. */
  close?(): Promise<void>
}

/** What is said of a place that holds no archive. */
export function noArchive(
  { name, dir }: Pick<ArchiveStore, 'name' | 'dir'>,
  code: ErrorCode = 'ARCHIVE',
): QuotebookError {
  const text =
    dir === undefined
      ? sentence`${name} holds no archive; quotebook copy, sync or import puts one there`
      : sentence`${name} is not an archive: it has no ${manifestFile}`
  return new QuotebookError(code, text)
}

/** Times that others may come first. */
const patience = 20

/**
 * Writes once more, upon the newer state, where another writer came first. Only in a store without a lock: in a directory a
 * change that the lock did not keep off is somebody else's doing.
 * @param write what is done from the beginning each time
 */
export async function retryOnConflict<T>({ dir }: ArchiveStore, write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await write()
    } catch (error) {
      const isOvertaken = dir === undefined && error instanceof QuotebookError && error.code === 'ARCHIVE_CHANGED'
      if (!isOvertaken || tries === patience) throw error
    }
  }
}
