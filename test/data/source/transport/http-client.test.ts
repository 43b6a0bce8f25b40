import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SourceError } from '../../../../src/data/source/source-error.js'
import { HttpClient, type HttpOptions } from '../../../../src/data/source/transport/http-client.js'
import type { HttpResponse } from '../../../../src/data/source/transport/http-stream.js'
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

/** Milliseconds that nothing takes on a machine however busy. */
const patience = 600_000

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

/** Timers of this process that are set, whoever set them. */
function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}

const hinted: Script = async (line) => {
  line.write('HTTP/1.1 103 Early Hints\r\nlink: nowhere\r\ncontent-encoding: gzip\r\n\r\n')
  await reply.json(value)(line)
}

describe('a whole answer', () => {
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
