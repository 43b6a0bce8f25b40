import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indexNames } from '../../src/contract/catalogue/theme-daily.js'
import { datasetNames, datasetOf } from '../../src/contract/catalogue.js'
import { beijingMoment, dateOf, dayNumber, isDate } from '../../src/contract/date.js'
import { asReply, contentOf } from '../../src/contract/envelope.js'
import { codeMatcher, exchangeOf } from '../../src/contract/symbol.js'

test('48 index names, all different', () => {
  expect(new Set(indexNames).size).toBe(48)
  expect(indexNames).toContain('北证总值')
  expect(indexNames).not.toContain('北证流通')
})

test.each(datasetNames)('%s: key, order and day name columns, of replies or stored ones', (name) => {
  const { key, order, day, columns, stored = {} } = datasetOf(name)
  const named = [...key, ...order.map((one) => one.replace(/^-/, '')), ...(day === undefined ? [] : [day])]
  expect(named.filter((one) => !(one in columns) && !(one in stored))).toEqual([])
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
