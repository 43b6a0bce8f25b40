import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Archive, identityOf } from '../archive/archive.js'
import type { Manifest } from '../archive/manifest.js'
import { QuotebookError } from '../contract/error.js'
import { archiveHeader, archiveHeaderName } from '../source/answer/identity.js'
import { realClock, wallTime } from '../source/transport/clock.js'
import { type AccessEntry, logTime, type Route } from './access-log.js'
import { type Authenticator, acceptAnyKey } from './authenticator.js'
import { EncodedRowCache } from './encode/encoded-row-cache.js'
import { answerMalformed, closeOnlyIdle, onTheWay } from './http/connections.js'
import {
  answerRoute,
  handShare,
  isLocalRequest,
  isLoopback,
  pathOf,
  routeOf,
  type ServiceContext,
} from './http/routes.js'
import { type SendResult, sendAnswer } from './http/send-answer.js'
import { defaultLimits, type ServiceLimits } from './http/service-limits.js'
import { createMetrics } from './metrics.js'
import { ResponseCache } from './response-cache.js'
import { busy, envelope, type ServiceAnswer, unavailable } from './service-answer.js'
import type { Shares } from './share/tick-shares.js'

export interface ServiceOptions {
  readonly archive: Archive
  readonly shares: Shares
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
  /** Told of every request that was answered. */
  readonly onAnswer?: ((entry: AccessEntry) => void) | undefined
  /** Told of failures that callers only hear of as "unavailable". */
  readonly onFault?: ((error: unknown) => void) | undefined
}

/** A running service. */
export interface Service {
  /** `http://127.0.0.1:8000` */
  readonly url: string
  /** Takes no more requests, finishes those under way, and ends. */
  close(): Promise<void>
}

/** What the answers of a state say of where they come from; made once for each. */
function headersOf(archive: Archive): (manifest: Manifest, state: string) => Readonly<Record<string, string>> {
  const known = new WeakMap<Manifest, Readonly<Record<string, string>>>()
  return (manifest, state) => {
    let headers = known.get(manifest)
    if (!headers) {
      headers = { [archiveHeaderName]: archiveHeader(identityOf(archive.name, manifest, state)) }
      known.set(manifest, headers)
    }
    return headers
  }
}

class Running {
  readonly #house: ServiceContext
  readonly #options: ServiceOptions
  #id = 0
  readonly #sent = onTheWay()
  inFlight = 0
  /** Those among them that the share answers, at the pace of their readers: they hold up each other alone. */
  #sharing = 0
  isEnding = false

  constructor(house: ServiceContext, options: ServiceOptions) {
    this.#house = house
    this.#options = options
  }

  get isBusy(): boolean {
    const { concurrentRequests, unsentBytes } = this.#house.limits
    return this.inFlight - this.#sharing > concurrentRequests || this.#sent.bytes > unsentBytes
  }

  /** Requests that are still arriving are not being answered. */
  arriving(count: 1 | -1): void {
    this.inFlight -= count
  }

  async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const start = realClock.now()
    const path = pathOf(request.url ?? '')
    const route = routeOf(path)
    this.inFlight++
    try {
      // What follows on such a connection may be another protocol, which is not read.
      if (request.headers.upgrade !== undefined) response.setHeader('connection', 'close')
      const refused = this.#refusal(request, route)
      if (!refused && route === 'share') await this.#share(request, response, start)
      else {
        const answer = refused ?? (await this.#answer(route, path, request))
        if (this.isEnding) response.setHeader('connection', 'close')
        const sending = sendAnswer(request, response, answer)
        const sent = sending instanceof Promise ? await sending : sending
        this.#sent.add(request, response, sent.bytes)
        this.#tell(request, route, answer, sent, start)
      }
    } catch (error) {
      if (!response.headersSent) response.writeHead(400, { connection: 'close' })
      response.destroy()
      if (!request.destroyed) this.#options.onFault?.(error)
    } finally {
      this.inFlight--
    }
  }

  /** What is not known of a broken request is left out. */
  broken(status: number): void {
    const about = { method: '', route: 'other', status, bytes: 0, milliseconds: 0 } as const
    this.#report({ time: logTime(wallTime()), id: ++this.#id, ...about })
  }

  #refusal(request: IncomingMessage, route: Route): ServiceAnswer | undefined {
    if (request.headers.host === undefined && request.httpVersion === '1.1') {
      return envelope(400, 'the request names no host', { status: 400, headers: { connection: 'close' } })
    }
    // Whether it is well, and how busy, is always told.
    const isBusy = route === 'share' ? this.#sharing >= this.#house.limits.concurrentRequests : this.isBusy
    if (isBusy && route !== 'healthz' && route !== 'metrics') return busy(route === 'api' ? 200 : 503)
    if (this.#options.authenticator || isLocalRequest(request)) return undefined
    const message = 'without a key file this service answers only what is sent to 127.0.0.1 or localhost'
    return envelope(403, message, { status: 403 })
  }

