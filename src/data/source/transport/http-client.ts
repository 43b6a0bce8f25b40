import type { Agent } from 'undici'
import { QuotebookError } from '../../../contract/error.js'
import { describeKind } from '../../../contract/options.js'
import { sentence } from '../../../contract/sentence.js'
import { type HttpResponse, type HttpStream, httpStream } from './http-stream.js'
import { apiTarget, checkNodeAddress, linkTarget } from './node-address.js'
import { deadlineError, type ResponseProgress, transportError } from './transport-errors.js'
import { WholeAnswer } from './whole-answer.js'

export interface PostOptions {
  readonly signal?: AbortSignal | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface StreamOptions extends PostOptions {
  /** Default: GET. */
  readonly method?: 'GET' | 'PROPFIND' | 'POST' | undefined
  readonly body?: string | undefined
}

export interface GetOptions extends StreamOptions {
  /** Bytes of the body; those of `HttpOptions` when absent, and never more. */
  readonly maxBytes?: number | undefined
}

/** What is sent. */
interface HttpRequest {
  /** As errors name it. */
  readonly node: string
  readonly origin: string
  readonly path: string
  readonly method: 'POST' | 'GET' | 'PROPFIND'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal | undefined
}

export interface HttpOptions {
  readonly deadlines?: Partial<Deadlines> | undefined
  /** Bytes of a decompressed body; 256 MiB. */
  readonly maxBytes?: number | undefined
  /** Connections to one node at once; as many as there are requests. */
  readonly connections?: number | undefined
}

function closedError(): QuotebookError {
  return new QuotebookError('USAGE', sentence`the HTTP source was closed`)
}

/** A request to a link, whose body is taken as it comes. */
function linkRequest(address: string, { method = 'GET', headers, body, signal }: StreamOptions): HttpRequest {
  const { origin, path } = linkTarget(address)
  const sent = body === undefined ? {} : { body }
  return { node: origin, origin, path, method, headers: { 'accept-encoding': 'identity', ...headers }, ...sent, signal }
}

/** A connection that is being made and may be given up. */
interface Opening {
  destroy(error: Error): unknown
}

/** Bytes that may wait for a reader before the socket has to. */
const highWaterMark = 2 ** 20

/**
 * POST of a JSON body to `{node}/api` for one whole answer, on connections that are kept. Nothing is repeated and no
 * redirect is followed. An idle connection does not keep the process alive.
 */
export class HttpClient {
  readonly #deadlines: Deadlines
  readonly #maxBytes: number
  readonly #connections: number | undefined
  readonly #openings = new Set<Opening>()
  /** Errors of connections that were never made. */
  readonly #unconnected = new WeakSet<Error>()
  /** Callers that wait for an answer. */
  #waiting = 0
  #agent: Promise<Agent> | undefined
  /** A body that is read slowly holds its connection: whole answers do not wait for one of these. */
  #streamAgent: Promise<Agent> | undefined
  #isClosed = false

  constructor(options: HttpOptions = {}) {
    this.#deadlines = checkDeadlines(options.deadlines)
    this.#maxBytes = options.maxBytes ?? 2 ** 28
    this.#connections = options.connections
  }

  /**
   * @param node base address, without `/api`
   * @throws SourceError UNREACHABLE, CUT_OFF, TIMEOUT or ENVELOPE; the signal's reason, at once
   */
  async post(node: string, body: string, { signal, headers: more }: PostOptions = {}): Promise<HttpResponse> {
    const { origin, path, isLocal } = apiTarget(checkNodeAddress(node))
    const accept = isLocal ? 'identity' : 'gzip, br'
    const headers = { 'content-type': 'application/json', 'accept-encoding': accept, ...more }
    return this.#exchange({ node, origin, path, method: 'POST', headers, body, signal }, this.#maxBytes)
  }

