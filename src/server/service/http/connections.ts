import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { jsonType } from '../service-answer.js'
import { isProxy, type ProxyList } from './client-address.js'
import { networkOf, type ServiceLimits } from './service-load.js'

type Socket = IncomingMessage['socket']

interface Connection {
  /** Whose it is: see `networkOf`. */
  readonly network: string
  /** Requests that wait until the one before them is answered, and its answer taken; absent while none is. */
  readonly waiting?: (() => void)[]
}

/** Requests of one connection that may wait for an answer; a further one is told "busy". */
const pipelined = 32

/**
 * The connections of a server: how many there may be, of one network too, and the requests of each, one after the other. Who
 * comes when there is no room left takes the place of the connection that has waited longest.
 */
export class Connections {
  readonly #limits: ServiceLimits
  readonly #proxies: ProxyList | undefined
  /** Of those that wait for a request the one that has waited longest is first. */
  readonly #all = new Map<Socket, Connection>()
  /** Connections that there have been. */
  admitted = 0

  /** @param proxies connections of these are of many clients */
  constructor(server: Server, limits: ServiceLimits, proxies?: ProxyList) {
    this.#limits = limits
    this.#proxies = proxies
    server.timeout = limits.idleTime
    server.on('connection', (socket) => this.#admit(socket))
    // What has arrived while the process was at work is read before this: only then is it known that nothing has.
    server.on('timeout', (socket) => {
      const moved = socket.bytesRead + socket.bytesWritten
      setImmediate(() => socket.bytesRead + socket.bytesWritten === moved && socket.destroy())
    })
    // Node's own (which `close` calls too) cuts off answers that were ended and are still on their way.
    server.closeIdleConnections = () => {
      for (const [socket, { waiting }] of this.#all) if (!waiting) this.#drop(socket)
    }
  }

  /** Begins with a request when those before it on its connection are answered. `isRefused`: too many wait already. */
  take({ socket }: IncomingMessage, response: ServerResponse, begin: (isRefused: boolean) => void): void {
    const connection = this.#all.get(socket)
    if (!connection) return void response.destroy()
    const { network, waiting } = connection
    const start = (): void => {
      response.once('close', () => this.#next(socket))
      begin(false)
    }
    if (waiting && waiting.length >= pipelined) begin(true)
    else if (waiting) waiting.push(start)
    else {
      this.#all.set(socket, { network, waiting: [] })
      socket.setTimeout(this.#limits.idleTime)
      start()
    }
  }

  #admit(socket: Socket): void {
    const { connections, networkConnections, silentTime } = this.#limits
    const network = networkOf(socket.remoteAddress)
    const isRoom = (most: number, all: readonly (readonly [Socket, Connection])[]): boolean =>
      all.length < most || this.#giveWay(all)
    const own = [...this.#all].filter(([, one]) => one.network === network)
    const isOne = isProxy(this.#proxies, socket.remoteAddress) || isRoom(networkConnections, own)
    if (!isOne || !isRoom(connections, [...this.#all])) return void socket.destroy()
    this.admitted++
    this.#all.set(socket, { network })
    socket.setTimeout(silentTime)
    socket.once('close', () => this.#all.delete(socket))
  }

  #next(socket: Socket): void {
    const { network = '', waiting = [] } = this.#all.get(socket) ?? {}
    const next = socket.destroyed ? undefined : waiting.shift()
    // Whatever else the end of an answer means is done before the next request begins.
    if (next) queueMicrotask(next)
    else if (this.#all.delete(socket) && !socket.destroyed) this.#all.set(socket, { network })
  }

  /** Closes the connection that has waited longest: one that never asked before any other. */
  #giveWay(all: readonly (readonly [Socket, Connection])[]): boolean {
    const idle = all.filter(([, { waiting }]) => !waiting)
    const [socket] = idle.find(([{ bytesWritten }]) => bytesWritten === 0) ?? idle[0] ?? []
    if (socket) this.#drop(socket)
    return socket !== undefined
  }

  #drop(socket: Socket): void {
    this.#all.delete(socket)
    socket.destroy()
  }
}

/** By the code of the error that Node's parser has for a request. */
const parserErrors: Readonly<Record<string, readonly [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [431, 'the headers of the request are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [400, 'the chunk extensions of the request are too large'],
}

/** Answers with an envelope also what is no HTTP, or a method that needs a proxy. `onAnswer` is called for each. */
export function answerMalformed(server: Server, onAnswer: (status: number) => void): void {
  const endWith = (socket: Duplex, status: number, message: string): void => {
    onAnswer(status)
    const body = JSON.stringify({ code: status, message, data: null })
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: ${jsonType}`
    if (socket.writable) socket.end(`${head}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`)
    else socket.destroy()
  }
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    endWith(socket, ...(parserErrors[error.code ?? ''] ?? ([400, 'this is not an HTTP request'] as const)))
  })
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy())
    endWith(socket, 405, 'this is no proxy: POST /api takes requests')
  })
}
