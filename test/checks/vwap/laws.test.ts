import { beforeAll, expect, test } from 'vitest'
import { barsLaws, dayLaw, periodsLaw } from '../../../src/checks/bars/laws.js'
import type { LawTables } from '../../../src/checks/law.js'
import { vwapLaws } from '../../../src/checks/vwap/laws.js'
import { connect } from '../../../src/connect.js'
import { toTable } from '../../../src/table/arrow.js'
import { columnsOf } from '../../../src/table/unwrap.js'
import { takeRows } from '../../../src/table/values.js'

const laws = [...vwapLaws, ...barsLaws, periodsLaw, dayLaw]
const date = '20260701'
let tables: LawTables

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

test('every law runs over the sample, names its runs, and finds nothing wrong', () => {
  const runs = laws.flatMap(({ name, runs }) => runs(tables).map(({ of, check }) => [name, of, check.rows, check.ok]))
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
  for (const law of laws)
    for (const { check } of law.runs(tables))
      expect(Object.keys(law.meanings).sort()).toEqual(Object.keys(check.counts).sort())
})

test('without its datasets a law does not run', () => {
  const empty = (tables.etf_minute ?? []).map((table) => toTable(takeRows(columnsOf(table), []), {}))
  for (const law of laws) {
    expect(law.runs({})).toEqual([])
    expect(law.runs({ etf_minute: empty })).toEqual([])
  }
})
