import { expect, test } from 'vitest'
import { numbers } from '../../../../src/frame/read-columns.js'
import { financingCheck } from '../../../../src/research/checks/dataset/check-financing.js'
import { realRows } from '../../../promise/helper/real-rows.js'
import { type Row, tableFrom } from '../../analysis/help.js'

const columns = ['opening_balance', 'auction_amount', 'reborrow_amount', 'repayment_amount', 'closing_balance'] as const

/** Real rows, oldest first, in 100 million yuan as published. */
const real = realRows('slb_len_202406.csv', ['trade_date'])
  .map(
    (row): Row => ({
      tradedate: row.trade_date,
      opening_balance: row.ob,
      auction_amount: row.auc_amount,
      reborrow_amount: row.repo_amount,
      repayment_amount: row.repay_amount,
      closing_balance: row.cb,
    }),
  )
  .reverse()

const table = (rows: readonly Row[]) => tableFrom('transfer_financing', rows, ['tradedate', ...columns])
const day = (tradedate: string, ...cells: (number | null)[]): Row => ({
  tradedate,
  ...Object.fromEntries(columns.map((name, i) => [name, cells[i] ?? null])),
})

test('thirteen real days hold, in any order of rows', () => {
  const check = financingCheck.check(table(real))
  expect(check.counts).toEqual({ pass: 13, unverifiable: 0, gap: 0, warn: 0, duplicate: 0, mismatch: 0 })
  expect(numbers(check.table, 'before').filter((x) => !Number.isNaN(x)).length).toBe(12)
  expect(financingCheck.check(table([...real].reverse())).counts.pass).toBe(13)
})

test('in a year that the calendar does not know a weekday between may have been a holiday', () => {
  const rows = [day('20300102', 100, null, null, null, 100), day('20300107', 101, null, null, null, 101)]
  expect(financingCheck.check(table(rows)).counts.gap).toBe(1)
})
