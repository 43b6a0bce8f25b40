import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib'
import { sentence } from '../../../contract/sentence.js'
import {
  cutOffError,
  expansionError,
  type ResponseProgress,
  tooLargeError,
  unreadableError,
} from './transport-errors.js'

/*
 * undici's `interceptors.decompress` does not take the place of this: it passes on what it does not know instead of
 * refusing it, and has no limit to how many times its size a body may grow.
 */

const chunkSize = 2 ** 18
/** Rows of numbers grow to thirty times their packed size; what grows more is small, or no answer. */
const growth = { times: 200, from: 2 ** 24 }

type Decoder = typeof gunzip

/** `deflate` is RFC 1950 as HTTP wants it, or the bare RFC 1951 that many servers send. */
const decoders: Readonly<Record<string, (first: number) => Decoder>> = {
  gzip: () => gunzip,
  'x-gzip': () => gunzip,
  br: () => brotliDecompress,
  deflate: (first) => ((first & 0x0f) === 8 ? inflate : inflateRaw),
}

function decoded(packed: Uint8Array, decoder: Decoder, options: ZlibOptions): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    decoder(packed, options, (error, bytes) => (error ? reject(error) : resolve(bytes)))
  })
}

/**
 * The bytes of a body, whole, of at most `limit` bytes.
 * @throws SourceError CUT_OFF where the compressed stream ends early; ENVELOPE where it is broken, too large or of a kind
 *   that was not asked for
 */
export async function decompress(
  packed: Uint8Array,
  encoding: string,
  limit: number,
  progress: ResponseProgress,
): Promise<Uint8Array> {
  const kind = encoding.toLowerCase()
  if (packed.length === 0 || kind === '' || kind === 'identity') return packed
  const decoder = Object.hasOwn(decoders, kind) ? decoders[kind] : undefined
  if (!decoder) {
    const what = sentence`is compressed by ${JSON.stringify(encoding.slice(0, 40))}, which was not asked for`
    throw unreadableError(progress, what)
  }
  const most = Math.min(limit, Math.max(growth.from, growth.times * packed.length))
  try {
    return await decoded(packed, decoder(packed[0] as number), { chunkSize, maxOutputLength: most })
  } catch (cause) {
    const error = cause as NodeJS.ErrnoException
    if (error.code === 'ERR_BUFFER_TOO_LARGE') {
      throw most < limit ? expansionError(progress, growth.times) : tooLargeError(progress, limit)
    }
    if (error.code === 'Z_BUF_ERROR') throw cutOffError(progress, error)
    throw unreadableError(progress, sentence`is broken ${kind}: ${error.message}`, error)
  }
}
