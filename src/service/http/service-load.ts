import type { IncomingMessage, ServerResponse } from 'node:http'

/** What the server gives a client at most. Times in milliseconds. */
export const defaultLimits = {
  /** Bytes of a request body. */
  body: 2 ** 20,
  /** Bytes of all headers. */
  headers: 2 ** 14,
  /** Until the headers are there, and until the whole request is. */
  headersTime: 15_000,
  requestTime: 30_000,
  /** A connection on which nothing moves is closed. */
  idleTime: 120_000,
  /** Between the requests of a connection. */
  keepAlive: 65_000,
  /** Requests that are answered at the same time; a further one is answered "busy". */
  concurrentRequests: 256,
  /** Bytes of answers that their readers have not yet taken; beyond, further requests are answered "busy". */
  unsentBytes: 2 ** 28,
  connections: 1024,
  /** What is under way when the service ends may take so long to finish. */
  grace: 15_000,
}

export type ServiceLimits = Readonly<typeof defaultLimits>

/** Smaller answers take little memory however slowly they are read. */
const smallAnswer = 2 ** 16

/** The requests that are being answered, and the large answers that their readers have not taken yet. */
export class ServiceLoad {
  readonly #limits: ServiceLimits
  readonly #unsent = new Map<IncomingMessage['socket'], number>()
  #unsentBytes = 0
  /** Requests that are being answered; those whose body is still arriving are not. */
  requests = 0
  /** Those among them that the share answers, at the pace of their readers: they count against each other alone. */
  shareRequests = 0

  constructor(limits: ServiceLimits) {
    this.#limits = limits
  }

  get isBusy(): boolean {
    const { concurrentRequests, unsentBytes } = this.#limits
    return this.requests - this.shareRequests > concurrentRequests || this.#unsentBytes > unsentBytes
  }

  get isShareBusy(): boolean {
    return this.shareRequests >= this.#limits.concurrentRequests
  }

  /** Waits for the body of a request, which is not being answered meanwhile. */
  async arriving<T>(body: Promise<T>): Promise<T> {
    this.requests--
    try {
      return await body
    } finally {
      this.requests++
    }
  }

  /** Counts an answer of so many bytes until its reader has taken it or is gone. */
  addUnsent({ socket }: IncomingMessage, response: ServerResponse, bytes: number): void {
    if (bytes < smallAnswer || socket.destroyed) return
    if (!this.#unsent.has(socket)) {
      socket.once('close', () => {
        this.#unsentBytes -= this.#unsent.get(socket) ?? 0
        this.#unsent.delete(socket)
      })
    }
    this.#count(socket, bytes)
    response.once('close', () => {
      if (this.#unsent.has(socket)) this.#count(socket, -bytes)
    })
  }

  #count(socket: IncomingMessage['socket'], more: number): void {
    this.#unsent.set(socket, (this.#unsent.get(socket) ?? 0) + more)
    this.#unsentBytes += more
  }
}
