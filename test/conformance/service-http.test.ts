import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { datasetNames, datasetOf } from '../../src/contract/catalogue.js'
import { paramCases } from '../helper/param-cases.js'
import { dataOf, envelope, itemsOf, type PythonClient, pythonClient, type Told } from '../helper/python-client.js'
import { type Running, runService } from '../helper/running-service.js'

/** What is wrong, and what HTTP allows, through Python's http.client and bare sockets. */
let service: Running
let client: PythonClient

beforeAll(async () => {
  service = await runService()
  client = pythonClient(service.port)
})
afterAll(async () => {
  await client.close()
  await service.close()
})

const any = expect.any(String)
const good = { apikey: 'k', apiname: 'etf_minute', params: { symbols: '510300', trademin: '1500' } }
const send = (body: string | Uint8Array, headers: (readonly [string, string])[] = []): Promise<Told> =>
  client.ask({ method: 'POST', path: '/api', body, headers })
const isWire = (params: object): boolean =>
  JSON.stringify(params) === JSON.stringify(JSON.parse(JSON.stringify(params)))

describe('params that the contract does not allow: HTTP 200, code 422, the field named', () => {
  const refused = Object.entries(paramCases).flatMap(([name, byParam]) =>
    Object.entries(byParam).map(([param, cases]) => [name, param, cases] as const),
  )
  test.each(refused)('%s %s', async (apiname, param, { accepted, refused }) => {
    for (const params of refused) {
      // JSON has no NaN: it is sent as null, which stands for absent.
      if (Object.values(params).some((value) => Number.isNaN(value)) || !isWire(params)) continue
      const told = await client.post({ apikey: 'k', apiname, params })
      const about = [told.status, told.headers.get('content-type'), envelope(told)]
      const message = expect.stringContaining(param)
      expect(about, JSON.stringify(params)).toEqual([
        200,
        'application/json; charset=utf-8',
        { code: 422, message, data: null },
      ])
    }
    for (const params of accepted) {
      const { code } = envelope(await client.post({ apikey: 'k', apiname, params }))
      expect([200, 1002], JSON.stringify(params)).toContain(code)
    }
  })

  test.each([
    [{ apiname: 'nothing' }, 'apiname'],
    [{ apiname: 'etf-minute' }, "Did you mean 'etf_minute'"],
    [{ apiname: '' }, 'apiname'],
    [{}, 'apiname'],
    [{ apiname: null }, 'apiname'],
    [{ apiname: 5 }, 'apiname'],
    [{ apiname: ['st'] }, 'apiname'],
    [{ apiname: '__proto__' }, 'apiname'],
    [{ apiname: 'st', param: {} }, "Did you mean 'params'"],
    [{ apiname: 'st', params: [] }, 'params'],
    [{ apiname: 'st', params: 'symbols' }, 'params'],
    [{ apiname: 'st', params: 1 }, 'params'],
    [{ apiname: 'st', params: { simbols: '1' } }, "Did you mean 'symbols'"],
    [{ apiname: 'st', params: { constructor: '1' } }, 'constructor'],
    [{ apiname: 'hotstock' }, 'params'],
    [{ apiname: 'file_download' }, 'params'],
    [{ apiname: 'theme_lib_detail_kp', params: {} }, 'theme_id'],
    [{ apiname: 'theme_daily', params: {} }, 'type'],
  ])('%j', async (body, said) => {
    const told = await client.post({ apikey: 'k', ...body })
    expect([told.status, envelope(told)]).toEqual([
      200,
      { code: 422, message: expect.stringContaining(said), data: null },
    ])
  })

  test('every operation answers its example, and without params where it needs none', async () => {
    for (const apiname of datasetNames) {
      const { example, needsParams } = datasetOf(apiname)
      expect(envelope(await client.post({ apikey: 'k', apiname, params: example })).code, apiname).toBe(200)
      for (const none of [{}, { params: null }, { params: {} }]) {
        const { code } = envelope(await client.post({ apikey: 'k', apiname, ...none }))
        expect(code, apiname).toBe(needsParams ? 422 : 200)
      }
    }
  })
})

