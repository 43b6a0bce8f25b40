import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { memoized } from '../../data/archive/answer/memoized.js'
import { type Archive, identityOf } from '../../data/archive/archive.js'
import { readFollowStatus } from '../../data/archive/follow-status.js'
import type { Manifest } from '../../data/archive/manifest-entries.js'
import { archiveHeader, archiveHeaderName } from '../../data/source/reply/archive-identity.js'
import { realClock, wallTime } from '../../data/source/transport/clock.js'
import type { DeskFolders } from '../desk/desk-visit.js'
import { type AccessEntry, logTime, type Route } from './access-log.js'
import { type Authenticator, acceptAnyKey } from './authenticator.js'
import { EncodedCache } from './encode/encoded-cache.js'
import { clientOf, languageAsked, type ProxyList } from './http/client-address.js'
import { answerMalformed, Connections } from './http/connections.js'
import { listen, stop } from './http/listen.js'
import { takeBody } from './http/read-body.js'
import {
  answerBody,
  answerRoute,
  ifNoneMatch,
  isLocalRequest,
  isLoopback,
  pathOf,
  refuseBody,
  refusePage,
  routeOf,
} from './http/routes.js'
import { sendAnswer } from './http/send-answer.js'
import { defaultLimits, type ServiceLimits, ServiceLoad } from './http/service-load.js'
import { LiveAnswers, type LiveOptions } from './live-answers.js'
import { createMetrics, type Metrics } from './metrics.js'
import { busy, RefusedError, statusOf } from './refused-error.js'
import { encoded, refused, type ServiceAnswer } from './service-answer.js'
import type { ServiceContext, Visit } from './service-context.js'
import type { Shares } from './share/tick-shares.js'

export interface ServiceOptions {
  readonly archive: Archive
  readonly shares: Shares
  /** Answers `/mcp`; without it there is no such path. */
  readonly agents?: Pick<Shares, 'handle'> | undefined
  /** Runs and accounts that the desk at `/` shows beside the archive. */
  readonly desk?: DeskFolders | undefined
  /** Who may ask. Without it anyone on this machine, and nobody else: the host must then be a loopback address. */
  readonly authenticator?: Authenticator | undefined
  /** Default 127.0.0.1. */
  readonly host?: string | undefined
  /** Default 0: one that is free. */
  readonly port?: number | undefined
  /** Address that links begin with, where a proxy stands before the service. */
  readonly url?: string | undefined
  /** Proxies whose X-Forwarded-For is believed. Without them, and with `url`, all connections are of one. */
  readonly proxies?: ProxyList | undefined
  /** Bytes of encoded rows and of answers that are kept. Default 256 MiB. */
  readonly cacheBytes?: number | undefined
  readonly limits?: Partial<ServiceLimits> | undefined
  /** The source of the running day; without it the archive alone answers. */
  readonly live?: LiveOptions | undefined
  /** What `/healthz` says beside the state of the archive. */
  readonly health?: (() => Readonly<Record<string, unknown>>) | undefined
  /** Whether rates of keys are not kept where all machines see them, for the metrics. */
  readonly limitsAway?: (() => boolean) | undefined
  /** Since when keys read before are in force, because the key file is wrong, for the metrics; Beijing time. */
  readonly keysFault?: (() => string | undefined) | undefined
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

/** Answers that are begun in one turn of the event loop, at most: what a turn answers at once counts as answered at the same time. */
const mostATurn = 64

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
    const visit: Visit = { request, response, route, start: realClock.now(), told: {} }
    // What follows on such a connection may be another protocol, which is not read.
    if (request.headers.upgrade !== undefined) response.setHeader('connection', 'close')
    try {
      if (isRefused) throw busy()
      this.#check(request, route)
    } catch (error) {
      return void this.#answer(visit, () => Promise.reject(error))
    }
    if (route === 'share' || (route === 'mcp' && this.#options.agents)) void this.#handOver(visit)
    else if (route !== 'api' && route !== 'query')
      void this.#answer(visit, () => answerRoute(this.#context, visit, path))
    else {
      const { limits, load } = this.#context
      takeBody(request, limits.body, (body) =>
        this.#soon(request, () => {
          const isBusy = load.isBusy(request)
          void this.#answer(visit, () => (isBusy ? Promise.reject(busy()) : answerBody(this.#context, visit, body)))
        }),
      )
    }
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
    let left = admitted === this.#admitted ? mostATurn : 1
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

