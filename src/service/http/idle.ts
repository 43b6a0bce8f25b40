import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/**
 * Lets a server close the connections that wait for a further request, and no other: Node's own `closeIdleConnections`
 * (which `close` calls too) cuts off answers that were ended and are still on their way.
 */
export function closeOnlyIdle(server: Server): void {
  /** Answers under way by connection. */
  const open = new Map<IncomingMessage['socket'], number>()
  const count = (socket: IncomingMessage['socket'], more: number): void => {
    const now = open.get(socket)
    if (now !== undefined) open.set(socket, now + more)
  }
  const taken = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    count(socket, 1)
    response.once('close', () => count(socket, -1))
  }
  server.on('connection', (socket) => {
    open.set(socket, 0)
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', taken)
  server.on('checkExpectation', taken)
  server.closeIdleConnections = () => {
    for (const [socket, answers] of open) if (answers === 0) socket.destroy()
  }
}
