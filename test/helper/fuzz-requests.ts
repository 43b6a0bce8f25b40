import { datasetNames, datasetOf } from '../../src/contract/catalogue.js'
import { cases } from './cases.js'
import { paramCases } from './param-cases.js'

/** A request that HTTP can carry, or bytes that perhaps no HTTP is. */
export type Fuzz =
  | {
      readonly method: string
      readonly path: string
      readonly headers: Readonly<Record<string, string>>
      readonly body: Buffer | undefined
    }
  | { readonly raw: Buffer }

type Chance = () => number

const below = (chance: Chance, end: number): number => Math.floor(chance() * end)
const one = <T>(chance: Chance, list: readonly T[]): T => list[below(chance, list.length)] as T
const bytes = (chance: Chance, length: number): Buffer => Buffer.from(Array.from({ length }, () => below(chance, 256)))

const valid: readonly object[] = [
  ...cases.map(([apiname, params, , fields]) => ({ apikey: 'k', apiname, params, ...(fields ? { fields } : {}) })),
  ...datasetNames.map((apiname) => ({ apikey: 'k', apiname, params: datasetOf(apiname).example })),
  ...Object.entries(paramCases).flatMap(([apiname, byParam]) =>
    Object.values(byParam).flatMap(({ accepted, refused }) =>
      [...accepted, ...refused].map((params) => ({ apikey: 'k', apiname, params })),
    ),
  ),
]

const words = [
  '', ' ', '\0', '\ud800', '\u202e', '\ufeff', '🀄', '回购', '__proto__', 'constructor', 'toString', 'null', '*', '%',
  '../..', "' or 1=1 --", '<script>', '{{1}}', '000001', '000001.SZ', '920001.BJ', '20260701', '2026-07-01', '1000',
  'ST', 'all', 'source', 'a'.repeat(3000), ',,,', '\n', '1e9', '-1', 'NaN',
] // biome-ignore format: a list to skim
const numbers = [0, -0, 1, -1, 0.5, 2 ** 31, 2 ** 53, 2 ** 53 + 2, 1e21, 1e308, 5e-324, 500, 2000, 2026]
const raws = [
  '1e400',
  '-1e400',
  '1E+2',
  '0.1e-7',
  '-0',
  '123456789012345678901234567890',
  'tru',
  '"\\ud800"',
  '"\\u0000"',
]

function value(chance: Chance, depth = 0): unknown {
  switch (below(chance, depth > 3 ? 4 : 7)) {
    case 0:
      return null
    case 1:
      return chance() < 0.5
    case 2:
      return one(chance, numbers)
    case 3:
      return one(chance, words)
    case 4:
      return Array.from({ length: below(chance, 5) }, () => value(chance, depth + 1))
    case 5:
      return Object.fromEntries([[one(chance, words), value(chance, depth + 1)]])
    default:
      return one(chance, words) + one(chance, words)
  }
}

/** Another value at a place of the tree, another name, one more, one less. */
function mutated(chance: Chance, tree: unknown, depth = 0): unknown {
  if (typeof tree !== 'object' || tree === null || chance() < 0.15) return value(chance, depth)
  const names = Object.keys(tree)
  if (Array.isArray(tree)) {
    const at = below(chance, tree.length + 1)
    return [...tree.slice(0, at), mutated(chance, tree[at], depth + 1), ...tree.slice(at + below(chance, 2))]
  }
  const at = one(chance, names)
  const entries = Object.entries(tree)
  switch (below(chance, 5)) {
    case 0:
      return Object.fromEntries(entries.filter(([name]) => name !== at))
    case 1:
      return Object.fromEntries([
        ...entries,
        [one(chance, [...words, 'fields', 'limit', 'offset', 'symbols']), value(chance)],
      ])
    case 2:
      return Object.fromEntries(entries.map(([name, inner]) => [name === at ? one(chance, words) : name, inner]))
    default:
      return Object.fromEntries(
        entries.map(([name, inner]) => [name, name === at ? mutated(chance, inner, depth + 1) : inner]),
      )
  }
}

