import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SourceError } from '../../../../src/data/source/source-error.js'
import { HttpClient, type HttpOptions } from '../../../../src/data/source/transport/http-client.js'
import type { HttpResponse } from '../../../../src/data/source/transport/whole-answer.js'
import { type Awkward, awkward, reply, type Script } from '../../../helper/awkward-server.js'

const secret = 'key-that-nobody-may-see'
const question = JSON.stringify({ apikey: secret, apiname: 'st' })
const value = { code: 200, message: 'ok', data: { fields: ['symbol'], items: Array(200).fill(['000001 平安银行']) } }
const text = JSON.stringify(value)

let server: Awkward
let open: HttpClient[] = []

beforeEach(async () => {
  server = await awkward()
})

afterEach(async () => {
  await Promise.all(open.map((http) => http.close()))
  open = []
  await server.settled()
  await server.close()
})

/** Milliseconds that nothing takes on a machine however busy, and what would be waited for without an abort or a deadline. */
const [soon, patience] = [60_000, 600_000]

function client(options: HttpOptions = {}): HttpClient {
  const http = new HttpClient({
    ...options,
    deadlines: { connect: patience, headers: patience, body: patience, call: patience, ...options.deadlines },
  })
  open.push(http)
  return http
}

function textOf(answer: HttpResponse): string {
  return new TextDecoder().decode(answer.bytes)
}

async function failureOf(promise: Promise<unknown>): Promise<SourceError> {
  const error = await promise.then(
    (value) => expect.unreachable(`it gave ${JSON.stringify(value)}`),
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(SourceError)
  return error as SourceError
}

/** Everything that hangs on an error, own and inherited, enumerable or not. */
function everythingOf(error: unknown, seen = new Set<unknown>()): string {
  if (typeof error !== 'object' || error === null) return String(error)
  if (seen.has(error)) return ''
  seen.add(error)
  const parts = [...Object.getOwnPropertyNames(error), ...Object.getOwnPropertySymbols(error)].map((key) => {
    const held = (error as Record<PropertyKey, unknown>)[key]
    const inside = ArrayBuffer.isView(held) ? Buffer.from(held.buffer).toString('latin1') : everythingOf(held, seen)
    return `${String(key)}: ${inside}`
  })
  return parts.join('\n')
}

/** Timers of this process that are set, whoever set them. */
function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}

const hinted: Script = async (line) => {
  line.write('HTTP/1.1 103 Early Hints\r\nlink: nowhere\r\ncontent-encoding: gzip\r\n\r\n')
  await reply.json(value)(line)
}

