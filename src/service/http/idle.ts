import type { IncomingMessage, Server } from 'node:http'

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
