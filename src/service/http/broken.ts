import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { bare } from '../answer.js'

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
  const body = bare(status, message).chunks[0] as Buffer
  const head = [
    `HTTP/1.1 ${status} ${reasons[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${body.length}`,
    'connection: close',
  ]
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]))
}

/** Also what is no HTTP, or a manner of it that is not spoken here, is answered with an envelope. `tell` hears of each. */
export function answerBroken(server: Server, tell: (status: number) => void): void {
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
