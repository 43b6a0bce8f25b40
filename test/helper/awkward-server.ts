import { createServer, type Server, type Socket } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'

/** A request as it came. */
export interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Parsed; the text where it is not JSON. */
  readonly body: unknown
}

/** What a script has in its hands: a request, and the socket on which it is to be answered. */
export interface Line {
  readonly socket: Socket
  readonly request: Request
  write(data: string | Uint8Array): void
  /** Ends the script when the socket is closed meanwhile. */
  wait(milliseconds: number): Promise<void>
}

/** How one request is answered. A connection that a script leaves open takes the next request. */
export type Script = (line: Line) => void | Promise<void>

type Encoding = 'gzip' | 'br' | 'deflate' | 'raw-deflate'

export interface ReplyOptions {
  readonly status?: number
  /** Instead of, or beside, those that the reply would have; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly encoding?: Encoding
  readonly chunked?: boolean
}

/** What happens to the connection after the half of something was sent. */
type Ending = 'reset' | 'close' | 'stall'

const compressors: Record<Encoding, (body: Buffer) => Buffer> = {
  gzip: (body) => gzipSync(body),
  br: (body) => brotliCompressSync(body),
  deflate: (body) => deflateSync(body),
  'raw-deflate': (body) => deflateRawSync(body),
}

function head(status: number, headers: Readonly<Record<string, string | undefined>>): string {
  const lines = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))
  return [`HTTP/1.1 ${status} Whatever`, ...lines, '', ''].join('\r\n')
}

function chunk(body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')])
}

function end({ socket }: Line, how: Ending): void {
  if (how === 'reset') socket.resetAndDestroy()
  if (how === 'close') socket.end()
}

/** Leaves the connection as it is until the client closes it. */
function stay({ socket }: Line): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve())
  })
}

async function finish(line: Line, how: Ending): Promise<void> {
  // What was written has to be read before a reset throws it away.
  await line.wait(30)
  end(line, how)
  await stay(line)
}

function typed(type: string, body: string | Uint8Array, options: ReplyOptions): Script {
  return (line) => {
    const { status = 200, chunked = false, encoding } = options
    const plain = Buffer.from(body)
    const bytes = encoding ? compressors[encoding](plain) : plain
    const framing = chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(bytes.length) }
    const packed = encoding ? { 'content-encoding': encoding === 'raw-deflate' ? 'deflate' : encoding } : {}
    line.write(head(status, { 'content-type': type, ...framing, ...packed, ...options.headers }))
    if (!chunked) return line.write(bytes)
    const middle = bytes.length >> 1
    if (middle > 0) line.write(chunk(bytes.subarray(0, middle)))
    line.write(chunk(bytes.subarray(middle)))
    if (bytes.length > 0) line.write('0\r\n\r\n')
  }
}

const json = (value: unknown, options: ReplyOptions = {}) => typed('application/json', JSON.stringify(value), options)
const html = (status = 200, options: ReplyOptions = {}) =>
  typed('text/html', `<html><body><h1>${status}</h1></body></html>`, { status, ...options })
const raw = (text: string | Uint8Array, options: ReplyOptions = {}) => typed('application/json', text, options)

/** Every awkward manner. `value` is what an honest server would send as JSON. */
export const reply = {
  json,
  html,
  /** A body as given, under the name of JSON. */
  raw,
  /** Bytes as given, without a head. */
  bytes:
    (data: string | Uint8Array): Script =>
    async (line) => {
      line.write(data)
      await finish(line, 'close')
    },
  empty: () => raw(''),
  tooMany: (retryAfter?: string, headers: ReplyOptions['headers'] = {}) =>
    json({ code: 429, message: 'slower' }, { status: 429, headers: { 'retry-after': retryAfter, ...headers } }),
  truncatedGzip: (value: unknown, kind: 'gzip' | 'br' | 'deflate' = 'gzip'): Script => {
    const bytes = compressors[kind](Buffer.from(JSON.stringify(value)))
    return raw(bytes.subarray(0, bytes.length >> 1), { headers: { 'content-encoding': kind } })
  },
  /** So many mebibytes of zeros, in a thousandth of their size. */
  bomb: (mebibytes: number): Script => {
    const members = Array(mebibytes).fill(gzipSync(Buffer.alloc(2 ** 20)))
    return raw(Buffer.concat(members), { headers: { 'content-encoding': 'gzip' } })
  },
  garbage: () => reply.bytes('SSH-2.0-awkward\r\n'),
  reset: (): Script => (line) => end(line, 'reset'),
  close: (): Script => (line) => end(line, 'close'),
  silence: (): Script => stay,
  halfHead:
    (how: Ending): Script =>
    async (line) => {
      line.write('HTTP/1.1 200 OK\r\ncontent-type: application/js')
      await finish(line, how)
    },
  halfBody:
    (value: unknown, how: Ending, { chunked = false } = {}): Script =>
    async (line) => {
      const bytes = Buffer.from(JSON.stringify(value))
      const half = bytes.subarray(0, bytes.length >> 1)
      line.write(head(200, chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(bytes.length) }))
      line.write(chunked ? chunk(half) : half)
      await finish(line, how)
    },
  /** More is announced than comes; the connection is closed, or stays open. */
  lengthTooLong:
    (value: unknown, how: Ending = 'close'): Script =>
    async (line) => {
      const text = JSON.stringify(value)
      line.write(head(200, { 'content-length': String(Buffer.byteLength(text) + 7) }) + text)
      await finish(line, how)
    },
  /** Nothing tells the length: the body ends with the connection, after so many bytes of it. */
  unframed:
    (value: unknown, { how = 'close' as Ending, bytes = Infinity } = {}): Script =>
    async (line) => {
      line.write(head(200, { 'content-type': 'application/json', connection: 'close' }))
      line.write(Buffer.from(JSON.stringify(value)).subarray(0, bytes))
      await finish(line, how)
    },
  /** One byte of the body at a time. */
  drip:
    (value: unknown, everyMs: number): Script =>
    async (line) => {
      const bytes = Buffer.from(JSON.stringify(value))
      line.write(head(200, { 'content-type': 'application/json', 'content-length': String(bytes.length) }))
      for (const byte of bytes) {
        await line.wait(everyMs)
        line.write(Uint8Array.of(byte))
      }
    },
  /** Another reply after a while. */
  late:
    (milliseconds: number, script: Script): Script =>
    async (line) => {
      await line.wait(milliseconds)
      await script(line)
    },
  /** Another reply, then the connection is closed without a word of it before. */
  thenClose:
    (script: Script, afterMs = 0): Script =>
    async (line) => {
      await script(line)
      await line.wait(afterMs)
      line.socket.end()
    },
}

