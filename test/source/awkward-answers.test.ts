import { expect, test } from 'vitest'
import { datasetOf } from '../../src/contract/catalogue.js'
import { reply } from '../helper/awkward-server.js'
import {
  about,
  ask,
  errorOf,
  expectTruth,
  honest,
  params,
  server,
  symbols,
  useAwkwardServer,
  value,
  withData,
} from '../helper/awkward-source.js'
import { type Asked, type Data, truth } from '../helper/vendor.js'

useAwkwardServer()

/** News, shares, and answers without rows. */
const stories = ['cls_depth_1000', 'cls_depth_1003', 'cls_hot_article', 'yicai_home'].flatMap((source, s) =>
  Array.from({ length: 200 + s }, (_, i) => ({
    published_at: null,
    display_at: `2026-07-01T${String(i % 24).padStart(2, '0')}:00:00`,
    time_label: null,
    source,
    source_name: source,
    title: `${source} ${i}`,
    summary: null,
    url: null,
    image: null,
    rank: i,
    source_id: `${source}-${i}`,
    item_type: 'x',
    updated_at: '2026-07-01T23:00:00',
  })),
)

test('more news than fit are fetched source by source', async () => {
  honest(stories, (same, request) =>
    withData(same, (data) => ({ ...data, items: data.items.slice(0, Number((request.body as Asked).params.limit)) })),
  )
  const table = await ask('news', {})
  expectTruth(table, truth(stories, 'news', {}))
  expect(about(table)).toMatchObject({ complete: true, rows: 806 })
  const newest = await ask('news', { limit: 7 })
  expect(about(newest)).toMatchObject({ complete: false, rows: 7, note: expect.stringContaining('the newest 7') })
})

test('news of a source that the contract does not know are not lost by splitting', async () => {
  const rows = stories.map((row, i) => (i % 50 === 0 ? { ...row, source: 'new_source' } : row))
  honest(rows, (same, request) =>
    withData(same, (data) => ({ ...data, items: data.items.slice(0, Number((request.body as Asked).params.limit)) })),
  )
  expect(await errorOf(ask('news', {}))).toMatchObject({ code: 'TRUNCATED' })
  expect(about(await ask('news', {}, { allowTruncated: true }))).toMatchObject({ complete: false, rows: 500 })
})

test('news that the service counts and does not send make the answer incomplete', async () => {
  honest(stories.slice(0, 20), (same) => withData(same, (data) => ({ ...data, count: 30 })))
  expect(about(await ask('news', {}))).toMatchObject({ complete: false, note: 'the reply counts 30 rows and holds 20' })
})

test('no data is an empty table with all columns', async () => {
  server.always(() => reply.json({ code: 1002, message: 'no data', data: null }))
  for (const name of ['etf_minute', 'interactive_qa', 'news', 'st', 'convertible_daily', 'finance_announcement']) {
    const table = await ask(name, {})
    expect(table.numRows).toBe(0)
    expect(table.schema.names).toEqual(Object.keys(datasetOf(name).columns))
    expect(about(table)).toMatchObject({ complete: true })
  }
})

test('no rows under the word of success are no rows', async () => {
  const { fields } = value.data as Data
  for (const message of ['success', 'SUCCESS', 'ok', '']) {
    for (const names of [fields, []]) {
      server.always(() => reply.json({ code: 200, message, data: { fields: names, items: [] } }))
      expect(about(await ask('etf_minute', params))).toMatchObject({ rows: 0, complete: true, without: { symbols } })
    }
  }
})

test('the inner level of a share speaks for itself', async () => {
  const asked = { data_type: 'auction_tick', year: 2026 }
  const inner = (code: number, message: string) =>
    reply.json({ code: 200, message: 'success', data: { code, message, data: null } })
  server.always(() => inner(403, 'plan too small'))
  expect(await errorOf(ask('file_download', asked))).toMatchObject({
    code: 'FORBIDDEN',
    vendorMessage: 'plan too small',
  })
  server.always(() => inner(503, 'preparing'))
  expect(await errorOf(ask('file_download', asked))).toMatchObject({ code: 'UNAVAILABLE' })
  server.always(() => inner(1002, 'none'))
  expect((await ask('file_download', asked)).numRows).toBe(0)
  server.always(() => inner(0, 'ok'))
  expect(await errorOf(ask('file_download', asked))).toMatchObject({ code: 'ENVELOPE' })
})
