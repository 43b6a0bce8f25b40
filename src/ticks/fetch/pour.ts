import type { FileHandle } from 'node:fs/promises'
import { QuotebookError } from '../../contract/error.js'
import type { StagedFile } from './stage.js'

/** Bytes gathered for one write. */
const most = 2 ** 20

async function writeAll(handle: FileHandle, pieces: readonly Uint8Array[], at: number): Promise<void> {
  const size = pieces.reduce((sum, { length }) => sum + length, 0)
  const { bytesWritten } = await handle.writev(pieces, at)
  if (bytesWritten === size) return
  const rest = Buffer.concat(pieces).subarray(bytesWritten)
  for (let done = 0; done < rest.length; ) {
    done += (await handle.write(rest, done, rest.length - done, at + bytesWritten + done)).bytesWritten
  }
}

/**
 * Writes what comes behind what is there, and has it hashed. When it breaks off, all that came before is there.
 * @param size of the whole file; undefined where nobody knows
 * @param onBytes called with the bytes of each piece
 * @throws QuotebookError FILE when more comes than there may be; what broke off the body; the system's error of the disk
 */
export async function writeStream(
  body: AsyncIterable<Uint8Array>,
  into: StagedFile,
  size: number | undefined,
  onBytes: (count: number) => void,
): Promise<void> {
  let pieces: Uint8Array[] = []
  let gathered = 0
  let written = into.length
  let writing: Promise<void> = Promise.resolve()
  const flush = async (): Promise<void> => {
    await writing
    const [batch, at] = [pieces, written]
    written += gathered
    pieces = []
    gathered = 0
    const end = written
    writing = writeAll(into.handle, batch, at).then(() => into.hash.upTo(end))
    // It is awaited with the next one, or at the end.
    writing.catch(() => undefined)
  }
  try {
    for await (const piece of body) {
      if (size !== undefined && into.length + piece.length > size) {
        throw new QuotebookError('FILE', `more than the ${size} bytes that were told`)
      }
      into.length += piece.length
      pieces.push(piece)
      gathered += piece.length
      onBytes(piece.length)
      if (gathered >= most) await flush()
    }
  } finally {
    if (gathered > 0) await flush()
    await writing
  }
}
