import { Agent, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chances } from '../helper/chance.js'
import { type Fuzz, fuzzed, type Opened } from '../helper/fuzz-requests.js'
import { type Memory, type ServerProcess, serverProcess } from '../helper/fuzz-server.js'

/** FUZZ=100000 for the whole of it; SEED for another. */
const count = Number(process.env.FUZZ ?? 20_000)
const seed = Number(process.env.SEED ?? 5)
const atOnce = 24
/** Nothing here takes so long: what does is a hang. */
const patience = 20_000
/** What a process may hold more after it than before: code that has become warm, and the few rows kept. */
const margin = 24 * 2 ** 20

let server: ServerProcess
let opened: Opened
const agent = new Agent({ keepAlive: true, maxSockets: atOnce })

beforeAll(async () => {
  server = await serverProcess()
  const { data } = await server.ask<{ data: { url: string; password: string } }>('shares')
  const { pathname } = new URL(data.url)
  opened = {
    paths: [pathname, pathname.slice(0, -1), `${pathname.slice(0, -3)}AA/`, '/share/', '/share/x/'],
    authorization: `Basic ${Buffer.from(`any:${data.password}`).toString('base64')}`,
  }
})
afterAll(() => {
  agent.destroy()
  server.kill()
})

interface Got {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** The last requests of a connection. */
const asked = new WeakMap<Socket, readonly string[]>()

function exchange({ method, path, headers, body }: Exclude<Fuzz, { raw: Buffer }>): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: server.port, agent, method, path, headers, timeout: patience })
    sent.on('socket', (socket) => {
      const all = [
        ...(asked.get(socket) ?? []),
        `${method} ${path.slice(0, 100)} ${JSON.stringify(headers).slice(0, 200)}`,
      ]
      asked.set(socket, all.slice(-3))
      sent.on('timeout', () =>
        sent.destroy(new Error(`no answer on a connection that was asked ${all.slice(-3).join(', ')}`)),
      )
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
    sent.end(body)
  })
}

function throughSocket(bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(server.port, '127.0.0.1')
    socket.setTimeout(patience, () => socket.destroy(new Error('no answer, and no end')))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      // What is still being sent when the service has said its last word comes back as that.
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(Buffer.concat(chunks)) : reject(error),
    )
    socket.on('close', () => resolve(Buffer.concat(chunks)))
    socket.end(bytes)
  })
}

const statuses = new Set([200, 206, 207, 301, 304, 400, 401, 403, 404, 405, 408, 412, 413, 416, 417, 429, 431])
const codes = new Set([200, 1002, 400, 403, 404, 405, 408, 413, 417, 422, 429, 431, 503])
const leaks = [process.cwd(), tmpdir(), 'node_modules', 'data/sample', 'node:internal']

function unpacked({ headers, body }: Got): string {
  const coding = headers['content-encoding']
  return (coding === 'gzip' ? gunzipSync(body) : coding === 'br' ? brotliDecompressSync(body) : body).toString()
}

/** What is wrong with an answer. */
function complaint(text: string, status: number, isJson: boolean): string | undefined {
  if (!statuses.has(status)) return `HTTP status ${status}`
  const leak = leaks.find((path) => text.includes(path))
  if (leak !== undefined) return `it names ${leak}`
  if (/\n\s+at \S+/.test(text)) return 'it has a stack trace'
  if (!isJson) return undefined
  let envelope: { code?: unknown; message?: unknown; data?: unknown }
  try {
    envelope = JSON.parse(text)
  } catch {
    return 'it is no JSON'
  }
  if (!codes.has(envelope.code as number)) return `code ${envelope.code}`
  if (envelope.data === undefined) return 'there is no data'
  return typeof envelope.message === 'string' ? undefined : 'there is no message'
}

const tally = new Map<string, number>()
const note = (what: string): void => {
  tally.set(what, (tally.get(what) ?? 0) + 1)
}

