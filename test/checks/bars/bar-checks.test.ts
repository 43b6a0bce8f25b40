import { beforeAll, expect, test } from 'vitest'
import { barsChecks, dayCheck, periodsCheck } from '../../../src/checks/bars/bar-checks.js'
import type { CheckTables } from '../../../src/checks/check.js'
import { vwapChecks } from '../../../src/checks/vwap/check-vwap.js'
import { connect } from '../../../src/connect.js'
import { toTable } from '../../../src/table/arrow.js'
import { gatherRows } from '../../../src/table/gather-cells.js'
import { columnsOf } from '../../../src/table/unwrap.js'

const checks = [...vwapChecks, ...barsChecks, periodsCheck, dayCheck]
const date = '20260701'
let tables: CheckTables

beforeAll(async () => {
  const market = await connect()
  tables = {
    etf_minute: [
      await market.query('etf_minute', { symbols: ['510300.SH', '159915.SZ'], tradedate: date, period: '15m' }),
      await market.query('etf_minute', { symbols: ['510300.SH', '159915.SZ'], tradedate: date, period: '30m' }),
    ],
    convertible_minute: [await market.query('convertible_minute', { symbols: ['110059.SH'], tradedate: date })],
    convertible_daily: [await market.query('convertible_daily', { tradedate: date })],
  }
})

test('every check runs over the sample, names its runs, and finds nothing wrong', () => {
  const runs = checks.flatMap(({ name, runs }) =>
    runs(tables).map(({ label, result }) => [name, label, result.rows, result.ok]),
  )
  expect(runs).toEqual([
    ['vwap', 'etf_minute, 15m', 34, true],
    ['vwap', 'etf_minute, 30m', 18, true],
    ['vwap', 'convertible_minute, 30m', 9, true],
    ['bars', 'etf_minute, 15m', 34, true],
    ['bars', 'etf_minute, 30m', 18, true],
    ['bars', 'convertible_minute, 30m', 9, true],
    ['periods', 'etf_minute, 15m and 30m', 18, true],
    ['day', 'convertible_daily, convertible_minute', 1, true],
  ])
})

test('every verdict has a meaning, and those that are wrong are those that are not ok', () => {
  for (const check of checks)
    for (const { result } of check.runs(tables))
      expect(Object.keys(check.verdicts).sort()).toEqual(Object.keys(result.counts).sort())
})

test('without its datasets a check does not run', () => {
  const empty = (tables.etf_minute ?? []).map((table) => toTable(gatherRows(columnsOf(table), []), {}))
  for (const check of checks) {
    expect(check.runs({})).toEqual([])
    expect(check.runs({ etf_minute: empty })).toEqual([])
  }
})
