import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { QuotebookError } from '../../contract/error.js'

/** Listens, and gives the address of it. @throws QuotebookError USAGE for an address that is taken, or none of this machine */
export function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'something else listens there; choose another --port' : cause.message
      reject(new QuotebookError('USAGE', `can not listen on ${host}:${port}: ${why}`, { cause }))
    })
    server.listen(port, host, () => {
      const { family, address, port: own } = server.address() as AddressInfo
      resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${own}`)
    })
  })
}

/** Takes no more connections and ends; those under way after so many milliseconds at the latest. */
export function stop(server: Server, grace: number): Promise<void> {
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
