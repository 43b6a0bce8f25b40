import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { inspect } from 'node:util'
import { expect } from 'vitest'
import { openLinks } from '../../../../src/data/source/linked-files.js'
import type { OpenedFile } from '../../../../src/data/ticks/share/file-share.js'
import { listen } from '../../../helper/listen.js'

/** Connections that give up soon. */
export function impatient(deadline = 5000): ReturnType<typeof openLinks> {
  const deadlines = { connect: deadline, headers: deadline, body: deadline }
  return openLinks({ deadlines, retry: { baseMs: 1, capMs: 2, attempts: 3 } })
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
  /** Connections that are open. */
  readonly sockets: ReadonlySet<Socket>
  close(): Promise<void>
}

/** A server that does what a test says. */
export async function scripted(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Scripted> {
  const requests: Scripted['requests'] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    requests.push({ line: `${request.method} ${request.url}`, headers: request.headers })
    answer(request, response)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
  })
  const { url, close } = await listen(server)
  return { url, requests, sockets, close }
}

export async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 2000 && !isSo(); tries++) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(isSo()).toBe(true)
}
