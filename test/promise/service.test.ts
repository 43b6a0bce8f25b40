import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { connect, datasets } from 'quotebook'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { here } from '../helper/here.js'
import { type Ran, runCommand } from './helper/command.js'
import { folder, removeFolders } from './helper/files.js'
import { type Answer, api, http, raw, type Serving, serving, sha256 } from './helper/serving.js'

removeFolders()

const dir = folder()
const keys = join(dir, 'keys.json')
const keyOf = (name: string): string => `key-of-${name}-1234`
const entry = (name: string, plan: string, rate: number | null = null, expiry: string | null = null) => {
  return { name, sha256: sha256(keyOf(name)), plan, expiry, rate, added: null }
}
const entries = [
  entry('gold', 'flagship', null, '20991231'),
  entry('silver', 'professional'),
  entry('tin', 'free'),
  entry('slow', 'flagship', 6),
  entry('old', 'flagship', null, '20250101'),
  entry('leaver', 'flagship'),
]
const writeKeys = (some: object[]): void => writeFileSync(keys, JSON.stringify({ format: 1, keys: some }))

/** One that takes any key, one with a key file. */
let [open, closed] = [] as unknown as [Serving, Serving]
beforeAll(async () => {
  writeKeys(entries)
  ;[open, closed] = await Promise.all([serving(), serving(['--keys', keys])])
})
afterAll(() => Promise.all([open?.end(), closed?.end()]))

const ask = (body: object | string | Uint8Array, headers = {}): Promise<Answer> => api(open.url, body, headers)
const refusal = (code: number, message: string): string => JSON.stringify({ code, message, data: null })
const day = { apikey: 'any', apiname: 'convertible_daily', params: { tradedate: '20260729' } }
const year = { apiname: 'file_download', params: { data_type: 'auction_tick', year: 2026 } }

test('the answers of the README, byte for byte', async () => {
  const bar = { apikey: 'any', apiname: 'etf_minute', params: { symbols: '510300', trademin: '1500' } }
  const { status, headers, text } = await ask({ ...bar, fields: 'symbol,close,vwap' })
  expect(text).toBe(
    '{"code":200,"message":"success","data":{"fields":["symbol","close","vwap"],"items":[["510300.SH",2.445,2.444]]}}',
  )
  expect([status, headers['content-type'], headers['content-length']]).toEqual([
    200,
    'application/json; charset=utf-8',
    '112',
  ])
  const st = { apikey: 'any', apiname: 'st', params: { startdate: '20200102', enddate: '20200102' } }
  expect((await ask(st)).text).toBe('{"code":1002,"message":"no data","data":null}')
})

test('pages of two questions, asked in turns, are each of its own', async () => {
  const span = { startdate: '20260601', enddate: '20260729' }
  const page = async (apiname: string, params: object, limit: number, offset: number): Promise<unknown[]> => {
    const { text } = await ask({ apikey: 'any', apiname, params: { ...span, ...params, limit, offset } })
    return JSON.parse(text).data.items
  }
  const questions = [
    ['finance_announcement', {}],
    ['finance_announcement', { symbols: '000001' }],
    ['interactive_qa', {}],
  ] as const
  const wholes = await Promise.all(questions.map(([name, params]) => page(name, params, 2000, 0)))
  expect(new Set(wholes.map((rows) => rows.length)).size).toBe(3)
  for (const offset of [4, 0, 2])
    for (const [at, [name, params]] of questions.entries())
      expect(await page(name, params, 2, offset), `${name} ${offset}`).toEqual(wholes[at]?.slice(offset, offset + 2))
})

test('the example of every operation: the same bytes ever, cold and warm, and the fields of the contract in their order', async () => {
  for (const { name, example, columns, shape } of datasets) {
    if (name === 'file_download') continue
    const answers = await Promise.all([1, 2, 3].map(() => ask({ apikey: 'any', apiname: name, params: example })))
    const [{ text = '' } = {}] = answers
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1)
    const { code, data } = JSON.parse(text)
    expect([name, code]).toEqual([name, 200])
    if (shape === 'rows' && name !== 'hotstock') expect(data.fields).toEqual(Object.keys(columns))
    expect(sha256(text).slice(0, 12)).toMatchSnapshot(name)
  }
})

test('rows over HTTP are those of the embedded archive, and complete', async () => {
  const [near, far] = await Promise.all([connect(), connect({ nodes: [open.url], apikey: 'any' })])
  const params = { startdate: '20260701', enddate: '20260729' }
  const [own, sent] = await Promise.all([near.table.convertibleDaily(params), far.table.convertibleDaily(params)])
  expect(sent.numRows).toBe(own.numRows)
  expect(JSON.stringify(sent.toArray())).toBe(JSON.stringify(own.toArray()))
  await Promise.all([near.close(), far.close()])
})

