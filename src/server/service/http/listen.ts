import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'

/** `http://127.0.0.1:8000` */
export function urlOf({ address, port }: Pick<AddressInfo, 'address' | 'port'>): string {
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}

/** Listens, and gives the address of it. @throws QuotebookError USAGE for an address that is taken, or none of this machine */
export function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === 'EADDRINUSE' ? sentence`something else listens there; choose another --port` : cause.message
      reject(new QuotebookError('USAGE', sentence`can not listen on ${host}:${port}: ${why}`, { cause }))
    })
    server.listen(port, host, () => {
      resolve(urlOf(server.address() as AddressInfo))
    })
  })
}

/**
 * Takes no more connections and ends; those under way after so many milliseconds at the latest. `isGentle`: a connection that
 * waits for a request is left to the time that is kept for it, so that a request which is on its way comes to an answer.
 */
export function stop(server: Server, grace: number, isGentle = false): Promise<void> {
  if (isGentle) server.closeIdleConnections = () => undefined
  return new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), grace + (isGentle ? server.keepAliveTimeout : 0))
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
