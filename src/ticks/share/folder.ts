import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { messageOf, QuotebookError } from '../../contract/error.js'
import { SourceError } from '../../source/error.js'
import { DayAbsentError, listingError } from './error.js'
import { dayOfTickFile, tickFileName } from './names.js'
import type { ListedFile, OpenedFile, OpenFileOptions, TickShare } from './share.js'

const piece = 2 ** 20
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

interface State {
  readonly size: number
  readonly etag: string
  readonly modified: string
}

type Stats = Awaited<ReturnType<FileHandle['stat']>>

/** What tells a file from another of the same name, as a server would write it. */
function stateOf(about: Stats & { readonly size: bigint; readonly mtimeNs: bigint; readonly mtimeMs: bigint }): State {
  return {
    size: Number(about.size),
    etag: `"${about.size.toString(16)}-${about.mtimeNs.toString(16)}"`,
    modified: new Date(Number(about.mtimeMs)).toUTCString(),
  }
}

function reasonOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'there is no such folder'
  return code === 'ENOTDIR' ? 'it is no folder' : messageOf(error)
}

async function list(dir: string, signal?: AbortSignal): Promise<readonly ListedFile[]> {
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
    throw listingError(dir, reasonOf(error))
  }
  if (listed.length === 0) throw listingError(dir, 'it has no files of the form YYYYMMDD_aucde.parquet')
  return listed.sort((one, other) => (one.day < other.day ? -1 : 1))
}

/** A file, open, and its state; undefined where there is none. Whoever gets it closes it. */
async function openPlain(path: string): Promise<{ handle: FileHandle; state: State } | undefined> {
  let handle: FileHandle
  try {
    handle = await open(path, flags)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO'].includes(code)) return undefined
    throw new QuotebookError('FILE', `${path} can not be read: ${messageOf(error)}`, { cause: error })
  }
  const about = await handle.stat({ bigint: true })
  if (about.isFile()) return { handle, state: stateOf(about) }
  await handle.close()
  return undefined
}

function changed(day: string, dir: string): SourceError {
  const message = `the file of ${day} in ${dir} changed while it was read`
  return new SourceError('CUT_OFF', message, { retryable: true })
}

/** The bytes of a file that is still in the state in which it was opened, and stays so. */
async function* bytesOf(
  dir: string,
  day: string,
  from: number,
  state: State,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const found = await openPlain(join(dir, tickFileName(day)))
  if (!found) throw changed(day, dir)
  const { handle } = found
  try {
    if (found.state.etag !== state.etag) throw changed(day, dir)
    for (let position = from; position < state.size; ) {
      signal?.throwIfAborted()
      const buffer = Buffer.allocUnsafe(Math.min(piece, state.size - position))
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
      if (bytesRead === 0) throw changed(day, dir)
      position += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
    if (stateOf(await handle.stat({ bigint: true })).etag !== state.etag) throw changed(day, dir)
  } finally {
    await handle.close()
  }
}

/** The share that is a folder of this machine. Symbolic links, folders in it and other names do not count. */
export function folderShare(path: string): TickShare {
  const dir = resolve(path)
  return {
    name: dir,
    list: (signal) => list(dir, signal),
    async open(day, { from = 0, etag, signal }: OpenFileOptions = {}): Promise<OpenedFile> {
      signal?.throwIfAborted()
      const found = await openPlain(join(dir, tickFileName(day)))
      if (!found || dayOfTickFile(tickFileName(day)) === undefined) {
        await found?.handle.close()
        throw new DayAbsentError(dir, day)
      }
      const { handle, state } = found
      await handle.close()
      const start = etag === state.etag && from <= state.size ? from : 0
      return { from: start, ...state, framed: true, body: bytesOf(dir, day, start, state, signal) }
    },
  }
}