test('fields: as asked, in that order, once each; a large answer with some of them is right too', async () => {
  const { text } = await ask({ ...day, fields: 'close, code ,close' })
  const { data } = JSON.parse(text)
  expect(data.fields).toEqual(['close', 'code'])
  const whole = JSON.parse((await ask(day)).text).data
  const at = ['close', 'code'].map((name) => whole.fields.indexOf(name))
  expect(data.items).toEqual(whole.items.map((row: unknown[]) => at.map((place) => row[place])))
  const all = { apikey: 'any', apiname: 'convertible_daily', params: { startdate: '20260506' } }
  const [one, other] = await Promise.all([ask(all), ask({ ...all, fields: 'code,tradedate' })])
  const { fields, items } = JSON.parse(one.text).data
  const [code, date] = ['code', 'tradedate'].map((name) => fields.indexOf(name))
  expect(items).toHaveLength(1194)
  expect(JSON.parse(other.text).data.items).toEqual(items.map((row: unknown[]) => [row[code], row[date]]))
})

const invalid: readonly (readonly [body: object | string, message: string])[] = [
  ['', 'the body is empty; it must be a JSON object with apikey and apiname.'],
  ['[]', 'the body must be a JSON object with apikey and apiname.'],
  ['{"apikey":', 'the body is not JSON in UTF-8; it must be an object with apikey and apiname.'],
  [{}, 'apiname is missing.'],
  [{ apiname: 7 }, 'apiname must be a string.'],
  [{ apiname: 'etf_minutes' }, "unknown apiname 'etf_minutes'. Did you mean 'etf_minute'?"],
  [{ apiname: 'news', field: 'title' }, "unknown field of the request 'field'. Did you mean 'fields'?"],
  [{ apiname: 'news', fields: ['title'] }, 'fields must be one string: names separated by commas.'],
  [{ apiname: 'news', fields: 'titel' }, "unknown field of news 'titel'. Did you mean 'title'?"],
  [{ apiname: 'news', params: [] }, 'params must be an object, not [].'],
  [{ apiname: 'news', params: { limit: 0 } }, 'limit must be from 1 to 500, not 0.'],
  [{ apiname: 'etf_minute', params: { symbol: '1' } }, "unknown param of etf_minute 'symbol'. Did you mean 'symbols'?"],
  [
    { apiname: 'etf_minute', params: { symbols: 510300 } },
    'symbols must be a string: give "510300", a number loses leading zeros.',
  ],
  [
    { apiname: 'st', params: { startdate: '20260730', enddate: '20260701' } },
    'startdate 20260730 is later than enddate 20260701.',
  ],
]

test('what the contract does not allow is 422 under HTTP 200, and the message names the field', async () => {
  const answers = await Promise.all(
    invalid.map(([body]) => ask(typeof body === 'string' ? body : { apikey: 'any', ...body })),
  )
  expect(answers.map(({ status, text }) => [status, text])).toEqual(
    invalid.map(([, message]) => [200, refusal(422, message)]),
  )
})

