import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, type Gunzip } from 'node:zlib'
import {
  cutOffError,
  expansionError,
  type ResponseProgress,
  tooLargeError,
  unreadableError,
} from './transport-errors.js'

const chunkSize = 2 ** 18
/** Rows of numbers grow to thirty times their packed size; what grows more is small, or no answer. */
const growth = { times: 200, from: 2 ** 24 }

/** RFC 1950 as HTTP wants it, or the bare RFC 1951 that many servers send. */
function inflaterFor(first: number | undefined) {
  return ((first ?? 0) & 0x0f) === 8 ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize })
}

function decoderOf(encoding: string, first: number | undefined): Omit<Gunzip, 'params'> | undefined {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip({ chunkSize })
  if (encoding === 'br') return createBrotliDecompress({ chunkSize })
  return encoding === 'deflate' ? inflaterFor(first) : undefined
}

function endedEarly(error: Error): boolean {
  return 'code' in error && error.code === 'Z_BUF_ERROR'
}

/**
 * The bytes of a body, whole, of at most `limit` bytes.
 * @throws SourceError CUT_OFF where the compressed stream ends early; ENVELOPE where it is broken, too large or of a kind
 *   that was not asked for; the signal's reason
 */
export function decompress(
  pieces: readonly Uint8Array[],
  encoding: string,
  limit: number,
  progress: ResponseProgress,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const kind = encoding.toLowerCase()
  const [first] = pieces
  if (first === undefined) return Promise.resolve(new Uint8Array())
  if (kind === '' || kind === 'identity') return Promise.resolve(pieces.length === 1 ? first : Buffer.concat(pieces))
  const decoder = decoderOf(kind, first[0])
  if (!decoder) {
    const what = `is compressed by ${JSON.stringify(encoding.slice(0, 40))}, which was not asked for`
    return Promise.reject(unreadableError(progress, what))
  }
  return new Promise((resolve, reject) => {
    const packed = pieces.reduce((sum, piece) => sum + piece.length, 0)
    const most = Math.min(limit, Math.max(growth.from, growth.times * packed))
    const open: Buffer[] = []
    let length = 0
    const stop = (): void => fail(signal.reason)
    const fail = (reason: unknown): void => {
      signal.removeEventListener('abort', stop)
      decoder.destroy()
      reject(reason)
    }
    decoder.on('data', (piece: Buffer) => {
      length += piece.length
      open.push(piece)
      if (length > most) fail(most < limit ? expansionError(progress, growth.times) : tooLargeError(progress, limit))
    })
    decoder.on('error', (error) =>
      fail(
        endedEarly(error)
          ? cutOffError(progress, error)
          : unreadableError(progress, `is broken ${kind}: ${error.message}`, error),
      ),
    )
    decoder.on('end', () => {
      signal.removeEventListener('abort', stop)
      resolve(Buffer.concat(open, length))
    })
    signal.addEventListener('abort', stop, { once: true })
    for (const piece of pieces) decoder.write(piece)
    decoder.end()
  })
}