/** Bytes turned over, left out, put in, doubled, cut off. */
function scratched(chance: Chance, whole: Buffer, most = 4): Buffer {
  let text = whole
  for (let times = 1 + below(chance, most); times > 0; times--) {
    const at = below(chance, text.length + 1)
    const to = Math.min(text.length, at + below(chance, 12))
    const [before, middle, after] = [text.subarray(0, at), text.subarray(at, to), text.subarray(to)]
    const put = [
      () => bytes(chance, middle.length),
      () => Buffer.alloc(0),
      () => Buffer.concat([middle, bytes(chance, below(chance, 5))]),
      () => Buffer.concat([middle, middle, middle]),
      () => Buffer.from(one(chance, [...raws, ...'{}[]":,\\', '\\u', '//', '/**/'])),
    ]
    text = Buffer.concat([before, one(chance, put)(), chance() < 0.1 ? Buffer.alloc(0) : after])
  }
  return text
}

function bodyOf(chance: Chance): Buffer {
  const base = one(chance, valid)
  const kind = chance()
  if (kind < 0.0004) return Buffer.alloc(2 ** 20 - 2 + below(chance, 5), 32)
  if (kind < 0.15) return Buffer.from(JSON.stringify(base))
  if (kind < 0.6)
    return Buffer.from(JSON.stringify(mutated(chance, chance() < 0.5 ? base : mutated(chance, base))) ?? '')
  if (kind < 0.9) return scratched(chance, Buffer.from(JSON.stringify(base)))
  if (kind < 0.97) return bytes(chance, below(chance, 300))
  if (kind < 0.985) return Buffer.from(one(chance, ['[', '{"a":', '"']).repeat(below(chance, 50_000)))
  const symbols = Array.from({ length: below(chance, 20_000) }, (_, i) => String(i))
  return Buffer.from(JSON.stringify({ apikey: 'k', apiname: 'st', params: { symbols } }))
}

const codings = [
  'gzip',
  'br',
  'gzip, br',
  'identity',
  'identity;q=0',
  '*',
  '*;q=0',
  'gzip;q=0.3, br;q=nan',
  ',;',
  'deflate, gzip',
]
const headerSets: readonly ((chance: Chance) => Record<string, string>)[] = [
  () => ({}),
  () => ({}),
  (chance) => ({ 'accept-encoding': one(chance, codings) }),
  (chance) => ({
    'content-type': one(chance, ['application/json', 'text/xml', ';;;', 'application/json; charset=utf-7']),
  }),
  (chance) => ({ 'content-encoding': one(chance, ['gzip', 'identity', 'br', '', 'x']) }),
  (chance) => ({
    host: one(chance, [
      '127.0.0.1',
      'localhost:1',
      'example.org',
      '127.0.0.1.example.org',
      '[::1]:80',
      '@',
      '../x',
      '127.0.0.1:99999999',
    ]),
  }),
  (chance) => ({
    authorization: one(chance, ['Basic', 'Basic !!!', 'Basic eDp5', 'Bearer x', `Basic ${'A'.repeat(3000)}`]),
  }),
  (chance) => ({
    range: one(chance, [
      'bytes=0-',
      'bytes=-1',
      'bytes=9-1',
      'bytes=0-0,2-3',
      'bytes=99999999999999999999-',
      'x',
      `bytes=${'0-0,'.repeat(500)}`,
    ]),
  }),
  (chance) => ({ depth: one(chance, ['0', '1', 'infinity', '-1', 'x']) }),
  (chance) => ({ 'if-none-match': one(chance, ['*', '"x"', 'W/"x"', '"', '","'.repeat(200)]), 'if-range': '"x"' }),
  (chance) => ({
    'if-modified-since': one(chance, ['x', 'Thu, 01 Jan 1970 00:00:00 GMT', 'Sat, 99 Foo 9999 99:99:99 GMT']),
  }),
  (chance) => ({ expect: one(chance, ['100-continue', 'tea']) }),
  () => ({ connection: 'close' }),
  () => ({ upgrade: 'h2c', connection: 'upgrade' }),
  (chance) => ({ 'x-forwarded-host': one(chance, words.slice(7)).replace(/[^ -~]/g, '') }),
  (chance) => Object.fromEntries(Array.from({ length: below(chance, 200) }, (_, i) => [`x-${i}`, 'y'])),
]

