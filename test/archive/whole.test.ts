import { cpSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Archive } from '../../src/archive/archive.js'
import { importFiles } from '../../src/archive/import/import-files.js'
import { ArchiveWriter } from '../../src/archive/writer.js'
import { tradingDays } from '../../src/contract/calendar.js'
import { type DatasetName, datasetOf } from '../../src/contract/catalogue.js'
import type { Days } from '../../src/contract/day-list.js'
import { bucketCloses } from '../../src/contract/session.js'
import { decode } from '../../src/table/decode.js'
import { type Provenance, provenance } from '../../src/table/provenance.js'
import { tempDir, tempFile } from '../helper/temp.js'

/** What an archive says of its own answers: whole only where every trading day that was asked for has rows. */

type Rows = readonly Readonly<Record<string, unknown>>[]

async function archiveOf(name: DatasetName, rows: Rows, set?: Record<string, string>): Promise<Archive> {
  const dir = join(tempDir(), 'archive')
  await importFiles(dir, datasetOf(name), [tempFile('rows.json', JSON.stringify(rows))], set ? { set } : {})
  return new Archive(dir, 'test')
}

async function ask(archive: Archive, name: DatasetName, params: object = {}, days?: Days): Promise<Provenance> {
  const table = await archive.query(datasetOf(name), params, { whole: true, ...(days ? { days } : {}) })
  return provenance(table) as Provenance
}

const bond = (tradedate: string, symbol = '110059') => ({ tradedate, symbol, code: `${symbol}.SH` })
const holes = ['20260702', '20260703', '20260706', '20260707', '20260708']
const hole = `no rows on 19 trading days: ${holes.join(', ')} …`

test('an archive with holes is not whole, and names the days', async () => {
  const archive = await archiveOf('convertible_daily', [bond('20260701'), bond('20260729')])
  const open = await ask(archive, 'convertible_daily', { startdate: '20260701' })
  expect(open).toMatchObject({ rows: 2, complete: false, note: hole })
  expect(open.proof).toBeUndefined()
  expect(open.without?.days).toEqual(tradingDays('20260702', '20260728'))
  const range = { startdate: '20260701', enddate: '20260729', symbols: '110059' }
  expect(await ask(archive, 'convertible_daily', range)).toMatchObject({ complete: false, note: hole })
  const single = { complete: false, note: 'no rows on the trading day 20260702' }
  expect(await ask(archive, 'convertible_daily', { tradedate: '20260702' })).toMatchObject(single)
  for (const params of [{}, { tradedate: '20260701' }, { enddate: '20260729' }, { tradedate: '20260704' }]) {
    expect(await ask(archive, 'convertible_daily', params)).toMatchObject({ complete: true, proof: 'calendar' })
  }
})

test('days before the archive and after it are asked for too, and years that the calendar does not know', async () => {
  const archive = await archiveOf('convertible_daily', [bond('20260701'), bond('20260702')])
  expect(await ask(archive, 'convertible_daily', { startdate: '20260701' })).toMatchObject({ complete: true })
  const before = await ask(archive, 'convertible_daily', { startdate: '20260629' })
  expect(before).toMatchObject({ complete: false, without: { days: ['20260629', '20260630'] } })
  const after = await ask(archive, 'convertible_daily', { startdate: '20260701', enddate: '20260704' })
  expect(after).toMatchObject({ complete: false, without: { days: ['20260703'] } })
  const early = await archiveOf('convertible_daily', [bond('20210104'), bond('20210105')])
  expect(await ask(early, 'convertible_daily', { startdate: '20210104' })).toMatchObject({ complete: true })
  expect(await ask(early, 'convertible_daily', { tradedate: '20210105' })).toMatchObject({ complete: true })
  const note = 'no rows on the trading day 20210101; trading days of 2021 are inferred from weekdays'
  expect(await ask(early, 'convertible_daily', { startdate: '20210101' })).toMatchObject({ complete: false, note })
})

test('a span that goes on for ages is not whole, and only the years around what is known are counted', async () => {
  const archive = await archiveOf('convertible_daily', [bond('20260701'), bond('20260702')])
  const spans = [
    { startdate: '20260701', enddate: '99991231' },
    { startdate: '29990101', enddate: '99991231' },
    { startdate: '99991229', enddate: '99991231' },
    { startdate: '00010101', enddate: '20260702' },
    { startdate: '00010101', enddate: '00020101' },
    { startdate: '00010101', enddate: '99991231' },
  ]
  for (const span of spans) {
    const told = await ask(archive, 'convertible_daily', span)
    expect(told.complete, JSON.stringify(span)).toBe(false)
    expect(told.proof).toBeUndefined()
    expect(told.without?.days?.length ?? 0).toBeLessThan(10_000)
  }
})

