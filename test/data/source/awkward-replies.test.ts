import { expect, test } from 'vitest'
import { datasetOf } from '../../../src/contract/catalogue.js'
import { strings } from '../../../src/frame/read-columns.js'
import { reply, type Script } from '../../helper/awkward-server.js'
import {
  about,
  ask,
  day,
  errorOf,
  expectTruth,
  honest,
  ofDay,
  params,
  server,
  symbols,
  useAwkwardServer,
  value,
  withData,
} from '../../helper/awkward-source.js'
import { type Asked, bars, type Data, type Row, replyFor, truth } from '../../helper/vendor.js'

/** Rows, pages and snapshots that are not what was asked for, beside those of test/promise: put right, refused by name, or said. */
useAwkwardServer()

const at = (name: string, data: Data): number => data.fields.indexOf(name)
type Change = (data: Data) => unknown

/** Changes one cell of the reply. */
function cell(row: number, name: string, to: unknown): Change {
  return (data) => ({
    ...data,
    items: data.items.map((cells, i) => (i === row ? cells.map((old, c) => (c === at(name, data) ? to : old)) : cells)),
  })
}

/** Answers with rows whatever is asked, in the fields that are asked for. */
function answers(rowsFor: (asked: Asked) => readonly Row[], beside: (asked: Asked) => Row = () => ({})): void {
  server.always(({ body }) => {
    const asked = body as Asked
    const fields = String(asked.fields).split(',')
    const items = rowsFor(asked).map((row) => fields.map((name) => row[name] ?? null))
    return reply.json({ code: 200, message: 'success', data: { fields, items, ...beside(asked) } })
  })
}

test.each<[what: string, change: Change, where: object]>([
  ['a minute that is none', cell(2, 'trademin', '2560'), { field: 'trademin', row: 2 }],
  [
    'a column that is there twice',
    (data) => ({ fields: [...data.fields, 'close'], items: data.items.map((row) => [...row, 1]) }),
    {},
  ],
])('%s: a contract error that names it', async (_, change, where) => {
  honest(ofDay, (same) => withData(same, change))
  const error = await errorOf(ask('etf_minute', params))
  expect(error).toMatchObject({ name: 'ContractError', code: 'CONTRACT', dataset: 'etf_minute', ...where })
  expect(server.requests.length).toBeLessThanOrEqual(3)
})

test('the time of a bar lies in its bucket, any second of its closing minute included', async () => {
  const data = value.data as Data
  const answered = (trademin: string, time: string): Promise<unknown> => {
    const items = data.items.filter((row) => row[2] === trademin).map((row) => row.with(3, time))
    server.always(() => reply.json({ ...value, data: { ...data, items } }))
    return errorOf(ask('etf_minute', { ...params, trademin }))
  }
  for (const [trademin, good, bad] of [
    ['0930', ['09:25:00', '09:30:59.123'], ['09:31:00']],
    ['1000', ['09:45:00', '10:00:59'], ['09:44:59', '10:01:00', '15:00:00']],
    ['1315', ['13:00:01', '13:14:59'], ['13:16:00']],
    ['1500', ['14:57:00', '15:00:03'], ['14:44:00']],
  ] as const) {
    for (const time of good) expect(await answered(trademin, time), time).toMatchObject({ rows: 3 })
    for (const time of bad)
      expect(await answered(trademin, time), time).toMatchObject({ code: 'CONTRACT', field: 'time' })
  }
})

test('codes in other spellings are there as the contract has them; what can not be told is refused', async () => {
  for (const spell of [(code: string) => code.slice(0, 6), (code: string) => code.toLowerCase()]) {
    honest(ofDay, (same) =>
      withData(same, (data) => ({ ...data, items: data.items.map((row) => row.with(1, spell(String(row[1])))) })),
    )
    expectTruth(await ask('etf_minute', params))
  }
  const list = (fields: string[], items: unknown[][]): void =>
    server.always(() => reply.json({ code: 200, message: 'success', data: { fields, items } }))
  const names = ['tradedate', 'symbol', 'name', 'type', 'type_name']
  const st = (...codes: string[]): Promise<unknown> => {
    list(
      names,
      codes.map((code) => ['20260701', code, 'name', 'ST', 'text']),
    )
    return ask('st', { startdate: '20260701', enddate: '20260701' }).then(
      (table) => strings(table, 'symbol'),
      (error) => error,
    )
  }
  expect(await st('600519.SH', '000001')).toEqual(['000001', '600519'])
  expect(await st('600519.SH', '600519')).toMatchObject({ code: 'CONTRACT', message: /share the key/ })
  expect(await st('000001.SH')).toMatchObject({ code: 'CONTRACT', field: 'symbol' })
  const themes = (...codes: string[]): Promise<unknown> => {
    list(
      ['theme_symbol', 'symbols'],
      codes.map((code) => [code, ['600519']]),
    )
    return errorOf(ask('thememembers_jx', {}))
  }
  expect(await themes('801001', '801002.TI')).toMatchObject({ rows: 2 })
  expect(await themes('801001', '801001.SH')).toMatchObject({ code: 'CONTRACT', message: /two spellings/ })
  expect(await errorOf(ask('thememembers_jx', { symbols: ['000001'] }))).toMatchObject({
    code: 'CONTRACT',
    field: 'symbols',
    row: 0,
  })
})

