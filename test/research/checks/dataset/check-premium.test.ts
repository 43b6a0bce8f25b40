import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numbers, strings } from '../../../../src/frame/read-columns.js'
import { checkPremium } from '../../../../src/research/checks/dataset/check-premium.js'
import { type Row, tableFrom } from '../../analysis/help.js'

const row = (code: string, close: number | null, value: number | null, rate: number | null, more: Row = {}): Row => ({
  tradedate: '20260701',
  code,
  name: `${code}转债`,
  close,
  cb_value: value,
  cb_over_rate: rate,
  bond_value: 100,
  bond_over_rate: null,
  ...more,
})

const price = fc.integer({ min: 50_000, max: 500_000 }).map((n) => n / 1000)

test('a rate computed before its value was rounded is within rounding', () => {
  fc.assert(
    fc.property(price, fc.double({ min: 20, max: 400, noNaN: true }), (close, exact) => {
      const rate = Number(((close / exact - 1) * 100).toFixed(2))
      const { counts } = checkPremium(
        tableFrom('convertible_daily', [row('123124.SZ', close, Number(exact.toFixed(2)), rate)]),
      )
      expect(counts.equal + counts['within-rounding']).toBe(1)
    }),
  )
})

test('verdicts', () => {
  const check = checkPremium(
    tableFrom('convertible_daily', [
      row('110001.SH', 115, 100, 15),
      row('110002.SH', 115.5, 99.99, 15.52),
      row('110003.SH', 115, 100, 15.03),
      row('110004.SH', 115, 100, null),
      row('110005.SH', null, 100, null),
      row('110006.SH', 115, null, 3),
      row('110007.SH', 115, 0, 3),
    ]),
  )
  expect(strings(check.table, 'verdict')).toEqual([
    'equal',
    'within-rounding',
    'mismatch',
    'null-rule',
    'unverifiable',
    'unverifiable',
    'unverifiable',
  ])
  expect(numbers(check.table, 'difference')[2]).toBe(0.03)
  expect(check.ok).toBe(false)
  const bond = checkPremium(
    tableFrom('convertible_daily', [row('110001.SH', 115, 1, 1, { bond_over_rate: 15 })]),
    'bond',
  )
  expect(bond.counts.equal).toBe(1)
})

test('one number with the noise of doubles does not make the others precise', () => {
  const rows = [
    row('110001.SH', 115.5, 99.99, 15.51),
    row('110002.SH', 120, 100, 20),
    row('110003.SH', 85.4, 77.7, 9.91),
    row('110004.SH', 115, 85.42070000000004, 34.63),
    row('110005.SH', 130, 100, 30.000000000000004),
  ]
  const { table } = checkPremium(tableFrom('convertible_daily', rows))
  expect(strings(table, 'verdict')).toEqual(['equal', 'equal', 'equal', 'equal', 'within-rounding'])
  expect([...numbers(table, 'recomputed')]).toEqual([15.51, 20, 9.91, 34.63, 30])
})

test('a number with more decimals than the others is judged at its own', () => {
  const usual = [row('110001.SH', 115, 100, 15), row('110002.SH', 120, 100, 20), row('110003.SH', 90, 80, 12.5)]
  const verdict = (rate: number): unknown =>
    strings(
      checkPremium(tableFrom('convertible_daily', [...usual, row('110004.SH', 115, 100.1234, rate)])).table,
      'verdict',
    )[3]
  expect([verdict(14.8583), verdict(14.8612), verdict(14.86)]).toEqual(['equal', 'mismatch', 'equal'])
})
