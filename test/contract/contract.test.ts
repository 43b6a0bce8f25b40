import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { calendarYears, isTradingDay, tradingDays } from '../../src/contract/calendar.js'
import { indexNames } from '../../src/contract/catalogue/theme-daily.js'
import { datasetNames, datasetOf, datasets } from '../../src/contract/catalogue.js'
import { beijingMoment, dateOf, dayNumber, isDate } from '../../src/contract/date.js'
import { asReply, contentOf } from '../../src/contract/envelope.js'
import { knownAt } from '../../src/contract/known-at.js'
import { bucketCloses } from '../../src/contract/session.js'
import { codeMatcher, exchangeOf } from '../../src/contract/symbol.js'
import { version } from '../../src/contract/version.js'

test('fifteen operations, each with keys, order and example that its declaration knows', () => {
  expect(datasetNames).toHaveLength(15)
  for (const name of datasetNames) {
    const dataset = datasetOf(name)
    const columns = { ...dataset.columns, ...dataset.stored }
    for (const key of [...dataset.key, ...dataset.order.map((text) => text.replace('-', ''))])
      expect(columns, name).toHaveProperty(key)
    for (const param of Object.keys(dataset.example)) expect(dataset.params, name).toHaveProperty(param)
    for (const { columns: looked } of Object.values(dataset.params))
      for (const column of looked ?? []) expect(columns, name).toHaveProperty(column)
    for (const { meaning } of Object.values(columns)) expect(meaning).toMatch(/\.$/)
  }
})

test('48 index names, all different', () => {
  expect(new Set(indexNames).size).toBe(48)
  expect(indexNames).toContain('北证总值')
  expect(indexNames).not.toContain('北证流通')
})

test('the version is that of the package', () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8')).version).toBe(version)
})

test('bucket closes: 9 of 30 minutes, 17 of 15 minutes, no 1300', () => {
  expect(bucketCloses['30m']).toEqual(['0930', '1000', '1030', '1100', '1130', '1330', '1400', '1430', '1500'])
  expect(bucketCloses['15m']).toHaveLength(17)
  expect(bucketCloses['15m']).not.toContain('1300')
})

test('the calendar has the published number of trading days a year', () => {
  const counts = [2022, 2023, 2024, 2025].map((year) => tradingDays(`${year}0101`, `${year}1231`).length)
  expect(counts).toEqual([242, 242, 242, 243])
  expect(tradingDays('20260615', '20260626')).toEqual(
    '15 16 17 18 22 23 24 25 26'.split(' ').map((day) => `202606${day}`),
  )
  for (const bad of ['2026-07-04', '20260230', '2026', '']) {
    expect(() => isTradingDay(bad)).toThrow('must be YYYYMMDD')
    expect(() => tradingDays(bad, '20260710')).toThrow('must be YYYYMMDD')
  }
  expect(() => isTradingDay(`${calendarYears[1] + 1}0105`)).toThrow('the trading calendar knows')
})

test('dates are real dates; day numbers go both ways', () => {
  for (const bad of ['20260229', '20261301', '20260431', '2026010', '00000101', 'abcdefgh'])
    expect(isDate(bad), bad).toBe(false)
  fc.assert(
    fc.property(
      fc.integer({ min: -100_000, max: 100_000 }),
      (day) => dayNumber(dateOf(day)) === day && isDate(dateOf(day)),
    ),
  )
})

test('moments become Beijing time', () => {
  expect(beijingMoment('2026-07-01T02:00:00Z')).toBe('2026-07-01T10:00:00')
  expect(beijingMoment('2026-06-30T20:30:00-05:30')).toBe('2026-07-01T10:00:00')
  expect(beijingMoment('2026-07-01 10:00')).toBe('2026-07-01T10:00:00')
  expect(beijingMoment('20260701')).toBe('2026-07-01T23:59:59')
  expect(beijingMoment('2026-07-01T10:00:00+08')).toBe('2026-07-01T10:00:00')
  for (const bad of [
    '2026-0701',
    '202607-01',
    '2026-07-01T10:00:00+99:99',
    '2026-07-01T24:00:00',
    '2026-07-01T10',
    '1782900000000',
  ]) {
    expect(beijingMoment(bad), bad).toBeUndefined()
  }
})

test('both spellings of a code; a suffix is not ignored', () => {
  const asked = codeMatcher(['000001', '600519.SH', '00700.HK'])
  expect(['000001', '000001.SZ', '600519', '600519.SH', '00700', '00700.HK'].map(asked)).toEqual([
    true,
    true,
    true,
    true,
    true,
    true,
  ])
  expect(['600519.SZ', '0001', '000002'].map(asked)).toEqual([false, false, false])
  expect(codeMatcher(['000001.SH'])('000001')).toBe(false)
  expect(
    ['600519', '000001', '300750', '688001', '920001', '430047', '00700', '110059', '123124', '510300', '159915'].map(
      exchangeOf,
    ),
  ).toEqual(['SH', 'SZ', 'SZ', 'SH', 'BJ', 'BJ', 'HK', 'SH', 'SZ', 'SH', 'SZ'])
})

test('when a row can first be known', () => {
  const at = (name: string, row: Record<string, unknown>) => knownAt(datasetOf(name), row)
  expect(at('etf_minute', { tradedate: '20260701', trademin: '1000' })).toBe('2026-07-01T10:00:00')
  expect(at('convertible_daily', { tradedate: '20260701' })).toBe('2026-07-01T15:00:00')
  expect(at('interactive_qa', { event_date: '20260701' })).toBe('2026-07-01T22:00:00')
  expect(at('finance_announcement', { disclosed_at: '2026-07-01T18:30:00' })).toBe('2026-07-01T18:30:00')
  expect(at('theme_lib_detail_kp', {})).toBeUndefined()
  expect(() => at('convertible_daily', {})).toThrow('knownAt needs tradedate')
  expect(datasets.every(({ knownAt: rule }) => rule.note.length > 5)).toBe(true)
})

test('the envelope: rows, no data, errors, two levels, and what is malformed', () => {
  const rows = { code: 200, message: 'success', data: { fields: ['a'], items: [[1]], total: 1 } }
  expect(contentOf(asReply(rows), 'rows')).toEqual({ fields: ['a'], items: [[1]], beside: { total: 1 } })
  expect(contentOf(asReply({ code: 1002, message: '无数据', data: null }), 'rows')).toBeUndefined()
  expect(() => contentOf(asReply({ code: 403, message: 'no permission', data: null }), 'rows')).toThrow(
    '403 no permission',
  )
  expect(() => contentOf(asReply({ code: 200, message: 'success', data: null }), 'rows')).toThrow('no data')
  expect(() =>
    contentOf(asReply({ code: 200, message: '', data: { fields: ['a'], items: [[1, 2]] } }), 'rows'),
  ).toThrow('row 1 has 2')
  const share = { code: 200, message: 'success', data: { code: 0, message: '', data: { year: 2026 } } }
  expect(contentOf(asReply(share), 'object')).toEqual({ fields: ['year'], items: [[2026]], beside: {} })
  for (const bad of [null, [], 'x', { code: '200' }, { code: 200 }, { code: 200, message: 'm', data: 5 }]) {
    expect(() => asReply(bad)).toThrow()
  }
})
