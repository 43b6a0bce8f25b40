import { execFile, execFileSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Archive } from '../../src/archive/archive.js'
import { datasetNames, datasetOf } from '../../src/contract/catalogue.js'
import type { Kind } from '../../src/contract/column.js'
import { openApi } from '../../src/service/openapi/openapi.js'
import { type Service, startService } from '../../src/service/server.js'
import { createShares } from '../../src/service/share/tick-shares.js'
import { cases } from '../helper/cases.js'
import { hostileArchive } from '../helper/hostile-archive.js'
import { complaint, replyOf } from '../helper/openapi.js'
import { paramCases } from '../helper/param-cases.js'
import { tempDir } from '../helper/temp.js'

/** A client generated from the document: types by openapi-typescript, calls by openapi-fetch. */
const folder = tempDir()
let service: Service

const head = `
import { readFileSync } from 'node:fs'
import createClient from 'openapi-fetch'
import type { components, paths } from './types.js'
type Schemas = components['schemas']
const client = createClient<paths>({ baseUrl: process.argv[2] as string })
const apikey = 'client-key'
`

/** Typed calls, then every request of a list; one line of JSON an answer. */
const program = `${head}
const bars = await client.POST('/api', {
  body: { apikey, apiname: 'etf_minute', params: { symbols: ['510300.SH'], period: '15m' } },
})
const reply = bars.data as Schemas['EtfMinuteReply']
const { fields, items } = reply.data as Schemas['EtfMinuteTable']
const first: Schemas['EtfMinuteRow'] | undefined = items[0]
const symbol: string | undefined = first?.[1]
const close: number | null | undefined = first?.[7]
const name: 'symbol' = fields[1]
const ann = await client.POST('/api', {
  body: { apikey, apiname: 'finance_announcement', fields: 'symbol,title', params: { limit: 5, version: null } },
})
const { total } = (ann.data as Schemas['FinanceAnnouncementReply']).data
const lists = await client.POST('/api', { body: { apikey, apiname: 'hotstock', params: { type: 'ths&normal' } } })
const hot = (lists.data as Schemas['HotstockReply']).data as Schemas['HotstockLatestTable']
const share = await client.POST('/api', {
  body: { apikey, apiname: 'file_download', params: { data_type: 'auction_tick', year: 2026 } },
})
const link: string | undefined = (share.data as Schemas['FileDownloadReply']).data.data?.url
const code: number | undefined = share.data?.code
console.log(JSON.stringify({ symbol, close: typeof close, name, total: typeof total, hot: hot.items.length, link, code }))

const bodies = JSON.parse(readFileSync(process.argv[3] as string, 'utf8'))
for (const body of bodies) {
  const { data, error, response } = await client.POST('/api', { body })
  console.log(JSON.stringify({ status: response.status, reply: data ?? error }))
}
`

/** What the types must refuse. */
const misuse = [
  "void client.POST('/api', { body: { apikey, apiname: 'etfminute' } })",
  "void client.POST('/api', { body: { apiname: 'st' } })",
  "void client.POST('/api', { body: { apikey, apiname: 'hotstock' } })",
  "void client.POST('/api', { body: { apikey, apiname: 'hotstock', params: { type: 'ths' } } })",
  "void client.POST('/api', { body: { apikey, apiname: 'etf_minute', params: { period: '1m' } } })",
  "void client.POST('/api', { body: { apikey, apiname: 'etf_minute', params: { symbols: 510300 } } })",
  "void client.POST('/api', { body: { apikey, apiname: 'etf_minute', params: { symbol: '510300' } } })",
  "void client.POST('/api', { body: { apikey, apiname: 'news', params: { limit: '5' } } })",
  "void client.POST('/api', { body: { apikey, apiname: 'thememembers_jx', fields: 'symbols' } })",
  "void client.GET('/api', {})",
]

interface Answer {
  readonly status: number
  readonly reply: { readonly code: number; readonly data: Readonly<Record<string, unknown>> | null }
}

interface Body {
  readonly apikey: string
  readonly apiname: string
  readonly params: Readonly<Record<string, unknown>>
  readonly fields?: string
}

const examples = datasetNames.map((name) => [name, datasetOf(name).example] as const)
const bodies: Body[] = [...examples, ...cases.map(([name, params, , fields]) => [name, params, fields] as const)].map(
  ([apiname, params, fields]) => ({ apikey: 'client-key', apiname, params, ...(fields ? { fields } : {}) }),
)

