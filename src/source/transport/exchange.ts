import type { Dispatcher } from 'undici'
import { type HttpHeaders, headerOf } from './http-headers.js'
import { type ResponseProgress, silenceError, tooLargeError, transportError } from './transport-errors.js'

/** A whole answer as it came, still compressed. */
export interface Reply {
  readonly status: number
  readonly headers: HttpHeaders
  readonly pieces: readonly Uint8Array[]
  readonly received: number
}

export interface ExchangeLimits {
  /** Milliseconds from the sent request to the head of its answer. */
  readonly headers: number
  /** Milliseconds between two pieces of the body. */
  readonly body: number
  /** Bytes of the body. */
  readonly maxBytes: number
}

/** A connection that is being made and may be given up. */
export interface Opening {
  destroy(error: Error): unknown
}

/** For undici alone: the request has failed or was given up before. */
function gone(): Error {
  return new Error('not wanted any more')
}

/**
 * One request on its way, as undici's handler. `reply` comes or fails once; whatever is left over then (a socket that is
 * opening, an answer that was not read to its end) is destroyed.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly reply: Promise<Reply>
  readonly #node: string
  readonly #limits: ExchangeLimits
  readonly #signal: AbortSignal
  readonly #pieces: Uint8Array[] = []
  #headers: HttpHeaders = {}
  #status: number | undefined
  #received = 0
  #over = false
  #opening: Opening | undefined
  #controller: Dispatcher.DispatchController | undefined
  #timer: NodeJS.Timeout | undefined
  #resolve: (reply: Reply) => void = () => {}
  #reject: (reason: unknown) => void = () => {}

  constructor(node: string, limits: ExchangeLimits, signal: AbortSignal) {
    this.#node = node
    this.#limits = limits
    this.#signal = signal
    this.reply = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    signal.addEventListener('abort', this.#stop, { once: true })
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
    this.#headers = headers
    this.#watch(this.#limits.body)
    this.#bound(Number(headerOf(headers, 'content-length')))
  }

  onResponseData(_: Dispatcher.DispatchController, piece: Uint8Array): void {
    if (this.#over) return
    this.#received += piece.length
    this.#pieces.push(piece)
    this.#timer?.refresh()
    this.#bound(this.#received)
  }

  onResponseEnd(): void {
    if (this.#over) return
    this.#end()
    const [status, headers, pieces, received] = [this.#status ?? 0, this.#headers, this.#pieces, this.#received]
    // The connection is free again a moment later: a next request that does not wait for it would open another.
    queueMicrotask(() => setImmediate(this.#resolve, { status, headers, pieces, received }))
  }

  onResponseError(_: unknown, error: Error): void {
    this.#fail(() => transportError(error, this.#progress()))
  }

  #progress(): ResponseProgress {
    const sent = this.#controller !== undefined
    return { node: this.#node, sent, status: this.#status, received: this.#received }
  }

  #watch(milliseconds: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#fail(() => silenceError(this.#progress(), milliseconds)), milliseconds)
  }

  #bound(bytes: number): void {
    if (bytes > this.#limits.maxBytes) this.#fail(() => tooLargeError(this.#progress(), this.#limits.maxBytes))
  }

  readonly #stop = (): void => this.#fail(() => this.#signal.reason)

  #fail(reason: () => unknown): void {
    if (this.#over) return
    this.#end()
    this.#reject(reason())
    this.#opening?.destroy(gone())
    this.#controller?.abort(gone())
  }

  #end(): void {
    this.#over = true
    clearTimeout(this.#timer)
    this.#signal.removeEventListener('abort', this.#stop)
  }
}
