import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkFinancing } from '../../../src/checks/dataset/check-financing.js'
import { tradingDays } from '../../../src/contract/calendar.js'
import { numbers } from '../../../src/frame/read-columns.js'
import { fromRows } from '../../../src/table/from-rows.js'
import { fixture, python, type Row, tableFrom } from '../../analysis/help.js'
import { changed, sampleRows, verdictsOf, whysOf } from './sample-tables.js'

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
  const check = checkFinancing(table(real))
  expect(check.counts).toEqual({ pass: 13, unverifiable: 0, gap: 0, warn: 0, duplicate: 0, mismatch: 0 })
  expect(numbers(check.table, 'before').filter((x) => !Number.isNaN(x)).length).toBe(12)
  expect(checkFinancing(table([...real].reverse())).counts.pass).toBe(13)
})

test('the sums are those of Python decimal, a null flow adding nothing', () => {
  const script = `
import sys, json
from decimal import Decimal as D
d = lambda x: D(0) if x is None else D(repr(x))
json.dump([float(D(repr(r[0])) + d(r[1]) + d(r[2]) - d(r[3])) for r in json.load(sys.stdin)], sys.stdout)`
  const cents = fc.integer({ min: 0, max: 10 ** 14 }).map((n) => n / 100)
  const flow = fc.option(cents, { freq: 3 })
  const cases = fc.sample(fc.tuple(cents, flow, flow, flow), { numRuns: 500, seed: 5 })
  const days = tradingDays('20240101', '20261231')
  const rows = cases.map((cells, i) => day(days[i] ?? '', ...cells, 1))
  expect([...numbers(checkFinancing(table(rows)).table, 'sum')]).toEqual(python(script, cases))
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
        expect(checkFinancing(table(rows)).counts.pass).toBe(rows.length)
        const at = n % rows.length
        const cell = (rows[at]?.[name] as number | null) ?? 0
        fc.pre(by !== 0)
        const check = checkFinancing(
          changed('transfer_financing', rows, at, { [name]: (Math.round(cell * 100) + by) / 100 }),
        )
        expect(check.counts.pass).toBeLessThan(rows.length)
        if (Math.abs(by) > 2) expect(check.ok).toBe(false)
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 60) },
  )
})

test('a digit changed anywhere in the real days is found', () => {
  for (const at of real.keys()) {
    for (const name of columns) {
      for (const by of [0.1, -0.1, 1, -100]) {
        const cell = (real[at]?.[name] as number | null) ?? 0
        const off = { [name]: Math.round((cell + by) * 100) / 100 }
        expect(checkFinancing(changed('transfer_financing', real, at, off)).counts.pass).toBeLessThan(13)
      }
    }
  }
})

test('null is no flow, and no balance', () => {
  const check = checkFinancing(
    table([
      day('20260706', 100, null, null, null, 100),
      day('20260707', 100, null, 5, null, null),
      day('20260708', null, null, null, null, 105),
      day('20260709', 105, 0, 0, 0, 105),
      day('20260710', null, null, null, null, null),
    ]),
  )
  expect(verdictsOf(check)).toEqual(['pass', 'unverifiable', 'unverifiable', 'pass', 'unverifiable'])
  expect(whysOf(check)[2]).toBe('opening_balance null; closing_balance of 20260707, the record before, is null')
  expect(check.ok).toBe(true)
})

test('days without a record, doubled days, negative amounts, rounding', () => {
  const check = checkFinancing(
    table([
      day('20260706', 100.5, null, null, null, 100.5),
      day('20260708', 100.5, null, null, null, 100.5),
      day('20260710', 120.25, null, null, null, 120.25),
      day('20260710', 120.25, null, null, null, 120.25),
      day('20260713', 120.25, null, -1, null, 119.25),
      day('20260714', 119.25, null, 10, null, 129.26),
      day('20260715', 130, null, 10, null, 140),
    ]),
  )
  expect(verdictsOf(check)).toEqual(['pass', 'pass', 'gap', 'duplicate', 'mismatch', 'warn', 'mismatch'])
  expect(whysOf(check)[2]).toContain('1 trading day between without a record')
  expect(whysOf(check)[6]).toBe('opening_balance is not the closing_balance of 20260714, the record before')
})

test('an infinite amount, or a date of another form, is one wrong row and no crash', () => {
  for (const at of columns.keys()) {
    for (const infinite of [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      const cells = [100, 1, 1, 1, 101].map((amount, i) => (i === at ? infinite : amount))
      expect(verdictsOf(checkFinancing(fromRows([day('20260706', ...cells)])))).toEqual(['mismatch'])
    }
  }
  const rows = [day('20260706', 1, null, null, null, 1), day('20260707', 1, null, null, null, 1)]
  const check = checkFinancing(fromRows([...rows, day('2026-07-08', 1, null, null, null, 1)]))
  expect(verdictsOf(check)).toEqual(['pass', 'pass', 'mismatch'])
  expect(whysOf(check)[2]).toBe(
    'tradedate must be a date YYYYMMDD, not "2026-07-08": 20260708 was probably meant; keep the column as text',
  )
})

test('in a year that the calendar does not know a weekday between may have been a holiday', () => {
  const rows = [day('20300102', 100, null, null, null, 100), day('20300107', 101, null, null, null, 101)]
  expect(checkFinancing(table(rows)).counts.gap).toBe(1)
})

test('the sample holds; an empty table has nothing to check', async () => {
  const rows = await sampleRows('transfer_financing')
  expect(checkFinancing(tableFrom('transfer_financing', rows)).counts.pass).toBe(rows.length)
  const empty = checkFinancing(table([]))
  expect([empty.rows, empty.ok, empty.table.numRows]).toEqual([0, true, 0])
})
