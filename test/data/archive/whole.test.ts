import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tradingDays } from '../../../src/contract/calendar.js'
import { type DatasetName, datasetOf } from '../../../src/contract/catalogue.js'
import type { PlainDays } from '../../../src/contract/day-list.js'
import { Archive } from '../../../src/data/archive/archive.js'
import { importFiles } from '../../../src/data/archive/import/import-files.js'
import { ArchiveWriter } from '../../../src/data/archive/writer.js'
import { decode } from '../../../src/frame/table/decode.js'
import { type Provenance, provenance } from '../../../src/frame/table/provenance.js'
import { tempDir, tempFile } from '../../helper/temp.js'

/** What an archive says of its own answers: whole only where every trading day that was asked for has rows. */

type Rows = readonly Readonly<Record<string, unknown>>[]

async function archiveOf(name: DatasetName, rows: Rows, set?: Record<string, string>): Promise<Archive> {
  const dir = join(tempDir(), 'archive')
  await importFiles(dir, datasetOf(name), [tempFile('rows.json', JSON.stringify(rows))], set ? { set } : {})
  return new Archive(dir, 'test')
}

async function ask(archive: Archive, name: DatasetName, params: object = {}, days?: PlainDays): Promise<Provenance> {
  const table = await archive.query(datasetOf(name), params, { whole: true, ...(days ? { days } : {}) })
  return provenance(table) as Provenance
}

const bond = (tradedate: string, symbol = '110059') => ({ tradedate, symbol, code: `${symbol}.SH` })

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