  /**
   * One whole answer of any address. Errors name its host alone: a path may be as good as a password.
   * @throws as `post` does
   */
  async get(address: string, { maxBytes = this.#maxBytes, ...options }: GetOptions = {}): Promise<HttpResponse> {
    return this.#exchange(linkRequest(address, options), Math.min(maxBytes, this.#maxBytes))
  }

  /**
   * The answer of any address, its body as it comes, whatever its size. The deadline of a call does not count.
   * @throws as `post` does
   */
  async open(address: string, options: StreamOptions = {}): Promise<HttpStream> {
    this.#streamAgent ??= this.#makeAgent(undefined)
    return this.#unlessAborted(this.#stream(this.#streamAgent, linkRequest(address, options)), options.signal)
  }

  /** Ends all connections; what is still asked for fails. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopConnecting()
    await (await this.#agent)?.destroy(closedError())
    await (await this.#streamAgent)?.destroy(closedError())
  }

  /** A whole answer before the deadline of a call. */
  async #exchange(request: HttpRequest, maxBytes: number): Promise<HttpResponse> {
    const { node, signal, ...sent } = request
    const { call, headers: headersTimeout, body: bodyTimeout } = this.#deadlines
    this.#agent ??= this.#makeAgent(this.#connections)
    const agent = await this.#openAgent(this.#agent, signal)
    const answer = new WholeAnswer(node, maxBytes, (error, progress) => this.#inOurWords(error, progress))
    const leave = (): void => answer.stop(signal?.reason)
    const timer = setTimeout(() => answer.stop(deadlineError(node, call)), call)
    signal?.addEventListener('abort', leave, { once: true })
    try {
      signal?.throwIfAborted()
      agent.dispatch({ ...sent, headersTimeout, bodyTimeout }, answer)
      return await this.#awaited(answer.whole)
    } finally {
      signal?.removeEventListener('abort', leave)
      clearTimeout(timer)
    }
  }

  /** What a promise gives, or the signal's reason at once. */
  #unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const end = new Promise<T>((resolve, reject) => {
      const leave = (): void => reject(signal?.reason)
      signal?.addEventListener('abort', leave, { once: true })
      promise.then(resolve, reject).then(() => signal?.removeEventListener('abort', leave))
    })
    return this.#awaited(end)
  }

  /** What a promise gives. When the last that was waited for ends, connections that are still being made are given up. */
  async #awaited<T>(promise: Promise<T>): Promise<T> {
    this.#waiting += 1
    try {
      return await promise
    } finally {
      this.#waiting -= 1
      if (this.#waiting === 0) this.#stopConnecting()
    }
  }

  /** Gives up the connections that are being made: nobody waits for them. */
  #stopConnecting(): void {
    for (const socket of this.#openings) socket.destroy(closedError())
  }

  #inOurWords(error: unknown, progress: ResponseProgress): unknown {
    if (this.#isClosed || !(error instanceof Error)) return closedError()
    return transportError(error, progress, this.#deadlines, !this.#unconnected.has(error))
  }

  async #openAgent(making: Promise<Agent>, signal: AbortSignal | undefined): Promise<Agent> {
    const agent = await making
    signal?.throwIfAborted()
    if (this.#isClosed) throw closedError()
    return agent
  }

  async #stream(making: Promise<Agent>, request: HttpRequest): Promise<HttpStream> {
    const { node, signal, ...sent } = request
    const { headers: headersTimeout, body: bodyTimeout } = this.#deadlines
    const inOurWords = (error: unknown, progress: ResponseProgress): unknown =>
      signal?.aborted ? signal.reason : this.#inOurWords(error, progress)
    const agent = await this.#openAgent(making, signal)
    try {
      const answer = await agent.request({ ...sent, signal, headersTimeout, bodyTimeout, highWaterMark })
      return httpStream(node, answer, inOurWords)
    } catch (error) {
      throw inOurWords(error, { node, status: undefined, received: 0 })
    }
  }

  async #makeAgent(connections: number | undefined): Promise<Agent> {
    const { Agent, buildConnector } = await import('#undici')
    const connector = buildConnector({ allowH2: false, timeout: this.#deadlines.connect })
    return new Agent({
      allowH2: false,
      ...(connections === undefined ? {} : { connections }),
      connect: (options, callback) => {
        const socket = connector(options, (...result) => {
          this.#openings.delete(socket)
          if (result[0]) this.#unconnected.add(result[0])
          callback(...result)
        }) as unknown as Opening
        this.#openings.add(socket)
      },
    })
  }
}

/** Milliseconds that a phase may take. */
export interface Deadlines {
  /** To make a connection, with TLS. */
  readonly connect: number
  /** From the sent request to the head of its answer. */
  readonly headers: number
  /** Between two chunks of the body. */
  readonly body: number
  /** For all of it. */
  readonly call: number
}

export const defaultDeadlines: Deadlines = { connect: 10_000, headers: 30_000, body: 30_000, call: 120_000 }

/** 24 days: a timer that is set for longer rings at once. */
const longestTimer = 2 ** 31 - 1

/**
 * Deadlines with the defaults for those not given; Infinity is as long as a timer can be.
 * @throws QuotebookError USAGE for what is not a time
 */
function checkDeadlines(given: Partial<Deadlines> = {}): Deadlines {
  const checked: Record<keyof Deadlines, number> = { ...defaultDeadlines }
  for (const name of Object.keys(defaultDeadlines) as (keyof Deadlines)[]) {
    const value = given[name] ?? defaultDeadlines[name]
    if (!(value > 0))
      throw new QuotebookError('USAGE', sentence`deadlines: ${name} can not be ${describeKind(value)} milliseconds`)
    checked[name] = Math.min(value, longestTimer)
  }
  return checked
}
