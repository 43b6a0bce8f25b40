import { expect, test } from 'vitest'
import { awkward, reply, type Script } from '../helper/awkward-server.js'
import {
  about,
  ask,
  day,
  errorOf,
  expectTruth,
  honest,
  impatient,
  ofDay,
  params,
  server,
  sourceOf,
  symbols,
  useAwkwardServer,
  value,
  withData,
} from '../helper/awkward-source.js'

useAwkwardServer()

/** Every manner of a connection and of an envelope: rows equal to the truth, or the right error, in time. */
test('an honest answer arrives whole, and says why it is', async () => {
  honest(ofDay)
  const table = await ask('etf_minute', params)
  expectTruth(table)
  expect(about(table)).toMatchObject({
    complete: true,
    proof: 'grid',
    rows: 51,
    call: { requests: 1, splits: 0, probes: 0, retries: 0 },
  })
  expect(about(table).without).toBeUndefined()
})

const manners: [what: string, script: Script][] = [
  ['a reset', reply.reset()],
  ['a close', reply.close()],
  ['half a head, then a reset', reply.halfHead('reset')],
  ['half a head, then a close', reply.halfHead('close')],
  ['half a head, then nothing', reply.halfHead('stall')],
  ['half a body, then a reset', reply.halfBody(value, 'reset')],
  ['half a body, then a close', reply.halfBody(value, 'close')],
  ['half a body, then nothing', reply.halfBody(value, 'stall')],
  ['half a chunked body, then a close', reply.halfBody(value, 'close', { chunked: true })],
  ['half a chunked body, then nothing', reply.halfBody(value, 'stall', { chunked: true })],
  ['no word at all', reply.silence()],
  ['a byte in a while', reply.drip(value, 100)],
  ['a length that is too long', reply.lengthTooLong(value)],
  ['a length that is too long, and nothing more', reply.lengthTooLong(value, 'stall')],
  ['a length that is too short', reply.lengthTooShort(value)],
  ['half a body without a length', reply.unframed(value, { bytes: 500 })],
  ['a gzip that ends early', reply.truncatedGzip(value)],
  ['429 without a word', reply.tooMany()],
  ['429 with Retry-After', reply.tooMany('0.05')],
  ['502 as a page', reply.unavailable(502)],
  ['503 as a page', reply.unavailable(503)],
  ['504 as an envelope', reply.unavailable(504, 'envelope')],
  ['business code 503', reply.json({ code: 503, message: 'busy', data: null })],
  ['no rows and an excuse', reply.json({ code: 200, message: '系统繁忙', data: { fields: [], items: [] } })],
]

test.each(manners)('%s, and then well: the truth', async (_, script) => {
  honest(ofDay)
  server.next(script)
  const table = await ask('etf_minute', params, {}, sourceOf({ deadlines: impatient }))
  expectTruth(table)
  expect(about(table).call).toMatchObject({ requests: 2, retries: 1 })
})

test.each(manners)('%s, all the time: an error that says so', async (_, script) => {
  server.always(() => script)
  const error = await errorOf(ask('etf_minute', params, {}, sourceOf({ deadlines: impatient })))
  expect(error).toMatchObject({
    name: 'SourceError',
    code: expect.stringMatching(/^(CUT_OFF|TIMEOUT|UNAVAILABLE)$/),
    retryable: true,
    node: server.url,
    request: { dataset: 'etf_minute', params: { symbols: symbols.toSorted(), tradedate: day } },
    message: expect.stringContaining('etf_minute: '),
  })
  expect(server.requests.length).toBe(3)
})

test.each<[what: string, script: Script]>([
  ['gzip', reply.json(value, { encoding: 'gzip' })],
  ['br', reply.json(value, { encoding: 'br' })],
  ['deflate', reply.json(value, { encoding: 'deflate' })],
  ['chunks', reply.json(value, { chunked: true })],
  ['no length', reply.unframed(value)],
  [
    'white space and another order of keys',
    reply.raw(` \n{"data": ${JSON.stringify(value.data)} ,\t"message":"success","code":200}\r\n`),
  ],
])('the truth in %s is the truth', async (_, script) => {
  server.always(() => script)
  expectTruth(await ask('etf_minute', params))
})

