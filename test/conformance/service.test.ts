import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { datasetNames, datasetOf } from '../../src/contract/catalogue.js'
import { cases } from '../helper/cases.js'
import { hostileArchive } from '../helper/hostile-archive.js'
import {
  dataOf,
  envelope,
  itemsOf,
  type PythonClient,
  pythonClient,
  spelt,
  type Told,
} from '../helper/python-client.js'
import { type Running, runService } from '../helper/running-service.js'
import { sectionTwo } from '../helper/section-two.js'
import { type SqlRows, sqlOver } from '../helper/sql-rows.js'

/** The running service through Python's http.client, its rows against SQL of DuckDB over the same Parquet files. */
const any = expect.any(String)
let service: Running
let client: PythonClient
let sql: SqlRows

beforeAll(async () => {
  const dir = await hostileArchive()
  service = await runService({ dir })
  client = pythonClient(service.port)
  sql = await sqlOver(dir)
})
afterAll(async () => {
  await client.close()
  await service.close()
})

type Params = Readonly<Record<string, unknown>>

function ask(apiname: string, params?: Params, fields?: string | null): Promise<Told> {
  const asked = { ...(params === undefined ? {} : { params }), ...(fields === undefined ? {} : { fields }) }
  return client.post({ apikey: 'any', apiname, ...asked })
}

function namesIn(name: string, params: Params): readonly string[] {
  if (name !== 'hotstock') return sectionTwo[name] ?? []
  return params.tradedate === undefined ? ['s', 'n', 'pc'] : ['s', 'rank', 'tradedate', 'type']
}

const kinds = ['number', 'integer', 'long']

/** No digit of a number may differ from the decimal that DuckDB writes. */
async function sameDecimals(name: string, query: string, items: readonly unknown[][], fields: readonly string[]) {
  const numeric = fields.filter((field) => kinds.includes(String(datasetOf(name).columns[field]?.kind)))
  if (numeric.length === 0) return
  const texts = await sql.texts(name, query, numeric)
  const pairs = texts.flatMap((row, at) =>
    numeric.flatMap((field) => {
      const cell = items[at]?.[fields.indexOf(field)] as { '#': string } | null
      const text = row[field] ?? null
      return cell === null && text === null ? [] : [[cell?.['#'] ?? 'nan', text ?? 'nan'] as const]
    }),
  )
  expect(await client.unequal(pairs)).toEqual([])
}

