import { expect, test } from 'vitest'
import { toObjects } from '../../../src/frame/read-columns.js'
import { checkAll } from '../../../src/research/checks/all-checks.js'
import { type Check, conclude, fails, leavesOpen, passes } from '../../../src/research/checks/check.js'
import { LabelBuilder, textColumn } from '../../../src/research/checks/check-columns.js'
import { checkSummary, gradesOf } from '../../../src/research/checks/check-summary.js'
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

test('a verdict without a meaning counts as open', () => {
  const verdict = new LabelBuilder(3)
  for (const [row, word] of ['right', 'odd', 'off'].entries()) verdict.set(row, word)
  const size = new Float64Array(3)
  const key = { code: textColumn('code', 'Code.', ['a', 'b', 'c']) }
  const result = conclude('x', { right: 0, odd: 1, off: 2 }, verdict, new LabelBuilder(3), size, key)
  const verdicts = { right: passes('Right.'), off: fails('Off, by much.') }
  const check: Check = {
    name: 'x',
    summary: 'x',
    chinese: '核',
    dataset: 'st',
    rule: '',
    verdicts,
    confirmedAs: '',
    runs: () => [],
  }
  expect(gradesOf(check, result)).toEqual({ confirmed: 1, open: 1, contradicted: 1 })
  const [row] = toObjects(checkSummary([{ check, runs: [{ label: 'st, x', result }] }])).filter(
    ({ rows }) => rows === 3,
  )
  expect(row?.worst).toBe('x (st, x): 1 of 3 rows contradicted, first c, off: Off, by much.')
  const known = { ...check, verdicts: { ...verdicts, odd: leavesOpen('Odd.') } }
  expect(gradesOf(known, result)).toEqual({ confirmed: 1, open: 1, contradicted: 1 })
})
