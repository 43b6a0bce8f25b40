import type { BigIntStats } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { messageOf, QuotebookError } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
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

/** What distinguishes a file from another of the same name, as a server would write it. */
function stateOf(stats: BigIntStats): FileState {
  return {
    size: Number(stats.size),
    etag: `"${stats.size.toString(16)}-${stats.mtimeNs.toString(16)}"`,
    modified: new Date(Number(stats.mtimeMs)).toUTCString(),
  }
}

function unreadable(path: string, cause: unknown): QuotebookError {
  return new QuotebookError('FILE', sentence`${path} can not be read: ${messageOf(cause)}`, { cause })
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
    const reasons: Readonly<Record<string, Words>> = {
      ENOENT: sentence`there is no such folder`,
      ENOTDIR: sentence`it is no folder`,
    }
    throw listingError(dir, reasons[(error as NodeJS.ErrnoException).code ?? ''] ?? messageOf(error))
  }
  if (listed.length === 0) throw listingError(dir, sentence`it has no files of the form YYYYMMDD_aucde.parquet`)
  return listed.sort((one, other) => (one.day < other.day ? -1 : 1))
}

/** The state of a regular file; undefined where there is none. */
async function regularState(path: string): Promise<FileState | undefined> {
  try {
    const handle = await openFile(path)
    return await handle
      .stat({ bigint: true })
      .then(stateOf)
      .finally(() => handle.close())
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (error instanceof QuotebookError || code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw unreadable(path, error)
  }
}

/** The bytes of a file from one on, a MiB at a time. @param etag of the state that it must be in, and stay in; any when absent */
async function* bytesOf(
  path: string,
  from: number,
  signal: AbortSignal | undefined,
  etag?: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const handle = await openFile(path).catch((error: unknown) => {
    throw unreadable(path, error)
  })
  const check = async (): Promise<void> => {
    if (etag === undefined || stateOf(await handle.stat({ bigint: true })).etag === etag) return
    throw new SourceError('CUT_OFF', sentence`${path} changed while it was read`, { retryable: true })
  }
  try {
    await check()
    for (let at = from; ; ) {
      signal?.throwIfAborted()
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(2 ** 20), 0, 2 ** 20, at)
      if (bytesRead === 0) break
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
    await check()
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
      const file = join(dir, tickFileName(day))
      const state = dayOfTickFile(tickFileName(day)) === undefined ? undefined : await regularState(file)
      if (!state) throw new DayAbsentError(dir, day)
      const start = etag === state.etag && from <= state.size ? from : 0
      return { from: start, ...state, framed: true, body: bytesOf(file, start, signal, state.etag) }
    },
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
        dir === undefined ? storedBytes(archive, entry, start) : bytesOf(join(dir, entry.file), start, signal)
      return { from: start, size: entry.bytes, etag: own, modified: undefined, body }
    },
  }
}
