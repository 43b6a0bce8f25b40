import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { CachedSource } from '../../../../src/data/archive/coverage/cached-source.js'
import { HttpSource } from '../../../../src/data/source/http-source.js'
import { HttpClient, type HttpOptions } from '../../../../src/data/source/transport/http-client.js'
import { tempDir } from '../../../helper/temp.js'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

interface Raw {
  readonly url: string
  /** Heads of the requests. */
  readonly heads: string[]
  readonly sockets: ReadonlySet<Socket>
}

/** A server that writes what a test says when a request has come. */
async function raw(answer: (socket: Socket, n: number) => void): Promise<Raw> {
  const heads: string[] = []
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    let head = ''
    socket.on('data', (piece) => {
      head += String(piece)
      if (!head.endsWith('\r\n\r\n')) return
      heads.push(head)
      head = ''
      answer(socket, heads.length - 1)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  )
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heads, sockets }
}

function client(options: HttpOptions = {}): HttpClient {
  const http = new HttpClient({
    ...options,
    deadlines: { connect: 3000, headers: 3000, body: 3000, ...options.deadlines },
  })
  closers.push(() => http.close())
  return http
}

async function bytesOf(body: AsyncIterable<Uint8Array>, into: Buffer[] = []): Promise<Buffer> {
  for await (const piece of body) into.push(Buffer.from(piece))
  return Buffer.concat(into)
}

const body = Buffer.from(Array.from({ length: 5000 }, (_, i) => i % 251))
const plain = Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nX-A: b\r\n\r\n`), body])
const chunked = Buffer.concat([
  Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7d0\r\n'),
  body.subarray(0, 2000),
  Buffer.from('\r\nbb8\r\n'),
  body.subarray(2000),
  Buffer.from('\r\n0\r\n\r\n'),
])
const headOf = (answer: Buffer): number => answer.indexOf('\r\n\r\n') + 4

describe.each([
  ['with a length', plain],
  ['in chunks', chunked],
])('an answer %s that breaks off', (_, answer) => {
  test('at any byte is never taken for whole, and what came had come', async () => {
    let cut = 0
    let isReset = false
    const { url } = await raw((socket) => {
      socket.write(answer.subarray(0, cut), () => (isReset ? socket.resetAndDestroy() : socket.end()))
    })
    const http = client()
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: answer.length - 1 }), fc.boolean(), async (at, how) => {
        ;[cut, isReset] = [at, how]
        const into: Buffer[] = []
        const error = await http.open(url).then(
          ({ body: pieces }) =>
            bytesOf(pieces, into).then(
              () => undefined,
              (cause: unknown) => cause,
            ),
          (cause: unknown) => cause,
        )
        expect(error).toMatchObject({ code: 'CUT_OFF', retryable: true, node: url })
        const received = Buffer.concat(into)
        expect(Buffer.compare(received, body.subarray(0, received.length))).toBe(0)
        if (!isReset && answer === plain) expect(received.length).toBe(Math.max(0, cut - headOf(answer)))
      }),
      { numRuns: 60 },
    )
  })
})

test('a source asks again who is busy, and a cache passes it on', async () => {
  const { url, heads } = await raw((socket, n) => {
    socket.write(n === 0 ? 'HTTP/1.1 503 Busy\r\nContent-Length: 4\r\nRetry-After: 0\r\n\r\nbusy' : plain)
  })
  const source = new HttpSource({ nodes: [url], apikey: 's3cret', retry: { baseMs: 1 } })
  closers.push(() => source.close())
  const kept = new CachedSource(source, `${tempDir()}/kept`)
  expect(Buffer.compare(await bytesOf((await kept.open(`${url}/x`)).body), body)).toBe(0)
  expect(heads.map((head) => head.split('\r\n', 1)[0])).toEqual(['GET /x HTTP/1.1', 'GET /x HTTP/1.1'])
  expect(heads.join()).not.toContain('s3cret')
})
