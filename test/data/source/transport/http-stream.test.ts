import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { CachedSource } from '../../../../src/data/archive/coverage/cached-source.js'
import { HttpSource } from '../../../../src/data/source/http-source.js'
import { HttpClient, type HttpOptions } from '../../../../src/data/source/transport/http-client.js'
import { nowhere } from '../../../helper/awkward-server.js'
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

test('head and body as they come, again and again on one connection', async () => {
  const { url, heads, sockets } = await raw((socket, n) => void socket.write(n % 2 ? chunked : plain))
  const http = client()
  for (let i = 0; i < 6; i++) {
    const answer = await http.open(`${url}/a/b?c=d`, {
      method: i % 3 ? 'GET' : 'PROPFIND',
      headers: { depth: '1', range: 'bytes=0-' },
    })
    expect([answer.status, answer.node, answer.retryAfter]).toEqual([200, url, undefined])
    if (i % 2 === 0) expect(answer.headers).toMatchObject({ 'content-length': '5000', 'x-a': 'b' })
    expect(Buffer.compare(await bytesOf(answer.body), body)).toBe(0)
  }
  expect(sockets.size).toBe(1)
  expect(heads[0]).toMatch(/^PROPFIND \/a\/b\?c=d HTTP\/1\.1\r\n/)
  expect(heads[1]).toMatch(/^GET \/a\/b\?c=d HTTP\/1\.1\r\n/)
  for (const head of heads) expect(head).toMatch(/accept-encoding: identity\r\n[\s\S]*depth: 1\r\nrange: bytes=0-\r\n/)
})

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

test('deadlines: to the head, and between pieces; not for the whole', async () => {
  const { url } = await raw((socket, n) => {
    if (n === 1) socket.write(plain.subarray(0, 200))
    if (n === 2) {
      for (let i = 0; i < 10; i++) setTimeout(() => socket.write(plain.subarray(i * 600, (i + 1) * 600)), 40 * i)
    }
  })
  const http = client({ deadlines: { headers: 200, body: 200, call: 1 } })
  await expect(http.open(`${url}/s3cret`)).rejects.toMatchObject({ code: 'TIMEOUT', status: undefined })
  const { body: stalled } = await http.open(`${url}/s3cret`)
  await expect(bytesOf(stalled)).rejects.toMatchObject({ code: 'TIMEOUT', status: 200 })
  const { body: slow } = await http.open(url)
  expect(Buffer.compare(await bytesOf(slow), body)).toBe(0)
})

test('errors name the host alone', async () => {
  const { url } = await raw((socket) => void socket.end('SSH-2.0-x\r\n\r\n'))
  const http = client()
  for (const address of [
    `${url}/s3cret?key=s3cret`,
    `${await nowhere()}/s3cret`,
    'http://user:s3cret@host.example/',
    's3cret',
  ]) {
    const error = await http.open(address, { headers: { authorization: 's3cret' } }).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ code: expect.stringMatching(/^(ENVELOPE|UNREACHABLE|FILE)$/) })
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('s3cret')
  }
})

test('closing ends what is being read, with a word', async () => {
  const { url, sockets } = await raw((socket) => void socket.write(plain.subarray(0, 200)))
  const http = new HttpClient()
  const { body: pieces } = await http.open(url)
  const reading = bytesOf(pieces)
  const closing = http.close()
  await expect(reading).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining('was closed') })
  await closing
  await expect(http.open(url)).rejects.toMatchObject({ code: 'USAGE' })
  for (let tries = 0; sockets.size > 0 && tries < 1000; tries++) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(sockets.size).toBe(0)
})

test('readers that do not read hold nobody up but themselves', async () => {
  const big = Buffer.alloc(2 ** 22)
  const { url } = await raw((socket, n) => {
    if (n < 8) socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${2 * big.length}\r\n\r\n`)
    socket.write(n < 8 ? big : plain)
  })
  const http = client({ connections: 2, deadlines: { body: 100 } })
  const bodies = await Promise.all(Array.from({ length: 8 }, () => http.open(url)))
  expect(Buffer.compare(await bytesOf((await http.open(url)).body), body)).toBe(0)
  expect((await http.get(url)).bytes.length).toBe(body.length)
  await new Promise((resolve) => setTimeout(resolve, 300))
  for (const { body: pieces } of bodies) for await (const _ of pieces) break
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
