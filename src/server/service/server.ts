import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Archive, identityOf } from '../archive/archive.js'
import { readFollowStatus } from '../archive/follow-status.js'
import type { Manifest } from '../archive/manifest-entries.js'
import { QuotebookError } from '../contract/error.js'
import { archiveHeader, archiveHeaderName } from '../source/reply/archive-identity.js'
import { realClock, wallTime } from '../source/transport/clock.js'
import { type AccessEntry, logTime, type Route } from './access-log.js'
import { type Authenticator, acceptAnyKey } from './authenticator.js'
import { EncodedRowCache } from './encode/encoded-row-cache.js'
import { answerMalformed, Connections } from './http/connections.js'
import { listen, stop } from './http/listen.js'
import { takeBody } from './http/read-body.js'
import { answerApi, answerRoute, isLocalRequest, isLoopback, pathOf, refuseApi, routeOf } from './http/routes.js'
import { type SendResult, sendAnswer } from './http/send-answer.js'
import { defaultLimits, type ServiceLimits, ServiceLoad } from './http/service-load.js'
import { LiveAnswers, type LiveOptions } from './live-answers.js'
import { createMetrics, type Metrics } from './metrics.js'
import { ResponseCache } from './response-cache.js'
import { busy, envelope, type ServiceAnswer, unavailable } from './service-answer.js'
import type { ServiceContext } from './service-context.js'
import type { Shares } from './share/tick-shares.js'

export interface ServiceOptions {
  readonly archive: Archive
  readonly shares: Shares
  /** Answers `/mcp`; without it there is no such path. */
  readonly agents?: Pick<Shares, 'handle'> | undefined
  /** Who may ask. Without it anyone on this machine, and nobody else: the host must then be a loopback address. */
  readonly authenticator?: Authenticator | undefined
  /** Default 127.0.0.1. */
  readonly host?: string | undefined
  /** Default 0: one that is free. */
  readonly port?: number | undefined
  /** Address that links begin with, where a proxy stands before the service. */
  readonly url?: string | undefined
  /** Bytes of encoded rows and of answers that are kept. Default 256 MiB. */
  readonly cacheBytes?: number | undefined
  readonly limits?: Partial<ServiceLimits> | undefined
  /** The source of the running day; without it the archive alone answers. */
  readonly live?: LiveOptions | undefined
  /** What `/healthz` says beside the state of the archive. */
  readonly health?: (() => Readonly<Record<string, unknown>>) | undefined
  /** Whether rates of keys are not kept where all machines see them, for the metrics. */
  readonly limitsAway?: (() => boolean) | undefined
  /** The metrics of all processes that answer together, made of those of this one. */
  readonly sharedMetrics?: ((own: Metrics) => Metrics) | undefined
  /** Called with every request that was answered. */
  readonly onAnswer?: ((entry: AccessEntry) => void) | undefined
  /** Called with failures that callers only hear of as "unavailable". */
  readonly onFault?: ((error: unknown) => void) | undefined
}

/** A running service. */
export interface Service {
  /** `http://127.0.0.1:8000` */
  readonly url: string
  /**
   * Takes no more connections, finishes the answers under way, and ends. `isGentle`: for another process that answers already;
   * clients may go on asking on the connections they have, each of which ends with its next answer.
   */
  close(isGentle?: boolean): Promise<void>
}

/** The headers by which answers name the archive: made once for each state of it. */
class OriginHeaders {
  readonly #archive: Archive
  readonly #headers = new WeakMap<Manifest, Readonly<Record<string, string>>>()
  #state: string
  /** Times that the archive was found in a new state. */
  changes = 0

  constructor(archive: Archive, state: string) {
    this.#archive = archive
    this.#state = state
  }