const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'OPTIONS',
  'PATCH',
  'PROPFIND',
  'PROPPATCH',
  'MKCOL',
  'COPY',
  'MOVE',
  'LOCK',
  'TRACE',
  'SEARCH',
  'PURGE',
  'QUERY',
]
const tricks = [
  '..',
  '.',
  '%2e%2e',
  '%2e',
  '..%2f..%2f',
  '%5c..%5c',
  '\\..\\',
  '%00',
  '%',
  '%zz',
  '%c0%ae%c0%ae',
  '%252e%252e',
  '....//',
  ';',
  '~',
  'etc/passwd',
  'package.json',
  'manifest.json',
  '.lock',
  'ticks',
  '20260701_aucde.parquet',
  '20260701_aucde.parquet.part',
  'C:',
  '%E4%B8%AD',
  '?',
  '#',
  '//',
  'con',
  '*',
  '|',
  'a'.repeat(2000),
]

function pathOf(chance: Chance, shares: readonly string[]): string {
  const kind = chance()
  if (kind < 0.3)
    return one(chance, [
      '/',
      '/api',
      '/healthz',
      '/metrics',
      '/openapi.json',
      '/page/',
      '/page/page.js',
      '/share/',
      '/favicon.ico',
      '*',
    ])
  const from =
    kind < 0.7 ? one(chance, shares) : one(chance, ['/', '/api/', '/share/', '/page/', '/share/x/', '//', ''])
  const parts = Array.from({ length: 1 + below(chance, 4) }, () => one(chance, tricks))
  const path = from + parts.join(one(chance, ['/', '/', '', '%2f']))
  const rooted = path.startsWith('/') ? path : `/${path}`
  return kind > 0.97 ? `http://127.0.0.1${rooted}` : rooted
}

/** Bytes that began as a request. */
function rawOf(chance: Chance): Buffer {
  const body = bodyOf(chance).subarray(0, 2000)
  const head = `${one(chance, methods)} ${one(chance, ['/api', '/api', '/share/x/', '/'])} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n`
  const framed =
    chance() < 0.5
      ? [`Content-Length: ${body.length}\r\n\r\n`, body]
      : ['Transfer-Encoding: chunked\r\n\r\n', `${body.length.toString(16)}\r\n`, body, '\r\n0\r\n\r\n']
  const whole = Buffer.concat([head, ...framed].map((piece) => Buffer.from(piece as string)))
  if (chance() < 0.1) return bytes(chance, 1 + below(chance, 200))
  const lead = whole.length - body.length
  return chance() < 0.7
    ? Buffer.concat([scratched(chance, whole.subarray(0, lead), 1), whole.subarray(lead)])
    : scratched(chance, whole, 2)
}

/** What is really shared: paths, and what opens them. */
export interface Opened {
  readonly paths: readonly string[]
  readonly authorization: string
}

/** The next request of a sequence: bodies most of all, then methods and paths, then broken HTTP. */
export function fuzzed(chance: Chance, { paths, authorization }: Opened): Fuzz {
  const kind = chance()
  if (kind > 0.92) return { raw: rawOf(chance) }
  const headers = { ...one(chance, headerSets)(chance), ...(chance() < 0.3 ? one(chance, headerSets)(chance) : {}) }
  if (kind < 0.65) return { method: 'POST', path: '/api', headers, body: bodyOf(chance) }
  const method = one(chance, methods)
  const path = pathOf(chance, paths)
  const body = ['POST', 'PUT', 'PATCH', 'PROPFIND'].includes(method) ? bodyOf(chance) : undefined
  const opens = chance() < 0.5 ? { authorization } : {}
  return { method, path, headers: { ...opens, ...headers }, body }
}
