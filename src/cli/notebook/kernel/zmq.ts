import type { KernelConnection } from './wire.js'

/** What is used of zeromq 6, which comes with tslab. */
export interface Socket extends AsyncIterable<Buffer[]> {
  bind(address: string): Promise<void>
  send(frames: readonly (string | Buffer)[]): Promise<void>
  close(): void
}

export interface Zmq {
  readonly Publisher: new () => Socket
  readonly Router: new () => Socket
  readonly Reply: new () => Socket
}

export async function bind(socket: Socket, { transport, ip }: KernelConnection, port: number): Promise<void> {
  const before = transport === 'ipc' ? '-' : ':'
  await socket.bind(`${transport}://${ip}${before}${port}`)
}