const candidate = (tradedate: string): Row => ({
  ...{ tradedate, symbol: '000001', rule: '10 days, up, 100%', elapsed_days: 3 },
  ...{ deviation_pct: 90, required_pct_chg: 5, trigger_price: 10, status: 'reachable' },
})

test('no more days than were asked for, and no later ones', async () => {
  const before = replyFor(bars(symbols, '20260630'), {
    apiname: 'etf_minute',
    params: { ...params, tradedate: '20260630' },
  })
  const items = [...(before.data as Data).items, ...(value.data as Data).items]
  server.always(() => reply.json(withData(value, (data) => ({ ...data, items }))))
  const latest = await errorOf(ask('etf_minute', { symbols, period: '15m' }))
  expect(latest).toMatchObject({ code: 'CONTRACT', field: 'tradedate', message: expect.stringContaining('2 days') })
  const fields = Object.keys(datasetOf('transfer_financing').columns)
  const three = ['20260701', '20260702', '20260703'].map((tradedate) => [tradedate, 1, 1, 1, 1, 1])
  server.always(() => reply.json({ code: 200, message: 'success', data: { fields, items: three } }))
  const two = await errorOf(ask('transfer_financing', { recentdays: 2 }))
  expect(two).toMatchObject({ code: 'CONTRACT', field: 'tradedate', row: 2 })
  expect((await ask('transfer_financing', { recentdays: 3 })).numRows).toBe(3)
  answers(() => [candidate('20260710'), candidate('20260713')])
  expect((await ask('anomaly_forecast', { tradedate: '20260710' })).numRows).toBe(2)
  expect(await errorOf(ask('anomaly_forecast', { tradedate: '20260706' }))).toMatchObject({
    field: 'tradedate',
    row: 0,
  })
})

test.each<[given: Row, good: string, bad: string]>([
  [{ as_of: '20260630' }, '2026-06-30 23:00:00', '2026-07-01'],
  [{ as_of: '2026-06-30T10:00:00' }, '20260630', '20260701'],
  [{ ann_startdate: '20260601' }, '20260601', '2026-05-31 23:59:59'],
  [{ ann_enddate: '20260630', as_of: '20260615' }, '20260615', '20260616'],
])('announcements of another time than %j are refused', async (given, good, bad) => {
  const fields = Object.keys(datasetOf('finance_announcement').columns)
  for (const moments of [[good], [good, bad]]) {
    server.always(({ body }): Script => {
      const rows = moments.map((moment) => ['600519', moment, 'title', null, 'other', null])
      const items = rows.slice(Number((body as Asked).params.offset ?? 0))
      return reply.json({ code: 200, message: 'success', data: { fields, items, total: moments.length } })
    })
    const outcome = await errorOf(ask('finance_announcement', given))
    expect(outcome).toMatchObject(
      moments.length === 1 ? { rows: 1 } : { code: 'CONTRACT', field: 'event_date', row: 1 },
    )
  }
})

test('a message that is no success is none, whatever rows come with it', async () => {
  for (const message of ['quota exceeded: partial result', '部分数据', 'success (truncated)']) {
    server.always(() => reply.json({ ...value, message }))
    const error = await errorOf(ask('etf_minute', params))
    expect(error).toMatchObject({ code: 'UNAVAILABLE', retryable: true, vendorMessage: message })
    expect(error).toMatchObject({ message: expect.stringContaining(`with 51 rows and says “${message}”`) })
  }
  for (const message of ['success', 'Success', 'OK', '']) {
    server.always(() => reply.json({ ...value, message }))
    expectTruth(await ask('etf_minute', params))
    const data = { fields: [], items: [] }
    server.always(() => reply.json({ code: 200, message, data }))
    expect(about(await ask('etf_minute', params))).toMatchObject({ rows: 0, complete: true, without: { symbols } })
  }
})