  async #answer(route: Route, path: string, request: IncomingMessage): Promise<ServiceAnswer> {
    try {
      return await answerRoute(this.#house, route, path, request)
    } catch (error) {
      if (request.destroyed && !request.complete) throw error
      this.#options.onFault?.(error)
      const status = route === 'api' ? 200 : 503
      return unavailable('temporarily unavailable', { status })
    }
  }

  async #share(request: IncomingMessage, response: ServerResponse, start: number): Promise<void> {
    const before = request.socket.bytesWritten
    this.#sharing++
    await handShare(this.#house, request, response).finally(() => this.#sharing--)
    const bytes = Math.max(0, request.socket.bytesWritten - before)
    const about = { status: response.statusCode, code: undefined, rows: undefined }
    this.#tell(request, 'share', about, { bytes }, start)
  }

  #tell(
    request: IncomingMessage,
    route: Route,
    answer: Pick<ServiceAnswer, 'status' | 'apiname' | 'caller'> & {
      readonly code?: number | undefined
      readonly rows?: number | undefined
    },
    { bytes, encoding }: SendResult,
    start: number,
  ): void {
    this.#report({
      time: logTime(wallTime()),
      id: ++this.#id,
      method: request.method ?? '',
      route,
      apiname: answer.apiname,
      status: answer.status,
      code: route === 'api' ? answer.code : undefined,
      rows: route === 'api' ? answer.rows : undefined,
      bytes,
      milliseconds: realClock.now() - start,
      caller: answer.caller,
      encoding,
      remote: request.socket.remoteAddress,
    })
  }

  #report(entry: AccessEntry): void {
    this.#house.metrics.observe(entry)
    this.#options.onAnswer?.(entry)
  }
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'something else listens there; choose another --port' : cause.message
      reject(new QuotebookError('USAGE', `can not listen on ${host}:${port}: ${why}`, { cause }))
    })
    server.listen(port, host, () => resolve(server.address() as AddressInfo))
  })
}

function stop(server: Server, grace: number): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), grace)
    // A connection whose answer has just ended waits for a further request.
    const idle = setInterval(() => server.closeIdleConnections(), 50)
    server.close(() => {
      clearTimeout(late)
      clearInterval(idle)
      resolve()
    })
    server.closeIdleConnections()
  })
}

/**
 * Starts the service: `POST /api`, the share, the test page, health, metrics and its own description.
 * The server is Node's own: frameworks cost a small answer 15 to 45 % and have nothing that seven paths need.
 * @throws QuotebookError USAGE for a host that is not this machine's without a door, or an address that is taken
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { archive, shares, host = '127.0.0.1', port = 0, cacheBytes = 2 ** 28 } = options
  if (!options.authenticator && !isLoopback(host)) {
    throw new QuotebookError('USAGE', `without a key file the service listens on this machine only, not on ${host}`)
  }
  await archive.manifest()
  const limits = { ...defaultLimits, ...options.limits }
  const responses = new ResponseCache(Math.ceil(cacheBytes / 4))
  const encodedRows = new EncodedRowCache(Math.floor((cacheBytes * 3) / 4))
  let [changes, state] = [0, await archive.state()]
  const headers = headersOf(archive)
  const desk = {
    archive,
    authenticator: options.authenticator ?? acceptAnyKey(),
    shares,
    encodedRows,
    responses,
    originHeaders: (manifest: Manifest, now: string) => {
      if (now !== state) [state, changes] = [now, changes + 1]
      return headers(manifest, now)
    },
    onFault: options.onFault,
  }
  let own = ''
  const metrics = await createMetrics({
    inFlight: () => running.inFlight,
    heldBytes: () => encodedRows.bytes + responses.bytes + archive.cachedBytes,
    archiveChanges: () => changes,
  })
  const house: ServiceContext = {
    desk,
    archive,
    metrics,
    limits,
    arriving: (count) => running.arriving(count),
    isBusy: () => running.isBusy,
    url: options.url,
    own: () => own,
  }
  const running = new Running(house, options)
  const server = createServer({
    maxHeaderSize: limits.headers,
    keepAliveTimeout: limits.keepAlive,
    // Node's own answer to a request without a host has no envelope.
    requireHostHeader: false,
    connectionsCheckingInterval: Math.min(limits.headersTime, limits.requestTime, 5000),
  })
  server.headersTimeout = limits.headersTime
  server.requestTimeout = limits.requestTime
  server.timeout = limits.idleTime
  server.maxConnections = limits.connections
  const underWay = closeOnlyIdle(server)
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    underWay.begin(socket)
    void running.take(request, response).finally(() => underWay.end(socket))
  }
  server.on('request', take)
  server.on('checkExpectation', take)
  answerMalformed(server, (status) => running.broken(status))
  const address = await listen(server, port, host)
  own = `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
  return {
    url: own,
    close: () => {
      running.isEnding = true
      return stop(server, limits.grace)
    },
  }
}