test('a year without notice: its indices show trading days, and a covered weekday without rows is none', async () => {
  const index = (tradedate: string) => ({ tradedate, symbol: '880001', type: 'tj' })
  const days = ['20261230', '20261231', '20270104', '20270105']
  const archive = await archiveOf(
    'convertible_daily',
    days.map((day) => bond(day)),
  )
  const span = { startdate: '20261230', enddate: '20270105' }
  const unsure = await ask(archive, 'convertible_daily', span)
  expect(unsure).toMatchObject({ complete: false, without: { days: ['20270101'] } })
  const indices = tempFile('indices.json', JSON.stringify(days.map(index)))
  await importFiles(archive.dir, datasetOf('theme_daily'), [indices])
  expect(await ask(archive, 'convertible_daily', span), 'a hole of the indices may be a holiday').toMatchObject({
    complete: false,
    note: 'no rows on the trading day 20270101; trading days of 2027 are inferred from weekdays',
  })
  const covers = { from: '20261201', to: '20270105' }
  await importFiles(archive.dir, datasetOf('theme_daily'), [indices], { covers })
  expect(await ask(archive, 'theme_daily', { type: 'tj', ...span })).toMatchObject({ complete: true })
  expect(await ask(archive, 'convertible_daily', span)).toMatchObject({ complete: true, proof: 'calendar' })
})

test('any set of days: absent are the trading days of the range that a brute force finds', async () => {
  const all = tradingDays('20260601', '20260731')
  const day = fc.constantFrom(...all)
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(day, { minLength: 1, maxLength: 43 }), day, fc.option(day), async (there, a, b) => {
      const archive = await archiveOf(
        'convertible_daily',
        there.map((one) => bond(one)),
      )
      const latest = [...there].sort().at(-1) as string
      const [from, to] = b === null ? [a, latest] : [a, b].sort()
      if (b === null && a > latest) return
      const absent = all.filter((one) => one >= (from as string) && one <= (to as string) && !there.includes(one))
      const params = { startdate: from, ...(b === null ? {} : { enddate: to }) }
      const about = await ask(archive, 'convertible_daily', params)
      expect(about.without?.days ?? []).toEqual(absent)
      expect(about.complete).toBe(absent.length === 0)
    }),
    { numRuns: 25 },
  )
})

const bars = (tradedate: string, symbol: string, minutes: readonly string[]) =>
  minutes.map((trademin) => ({ tradedate, symbol, trademin, time: `${trademin.slice(0, 2)}:${trademin.slice(2)}:00` }))
const full = bucketCloses['30m']

test('bars: a day without any, a symbol without any, a series with a gap, another period', async () => {
  const rows = [
    ...bars('20260701', '510300.SH', full),
    ...bars('20260703', '510300.SH', full),
    ...bars('20260703', '159915.SZ', full.slice(0, 5)),
  ]
  const archive = await archiveOf('etf_minute', rows, { period: '30m' })
  const etf = (params: object, days?: Days) => ask(archive, 'etf_minute', params, days)
  const symbols = '510300'
  expect(await etf({ symbols, tradedate: '20260701' })).toMatchObject({ complete: true, proof: 'grid' })
  expect(await etf({ symbols, tradedate: '20260704' })).toMatchObject({ complete: true, proof: 'calendar', rows: 0 })
  const days = { from: '20260701', to: '20260703' }
  const gap = { complete: false, note: 'no rows on the trading day 20260702', without: { days: ['20260702'] } }
  expect(await etf({ symbols }, days)).toMatchObject(gap)
  expect(await etf({ trademin: '1000' }, days)).toMatchObject(gap)
  expect(await etf({ symbols: '159915', tradedate: '20260703' })).toMatchObject({
    complete: false,
    note: '159915 has 5 of 9 bars on 20260703',
  })
  expect(await etf({ symbols: ['510300', '159919'], tradedate: '20260703' })).toMatchObject({
    complete: false,
    note: '159919 has 0 of 9 bars on 20260703',
  })
  expect(await etf({ symbols, tradedate: '20260703', period: '15m' })).toMatchObject({ complete: false })
  const half = await archiveOf('etf_minute', bars('20260703', '510300.SH', full.slice(0, 5)), { period: '30m' })
  expect(await ask(half, 'etf_minute')).toMatchObject({
    complete: false,
    note: 'the bars of 20260703 lack the bucket 1500',
  })
})

