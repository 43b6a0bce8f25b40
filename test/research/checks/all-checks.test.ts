import { expect, test } from 'vitest'
import { datasetNames } from '../../../src/contract/catalogue.js'
import { toObjects } from '../../../src/frame/read-columns.js'
import { checkAll } from '../../../src/research/checks/all-checks.js'
import { checkSummary } from '../../../src/research/checks/check-summary.js'
import { type Row, tableFrom } from '../analysis/help.js'

const line = (table: ReturnType<typeof checkSummary>, dataset: string): Row =>
  toObjects(table).find((row) => row.dataset === dataset) as Row

test('a premium that is off is told before a sound day, and tables of one dataset are runs of their own', () => {
  const bond: Row = {
    tradedate: '20260706',
    symbol: '123124',
    name: null,
    code: '123124.SZ',
    pre_close: 100,
    open: 110,
    high: 110,
    low: 110,
    close: 110,
    change: 10,
    pct_chg: 10,
    vol: 1,
    amount: 1100,
    bond_value: 100,
    bond_over_rate: 10,
    cb_value: 100,
    cb_over_rate: 11,
  }
  const sheet = [
    tableFrom('convertible_daily', [bond]),
    tableFrom('convertible_daily', [{ ...bond, cb_over_rate: 10 }]),
  ]
  const health = checkSummary(checkAll({ convertible_daily: sheet }))
  expect(line(health, 'convertible_daily')).toMatchObject({ rows: 2, confirmed: 5, contradicted: 1 })
  expect(line(health, 'convertible_daily').worst).toContain(
    'cb premium: 1 of 1 rows contradicted, first 20260706 123124.SZ',
  )
})

test('health: one line a dataset, and nothing checked where there is nothing', () => {
  const day = { opening_balance: 100.25, auction_amount: 1.25, reborrow_amount: 1.5, repayment_amount: 2.75 }
  const balances = [
    { ...day, tradedate: '20260706', closing_balance: 100.25 },
    { ...day, tradedate: '20260707', closing_balance: 101.25 },
  ]
  const health = checkSummary(checkAll({ transfer_financing: [tableFrom('transfer_financing', balances)] }))
  expect(toObjects(health).map(({ dataset }) => dataset)).toEqual([...datasetNames])
  expect(line(health, 'transfer_financing')).toEqual({
    dataset: 'transfer_financing',
    state: 'contradicted',
    rows: 2,
    checks: 'financing',
    confirmed: 1,
    open: 0,
    contradicted: 1,
    worst:
      'financing: 1 of 2 rows contradicted, first 20260707, mismatch: closing_balance is not opening + auction + reborrow - repayment.',
  })
  expect(line(health, 'st')).toMatchObject({ state: 'not checked', rows: 0, checks: null, worst: null })
})