/** tsc as this project runs it, on the files of the folder; its complaints, each with its line. */
function tsc(...flags: string[]): string[] {
  const config = { extends: join(process.cwd(), 'tsconfig.base.json'), include: ['*.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  try {
    execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', folder, ...flags], { encoding: 'utf8' })
    return []
  } catch (error) {
    return (error as { stdout: string }).stdout.split('\n').filter((line) => /error TS/.test(line))
  }
}

let answers: Answer[]
let summary: Record<string, unknown>

beforeAll(async () => {
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'types.ts'), astToString(await openapiTS(structuredClone(openApi()) as never)))
  writeFileSync(join(folder, 'program.ts'), program)
  writeFileSync(join(folder, 'bodies.json'), JSON.stringify(bodies))
  expect(tsc()).toEqual([])
  const archive = new Archive(await hostileArchive(), 'sample')
  service = await startService({ archive, shares: createShares(archive), limits: { body: 2 ** 14 } })
  const lines = await new Promise<string[]>((resolve, reject) => {
    const args = [join(folder, 'program.js'), service.url, join(folder, 'bodies.json')]
    execFile(process.execPath, args, { maxBuffer: 2 ** 28 }, (error, stdout) =>
      error ? reject(error) : resolve(stdout.trimEnd().split('\n')),
    )
  })
  const [first = '', ...rest] = lines
  summary = JSON.parse(first)
  answers = rest.map((line) => JSON.parse(line) as Answer)
})
afterAll(() => service?.close())

