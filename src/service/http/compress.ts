import { brotliCompress, constants, gzip } from 'node:zlib'
import Negotiator from 'negotiator'

/** Below, a compressed answer saves no packet. */
export const smallest = 1400
const quick = { [constants.BROTLI_PARAM_QUALITY]: 1 }

export type Encoding = 'br' | 'gzip'

/** The types of the package lack the order among equals. */
interface Encodings {
  encodings(available: string[], options: { readonly preferred: readonly string[] }): string[]
}

/** How an answer may be compressed, by the request's Accept-Encoding; undefined when it is sent as it is. */
export function encodingFor(accept: string | undefined, bytes: number): Encoding | undefined {
  if (accept === undefined || bytes < smallest) return undefined
  const negotiator: Encodings = new Negotiator({ headers: { 'accept-encoding': accept } })
  const [first] = negotiator.encodings(['br', 'gzip', 'identity'], { preferred: ['br', 'gzip'] })
  return first === 'br' || first === 'gzip' ? first : undefined
}

/** Rows compress well at the fastest settings; more effort costs ten times the time for a tenth of the bytes. */
export function compressed(body: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, bytes: Uint8Array): void => (error ? reject(error) : resolve(bytes))
    if (encoding === 'gzip') gzip(body, { level: 1 }, done)
    else brotliCompress(body, { params: quick }, done)
  })
}
