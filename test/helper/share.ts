import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { Archive } from '../../src/data/archive/archive.js'
import type { ArchivePlace } from '../../src/data/archive/store/store-of.js'
import { ArchiveWriter } from '../../src/data/archive/writer.js'
import type { Shares } from '../../src/server/service/share/tick-shares.js'
import { listen } from './listen.js'

/** Bytes that differ from day to day and from place to place. */
export function bytesOf(day: string, length: number, version = 0): Uint8Array {
  let state = (Number(day) + version * 7919) >>> 0
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state >>> 24
  })
}

/** Puts tick files into an archive, new or not. */
export async function putTicks(place: ArchivePlace, files: Readonly<Record<string, Uint8Array>>): Promise<void> {
  const writer = await ArchiveWriter.open(place)
  for (const [day, bytes] of Object.entries(files)) await writer.putTicks(day, bytes, 1)
  await writer.commit()
}

/** An archive of small tick files. */
export async function tickArchive(dir: string, days: readonly string[], length = 1000): Promise<Archive> {
  await putTicks(dir, Object.fromEntries(days.map((day) => [day, bytesOf(day, length)])))
  return new Archive(dir, 'test')
}

export interface ShareServer {
  /** `http://127.0.0.1:PORT` */
  readonly base: string
  readonly port: number
  close(): Promise<void>
}

/** Shares behind a socket of this machine. */
export async function serveShares(shares: Shares): Promise<ShareServer> {
  const server: Server = createServer((incoming, response) => {
    shares.handle(incoming, response).catch((error: unknown) => response.destroy(error as Error))
  })
  const { url: base, ...rest } = await listen(server)
  return { base, ...rest }
}

export interface Told {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

export interface Ask {
  readonly port: number
  readonly method?: string
  /** Sent as it stands. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** One request with a path that nobody normalises. */
export function tell({ port, method = 'GET', path, headers = {}, body }: Ask): Promise<Told> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method, path, headers, agent: false }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

export function basic(password: string, user = 'anyone'): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
}