describe('bodies', () => {
  const text = JSON.stringify(good)
  const deep = '['.repeat(200_000) + ']'.repeat(200_000)
  const spread = (params: string): string => `{"apikey":"k","apiname":"st","params":${params}}`
  const bad: [string, string | Uint8Array][] = [
    ['empty', ''],
    ['blank', '  \n'],
    ['no JSON', 'apikey=k&apiname=st'],
    ['cut off', text.slice(0, -1)],
    ['more behind it', `${text}{}`],
    ['an array', `[${text}]`],
    ['a number', '5'],
    ['a text', '"st"'],
    ['null', 'null'],
    ['a byte order mark', `\ufeff${text}`],
    ['UTF-16', Buffer.from(text, 'utf16le')],
    [
      'bytes that are no UTF-8',
      Buffer.concat([
        Buffer.from('{"apikey":"k","apiname":"news","params":{"keyword":"'),
        Buffer.from([0xff, 0xfe, 0x22, 0x7d, 0x7d]),
      ]),
    ],
    ['NaN', spread('{"limit":NaN}')],
    ['a trailing comma', spread('{"type":"ST",}')],
    ['single quotes', text.replaceAll('"', "'")],
    ['brackets 200,000 deep', deep],
    ['brackets deep in params', spread(`{"symbols":${deep}}`)],
    ['brackets deep for params', spread(deep)],
    ['objects 80,000 deep', spread(`${'{"symbols":'.repeat(80_000)}1${'}'.repeat(80_000)}`)],
    ['1e400', spread('{"symbols":1e400}')],
    ['a number of a million digits', spread(`{"symbols":${'9'.repeat(900_000)}}`)],
    ['zeros', Buffer.alloc(1000)],
    ['a body that is gzip', gzipSync(text)],
  ]
  test.each(bad)('%s', async (_, body) => {
    const told = await send(body)
    expect([told.status, envelope(told)]).toEqual([200, { code: 422, message: any, data: null }])
    expect(told.body.length).toBeLessThan(500)
  })

  test('the last of a name that stands twice counts, as Python and JavaScript read it', async () => {
    const twice =
      '{"apikey":"k","apiname":"nothing","apiname":"st","params":{"symbols":"1","symbols":"000001"},"params":{}}'
    expect(envelope(await send(twice)).code).toBe(200)
  })

  test.each(['{"limit":1e0,"offset":0.0}', '{"limit":1,"offset":-0}', '{ "limit" : 1.0 }'])(
    'numbers may be spelt as JSON spells them: %s',
    async (params) => {
      const told = await send(`{"apikey":"k","apiname":"interactive_qa","params":${params}}`)
      expect(dataOf(told)).toMatchObject({ limit: 1, offset: 0 })
    },
  )

  test('of any content type, or none', async () => {
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded', '']) {
      expect(envelope(await send(text, type === '' ? [] : [['Content-Type', type]])).code).toBe(200)
    }
  })

  test('up to 1 MiB, and not a byte more', async () => {
    const padded = (length: number): string => text + ' '.repeat(length - text.length)
    expect(envelope(await send(padded(2 ** 20))).code).toBe(200)
    for (const length of [2 ** 20 + 1, 2 ** 23]) {
      const told = await send(padded(length))
      expect([told.status, envelope(told)]).toEqual([413, { code: 413, message: any, data: null }])
    }
  })

  test('of 150,000 codes', async () => {
    const symbols = Array.from({ length: 150_000 }, (_, i) => i).join()
    expect(symbols.length).toBeLessThan(2 ** 20)
    expect(envelope(await client.post({ apikey: 'k', apiname: 'st', params: { symbols } })).code).toBe(1002)
  })

  test('chunked, in pieces of any size, up to the same limit', async () => {
    for (const pieces of [[text], [...text], [text, ' '.repeat(1000)]]) {
      const told = await client.ask({ method: 'POST', path: '/api', chunks: pieces })
      expect(itemsOf(told).length).toBe(1)
    }
    const long = await client.ask({
      method: 'POST',
      path: '/api',
      chunks: [text, ...new Array(80).fill(' '.repeat(2 ** 14))],
    })
    expect([long.status, envelope(long).code]).toEqual([413, 413])
  })

  test.each(['gzip', 'br', 'deflate', 'nonsense'])('compressed by %s are refused', async (coding) => {
    const told = await send(coding === 'gzip' ? gzipSync(text) : text, [['Content-Encoding', coding]])
    expect(envelope(told)).toEqual({ code: 422, message: expect.stringContaining('Content-Encoding'), data: null })
  })
})