export interface Awkward {
  /** Base address, without /api. */
  readonly url: string
  readonly requests: readonly Request[]
  /** Scripts of the next requests, in order of arrival. */
  next(...scripts: readonly Script[]): void
  /** The script of every request that `next` has none for. */
  always(choose: (request: Request) => Script | Promise<Script>): void
  /** Waits until so many connections are open. */
  settled(sockets?: number): Promise<void>
  close(): Promise<void>
}

/** Ends a script whose socket is gone. */
class Gone extends Error {}

function lineOf(socket: Socket, request: Request): Line {
  return {
    socket,
    request,
    write(data) {
      if (!socket.destroyed && socket.writable) socket.write(data)
    },
    wait: (milliseconds) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Gone())
        const gone = (): void => {
          clearTimeout(timer)
          reject(new Gone())
        }
        const timer = setTimeout(() => {
          socket.off('close', gone)
          resolve()
        }, milliseconds)
        socket.once('close', gone)
      }),
  }
}

/** The first request in the bytes that came, and what comes after it. */
function parse(bytes: Buffer): { request: Request; rest: Buffer } | undefined {
  const at = bytes.indexOf('\r\n\r\n')
  if (at < 0) return undefined
  const [first = '', ...lines] = bytes.subarray(0, at).toString('latin1').split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const to = at + 4 + Number(headers['content-length'] ?? 0)
  if (bytes.length < to) return undefined
  const text = bytes.subarray(at + 4, to).toString()
  const [method = '', path = ''] = first.split(' ')
  let body: unknown = text
  try {
    body = JSON.parse(text)
  } catch {}
  return { request: { method, path, headers, body }, rest: bytes.subarray(to) }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })
}

/** An address where nobody listens. */
export async function nowhere(): Promise<string> {
  const server = createServer()
  const port = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

/** A server on this machine that answers as its scripts say, and remembers what it was asked. */
export async function awkward(): Promise<Awkward> {
  const requests: Request[] = []
  const scripts: Script[] = []
  const open = new Set<Socket>()
  let choose: (request: Request) => Script | Promise<Script> = () => raw('no script is left', { status: 500 })

  async function answer(socket: Socket, request: Request): Promise<void> {
    requests.push(request)
    const script = scripts.shift() ?? (await choose(request))
    try {
      await script(lineOf(socket, request))
    } catch (error) {
      if (!(error instanceof Gone)) throw error
    }
  }

  function serve(socket: Socket): void {
    let bytes: Buffer = Buffer.alloc(0)
    let busy = false
    const go = async (): Promise<void> => {
      const found = busy ? undefined : parse(bytes)
      if (!found) return
      bytes = found.rest
      busy = true
      await answer(socket, found.request)
      busy = false
      await go()
    }
    socket.on('data', (data) => {
      bytes = Buffer.concat([bytes, data])
      void go()
    })
  }

  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    serve(socket)
  })
  const port = await listen(server)
  // A socket that was reset may never tell that it is closed.
  const living = (): number => [...open].filter((socket) => !socket.destroyed).length

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    next: (...more) => void scripts.push(...more),
    always(chosen) {
      choose = chosen
    },
    async settled(sockets = 0) {
      for (let n = 0; living() !== sockets; n++) {
        if (n === 500) throw new Error(`${living()} connections are open, not ${sockets}`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