test('the inner level of a share speaks for itself', async () => {
  const asked = { data_type: 'auction_tick', year: 2026 }
  for (const [code, outcome] of [
    [403, { code: 'FORBIDDEN', vendorMessage: 'said' }],
    [503, { code: 'UNAVAILABLE' }],
    [1002, { rows: 0 }],
    [0, { code: 'ENVELOPE' }],
  ] as const) {
    server.always(() => reply.json({ code: 200, message: 'success', data: { code, message: 'said', data: null } }))
    expect(await errorOf(ask('file_download', asked))).toMatchObject(outcome)
  }
})

const answered = (qa_id: string, revision_no: number): Row => ({
  ...{ symbol: '000001', event_date: '20260701', qa_id, revision_no, version_ambiguous: false },
  ...{ question: 'q', question_time: '2026-07-01 10:00:00', answer: 'a', answer_time: '2026-07-01 11:00:00' },
})

test('two revisions of one answer are no newest version; a stock stands in a hot list once', async () => {
  answers(
    ({ params: { offset } }) => [answered('1', 2), answered('1', 1)].slice(Number(offset ?? 0)),
    () => ({ total: 2 }),
  )
  expect(await errorOf(ask('interactive_qa', {}))).toMatchObject({ code: 'CONTRACT', message: /share the key qa_id 1/ })
  expect((await ask('interactive_qa', { version: 'all' })).numRows).toBe(2)
  answers(() => ['000001', '000002', '000001'].map((s) => ({ s, n: 'x', pc: 1 })))
  expect(await errorOf(ask('hotstock', { type: 'ths&normal' }))).toMatchObject({ message: /share the key s 000001/ })
})

const stories = ['cls_depth_1000', 'cls_depth_1003', 'cls_hot_article', 'yicai_home'].flatMap((source, s) =>
  Array.from({ length: 200 + s }, (_, i) => ({
    ...{
      published_at: null,
      display_at: `2026-07-01T${String(i % 24).padStart(2, '0')}:00:00`,
      time_label: null,
      source,
    },
    ...{ source_name: source, title: `${source} ${i}`, summary: null, url: null, image: null, rank: i },
    ...{ source_id: `${source}-${i}`, item_type: 'x', updated_at: '2026-07-01T23:00:00' },
  })),
)

test('more news than fit are fetched source by source, unless of a source that nobody knows', async () => {
  const within = (rows: readonly Row[]): void =>
    honest(rows, (same, { body }) =>
      withData(same, (data) => ({ ...data, items: data.items.slice(0, Number((body as Asked).params.limit)) })),
    )
  within(stories)
  const table = await ask('news', {})
  expectTruth(table, truth(stories, 'news', {}))
  expect(about(table)).toMatchObject({ complete: true, rows: 806 })
  const newest = await ask('news', { limit: 7 })
  expect(about(newest)).toMatchObject({ complete: false, rows: 7, note: expect.stringContaining('the newest 7') })
  within(stories.map((row, i) => (i % 50 === 0 ? { ...row, source: 'new_source' } : row)))
  expect(await errorOf(ask('news', {}))).toMatchObject({ code: 'TRUNCATED' })
  expect(about(await ask('news', {}, { allowTruncated: true }))).toMatchObject({ complete: false, rows: 500 })
  answers(
    () => stories.slice(0, 4),
    () => ({ view: 'time' }),
  )
  const view = await errorOf(ask('news', { view: 'source', limit: 20 }))
  expect(view).toMatchObject({ code: 'ENVELOPE', message: /view time where source was asked for/ })
  expect(await errorOf(ask('news', { limit: 3 }))).toMatchObject({ code: 'ENVELOPE', message: /sends 4 rows/ })
})

const universe = Array.from({ length: 1000 }, (_, i) => `${510000 + i}.SH`)

test('the latest day is not lost with a first batch that has no rows of it', async () => {
  const rows = bars(universe.slice(500), day)
  server.always((request) => reply.json(replyFor(rows, request.body, { cap: 6000 })))
  const table = await ask('etf_minute', { symbols: universe, period: '15m' })
  expect(table.numRows).toBe(500 * 17)
  expect(about(table).without?.symbols).toEqual(universe.slice(0, 500))
})