test('a day of the one hot list is no day of another; candidates of a forecast are not those of its day', async () => {
  const list = (tradedate: string) => ({ s: '000001', rank: 1, tradedate, type: 'ths&normal' })
  const hot = await archiveOf('hotstock', [list('20260701'), list('20260702')])
  const type = 'ths&normal'
  expect(await ask(hot, 'hotstock', { type })).toMatchObject({ complete: true, proof: 'state' })
  expect(await ask(hot, 'hotstock', { type, tradedate: '20260701' })).toMatchObject({ proof: 'calendar' })
  expect(await ask(hot, 'hotstock', { type, tradedate: '20260703' })).toMatchObject({ complete: false })
  expect(await ask(hot, 'hotstock', { type: 'xq&biaos' })).toMatchObject({ complete: false })
  const row = { symbol: '000001', rule: 'r', elapsed_days: 1, deviation_pct: 1, required_pct_chg: 1, trigger_price: 1 }
  const candidate = { ...row, status: 'reachable', computed_on: '20260701' }
  const rows = [
    { ...candidate, tradedate: '20260701', pct_chg: 1 },
    { ...candidate, tradedate: '20260702' },
  ]
  const archive = await archiveOf('anomaly_forecast', rows)
  expect(await ask(archive, 'anomaly_forecast')).toMatchObject({ complete: true, rows: 2 })
  expect(await ask(archive, 'anomaly_forecast', { tradedate: '20260702' })).toMatchObject({ complete: false, rows: 1 })
  const alone = await archiveOf('anomaly_forecast', rows.slice(0, 1))
  expect(await ask(alone, 'anomaly_forecast')).toMatchObject({
    complete: false,
    note: 'the archive has no forecast after 20260701',
  })
})

const notice = (day: string, title: string, more = {}) => ({
  symbol: '600519',
  event_date: day,
  title,
  announcement_type: 'other',
  ...more,
})

test('announcements: days of disclosure decide, up to the latest where a newer version may have come', async () => {
  const days = tradingDays('20260701', '20260710').filter((day) => day !== '20260708')
  const archive = await archiveOf(
    'finance_announcement',
    days.map((day) => notice(day, `of ${day}`)),
  )
  const to = '20260706'
  const ask1 = (params: object) => ask(archive, 'finance_announcement', params)
  const within = { ann_startdate: '20260701', ann_enddate: to }
  expect(await ask1({ ...within, version: 'all' })).toMatchObject({ complete: true, proof: 'calendar' })
  expect(await ask1({ ...within, as_of: to })).toMatchObject({ complete: true, proof: 'calendar' })
  const late = { complete: false, without: { days: ['20260708'] } }
  expect(await ask1(within)).toMatchObject(late)
  expect(await ask1({ startdate: '20260701', enddate: to, version: 'all' })).toMatchObject(late)
  const undated = await ask1({})
  expect(undated.complete).toBe(false)
  expect(undated.without?.days?.[0]).toBe('20260105')
})

test('what is kept of a service counts only where it is covered', async () => {
  const dir = join(tempDir(), 'cache')
  const dataset = datasetOf('convertible_daily')
  const writer = await ArchiveWriter.open(dir)
  const rows = decode(dataset, ['tradedate', 'symbol', 'code'], [['20260701', '110059', '110059.SH']])
  const covering = { scope: '', latest: '20260703', from: ['http://127.0.0.1:1'] }
  await writer.cover(dataset, rows, { ...covering, symbols: ['110059.SH'], days: [['20260701', '20260702']] }, [])
  await writer.commit()
  const archive = new Archive(dir, 'cache')
  const range = { startdate: '20260701', enddate: '20260702' }
  expect(await ask(archive, 'convertible_daily', { ...range, symbols: '110059.SH' })).toMatchObject({ complete: true })
  for (const symbols of [undefined, '123124.SZ', ['110059.SH', '123124.SZ']]) {
    const params = { tradedate: '20260701', ...(symbols ? { symbols } : {}) }
    expect(await ask(archive, 'convertible_daily', params)).toMatchObject({ complete: false })
  }
})

test('the sample is whole for its own days, dataset by dataset', async () => {
  const dir = join(tempDir(), 'sample')
  cpSync(join('data', 'sample'), dir, { recursive: true })
  const archive = new Archive(dir, 'sample')
  const range = { startdate: '20260506', enddate: '20260729' }
  const days = { from: '20260506', to: '20260729' }
  const asked: readonly (readonly [DatasetName, object, Days?])[] = [
    ['st', range],
    ['theme_daily', { type: 'tj', ...range }],
    ['convertible_daily', range],
    ['southbound_top10', range],
    ['transfer_financing', range],
    ['transfer_financing', { recentdays: 55 }],
    ['etf_minute', { symbols: ['510300.SH', '159915.SZ'], period: '15m' }, days],
    ['convertible_minute', { trademin: '1030' }, days],
    ['hotstock', { type: 'xq&biaos' }, days],
    ['anomaly_forecast', {}, days],
    ['finance_announcement', {}],
    ['interactive_qa', { version: 'all' }],
    ['news', {}],
    ['thememembers_jx', { level: 'child' }],
    ['theme_lib_detail_kp', { theme_id: '1001' }],
    ['theme_lib_detail_kp', { theme_id: '1008' }],
    ['file_download', { data_type: 'auction_tick', year: 2026 }],
  ]
  for (const [name, params, list] of asked) {
    const about = await ask(archive, name, params, list)
    expect(about, `${name} ${about.note}`).toMatchObject({ complete: true, proof: expect.any(String) })
  }
  expect(await ask(archive, 'theme_lib_detail_kp', { theme_id: 'none' })).toMatchObject({ complete: false })
  expect(await ask(archive, 'thememembers_jx', { theme_symbols: '809999' })).toMatchObject({ complete: false })
})