describe('the generated client', () => {
  test('reads what it asks for, by the types of the document', () => {
    expect(summary).toMatchObject({ symbol: '510300.SH', close: 'number', name: 'symbol', total: 'number', code: 200 })
    expect(summary.hot).toBeGreaterThan(0)
    expect(summary.link).toEqual(expect.any(String))
  })

  test('does not compile when a request is not one', () => {
    writeFileSync(join(folder, 'misuse.ts'), head + misuse.join('\n'))
    const lines = tsc('--noEmit', '--noUnusedLocals', 'false')
    const first = head.split('\n').length
    const wrong = new Set(lines.map((line) => Number(/misuse\.ts\((\d+),/.exec(line)?.[1]) - first))
    expect([...wrong].sort((a, b) => a - b)).toEqual(misuse.map((_, i) => i))
  })
})

describe('answers', () => {
  test('to every operation and every case are what the document says', () => {
    expect(answers.length).toBe(bodies.length)
    const withData = new Set<string>()
    for (const [i, { status, reply }] of answers.entries()) {
      const { apiname, params } = bodies[i] as Body
      expect(status).toBe(200)
      const wrong = complaint(replyOf(apiname, reply), reply) ?? complaint('Reply', reply)
      expect(wrong, `${apiname} ${JSON.stringify(params)}`).toBe(undefined)
      if (reply.code === 200) withData.add(apiname)
    }
    expect([...withData].sort()).toEqual([...datasetNames].sort())
  })

  test('that are no data, a refusal or of another operation are told apart', () => {
    for (const code of [1002, 403, 422, 503]) {
      const reply = { code, message: 'why', data: null }
      expect(complaint('Reply', reply)).toBe(undefined)
      expect(complaint('StReply', reply)).not.toBe(undefined)
    }
    expect(complaint('Reply', { code: 500, message: 'why', data: null })).not.toBe(undefined)
    expect(complaint('Reply', { code: 1002, message: 'why', data: {} })).not.toBe(undefined)
    expect(complaint('Reply', { code: 1002, data: null })).not.toBe(undefined)
    expect(complaint('EtfMinuteReply', whole('st').reply)).not.toBe(undefined)
  })
})

/** An answer with data of all fields. */
function whole(name: string): { readonly reply: Answer['reply']; readonly index: number } {
  const index = answers.findIndex(({ reply }, i) => {
    const { apiname, fields } = bodies[i] as Body
    return apiname === name && fields === undefined && reply.code === 200
  })
  return { reply: (answers[index] as Answer).reply, index }
}

/** A value that no column of a kind has. */
function wrongFor(kind: Kind): unknown {
  if (kind === 'number' || kind === 'integer' || kind === 'long') return '1'
  if (kind === 'boolean') return 'true'
  return kind === 'texts' ? 'a,b' : 1
}

type Table = { fields: string[]; items: unknown[][] } & Record<string, unknown>
type Mutation = [what: string, change: (data: Table) => void]

function tableMutations(name: string, fields: readonly string[]): Mutation[] {
  const { columns, limit } = datasetOf(name)
  const cells = fields.flatMap((field, i): Mutation[] => {
    const column = columns[field]
    if (!column || column.kind === 'json') return []
    const set = (value: unknown) => (data: Table) => {
      ;(data.items[0] as unknown[])[i] = value
    }
    return [
      [`${field} of another type`, set(wrongFor(column.kind))],
      ...(column.nullable ? [] : ([[`${field} null`, set(null)]] as Mutation[])),
      ...(column.values ? ([[`${field} of another value`, set('?')]] as Mutation[]) : []),
    ]
  })
  return [
    ...cells,
    ['a cell too few', ({ items }) => items[0]?.pop()],
    ['a cell too many', ({ items }) => items[0]?.push(1)],
    ['a row that is an object', ({ items }) => items.splice(0, 1, {} as never)],
    ['a field unknown', ({ fields }) => fields.splice(0, 1, 'nothing')],
    ['a field twice', ({ fields }) => fields.splice(0, 1, fields[1] as string)],
    ['no fields', (data) => void Reflect.deleteProperty(data, 'fields')],
    ['no items', (data) => void Reflect.deleteProperty(data, 'items')],
    ['something beside them', (data) => void Object.assign(data, { extra: 1 })],
    ...(limit.kind === 'page'
      ? ([['no total', (data) => void Reflect.deleteProperty(data, 'total')]] as Mutation[])
      : []),
  ]
}

function recordMutations(name: string): Mutation[] {
  const set = (key: string, value: unknown) => (data: Table) => void Object.assign(data, { [key]: value })
  return Object.entries(datasetOf(name).columns).flatMap(([key, { kind, nullable }]): Mutation[] => [
    [`no ${key}`, (data) => void Reflect.deleteProperty(data, key)],
    ...(kind === 'json' ? [] : ([[`${key} of another type`, set(key, wrongFor(kind))]] as Mutation[])),
    ...(nullable ? [] : ([[`${key} null`, set(key, null)]] as Mutation[])),
    [`${key} under another name`, set(`${key}_`, 1)],
  ])
}

describe.each(datasetNames)('a mutated answer of %s is refused', (name) => {
  const { shape } = datasetOf(name)
  const mutated = (): void => {
    const { reply } = whole(name)
    const fields = (reply.data as Table).fields
    const mutations = shape === 'rows' ? tableMutations(name, fields) : recordMutations(name)
    expect(mutations.length).toBeGreaterThan(5)
    for (const [what, change] of mutations) {
      const copy = structuredClone(reply) as { data: { data?: Table } }
      change(name === 'file_download' ? (copy.data.data as Table) : (copy.data as never))
      const { data } = copy.data
      // A share without a field may be one that was asked for without it: only what has all of them can lack one.
      if (name === 'file_download' && what.startsWith('no ')) {
        expect(complaint('FileDownloadRecord', data), what).not.toBe(undefined)
        continue
      }
      expect(complaint(replyOf(name, reply), copy), what).not.toBe(undefined)
      expect(complaint('Reply', copy), what).not.toBe(undefined)
    }
  }
  test('in its data', mutated)

  test('in its envelope', () => {
    const { reply } = whole(name)
    for (const more of [
      { code: 201 },
      { code: '200' },
      { message: 'ok' },
      { data: null },
      { data: [] },
      { status: 1 },
    ]) {
      expect(complaint('Reply', { ...reply, ...more }), JSON.stringify(more)).not.toBe(undefined)
    }
  })
})

test('a part of the fields is held against the columns that there are', () => {
  const index = bodies.findIndex(({ apiname, fields }) => apiname === 'etf_minute' && fields !== undefined)
  const { reply } = answers[index] as Answer
  expect(complaint('EtfMinutePart', reply.data)).toBe(undefined)
  expect(complaint('EtfMinuteTable', reply.data)).not.toBe(undefined)
  const changed = (change: (data: Table) => void): unknown => {
    const copy = structuredClone(reply.data) as Table
    change(copy)
    return copy
  }
  expect(
    complaint(
      'EtfMinuteData',
      changed(({ fields }) => fields.splice(0, 1, 'nothing')),
    ),
  ).not.toBe(undefined)
  expect(
    complaint(
      'EtfMinuteData',
      changed(({ items }) => items[0]?.splice(0, 1, true)),
    ),
  ).not.toBe(undefined)
  expect(
    complaint(
      'EtfMinuteData',
      changed(({ items }) => items.splice(0, 1, [])),
    ),
  ).not.toBe(undefined)
})

const post = (body: unknown, init: RequestInit = {}): Promise<Response> =>
  fetch(`${service.url}/api`, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), ...init })

