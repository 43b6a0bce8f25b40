import type { Agent } from 'undici'
import { QuotebookError } from '../../../contract/error.js'
import { describeKind } from '../../../contract/options.js'
import { checkJson } from '../../../frame/table/check-json.js'
import { decompress } from './decompress.js'
import { type HttpHeaders, headerOf, tellsLength } from './http-headers.js'
import { type HttpStream, httpStream } from './http-stream.js'
import { apiTarget, checkNodeAddress, linkTarget } from './node-address.js'
import { cutOffError, deadlineError, type ResponseProgress, tooLargeError, transportError } from './transport-errors.js'

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
  return new QuotebookError('USAGE', 'the HTTP source was closed')
}

/** A request to a link, whose body is taken as it comes. */
function linkRequest(address: string, { method = 'GET', headers, signal }: StreamOptions): HttpRequest {
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

/** A connection that is being made and may be given up. */
interface Opening {
  destroy(error: Error): unknown
}

/** Bytes that may wait for a reader before the socket has to. */
const highWaterMark = 2 ** 20

/** A body as it comes, still compressed, in one piece. */
async function readBody(stream: HttpStream, maxBytes: number): Promise<Uint8Array> {
  const { node, status, headers, body } = stream
  const chunks: Uint8Array[] = []
  let received = 0
  const limit = (bytes: number): void => {
    if (bytes > maxBytes) throw tooLargeError({ node, status, received }, maxBytes)
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

async function wholeAnswer(stream: HttpStream, maxBytes: number): Promise<HttpResponse> {
  const { status, headers, node, retryAfter } = stream
  const packed = await readBody(stream, maxBytes)
  const progress = { node, status, received: packed.length }
  const bytes = await decompress(packed, headerOf(headers, 'content-encoding'), maxBytes, progress)
  checkEnded(headers, bytes, progress)
  const contentType = headerOf(headers, 'content-type')
  return { status, contentType, retryAfter, bytes, received: packed.length, node, headers }
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
    return this.#unlessAborted(this.#send(this.#streamAgent, linkRequest(address, options)), options.signal)
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
    const { node, signal } = request
    const { call } = this.#deadlines
    this.#agent ??= this.#makeAgent(this.#connections)
    const stop = new AbortController()
    const passOn = (): void => stop.abort(signal?.reason)
    if (signal?.aborted) passOn()
    const timer = setTimeout(() => stop.abort(deadlineError(node, call)), call)
    signal?.addEventListener('abort', passOn, { once: true })
    try {
      const sending = this.#send(this.#agent, { ...request, signal: stop.signal })
      return await this.#unlessAborted(
        sending.then((stream) => wholeAnswer(stream, maxBytes)),
        stop.signal,
      )
    } finally {
      signal?.removeEventListener('abort', passOn)
      clearTimeout(timer)
    }
  }

  /** What a promise gives, or the signal's reason at once. */
  #unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    this.#waiting += 1
    return new Promise<T>((resolve, reject) => {
      const leave = (): void => reject(signal?.reason)
      signal?.addEventListener('abort', leave, { once: true })
      promise.then(resolve, reject).then(() => signal?.removeEventListener('abort', leave))
    }).finally(() => {
      this.#waiting -= 1
      if (this.#waiting === 0) this.#stopConnecting()
    })
  }

  /** Gives up the connections that are being made: nobody waits for them. */
  #stopConnecting(): void {
    for (const socket of this.#openings) socket.destroy(closedError())
  }

  async #send(making: Promise<Agent>, request: HttpRequest): Promise<HttpStream> {
    const { node, signal, ...sent } = request
    const { headers: headersTimeout, body: bodyTimeout } = this.#deadlines
    const inOurWords = (error: unknown, progress: ResponseProgress): unknown => {
      if (signal?.aborted) return signal.reason
      if (this.#isClosed || !(error instanceof Error)) return closedError()
      return transportError(error, progress, this.#deadlines, !this.#unconnected.has(error))
    }
    const agent = await making
    signal?.throwIfAborted()
    if (this.#isClosed) throw closedError()
    try {
      const answer = await agent.request({ ...sent, signal, headersTimeout, bodyTimeout, highWaterMark })
      return httpStream(node, answer, inOurWords)
    } catch (error) {
      throw inOurWords(error, { node, status: undefined, received: 0 })
    }
  }

  async #makeAgent(connections: number | undefined): Promise<Agent> {
    const { Agent, buildConnector } = await import('undici')
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
      throw new QuotebookError('USAGE', `deadlines: ${name} can not be ${describeKind(value)} milliseconds`)
    checked[name] = Math.min(value, longestTimer)
  }
  return checked
}
