import { type FileServer, has, startServer } from './server-process.js'

/** Redis on loopback, with a folder of its own. */
export interface RedisServer extends Pick<FileServer, 'stop'> {
  /** `redis://127.0.0.1:PORT` */
  readonly url: string
  /** Ends it and starts it again at the same port: with what it had where it keeps that, else empty. */
  restart(): Promise<void>
}

/** Whether there is one. In CI a missing one is an error. */
export const hasRedis = (): boolean => has('redis-server')

/**
 * @param keeps whether each write is on disk before it is answered, or nothing ever is
 * @param more lines of its configuration
 */
export async function redisServer({ keeps = false, password = '', more = '' } = {}): Promise<RedisServer> {
  const config = (port: number, own: string): string => `
bind 127.0.0.1
port ${port}
dir "${own}"
save ""
appendonly ${keeps ? 'yes' : 'no'}
appendfsync always
${password && `requirepass "${password}"`}
${more}
`
  const server = await startServer({ binary: 'redis-server', config, args: (path) => [path] }, {})
  const url = server.url.replace('http:', 'redis:').replace(/\/$/, '')
  return { url, stop: () => server.stop(), restart: () => server.restart() }
}
