import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { envelope } from '../service-answer.js'
import { isProxy, type ProxyList } from './client-address.js'
import { networkOf, type ServiceLimits } from './service-load.js'

type Socket = IncomingMessage['socket']

/** What is known of a connection. */
interface Connection {
  /** Whose it is: see `networkOf`. */
  readonly network: string
  /** Requests that wait until the one before them is answered, and its answer taken. */
  readonly waiting: (() => void)[]
  isAnswering: boolean
  /** The socket counts the time in which nothing moves itself. */
  isTimed: boolean
  /** Bytes that had moved when it was last looked at, and since when nothing has, ms. */
  moved: number
  since: number
  readonly next: () => void
}

/** Requests of one connection that may wait for an answer; a further one is told "busy". */
const pipelined = 32
/** How often connections are looked at, ms. */
const lookInterval = 1000

/**
 * The connections of a server: how many there may be, of one network too, how long they may be silent, and the requests of
 * each, one after the other. Who comes when there is no room left takes the place of the connection that has waited longest.
 * One look a second at all of them costs less than a timer that runs on with every byte.
 */
export class Connections {
  readonly #limits: ServiceLimits
  readonly #now: () => number
  readonly #proxies: ProxyList | undefined
  readonly #all = new Map<Socket, Connection>()
  readonly #byNetwork = new Map<string, number>()
  /** Connections that there have been. */
  admitted = 0

  /** @param proxies connections of these are of many clients */
  constructor(server: Server, limits: ServiceLimits, now: () => number, proxies?: ProxyList) {
    this.#limits = limits
    this.#now = now
    this.#proxies = proxies
    server.on('connection', (socket) => this.#admit(socket))
    // Node's own (which `close` calls too) cuts off answers that were ended and are still on their way.
    server.closeIdleConnections = () => {
      for (const [socket, { isAnswering }] of this.#all) if (!isAnswering) this.#drop(socket)
    }
    const timer = setInterval(() => this.#look(), Math.min(lookInterval, limits.silentTime)).unref()
    server.once('close', () => clearInterval(timer))
  }

  /** Begins with a request when those before it on its connection are answered. `isRefused`: too many wait already. */
  take({ socket }: IncomingMessage, response: ServerResponse, begin: (isRefused: boolean) => void): void {
    const connection = this.#all.get(socket)
    if (!connection) {
      response.destroy()
      return
    }
    const { waiting, next } = connection
    if (connection.isAnswering && waiting.length >= pipelined) {
      begin(true)
      return
    }
    const start = (): void => {
      response.once('close', next)
      begin(false)
    }
    if (connection.isAnswering) waiting.push(start)
    else {
      connection.isAnswering = true
      start()
    }
  }

  /** For an answer that may take long to send: the connection is closed when none of its bytes have moved for a while. */
  watch(socket: Socket): void {
    const connection = this.#all.get(socket)
    if (!connection || connection.isTimed) return
    connection.isTimed = true
    // Nobody listens: the server then closes it.
    socket.setTimeout(this.#limits.idleTime)
  }

  #admit(socket: Socket): void {
    const { connections, networkConnections } = this.#limits
    const network = networkOf(socket.remoteAddress)
    const isFull = (this.#byNetwork.get(network) ?? 0) >= networkConnections
    const isTooMany = isFull && !isProxy(this.#proxies, socket.remoteAddress)
    if ((isTooMany && !this.#makeRoom(network)) || (this.#all.size >= connections && !this.#makeRoom())) {
      socket.destroy()
      return
    }
    const connection: Connection = {
      network,
      waiting: [],
      isAnswering: false,
      isTimed: false,
      moved: 0,
      since: this.#now(),
      next: () => this.#next(socket, connection),
    }
    this.admitted++
    this.#all.set(socket, connection)
    this.#byNetwork.set(network, (this.#byNetwork.get(network) ?? 0) + 1)
    socket.once('close', () => this.#drop(socket))
  }

  #next(socket: Socket, connection: Connection): void {
    connection.isTimed = false
    connection.since = this.#now()
    const next = socket.destroyed ? undefined : connection.waiting.shift()
    connection.isAnswering = next !== undefined
    // Whatever else the end of an answer means is done before the next request begins.
    if (next) queueMicrotask(next)
  }

  /** Closes the connection, of a network or of all, that has waited longest: one that never asked before any other. */
  #makeRoom(network?: string): boolean {
    let oldest: Socket | undefined
    let best = Infinity
    for (const [socket, { isAnswering, since, network: own }] of this.#all) {
      if (isAnswering || (network !== undefined && own !== network)) continue
      const rank = socket.bytesWritten === 0 ? since - 1e12 : since
      if (rank < best) [oldest, best] = [socket, rank]
    }
    if (oldest) this.#drop(oldest)
    return oldest !== undefined
  }

  #look(): void {
    const { idleTime, silentTime } = this.#limits
    const now = this.#now()
    for (const [socket, connection] of this.#all) {
      const moved = socket.bytesRead + socket.bytesWritten
      if (moved !== connection.moved) {
        connection.moved = moved
        connection.since = now
        continue
      }
      // Between requests, and while one arrives, Node counts the time.
      const patience = connection.isAnswering && !connection.isTimed ? idleTime : moved === 0 ? silentTime : Infinity
      // What has arrived while the process was at work is read before this: only then is it known that nothing has.
      if (now - connection.since >= patience) setImmediate(() => this.#dropUnmoved(socket, moved))
    }
  }

  #dropUnmoved(socket: Socket, moved: number): void {
    if (socket.bytesRead + socket.bytesWritten === moved) this.#drop(socket)
  }

  #drop(socket: Socket): void {
    const connection = this.#all.get(socket)
    if (!connection) return
    this.#all.delete(socket)
    const left = (this.#byNetwork.get(connection.network) ?? 1) - 1
    if (left === 0) this.#byNetwork.delete(connection.network)
    else this.#byNetwork.set(connection.network, left)
    socket.destroy()
  }
}

/** By the code of the error that Node's parser has for a request. */
const parserErrors: Readonly<Record<string, readonly [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [431, 'the headers of the request are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [400, 'the chunk extensions of the request are too large'],
}

function endWith(socket: Duplex, status: number, message: string): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const { chunks, headers } = envelope(status, message)
  const body = chunks[0] as Uint8Array
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${headers['content-type']}`,
    `content-length: ${body.length}`,
    'connection: close',
  ]
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]))
}

/** Answers with an envelope also what is no HTTP, or a method that needs a proxy. `onAnswer` is called for each. */
export function answerMalformed(server: Server, onAnswer: (status: number) => void): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const [status, message] = parserErrors[error.code ?? ''] ?? [400, 'this is not an HTTP request']
    onAnswer(status)
    endWith(socket, status, message)
  })
  server.on('connect', (_request, socket) => {
    onAnswer(405)
    socket.on('error', () => socket.destroy())
    endWith(socket, 405, 'this is no proxy: POST /api takes requests')
  })
}
