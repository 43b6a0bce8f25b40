import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type DatasetName, datasets, fromCsv, fromIpc, type Market, toObjects } from 'quotebook'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { editManifest } from '../helper/manifest.js'
import { type Running, runService } from '../helper/running-service.js'
import { folder, removeFolders } from './helper/files.js'
import { http, sha256 } from './helper/serving.js'

/** A whole query in one request, for any client: rows, order, nulls and what is known of them as the library has them. */
removeFolders()

let service: Running
beforeAll(async () => {
  ;[service, market] = await Promise.all([runService(), connect({ archive: 'data/sample' })])
})
afterAll(() => service?.close())

let market: Market
const withRows = datasets.filter(({ name }) => name !== 'file_download')
const paramsOf = ({ example }: (typeof datasets)[number]): Record<string, unknown> => {
  const { limit: _, offset: _other, ...params } = example as Record<string, unknown>
  return params
}
const target = (name: string, words: Record<string, unknown>): string =>
  `${service.url}/query/${name}?${new URLSearchParams(Object.entries(words).map(([key, value]) => [key, String(value)]))}`

describe.each(withRows.map((dataset) => [dataset.name, dataset] as const))('%s', (name, dataset) => {
  test('comes as Arrow, CSV and columns of JSON as the library has it', async () => {
    const params = paramsOf(dataset)
    const own = await market.query(name as DatasetName, params as never)
    const arrow = await http(target(name, { ...params, format: 'arrow' }))
    expect([arrow.status, arrow.headers['content-type']]).toEqual([200, 'application/vnd.apache.arrow.stream'])
    const table = fromIpc(arrow.body)
    expect(toObjects(table)).toEqual(toObjects(own))
    expect(table.schema.fields.map(String)).toEqual(own.schema.fields.map(String))
    const { data } = JSON.parse((await http(target(name, params))).text)
    const rows = toObjects(own)
    expect(Object.keys(data.columns)).toEqual(own.schema.fields.map((field) => field.name))
    for (const [column, cells] of Object.entries(data.columns))
      expect(cells).toEqual(rows.map((row) => row[column as keyof typeof row]))
    const csv = await http(target(name, params), { headers: { accept: 'text/csv' } })
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(toObjects(fromCsv(csv.body, { dataset: name }))).toEqual(rows)
    expect(csv.headers).toMatchObject({ 'quotebook-rows': String(own.numRows), 'quotebook-complete': 'true' })
    expect(JSON.parse(decodeURIComponent(String(csv.headers['quotebook-columns'])))).toHaveLength(own.numCols)
  })
})

const ask = (path: string, asked: Parameters<typeof http>[1] = {}) => http(`${service.url}/query/${path}`, asked)
const post = (name: string, body: unknown, headers = {}) =>
  ask(name, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) })
const columnsIn = (text: string): Record<string, unknown[]> => JSON.parse(text).data.columns

test('from and to, days, fields, and the same words as a body', async () => {
  const fields = 'tradedate,code,close'
  const range = await ask(`convertible_daily?from=20260727&to=20260729&fields=${fields}`)
  const own = await market.query('convertible_daily', {}, { days: { from: '20260727', to: '20260729' } })
  expect(columnsIn(range.text).close).toEqual(toObjects(own).map((row) => row.close))
  expect(range.headers['quotebook-archive']).toBeDefined()
  expect(decodeURIComponent(String(range.headers['quotebook-about']))).toContain('SYNTHETIC')
  const body = { from: '20260727', to: '20260729', fields: fields.split(',') }
  expect((await post('convertible_daily', body)).text).toBe(range.text)
  const days = await post('etf_minute', {
    symbols: '510300',
    period: '15m',
    days: ['20260727', '20260729'],
    fields: 'tradedate',
  })
  expect(new Set(columnsIn(days.text).tradedate)).toEqual(new Set(['20260727', '20260729']))
  const news = await ask('finance_announcement?limit=3&fields=title')
  expect(columnsIn(news.text).title).toHaveLength(3)
  const none = await ask('st?symbols=000001&format=csv')
  expect([none.status, none.text.split('\n').length, none.headers['quotebook-rows']]).toEqual([200, 2, '0'])
})

