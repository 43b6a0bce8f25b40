import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, type Gunzip } from 'node:zlib'
import {
  cutOffError,
  expansionError,
  type ResponseProgress,
  tooLargeError,
  unreadableError,
} from './transport-errors.js'

/*
 * undici's `interceptors.decompress` does not take the place of this: it reads no bare deflate, passes on what it does not
 * know instead of refusing it, and has no limit to how many times its size a body may grow.
 */

const chunkSize = 2 ** 18
/** Rows of numbers grow to thirty times their packed size; what grows more is small, or no answer. */
const growth = { times: 200, from: 2 ** 24 }

/** `deflate` is RFC 1950 as HTTP wants it, or the bare RFC 1951 that many servers send. */
function decoderOf(encoding: string, first = 0): Omit<Gunzip, 'params'> | undefined {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip({ chunkSize })
  if (encoding === 'br') return createBrotliDecompress({ chunkSize })
  if (encoding !== 'deflate') return undefined
  return (first & 0x0f) === 8 ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize })
}

/**
 * The bytes of a body, whole, of at most `limit` bytes.
 * @throws SourceError CUT_OFF where the compressed stream ends early; ENVELOPE where it is broken, too large or of a kind
 *   that was not asked for; the signal's reason
 */
export async function decompress(
  packed: Uint8Array,
  encoding: string,
  limit: number,
  progress: ResponseProgress,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const kind = encoding.toLowerCase()
  if (packed.length === 0 || kind === '' || kind === 'identity') return packed
  const decoder = decoderOf(kind, packed[0])
  if (!decoder) {
    const what = `is compressed by ${JSON.stringify(encoding.slice(0, 40))}, which was not asked for`
    throw unreadableError(progress, what)
  }
  const most = Math.min(limit, Math.max(growth.from, growth.times * packed.length))
  const chunks: Buffer[] = []
  let length = 0
  const stop = (): void => void decoder.destroy(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  decoder.end(packed)
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      length += chunk.length
      chunks.push(chunk)
      if (length > most) throw most < limit ? expansionError(progress, growth.times) : tooLargeError(progress, limit)
    }
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof Error) || !('errno' in error)) throw error
    const isCut = 'code' in error && error.code === 'Z_BUF_ERROR'
    throw isCut ? cutOffError(progress, error) : unreadableError(progress, `is broken ${kind}: ${error.message}`, error)
  } finally {
    signal?.removeEventListener('abort', stop)
  }
  signal?.throwIfAborted()
  return Buffer.concat(chunks, length)
}
