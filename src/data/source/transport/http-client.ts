import type { Agent, buildConnector } from 'undici'
import { QuotebookError } from '../../../contract/error.js'
import { describeKind } from '../../../contract/options.js'
import { checkJson } from '../../../frame/table/check-json.js'
import { decompress } from './decompress.js'
import { type HttpHeaders, headerOf, tellsLength } from './http-headers.js'
import { type HttpStream, HttpStreamHandler, type Opening } from './http-stream.js'
import { type Send, withDeadline } from './middleware.js'
import { apiTarget, checkNodeAddress, linkTarget } from './node-address.js'
import { cutOffError, type ResponseProgress, seconds, tooLargeError } from './transport-errors.js'

/** A whole answer of a node, whatever its status. */
export interface HttpResponse extends Pick<HttpStream, 'status' | 'headers' | 'node' | 'retryAfter'> {
  /** '' when none. */
  readonly contentType: string
  /** The body, decompressed, whole. */
  readonly bytes: Uint8Array
  /** Bytes of the body as they came. */
  readonly received: number
}

export interface PostOptions {
  readonly signal?: AbortSignal | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface StreamOptions extends PostOptions {
  /** GET when absent. */
  readonly method?: 'GET' | 'PROPFIND' | undefined
}

export interface GetOptions extends StreamOptions {
  /** Bytes of the body; those of `HttpOptions` when absent, and never more. */
  readonly maxBytes?: number | undefined
}

/** What is sent, and how much may come back. */
interface HttpRequest {
  /** As errors name it. */
  readonly node: string
  readonly origin: string
  readonly path: string
  readonly method: 'POST' | 'GET' | 'PROPFIND'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly maxBytes: number
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
  return new QuotebookError('USAGE', 'the HTTP source was closed')
}

/** A request to a link, whose body is taken as it comes. */
function linkRequest(
  address: string,
  { method = 'GET', headers, signal }: StreamOptions,
): Omit<HttpRequest, 'maxBytes'> {
  const { origin, path } = linkTarget(address)
  return { node: origin, origin, path, method, headers: { 'accept-encoding': 'identity', ...headers }, signal }
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
function checkEnded(headers: HttpHeaders, bytes: Uint8Array, progress: ResponseProgress): void {
  if (tellsLength(headers) || progress.status !== 200) return
  const first = bytes.find((byte) => byte > 0x20)
  if (first !== undefined && first !== 0x7b) return
  if (!isClosed(bytes)) throw cutOffError(progress, new Error('the connection ended before its JSON did'))
}

/** A body as it comes, still compressed, in one piece. */
async function readBody(stream: HttpStream, maxBytes: number): Promise<Uint8Array> {
  const { node, status, headers, body } = stream
  const chunks: Uint8Array[] = []
  let received = 0
  const limit = (bytes: number): void => {
    if (bytes > maxBytes) throw tooLargeError({ node, sent: true, status, received }, maxBytes)
  }
  try {
    limit(Number(headerOf(headers, 'content-length')))
    for await (const chunk of body) {
      received += chunk.length
      chunks.push(chunk)
      limit(received)
    }
  } finally {
    stream.discard()
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks)
}

/**
 * POST of a JSON body to `{node}/api` for one whole answer, on connections that are kept. Nothing is repeated and no
 * redirect is followed. An idle connection does not keep the process alive.
 */
export class HttpClient {
  readonly #deadlines: Deadlines
  readonly #maxBytes: number
  readonly #connections: number | undefined
  readonly #openings = new Set<Opening>()
  readonly #streams = new Set<HttpStreamHandler>()
  readonly #send: Send<HttpRequest, HttpResponse>
  #agent: Promise<Agent> | undefined
  /** A body that is read slowly holds its connection: whole answers do not wait for one of these. */
  #streamAgent: Promise<Agent> | undefined
  #isClosed = false
  #dispatching: HttpStreamHandler | undefined

  constructor(options: HttpOptions = {}) {
    this.#deadlines = checkDeadlines(options.deadlines)
    this.#maxBytes = options.maxBytes ?? 2 ** 28
    this.#connections = options.connections
    this.#send = withDeadline<HttpRequest, HttpResponse>(this.#deadlines.call)((request) => this.#exchange(request))
  }

  /**
   * @param node base address, without `/api`
   * @throws SourceError UNREACHABLE, CUT_OFF, TIMEOUT or ENVELOPE; the signal's reason, at once
   */
  async post(node: string, body: string, { signal, headers: more }: PostOptions = {}): Promise<HttpResponse> {
    signal?.throwIfAborted()
    const { origin, path, isLocal } = apiTarget(checkNodeAddress(node))
    const accept = isLocal ? 'identity' : 'gzip, br'
    const headers = { 'content-type': 'application/json', 'accept-encoding': accept, ...more }
    return this.#send({ node, origin, path, method: 'POST', headers, body, maxBytes: this.#maxBytes, signal })
  }

  /**
   * One whole answer of any address. Errors name its host alone: a path may be as good as a password.
   * @throws as `post` does
   */
  async get(address: string, { maxBytes, ...options }: GetOptions = {}): Promise<HttpResponse> {
    options.signal?.throwIfAborted()
    return this.#send({
      ...linkRequest(address, options),
      maxBytes: Math.min(maxBytes ?? this.#maxBytes, this.#maxBytes),
    })
  }

  /**
   * The answer of any address, its body as it comes, whatever its size. The deadline of a call does not count.
   * @throws as `post` does
   */
  async open(address: string, options: StreamOptions = {}): Promise<HttpStream> {
    options.signal?.throwIfAborted()
    this.#streamAgent ??= this.#makeAgent(undefined)
    return this.#dispatch(this.#streamAgent, linkRequest(address, options))
  }

  /** Ends all connections; what is still asked for fails. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const stream of this.#streams) stream.fail(closedError())
    for (const socket of this.#openings) socket.destroy(closedError())
    await (await this.#agent)?.destroy()
    await (await this.#streamAgent)?.destroy()
  }

  #checkOpen(): void {
    if (this.#isClosed) throw closedError()
  }

  async #exchange(request: HttpRequest): Promise<HttpResponse> {
    const { maxBytes, signal } = request
    this.#agent ??= this.#makeAgent(this.#connections)
    const stream = await this.#dispatch(this.#agent, request)
    const packed = await readBody(stream, maxBytes)
    this.#checkOpen()
    const { status, headers, node, retryAfter } = stream
    const received = packed.length
    const progress = { node, sent: true, status, received }
    const bytes = await decompress(packed, headerOf(headers, 'content-encoding'), maxBytes, progress, signal)
    checkEnded(headers, bytes, progress)
    return { status, contentType: headerOf(headers, 'content-type'), retryAfter, bytes, received, node, headers }
  }

  async #dispatch(making: Promise<Agent>, request: Omit<HttpRequest, 'maxBytes'>): Promise<HttpStream> {
    this.#checkOpen()
    const agent = await making
    const { node, signal, origin, path, method, headers, body } = request
    signal?.throwIfAborted()
    this.#checkOpen()
    const stream = new HttpStreamHandler(node, this.#deadlines, signal, () => this.#streams.delete(stream))
    this.#streams.add(stream)
    this.#dispatching = stream
    agent.dispatch({ origin, path, method, headers, ...(body === undefined ? {} : { body }) }, stream)
    this.#dispatching = undefined
    return stream.head
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
      throw new QuotebookError('USAGE', `deadlines: ${name} can not be ${describeKind(value)} milliseconds`)
    checked[name] = Math.min(value, longestTimer)
  }
  return checked
}
