import fc from 'fast-check'
import { connect, type Dataset, datasetOf, datasets, type Market, provenance, strings, toObjects } from 'quotebook'
import { afterEach, beforeAll, expect, test } from 'vitest'
import {
  type Asked,
  closeAll,
  errorOf,
  type Items,
  marketOf,
  noData,
  ofSample,
  success,
  vendor,
} from './helper/vendor.js'

/** Codes have names, and dates have one form, wherever they are given. */
let market: Market
beforeAll(async () => {
  market = await connect()
})
afterEach(closeAll)

const symbolsOf = async (dataset: string, symbols: unknown, params: object = {}): Promise<unknown> =>
  provenance(await market.query(dataset, { ...params, symbols }))?.request.params.symbols

test('every name that the sample has beside a code finds that code, or is listed among those that fit', async () => {
  for (const { name, params } of datasets.map((one) => datasetOf(one.name))) {
    const { names } = datasetOf(name)
    if (!names || names.inTitle) continue
    const [key, { values = [] }] = Object.entries(params).find(([, one]) => one.required) ?? ['', {}]
    const table = await market.query(name, key ? { [key]: values[0] } : {})
    const [codes, texts] = [strings(table, names.code), strings(table, names.name)]
    const seen = new Map(codes.map((code, row) => [texts[row], code?.replace(/\..*/, '')]))
    expect(seen.size, name).toBeGreaterThan(1)
    for (const [text, code] of seen) {
      if (!text) continue
      const found = (await market.find(text, { dataset: name })).map((one) => one.code.replace(/\..*/, ''))
      expect(found, `${name} ${text}`).toContain(code)
    }
  }
})

test('a name stands for the code of a query, spelled as the dataset wants it', async () => {
  expect(await symbolsOf('convertible_daily', '云帆转债')).toEqual(['123124.SZ'])
  expect(await symbolsOf('convertible_minute', ['云帆', '110059.SH'])).toEqual(['123124.SZ', '110059.SH'])
  expect(await symbolsOf('st', '汀兰')).toEqual(['000725'])
  expect(await symbolsOf('interactive_qa', '*ST汀兰')).toEqual(['000725.SZ'])
  expect(await symbolsOf('theme_daily', '总市值,平均股价', { type: 'tj' })).toEqual(['880001', '880003'])
  expect(await symbolsOf('southbound_top10', '碧落控股')).toEqual(['06160.HK'])
  expect(await symbolsOf('etf_minute', '黄金ETF')).toEqual(['518880.SH'])
  expect(await symbolsOf('finance_announcement', '丰年建设')).toEqual(['300274'])
  const byCode = await market.query('convertible_daily', { symbols: ['123124.SZ'] })
  expect(toObjects(await market.query('convertible_daily', { symbols: 'yfzz' }))).toEqual(toObjects(byCode))
})

test('two that fit are listed and none is taken; what fits none is refused with names near it', async () => {
  const two = await errorOf(market.query('etf_minute', { symbols: '沪深300ETF' }))
  expect(two).toMatchObject({ code: 'INVALID_PARAMS', field: 'symbols' })
  expect(two.message).toContain('510300.SH 沪深300ETF华泰柏瑞')
  expect(two.message).toContain('159919.SZ 沪深300ETF嘉实')
  expect((await market.find('hs300etf')).map(({ code }) => code).sort()).toEqual(['159919.SZ', '510300.SH'])
  const none = await errorOf(market.query('convertible_daily', { symbols: '云凡转债' }))
  expect(none).toMatchObject({ code: 'INVALID_PARAMS', field: 'symbols' })
  expect(none.message).toMatch(/convertible_daily.*123124\.SZ 云帆转债/)
  expect((await errorOf(market.query('etf_minute', { symbols: '300ETF' }))).message).toContain('510300.SH')
  expect((await errorOf(market.query('convertible_daily', { symbols: 'yfzx' }))).message).toContain('云帆转债')
})

