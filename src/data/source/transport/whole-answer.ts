import { worded } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { checkJson } from '../../../frame/table/check-json.js'
import { decompress } from './decompress.js'
import { type HttpHeaders, headerOf, retryAfterOf, tellsLength } from './http-headers.js'
import type { HttpResponse } from './http-stream.js'
import { cutOffError, type ResponseProgress, tooLargeError } from './transport-errors.js'

/** Whether JSON closes all that it opens; what can not be looked through is for the reader to refuse. */
function isClosed(bytes: Uint8Array): boolean {
  try {
    return checkJson(bytes)
  } catch {
    return true
  }
}

/** A body that ends with its connection, by a reset even: what looks like JSON is whole if it is closed. */
function checkEnded(headers: HttpHeaders, bytes: Uint8Array, progress: ResponseProgress): void {
  if (tellsLength(headers) || progress.status !== 200) return
  const first = bytes.find((byte) => byte > 0x20)
  if (first !== undefined && first !== 0x7b) return
  if (!isClosed(bytes)) throw cutOffError(progress, worded(Error, sentence`the connection ended before its JSON did`))
}

/** What is used of a request of undici, in our words, as in `http-stream.ts`. */
interface Controller {
  abort(reason: Error): void
}

/** One request whose body is collected, as undici's handler: a stream of a small reply costs more than the reply. */
export class WholeAnswer {
  /** Fails with what `inOurWords` makes of an error of undici, or with the reason of `stop`. */
  readonly whole: Promise<HttpResponse>
  readonly #node: string
  readonly #maxBytes: number
  readonly #chunks: Uint8Array[] = []
  #settle!: { readonly resolve: (answer: Promise<HttpResponse>) => void; readonly reject: (reason: unknown) => void }
  #inOurWords: (error: unknown, progress: ResponseProgress) => unknown
  #controller: Controller | undefined
  #stopped: { readonly reason: unknown } | undefined
  #status: number | undefined
  #headers: HttpHeaders = {}
  #received = 0

  constructor(node: string, maxBytes: number, inOurWords: (error: unknown, progress: ResponseProgress) => unknown) {
    this.#node = node
    this.#maxBytes = maxBytes
    this.#inOurWords = inOurWords
    this.whole = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
  }

  /** Nobody waits any more: `whole` fails at once, and the connection is given up. */
  stop(reason: unknown): void {
    this.#stopped ??= { reason }
    this.#settle.reject(reason)
    this.#controller?.abort(reason as Error)
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller
    if (this.#stopped) controller.abort(this.#stopped.reason as Error)
  }

  onResponseStart(_controller: Controller, status: number, headers: HttpHeaders): void {
    if (status < 200) return
    this.#status = status
    this.#headers = headers
    this.#limit(Number(headerOf(headers, 'content-length')))
  }

  onResponseData(_controller: Controller, chunk: Uint8Array): void {
    this.#received += chunk.length
    this.#chunks.push(chunk)
    this.#limit(this.#received)
  }

  onResponseEnd(): void {
    this.#settle.resolve(this.#answer())
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.#settle.reject(this.#inOurWords(error, this.#progress))
  }

  get #progress(): ResponseProgress {
    return { node: this.#node, status: this.#status, received: this.#received }
  }

  #limit(bytes: number): void {
    if (bytes > this.#maxBytes) this.stop(tooLargeError(this.#progress, this.#maxBytes))
  }

  async #answer(): Promise<HttpResponse> {
    const [headers, chunks, progress] = [this.#headers, this.#chunks, this.#progress]
    // undici sets its connection free one turn after this call is back: a next request before that would open another.
    await Promise.resolve()
    await new Promise(setImmediate)
    const packed = chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks)
    const bytes = await decompress(packed, headerOf(headers, 'content-encoding'), this.#maxBytes, progress)
    checkEnded(headers, bytes, progress)
    const { node, received } = progress
    const contentType = headerOf(headers, 'content-type')
    return {
      status: this.#status as number,
      contentType,
      retryAfter: retryAfterOf(headers),
      bytes,
      received,
      node,
      headers,
    }
  }
}