test('SQL and the state of the archive come alike', async () => {
  const { text } = await post('sql', { sql: 'select $1 as a, count(*) as n from st', params: ['x'] })
  expect(columnsIn(text)).toEqual({ a: ['x'], n: [(await market.sql('select * from st')).numRows] })
  const [status, own] = [columnsIn((await ask('status')).text), await market.status()]
  expect(status.dataset).toEqual(own['dataset']?.values)
})

test.each<[what: string, path: string, body: unknown, status: number, says: string]>([
  [
    'a dataset that is none',
    'etf_minutes',
    undefined,
    404,
    "unknown dataset 'etf_minutes'. Did you mean 'etf_minute'?",
  ],
  ['a share', 'file_download?year=2026', undefined, 404, "unknown dataset 'file_download'"],
  ['a param', 'st?symbol=600519', undefined, 422, "unknown param of st 'symbol'. Did you mean 'symbols'?"],
  ['a field', 'st?fields=nam', undefined, 422, "unknown field of st 'nam'. Did you mean 'name'?"],
  ['a date', 'st?startdate=20260230', undefined, 422, '20260230'],
  ['a word twice', 'st?fields=name&fields=symbol', undefined, 422, 'fields is given twice'],
  ['half a range', 'st?from=20260701', undefined, 422, 'from and to go together'],
  ['a format', 'st?format=xml', undefined, 422, "unknown format 'xml'. It takes: arrow, csv, json."],
  ['a body', 'st', '{', 422, 'the body is not JSON'],
  ['SQL that is none', 'sql', { sql: 'selec 1' }, 422, 'selec'],
  ['a file in SQL', 'sql', { sql: "select * from read_csv('/etc/passwd')" }, 422, ''],
  ['SQL without text', 'sql', {}, 422, 'sql must be one query'],
])('%s is refused, and what would be right', async (_, path, body, status, says) => {
  const answer = body === undefined ? await ask(path) : await post(path, body)
  const { message, data } = JSON.parse(answer.text)
  expect([answer.status, data]).toEqual([status, null])
  expect(message).toContain(says)
})

test('methods and types that it does not have', async () => {
  const put = await ask('st', { method: 'PUT' })
  expect([put.status, put.headers.allow]).toEqual([405, 'GET, POST'])
  const page = await ask('st', { headers: { accept: 'text/html' } })
  expect([page.status, JSON.parse(page.text).message]).toEqual([422, expect.stringContaining('Accept names none of')])
})

test('rows that are not proven to be all are refused, unless they are taken as such', async () => {
  const archive = join(folder(), 'archive')
  cpSync('data/sample', archive, { recursive: true })
  editManifest(archive, ({ datasets: { st } }) => Object.assign(st as object, { partial: true }))
  const other = await runService({ dir: archive })
  try {
    const refused = await http(`${other.url}/query/st`)
    expect([refused.status, JSON.parse(refused.text).code]).toEqual([409, 409])
    expect(JSON.parse(refused.text).message).toContain('partial=true takes what there is')
    const taken = await http(`${other.url}/query/st?partial=true`)
    expect([taken.status, taken.headers['quotebook-complete']]).toEqual([200, 'false'])
    expect(taken.headers['quotebook-note']).toBeDefined()
  } finally {
    await other.close()
  }
})

test('with a key file it asks for a key in the header', async () => {
  const keys = join(folder(), 'keys.json')
  const gold = { name: 'gold', sha256: sha256('key-of-gold-1234'), plan: 'free', expiry: null, rate: null, added: null }
  writeFileSync(keys, JSON.stringify({ format: 1, keys: [gold] }))
  const closed = await runService({ keys })
  try {
    const without = await http(`${closed.url}/query/st`)
    expect([without.status, without.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    const headers = { authorization: 'Bearer key-of-gold-1234' }
    expect((await http(`${closed.url}/query/st`, { headers })).status).toBe(200)
    const body = JSON.stringify({ sql: 'select * from ticks limit 1' })
    const ticks = await http(`${closed.url}/query/sql`, { method: 'POST', headers, body })
    expect([ticks.status, JSON.parse(ticks.text).message]).toEqual([403, expect.stringContaining('tick files')])
    expect(closed.log()).toContain('"route":"query"')
    expect(closed.log()).not.toContain('key-of-gold')
  } finally {
    await closed.close()
  }
})