describe('paths and methods', () => {
  test.each([
    '/nothing',
    '/api/',
    '/API',
    '/api/st',
    '//api',
    '/api%2f',
    '/./api',
    '/apix',
    '/api;x',
    '/share',
    '/page',
  ])('404 at %s', async (path) => {
    for (const method of ['POST', 'GET']) {
      const told = await client.ask({ method, path, ...(method === 'POST' ? { body: '{}' } : {}) })
      expect([told.status, envelope(told)]).toEqual([404, { code: 404, message: any, data: null }])
    }
  })

  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE', 'LINK'])(
    '%s /api is 405, Allow: POST',
    async (method) => {
      const told = await client.ask({ method, path: '/api' })
      expect([told.status, told.headers.get('allow'), envelope(told)]).toEqual([
        405,
        'POST',
        { code: 405, message: any, data: null },
      ])
    },
  )

  test('HEAD has the headers of an answer and no body', async () => {
    for (const [path, status] of [
      ['/api', 405],
      ['/healthz', 200],
      ['/', 200],
      ['/openapi.json', 200],
      ['/nothing', 404],
    ] as const) {
      const told = await client.ask({ method: 'HEAD', path })
      expect([told.status, told.body.length], path).toEqual([status, 0])
      expect(Number(told.headers.get('content-length')), path).toBeGreaterThan(0)
    }
  })

  test.each(['/healthz', '/metrics', '/openapi.json', '/'])('POST %s is 405', async (path) => {
    const told = await client.ask({ method: 'POST', path, body: '{}' })
    expect([told.status, told.headers.get('allow'), envelope(told).code]).toEqual([405, 'GET, HEAD', 405])
  })

  test('a query string changes nothing', async () => {
    expect(itemsOf(await client.post(good, { path: '/api?apiname=st&limit=1' })).length).toBe(1)
  })

  test('health, metrics and the description of itself', async () => {
    expect(dataOf(await client.ask({ path: '/healthz' }))).toEqual({
      status: 'ok',
      store: 'sample',
      state: await service.archive.state(),
    })
    const metrics = await client.ask({ path: '/metrics' })
    expect(metrics.headers.get('content-type')).toContain('text/plain')
    expect(metrics.body.toString()).toMatch(/^quotebook_requests_total\{.*apiname="st".*\} \d+$/m)
    const description = await client.ask({ path: '/openapi.json' })
    expect(description.json).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) })
    expect((await client.ask({ path: '/' })).headers.get('content-security-policy')).toContain("default-src 'none'")
  })
})

describe('content coding', () => {
  const rows = { apikey: 'k', apiname: 'convertible_daily', params: { startdate: '20260601' } }
  const codings: [accept: string | undefined, coding: string | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0', undefined],
    ['gzip;q=0, br;q=0', undefined],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['identity;q=0, gzip', 'gzip'],
    ['identity;q=0', undefined],
    ['gzip;q=0.5, identity;q=0.9', undefined],
    ['deflate', undefined],
    ['gzip;q=nonsense', undefined],
    [',;=,q', undefined],
  ]
  test.each(codings)('Accept-Encoding %j is answered in %j', async (accept, coding) => {
    const whole = await client.post(rows)
    const told = await client.post(rows, accept === undefined ? {} : { headers: [['Accept-Encoding', accept]] })
    if (accept !== 'gzip;q=nonsense') expect(told.headers.get('content-encoding')).toBe(coding)
    expect(told.headers.get('content-length')).toBe(String(told.body.length))
    const got = told.headers.get('content-encoding')
    const unpacked = got === 'gzip' ? gunzipSync(told.body) : got === 'br' ? brotliDecompressSync(told.body) : told.body
    expect(unpacked.equals(whole.body)).toBe(true)
    if (coding !== undefined) expect(told.body.length).toBeLessThan(whole.body.length / 2)
  })

  test('what may come in several codings says so', async () => {
    for (const headers of [[], [['Accept-Encoding', 'gzip']]] as [string, string][][]) {
      expect((await client.post(rows, { headers })).headers.get('vary')?.toLowerCase()).toContain('accept-encoding')
      const page = await client.ask({ path: '/openapi.json', headers })
      expect(page.headers.get('vary')?.toLowerCase()).toContain('accept-encoding')
    }
  })
})

