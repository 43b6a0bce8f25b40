import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { envelope } from '../service-answer.js'

type Socket = IncomingMessage['socket']

/**
 * Lets a server close the connections that wait for a further request, and no other: Node's own `closeIdleConnections`
 * (which `close` calls too) cuts off answers that were ended and are still on their way.
 * @returns to be called with each request that is being answered on a connection
 */
export function closeOnlyIdle(server: Server): (socket: Socket, answered: Promise<void>) => void {
  /** Requests that are being answered, by connection. */
  const active = new Map<Socket, number>()
  const count = (socket: Socket, more: number): void => {
    const now = active.get(socket)
    if (now !== undefined) active.set(socket, now + more)
  }
  server.on('connection', (socket) => {
    active.set(socket, 0)
    socket.once('close', () => active.delete(socket))
  })
  server.closeIdleConnections = () => {
    for (const [socket, requests] of active) if (requests === 0 && socket.writableLength === 0) socket.destroy()
  }
  return (socket, answered) => {
    count(socket, 1)
    void answered.finally(() => count(socket, -1))
  }
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
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
    `HTTP/1.1 ${status} ${reasons[status]}`,
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
