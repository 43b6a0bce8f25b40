import { expect, test } from 'vitest'
import { newsCheck } from '../../../../src/research/checks/dataset/check-news.js'
import { themeDetailCheck } from '../../../../src/research/checks/dataset/check-theme-detail.js'
import { tickShareCheck } from '../../../../src/research/checks/dataset/check-tick-share.js'
import { type Row, tableFrom } from '../../analysis/help.js'
import { changed, sampleRows, verdictsOf, whysOf } from './sample-tables.js'

/** The verdict of a sample row with cells changed, and the reason. */
async function after(name: 'news' | 'theme_lib_detail_kp' | 'file_download', cells: Row) {
  const rows = sampleRows(name)
  const check = { news: newsCheck, theme_lib_detail_kp: themeDetailCheck, file_download: tickShareCheck }[name]
  const found = check.check(changed(name, rows, 0, cells))
  return [verdictsOf(found)[0], whysOf(found)[0]]
}

test('a changed cell of a news record is found', async () => {
  const cases: readonly (readonly [Row, string])[] = [
    [{ published_at: null }, 'pass'],
    [{ published_at: '2026-07-29 10:00' }, 'mismatch'],
    [{ display_at: '2026-07-29 10:00:00' }, 'mismatch'],
    [{ display_at: '2026-12-31T10:00:00' }, 'warn'],
    [{ time_label: null }, 'pass'],
    [{ time_label: '24:00' }, 'mismatch'],
    [{ source: 'other' }, 'warn'],
    [{ title: '' }, 'mismatch'],
    [{ url: null, image: null, summary: null }, 'pass'],
    [{ url: '/news/1' }, 'warn'],
    [{ image: 'javascript:alert(1)' }, 'warn'],
    [{ rank: null }, 'pass'],
    [{ rank: 0 }, 'mismatch'],
  ]
  for (const [cells, verdict] of cases) {
    expect([cells, (await after('news', cells))[0]]).toEqual([cells, verdict])
  }
  const [first] = sampleRows('news')
  expect(verdictsOf(newsCheck.check(tableFrom('news', [first as Row, first as Row])))).toEqual(['pass', 'duplicate'])
  expect(newsCheck.check(tableFrom('news', [], Object.keys(first as Row))).rows).toBe(0)
})

test('a changed cell of a theme is found', async () => {
  const theme = (cells: Row) => after('theme_lib_detail_kp', cells)
  expect(await theme({ is_active: false })).toEqual(['mismatch', 'only active themes are returned'])
  expect((await theme({ updated_at: '2026-07-30 00:30:08' }))[0]).toBe('mismatch')
  expect((await theme({ synced_at: '2026-07-29T16:30:07Z' }))[0]).toBe('pass')
  expect((await theme({ stock_list: [{ symbol: '600519' }] }))[0]).toBe('mismatch')
  const one = { symbol: '600519', name: 'x' }
  expect(await theme({ stock_list: [one, one] })).toEqual(['warn', '600519 stands in stock_list twice'])
  expect((await theme({ table: { Level1: 1 } }))[0]).toBe('mismatch')
  expect((await theme({ raw_payload: { code: 0 } }))[0]).toBe('mismatch')
  expect((await theme({ table: [], stocks: [], zt: {}, raw_payload: null }))[0]).toBe('pass')
})

test('a changed cell of a share is found', async () => {
  const share = async (cells: Row) => (await after('file_download', cells))[0]
  const days = { start_date: '20260701', end_date: '20260710' }
  expect(await share({ ...days, file_count: 8 })).toBe('pass')
  expect(await after('file_download', { ...days, file_count: 9 })).toEqual([
    'mismatch',
    '9 files, and no more than 8 trading days from 20260701 to 20260710',
  ])
  expect(await share({ ...days, start_date: '20260711' })).toBe('mismatch')
  expect(await share({ year: 2025 })).toBe('mismatch')
  expect(await share({ year: 2021 })).toBe('mismatch')
  expect(await share({ size_bytes: 0 })).toBe('mismatch')
  expect(await share({ file_count: 0 })).toBe('mismatch')
  expect(await share({ file_count: -1 })).toBe('mismatch')
  expect(await share({ data_type: 'tick' })).toBe('mismatch')
  expect(await share({ status: 'pending' })).toBe('unverifiable')
  expect(await share({ retry_after: -1 })).toBe('mismatch')
})