  of(manifest: Manifest, state: string): Readonly<Record<string, string>> {
    if (state !== this.#state) {
      this.#state = state
      this.changes++
    }
    let headers = this.#headers.get(manifest)
    if (!headers) {
      headers = { [archiveHeaderName]: archiveHeader(identityOf(this.#archive.name, manifest, state)) }
      this.#headers.set(manifest, headers)
    }
    return headers
  }
}

/** What the access log says of an answer. */
type LoggedAnswer = Pick<AccessEntry, 'status' | 'bytes' | 'apiname' | 'caller' | 'code' | 'rows' | 'encoding'>

/** "Busy", as the route says it. */
function busyOn(route: Route): ServiceAnswer {
  return busy(route === 'api' ? 200 : 503)
}

const noCode = { code: undefined, rows: undefined }

/** A request that is being answered. */
interface Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly route: Route
  /** When its head was there, by a clock that never goes back. */
  readonly start: number
}

/** Answers the requests of a server: refuses, routes, sends, logs. What nobody has to wait for is answered at once. */
class RequestHandler {
  readonly #context: ServiceContext
  readonly #options: ServiceOptions
  readonly #connections: Connections
  #requests = 0
  /** Requests whose bodies are there: at most one of a connection. */
  readonly #waiting = new Map<IncomingMessage['socket'], () => void>()
  /** Connections that there had been when requests were last answered. */
  #admitted = 0
  isEnding = false

  constructor(context: ServiceContext, options: ServiceOptions, connections: Connections) {
    this.#context = context
    this.#options = options
    this.#connections = connections
  }

  /** @param isRefused too many requests wait on its connection */
  handle(request: IncomingMessage, response: ServerResponse, isRefused: boolean): void {
    const path = pathOf(request.url ?? '')
    const route = routeOf(path)
    const visit = { request, response, route, start: realClock.now() }
    // What follows on such a connection may be another protocol, which is not read.
    if (request.headers.upgrade !== undefined) response.setHeader('connection', 'close')
    const refusal = isRefused ? busyOn(route) : this.#refusal(request, route)
    if (refusal) this.#answer(visit, () => refusal)
    else if (route === 'share' || (route === 'mcp' && this.#options.agents)) void this.#handOver(visit)
    else if (route === 'api') {
      const { limits, load } = this.#context
      takeBody(request, limits.body, (body) =>
        this.#soon(request, () => {
          const isBusy = load.isBusy(request.socket)
          this.#answer(visit, () => (isBusy ? busyOn(route) : answerApi(this.#context, request, body)))
        }),
      )
    } else this.#answer(visit, () => answerRoute(this.#context, route, path, request))
  }

  /** Logs a request that could not be read, of which only the answer is known. */
  logMalformed(status: number): void {
    const answer = { method: '', route: 'other', status, bytes: 0, milliseconds: 0 } as const
    this.#report({ time: logTime(wallTime()), id: ++this.#requests, ...answer })
  }

  /** Answers what came in one turn of the event loop together: a client that is woken once for all of it costs less. */
  #soon({ socket }: IncomingMessage, answer: () => void): void {
    this.#waiting.set(socket, answer)
    if (this.#waiting.size === 1) setImmediate(() => this.#answerWaiting())
  }

  /** The event loop takes one connection a turn: while they come, turns are of one answer, so that the last need not wait for long. */
  #answerWaiting(): void {
    const { admitted } = this.#connections
    let left = admitted === this.#admitted ? this.#waiting.size : 1
    this.#admitted = admitted
    for (const [socket, answer] of this.#waiting) {
      if (left-- === 0) break
      this.#waiting.delete(socket)
      answer()
    }
    if (this.#waiting.size > 0) setImmediate(() => this.#answerWaiting())
  }

  /** Whether the request of a connection waits for its turn. */
  isWaiting(socket: IncomingMessage['socket']): boolean {
    return this.#waiting.has(socket)
  }

  #refusal(request: IncomingMessage, route: Route): ServiceAnswer | undefined {
    if (request.headers.host === undefined && request.httpVersion === '1.1') {
      return envelope(400, 'the request names no host', { status: 400, headers: { connection: 'close' } })
    }
    // Node keeps the first of them; a proxy before it may have gone by another.
    if (request.rawHeaders.filter((text, at) => at % 2 === 0 && /^host$/i.test(text)).length > 1) {
      return envelope(400, 'the request names more than one host', { status: 400, headers: { connection: 'close' } })
    }
    // Health and metrics are answered however busy the service is.
    const { load } = this.#context
    const isBusy = route === 'share' || route === 'mcp' ? load.isShareBusy : load.isBusy(request.socket)
    if (isBusy && route !== 'healthz' && route !== 'metrics') return busyOn(route)
    if (this.#options.authenticator || isLocalRequest(request)) return route === 'api' ? refuseApi(request) : undefined
    const message = 'without a key file this service answers only what is sent to 127.0.0.1 or localhost'
    return envelope(403, message, { status: 403 })
  }

  /** Sends what is computed, a failure as "unavailable", and cuts off whoever broke off. */
  #answer(visit: Visit, compute: () => ServiceAnswer | Promise<ServiceAnswer>): void {
    const { load } = this.#context
    load.requests++
    const done = (sent?: SendResult, answer?: ServiceAnswer): void => {
      load.requests--
      if (sent && answer) this.#sent(visit, answer, sent)
    }
    const fail = (error: unknown): void => {
      done()
      this.#cut(visit, error)
    }
    const send = (answer: ServiceAnswer): void => {
      try {
        if (this.isEnding) visit.response.setHeader('connection', 'close')
        const sending = sendAnswer(visit.request, visit.response, answer, (bytes) => this.#expectSlow(visit, bytes))
        if (sending instanceof Promise) sending.then((sent) => done(sent, answer)).catch(fail)
        else done(sending, answer)
      } catch (error) {
        fail(error)
      }
    }
    const excuse = (error: unknown): void => {
      const { request, route } = visit
      if (request.destroyed && !request.complete) fail(error)
      else {
        this.#options.onFault?.(error)
        send(unavailable('temporarily unavailable', { status: route === 'api' ? 200 : 503 }))
      }
    }
    try {
      const answer = compute()
      if (answer instanceof Promise) answer.then(send, excuse)
      else send(answer)
    } catch (error) {
      excuse(error)
    }
  }

  /** A large answer is about to be written: its reader may take long. */
  #expectSlow({ request, response }: Visit, bytes: number): void {
    this.#context.load.addUnsent(request, response, bytes)
    this.#connections.watch(request.socket)
  }

  #sent({ request, route, start }: Visit, answer: ServiceAnswer, sent: SendResult): void {
    const { status, apiname, caller } = answer
    const { code, rows } = route === 'api' ? answer : noCode
    this.#log(request, route, start, { status, apiname, caller, code, rows, ...sent })
  }

