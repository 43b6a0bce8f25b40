import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { afterEach, expect } from 'vitest'
import { openLinks } from '../../../../src/data/source/linked-files.js'
import type { OpenedFile, TickShare } from '../../../../src/data/ticks/share/file-share.js'
import { openShare, type ShareLinkOptions } from '../../../../src/data/ticks/share/open-share.js'
import { listen } from '../../../helper/listen.js'

const closers: (() => Promise<void>)[] = []
/* Of the file that imports this: its servers and connections end with each test. */
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

export function closing(close: () => Promise<void>): void {
  closers.push(close)
}

/** A share by connections that give up soon. */
export function impatientShare(link: string, options: ShareLinkOptions): TickShare {
  const deadlines = { connect: 5000, headers: 5000, body: 5000 }
  const links = openLinks({ deadlines, retry: { baseMs: 1, capMs: 2, attempts: 3 } })
  closing(() => links.close())
  return openShare(link, { links, ...options })
}

export async function all({ body }: Pick<OpenedFile, 'body'>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(Uint8Array.from(piece))
  return Buffer.concat(pieces)
}

/** The error of a promise, in which none of the secrets is found. */
export async function failure(
  promise: Promise<unknown>,
  secrets: readonly string[] = [],
): Promise<Error & { code?: string; status?: number }> {
  const error = (await promise.then(
    () => undefined,
    (cause: unknown) => cause,
  )) as Error & { code?: string; status?: number }
  expect(error).toBeInstanceOf(Error)
  const said = inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true })
  for (const secret of secrets) expect(said).not.toContain(secret)
  return error
}

export interface Scripted {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  /** `GET /path` of every request, and the headers that it came with. */
  readonly requests: { readonly line: string; readonly headers: IncomingMessage['headers'] }[]
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A server that does what a test says. */
export async function scripted(answer: Answer): Promise<Scripted> {
  const requests: Scripted['requests'] = []
  const server = createServer((request, response) => {
    requests.push({ line: `${request.method} ${request.url}`, headers: request.headers })
    answer(request, response)
  })
  server.on('connection', (socket) => socket.on('error', () => {}))
  const { url, close } = await listen(server)
  closing(close)
  return { url, requests }
}
