import type { Agent, buildConnector, Dispatcher } from 'undici'
import { QuotebookError } from '../../contract/error.js'
import { checkJson } from '../../table/scan/check-json.js'
import { describeNumber } from '../check-options.js'
import type { SourceError } from '../source-error.js'
import { decompress } from './decompress.js'
import { Exchange, type Opening, type Reply } from './exchange.js'
import { type HttpHeaders, headerOf, retryAfterOf, tellsLength } from './http-headers.js'
import { type HttpStream, Streaming } from './http-stream.js'
import { type ApiTarget, apiTarget, checkNodeAddress, linkTarget } from './node-address.js'
import { cutOffError, deadlineError, type ResponseProgress, seconds } from './transport-errors.js'

/** A whole answer of a node, whatever its status. */
export interface HttpResponse {
  readonly status: number
  /** '' when none. */
  readonly contentType: string
  /** Milliseconds, from Retry-After in seconds or as an HTTP date against the answer's own Date header. */
  readonly retryAfter: number | undefined
  /** The body, decompressed, whole. */
  readonly bytes: Uint8Array
  /** Bytes of the body as they came. */
  readonly received: number
  readonly node: string
  readonly headers: HttpHeaders
}

export interface PostOptions {
  readonly signal?: AbortSignal | undefined
}

export interface StreamOptions extends PostOptions {
  /** GET when absent. */
  readonly method?: 'GET' | 'PROPFIND' | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface GetOptions extends StreamOptions {
  /** Bytes of the body; those of `HttpOptions` when absent, and never more. */
  readonly maxBytes?: number | undefined
}

/** What is sent, and how much may come back. */
interface Sending {
  /** As errors name it. */
  readonly node: string
  readonly origin: string
  readonly path: string
  readonly method: 'POST' | 'GET' | 'PROPFIND'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly maxBytes: number
}

export interface HttpOptions {
  readonly deadlines?: Partial<Deadlines> | undefined
  /** Bytes of a decompressed body; 256 MiB. */
  readonly maxBytes?: number | undefined
  /** Connections to one node at once; as many as there are requests. */
  readonly connections?: number | undefined
}

function closed(): QuotebookError {
  return new QuotebookError('USAGE', 'the HTTP source was closed')
}

/** The promise's end, or the signal's reason as soon as it is aborted. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** Whether JSON closes all that it opens; what can not be looked through is for the reader to refuse. */
function isClosed(bytes: Uint8Array): boolean {
  try {
    return checkJson(bytes)
  } catch {
    return true
  }
}

/** A body that ends with its connection, by a reset even: what looks like JSON is whole if it is closed. */
function brokenOff(reply: Reply, bytes: Uint8Array, progress: ResponseProgress): SourceError | undefined {
  if (tellsLength(reply.headers) || reply.status !== 200) return undefined
  const first = bytes.find((byte) => byte > 0x20)
  if (first !== undefined && first !== 0x7b) return undefined
  return isClosed(bytes) ? undefined : cutOffError(progress, new Error('the connection ended before its JSON did'))
}

/**
 * POST of a JSON body to `{node}/api` for one whole answer, on connections that are kept. Nothing is repeated and no
 * redirect is followed. An idle connection does not keep the process alive.
 */
export class HttpClient {
  readonly #deadlines: Deadlines
  readonly #maxBytes: number
  readonly #connections: number | undefined
  readonly #targets = new Map<string, ApiTarget>()
  readonly #running = new Set<AbortController>()
  readonly #openings = new Set<Opening>()
  readonly #streams = new Set<Streaming>()
  #agent: Promise<Agent> | undefined
  /** A body that is read slowly holds its connection: whole answers do not wait for one of these. */
  #streamAgent: Promise<Agent> | undefined
  #closed = false
  #dispatching: { opens(socket: Opening): void } | undefined

  constructor(options: HttpOptions = {}) {
    this.#deadlines = checkDeadlines(options.deadlines)
    this.#maxBytes = options.maxBytes ?? 2 ** 28
    this.#connections = options.connections
  }

  /**
   * @param node base address, without `/api`
   * @throws SourceError UNREACHABLE, CUT_OFF, TIMEOUT or ENVELOPE; the signal's reason, at once
   */
  async post(node: string, body: string, { signal }: PostOptions = {}): Promise<HttpResponse> {
    signal?.throwIfAborted()
    const { origin, path, isLocal } = this.#target(node)
    const headers = { 'content-type': 'application/json', 'accept-encoding': isLocal ? 'identity' : 'gzip, br' }
    return this.#call({ node, origin, path, method: 'POST', headers, body, maxBytes: this.#maxBytes }, signal)
  }