  #cut({ request, response }: Visit, error: unknown): void {
    if (!response.headersSent) response.writeHead(400, { connection: 'close' })
    response.destroy()
    if (!request.destroyed) this.#options.onFault?.(error)
  }

  /** The share writes its own answers, as it reads the files; so does the door for agents, as its tools end. */
  async #handOver(visit: Visit): Promise<void> {
    const { request, response, route, start } = visit
    const { load, shares } = this.#context
    const { agents = shares } = this.#options
    const before = request.socket.bytesWritten
    this.#connections.watch(request.socket)
    load.requests++
    load.shareRequests++
    try {
      await (route === 'mcp' ? agents : shares).handle(request, response)
      const bytes = Math.max(0, request.socket.bytesWritten - before)
      this.#log(request, route, start, { status: response.statusCode, bytes })
    } catch (error) {
      this.#cut(visit, error)
    } finally {
      load.shareRequests--
      load.requests--
    }
  }

  #log(request: IncomingMessage, route: Route, start: number, answer: LoggedAnswer): void {
    this.#report({
      time: logTime(wallTime()),
      id: ++this.#requests,
      method: request.method ?? '',
      route,
      ...answer,
      milliseconds: realClock.now() - start,
      remote: request.socket.remoteAddress,
    })
  }

  #report(entry: AccessEntry): void {
    this.#context.metrics.observe(entry)
    this.#options.onAnswer?.(entry)
  }
}

