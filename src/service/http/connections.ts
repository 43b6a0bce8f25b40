import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { envelope } from '../service-answer.js'

type Socket = IncomingMessage['socket']

/** Requests that are being answered, by connection. */
export interface UnderWay {
  begin(socket: Socket): void
  end(socket: Socket): void
}

/**
 * Lets a server close the connections that wait for a further request, and no other: Node's own `closeIdleConnections`
 * (which `close` calls too) cuts off answers that were ended and are still on their way.
 */
export function closeOnlyIdle(server: Server): UnderWay {
  const open = new Map<Socket, number>()
  const count = (socket: Socket, more: number): void => {
    const now = open.get(socket)
    if (now !== undefined) open.set(socket, now + more)
  }
  server.on('connection', (socket) => {
    open.set(socket, 0)
    socket.once('close', () => open.delete(socket))
  })
  server.closeIdleConnections = () => {
    for (const [socket, answers] of open) if (answers === 0 && socket.writableLength === 0) socket.destroy()
  }
  return { begin: (socket) => count(socket, 1), end: (socket) => count(socket, -1) }
}

/** Smaller answers take little room however slowly they are read. */
const small = 2 ** 16

/** Large answers that were written and that their readers have not taken yet. */
export interface OnTheWay {
  readonly bytes: number
  /** Counts an answer of so many bytes until it is taken, or nobody is there any more. */
  add(request: IncomingMessage, response: ServerResponse, bytes: number): void
}

export function onTheWay(): OnTheWay {
  let all = 0
  const open = new Map<IncomingMessage['socket'], number>()
  const count = (socket: IncomingMessage['socket'], more: number): void => {
    open.set(socket, (open.get(socket) ?? 0) + more)
    all += more
  }
  return {
    get bytes() {
      return all
    },
    add({ socket }, response, bytes) {
      if (bytes < small || socket.destroyed) return
      if (!open.has(socket)) {
        socket.once('close', () => {
          all -= open.get(socket) ?? 0
          open.delete(socket)
        })
      }
      count(socket, bytes)
      response.once('close', () => {
        if (open.has(socket)) count(socket, -bytes)
      })
    },
  }
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  417: 'Expectation Failed',
  431: 'Request Header Fields Too Large',
}

const said: Readonly<Record<string, readonly [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [431, 'the headers of the request are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [400, 'the chunk extensions of the request are too large'],
}

function close(socket: Duplex, status: number, message: string): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = envelope(status, message).chunks[0] as Buffer
  const head = [
    `HTTP/1.1 ${status} ${reasons[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${body.length}`,
    'connection: close',
  ]
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]))
}

/** Also what is no HTTP, or a manner of it that is not spoken here, is answered with an envelope. `tell` hears of each. */
export function answerMalformed(server: Server, tell: (status: number) => void): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const [status, message] = said[error.code ?? ''] ?? [400, 'this is not an HTTP request']
    tell(status)
    close(socket, status, message)
  })
  server.on('connect', (_request, socket) => {
    tell(405)
    socket.on('error', () => socket.destroy())
    close(socket, 405, 'this is no proxy: POST /api takes requests')
  })
}
