import type { Readable } from 'node:stream'
import { type HttpHeaders, retryAfterOf } from './http-headers.js'
import type { ResponseProgress } from './transport-errors.js'

/** The head of an answer, and its body as it comes. */
export interface HttpStream {
  readonly status: number
  readonly headers: HttpHeaders
  /** As errors name it: scheme, host and port. */
  readonly node: string
  /** Milliseconds, as in `HttpResponse`. */
  readonly retryAfter: number | undefined
  /**
   * Chunks as they come from the socket, uncompressed or not, once. Left early (`break`), it closes its connection.
   * Throws what broke it off, after what had come: SourceError CUT_OFF or TIMEOUT; the signal's reason, at once.
   */
  readonly body: AsyncIterable<Uint8Array>
  /** For an answer whose body is not read. */
  discard(): void
}

/** A whole answer of a node, whatever its status. */
export interface HttpResponse extends Pick<HttpStream, 'status' | 'headers' | 'node' | 'retryAfter'> {
  /** '' when none. */
  readonly contentType: string
  /** The body, decompressed, whole. */
  readonly bytes: Uint8Array
  /** Bytes of the body as they came. */
  readonly received: number
}

/** A shorter rest is read rather than paid for with a new connection. */
const shortRest = 2 ** 16

/** What is used of an answer of undici, in our words: declarations of ours can not name its types, since it comes as a part of the build. */
interface Answer {
  readonly statusCode: number
  readonly headers: HttpHeaders
  readonly body: Readable & { dump(options: { readonly limit: number }): Promise<void> }
}

/** An answer of undici; `inOurWords` gives what broke its body off. */
export function httpStream(
  node: string,
  { statusCode: status, headers, body }: Answer,
  inOurWords: (error: unknown, progress: ResponseProgress) => unknown,
): HttpStream {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    let received = 0
    try {
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        received += chunk.length
        yield chunk
      }
    } catch (error) {
      // What came before it broke off still waits to be read.
      const rest: Uint8Array | null = body.read()
      if (rest) {
        received += rest.length
        yield rest
      }
      throw inOurWords(error, { node, status, received })
    }
    // The connection is free again a moment later: a next request that does not wait for it would open another.
    await new Promise(setImmediate)
  }
  const discard = (): void => {
    body.dump({ limit: shortRest }).catch(() => {})
  }
  return { status, headers, node, retryAfter: retryAfterOf(headers), body: chunks(), discard }
}