describe('every rule of section 4 is what SQL says', () => {
  test.each(cases)('%s %j', async (name, params, query, fields) => {
    const told = await ask(name, params, fields)
    expect(told.status).toBe(200)
    expect(told.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(told.headers.get('content-length')).toBe(String(told.body.length))
    if (query.includes('where false')) {
      expect(told.json).toEqual({ code: { '#': '1002' }, message: 'no data', data: null })
      return
    }
    const names = fields?.split(',') ?? namesIn(name, params)
    const expected = await sql.rows(name, query, names)
    expect(expected.length).toBeGreaterThan(0)
    if (datasetOf(name).shape === 'object') {
      expect(told.json).toEqual(spelt({ code: 200, message: 'success', data: expected[0] }))
      return
    }
    expect(told.json).toMatchObject({ code: { '#': '200' }, message: 'success', data: { fields: names } })
    const { items } = (told.json as { data: { items: unknown[][] } }).data
    const rows = expected.map((row) => names.map((column) => row[column]))
    expect(items).toEqual(spelt(rows))
    await sameDecimals(name, query, items, names)
  })

  test.each(cases.filter(([name, , query]) => !datasetOf(name).noFields && !query.includes('where false')))(
    '%s %j with its fields backwards, one of them twice',
    async (name, params, query) => {
      const names = [...namesIn(name, params)].reverse()
      const told = await ask(name, params, [...names, ...names.slice(0, 1)].join(' , '))
      const { data } = told.json as { data: { fields: string[]; items: unknown[] } }
      expect(data.fields).toEqual(names)
      const rows = await sql.rows(name, query, names)
      expect(data.items).toEqual(spelt(rows.map((row) => names.map((column) => row[column]))))
    },
  )
})

test('every operation is asked', () => {
  expect(new Set([...cases.map(([name]) => name), 'file_download'])).toEqual(new Set(datasetNames))
})

describe('fields', () => {
  const tabular = datasetNames.filter((name) => datasetOf(name).shape === 'rows' && !datasetOf(name).noFields)

  test.each(tabular)('%s: each one alone, and null and nothing stand for all', async (name) => {
    const params = datasetOf(name).example as Params
    const all = envelope(await ask(name, params))
    expect(all.code).toBe(200)
    const { fields, items } = all.data as { fields: string[]; items: unknown[][] }
    expect(fields).toEqual(namesIn(name, params))
    for (const none of [null, '']) expect(envelope(await ask(name, params, none)).data).toEqual(all.data)
    for (const [at, field] of fields.entries()) {
      const { data } = envelope(await ask(name, params, field))
      expect(data).toMatchObject({ fields: [field], items: items.map((row) => [row[at]]) })
    }
  })

  test.each(['theme_lib_detail_kp', 'thememembers_jx'])('%s takes none', async (name) => {
    const params = datasetOf(name).example as Params
    const told = envelope(await ask(name, params, 'name'))
    expect(told).toMatchObject({ code: 422, data: null, message: expect.stringContaining('fields') })
    expect(envelope(await ask(name, params, null)).code).toBe(200)
  })

  test.each([
    ['hotstock', { type: 'ths&normal' }, 'rank'],
    ['hotstock', { type: 'ths&normal', tradedate: '20260701' }, 'n'],
    ['hotstock', { type: 'ths&normal', tradedate: '20260701' }, 'pc'],
    ['etf_minute', {}, 'period'],
    ['finance_announcement', {}, 'record_id'],
    ['st', {}, 'symbol,,name'],
    ['st', {}, 'Symbol'],
    ['st', {}, '__proto__'],
    ['st', {}, 'constructor'],
  ])('%s %j has no field %s', async (name, params, field) => {
    const told = await ask(name, params, field)
    expect([told.status, envelope(told)]).toEqual([
      200,
      {
        code: 422,
        message: expect.stringMatching(field === 'symbol,,name' ? 'fields' : `field .*'${field}'`),
        data: null,
      },
    ])
  })

  test.each([[['symbol']], [1], [{}], [true]])('must be text, not %j', async (fields) => {
    const told = await client.post({ apikey: 'any', apiname: 'st', fields })
    expect(envelope(told)).toEqual({ code: 422, message: expect.stringContaining('fields'), data: null })
  })
})

describe('beside the rows', () => {
  test('news by time: count, view and meta', async () => {
    const { data } = envelope(await ask('news', { limit: 5 }))
    expect(Object.keys(data ?? {}).sort()).toEqual(['count', 'fields', 'items', 'meta', 'view'])
    expect(data).toMatchObject({ count: 5, view: 'time' })
    expect(data?.meta).toEqual({
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
      upstream_collected_at: expect.stringMatching(/[+-]\d\d:\d\d$/),
      upstream_etag: expect.stringMatching(/^"[0-9a-f]+"$/),
      upstream_snapshot_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      upstream_stale_sources: expect.any(Array),
      upstream_status: 'complete',
    })
  })

  test.each([undefined, 'title,source_id', 'source'])(
    'news by source: groups hold the rows of items; fields %s',
    async (fields) => {
      const { data } = envelope(await ask('news', { view: 'source', limit: 4 }, fields))
      const pairs = itemsOf<[string, string]>(await ask('news', { view: 'source', limit: 4 }, 'source,source_name'))
      const { groups, items, count } = data as { groups: Record<string, unknown>[]; items: unknown[]; count: number }
      expect(groups.flatMap((group) => group.items)).toEqual(items)
      expect(count).toBe(items.length)
      expect(groups.map(({ source, source_name, count: of }) => [source, source_name, of])).toEqual(
        [...new Map(pairs)].map((pair) => [...pair, pairs.filter(([source]) => source === pair[0]).length]),
      )
      expect(data?.view).toBe('source')
    },
  )

  test.each(['finance_announcement', 'interactive_qa'])('%s: limit, offset and total lead to the end', async (name) => {
    const { data } = envelope(await ask(name, { limit: 2000 }))
    const { items, total } = data as { items: unknown[]; total: number }
    expect([items.length, data?.limit, data?.offset]).toEqual([total, 2000, 0])
    const pages: unknown[] = []
    for (let offset = 0; offset < total; offset += 61) {
      const page = await ask(name, { limit: 61, offset })
      expect(dataOf(page)).toMatchObject({ limit: 61, offset, total })
      pages.push(...itemsOf(page))
    }
    expect(pages).toEqual(items)
    expect(envelope(await ask(name)).data).toMatchObject({ limit: 100, offset: 0, total })
    expect(envelope(await ask(name, { offset: total }))).toEqual({ code: 1002, message: 'no data', data: null })
  })

  test('other operations have rows and nothing else', async () => {
    for (const name of ['st', 'etf_minute', 'convertible_daily', 'southbound_top10', 'thememembers_jx']) {
      expect(Object.keys(envelope(await ask(name)).data ?? {})).toEqual(['fields', 'items'])
    }
  })
})

test('an id of 19 digits is text, whole', async () => {
  const { json } = await ask('interactive_qa', { limit: 2000 }, 'qa_id')
  const { items } = (json as { data: { items: [string][] } }).data
  expect(items.every(([id]) => typeof id === 'string' && /^\d{19}$/.test(id))).toBe(true)
  const [[id]] = items as [[string]]
  expect(envelope(await ask('interactive_qa', { qa_id: id }, 'qa_id')).data?.items).toEqual([[id]])
})

test('as_of shows what was disclosed by then, version all each version, revisions each answer', async () => {
  const fields = 'title,event_date'
  const latest = envelope(await ask('finance_announcement', { limit: 2000 }, fields)).data
  const all = envelope(await ask('finance_announcement', { limit: 2000, version: 'all' }, fields)).data
  const then = envelope(await ask('finance_announcement', { limit: 2000, version: 'all', as_of: '2026-06-30' }, fields))
  expect(Number(all?.total)).toBeGreaterThan(Number(latest?.total))
  expect(Number(then.data?.total)).toBeLessThan(Number(all?.total))
  for (const as_of of ['20260630', '2026-06-30', '2026-06-30T23:59:59+08:00', '2026-06-30T15:59:59Z']) {
    const again = await ask('finance_announcement', { limit: 2000, version: 'all', as_of }, fields)
    expect(envelope(again).data?.items, as_of).toEqual(then.data?.items)
  }
  const before = await ask('finance_announcement', { as_of: '20250101' })
  expect(envelope(before)).toEqual({ code: 1002, message: 'no data', data: null })
  const revised = await ask('interactive_qa', { limit: 2000, version: 'all' }, 'qa_id,revision_no')
  const newest = await ask('interactive_qa', { limit: 2000 }, 'qa_id,revision_no')
  const best = new Map<string, number>()
  for (const [id, no] of itemsOf<[string, number]>(revised)) best.set(id, Math.max(no, best.get(id) ?? 0))
  expect(Number(dataOf(revised).total)).toBeGreaterThan(Number(dataOf(newest).total))
  expect(new Map(itemsOf<[string, number]>(newest))).toEqual(best)
})

test.each([['920001.BJ'], ['430047.bj'], ['920001'], [['000001.SZ', '430047.BJ']]])(
  'questions about %j of Beijing: HTTP 200, 503, UNSUPPORTED_MARKET',
  async (symbols) => {
    const told = await ask('interactive_qa', { symbols })
    expect([told.status, envelope(told)]).toEqual([200, { code: 503, message: 'UNSUPPORTED_MARKET', data: null }])
  },
)

test('the modes of hotstock, each asked often and in turn, never show the cells of the other', async () => {
  const own = await runService()
  const python = pythonClient(own.port)
  for (let turn = 0; turn < 120; turn++) {
    for (const more of [{}, { tradedate: '20260728' }, { tradedate: '20260729' }]) {
      const told = dataOf(
        await python.post({ apikey: 'k', apiname: 'hotstock', params: { type: 'ths&normal', ...more } }),
      )
      const { fields, items } = told as { fields: string[]; items: unknown[][] }
      expect(fields).toEqual('tradedate' in more ? ['s', 'rank', 'tradedate', 'type'] : ['s', 'n', 'pc'])
      const first = 'tradedate' in more ? [any, 1, more.tradedate, 'ths&normal'] : [any, any, expect.any(Number)]
      expect(items[0]).toEqual(first)
    }
  }
  await python.close()
  await own.close()
})
