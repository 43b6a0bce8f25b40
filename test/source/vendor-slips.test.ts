import { expect, test } from 'vitest'
import { namesOf } from '../../src/frame/read-columns.js'
import { reply } from '../helper/awkward-server.js'
import { about, ask, errorOf, server, useAwkwardServer } from '../helper/awkward-source.js'
import type { Asked } from '../helper/vendor.js'

useAwkwardServer()

type Cells = Readonly<Record<string, unknown>>

/** Answers with rows whatever is asked, in the fields that are asked for. */
function answers(rowsFor: (asked: Asked) => readonly Cells[], beside: (asked: Asked) => Cells = () => ({})): void {
  server.always(({ body }) => {
    const asked = body as Asked
    const fields = String(asked.fields).split(',')
    const items = rowsFor(asked).map((row) => fields.map((name) => row[name] ?? null))
    return reply.json({ code: 200, message: 'success', data: { fields, items, ...beside(asked) } })
  })
}

const candidate = (tradedate: string): Cells => ({
  tradedate,
  symbol: '000001',
  rule: '10 days, up, 100%',
  elapsed_days: 3,
  deviation_pct: 90,
  required_pct_chg: 5,
  trigger_price: 10,
  status: 'reachable',
})

test('candidates of any later day than the next trading day are refused', async () => {
  answers(() => [candidate('20260710'), candidate('20260713')])
  expect((await ask('anomaly_forecast', { tradedate: '20260710' })).numRows).toBe(2)
  expect(await errorOf(ask('anomaly_forecast', { tradedate: '20260706' }))).toMatchObject({
    code: 'CONTRACT',
    field: 'tradedate',
    row: 0,
  })
  const days = ['20260706', '20260707']
  expect(await errorOf(ask('anomaly_forecast', {}, { days }))).toMatchObject({ code: 'CONTRACT' })
})

test('several channels go as one text with commas', async () => {
  answers(() => [])
  await ask('southbound_top10', { tradedate: '20260701', market_type: ['2', '4'] })
  expect((server.requests.at(-1)?.body as Asked | undefined)?.params).toMatchObject({ market_type: '2,4' })
})

const answered = (qa_id: string, revision_no: number): Cells => ({
  symbol: '000001',
  event_date: '20260701',
  qa_id,
  question_time: '2026-07-01 10:00:00',
  question: 'q',
  answer_time: '2026-07-01 11:00:00',
  answer: 'a',
  revision_no,
  version_ambiguous: false,
})

test('two revisions of one answer are no newest version; all versions may hold them', async () => {
  answers(
    ({ params }) => [answered('1', 2), answered('1', 1)].slice(Number(params.offset ?? 0)),
    () => ({ total: 2 }),
  )
  expect(await errorOf(ask('interactive_qa', {}))).toMatchObject({ code: 'CONTRACT', message: /share the key qa_id 1/ })
  expect((await ask('interactive_qa', { version: 'all' })).numRows).toBe(2)
})

test.each([
  ['the rows of the page alone', (_: number, rows: number) => rows],
  ['the rows up to the end of the page', (offset: number, rows: number) => offset + rows],
])('a total that counts %s is not taken for the count of all', async (_, total) => {
  const all = Array.from({ length: 2410 }, (_, i) => answered(String(90_000 - i), 1))
  const page = ({ params }: Asked): [number, readonly Cells[]] => {
    const { offset = 0, limit = 100 } = params as { offset?: number; limit?: number }
    return [offset, all.slice(offset, offset + limit)]
  }
  answers(
    (asked) => page(asked)[1],
    (asked) => {
      const [offset, rows] = page(asked)
      return { total: total(offset, rows.length) }
    },
  )
  const outcome = await errorOf(ask('interactive_qa', {}))
  expect(outcome).toMatchObject({ name: 'SourceError' })
  expect(['UNSTABLE', 'ENVELOPE']).toContain((outcome as { code: string }).code)
})

const headline = (source_id: string): Cells => ({
  display_at: '2026-07-01T10:00:00',
  source: 'yicai_home',
  source_name: '第一财经',
  title: 't',
  source_id,
  item_type: 'article',
  updated_at: '2026-07-01T10:00:00',
})

test('news of another view, and more of it than was asked for, are refused', async () => {
  const ids = ['1', '2', '3', '4']
  answers(
    () => ids.map(headline),
    () => ({ view: 'time' }),
  )
  expect(await errorOf(ask('news', { view: 'source', limit: 20 }))).toMatchObject({
    code: 'ENVELOPE',
    message: /view time where source was asked for/,
  })
  expect(await errorOf(ask('news', { limit: 3 }))).toMatchObject({ code: 'ENVELOPE', message: /sends 4 rows/ })
  expect((await ask('news', { limit: 20 })).numRows).toBe(4)
})

test('a stock stands in a hot list once', async () => {
  answers(() => ['000001', '000002', '000001'].map((s) => ({ s, n: 'x', pc: 1 })))
  expect(await errorOf(ask('hotstock', { type: 'ths&normal' }))).toMatchObject({
    code: 'CONTRACT',
    message: /share the key s 000001/,
  })
})

test('a sector that holds none of the stocks asked for is refused', async () => {
  const sectors = [
    ['801001', ['000001', '600519']],
    ['801002', ['600519']],
  ]
  const data = { fields: ['theme_symbol', 'symbols'], items: sectors }
  server.always(() => reply.json({ code: 200, message: 'success', data }))
  expect((await ask('thememembers_jx', { symbols: ['600519.SH'] })).numRows).toBe(2)
  expect(await errorOf(ask('thememembers_jx', { symbols: ['000001'] }))).toMatchObject({
    code: 'CONTRACT',
    field: 'symbols',
    row: 1,
  })
})

test('replies that end at different buckets are asked for again', async () => {
  const bar = (symbol: string, trademin: string): Cells => ({
    tradedate: '20260701',
    symbol,
    trademin,
    time: `${trademin.slice(0, 2)}:${trademin.slice(2)}:00`,
  })
  let calls = 0
  answers(({ params }) => {
    const minutes = calls++ === 0 ? ['0930', '0945', '1000'] : ['0930', '0945', '1000', '1015']
    return ((params?.symbols ?? []) as string[]).flatMap((symbol) => minutes.map((minute) => bar(symbol, minute)))
  })
  const symbols = Array.from({ length: 600 }, (_, i) => `${510_000 + i}.SH`)
  const table = await ask('etf_minute', { symbols, tradedate: '20260701', period: '15m' })
  expect(namesOf(table)).toContain('trademin')
  expect(table.numRows).toBe(600 * 4)
  expect(about(table).note).toMatch(/cells of the grid .* have no row/)
})
