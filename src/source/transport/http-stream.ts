import type { Dispatcher } from 'undici'
import type { Opening } from './exchange.js'
import { type HttpHeaders, headerOf, retryAfterOf } from './http-headers.js'
import { type ResponseProgress, silenceError, transportError } from './transport-errors.js'

/** The head of an answer, and its body as it comes. */
export interface HttpStream {
  readonly status: number
  readonly headers: HttpHeaders
  /** As errors name it: scheme, host and port. */
  readonly node: string
  /** Milliseconds, as in `Answer`. */
  readonly retryAfter: number | undefined
  /**
   * Pieces as they come from the socket, uncompressed or not, once. Left early (`break`), it lets go of its connection.
   * Throws what broke it off, after what had come: SourceError CUT_OFF or TIMEOUT; the signal's reason, at once.
   */
  readonly body: AsyncIterable<Uint8Array>
  /** For an answer whose body is not read. */
  discard(): void
}

export interface StreamingLimits {
  /** Milliseconds from the sent request to the head of its answer. */
  readonly headers: number
  /** Milliseconds that somebody waits for a piece of the body. */
  readonly body: number
}

/** Bytes that may wait for a reader before the socket has to. */
const most = 2 ** 20
/** A shorter rest is read rather than paid for with a new connection. */
const shortRest = 2 ** 16

/** For undici alone: nobody wants the rest. */
function gone(): Error {
  return new Error('not wanted any more')
}

type Taken = IteratorResult<Uint8Array, undefined>

interface Waiter {
  resolve(taken: Taken): void
  reject(reason: unknown): void
}

/** One request on its way whose body is read as it comes, as undici's handler. `head` comes or fails once. */
export class Streaming implements Dispatcher.DispatchHandler {
  readonly head: Promise<HttpStream>
  readonly #node: string
  readonly #limits: StreamingLimits
  readonly #signal: AbortSignal | undefined
  readonly #onOver: () => void
  #queue: Uint8Array[] = []
  #queued = 0
  #status: number | undefined
  #length = Number.NaN
  #received = 0
  /** Nothing more comes. */
  #over = false
  /** What comes is thrown away. */
  #left = false
  #failure: { readonly reason: unknown } | undefined
  #waiter: Waiter | undefined
  #opening: Opening | undefined
  #controller: Dispatcher.DispatchController | undefined
  #timer: NodeJS.Timeout | undefined
  #resolve: (head: HttpStream) => void = () => {}
  #reject: (reason: unknown) => void = () => {}

  /** @param onOver called once, when nothing more comes */
  constructor(node: string, limits: StreamingLimits, signal: AbortSignal | undefined, onOver: () => void) {
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

  /** Ends it with an error of the caller's. */
  give(reason: unknown): void {
    this.#fail(() => reason)
  }

  /** The connection that is being made for this request. */
  opens(socket: Opening): void {
    this.#opening = socket
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#opening = undefined
    this.#controller = controller
    if (this.#over) controller.abort(gone())
    else this.#watch(this.#limits.headers)
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: HttpHeaders): void {
    if (this.#over || status < 200) return
    this.#status = status
    this.#length = Number(headerOf(headers, 'content-length') || Number.NaN)
    this.#watch(this.#limits.body)
    const body: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: () => this.#next(),
        return: async () => {
          this.#leave()
          return { done: true, value: undefined }
        },
      }),
    }
    const retryAfter = retryAfterOf(headers)
    this.#resolve({ status, headers, node: this.#node, retryAfter, body, discard: () => this.#leave() })
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Uint8Array): void {
    if (this.#over) return
    this.#received += piece.length
    this.#timer?.refresh()
    if (this.#left) return
    const waiter = this.#waiter
    if (waiter) {
      this.#waiter = undefined
      waiter.resolve({ done: false, value: piece })
      return
    }
    this.#queue.push(piece)
    this.#queued += piece.length
    if (this.#queued < most) return
    controller.pause()
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  onResponseEnd(): void {
    if (this.#over) return
    this.#end()
    // The connection is free again a moment later: a next request that does not wait for it would open another.
    queueMicrotask(() => setImmediate(() => this.#settle()))
  }

  onResponseError(_: unknown, error: Error): void {
    this.#fail(() => transportError(error, this.#progress()))
  }

  #next(): Promise<Taken> {
    if (this.#signal?.aborted) return Promise.reject(this.#signal.reason)
    const piece = this.#queue.shift()
    if (piece) {
      this.#queued -= piece.length
      if (this.#queued <= most / 2) this.#go()
      return Promise.resolve({ done: false, value: piece })
    }
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject }
      if (this.#left || this.#over) setImmediate(() => this.#settle())
    })
  }

  /** Tells whoever waits that nothing more comes. */
  #settle(): void {
    const waiter = this.#waiter
    this.#waiter = undefined
    if (this.#failure) waiter?.reject(this.#failure.reason)
    else waiter?.resolve({ done: true, value: undefined })
  }

  /** Lets a socket go on that had to wait. */
  #go(): void {
    if (this.#over || !this.#controller?.paused) return
    this.#watch(this.#limits.body)
    this.#controller.resume()
  }

  #leave(): void {
    this.#queue = []
    this.#queued = 0
    if (this.#over || this.#left) return
    this.#left = true
    if (this.#length - this.#received <= shortRest) {
      this.#go()
      return
    }
    this.#end()
    this.#settle()
    this.#controller?.abort(gone())
  }

  #progress(): ResponseProgress {
    const sent = this.#controller !== undefined
    return { node: this.#node, sent, status: this.#status, received: this.#received }
  }

  #watch(milliseconds: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#fail(() => silenceError(this.#progress(), milliseconds)), milliseconds)
  }

  readonly #stop = (): void => this.#fail(() => this.#signal?.reason)

  #fail(reason: () => unknown): void {
    if (this.#over) return
    this.#failure = { reason: reason() }
    this.#end()
    this.#reject(this.#failure.reason)
    this.#settle()
    this.#opening?.destroy(gone())
    this.#controller?.abort(gone())
  }

  #end(): void {
    this.#over = true
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#stop)
    this.#onOver()
  }
}