describe('HTTP itself', () => {
  const body = JSON.stringify(good)
  const post = (more = '', version = '1.1'): string =>
    `POST /api HTTP/${version}\r\nHost: 127.0.0.1\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${more}\r\n${body}`
  const last = 'Connection: close\r\n'
  const get = (target: string, more = last): string => `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n${more}\r\n`

  test('a kept connection, Connection: close, HTTP/1.0', async () => {
    expect((await client.post(good)).kept).toBe(true)
    const [closed, ...none] = await client.raw(post(last))
    expect([itemsOf(closed as Told).length, none.length]).toEqual([1, 0])
    const [old] = await client.raw(post('', '1.0'))
    expect(itemsOf(old as Told).length).toBe(1)
  })

  test('requests one behind the other without waiting are answered in their order', async () => {
    const names = ['st', 'nothing', 'etf_minute', 'hotstock', 'news', 'theme_daily', 'transfer_financing']
    const asked = names.map((apiname, at) => {
      const text = JSON.stringify({
        apikey: 'k',
        apiname,
        params: datasetNames.includes(apiname as 'st') ? datasetOf(apiname).example : {},
      })
      const end = at === names.length - 1 ? last : ''
      return `POST /api HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${Buffer.byteLength(text)}\r\n${end}\r\n${text}`
    })
    const told = await client.raw(asked.join(''))
    expect(told.map((one) => envelope(one).code)).toEqual([200, 422, 200, 200, 200, 200, 200])
    for (const [at, name] of names.entries()) {
      if (name === 'nothing') continue
      const alone = await client.post({ apikey: 'k', apiname: name, params: datasetOf(name).example })
      expect((told[at] as Told).body.equals(alone.body), name).toBe(true)
    }
  })

  test('Expect: 100-continue is continued', async () => {
    const [told] = await client.raw(post(`Expect: 100-continue\r\n${last}`))
    expect(itemsOf(told as Told).length).toBe(1)
  })

  test('a target that is a whole address', async () => {
    const [told] = await client.raw(post(last).replace('POST /api', 'POST http://127.0.0.1/api'))
    expect(itemsOf(told as Told).length).toBe(1)
    const [other] = await client.raw(get('http://127.0.0.1'))
    expect([other?.status, envelope(other as Told).code]).toEqual([404, 404])
  })

  const broken: [string, string, number][] = [
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['a method that is none', get('/healthz').replace('GET', 'BREW'), 400],
    ['a version that is none', get('/healthz').replace('HTTP/1.1', 'HTTP/7.3'), 400],
    ['a blank in the target', get('/a b'), 400],
    ['a header without a colon', get('/healthz', `nothing\r\n${last}`), 400],
    ['a header with a blank in its name', get('/healthz', `a b: c\r\n${last}`), 400],
    ['a header with a zero', get('/healthz', `a: \0\r\n${last}`), 400],
    ['no Host', get('/healthz').replace('Host: 127.0.0.1\r\n', ''), 400],
    ['two hosts', get('/healthz').replace('Host: 127.0.0.1\r\n', 'Host: 127.0.0.1\r\nhost: localhost\r\n'), 400],
    ['the same host twice', post(`HOST: 127.0.0.1\r\n${last}`), 400],
    ['two lengths', post(`Content-Length: 5\r\n${last}`), 400],
    ['a length and chunks', post(`Transfer-Encoding: chunked\r\n${last}`), 400],
    ['a length that is none', post(last).replace(/Content-Length: \d+/, 'Content-Length: -1'), 400],
    ['an unknown transfer coding', post(last).replace(/Content-Length: \d+/, 'Transfer-Encoding: gzip'), 400],
    [
      'a chunk whose size is none',
      `POST /api HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      400,
    ],
    ['headers of 20,000 bytes', get('/healthz', `x: ${'a'.repeat(20_000)}\r\n${last}`), 431],
    ['a target of 20,000 bytes', get(`/${'a'.repeat(20_000)}`), 431],
    ['6,000 headers', get('/healthz', `${'a: bbbb\r\n'.repeat(6000)}${last}`), 431],
    ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', 405],
    ['another host', get('/healthz').replace('127.0.0.1', 'example.org'), 403],
    ['OPTIONS *', get('*').replace('GET', 'OPTIONS'), 404],
    ['an upgrade that is not taken', get('/nothing', 'Upgrade: websocket\r\nConnection: Upgrade, close\r\n'), 404],
  ]
  test.each(broken)('%s', async (_, message, status) => {
    const told = await client.raw(Buffer.from(message, 'latin1'))
    expect(told.map((one) => [one.status, envelope(one)])).toEqual([
      [status, { code: status, message: any, data: null }],
    ])
    expect(told[0]?.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(told[0]?.headers.get('content-length')).toBe(String(told[0]?.body.length))
  })

  test('no answer names the server, a path of the machine, or a line of code', async () => {
    for (const [, message] of broken) {
      for (const { headers, body: said } of await client.raw(Buffer.from(message, 'latin1'))) {
        expect(`${[...headers]} ${said}`).not.toMatch(/node|express|\/work|\.ts|\.js\b|\n\s+at /i)
      }
    }
  })
})

test('nobody was told of a fault, and every request is in the log', () => {
  expect(service.faults).toEqual([])
  expect(service.entries.length).toBeGreaterThan(400)
  expect(service.entries.every(({ status }) => status < 500)).toBe(true)
})