const chunkedThenClosed = reply.bytes(
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n8\r\n{"code":\r\n',
)

describe('a whole answer', () => {
  test('comes with its status, type and bytes; the request is a POST of JSON to /api', async () => {
    server.next(reply.json(value))
    const answer = await client().post(server.url, question)
    expect(answer).toMatchObject({ status: 200, contentType: 'application/json', node: server.url })
    expect(answer.retryAfter).toBeUndefined()
    expect(textOf(answer)).toBe(text)
    expect(answer.received).toBe(Buffer.byteLength(text))
    expect(server.requests).toMatchObject([{ method: 'POST', path: '/api', body: JSON.parse(question) }])
    expect(server.requests[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      connection: 'keep-alive',
    })
  })

  const whole: [string, Script][] = [
    ['in chunks', reply.json(value, { chunked: true })],
    ['by gzip', reply.json(value, { encoding: 'gzip' })],
    ['by x-gzip', reply.json(value, { encoding: 'gzip', headers: { 'content-encoding': 'X-GZIP' } })],
    ['by br', reply.json(value, { encoding: 'br' })],
    ['by deflate', reply.json(value, { encoding: 'deflate' })],
    ['by deflate without its wrapper', reply.json(value, { encoding: 'raw-deflate' })],
    ['until the connection ends', reply.unframed(value)],
    ['one byte at a time', reply.drip({ code: 200 }, 5)],
    ['after hints', hinted],
  ]
  test.each(whole)('is the same %s', async (_, script) => {
    server.next(script)
    const answer = await client().post(server.url, question)
    expect(['{"code":200}', text]).toContain(textOf(answer))
  })

  const waits: [string, string | undefined, string | undefined, number | undefined][] = [
    ['nothing', undefined, undefined, undefined],
    ['seconds', '7', undefined, 7000],
    ['parts of a second', '0.5', undefined, 500],
    ['a date', 'Wed, 21 Oct 2015 07:28:30 GMT', 'Wed, 21 Oct 2015 07:28:00 GMT', 30_000],
    ['a date of long ago', 'Wed, 21 Oct 2015 07:28:00 GMT', 'Wed, 21 Oct 2015 07:29:00 GMT', 0],
    ['a date without a Date to hold it against', 'Wed, 21 Oct 2015 07:28:30 GMT', undefined, undefined],
    ['a date of no zone', 'Wed Oct 21 07:28:30 2015', 'Wed, 21 Oct 2015 07:28:00 GMT', undefined],
    ['nonsense', 'soon', 'Wed, 21 Oct 2015 07:28:00 GMT', undefined],
    ['less than nothing', '-3', undefined, undefined],
  ]
  test.each(waits)('Retry-After of %s', async (_, after, date, milliseconds) => {
    server.next(reply.tooMany(after, { date }))
    const answer = await client().post(server.url, question)
    expect(answer.status).toBe(429)
    expect(answer.retryAfter).toBe(milliseconds)
  })

  test('keeps its connection for the next, and closes what is idle with the client', async () => {
    server.always(() => reply.json(value))
    const http = client()
    for (let n = 0; n < 5; n++) await http.post(server.url, question)
    expect(server.connections).toBe(1)
    expect(server.sockets).toBe(1)
    await Promise.all(Array.from({ length: 4 }, () => http.post(server.url, question)))
    expect(server.connections).toBe(4)
    await http.close()
    await server.settled(0)
  })
})

describe('no whole answer', () => {
  const broken: [string, Script, string, RegExp][] = [
    ['a reset instead of an answer', reply.reset(), 'CUT_OFF', /before it answered/],
    ['an end instead of an answer', reply.close(), 'CUT_OFF', /before it answered: other side closed/],
    ['a reset in the head', reply.halfHead('reset'), 'CUT_OFF', /before it answered/],
    ['a reset in the body', reply.halfBody(value, 'reset'), 'CUT_OFF', /in the middle of its answer, after \d+ KiB/],
    ['an end between chunks', reply.halfBody(value, 'close', { chunked: true }), 'CUT_OFF', /in the middle/],
    ['an end between the last chunks', chunkedThenClosed, 'CUT_OFF', /in the middle/],
    ['a body shorter than announced', reply.lengthTooLong(value), 'CUT_OFF', /in the middle/],
    ['half a body of no known length', reply.unframed(value, { bytes: 1500 }), 'CUT_OFF', /before its JSON did/],
    ['a reset in a body of no known length', reply.unframed(value, { bytes: 1500, how: 'reset' }), 'CUT_OFF', /answer/],
    ['half a gzip', reply.truncatedGzip(value), 'CUT_OFF', /unexpected end of file/],
    ['a broken gzip', reply.brokenGzip(value), 'ENVELOPE', /is broken gzip: /],
    ['text under the name of gzip', reply.raw(text, { headers: { 'content-encoding': 'gzip' } }), 'ENVELOPE', /gzip/],
    [
      'a compression that nobody asked for',
      reply.raw('?', { headers: { 'content-encoding': 'zstd' } }),
      'ENVELOPE',
      /zstd/,
    ],
    ['something that is not HTTP', reply.garbage(), 'ENVELOPE', /is not HTTP: .*Expected HTTP/],
    [
      'another protocol',
      reply.bytes('HTTP/1.1 101 Whatever\r\nupgrade: ws\r\nconnection: upgrade\r\n\r\n'),
      'ENVELOPE',
      /another/,
    ],
    ['a request for more', reply.bytes('HTTP/1.1 100 Continue\r\n\r\n'), 'ENVELOPE', /request for more/],
    ['headers without end', reply.raw('', { headers: { filler: 'x'.repeat(20_000) } }), 'ENVELOPE', /too many headers/],
  ]
  test.each(broken)('%s', async (_, script, code, message) => {
    server.next(script)
    const before = timers()
    const http = client()
    const error = await failureOf(http.post(server.url, question))
    expect(error.message).toMatch(message)
    expect(error).toMatchObject({ code, node: server.url, retryable: code === 'CUT_OFF' })
    expect(error.message).toContain(server.url)
    expect(everythingOf(error)).not.toContain(secret)
    await server.settled(code === 'ENVELOPE' || /gzip|br|deflate/.test(_) ? server.sockets : 0)
    await http.close()
    await server.settled(0)
    expect(timers()).toBeLessThanOrEqual(before)
  })

  test('TLS with a server that has none', async () => {
    server.welcome('close', 'reset')
    const http = client()
    for (let n = 0; n < 2; n++) {
      const error = await failureOf(http.post(server.url.replace('http:', 'https:'), question))
      expect(error).toMatchObject({ code: 'UNREACHABLE', retryable: true })
    }
  })

  test('an idle connection that the server closes is not a failure; one that it closes on the next request is', async () => {
    const http = client()
    server.next(reply.thenClose(reply.json(value)), reply.json(value), reply.close(), reply.json(value))
    await http.post(server.url, question)
    await server.settled(0)
    await http.post(server.url, question)
    const error = await failureOf(http.post(server.url, question))
    expect(error).toMatchObject({ code: 'CUT_OFF', retryable: true })
    await http.post(server.url, question)
    expect(server.connections).toBe(3)
  })

  test('what comes after an announced length is not taken for the next answer', async () => {
    const http = client()
    server.next(reply.lengthTooShort(value), reply.json({ second: true }))
    const first = await http.post(server.url, question)
    expect(Buffer.from(first.bytes).equals(Buffer.from(text).subarray(0, -7))).toBe(true)
    expect(textOf(await http.post(server.url, question))).toBe('{"second":true}')
  })
})

describe('deadlines', () => {
  const short = { connect: 150, headers: 150, body: 150, call: 5000 }
  test('of a connection', async () => {
    server.welcome('silent')
    const node = server.url.replace('http:', 'https:')
    const began = performance.now()
    const error = await failureOf(client({ deadlines: short }).post(node, question))
    expect(error).toMatchObject({ code: 'UNREACHABLE', node, retryable: true })
    expect(error.message).toBe(`no connection to ${node}: not within 0.15 s`)
    expect(performance.now() - began).toBeLessThan(soon)
    await server.settled(0)
  })

  test('may be endless, and nothing else that is not a time', async () => {
    server.next(reply.late(50, reply.json(value)))
    const endless = { connect: Infinity, headers: Infinity, body: Infinity, call: Infinity }
    expect(textOf(await client({ deadlines: endless }).post(server.url, question))).toBe(text)
    for (const headers of [0, -1, Number.NaN]) {
      const refusal = expect.objectContaining({ code: 'USAGE', message: expect.stringContaining('headers') })
      expect(() => new HttpClient({ deadlines: { headers } })).toThrow(refusal)
    }
  })
})

describe('an abort', () => {
  const reason = new Error('changed my mind')

  test('however few moments after the call, on a client that is warm', async () => {
    server.always(() => reply.json(value))
    const http = client()
    await http.post(server.url, question)
    server.always(() => reply.silence())
    for (let moments = 0; moments < 12; moments++) {
      const stop = new AbortController()
      const end = http.post(server.url, question, { signal: stop.signal })
      const ended = expect(end).rejects.toBe(reason)
      for (let n = 0; n < moments; n++) await Promise.resolve()
      stop.abort(reason)
      await ended
    }
    await server.settled(0)
  })

  test('while it waits for a connection: the others go on', async () => {
    const http = client({ connections: 1 })
    const stop = new AbortController()
    server.next(reply.late(200, reply.json(value)), reply.json(value))
    const first = http.post(server.url, question)
    const second = http.post(server.url, question, { signal: stop.signal })
    const third = http.post(server.url, question)
    setTimeout(() => stop.abort(reason), 50)
    await expect(second).rejects.toBe(reason)
    expect(textOf(await first)).toBe(text)
    expect(textOf(await third)).toBe(text)
    expect(server.requests).toHaveLength(2)
  })
})

test('whatever happens to many requests at once, every one ends, and nothing is left of them', async () => {
  const manners: Script[] = [
    reply.json(value),
    reply.json(value, { encoding: 'gzip', chunked: true }),
    reply.unframed(value),
    reply.thenClose(reply.json(value)),
    reply.reset(),
    reply.close(),
    reply.halfHead('reset'),
    reply.halfBody(value, 'close', { chunked: true }),
    reply.halfBody(value, 'stall'),
    reply.lengthTooLong(value),
    reply.unframed(value, { bytes: 999 }),
    reply.truncatedGzip(value),
    reply.silence(),
    reply.garbage(),
    reply.bomb(8),
    reply.drip(value, 40),
    reply.html(503),
  ]
  let n = 0
  server.always(() => manners[n++ % manners.length] ?? reply.empty())
  const before = timers()
  const http = client({ maxBytes: 2 ** 20, deadlines: { headers: 150, body: 150, call: 400 } })
  const codes = new Set<unknown>()
  const post = async (number: number): Promise<void> => {
    const signal = number % 5 === 0 ? AbortSignal.timeout(30 + (number % 7) * 20) : undefined
    try {
      const answer = await http.post(server.url, question, { signal })
      if (answer.status === 200) expect(textOf(answer)).toBe(text)
      codes.add(answer.status)
    } catch (error) {
      codes.add(error instanceof SourceError ? error.code : (error as Error).name)
    }
  }
  const numbers = Array.from({ length: 340 }, (_, number) => number)
  await Promise.all(
    Array.from({ length: 17 }, async () => {
      for (let number = numbers.pop(); number !== undefined; number = numbers.pop()) await post(number)
    }),
  )
  const due = ['200', '503', 'CUT_OFF', 'ENVELOPE', 'TIMEOUT', 'TimeoutError', 'UNREACHABLE']
  for (const code of codes) expect(due).toContain(String(code))
  await http.close()
  await server.settled(0)
  expect(timers()).toBeLessThanOrEqual(before)
})

describe('close', () => {
  test('fails what is still asked for, and whatever is asked for afterwards', async () => {
    server.next(reply.silence())
    const http = client()
    const end = http.post(server.url, question).catch((error: unknown) => error)
    await server.settled(1)
    await http.close()
    expect(await end).toMatchObject({ code: 'USAGE', message: 'the HTTP source was closed' })
    await expect(http.post(server.url, question)).rejects.toMatchObject({ code: 'USAGE' })
    await server.settled(0)
    await http.close()
  })
})