describe('the service itself', () => {
  test('gives the document, its health and its metrics as the document says', async () => {
    const get = (path: string): Promise<Response> => fetch(service.url + path)
    expect(await (await get('/openapi.json')).json()).toEqual(JSON.parse(JSON.stringify(openApi())))
    expect(complaint('Health', await (await get('/healthz')).json())).toBe(undefined)
    const metrics = await get('/metrics')
    expect(metrics.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(await metrics.text()).toContain(
      'quotebook_requests_total{route="healthz",apiname="",status="200",code=""} 1',
    )
  })

  test('takes what the document takes, and answers 422 to what it refuses', async () => {
    let [taken, refused] = [0, 0]
    for (const apiname of datasetNames) {
      for (const { accepted, refused: bad } of Object.values(paramCases[apiname] ?? {})) {
        for (const params of [...accepted, ...bad]) {
          const body = JSON.parse(JSON.stringify({ apikey: 'client-key', apiname, params })) as Body
          const reply = (await (await post(body)).json()) as { code: number; message: string }
          expect(complaint(replyOf(apiname, reply), reply), JSON.stringify(body)).toBe(undefined)
          if (/ is later than |year must be from 2022 to /.test(reply.message)) continue
          expect(complaint('Request', body) === undefined, `${JSON.stringify(body)} ${reply.message}`).toBe(
            reply.code !== 422,
          )
          if (reply.code === 422) refused++
          else taken++
        }
      }
    }
    expect(taken).toBeGreaterThan(150)
    expect(refused).toBeGreaterThan(250)
  })

  test('answers parts of the fields as the document says, wherever fields are taken', async () => {
    for (const apiname of datasetNames) {
      const dataset = datasetOf(apiname)
      const body = { apikey: 'client-key', apiname, params: dataset.example }
      const names = Object.entries(dataset.columns).flatMap(([name, { mode }]) => (mode === 'history' ? [] : [name]))
      for (const fields of [names.slice(-2).reverse().join(), names.slice(0, 1).join()]) {
        const reply = (await (await post({ ...body, fields })).json()) as { code: number }
        expect(reply.code, apiname).toBe(dataset.noFields ? 422 : 200)
        expect(complaint(replyOf(apiname, reply), reply), `${apiname} ${fields}`).toBe(undefined)
        expect(complaint('Request', { ...body, fields }) === undefined, apiname).toBe(!dataset.noFields)
      }
    }
  })

  test.each([
    ['another path', 404, () => fetch(`${service.url}/nothing`)],
    ['another method', 405, () => fetch(`${service.url}/api`)],
    ['a body too large', 413, () => post('x'.repeat(2 ** 14 + 1))],
  ])('refuses %s with %i and an envelope', async (_, status, ask) => {
    const response = await ask()
    expect(response.status).toBe(status)
    expect(complaint('HttpRefusal', await response.json())).toBe(undefined)
    if (status === 405) expect(response.headers.get('allow')).toBe('POST')
  })

  test.each([
    ['another member', { apikey: 'client-key', apiname: 'st', param: {} }, 422],
    ['no key', { apiname: 'st' }, 403],
    ['an operation that is none', { apikey: 'client-key', apiname: 'sst' }, 422],
    ['fields in a list', { apikey: 'client-key', apiname: 'st', fields: ['symbol'] }, 422],
    ['a field that is none', { apikey: 'client-key', apiname: 'st', fields: 'symbols' }, 422],
  ])('and the document refuse %s', async (_, body, code) => {
    const reply = (await (await post(body)).json()) as { code: number }
    expect(reply.code).toBe(code)
    expect(complaint('Refusal', reply)).toBe(undefined)
    expect(complaint('Request', body)).not.toBe(undefined)
  })

  test('a key that asks too often is told when to come again', async () => {
    const archive = new Archive(await hostileArchive(), 'sample')
    const authenticator = {
      authenticate: () => ({ refused: 'too many', message: 'too many requests', retryAfter: 3 }) as const,
    }
    const strict = await startService({ archive, shares: createShares(archive), authenticator })
    const response = await fetch(`${strict.url}/api`, { method: 'POST', body: '{"apikey":"k","apiname":"st"}' })
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '3'])
    expect(complaint('HttpRefusal', await response.json())).toBe(undefined)
    await strict.close()
  })
})
