import type { AddressInfo, Server } from 'node:net'

export interface Listening {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  readonly port: number
  /** Ends it and whatever is connected. */
  close(): Promise<void>
}

/** Has a server listen to this machine on a port that is free. */
export async function listen(server: Server & { closeAllConnections?(): void }): Promise<Listening> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections?.()
    })
  return { url: `http://127.0.0.1:${port}`, port, close }
}
