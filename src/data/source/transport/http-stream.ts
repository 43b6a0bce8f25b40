import type { Dispatcher } from 'undici'
import { type HttpHeaders, headerOf, retryAfterOf } from './http-headers.js'
import { type ResponseProgress, silenceError, transportError } from './transport-errors.js'

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

/** A connection that is being made and may be given up. */
export interface Opening {
  destroy(error: Error): unknown
}

interface StreamLimits {
  /** Milliseconds from the sent request to the head of its answer. */
  readonly headers: number
  /** Milliseconds that somebody waits for a chunk of the body. */
  readonly body: number
}

/** Bytes that may wait for a reader before the socket has to. */
const highWaterMark = 2 ** 20
/** A shorter rest is read rather than paid for with a new connection. */
const shortRest = 2 ** 16

/** For undici alone: nobody wants the rest. */
function gone(): Error {
  return new Error('not wanted any more')
}

/** One request on its way whose body is read as it comes, as undici's handler. `head` comes or fails once. */
export class HttpStreamHandler implements Dispatcher.DispatchHandler {
  readonly head: Promise<HttpStream>
  readonly #node: string
  readonly #limits: StreamLimits
  readonly #signal: AbortSignal | undefined
  readonly #onOver: () => void
  #queue: Uint8Array[] = []
  #queued = 0
  #status: number | undefined
  #length = Number.NaN
  #received = 0
  /** Nothing more comes. */
  #isOver = false
  /** What comes is thrown away. */
  #isDiscarded = false
  #failure: { readonly reason: unknown } | undefined
  /** Lets a read that waits look again. */
  #wake: () => void = () => {}
  #opening: Opening | undefined
  #controller: Dispatcher.DispatchController | undefined
  #timer: NodeJS.Timeout | undefined
  #resolve: (head: HttpStream) => void = () => {}
  #reject: (reason: unknown) => void = () => {}

  /** @param onOver called once, when nothing more comes */
  constructor(node: string, limits: StreamLimits, signal: AbortSignal | undefined, onOver: () => void) {
    this.#node = node
    this.#limits = limits
    this.#signal = signal
    this.#onOver = onOver
    this.head = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    signal?.addEventListener('abort', this.#stop, { once: true })
  }

  /** The connection that is being made for this request. */
  opens(socket: Opening): void {
    this.#opening = socket
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#opening = undefined
    this.#controller = controller
    if (this.#isOver) controller.abort(gone())
    else this.#watch(this.#limits.headers)
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: HttpHeaders): void {
    if (this.#isOver || status < 200) return
    this.#status = status
    this.#length = Number(headerOf(headers, 'content-length') || Number.NaN)
    this.#watch(this.#limits.body)
    const body: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: () => this.#next(),
        return: async () => {
          this.#discard()
          return { done: true, value: undefined }
        },
      }),
    }
    const retryAfter = retryAfterOf(headers)
    this.#resolve({ status, headers, node: this.#node, retryAfter, body, discard: () => this.#discard() })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#isOver) return
    this.#received += chunk.length
    this.#timer?.refresh()
    if (this.#isDiscarded) return
    this.#queue.push(chunk)
    this.#queued += chunk.length
    this.#wake()
    if (this.#queued < highWaterMark) return
    controller.pause()
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  onResponseEnd(): void {
    if (!this.#isOver) this.#end()
  }

  onResponseError(_: unknown, error: Error): void {
    this.fail(transportError(error, this.#progress()))
  }

  async #next(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#signal?.throwIfAborted()
    while (this.#queue.length === 0 && !this.#isOver && !this.#isDiscarded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const chunk = this.#queue.shift()
    if (chunk) {
      this.#queued -= chunk.length
      if (this.#queued <= highWaterMark / 2) this.#resume()
      return { done: false, value: chunk }
    }
    if (this.#failure) throw this.#failure.reason
    // The connection is free again a moment later: a next request that does not wait for it would open another.
    await new Promise(setImmediate)
    return { done: true, value: undefined }
  }

  /** Resumes a socket that had to wait. */
  #resume(): void {
    if (this.#isOver || !this.#controller?.paused) return
    this.#watch(this.#limits.body)
    this.#controller.resume()
  }

  #discard(): void {
    this.#queue = []
    this.#queued = 0
    if (this.#isOver || this.#isDiscarded) return
    this.#isDiscarded = true
    this.#wake()
    if (this.#length - this.#received <= shortRest) this.#resume()
    else {
      this.#end()
      this.#controller?.abort(gone())
    }
  }

  #progress(): ResponseProgress {
    const sent = this.#controller !== undefined
    return { node: this.#node, sent, status: this.#status, received: this.#received }
  }

  #watch(milliseconds: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.fail(silenceError(this.#progress(), milliseconds)), milliseconds)
  }

  readonly #stop = (): void => this.fail(this.#signal?.reason)

  /** Ends it with an error, if it has not ended. */
  fail(reason: unknown): void {
    if (this.#isOver) return
    this.#failure = { reason }
    this.#end()
    this.#reject(reason)
    this.#opening?.destroy(gone())
    this.#controller?.abort(gone())
  }

  #end(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#stop)
    this.#onOver()
    this.#wake()
  }
}
