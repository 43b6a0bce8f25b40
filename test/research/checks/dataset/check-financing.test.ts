import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tradingDays } from '../../../../src/contract/calendar.js'
import { numbers } from '../../../../src/frame/read-columns.js'
import { financingCheck } from '../../../../src/research/checks/dataset/check-financing.js'
import { fixture, type Row, tableFrom } from '../../analysis/help.js'
import { changed } from './sample-tables.js'

const columns = ['opening_balance', 'auction_amount', 'reborrow_amount', 'repayment_amount', 'closing_balance'] as const

/** Real rows, oldest first, in 100 million yuan as published. */
const real = fixture('slb_len_202406.csv', ['trade_date'])
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

/** Days of sound balances, in yuan to the cent. */
const sound = fc
  .array(
    fc.tuple(
      ...[0, 1, 2].map(() =>
        fc.option(
          fc.integer({ min: 1, max: 10 ** 9 }).map((n) => 100 * n + 1),
          { freq: 3 },
        ),
      ),
    ),
    { minLength: 2, maxLength: 12 },
  )
  .map((flows) => {
    let balance = 10 ** 13
    return flows.map(([auction = null, reborrow = null, repayment = null], i) => {
      const opening = balance
      balance += (auction ?? 0) + (reborrow ?? 0) - (repayment ?? 0)
      const yuan = (cents: number | null) => (cents === null ? null : cents / 100)
      const date = tradingDays('20260105', '20260131')[i] ?? ''
      return day(date, ...[opening, auction, reborrow, repayment, balance].map(yuan))
    })
  })

test('property: sound days hold, and a changed number in any column is found', () => {
  fc.assert(
    fc.property(
      sound,
      fc.nat(),
      fc.constantFrom(...columns),
      fc.integer({ min: -9999, max: 9999 }),
      (rows, n, name, by) => {
        expect(financingCheck.check(table(rows)).counts.pass).toBe(rows.length)
        const at = n % rows.length
        const cell = (rows[at]?.[name] as number | null) ?? 0
        fc.pre(by !== 0)
        const check = financingCheck.check(
          changed('transfer_financing', rows, at, { [name]: (Math.round(cell * 100) + by) / 100 }),
        )
        expect(check.counts.pass).toBeLessThan(rows.length)
        if (Math.abs(by) > 2) expect(check.ok).toBe(false)
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 60) },
  )
})

test('in a year that the calendar does not know a weekday between may have been a holiday', () => {
  const rows = [day('20300102', 100, null, null, null, 100), day('20300107', 101, null, null, null, 101)]
  expect(financingCheck.check(table(rows)).counts.gap).toBe(1)
})
