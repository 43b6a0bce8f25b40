import { expect, test } from 'vitest'
import { datasetsCommand } from '../../src/cli/command/datasets-command.js'
import { news } from '../../src/contract/catalogue/news.js'
import { envelopeSchemas } from '../../src/service/openapi/openapi.js'
import { show } from '../../src/show/show-data.js'
import { reply } from '../helper/awkward-server.js'
import { about, ask, server, useAwkwardServer } from '../helper/awkward-source.js'

useAwkwardServer()

/** What the service says of its own collection, in the `meta` of news. */
const fields = ['display_at', 'source', 'source_name', 'title', 'source_id', 'item_type', 'updated_at']
const items = [['2026-07-01T10:00:00', 'yicai_home', '第一财经', 't', '1', 'article', '2026-07-01T10:00:00']]
const good = {
  updated_at: '2026-07-01T10:05:00',
  upstream_collected_at: '2026-07-01T10:00:00+08:00',
  upstream_etag: '"0f"',
  upstream_snapshot_date: '2026-07-01',
  upstream_stale_sources: [] as unknown,
  upstream_status: 'complete' as unknown,
}

function answers(meta: unknown): void {
  server.always(({ body }) => {
    const names = String((body as { fields: string }).fields).split(',')
    const rows = items.map((row) => names.map((name) => row[fields.indexOf(name)] ?? null))
    const data = { fields: names, items: rows, count: 1, view: 'time', meta }
    return reply.json({ code: 200, message: 'success', data })
  })
}

test.each<[what: string, meta: object, note: RegExp]>([
  ['a stale source', { upstream_stale_sources: ['cls_hot_article'] }, /stale at the source: cls_hot_article/],
  ['two stale sources', { upstream_stale_sources: ['a', 'b'] }, /stale at the source: a, b/],
  ['a stale source that is no list', { upstream_stale_sources: 'yicai_home' }, /stale at the source: yicai_home/],
  ['another status', { upstream_status: 'partial' }, /status partial, not complete/],
  ['a status that is no text', { upstream_status: false }, /status false, not complete/],
  ['both', { upstream_status: 'partial', upstream_stale_sources: ['a'] }, /stale.*: a; .*partial/],
])('%s is told to the reader', async (_, meta, note) => {
  answers({ ...good, ...meta })
  for (const params of [{}, { limit: 5 }]) {
    const table = await ask('news', params)
    expect(about(table)).toMatchObject({ complete: false, note: expect.stringMatching(note), rows: 1 })
    expect(about(table).proof).toBeUndefined()
    expect(about(table).beside).toMatchObject({ meta: { ...good, ...meta } })
    expect(show(table).toString()).toMatch(note)
  }
})

test.each([good, { ...good, upstream_stale_sources: null }, {}, undefined])('nothing to tell: %j', async (meta) => {
  answers(meta)
  expect(about(await ask('news', {})).note ?? '').not.toMatch(/stale|status/)
})

test('the fields of meta are on the page of news and in the description of the service', async () => {
  const names = Object.keys(good)
  expect(Object.keys(news.meta)).toEqual(names)
  expect(Object.keys((envelopeSchemas.NewsMeta as { properties: object }).properties)).toEqual(names)
  const written: string[] = []
  const write = process.stdout.write
  process.stdout.write = ((text: string) => written.push(text) > 0) as typeof write
  try {
    await datasetsCommand().parseAsync(['news'], { from: 'user' })
  } finally {
    process.stdout.write = write
  }
  for (const name of names) expect(written.join('')).toMatch(new RegExp(`${name} +\\w+ +\\S`))
})