test('another path is 404, another method 405 with Allow; both with an envelope', async () => {
  const nothing = refusal(
    404,
    'there is nothing under this path: POST /api takes requests, GET / is the desk, GET /try the test page',
  )
  for (const path of ['/nowhere', '/api/', '/API', '/page/none.js', '/page/..%2fstyle.css', '//api', '/share']) {
    const { status, text } = await http(open.url + path)
    expect([path, status, text]).toEqual([path, 404, nothing])
  }
  const cases = [
    ['GET', '/api', 'POST'],
    ['PUT', '/api', 'POST'],
    ['OPTIONS', '/api', 'POST'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['DELETE', '/', 'GET, HEAD'],
    ['POST', '/openapi.json', 'GET, HEAD'],
    ['POST', '/metrics', 'GET, HEAD'],
  ] as const
  for (const [method, path, allow] of cases) {
    const { status, headers, text } = await http(open.url + path, { method })
    expect([method, path, status, headers.allow, text]).toEqual([
      method,
      path,
      405,
      allow,
      refusal(405, `this path takes ${allow}`),
    ])
  }
  expect((await ask(day)).text).toBe(
    (await http(`${open.url}/api?x=1`, { method: 'POST', body: JSON.stringify(day) })).text,
  )
})

test('/docs leads to the documentation in the language of the browser', async () => {
  const placeFor = async (language: string) => {
    const headers = { 'accept-language': language }
    const { status, headers: sent } = await http(`${open.url}/docs`, { headers })
    return [status, sent.location, sent.vary]
  }
  expect(await placeFor('zh-CN,zh;q=0.9,en;q=0.8')).toEqual([301, 'docs/zh/', 'accept-language'])
  expect(await placeFor('en-US,en;q=0.9')).toEqual([301, 'docs/', 'accept-language'])
})

test('whoever asks for Chinese is refused in Chinese, with the same status and code', async () => {
  const wanted = { 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' }
  const refused = await Promise.all([
    http(`${open.url}/nowhere`, { headers: wanted }),
    http(`${open.url}/api`, { method: 'PUT', headers: wanted }),
    http(`${open.url}/api`, { headers: { ...wanted, host: 'evil.example' } }),
    api(closed.url, { ...day, apikey: keyOf('old') }, wanted),
    ask({ ...day, apiname: 'stt' }, wanted),
    ask({ apikey: 'any', apiname: 'st', params: { startdate: '20200102', enddate: '20200102' } }, wanted),
  ])
  expect(refused.map(({ status, text }) => [status, text])).toEqual([
    [404, refusal(404, '此路径下没有内容：请求请发往 POST /api，看板为 GET /，测试页为 GET /try')],
    [405, refusal(405, '此路径只接受 POST')],
    [403, refusal(403, '没有密钥文件时，服务只应答发往 127.0.0.1 或 localhost 的请求')],
    [200, refusal(403, 'apikey 已过期；最后有效日为 20250101')],
    [200, refusal(422, "未知 apiname 'stt'。是否指 'st'？")],
    [200, refusal(1002, 'no data')],
  ])
})

test('a body has at most 1 MiB, and is neither compressed nor another charset', async () => {
  const padded = (bytes: number): string => JSON.stringify(day).padStart(bytes)
  expect((await ask(padded(2 ** 20))).text).toBe((await ask(day)).text)
  const long = await ask(padded(2 ** 20 + 1))
  expect([long.status, long.headers.connection, long.text]).toEqual([
    413,
    'close',
    refusal(413, 'the body is longer than 1048576 bytes'),
  ])
  const coded = await ask(JSON.stringify(day), { 'content-encoding': 'gzip' })
  expect([coded.status, coded.text]).toEqual([
    200,
    refusal(422, 'the body must not be compressed: send it without Content-Encoding'),
  ])
  expect((await ask(JSON.stringify(day), { 'content-encoding': 'identity' })).text).toBe((await ask(day)).text)
  const latin = Buffer.from('{"apikey":"any","apiname":"news","params":{"limit":1},"fields":"titl\xe9"}', 'latin1')
  expect((await ask(latin)).text).toBe(
    refusal(422, 'the body is not JSON in UTF-8; it must be an object with apikey and apiname.'),
  )
})

test('what is no HTTP request, names no host or two, or has too large headers: refused in an envelope', async () => {
  const cases = [
    ['GARBAGE\r\n\r\n', 400, 'this is not an HTTP request'],
    ['GET / HTTP/1.1\r\n\r\n', 400, 'the request names no host'],
    ['GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: localhost\r\n\r\n', 400, 'the request names more than one host'],
    [
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(2 ** 14)}\r\n\r\n`,
      431,
      'the headers of the request are too large',
    ],
    ['CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n', 405, 'this is no proxy: POST /api takes requests'],
  ] as const
  for (const [bytes, status, message] of cases) {
    const text = await raw(open.port, bytes)
    expect(text.startsWith(`HTTP/1.1 ${status} `)).toBe(true)
    expect(text.endsWith(refusal(status, message))).toBe(true)
  }
})

test('another protocol is not spoken: the answer is the last on its connection, which nobody waits for', async () => {
  const head = 'Host: localhost\r\nUpgrade: h2c\r\nConnection: upgrade'
  for (const path of ['/api', '/healthz', '/share/x/']) {
    const text = await raw(open.port, `GET ${path} HTTP/1.1\r\n${head}\r\n\r\n${'x'.repeat(70_000)}`)
    expect(text).toMatch(/^HTTP\/1\.1 (200|404|405) /)
    expect(text.toLowerCase()).toContain('connection: close')
  }
})

test('without a key file only what is sent to this machine by its own names is answered', async () => {
  const here = refusal(403, 'without a key file this service answers only what is sent to 127.0.0.1 or localhost')
  for (const path of ['/', '/healthz', '/openapi.json', '/share/x/', '/mcp']) {
    const { status, text } = await http(open.url + path, { headers: { host: 'evil.example' } })
    expect([path, status, text]).toEqual([path, 403, here])
  }
  const foreign = await api(open.url, day, { host: 'evil.example:8000' })
  expect([foreign.status, foreign.text]).toEqual([403, here])
  expect((await api(open.url, day, { host: 'localhost:1' })).status).toBe(200)
  expect((await api(closed.url, { ...day, apikey: keyOf('gold') }, { host: 'evil.example' })).status).toBe(200)
})

test('without a key file a page of another site can not ask, by whatever its browser sends', async () => {
  const own = new URL(open.url).host
  const other = refusal(403, 'this is not for pages of other sites')
  const simple = refusal(415, 'a page must send its request with Content-Type: application/json')
  const json = { 'content-type': 'application/json' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const cases: readonly [headers: Record<string, string>, status: number, said?: string][] = [
    [{}, 200],
    [form, 200],
    [{ 'content-type': 'text/plain;charset=UTF-8', 'sec-fetch-mode': 'cors' }, 200],
    [{ ...json, origin: `http://${own}` }, 200],
    [
      { 'content-type': 'application/json; charset=utf-8', origin: `http://${own}`, 'sec-fetch-site': 'same-origin' },
      200,
    ],
    [{ ...json, 'sec-fetch-site': 'none' }, 200],
    [{ ...json, origin: 'http://evil.example' }, 403, other],
    [{ ...json, origin: 'http://localhost:1' }, 403, other],
    [{ ...json, origin: `http://${own}.evil.example` }, 403, other],
    [{ ...json, origin: `http://${own}, http://evil.example` }, 403, other],
    [{ ...form, origin: 'null' }, 403, other],
    [{ ...json, 'sec-fetch-site': 'cross-site' }, 403, other],
    [{ 'sec-fetch-site': 'same-site' }, 403, other],
    [{ origin: `http://${own}` }, 415, simple],
    [{ ...form, origin: `http://${own}` }, 415, simple],
    [{ 'content-type': 'text/plain', 'sec-fetch-site': 'same-origin' }, 415, simple],
    [{ 'content-type': 'text/plain; x=application/json', 'sec-fetch-site': 'none' }, 415, simple],
    [{ 'content-type': 'application/jsonp', origin: `http://${own}` }, 415, simple],
  ]
  for (const [headers, status, said] of cases) {
    const sent = Object.keys(headers).includes('content-type') ? headers : { 'content-type': '', ...headers }
    for (const [path, body] of [
      ['/api', day],
      ['/query/st', {}],
    ] as const) {
      const answer = await http(open.url + path, { method: 'POST', body: JSON.stringify(body), headers: sent })
      expect([path, headers, answer.status, said && answer.text]).toEqual([path, headers, status, said])
    }
  }
  const get = (headers: Record<string, string>) => http(`${open.url}/query/st`, { headers })
  expect((await get({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' })).status).toBe(200)
  expect((await get({ 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' })).text).toBe(other)
  expect((await http(`${open.url}/`, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(200)
  // A key protects.
  const keyed = await api(closed.url, { ...day, apikey: keyOf('gold') }, { origin: 'http://evil.example' })
  expect(keyed.status).toBe(200)
})

test('the log has the client that a proxy of --proxy names, of other connections never', async () => {
  const own = await serving(['--proxy', '127.0.0.1, 10.0.0.0/8', '--proxy', 'fd00::/8'])
  const cases: readonly [forwarded: string | string[] | undefined, remote: string, from?: string][] = [
    [undefined, '127.0.0.1'],
    ['', '127.0.0.1'],
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7', '127.0.0.2', '127.0.0.2'],
    ['8.8.8.8, 203.0.113.7', '203.0.113.7'],
    ['8.8.8.8, 203.0.113.7, 10.1.2.3 ,fd12::9', '203.0.113.7'],
    ['10.0.0.9, 10.0.0.8', '10.0.0.9'],
    [['8.8.8.8', '203.0.113.7, 10.0.0.8'], '203.0.113.7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1], ::ffff:10.0.0.1', '2001:db8::1'],
    ['203.0.113.7, unknown', '127.0.0.1'],
    ['203.0.113.7, 10.0.0.999, 10.0.0.1', '10.0.0.1'],
    ['203.0.113.7,', '127.0.0.1'],
    ['fe80::1%eth0', '127.0.0.1'],
    ['127.0.0.1\t', '127.0.0.1'],
    ['::1/64', '127.0.0.1'],
    [`${'1.1.1.1,'.repeat(900)}9.9.9.9`, '9.9.9.9'],
  ]
  for (const [forwarded, , localAddress = '127.0.0.1'] of cases) {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
    const asked = request(`${own.url}/healthz`, { headers, localAddress, agent: false }).end()
    await once((await once(asked, 'response'))[0].resume(), 'end')
  }
  const plain = await serving()
  await http(`${plain.url}/healthz`, { headers: { 'x-forwarded-for': '203.0.113.7' } })
  expect([await own.end(), await plain.end()]).toEqual([0, 0])
  expect(own.log().map(({ remote }, i) => [cases[i]?.[0], remote])).toEqual(
    cases.map(([forwarded, remote]) => [forwarded, remote]),
  )
  expect(plain.log().map(({ remote }) => remote)).toEqual(['127.0.0.1'])
  for (const wrong of ['localhost', '10.0.0.0/33', '10.0.0.1/', 'fe80::1%eth0', '::/129', '', '10.0.0.1,', '1.2.3']) {
    const { err, code } = await runCommand(['serve', '--port', '0', '--proxy', wrong])
    expect([wrong, code, /must be an IP address or ADDRESS\/BITS/.test(err)]).toEqual([wrong, 2, true])
  }
})

test('answers are compressed as the client takes it, and are the same bytes again', async () => {
  const plain = await ask(day)
  expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'accept-encoding'])
  const cases = [
    ['gzip', 'gzip', gunzipSync],
    ['br', 'br', brotliDecompressSync],
    ['gzip, br', 'br', brotliDecompressSync],
    ['br;q=0.5, gzip', 'gzip', gunzipSync],
    ['gzip;q=0', undefined, (bytes: Buffer) => bytes],
  ] as const
  for (const [accept, encoding, decode] of cases) {
    const { headers, body } = await ask(day, { 'accept-encoding': accept })
    expect([accept, headers['content-encoding'], headers['content-length'], headers.vary]).toEqual([
      accept,
      encoding,
      String(body.length),
      'accept-encoding',
    ])
    expect(decode(body).equals(plain.body)).toBe(true)
  }
  const small = await ask(
    { ...day, fields: 'code', params: { symbols: '123124', tradedate: '20260729' } },
    { 'accept-encoding': 'gzip' },
  )
  expect([small.headers['content-encoding'], small.headers.vary]).toEqual([undefined, undefined])
})

test('an answer that the client has already is not sent again: its sha256 is its ETag', async () => {
  const plain = await ask(day)
  expect(plain.headers.etag).toBeUndefined()
  const tag = `"${sha256(plain.body)}"`
  const same = await ask(day, { 'if-none-match': `"x", ${tag}` })
  expect([same.status, same.headers.etag, same.text]).toEqual([412, tag, ''])
  const other = await ask(day, { 'if-none-match': '"x"' })
  expect([other.status, other.headers.etag, other.text]).toEqual([200, tag, plain.text])
})

test('requests of one connection are answered in their order; a connection may wait', async () => {
  const minutes = ['1000', '1030', '1100']
  const lines = minutes.map((trademin) => {
    const params = { symbols: '510300', period: '30m', trademin }
    const body = JSON.stringify({ apikey: 'any', apiname: 'etf_minute', params, fields: 'trademin' })
    return `POST /api HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  })
  const text = await raw(open.port, lines.join(''), (found) => found.includes('["1100"]]'))
  expect([...text.matchAll(/"items":\[\["(\d+)"\]\]/g)].map(([, minute]) => minute)).toEqual(minutes)
  expect(text).toContain('Keep-Alive: timeout=65')
})

test('of more than 33 requests at once on a connection the last are told "busy", with Retry-After', async () => {
  const body = JSON.stringify(day)
  const one = `POST /api HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const ends = (text: string): number => (text.match(/HTTP\/1\.1 200 OK/g) ?? []).length
  const text = await raw(open.port, one.repeat(40), (found) => ends(found) === 40 && found.trimEnd().endsWith('}'))
  expect(text.split(refusal(503, 'busy: too many requests at once')).length - 1).toBe(7)
  expect(text.match(/retry-after: 1\r\n/g)).toHaveLength(7)
})

test('keys: who has none, a wrong or an expired one hears 403 and why', async () => {
  const cases = [
    [{}, 'apikey is missing or empty'],
    [{ apikey: ' ' }, 'apikey is missing or empty'],
    [{ apikey: 7 }, 'apikey is missing or empty'],
    [{ apikey: 'guess' }, 'apikey is not valid'],
    [{ apikey: `${keyOf('gold')} ` }, 'apikey is not valid'],
    [{ apikey: sha256(keyOf('gold')) }, 'apikey is not valid'],
    [{ apikey: keyOf('old') }, 'apikey has expired; 20250101 was its last day'],
  ] as const
  for (const [key, message] of cases) {
    const { status, text } = await api(closed.url, { apiname: 'news', ...key })
    expect([key, status, text]).toEqual([key, 200, refusal(403, message)])
  }
  expect((await api(closed.url, { ...day, apikey: keyOf('tin') })).text).toBe((await ask(day)).text)
  expect((await ask({ apiname: 'news' })).text).toBe(refusal(403, 'apikey is missing or empty; any text will do here'))
})

test('a key over its rate hears HTTP 429 and when to come again; others do not notice', async () => {
  const slow = { ...day, apikey: keyOf('slow') }
  expect((await api(closed.url, slow)).status).toBe(200)
  const { status, headers, text } = await api(closed.url, slow)
  expect([status, headers['retry-after'], text]).toEqual([
    429,
    '10',
    refusal(429, 'too many requests: this key has 6 a minute; try again in 10 s'),
  ])
  expect((await api(closed.url, { ...day, apikey: keyOf('gold') })).status).toBe(200)
})

interface Share {
  readonly path: string
  readonly authorization: string
}

/** The share that a key is offered, once it is ready. */
async function shareOf(name: string): Promise<Share> {
  for (;;) {
    const { text } = await api(closed.url, { ...year, apikey: keyOf(name) })
    const { code, data } = JSON.parse(text).data
    if (code !== 0) continue
    expect(data.url.startsWith(`${closed.url}/share/`)).toBe(true)
    return {
      path: data.url,
      authorization: `Basic ${Buffer.from(`any:${data.password}`).toString('base64')}`,
    }
  }
}

test('plans: free has no file_download, the others a link, a password and its days', async () => {
  expect((await api(closed.url, { ...year, apikey: keyOf('tin') })).text).toBe(
    refusal(403, 'file_download needs a professional or flagship plan.'),
  )
  const { text, headers } = await api(closed.url, { ...year, apikey: keyOf('gold') })
  expect(headers['cache-control']).toBe('no-store')
  const { code, message, data } = JSON.parse(text)
  expect([code, message]).toEqual([200, 'success'])
  expect(Object.keys(data)).toEqual(['code', 'data', 'message'])
  const old = { ...year, params: { ...year.params, year: 2022 }, apikey: keyOf('gold') }
  expect((await api(closed.url, old)).text).toBe('{"code":1002,"message":"no data","data":null}')
})

test('behind the link: a listing as nginx and WebDAV have it, files by their checksum, and ranges', async () => {
  const { path, authorization } = await shareOf('gold')
  const at = (name = '', asked: Parameters<typeof http>[1] = {}) =>
    http(path + name, { ...asked, headers: { authorization, ...asked?.headers } })
  const page = await at()
  const names = [...page.text.matchAll(/<a href="(\d{8}_aucde\.parquet)">/g)].map(([, name = '']) => name)
  expect([page.status, names.length]).toEqual([200, 60])
  const [name = ''] = names
  const file = await at(name)
  expect([file.status, file.headers.etag, file.headers['content-type']]).toEqual([
    200,
    `"${sha256(file.body)}"`,
    'application/vnd.apache.parquet',
  ])
  const part = await at(name, { headers: { range: 'bytes=4-9' } })
  expect([part.status, part.headers['content-range'], part.body.equals(file.body.subarray(4, 10))]).toEqual([
    206,
    `bytes 4-9/${file.body.length}`,
    true,
  ])
  expect((await at(name, { headers: { 'if-none-match': String(file.headers.etag) } })).status).toBe(304)
  const beyond = await at(name, { headers: { range: `bytes=${file.body.length}-` } })
  expect([beyond.status, beyond.text]).toEqual([416, `The file has ${file.body.length} bytes.\n`])
  const depth = (value: string) => at('', { method: 'PROPFIND', headers: { depth: value } })
  const [zero, one, all] = [await depth('0'), await depth('1'), await depth('infinity')]
  expect([zero, one].map(({ status, text }) => [status, text.match(/<D:response>/g)?.length])).toEqual([
    [207, 1],
    [207, 61],
  ])
  expect([all.status, all.text.includes('propfind-finite-depth')]).toEqual([403, true])
  expect(one.text).toContain(`<D:getetag>&quot;${sha256(file.body)}&quot;</D:getetag>`)
  const options = await at('', { method: 'OPTIONS' })
  expect([options.headers.dav, options.headers.allow]).toEqual(['1', 'OPTIONS, PROPFIND, GET, HEAD'])
  expect((await at(name, { method: 'DELETE' })).status).toBe(405)
})

test('nothing of a share is shown without its password, under another name, or beside it', async () => {
  const { path, authorization } = await shareOf('silver')
  for (const wrong of ['', 'Basic !', 'Bearer x', `Basic ${Buffer.from('any:x').toString('base64')}`]) {
    const { status, headers, text } = await http(path, { headers: { authorization: wrong } })
    expect([status, headers['www-authenticate'], text]).toEqual([
      401,
      'Basic realm="Quotebook share", charset="UTF-8"',
      'The share asks for its password; any user name will do.\n',
    ])
  }
  for (const name of ['20260729.parquet', '..%2fkeys.json', '%2e%2e/', 'x/y', '20250102_aucde.parquet'])
    expect([name, (await http(path + name, { headers: { authorization } })).status]).toEqual([name, 404])
  const forged = path.replace(/share\/\d{8}/, 'share/20200101')
  expect((await http(forged, { headers: { authorization } })).text).toBe('There is no such share.\n')
})

test('keys change while it runs: one that is added is let in, one that is revoked is not, and its links end', async () => {
  const share = await shareOf('leaver')
  const leaver = { ...day, apikey: keyOf('leaver') }
  expect((await api(closed.url, leaver)).status).toBe(200)
  const added = await here('keys', 'add', 'new desk', '--keys', keys, '--rate', '600')
  const key = added.out.trim()
  expect(key).toMatch(/^qb_[\da-f]{64}$/)
  expect((await here('keys', 'revoke', 'leaver', '--keys', keys)).code).toBe(0)
  const file = readFileSync(keys, 'utf8')
  expect([file.includes(key), file.includes(sha256(key))]).toEqual([false, true])
  await new Promise((resolve) => setTimeout(resolve, 1100))
  expect(JSON.parse((await api(closed.url, { ...day, apikey: key })).text).code).toBe(200)
  expect((await api(closed.url, leaver)).text).toBe(refusal(403, 'apikey is not valid'))
  const gone = await http(share.path, { headers: { authorization: share.authorization } })
  expect([gone.status, gone.text]).toEqual([410, 'This share has expired; ask file_download for a new one.\n'])
  writeFileSync(keys, '{"format":1,"keys":[')
  await new Promise((resolve) => setTimeout(resolve, 1100))
  expect(JSON.parse((await api(closed.url, { ...day, apikey: key })).text).code).toBe(200)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(closed.said()).toContain('the keys read before stay in force, also those that were to be revoked')
  writeKeys(entries)
})

test('health, and metrics that count by route, operation, status and code, and name no key', async () => {
  const { headers, text } = await http(`${closed.url}/healthz`)
  const { code, data } = JSON.parse(text)
  expect([headers['cache-control'], code, data.status, data.store]).toEqual(['no-store', 200, 'ok', 'sample'])
  expect(data.state).toMatch(/^[\da-f]{64}$/)
  const metric = async (line: string): Promise<number> => {
    const found = (await http(`${closed.url}/metrics`)).text.split('\n').find((one) => one.startsWith(`${line} `))
    return Number(found?.split(' ')[1] ?? 0)
  }
  const labels = '{route="api",apiname="stock_daily",status="200",code="422"}'
  const refusals = 'quotebook_refusals_total{reason="forbidden"}'
  const unknown = 'quotebook_requests_total{route="api",apiname="other",status="200",code="422"}'
  const before = [await metric(refusals), await metric(unknown)]
  await api(closed.url, { apikey: 'guess', apiname: 'news' })
  await api(closed.url, { apikey: keyOf('gold'), apiname: 'no_such_thing' })
  await api(closed.url, { apikey: keyOf('gold'), apiname: 'st', params: { x: 1 } })
  expect([await metric(refusals), await metric(unknown)]).toEqual(before.map((count) => count + 1))
  expect(await metric(`quotebook_requests_total${labels.replace('stock_daily', 'st')}`)).toBe(1)
  const all = (await http(`${closed.url}/metrics`)).text
  for (const secret of ['key-of', 'gold', 'guess', 'no_such']) expect(all).not.toContain(secret)
  for (const name of ['held_bytes', 'requests_in_flight', 'sent_rows_total', 'archive_changes_total'])
    expect(all).toContain(`# TYPE quotebook_${name} `)
})

test('the log has a line of JSON for each request, its keys in order, and neither key nor params', async () => {
  await api(closed.url, { ...day, apikey: keyOf('gold') }, { 'accept-encoding': 'br' })
  await new Promise((resolve) => setTimeout(resolve, 300))
  const log = closed.log()
  const last = log.at(-1) ?? {}
  expect(Object.keys(last).join()).toBe(
    'time,id,method,route,apiname,status,code,rows,bytes,milliseconds,caller,encoding,remote',
  )
  const { route, apiname, status, code, rows, caller, encoding, remote } = last
  expect([route, apiname, status, code, caller, encoding, remote]).toEqual([
    'api',
    'convertible_daily',
    200,
    200,
    'gold',
    'br',
    '127.0.0.1',
  ])
  expect(rows).toBe(JSON.parse((await ask(day)).text).data.items.length)
  expect(last.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+08:00$/)
  expect(log.map(({ id }) => id)).toEqual(log.map((_, at) => at + 1))
  for (const secret of ['key-of', 'guess', 'no_such', '20260729', 'Basic', '_aucde'])
    expect(JSON.stringify(log)).not.toContain(secret)
  expect(closed.said()).not.toContain('key-of')
})

test('/openapi.json describes what is asked and what is answered', async () => {
  const { headers, text } = await http(`${open.url}/openapi.json`)
  expect(headers['access-control-allow-origin']).toBe('*')
  const document = JSON.parse(text)
  expect(document.openapi).toBe('3.1.0')
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema({ $id: 'doc', ...document })
  const schema = (name: string) => ajv.getSchema(`doc#/components/schemas/${name}`)
  const pascal = (name: string): string => name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
  for (const { name, example } of datasets) {
    const request = { apikey: 'any', apiname: name, params: example }
    const [isRequest, isReply] = [schema(`${pascal(name)}Request`), schema(`${pascal(name)}Reply`)]
    expect([name, isRequest?.(request), isRequest?.({ ...request, params: { ...example, x: 1 } })]).toEqual([
      name,
      true,
      false,
    ])
    const reply = JSON.parse((await ask(request)).text)
    expect([name, isReply?.(reply), isReply?.errors]).toEqual([name, true, null])
    expect([name, isReply?.({ ...reply, data: { ...reply.data, more: 1 } })]).toEqual([name, false])
  }
})

test('an import while it runs is answered at once; answers name the state that they are of', async () => {
  const archive = join(dir, 'archive')
  const csv = (code: string): string => {
    const file = join(dir, `${code}.csv`)
    writeFileSync(file, `tradedate,symbol,name,type,type_name\n20260105,${code},*ST A,*ST,*ST\n`)
    return file
  }
  const imported = await here('import', 'st', csv('000001'), '--archive', archive)
  expect([imported.code, imported.err]).toEqual([0, expect.stringContaining('1 row')])
  const own = await serving(['--source', archive, '--no-log'])
  const query = {
    apikey: 'any',
    apiname: 'st',
    params: { startdate: '20260105', enddate: '20260105' },
    fields: 'symbol',
  }
  const first = await api(own.url, query)
  expect(JSON.parse(first.text).data.items).toEqual([['000001']])
  await here('import', 'st', csv('000002'), '--archive', archive)
  const second = await api(own.url, query)
  expect(JSON.parse(second.text).data.items).toEqual([['000001'], ['000002']])
  const state = ({ headers }: Answer) => JSON.parse(decodeURIComponent(String(headers['quotebook-archive']))).state
  expect(state(second)).not.toBe(state(first))
  expect(JSON.parse((await http(`${own.url}/healthz`)).text).data.state).toBe(state(second))
  expect([await own.end('SIGINT'), own.log()]).toEqual([0, []])
})

test('two workers: one port, one rate for a key, one log with the number of each', async () => {
  const few = join(dir, 'few.json')
  writeFileSync(few, JSON.stringify({ format: 1, keys: [entry('rare', 'flagship', 1)] }))
  const own = await serving(['--workers', '2', '--keys', few])
  const query = { ...day, apikey: keyOf('rare') }
  const answers = await Promise.all(Array.from({ length: 12 }, () => api(own.url, query)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(429)])
  expect(JSON.parse((await http(`${own.url}/healthz`)).text).data.workers).toEqual({
    wanted: 2,
    listening: 2,
    restarts: 0,
    deaths: 0,
  })
  const total = [...(await http(`${own.url}/metrics`)).text.matchAll(/quotebook_requests_total\{route="api".* (\d+)/g)]
  expect(total.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(12)
  expect(await own.end()).toBe(0)
  const log = own.log()
  expect(log.filter(({ route }) => route === 'api')).toHaveLength(12)
  expect(new Set(log.map(({ worker }) => worker))).toEqual(new Set([1, 2]))
})

test('SIGTERM: an answer under way ends whole, nobody new is answered, and it ends with 0', async () => {
  const own = await serving(['--no-log'])
  const all = JSON.stringify({ apikey: 'any', apiname: 'convertible_daily', params: { startdate: '20260506' } })
  const whole = (await api(own.url, all)).text
  const sent = request(`${own.url}/api`, { method: 'POST', agent: false }).end(all)
  const [response] = await once(sent, 'response')
  const code = own.end()
  let text = ''
  for await (const part of response.setEncoding('utf8')) text += part
  expect(text === whole).toBe(true)
  expect(await code).toBe(0)
  expect(own.said()).toContain('ending: finishing what is under way')
  await expect(api(own.url, all)).rejects.toThrow(/ECONNREFUSED/)
})

test('the command says in a line what it can not do, and ends with 2 or 1', async () => {
  const short = join(dir, 'short')
  writeFileSync(short, 'too short')
  const taken = `can not listen on 127.0.0.1:${open.port}: something else listens there; choose another --port`
  const cases: readonly (readonly [args: readonly string[], code: number, said: string])[] = [
    [['--host', '0.0.0.0'], 2, 'without a key file the service listens on this machine only, not on 0.0.0.0'],
    ...[[], ['--workers', '2']].map((more) => [[...more, '--port', String(open.port)], 2, taken] as const),
    [['--source', join(dir, 'nowhere')], 1, `${join(dir, 'nowhere')} does not exist`],
    [['--url', 'http://x'], 2, '--url is for a service behind a proxy, where everybody may ask: it requires --keys'],
    [
      ['--link-secret', short],
      2,
      'the secret of the links has fewer than 32 characters; openssl rand -hex 32 makes one',
    ],
    [
      ['--keys', join(dir, 'none.json')],
      1,
      `${join(dir, 'none.json')}: the key file does not exist; quotebook keys add NAME makes one`,
    ],
    [['--limits', 'redis://x'], 2, '--limits is for the rates of keys: it requires --keys'],
    [['--keys', keys, '--limits', 'http://a:secret@c'], 2, 'that is no address of a Redis, as redis://localhost:6379'],
  ]
  const ran: Ran[] = []
  // Only with workers does it start processes.
  for (const [args] of cases)
    ran.push(await (args.includes('--workers') ? runCommand(['serve', ...args]) : here('serve', ...args)))
  expect(ran.map(({ code, out, err }, i) => [cases[i]?.[0], code, out, err])).toEqual(
    cases.map(([args, code, said]) => [args, code, '', `quotebook: ${said}\n`]),
  )
})

test('keys add, list and revoke: a key is shown once; what is wrong leaves the file as it was', async () => {
  const file = join(dir, 'own-keys.json')
  const added = await here('keys', 'add', 'ada', '--keys', file, '--plan', 'professional', '--expiry', '20991231')
  expect([added.code, added.out]).toEqual([0, expect.stringMatching(/^qb_[\da-f]{64}\n$/)])
  const listed = await here('keys', 'list', '--keys', file, '--format', 'json')
  expect(JSON.parse(listed.out)).toEqual([
    { name: 'ada', plan: 'professional', expiry: '20991231', rate: null, added: expect.any(String), state: 'good' },
  ])
  const before = readFileSync(file, 'utf8')
  const wrong = [
    await here('keys', 'add', 'ada', '--keys', file),
    await here('keys', 'add', added.out.trim(), '--keys', file),
    await here('keys', 'revoke', 'adda', '--keys', file),
  ]
  const name =
    'this is no name for a key: it takes at most 40 letters, digits and . _ @ + - between them or single spaces'
  expect(wrong.map(({ code, err }) => [code, err.replaceAll(dir, 'DIR')])).toEqual([
    [1, 'quotebook: DIR/own-keys.json has a key named ada already; revoke it first, or take another name\n'],
    [2, `quotebook: ${name}, and no key\n`],
    [1, `quotebook: DIR/own-keys.json has no key named adda; did you mean 'ada'?\n`],
  ])
  expect(readFileSync(file, 'utf8')).toBe(before)
})