async function judged(fuzz: Fuzz): Promise<string | undefined> {
  if ('raw' in fuzz) {
    const text = (await throughSocket(fuzz.raw)).toString('latin1')
    // Line ends alone are no request yet.
    if (text === '') return /^[\r\n]*$/.test(fuzz.raw.toString('latin1')) ? undefined : 'no answer at all'
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1])
    note(`raw ${status}`)
    const isJson = /^content-type: application\/json/im.test(text) && !text.startsWith('HTTP/1.1 100')
    return complaint(
      text.slice(text.indexOf('\r\n\r\n') + 4),
      status === 100 ? 200 : status,
      isJson && !/content-encoding|HTTP.*HTTP\/1\.1/is.test(text) && !fuzz.raw.toString('latin1').startsWith('HEAD'),
    )
  }
  const got = await exchange(fuzz)
  const path = fuzz.path.replace(/^https?:\/\/[^/]*/i, '').split(/[?#]/)[0] ?? ''
  const isOther =
    /^\/(share\/|page\/|metrics$|openapi\.json$|$)/.test(path) &&
    got.status !== 405 &&
    !(path.startsWith('/page/') && got.status === 404)
  const isJson = !isOther && fuzz.method !== 'HEAD'
  if (got.headers.location !== undefined && !/^[\w-]+\/$/.test(got.headers.location)) return 'it leads elsewhere'
  const text = fuzz.method === 'HEAD' ? '' : unpacked(got)
  const wrong = complaint(text, got.status, isJson && !path.startsWith('/share/'))
  const apiCode = path === '/api' && isJson ? (JSON.parse(text) as { code: number }).code : ''
  note(`${path === '/api' ? 'api' : 'other'} ${got.status} ${apiCode}`)
  if (wrong === undefined && fuzz.method !== 'HEAD' && got.headers['content-length'] !== undefined) {
    if (Number(got.headers['content-length']) !== got.body.length) return 'its length is wrong'
  }
  return wrong
}

function shown(fuzz: Fuzz): string {
  if ('raw' in fuzz) return JSON.stringify(fuzz.raw.toString('latin1')).slice(0, 600)
  const { method, path, headers, body } = fuzz
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${JSON.stringify(body?.toString('latin1') ?? '').slice(0, 600)}`
}

/** Asks so many times; gives what was wrong, with the request that it followed. */
async function spray(chance: () => number, times: number): Promise<string[]> {
  const wrong: string[] = []
  let left = times
  const asker = async (): Promise<void> => {
    while (left-- > 0 && wrong.length < 10) {
      const fuzz = fuzzed(chance, opened)
      const what = await judged(fuzz).catch((error: unknown) => String(error))
      if (what !== undefined) wrong.push(`${what}: ${shown(fuzz)}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, asker))
  return wrong
}

test(`${count} random and mutated requests`, { timeout: 600_000 }, async () => {
  const chance = chances(seed)
  const warm = Math.min(count / 4, 10_000)
  expect(await spray(chance, warm)).toEqual([])
  const before = await server.ask<Memory>('memory')
  expect(await spray(chance, count - warm)).toEqual([])
  const after = await server.ask<Memory>('memory')
  agent.destroy()
  await expect.poll(() => server.ask('sockets'), { timeout: 600_000 }).toBe(0)
  const { faults, longest } = await server.ask<{ faults: string[]; longest: number }>('said')
  const grown = { heap: after.heapUsed - before.heapUsed, external: after.external - before.external }
  if (process.env.FUZZ) console.info(Object.fromEntries([...tally].sort()), before, after, grown, { longest })
  expect(faults).toEqual([])
  expect(longest).toBeLessThan(2000)
  expect(grown.heap).toBeLessThan(margin)
  expect(grown.external).toBeLessThan(margin)
  expect([...tally.keys()].filter((what) => what.startsWith('api 200')).length).toBeGreaterThanOrEqual(4)
  expect(await server.close()).toBe(0)
})