const named = (items: Items) => (asked: Asked) =>
  asked.apiname === 'st' ? success(['symbol', 'name', 'tradedate'], items) : noData

test('a whole name wins over longer ones, and initials are read as the name is', async () => {
  const service = await vendor(
    named(
      [
        ['600036', '招商银行'],
        ['600132', '重庆啤酒'],
        ['601633', '长城汽车'],
        ['000002', '万 科Ａ'],
        ['600000', '银河'],
        ['600001', '银河磁体'],
        ['600002', '重银股份'],
        ['600003', '农行'],
        ['600004', '农兴'],
      ].map((pair) => [...pair, '20260729']),
    ),
  )
  const other = await marketOf(service.url)
  const found = async (text: string): Promise<string> =>
    (await other.find(text, { dataset: 'st' })).map(({ code }) => code.slice(0, 6)).join(' ')
  expect(await found('招商银行')).toBe('600036')
  expect(await found('zsyh')).toBe('600036')
  expect(await found('CQPJ')).toBe('600132')
  expect(await found('ccqc')).toBe('601633')
  expect(await found('zcqc')).toBe('601633')
  expect(await found('cygf')).toBe('600002')
  expect(await found('nx')).toBe('600004')
  expect(await found('nh')).toBe('600003')
  expect(await found('万科A')).toBe('000002')
  expect(await found('wka')).toBe('000002')
  expect(await found('银河')).toBe('600000')
  expect(await found('银')).toBe('600000 600001')
  expect(await found('zsyx')).toBe('600036')
  expect(await found('招商证券')).toBe('')
})

const isOfNames = ({ fields = '', params }: Asked): boolean => fields.includes('name') && !('symbols' in (params ?? {}))

test('a service is asked for names only where one is given, once, and explain says so', async () => {
  const service = await vendor(ofSample)
  const remote = await marketOf(service.url)
  await remote.query('convertible_daily', { symbols: ['123124.SZ'] })
  expect(service.asked).toHaveLength(1)
  const plan = await remote.explain('convertible_daily', { symbols: '云帆转债' })
  expect(service.asked).toHaveLength(1)
  expect(`${plan.lines[0]}`).toContain('convertible_daily')
  expect(plan.requests).toBe(2)
  await remote.query('convertible_daily', { symbols: '云帆转债' })
  const names = service.asked.slice(1).filter(isOfNames)
  expect(names).toHaveLength(1)
  expect(service.asked.at(-1)?.params.symbols).toEqual(['123124.SZ'])
  const before = service.asked.length
  await remote.query('convertible_daily', { symbols: 'yfzz' })
  expect(service.asked.slice(before).some(isOfNames)).toBe(false)
  await errorOf(remote.query('etf_minute', { symbols: '沪深300ETF' }))
  expect(service.asked.slice(before).some(({ apiname }) => apiname !== 'convertible_daily')).toBe(false)
})

/** The vendor's own params of the days from 20260722 to 20260729 where they are not first and last day, and what else a dataset needs; `each`: a query a day. */
const own: Record<string, { readonly base?: object; readonly range?: object; readonly each?: true }> = {
  hotstock: { base: { type: 'ths&normal' }, each: true },
  convertible_minute: { base: { symbols: '123124.SZ' }, each: true },
  etf_minute: { base: { symbols: '510300.SH', period: '15m' }, each: true },
  theme_daily: { base: { type: 'tj' }, range: { startdate: '20260722', enddate: '20260729' } },
  finance_announcement: { range: { ann_startdate: '20260722', ann_enddate: '20260729' } },
}
const week = ['20260722', '20260723', '20260724', '20260727', '20260728', '20260729']
const without: Record<string, object> = {
  news: {},
  theme_lib_detail_kp: { theme_id: '1001' },
  thememembers_jx: {},
  file_download: { data_type: 'auction_tick', year: 2026 },
}