async function createContext(options: ServiceOptions, ownUrl: () => string): Promise<ServiceContext> {
  const { archive, shares, url, onFault, authenticator = acceptAnyKey(), cacheBytes = 2 ** 28, health } = options
  await archive.manifest()
  // Behind a proxy all connections are its own.
  const networks = url === undefined ? {} : { networkConnections: Infinity, networkUnsentBytes: Infinity }
  const limits = { ...defaultLimits, ...networks, ...options.limits }
  const load = new ServiceLoad(limits)
  const responses = new ResponseCache(Math.ceil(cacheBytes / 4))
  const encodedRows = new EncodedRowCache(Math.floor((cacheBytes * 3) / 4))
  const origin = new OriginHeaders(archive, await archive.state())
  const ownMetrics = await createMetrics({
    inFlight: () => load.requests,
    heldBytes: () => encodedRows.bytes + responses.bytes + archive.cachedBytes,
    archiveChanges: () => origin.changes,
    limitsAway: options.limitsAway,
    followed: options.live && (() => readFollowStatus(archive.store.workFolder)),
  })
  const metrics = options.sharedMetrics?.(ownMetrics) ?? ownMetrics
  const live = options.live && new LiveAnswers(options.live)
  const originHeaders = (manifest: Manifest, state: string) => origin.of(manifest, state)
  return {
    archive,
    authenticator,
    shares,
    encodedRows,
    responses,
    live,
    originHeaders,
    onFault,
    health,
    metrics,
    limits,
    load,
    url,
    ownUrl,
  }
}

function limitedServer({ limits }: ServiceContext): Server {
  const server = createServer({
    maxHeaderSize: limits.headers,
    keepAliveTimeout: limits.keepAlive,
    // Node's own answer to a request without a host has no envelope.
    requireHostHeader: false,
    connectionsCheckingInterval: Math.min(limits.headersTime, limits.requestTime, 5000),
  })
  server.headersTimeout = limits.headersTime
  server.requestTimeout = limits.requestTime
  return server
}

/**
 * Starts the service: `POST /api`, the share, the test page, health, metrics and its own description.
 * The server is Node's own: frameworks cost a small answer 15 to 45 % and have nothing that seven paths need.
 * @throws QuotebookError USAGE for a host that is not this machine's without an authenticator, or an address that is taken
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { host = '127.0.0.1', port = 0 } = options
  if (!options.authenticator && !isLoopback(host)) {
    throw new QuotebookError('USAGE', `without a key file the service listens on this machine only, not on ${host}`)
  }
  let url = ''
  const context = await createContext(options, () => url)
  const server = limitedServer(context)
  const connections = new Connections(server, context.limits, () => realClock.now())
  const handler = new RequestHandler(context, options, connections)
  // A client that has said its last word may still read: Node would drop an answer that comes a turn later.
  server.on('connection', (socket) =>
    socket.prependListener('end', () => Object.assign(server, { httpAllowHalfOpen: handler.isWaiting(socket) })),
  )
  const handle = (request: IncomingMessage, response: ServerResponse): void =>
    connections.take(request, response, (isRefused) => handler.handle(request, response, isRefused))
  server.on('request', handle)
  server.on('checkExpectation', handle)
  answerMalformed(server, (status) => handler.logMalformed(status))
  url = await listen(server, port, host)
  return {
    url,
    close: (isGentle) => {
      handler.isEnding = true
      return stop(server, context.limits.grace, isGentle)
    },
  }
}