test.each<[what: string, script: Script, error: Record<string, unknown>, requests?: number]>([
  [
    'HTML with 200',
    reply.html(200),
    { code: 'ENVELOPE', status: 200, retryable: false, message: /sends a page, not JSON/ },
  ],
  [
    'code 200 around HTML',
    reply.json({ code: 200, message: 'success', data: '<html>' }),
    { code: 'ENVELOPE', message: /neither an object nor null/ },
  ],
  ['an empty body', reply.empty(), { code: 'ENVELOPE', message: /sends an empty answer/ }],
  ['no content', reply.noContent(), { code: 'ENVELOPE', message: /status 204/ }],
  [
    'another address',
    reply.redirect('http://localhost/'),
    { code: 'ENVELOPE', message: /status 301; redirects are not followed/ },
  ],
  ['404', reply.notFound(), { code: 'ENVELOPE', status: 404 }],
  ['500', reply.html(500), { code: 'ENVELOPE', status: 500 }],
  ['garbage', reply.garbage(), { code: 'ENVELOPE', message: /not HTTP/ }],
  [
    'broken JSON',
    reply.raw('{"code":200,"message":"success","data":nonsense}'),
    { code: 'ENVELOPE', message: /sends no JSON/ },
  ],
  ['JSON that is no envelope', reply.json([1, 2]), { code: 'ENVELOPE', message: /JSON object with code/ }],
  ['text that is not UTF-8', reply.raw(Uint8Array.of(0x7b, 0xff, 0x7d)), { code: 'ENVELOPE', message: /not UTF-8/ }],
  ['a broken gzip', reply.brokenGzip(value), { code: 'ENVELOPE' }],
  [
    '403 by code',
    reply.json({ code: 403, message: 'bad key', data: null }),
    { code: 'FORBIDDEN', vendorCode: 403, vendorMessage: 'bad key' },
  ],
  ['403 by status', reply.html(403), { code: 'FORBIDDEN', status: 403 }],
  [
    '422',
    reply.json({ code: 422, message: 'symbols: too many', data: null }),
    { code: 'INVALID_PARAMS', vendorMessage: 'symbols: too many' },
  ],
  [
    '503 UNSUPPORTED_MARKET',
    reply.json({ code: 503, message: 'UNSUPPORTED_MARKET', data: null }),
    { code: 'UNSUPPORTED_MARKET', retryable: false },
  ],
  ['another code', reply.json({ code: 9999, message: 'what?', data: null }), { code: 'SERVICE', vendorCode: 9999 }],
  [
    'data: null with code 200',
    reply.json({ code: 200, message: 'success', data: null }),
    { code: 'ENVELOPE', message: /code 200 and no data/ },
  ],
  [
    'no data, and rows',
    reply.json({ ...value, code: 1002 }),
    { code: 'ENVELOPE', message: /says that there is no data .* and has 51 rows/ },
  ],
  [
    'items that are no rows',
    reply.json({ ...value, data: { fields: ['symbol'], items: [{}] } }),
    { code: 'ENVELOPE', message: /not an array of rows/ },
  ],
  [
    'a ragged row',
    reply.json(
      withData(value, (data) => ({ ...data, items: data.items.map((row, i) => (i === 7 ? row.slice(1) : row)) })),
    ),
    { code: 'ENVELOPE', message: /row 8 has 10 cells where fields names 11/ },
  ],
  [
    'a Retry-After beyond all patience',
    reply.tooMany('3600'),
    { code: 'UNAVAILABLE', message: /asks to wait 3600 s, longer than/ },
  ],
])('%s: refused at once, with all there is to know', async (_, script, error) => {
  server.always(() => script)
  const { message = /etf_minute: /, ...rest } = error
  expect(await errorOf(ask('etf_minute', params))).toMatchObject({
    name: 'SourceError',
    request: { dataset: 'etf_minute' },
    node: server.url,
    ...rest,
    message: expect.stringMatching(message as RegExp),
  })
  expect(server.requests.length).toBe(1)
})

test('a body beyond the bound is refused', async () => {
  server.always(() => reply.bomb(40))
  const error = await errorOf(ask('etf_minute', params, {}, sourceOf({ maxBytes: 2 ** 22 })))
  expect(error).toMatchObject({ code: 'ENVELOPE', message: expect.stringContaining('larger than 4 MiB') })
})

test('nobody there at all: unreachable, all nodes named', async () => {
  const gone = await awkward()
  await gone.close()
  const error = await errorOf(ask('etf_minute', params, {}, sourceOf({ nodes: [gone.url] })))
  expect(error).toMatchObject({ code: 'UNREACHABLE', retryable: true, message: expect.stringContaining(gone.url) })
})

test('the answer to a question for another node is asked there', async () => {
  const other = await awkward()
  await other.close()
  honest(ofDay)
  const table = await ask('etf_minute', params, {}, sourceOf({ nodes: [other.url, server.url] }))
  expectTruth(table)
  expect(about(table).call).toMatchObject({ nodes: [server.url], requests: 2 })
})
