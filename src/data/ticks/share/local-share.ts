import { type FileHandle, lstat, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { messageOf, QuotebookError } from '../../../contract/error.js'
import type { Archive } from '../../archive/archive.js'
import { openFile } from '../../archive/file-access.js'
import type { TickEntry } from '../../archive/manifest-entries.js'
import { SourceError } from '../../source/source-error.js'
import {
  DayAbsentError,
  dayOfTickFile,
  type ListedFile,
  listingError,
  type OpenedFile,
  type OpenFileOptions,
  type TickShare,
  tickFileName,
} from './file-share.js'

interface FileState {
  readonly size: number
  readonly etag: string
  readonly modified: string
}

type Stats = Awaited<ReturnType<FileHandle['stat']>>

/** What distinguishes a file from another of the same name, as a server would write it. */
function stateOf(
  stats: Stats & { readonly size: bigint; readonly mtimeNs: bigint; readonly mtimeMs: bigint },
): FileState {
  return {
    size: Number(stats.size),
    etag: `"${stats.size.toString(16)}-${stats.mtimeNs.toString(16)}"`,
    modified: new Date(Number(stats.mtimeMs)).toUTCString(),
  }
}

function unreadable(path: string, cause: unknown): QuotebookError {
  return new QuotebookError('FILE', `${path} can not be read: ${messageOf(cause)}`, { cause })
}

/** Bytes of an open file, a MiB at a time, from an offset up to another or the end of the file. */
async function* readFrom(
  handle: FileHandle,
  from: number,
  to: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = from; at < to; ) {
    signal?.throwIfAborted()
    const buffer = Buffer.allocUnsafe(Math.min(2 ** 20, to - at))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

async function listFolder(dir: string, signal?: AbortSignal): Promise<readonly ListedFile[]> {
  signal?.throwIfAborted()
  const listed: ListedFile[] = []
  try {
    for (const entry of await readdir(dir, { withFileTypes: true })) {
      const day = entry.isFile() ? dayOfTickFile(entry.name) : undefined
      if (day === undefined) continue
      signal?.throwIfAborted()
      listed.push({ day, ...stateOf(await lstat(join(dir, entry.name), { bigint: true })) })
    }
  } catch (error) {
    signal?.throwIfAborted()
    const reasons: Readonly<Record<string, string>> = { ENOENT: 'there is no such folder', ENOTDIR: 'it is no folder' }
    throw listingError(dir, reasons[(error as NodeJS.ErrnoException).code ?? ''] ?? messageOf(error))
  }
  if (listed.length === 0) throw listingError(dir, 'it has no files of the form YYYYMMDD_aucde.parquet')
  return listed.sort((one, other) => (one.day < other.day ? -1 : 1))
}

/** A regular file, open, and its state; undefined where there is none. Whoever gets it closes it. */
async function openRegular(path: string): Promise<{ handle: FileHandle; state: FileState } | undefined> {
  let handle: FileHandle
  try {
    handle = await openFile(path)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (error instanceof QuotebookError || code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw unreadable(path, error)
  }
  return { handle, state: stateOf(await handle.stat({ bigint: true })) }
}

/** The bytes of a file that is still in the state in which it was opened, and stays so. */
async function* unchangedBytes(
  dir: string,
  day: string,
  from: number,
  { size, etag }: FileState,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const changed = new SourceError('CUT_OFF', `the file of ${day} in ${dir} changed while it was read`, {
    retryable: true,
  })
  const opened = await openRegular(join(dir, tickFileName(day)))
  if (!opened) throw changed
  const { handle, state } = opened
  try {
    if (state.etag !== etag) throw changed
    yield* readFrom(handle, from, size, signal)
    if (stateOf(await handle.stat({ bigint: true })).etag !== etag) throw changed
  } finally {
    await handle.close()
  }
}

/** The share that is a folder of this machine. Symbolic links, folders in it and other names do not count. */
export function folderShare(path: string): TickShare {
  const dir = resolve(path)
  return {
    name: dir,
    list: (signal) => listFolder(dir, signal),
    async open(day, { from = 0, etag, signal }: OpenFileOptions = {}): Promise<OpenedFile> {
      signal?.throwIfAborted()
      const name = tickFileName(day)
      const opened = dayOfTickFile(name) === undefined ? undefined : await openRegular(join(dir, name))
      if (!opened) throw new DayAbsentError(dir, day)
      const { handle, state } = opened
      await handle.close()
      const start = etag === state.etag && from <= state.size ? from : 0
      return { from: start, ...state, framed: true, body: unchangedBytes(dir, day, start, state, signal) }
    },
  }
}

async function* archivedBytes(path: string, from: number, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const fail = (cause: unknown): never => {
    throw unreadable(path, cause)
  }
  const handle = await openFile(path).catch(fail)
  try {
    yield* readFrom(handle, from, Number.POSITIVE_INFINITY, signal)
  } catch (error) {
    signal?.throwIfAborted()
    fail(error)
  } finally {
    await handle.close()
  }
}

async function* storedBytes(archive: Archive, { file, sha256 }: TickEntry, from: number): AsyncGenerator<Uint8Array> {
  yield (await archive.bytes(file, sha256)).subarray(from)
}

/** The tick files of an archive as a share: those that its manifest names, with their checksums as entity tags. */
export function archiveShare(archive: Archive): TickShare {
  return {
    name: archive.name,
    async list() {
      const { ticks } = await archive.manifest()
      return ticks.map(({ day, bytes, sha256 }) => ({ day, size: bytes, etag: `"${sha256}"` }))
    },
    async open(day: string, { from = 0, etag, signal }: OpenFileOptions = {}): Promise<OpenedFile> {
      const entry = (await archive.manifest()).ticks.find((tick) => tick.day === day)
      if (!entry) throw new DayAbsentError(archive.name, day)
      const own = `"${entry.sha256}"`
      const start = etag === own && from <= entry.bytes ? from : 0
      const { dir } = archive.store
      const body =
        dir === undefined ? storedBytes(archive, entry, start) : archivedBytes(join(dir, entry.file), start, signal)
      return { from: start, size: entry.bytes, etag: own, modified: undefined, body }
    },
  }
}