  /** @throws RefusedError of a request that is not to be read */
  #check(request: IncomingMessage, route: Route): void {
    const { load } = this.#context
    const { authenticator } = this.#options
    const headers = { connection: 'close' }
    if (request.headers.host === undefined && request.httpVersion === '1.1')
      throw new RefusedError(400, sentence`the request names no host`, { headers })
    // Node keeps the first of them; a proxy before it may have gone by another.
    if (request.rawHeaders.filter((text, at) => at % 2 === 0 && /^host$/i.test(text)).length > 1)
      throw new RefusedError(400, sentence`the request names more than one host`, { headers })
    // Health and metrics are answered however busy the service is.
    const isBusy = route === 'share' || route === 'mcp' ? load.isShareBusy : load.isBusy(request)
    if (isBusy && route !== 'healthz' && route !== 'metrics') throw busy()
    if (!authenticator && !isLocalRequest(request)) {
      const message = sentence`without a key file this service answers only what is sent to 127.0.0.1 or localhost`
      throw new RefusedError(403, message, { isOfHttp: true })
    }
    if (route !== 'api' && route !== 'query') return
    if (!authenticator) refusePage(request)
    refuseBody(request, route)
  }

  /** Sends what is computed, and cuts off whoever broke off. */
  async #answer(visit: Visit, compute: () => Promise<ServiceAnswer>): Promise<void> {
    const { request, response, route, told } = visit
    const { load } = this.#context
    load.requests++
    try {
      const said = await encoded(await this.#computed(visit, compute), languageAsked(request))
      const answer = route === 'api' ? await ifNoneMatch(said, request.headers['if-none-match']) : said
      if (this.isEnding) response.setHeader('connection', 'close')
      const sent = await sendAnswer(request, response, answer, (bytes) => load.addUnsent(visit, bytes))
      const { status, code, rows } = answer
      this.#log(visit, { ...told, status, ...((route === 'api' || route === 'query') && { code, rows }), ...sent })
    } catch (error) {
      this.#cut(visit, error)
    } finally {
      load.requests--
    }
  }

  /** What is computed, an error as the refusal that it means; throws when the request was broken off. */
  async #computed({ request, route, told }: Visit, compute: () => Promise<ServiceAnswer>): Promise<ServiceAnswer> {
    try {
      return await compute()
    } catch (error) {
      if (request.destroyed && !request.complete) throw error
      const refusal = statusOf(error)
      const { fault, caller = told.caller } = refusal.about
      if (fault !== undefined) this.#options.onFault?.(fault)
      told.caller = caller
      return refused(refusal, route === 'api')
    }
  }

  #cut({ request, response }: Visit, error: unknown): void {
    if (!response.headersSent) response.writeHead(400, { connection: 'close' })
    response.destroy()
    if (!request.destroyed) this.#options.onFault?.(error)
  }

  /** The share writes its own answers, as it reads the files; so does the door for agents, as its tools end. */
  async #handOver(visit: Visit): Promise<void> {
    const { request, response, route } = visit
    const { load, shares } = this.#context
    const { agents = shares } = this.#options
    const before = request.socket.bytesWritten
    load.requests++
    load.shareRequests++
    try {
      await (route === 'mcp' ? agents : shares).handle(request, response)
      const bytes = Math.max(0, request.socket.bytesWritten - before)
      this.#log(visit, { status: response.statusCode, bytes })
    } catch (error) {
      this.#cut(visit, error)
    } finally {
      load.shareRequests--
      load.requests--
    }
  }

  #log({ request, route, start }: Visit, answer: Pick<AccessEntry, 'status' | 'bytes'> & Partial<AccessEntry>): void {
    this.#report({
      time: logTime(wallTime()),
      id: ++this.#requests,
      method: request.method ?? '',
      route,
      ...answer,
      milliseconds: realClock.now() - start,
      remote: clientOf(request, this.#options.proxies),
    })
  }

  #report(entry: AccessEntry): void {
    this.#context.metrics.observe(entry)
    this.#options.onAnswer?.(entry)
  }
}

async function createContext(options: ServiceOptions, ownUrl: () => string): Promise<ServiceContext> {
  const {
    archive,
    shares,
    url,
    onFault,
    authenticator = acceptAnyKey(),
    cacheBytes = 2 ** 28,
    health,
    desk: folders = {},
  } = options
  await archive.manifest()
  // Behind a proxy that is not known all connections are its own.
  const networks =
    url === undefined || options.proxies ? {} : { networkConnections: Infinity, networkUnsentBytes: Infinity }
  const limits = { ...defaultLimits, ...networks, ...options.limits }
  const load = new ServiceLoad(limits, options.proxies)
  const encoded = new EncodedCache(cacheBytes)
  let [state, archiveChanges] = [await archive.state(), 0]
  const headersOf = memoized((manifest: Manifest, at: string): Readonly<Record<string, string>> => {
    return { [archiveHeaderName]: archiveHeader(identityOf(String(archive.name), manifest, at)) }
  })
  const originHeaders = (manifest: Manifest, at: string) => {
    if (at !== state) [state, archiveChanges] = [at, archiveChanges + 1]
    return headersOf(manifest, at)
  }
  const ownMetrics = await createMetrics({
    inFlight: () => load.requests,
    heldBytes: () => encoded.bytes + archive.cachedBytes,
    archiveChanges: () => archiveChanges,
    limitsAway: options.limitsAway,
    keysFault: options.keysFault,
    manifest: () => archive.manifest(),
    followed: options.live && (() => readFollowStatus(archive.store.workFolder)),
  })
  const metrics = options.sharedMetrics?.(ownMetrics) ?? ownMetrics
  const live = options.live && new LiveAnswers(options.live)
  const parts = { archive, folders, authenticator, shares, encoded, live, metrics, limits, load }
  return { ...parts, originHeaders, onFault, health, url, ownUrl }
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
    throw new QuotebookError(
      'USAGE',
      sentence`without a key file the service listens on this machine only, not on ${host}`,
    )
  }
  let url = ''
  const context = await createContext(options, () => url)
  const server = limitedServer(context)
  const connections = new Connections(server, context.limits, options.proxies)
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
