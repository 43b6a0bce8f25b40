import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  columnNames,
  connect,
  datasetOf,
  datasets,
  type Market,
  provenance,
  rowsOf,
  strings,
  toJson,
  toObjects,
} from 'quotebook'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { datasetNames } from './helper/catalogue.js'
import { sampleDir } from './helper/files.js'
import { closeAll, errorOf, marketOf, ofSample, type Vendor, vendor } from './helper/vendor.js'

/** Every dataset says the same wherever it comes from: the sample, a directory, our own service, a vendor that tells nothing of itself. */
const command = join('dist', 'cli', 'quotebook.cjs')
const folder = mkdtempSync(join(tmpdir(), 'promise-datasets-'))
const dir = join(folder, 'copy')
let service: { readonly url: string; stop(): void }
let honest: Vendor
let markets: Readonly<Record<'sample' | 'directory' | 'service' | 'vendor', Market>>

function startService(): Promise<typeof service> {
  const child = spawn(process.execPath, [command, 'serve', '--source', dir, '--port', '0', '--no-log'])
  return new Promise((resolve, reject) => {
    let said = ''
    const hear = (chunk: Buffer): void => {
      said += chunk.toString()
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
      if (url) resolve({ url, stop: () => child.kill() })
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('exit', () => reject(new Error(said)))
  })
}

beforeAll(async () => {
  cpSync(sampleDir, dir, { recursive: true })
  service = await startService()
  honest = await vendor(ofSample)
  markets = {
    sample: await connect(),
    directory: await connect({ archive: dir }),
    service: await marketOf(service.url),
    vendor: await marketOf(honest.url),
  }
})
afterAll(async () => {
  service.stop()
  await closeAll()
  rmSync(folder, { recursive: true, force: true })
})

const typesOf = (table: Awaited<ReturnType<Market['query']>>): string[] =>
  table.schema.fields.map(({ name, type, metadata }) => `${name} ${type} ${JSON.stringify([...metadata])}`)

test.each(datasetNames)('%s: its example is the same rows from everywhere', async (name) => {
  const { example, columns } = datasetOf(name)
  const expected = await markets.sample.query(name, example)
  const text = toJson(expected)
  const rows = expected.numRows
  let requests: number | undefined
  expect(columnNames(expected).every((column) => column in columns)).toBe(true)
  for (const where of ['directory', 'service', 'vendor'] as const) {
    const table = await markets[where].query(name, example)
    // A share is asked of who hands it out: its link and its password are of that service.
    if (name === 'file_download' && where === 'service') expect(columnNames(table)).toEqual(columnNames(expected))
    else expect(toJson(table), where).toBe(text)
    expect(typesOf(table)).toEqual(typesOf(expected))
    expect(provenance(table)).toMatchObject({ dataset: name, rows, request: provenance(expected)?.request })
    if (where === 'vendor') {
      expect(provenance(table)?.call).toMatchObject({ retries: 0 })
      requests = provenance(table)?.call?.requests
    } else expect(provenance(table)?.complete).toBe(provenance(expected)?.complete)
  }
  // Published with the sample: rows, the beginning of their sha256 as JSON, and requests to the vendor never change.
  const sha256 = createHash('sha256').update(text).digest('hex').slice(0, 12)
  expect(`${rows} rows, ${sha256}, ${requests} requests`).toMatchSnapshot()
})

test.each<[name: string, params: object, options?: object]>([
  ['etf_minute', { symbols: ['510300.SH', '159915'], period: '15m' }, { days: { from: '20260727', to: '20260731' } }],
  ['etf_minute', { trademin: '1000' }, { days: ['20260729', '20260701', '20260701'] }],
  ['etf_minute', { symbols: 'all', period: '15m' }],
  ['convertible_minute', { symbols: 'all', tradedate: '20260728' }],
  ['convertible_daily', { startdate: '20260629', enddate: '20260702', symbols: '123124,110059.SH' }],
  ['convertible_daily', { startdate: '20260720' }, { fields: ['close', 'code'] }],
  ['southbound_top10', { symbols: '00175', startdate: '20260506', enddate: '20260729' }],
  ['anomaly_forecast', {}, { days: { from: '20260727', to: '20260730' } }],
  ['finance_announcement', { as_of: '20260630', keyword: '回购' }],
  ['interactive_qa', { limit: 3, offset: 5 }],
  ['news', {}],
  ['news', { limit: 3, view: 'source' }],
])('%s %j %j is answered alike', async (name, params, options) => {
  const expected = await markets.sample.query(name, params, options)
  expect(expected.numRows).toBeGreaterThan(0)
  for (const where of ['directory', 'service', 'vendor'] as const) {
    const table = await markets[where].query(name, params, options)
    expect(toJson(table), where).toBe(toJson(expected))
    expect(typesOf(table)).toEqual(typesOf(expected))
  }
  expect(JSON.stringify(honest.asked)).not.toContain('"all"')
})

test('no data is an empty table with all its columns and their types', async () => {
  for (const dataset of datasets) {
    const { name, example, params } = dataset
    if (!('symbols' in params)) continue
    const unknown = 'instruments' in dataset && dataset.instruments === 'hk' ? '99999' : '999999'
    const full = await markets.sample.query(name, example)
    for (const market of Object.values(markets)) {
      const table = await market.query(name, { ...example, symbols: unknown })
      expect([table.numRows, typesOf(table)]).toEqual([0, typesOf(full)])
      expect(provenance(table)).toMatchObject({ dataset: name, rows: 0 })
    }
  }
})

test('codes, dates, minutes and ids stay text, missing is null, numbers are the decimals that were sent', async () => {
  const qa = await markets.vendor.table.interactiveQa({ symbols: ['000001.SZ'], date: '20260706' })
  const [first] = toObjects(qa)
  expect([first?.symbol, typeof first?.qa_id, String(first?.qa_id).length]).toEqual(['000001', 'string', 19])
  const bars = await markets.vendor.table.etfMinute({ symbols: ['510300.SH'], tradedate: '20260729', period: '15m' })
  expect(rowsOf(bars)[0]).toMatchInlineSnapshot(`
    [
      "20260729",
      "510300.SH",
      "0930",
      "09:30:02",
      2.441,
      2.443,
      2.441,
      2.441,
      48720,
      11893501,
      2.441,
    ]
  `)
  const bonds = await markets.vendor.table.convertibleDaily({ tradedate: '20260729' }, { fields: ['cb_over_rate'] })
  expect(toObjects(bonds).some(({ cb_over_rate: rate }) => rate === null || typeof rate === 'number')).toBe(true)
})

test('a frame has the cells of the table', async () => {
  const params = { symbols: ['510300.SH'], period: '15m' } as const
  const frame = await markets.sample.load.etfMinute(params, { fields: ['trademin', 'close'] })
  const table = await markets.sample.table.etfMinute(params, { fields: ['trademin', 'close'] })
  expect([frame.columns, frame.values]).toEqual([['trademin', 'close'], rowsOf(table)])
})

test('fields come in the order wanted, and nothing else', async () => {
  for (const market of Object.values(markets)) {
    const table = await market.query(
      'convertible_daily',
      { tradedate: '20260729' },
      { fields: ['close', 'code', 'close'] },
    )
    expect(columnNames(table)).toEqual(['close', 'code'])
  }
  const asked = honest.asked.at(-1)?.fields?.split(',') ?? []
  expect(asked.slice(0, 2)).toEqual(['close', 'code'])
})

const refused: readonly [name: string, params: unknown, options?: object][] = [
  ['etf_minut', {}],
  ['news', { limit: 0 }],
  ['news', { view: 'day' }],
  ['news', { sources: 'sina' }],
  ['news', {}, { fields: ['titel'] }],
  ['theme_lib_detail_kp', {}],
  ['theme_lib_detail_kp', { theme_id: '1001' }, { fields: ['name'] }],
  ['hotstock', { type: 'ths&norml' }],
  ['hotstock', { type: 'ths&normal', tradedate: '20260701' }, { fields: ['n'] }],
  ['hotstock', { type: 'ths&normal' }, { fields: ['rank'] }],
  ['st', { startDate: '20260701' }],
  ['st', { startdate: '20260702', enddate: '20260701' }],
  ['st', {}, { days: ['20260701'] }],
  ['st', { zzzzzz: 1 }],
  ['st', { startdate: '2026-07-32' }],
  ['st', { symbols: [] }],
  ['st', [1]],
  ['hotstock', undefined],
  ['etf_minute', { trademin: '9:30' }],
  ['news', { limit: '5' }],
  ['file_download', { data_type: 'auction_tick', year: 2021 }],
  ['convertible_minute', { trademin: '0945' }],
  ['etf_minute', { symbol: '510300' }],
  ['etf_minute', { tradedate: 20260701 }],
  ['etf_minute', { tradedate: '20260230' }],
  ['etf_minute', {}, { fields: ['clos'] }],
  ['etf_minute', {}, { fields: [] }],
  ['etf_minute', {}, { fields: 'close,' }],
  ['etf_minute', {}, { fields: ['period'] }],
  ['etf_minute', {}, { days: { from: '20260704', to: '20260705' } }],
  ['etf_minute', { symbols: ['510300.SH', 'all'] }],
  ['news', { symbols: 'all' }],
  ['theme_daily', {}],
  ['convertible_daily', { tradedate: '20260701', enddate: '20260701' }],
  ['transfer_financing', { recentdays: 5, tradedate: '20260701' }],
  ['thememembers_jx', { level: 'parents' }],
  ['southbound_top10', { market_type: '3' }],
  ['anomaly_forecast', {}, { fields: ['computed_on'] }],
  ['file_download', { data_type: 'ticks', year: 2026 }],
  ['finance_announcement', { as_of: 'now' }],
  ['interactive_qa', { qa_id: 1234567890 }],
  ['interactive_qa', { symbols: '920001.BJ' }],
  ['st', {}, { feilds: ['symbol'] }],
  ['st', {}, { allowTruncated: 'yes' }],
]

test('what the contract does not allow is refused alike, before anything is sent, with the field and the nearest name', async () => {
  const said: string[] = []
  for (const [name, params, options] of refused) {
    const [own, over, asked] = [markets.sample, markets.vendor, honest.asked.length]
    const error = await errorOf(own.query(name, params, options as never))
    const other = await errorOf(over.query(name, params, options as never))
    expect([other.code, other.field, other.message]).toEqual([error.code, error.field, error.message])
    expect(honest.asked.length).toBe(asked)
    said.push(`${error.code} ${error.field ?? '-'}: ${error.message}`)
  }
  expect(said).toMatchInlineSnapshot(`
    [
      "INVALID_PARAMS apiname: unknown dataset 'etf_minut'. Did you mean 'etf_minute'?",
      "INVALID_PARAMS limit: limit must be from 1 to 500, not 0.",
      "INVALID_PARAMS view: unknown value of view 'day'. It takes: time, source.",
      "INVALID_PARAMS sources: unknown value of sources 'sina'. It takes: cls_depth_1000, cls_depth_1003, cls_hot_article, yicai_home.",
      "INVALID_PARAMS fields: unknown field of news 'titel'. Did you mean 'title'?",
      "INVALID_PARAMS theme_id: theme_lib_detail_kp needs theme_id: Id from the theme library list.",
      "INVALID_PARAMS fields: theme_lib_detail_kp takes no fields; every answer is whole.",
      "INVALID_PARAMS type: unknown value of type 'ths&norml'. Did you mean 'ths&normal'?",
      "INVALID_PARAMS fields: hotstock has no field 'n' in history mode. It has: s, rank, tradedate, type.",
      "INVALID_PARAMS fields: hotstock has no field 'rank' in latest mode. It has: s, n, pc.",
      "INVALID_PARAMS startDate: unknown param of st 'startDate'. Did you mean 'startdate'?",
      "INVALID_PARAMS startdate: startdate 20260702 is later than enddate 20260701.",
      "INVALID_PARAMS days: days is for operations that answer one day a call; st: give startdate, enddate in params.",
      "INVALID_PARAMS zzzzzz: unknown param of st 'zzzzzz'. It takes: type, symbols, startdate, enddate.",
      "INVALID_PARAMS startdate: startdate must be a date YYYYMMDD, not "2026-07-32".",
      "INVALID_PARAMS symbols: symbols is empty; leave it out to set no condition.",
      "INVALID_PARAMS params: params must be an object, not [1].",
      "INVALID_PARAMS params: hotstock needs params: type.",
      "INVALID_PARAMS trademin: trademin must be a minute HHmm such as '1000', not "9:30".",
      "INVALID_PARAMS limit: limit must be a whole number, not "5".",
      "INVALID_PARAMS year: year must be from 2022 to 9999, not 2021.",
      "INVALID_PARAMS trademin: trademin 0945 closes no 30m bucket. Buckets close at 0930, 1000, 1030, 1100, 1130, 1330, 1400, 1430, 1500.",
      "INVALID_PARAMS symbol: unknown param of etf_minute 'symbol'. Did you mean 'symbols'?",
      "INVALID_PARAMS tradedate: tradedate must be a string: give "20260701", a number loses leading zeros.",
      "INVALID_PARAMS tradedate: tradedate must be a date YYYYMMDD, not "20260230".",
      "INVALID_PARAMS fields: unknown field of etf_minute 'clos'. Did you mean 'close'?",
      "INVALID_PARAMS fields: fields is empty; leave it out for all.",
      "INVALID_PARAMS fields: fields has an empty name; separate names by one comma.",
      "INVALID_PARAMS fields: unknown field of etf_minute 'period'. It takes: tradedate, symbol, trademin, time, open, high, low, close, vol, amount, vwap.",
      "INVALID_PARAMS days: days holds no trading day.",
      "INVALID_PARAMS symbols: symbols 'all' stands alone, without codes beside it.",
      "INVALID_PARAMS symbols: news takes no symbols 'all'; leave symbols out.",
      "INVALID_PARAMS type: theme_daily needs type; it takes tj.",
      "INVALID_PARAMS tradedate: tradedate can not be combined with enddate; leave one of them out.",
      "INVALID_PARAMS recentdays: recentdays can not be combined with tradedate; leave one of them out.",
      "INVALID_PARAMS level: unknown value of level 'parents'. Did you mean 'parent'?",
      "INVALID_PARAMS market_type: unknown value of market_type '3'. Did you mean '2'?",
      "INVALID_PARAMS fields: unknown field of anomaly_forecast 'computed_on'. It takes: tradedate, symbol, name, pct_chg, rule, elapsed_days, deviation_pct, required_pct_chg, trigger_price, status.",
      "INVALID_PARAMS data_type: unknown value of data_type 'ticks'. It takes: auction_tick.",
      "INVALID_PARAMS as_of: as_of must be YYYYMMDD, YYYY-MM-DD or an ISO 8601 time, not "now".",
      "INVALID_PARAMS qa_id: qa_id must be a string: give "1234567890", a number loses leading zeros.",
      "UNSUPPORTED_MARKET -: UNSUPPORTED_MARKET: symbols 920001.BJ is of the Beijing exchange.",
      "USAGE -: a query has no option 'feilds'; did you mean 'fields'?",
      "USAGE -: a query takes true or false as allowTruncated, not a string",
    ]
  `)
})

test('the codes of a dataset on a day, sorted', async () => {
  const codes = await markets.sample.symbols('convertible_daily', { day: '20260729' })
  expect(await markets.vendor.symbols('convertible_daily', { day: '20260729' })).toEqual(codes)
  const table = await markets.sample.table.convertibleDaily({ tradedate: '20260729' })
  expect(new Set(strings(table, 'code'))).toEqual(new Set(codes))
  expect(codes).toEqual([...codes].sort())
  expect(await errorOf(markets.sample.symbols('news'))).toMatchObject({
    code: 'USAGE',
    message: "news can't be asked by symbols, so it has no list of them",
  })
})

test('how a query would be asked is told before anything is sent', async () => {
  const asked = honest.asked.length
  const symbols = Array.from({ length: 1000 }, (_, i) => `${510000 + i}.SH`)
  const days = { from: '20260701', to: '20260728' }
  const plan = await markets.vendor.explain('etf_minute', { symbols, period: '15m' }, { days })
  expect([plan.requests, plan.exact, plan.probes, ...plan.lines.map(String)]).toMatchInlineSnapshot(`
    [
      60,
      false,
      133,
      "etf_minute: 60 requests; each reply below the cap of 6000 rows; one at the cap is asked again in halves",
      "  1  334 symbols from 510000.SH to 510333.SH, 20260701",
      "  2  333 symbols from 510334.SH to 510666.SH, 20260701",
      "  3  333 symbols from 510667.SH to 510999.SH, 20260701",
      "  4  334 symbols from 510000.SH to 510333.SH, 20260702",
      "  5  333 symbols from 510334.SH to 510666.SH, 20260702",
      "  6  333 symbols from 510667.SH to 510999.SH, 20260702",
      "  7  334 symbols from 510000.SH to 510333.SH, 20260703",
      "  8  333 symbols from 510334.SH to 510666.SH, 20260703",
      "  … and 52 more",
      "at most 133 more to show that nothing is missing",
    ]
  `)
  const all = await markets.vendor.explain('etf_minute', { symbols: 'all', period: '15m' })
  expect(`${all.lines.at(-1)}`).toBe('then a request for each bucket of the day that it shows')
  expect((await markets.sample.explain('st', {})).lines).toEqual(['st: no request; sample is on this machine'])
  expect(honest.asked.length).toBe(asked)
})

test('the command writes the same rows from the sample and from a service, and refuses in one line', () => {
  const run = (...words: string[]): ReturnType<typeof spawnSync> =>
    spawnSync(process.execPath, [command, 'query', ...words], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', QUOTEBOOK_APIKEY: 'any', QUOTEBOOK_SOURCE: 'sample' },
    })
  const words = ['convertible_daily', 'symbols=123124', 'startdate=20260727', '--format', 'json']
  const [own, over] = [run(...words), run(...words, '--source', service.url)]
  expect([own.status, over.status, over.stdout]).toEqual([0, 0, own.stdout])
  expect(JSON.parse(String(own.stdout))).toHaveLength(3)
  const told = run(...words, '--source', service.url, '--verbose').stderr
  expect(told).toMatch(/^convertible_daily symbols=123124 startdate=20260727 http:\S+: 3 rows, \d+ B, \d+ ms\n$/)
  const refusal = run('convertible_daily', 'symbol=123124')
  expect([refusal.status, refusal.stdout, refusal.stderr]).toMatchInlineSnapshot(`
    [
      2,
      "",
      "quotebook: unknown param of convertible_daily 'symbol'. Did you mean 'symbols'?
    ",
    ]
  `)
})

test('days from one to another work for every dataset with a range, as its own params do, and not beside a date', async () => {
  const days = { from: '20260701', to: '20260710' }
  const range = { startdate: days.from, enddate: days.to }
  for (const [name, params] of [
    ['st', {}],
    ['theme_daily', { type: 'tj' }],
    ['convertible_daily', {}],
    ['transfer_financing', {}],
    ['southbound_top10', {}],
    ['interactive_qa', {}],
  ] as const) {
    const own = await markets.sample.query(name, { ...params, ...range })
    expect(toJson(await markets.sample.query(name, params, { days }))).toBe(toJson(own))
    expect(own.numRows).toBeGreaterThan(0)
  }
  const both = await errorOf(markets.sample.query('st', { startdate: '20260701' }, { days }))
  expect(both.message).toBe('days can not be combined with startdate; leave one of them out.')
})