  /**
   * One whole answer of any address. Errors name its host alone: a path may be as good as a password.
   * @throws as `post` does
   */
  async get(address: string, { method = 'GET', headers, maxBytes, signal }: GetOptions = {}): Promise<HttpResponse> {
    signal?.throwIfAborted()
    const { origin, path } = linkTarget(address)
    const most = Math.min(maxBytes ?? this.#maxBytes, this.#maxBytes)
    const all = { 'accept-encoding': 'identity', ...headers }
    return this.#call({ node: origin, origin, path, method, headers: all, maxBytes: most }, signal)
  }

  /**
   * The answer of any address, its body as it comes, whatever its size. The deadline of a call does not count.
   * @throws as `post` does
   */
  async open(address: string, { method = 'GET', headers, signal }: StreamOptions = {}): Promise<HttpStream> {
    signal?.throwIfAborted()
    if (this.#closed) throw closed()
    const { origin, path } = linkTarget(address)
    this.#streamAgent ??= this.#makeAgent(undefined)
    const agent = await this.#streamAgent
    signal?.throwIfAborted()
    if (this.#closed) throw closed()
    const streaming = new Streaming(origin, this.#deadlines, signal, () => this.#streams.delete(streaming))
    this.#streams.add(streaming)
    this.#dispatching = streaming
    agent.dispatch({ origin, path, method, headers: { 'accept-encoding': 'identity', ...headers } }, streaming)
    this.#dispatching = undefined
    return streaming.head
  }

  async #call(sending: Sending, signal: AbortSignal | undefined): Promise<HttpResponse> {
    const { node } = sending
    if (this.#closed) throw closed()
    const stop = new AbortController()
    const passOn = (): void => stop.abort(signal?.reason)
    const timer = setTimeout(() => stop.abort(deadlineError(node, this.#deadlines.call)), this.#deadlines.call)
    signal?.addEventListener('abort', passOn, { once: true })
    this.#running.add(stop)
    try {
      return await this.#answer(sending, stop.signal)
    } finally {
      this.#running.delete(stop)
      signal?.removeEventListener('abort', passOn)
      clearTimeout(timer)
    }
  }

  /** Ends all connections; what is still asked for fails. */
  async close(): Promise<void> {
    this.#closed = true
    for (const stop of this.#running) stop.abort(closed())
    for (const streaming of this.#streams) streaming.give(closed())
    for (const socket of this.#openings) socket.destroy(closed())
    await (await this.#agent)?.destroy()
    await (await this.#streamAgent)?.destroy()
  }

  async #answer(sending: Sending, signal: AbortSignal): Promise<HttpResponse> {
    const { node, maxBytes } = sending
    this.#agent ??= this.#makeAgent(this.#connections)
    const agent = await unlessAborted(this.#agent, signal)
    signal.throwIfAborted()
    const reply = await this.#send(agent, sending, signal)
    signal.throwIfAborted()
    const { status, headers, received } = reply
    const progress: ResponseProgress = { node, sent: true, status, received }
    const encoding = headerOf(headers, 'content-encoding')
    const bytes = await decompress(reply.pieces, encoding, maxBytes, progress, signal)
    const failure = brokenOff(reply, bytes, progress)
    if (failure) throw failure
    const contentType = headerOf(headers, 'content-type')
    return { status, contentType, retryAfter: retryAfterOf(headers), bytes, received, node, headers }
  }

  #target(node: string): ApiTarget {
    const known = this.#targets.get(node)
    if (known) return known
    const target = apiTarget(checkNodeAddress(node))
    this.#targets.set(node, target)
    return target
  }

  #send(agent: Agent, sending: Sending, signal: AbortSignal): Promise<Reply> {
    const { node, origin, path, method, headers, body, maxBytes } = sending
    const { headers: head, body: pieces } = this.#deadlines
    const exchange = new Exchange(node, { headers: head, body: pieces, maxBytes }, signal)
    const request: Dispatcher.DispatchOptions = {
      origin,
      path,
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    }
    this.#dispatching = exchange
    agent.dispatch(request, exchange)
    this.#dispatching = undefined
    return exchange.reply
  }

  async #makeAgent(connections: number | undefined): Promise<Agent> {
    const { Agent, buildConnector } = await import('undici')
    const connector = buildConnector({ allowH2: false, timeout: 0 })
    return new Agent({
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      ...(connections === undefined ? {} : { connections }),
      connect: (options, callback) => this.#connect(connector, options, callback),
    })
  }

  /** A connection within its deadline. It belongs to the request that is being dispatched, which may give it up. */
  #connect(
    connector: buildConnector.connector,
    options: buildConnector.Options,
    callback: buildConnector.Callback,
  ): void {
    const { connect } = this.#deadlines
    const done: buildConnector.Callback = (...result) => {
      clearTimeout(timer)
      this.#openings.delete(socket)
      callback(...result)
    }
    const socket = connector(options, done) as unknown as Opening
    const timer = setTimeout(() => socket.destroy(new Error(`not within ${seconds(connect)}`)), connect)
    this.#openings.add(socket)
    this.#dispatching?.opens(socket)
  }
}

/** Milliseconds that a phase may take. */
export interface Deadlines {
  /** To make a connection, with TLS. */
  readonly connect: number
  /** From the sent request to the head of its answer. */
  readonly headers: number
  /** Between two pieces of the body. */
  readonly body: number
  /** For all of it. */
  readonly call: number
}

export const defaultDeadlines: Deadlines = { connect: 10_000, headers: 30_000, body: 30_000, call: 120_000 }

/** 24 days: a timer that is set for longer rings at once. */
const longest = 2 ** 31 - 1

function checked(name: keyof Deadlines, milliseconds: number | undefined): number {
  const value = milliseconds ?? defaultDeadlines[name]
  if (value > 0) return Math.min(value, longest)
  throw new QuotebookError('USAGE', `deadlines: ${name} can not be ${describeNumber(value)} milliseconds`)
}

/**
 * Deadlines with the defaults for those not given; Infinity is as long as a timer can be.
 * @throws QuotebookError USAGE for what is not a time
 */
export function checkDeadlines(given: Partial<Deadlines> = {}): Deadlines {
  return {
    connect: checked('connect', given.connect),
    headers: checked('headers', given.headers),
    body: checked('body', given.body),
    call: checked('call', given.call),
  }
}
