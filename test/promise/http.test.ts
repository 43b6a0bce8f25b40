import { createServer, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { connect, type Market, type Progress, provenance, type RequestLog, SourceError, toObjects } from 'quotebook'
import { afterEach, expect, test } from 'vitest'
import { listen } from '../helper/listen.js'
import { bars, closeAll, errorOf, marketOf, ofRows, type Sent, type Vendor, vendor } from './helper/vendor.js'

/** How a service is asked: which node, how often, how fast, for how long; what its failures are called; and where the key is. */
afterEach(closeAll)

const params = { symbols: ['510300.SH'], tradedate: '20260701', period: '15m' } as const
const rows = bars(['510300.SH'], '20260701')
const honest = ofRows(rows)
const ask = (market: Market, options = {}) => market.query('etf_minute', params, options)
const quick = { retry: { attempts: 1 } }

/** Answers in order, the last of them for ever; null is the honest one. */
function script(...answers: readonly (Sent | null)[]): Promise<Vendor> {
  return vendor((asked, n) => answers[Math.min(n, answers.length) - 1] ?? honest(asked))
}

const text = (body: string | Uint8Array, status = 200, headers = {}): Sent => ({ text: body, status, headers })
const envelope = (code: number, message: string): Sent => ({ code, message, data: null })
const reset: Sent = (response) => void (response.socket as Socket).resetAndDestroy()
const halfBody: Sent = (response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('{"code":200,')
  setTimeout(() => response.socket?.destroy(), 20)
}

test.each<[what: string, sent: Sent]>([
  ['a reset', reset],
  ['half a body', halfBody],
  ['429', text('{"code":429,"message":"slower","data":null}', 429)],
  ['503 as a page', text('<html>busy</html>', 503, { 'content-type': 'text/html' })],
  ['500 as a page', text('<html>oops</html>', 500)],
  ['408', text('', 408)],
  ['524 of a gateway', text('error code: 524', 524)],
  ['business code 503', envelope(503, 'busy')],
  ['success that says something else', { code: 200, message: '系统繁忙', data: { fields: [], items: [] } }],
  ['JSON that ends in the middle', text('{"code":200,"message":"success"')],
  [
    'gzip that ends early',
    text(gzipSync(JSON.stringify({ code: 200 })).subarray(0, 20), 200, { 'content-encoding': 'gzip' }),
  ],
])('%s is tried again', async (_, sent) => {
  const service = await script(sent, null)
  const table = await ask(await marketOf(service.url))
  expect(table.numRows).toBe(17)
  expect(provenance(table)?.call).toMatchObject({ requests: 2, retries: 1 })
})

/** What a service does, what it is called, and how: `N` stands for its address. */
const failures: readonly [sent: Sent, code: string, retryable: boolean, message: string][] = [
  [reset, 'CUT_OFF', true, 'etf_minute: N broke off before it answered: '],
  [halfBody, 'CUT_OFF', true, 'etf_minute: N broke off in the middle of its answer, after 12 bytes: '],
  [envelope(403, 'bad key.'), 'FORBIDDEN', false, 'etf_minute: N answers 403 bad key; check the key and its plan'],
  [text('<html>', 403), 'FORBIDDEN', false, 'etf_minute: N answers 403; check the key and its plan'],
  [envelope(422, 'symbols: too many'), 'INVALID_PARAMS', false, 'etf_minute: N answers 422 symbols: too many'],
  [envelope(503, 'UNSUPPORTED_MARKET'), 'UNSUPPORTED_MARKET', false, 'etf_minute: N answers 503 UNSUPPORTED_MARKET'],
  [envelope(503, 'busy'), 'UNAVAILABLE', true, 'etf_minute: N answers 503 busy'],
  [envelope(9999, 'what?'), 'SERVICE', false, 'etf_minute: N answers 9999 what?'],
  [text('', 404), 'ENVELOPE', false, 'etf_minute: N answers with HTTP status 404; is it the address of the service?'],
  [
    text('', 301, { location: 'http://localhost/' }),
    'ENVELOPE',
    false,
    'etf_minute: N answers with HTTP status 301; redirects are not followed, give the address itself',
  ],
  [
    text('<html><title>Portal</title>', 200),
    'ENVELOPE',
    false,
    'etf_minute: N sends a page, not JSON: “Portal”; is it the address of the service?',
  ],
  [text(''), 'ENVELOPE', false, 'etf_minute: N sends an empty answer'],
  [
    text('[1]'),
    'ENVELOPE',
    false,
    'etf_minute: a reply must be a JSON object with code, message and data (answer of N)',
  ],
  [
    text('{"code":200,"message":"success","data":null}'),
    'ENVELOPE',
    false,
    'etf_minute: the reply has code 200 and no data (answer of N)',
  ],
  [
    text('{"code":200,"message":"success","data":x}'),
    'ENVELOPE',
    false,
    `etf_minute: N sends no JSON: Unexpected token 'x', ..."s","data":x}" is not valid JSON`,
  ],
  [text(Uint8Array.of(0x7b, 0xff, 0x7d)), 'ENVELOPE', false, 'etf_minute: the answer of N is not UTF-8 text'],
  [
    text(`{"code":200,"message":"","data":${'['.repeat(90)}${']'.repeat(90)}}`),
    'ENVELOPE',
    false,
    'etf_minute: the reply is more than 64 levels deep, in data (answer of N)',
  ],
  [
    text('{}', 200, { 'content-encoding': 'zstd' }),
    'ENVELOPE',
    false,
    'etf_minute: answer of N is compressed by "zstd", which was not asked for',
  ],
  [
    { code: 200, message: 'success', data: { fields: ['symbol'], items: [['1'], []] } },
    'ENVELOPE',
    false,
    'etf_minute: row 2 has 0 cells where fields names 1 (answer of N)',
  ],
]

test('each failure has its code, says whether it may pass, and what was asked of whom', async () => {
  for (const [sent, code, retryable, message] of failures) {
    const { url, asked } = await script(sent)
    const error = (await errorOf(ask(await marketOf(url, quick)))) as unknown as SourceError
    expect(error).toBeInstanceOf(SourceError)
    expect([error.code, error.retryable, error.message.replaceAll(url, 'N')]).toEqual([
      code,
      retryable,
      code === 'CUT_OFF' ? expect.stringContaining(message) : message,
    ])
    expect([error.node, asked.length]).toEqual([url, 1])
    expect(error.request).toMatchObject({ dataset: 'etf_minute', params })
  }
})

test('nobody there: unreachable; another node is asked, and all are named where none answers', async () => {
  const gone = await vendor(honest)
  await gone.close()
  const { url } = await vendor(honest)
  const table = await ask(await marketOf([gone.url, url]))
  expect(provenance(table)?.call).toMatchObject({ requests: 2, nodes: [url] })
  const error = await errorOf(ask(await marketOf([gone.url, `${gone.url}/other`], quick)))
  expect(error).toMatchObject({ code: 'UNREACHABLE', retryable: true })
  expect(error.message).toContain(`(tried ${gone.url}, ${gone.url}/other)`)
  const unknown = await errorOf(ask(await marketOf('http://no-such-host.invalid', quick)))
  expect(unknown).toMatchObject({ code: 'UNREACHABLE', retryable: false })
  expect(unknown.message).toContain('no such host; is the address right?')
})

test('a closed port of this machine is said at once; one where a service was is waited for', async () => {
  const gone = await vendor(honest)
  const retry = { attempts: 3, baseMs: 1, capMs: 2 }
  const before = await marketOf(gone.url, { retry })
  await ask(before)
  await gone.close()
  const logged: RequestLog[] = []
  const closed = await marketOf(gone.url, { retry, onRequest: (log) => void logged.push(log) })
  const error = await errorOf(ask(closed))
  const said = 'nothing listens at this port of this machine; is the service running? (connect ECONNREFUSED'
  expect(error.message).toContain(said)
  expect(logged.map(({ attempt, retryable }) => [attempt, retryable])).toEqual([[1, false]])
  expect((await errorOf(ask(before))).message).toContain('asked 3 times')
})

test('whoever is refused without a key is told which variable sets one', async () => {
  const { url } = await script(envelope(403, 'unknown key'))
  const error = await errorOf(ask(await marketOf(url, { apikey: 'anonymous' })))
  expect(error.message).toMatch(/; no key was given: set QUOTEBOOK_APIKEY to your key$/)
})

test('an answer that refuses is an answer: no other node is asked', async () => {
  const [first, second] = [await script(envelope(403, 'no')), await vendor(honest)]
  expect(await errorOf(ask(await marketOf([first.url, second.url])))).toMatchObject({
    code: 'FORBIDDEN',
    node: first.url,
  })
  expect(second.asked).toHaveLength(0)
})

test('the page of a gateway is no answer of the node behind it: the next node is asked', async () => {
  const foreign = text('{"message":"no upstream"}', 502, { 'content-type': 'application/json', 'retry-after': '9999' })
  const pages = [408, 421, 425, 500, 502, 503, 504, 520, 522, 524, 530].map((status) => text('<h1>x</h1>', status))
  for (const sent of [...pages, foreign, text('', 503)]) {
    const [first, second] = [await script(sent), await vendor(honest)]
    const market = await marketOf([first.url, second.url])
    for (let n = 0; n < 4; n++) expect((await ask(market)).numRows).toBe(17)
    expect([first.asked.length, second.asked.length]).toEqual([3, 4])
  }
})

test('an envelope is an answer whatever the status of HTTP that it comes with', async () => {
  const answers: readonly [number, string, string][] = [
    [502, '{"code":403,"message":"no","data":null}', 'FORBIDDEN'],
    [500, '{"code":422,"message":"no","data":null}', 'INVALID_PARAMS'],
    [503, '{"code":503,"message":"UNSUPPORTED_MARKET","data":null}', 'UNSUPPORTED_MARKET'],
    [503, '{"code":503,"message":"busy","data":null}', 'UNAVAILABLE'],
    [520, '{"code":9999,"message":"what?","data":null}', 'UNAVAILABLE'],
  ]
  for (const [status, body, code] of answers) {
    const [first, second] = [await script(text(body, status)), await vendor(honest)]
    expect(await errorOf(ask(await marketOf([first.url, second.url], quick)))).toMatchObject({ code, status })
    expect(second.asked).toHaveLength(0)
  }
})

test('a node that fails three times in a row is left alone', async () => {
  const [bad, good] = [await script(reset), await vendor(honest)]
  const market = await marketOf([bad.url, good.url])
  for (let n = 0; n < 5; n++) expect((await ask(market)).numRows).toBe(17)
  expect([bad.asked.length, good.asked.length]).toEqual([3, 5])
})

test('named nodes are asked in the order of the contract for each operation', async () => {
  const [sz, backup] = [await vendor(honest), await vendor(honest)]
  const market = await marketOf({ sz: sz.url, backup: backup.url })
  await ask(market)
  await errorOf(market.query('convertible_daily', { tradedate: '20260701' }))
  expect(new Set(sz.asked.map(({ apiname }) => apiname))).toEqual(new Set(['convertible_daily']))
  expect(new Set(backup.asked.map(({ apiname }) => apiname))).toEqual(new Set(['etf_minute']))
  const only = await marketOf({ sz: sz.url })
  expect((await errorOf(ask(only))).message).toBe(
    'none of the nodes given serves etf_minute; it is served by sz_http, sh_http, backup',
  )
})

test('attempts end when there were enough; what the service asks to wait is waited, or told at once', async () => {
  const busy = await script(envelope(503, 'busy'))
  const market = await marketOf(busy.url, { retry: { attempts: 4, baseMs: 1, capMs: 2 } })
  expect((await errorOf(ask(market))).message).toBe(`etf_minute: ${busy.url} answers 503 busy; asked 4 times`)
  expect(busy.asked).toHaveLength(4)
  const later = await script(text('{"code":429,"message":"slower"}', 429, { 'retry-after': '0.2' }), null)
  const began = performance.now()
  await ask(await marketOf(later.url))
  expect(performance.now() - began).toBeGreaterThan(199)
  const never = await script(text('{"code":429,"message":"slower"}', 429, { 'retry-after': '3600' }))
  const error = await errorOf(ask(await marketOf(never.url)))
  expect(error).toMatchObject({ code: 'UNAVAILABLE', status: 429, vendorMessage: 'slower', retryAfter: 3_600_000 })
  expect(error.message).toBe(
    `etf_minute: ${never.url} answers 429 slower; the service asks to wait an hour or longer, longer than the 3 s for retries allow`,
  )
  expect(never.asked).toHaveLength(1)
})

const inSeconds = (more: number): string => String(Math.floor(Date.now() / 1000) + more)

test.each([
  ['a day', '86400', 3600],
  ['a year', '31536000', 3600],
  ['more than a number holds', '9'.repeat(400), 3600],
  ['a date of another century', 'Fri, 01 Jan 2100 00:00:00 GMT', 3600],
  ['seconds since 1970', inSeconds(2000), 2000],
  ['seconds since 1970, far away', inSeconds(1e6), 3600],
  ['milliseconds since 1970', `${inSeconds(2000)}000`, 3600],
  ['half an hour', '1800', 1800],
])('Retry-After of %s counts for an hour at most', async (_, header, most) => {
  const { url } = await script(text('{"code":429,"message":"slower"}', 429, { 'retry-after': header }))
  const { retryAfter } = (await errorOf(ask(await marketOf(url)))) as { retryAfter?: number }
  expect([(retryAfter as number) <= most * 1000, (retryAfter as number) > (most - 60) * 1000]).toEqual([true, true])
})

test('no more requests at once, and in a second, than the pace allows', async () => {
  let [underWay, most] = [0, 0]
  const times: number[] = []
  const { url } = await vendor(async (asked) => {
    times.push(performance.now())
    most = Math.max(most, ++underWay)
    await new Promise((resolve) => setTimeout(resolve, 20))
    underWay--
    return honest(asked)
  })
  const market = await marketOf(url, { pace: { perSecond: 50, burst: 2, concurrent: 2 } })
  const days = ['20260701', '20260702', '20260703', '20260706', '20260707', '20260708', '20260709', '20260710']
  await Promise.all(
    days.map((tradedate) => market.query('etf_minute', { ...params, tradedate }).catch(() => undefined)),
  )
  expect([times.length >= 8, most]).toEqual([true, 2])
  // Two at once, then one every 20 ms.
  expect((times[7] as number) - (times[0] as number)).toBeGreaterThan(99)
})

test('deadlines: of the head, between two chunks, of the whole call', async () => {
  const silent: Sent = () => undefined
  const stalled: Sent = (response) => void response.writeHead(200).write('{"code":')
  const dripping: Sent = (response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  }
  for (const [sent, deadlines, said] of [
    [silent, { headers: 60 }, 'N was silent for 0.06 s before it answered'],
    [stalled, { body: 60 }, 'N was silent for 0.06 s in the middle of its answer, after 8 bytes'],
    [dripping, { call: 120 }, 'N gave no whole answer within 0.12 s'],
  ] as const) {
    const { url } = await script(sent)
    const error = await errorOf(ask(await marketOf(url, { ...quick, deadlines })))
    expect([error.code, error.message.replaceAll(url, 'N')]).toEqual(['TIMEOUT', `etf_minute: ${said}`])
  }
})

test('a reply beyond maxBytes, or that grows beyond all measure, is refused', async () => {
  const packed = text(gzipSync(Buffer.alloc(2 ** 22)), 200, { 'content-encoding': 'gzip' })
  for (const sent of [packed, text(Buffer.alloc(2 ** 22))]) {
    const { url } = await script(sent)
    const error = await errorOf(ask(await marketOf(url, { maxBytes: 2 ** 20 })))
    expect([error.code, error.message]).toEqual([
      'ENVELOPE',
      `etf_minute: answer of ${url} is larger than 1 MiB; ask for fewer rows at a time`,
    ])
  }
  const empty = await script(
    text(`{"code":200,"message":"success","data":{"fields":["symbol"],"items":[${'[],'.repeat(3_000_000)}[]]}}`),
  )
  const many = await errorOf(ask(await marketOf(empty.url)))
  expect([many.code, many.message]).toEqual([
    'ENVELOPE',
    `etf_minute: the reply has more than 10000000 values; ask for fewer rows at a time (answer of ${empty.url})`,
  ])
})

test('equal questions at once are asked once; one may be given up without the other', async () => {
  const { url, asked } = await vendor(async (one) => {
    await new Promise((resolve) => setTimeout(resolve, 50))
    return honest(one)
  })
  const market = await marketOf(url)
  const stop = new AbortController()
  const [first, second, third] = [ask(market, { signal: stop.signal }), ask(market), ask(market, { fields: ['close'] })]
  const refused = expect(first).rejects.toBe('enough')
  stop.abort('enough')
  await refused
  expect([(await second).numRows, toObjects(await third)[0]]).toEqual([17, { close: 1.5 }])
  expect(asked).toHaveLength(2)
})

test('when all that asked have gone the request is given up, and who asks then does not join it', async () => {
  let closed: Promise<unknown> | undefined
  const { url, asked } = await vendor((one) => {
    if (closed) return honest(one)
    return (response) => {
      closed = new Promise((resolve) => response.once('close', resolve))
    }
  })
  const market = await marketOf(url)
  const [one, other] = [new AbortController(), new AbortController()]
  const both = [one, other].map(({ signal }) => ask(market, { signal }))
  const refused = Promise.all(both.map((each) => expect(each).rejects.toBe('enough')))
  while (!closed) await new Promise((resolve) => setTimeout(resolve, 5))
  for (const stop of [one, other]) stop.abort('enough')
  expect((await ask(market)).numRows).toBe(17)
  await Promise.all([refused, closed])
  expect(asked).toHaveLength(2)
})

test('a signal ends a query at once, with its reason', async () => {
  const { url } = await script(() => undefined)
  const reason = new Error('changed my mind')
  const stop = new AbortController()
  setTimeout(() => stop.abort(reason), 30)
  await expect(ask(await marketOf(url), { signal: stop.signal })).rejects.toBe(reason)
  await expect(ask(await marketOf(url), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})

test('every attempt is logged, the figures of a call are those of its requests, and progress goes forward to its end', async () => {
  const symbols = Array.from({ length: 800 }, (_, i) => `${510000 + i}.SH`)
  const all = ofRows(bars(symbols, '20260701'), 6000)
  const { url } = await vendor((asked, n) => (n === 1 ? envelope(503, 'busy') : all(asked)))
  const logs: RequestLog[] = []
  const steps: Progress[] = []
  const market = await marketOf(url, { onRequest: (log) => void logs.push(log) })
  const table = await market.query(
    'etf_minute',
    { ...params, symbols },
    { onProgress: (step) => void steps.push(step) },
  )
  const { call } = provenance(table) ?? {}
  expect(call).toMatchObject({ requests: 5, retries: 1, splits: 0, probes: 1, nodes: [url] })
  expect(logs.map(({ outcome }) => outcome).sort()).toEqual([...Array(4).fill('answered'), 'failed'])
  expect(logs.find(({ outcome }) => outcome === 'failed')).toMatchObject({
    error: 'UNAVAILABLE',
    retryable: true,
    attempt: 1,
  })
  expect(logs.reduce((sum, { bytes = 0 }) => sum + bytes, 0)).toBe(call?.bytes)
  expect(steps.map(({ done, of, what }) => [done, of, what])).toEqual(
    [1, 2, 3, 4].map((done) => [done, Math.max(3, done), 'etf_minute']),
  )
  expect(call?.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/)
})

const key = 'sk-live-7Qd2mVx9ZpLr4TnA8cYbE3'

/** All that can be seen of a value. */
function seen(value: unknown): string {
  const deep = inspect(value, { depth: Infinity, showHidden: true, maxStringLength: null, maxArrayLength: null })
  return value instanceof Error ? `${deep} ${value.stack} ${seen(value.cause)}` : deep
}

/** Pieces of eight characters of the key in a text. */
const leaks = (shown: string, of = key): string[] =>
  Array.from({ length: of.length - 7 }, (_, i) => of.slice(i, i + 8)).filter((piece) => shown.includes(piece))

/** What a market that is asked with a key shows of an answer: in its table or its error, and in what it logs. */
async function shownOf(sent: Sent, apikey: string): Promise<string> {
  const { url } = await script(sent)
  const logs: unknown[] = []
  const note = (one: unknown): unknown => logs.push(one)
  const market = await marketOf(url, { apikey, ...quick, onRequest: note, onExtraColumn: note } as never)
  const result = await ask(market).then(
    (table) => [provenance(table), inspect(table.schema, { depth: Infinity })],
    (error: unknown) => error,
  )
  expect(logs.length).toBeGreaterThan(0)
  return seen(result) + seen(logs) + seen(market)
}

test('a key that a service sends back goes no further: not into errors, logs, provenance or columns', async () => {
  const of = honest({
    apikey: '',
    apiname: 'etf_minute',
    fields: Object.keys(rows[0] as object)
      .concat('vwap')
      .join(','),
    params,
  })
  const data = of.data as { fields: string[]; items: unknown[][] }
  const echoes: Sent[] = [
    envelope(403, `bad key ${key}`),
    envelope(422, 'x'.repeat(285) + key),
    { code: 200, message: `partial for ${key}`, data },
    text(`<html><title>Welcome ${key}</title>`),
    text(`{"code":200,"message":"success","x":${key}}`),
    text(`{"code":200,"message":"${key}`),
    text('{}', 200, { 'content-encoding': key }),
    { ...of, data: { ...data, items: data.items.map((row) => row.with(1, key)) } },
    { ...of, data: { ...data, items: data.items.map((row) => row.with(7, key)) } },
    { ...of, data: { fields: [...data.fields, key], items: data.items.map((row) => [...row, 1]) } },
    { ...of, data: { ...data, request: { apikey: key, [key]: [key] } } },
    text(`{"${key}":1,"${key}":2}`),
    reset,
  ]
  for (const sent of echoes) expect(leaks(await shownOf(sent, key)), JSON.stringify(sent)).toEqual([])
  const digits = '4815162342'
  for (const sent of [
    text('{"code":429}', 429, { 'retry-after': digits }),
    envelope(Number(digits), 'x'),
    { code: 503, message: '', data: { retry_after: Number(digits) } },
    { ...of, data: { ...data, total: Number(digits), more: [Number(digits)] } },
  ])
    expect(leaks(await shownOf(sent, digits), digits), JSON.stringify(sent)).toEqual([])
})

test('the key is in the bodies of requests and nowhere else', async () => {
  const headers: string[] = []
  const server = createServer((socket) =>
    socket.on('data', (data) => headers.push(data.toString().split('\r\n\r\n')[0] ?? '') && socket.destroy()),
  )
  const { url, close } = await listen(server)
  await errorOf(ask(await marketOf(`${url}/base/api/`, { apikey: key, ...quick })))
  await close()
  expect(headers[0]).toMatch(/^POST \/base\/api HTTP\/1\.1/)
  expect(leaks(headers.join('\n'))).toEqual([])
})

const node = 'http://127.0.0.1:9'
const keyless =
  'nodes need an apikey: the key of your account at the service, which commands and notebooks take from QUOTEBOOK_APIKEY'
test.each<[options: object, code: string, message: string]>([
  [{ nodes: [node] }, 'USAGE', keyless],
  [{ nodes: [node], apikey: ' ' }, 'USAGE', keyless],
  [{ nodes: [], apikey: key }, 'USAGE', 'nodes is empty; give the base address of the service'],
  [
    { nodes: ['ftp://host'], apikey: key },
    'USAGE',
    'node address begins with ftp:, not http: or https:; an address looks like https://host or https://host:8443/path',
  ],
  [
    { nodes: ['https://me:hunter2hunter2@host.example'], apikey: key },
    'USAGE',
    'node address of host.example holds a user or password: leave them out; an address looks like https://host or https://host:8443/path',
  ],
  [
    { nodes: [`https://host.example/?k=${key}`], apikey: key },
    'USAGE',
    'node address of host.example goes on after ? or #: leave that out; an address looks like https://host or https://host:8443/path',
  ],
  [{ nodes: { szz: node }, apikey: key }, 'INVALID_PARAMS', "unknown node 'szz'. Did you mean 'sz'?"],
  [{ nodes: node, apikey: key, retrry: {} }, 'USAGE', "connect to nodes has no option 'retrry'; did you mean 'retry'?"],
  [
    { nodes: node, apikey: key, retry: { atempts: 3 } },
    'USAGE',
    "retry has no option 'atempts'; did you mean 'attempts'?",
  ],
  [{ nodes: node, apikey: key, retry: { attempts: 0 } }, 'USAGE', 'retry: attempts can not be 0'],
  [{ nodes: node, apikey: key, deadlines: { call: 0 } }, 'USAGE', 'deadlines: call can not be 0 milliseconds'],
  [{ nodes: node, apikey: key, pace: { perSecond: 0 } }, 'USAGE', 'pace: perSecond can not be 0'],
  [{ nodes: node, apikey: key, maxBytes: '1' }, 'USAGE', 'maxBytes can not be a string'],
  [{ nodes: node, apikey: key, cacheBytes: 0 }, 'USAGE', 'cacheBytes must be a whole number of bytes above 0, not 0'],
])('options %j are refused with %s', async (options, code, message) => {
  const error = await errorOf(connect(options as never))
  expect([error.code, error.message]).toEqual([code, message])
  expect(leaks(seen(error))).toEqual([])
})

test('a source that was closed says so, and has no archive', async () => {
  const market = await connect({ nodes: node, apikey: key })
  expect([market.archive, market.source.name, market.source.pace?.perSecond]).toEqual([
    undefined,
    node,
    Number.POSITIVE_INFINITY,
  ])
  expect((await errorOf(market.sql('select 1'))).message).toBe(
    `SQL queries need an archive; ${node} is a service over HTTP`,
  )
  await market.close()
  expect(await errorOf(ask(market))).toMatchObject({ code: 'USAGE', message: 'the HTTP source was closed' })
  const far = await connect({ nodes: 'https://quotes.example.com', apikey: key })
  expect(far.source.pace).toMatchObject({ perSecond: 5, burst: 10, concurrent: 4 })
  await far.close()
})
