import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { chances } from './chance.js'

/** What there is to play with: the honest body of a request, and where it goes. */
interface Act {
  readonly body: Buffer
  readonly response: ServerResponse
  readonly socket: Socket
  readonly chance: () => number
}

const json = { 'content-type': 'application/json' }

function whole({ body, response }: Act, headers: Record<string, string> = {}): void {
  response.writeHead(200, { ...json, 'content-length': body.length, ...headers }).end(body)
}

function refuse({ response }: Act, status: number, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers }).end(body)
}

function envelope(code: number): string {
  return JSON.stringify({ code, message: 'played', data: null })
}

/** The first column under another name. */
function renamed({ body }: Act): Buffer {
  return Buffer.from(body.toString().replace('"fields":["', '"fields":["not_'))
}

/** How often each manner is played, and what it does. */
const manners = {
  honest: [50, (act: Act) => whole(act)],
  gzip: [8, ({ body, ...act }: Act) => whole({ ...act, body: gzipSync(body) }, { 'content-encoding': 'gzip' })],
  late: [
    5,
    async (act: Act) => {
      await sleep(10 + 90 * act.chance())
      whole(act)
    },
  ],
  drip: [
    5,
    async ({ body, response, chance }: Act) => {
      response.writeHead(200, { ...json, 'content-length': body.length })
      const size = Math.ceil(body.length / 5)
      for (let at = 0; at < body.length && !response.destroyed; at += size) {
        response.write(body.subarray(at, at + size))
        await sleep(1 + 5 * chance())
      }
      response.end()
    },
  ],
  closing: [
    3,
    (act: Act) => {
      act.response.once('finish', () => setTimeout(() => act.socket.destroy(), 2 * act.chance()))
      whole(act)
    },
  ],
  reset: [5, ({ socket }: Act) => void socket.resetAndDestroy()],
  half: [
    5,
    async ({ body, response, socket, chance }: Act) => {
      response.writeHead(200, { ...json, 'content-length': body.length })
      response.write(body.subarray(0, body.length >> 1))
      await sleep(3)
      if (chance() < 0.5) socket.resetAndDestroy()
      else socket.destroy()
    },
  ],
  halfGzip: [
    2,
    ({ body, ...act }: Act) => {
      const bytes = gzipSync(body)
      whole({ ...act, body: bytes.subarray(0, bytes.length >> 1) }, { 'content-encoding': 'gzip' })
    },
  ],
  slower: [3, (act: Act) => refuse(act, 429, envelope(429), { 'retry-after': '0.01' })],
  slowerUntold: [3, (act: Act) => refuse(act, 429, '')],
  busyPage: [3, (act: Act) => refuse(act, 503, '<html>busy</html>', { 'content-type': 'text/html' })],
  busy: [4, (act: Act) => refuse(act, 200, envelope(503), json)],
  silent: [0.4, () => {}],
  page: [0.5, (act: Act) => refuse(act, 200, '<html><title>log in</title></html>', { 'content-type': 'text/html' })],
  forbidden: [0.5, (act: Act) => refuse(act, 200, envelope(403), json)],
  strange: [0.5, (act: Act) => whole({ ...act, body: renamed(act) })],
} as const satisfies Record<string, readonly [weight: number, play: (act: Act) => void | Promise<void>]>

export type Manner = keyof typeof manners

const names = Object.keys(manners) as Manner[]
const weight = names.reduce((sum, name) => sum + manners[name][0], 0)

function pick(chance: number): Manner {
  let left = chance * weight
  for (const name of names) {
    left -= manners[name][0]
    if (left < 0) return name
  }
  return 'honest'
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}

async function honestAnswer(upstream: string, body: string): Promise<Buffer> {
  const answer = await fetch(`${upstream}/api`, { method: 'POST', body, headers: json })
  if (!answer.ok) throw new Error(`the honest service answers ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}

export interface SoakServer {
  readonly url: string
  /** Open connections now. */
  readonly sockets: number
  /** Requests that were not answered to the end and whose connection is still open. */
  readonly waiting: number
  /** How often each manner was played so far. */
  readonly played: ReadonlyMap<Manner, number>
  close(): Promise<void>
}

/**
 * An honest service behind a line that breaks, stalls, refuses and lies at random. Every answer is fetched once and kept, so
 * that the server itself comes to rest.
 */
export async function soakServer(upstream: string, seed: number): Promise<SoakServer> {
  const chance = chances(seed)
  const played = new Map<Manner, number>()
  const known = new Map<string, Promise<Buffer>>()
  const open = new Set<Socket>()
  const waiting = new Set<Socket>()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(request)
    if (!known.has(text)) known.set(text, honestAnswer(upstream, text))
    const body = (await known.get(text)) as Buffer
    const manner = pick(chance())
    played.set(manner, (played.get(manner) ?? 0) + 1)
    await manners[manner][1]({ body, response, socket: request.socket, chance })
  }

  const server = createServer((request, response) => {
    waiting.add(request.socket)
    response.once('close', () => waiting.delete(request.socket))
    answer(request, response).catch((error: unknown) => {
      // A client that goes away in the middle is one of the things that happen here.
      if (!request.destroyed && !response.destroyed) response.writeHead(500).end(String(error))
    })
  })
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get sockets() {
      return open.size
    },
    get waiting() {
      return [...waiting].filter((socket) => !socket.destroyed).length
    },
    played,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