test('from and to are the rows of the vendor’s own params, of every dataset; those without days say so', async () => {
  for (const { name, ranges } of datasets as readonly Dataset[]) {
    if (name in without) continue
    const {
      base = {},
      range,
      each,
    } = own[name] ?? (ranges ? { range: { startdate: '20260722', enddate: '20260729' } } : { each: true })
    const days = { from: '2026-07-22', to: '2026/7/29' }
    const rows = toObjects(await market.query(name, base, { days }))
    const column = datasetOf(name).day ?? ''
    const wanted = each
      ? (
          await Promise.all(week.map(async (tradedate) => toObjects(await market.query(name, { ...base, tradedate }))))
        ).flatMap((all, at) => all.filter((row) => Object(row)[column] === week[at]))
      : toObjects(await market.query(name, { ...base, ...range }))
    expect(rows.length, name).toBeGreaterThan(0)
    expect(rows, name).toEqual(wanted)
  }
  for (const [name, params] of Object.entries(without)) {
    for (const days of [{ from: '20260722', to: '20260729' }, { from: '20260722' }, 5])
      expect(await errorOf(market.query(name, params, { days })), name).toMatchObject({ field: 'days' })
  }
})

test('a number of days is the last trading days of the source, and an open end its latest', async () => {
  for (const [name, { base = {} }] of Object.entries(own)) {
    if (name === 'interactive_qa' || name === 'transfer_financing') continue
    const six = toObjects(await market.query(name, base, { days: 6 }))
    expect(six, name).toEqual(toObjects(await market.query(name, base, { days: { from: '20260722', to: '20260729' } })))
  }
  const open = toObjects(await market.query('etf_minute', { symbols: '510300.SH' }, { days: { from: '20260727' } }))
  expect(new Set(open.map(({ tradedate }) => tradedate))).toEqual(new Set(week.slice(3)))
  const recent = await market.query('transfer_financing', {}, { days: 3 })
  expect(toObjects(recent)).toEqual(toObjects(await market.query('transfer_financing', { recentdays: 3 })))
  for (const days of [0, -1, 1.5, Number.NaN])
    expect(await errorOf(market.query('st', {}, { days })), String(days)).toMatchObject({ field: 'days' })
})

test('any date means the same in its three forms, and what is no date is refused in each', async () => {
  const twoDigits = (n: number): string => String(n).padStart(2, '0')
  const some = fc.record({
    month: fc.integer({ min: 0, max: 13 }),
    day: fc.integer({ min: 0, max: 32 }),
    pad: fc.boolean(),
  })
  const asked = async (tradedate: string): Promise<unknown> => {
    const table = await market.query('st', { startdate: tradedate, enddate: tradedate }).catch(({ code }) => code)
    return typeof table === 'string' ? table : [provenance(table)?.request.params, toObjects(table)]
  }
  const check = async ({ month, day, pad }: { month: number; day: number; pad: boolean }): Promise<void> => {
    const [m, d] = pad ? [twoDigits(month), twoDigits(day)] : [month, day]
    const plain = await asked(`2026${twoDigits(month)}${twoDigits(day)}`)
    expect(await asked(`2026-${m}-${d}`)).toEqual(plain)
    expect(await asked(`2026/${m}/${d}`)).toEqual(plain)
    const isDate =
      !Number.isNaN(Date.parse(`2026-${twoDigits(month)}-${twoDigits(day)}`)) &&
      !(month === 2 && day > 28) &&
      day <= new Date(2026, month, 0).getDate()
    expect(plain === 'INVALID_PARAMS').toBe(!isDate)
  }
  await fc.assert(fc.asyncProperty(some, check), { numRuns: 60 })
  for (const wrong of ['2026-07/27', '26-7-27', '2026-7-271', '2026-02-30', '2026 7 27'])
    expect(await asked(wrong), wrong).toBe('INVALID_PARAMS')
})
