import { join } from 'node:path'
import type { Archive } from '../../archive/archive.js'
import { openFile } from '../../archive/open-file.js'
import { messageOf, QuotebookError } from '../../contract/error.js'
import { DayAbsentError } from '../share/error.js'
import type { OpenedFile, OpenFileOptions, TickShare } from '../share/share.js'

const piece = 2 ** 20

function unreadable(path: string, cause: unknown): QuotebookError {
  return new QuotebookError('FILE', `${path} can not be read: ${messageOf(cause)}`, { cause })
}

async function* bytesOf(path: string, from: number, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const handle = await openFile(path).catch((cause: unknown) => {
    throw unreadable(path, cause)
  })
  try {
    for (let at = from; ; ) {
      signal?.throwIfAborted()
      const buffer = Buffer.allocUnsafe(piece)
      const { bytesRead } = await handle.read(buffer, 0, piece, at).catch((cause: unknown) => {
        throw unreadable(path, cause)
      })
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
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
      const body = bytesOf(join(archive.dir, entry.file), start, signal)
      return { from: start, size: entry.bytes, etag: own, modified: undefined, body }
    },
  }
}
