import fc from 'fast-check'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { bucketCloses } from '../../../../src/contract/session.js'
import { numbers, strings } from '../../../../src/frame/read-columns.js'
import { toTable } from '../../../../src/frame/table/arrow.js'
import { gatherRows } from '../../../../src/frame/table/gather-cells.js'
import { columnsOf } from '../../../../src/frame/table/unwrap.js'
import { checkVwap } from '../../../../src/research/checks/vwap/check-vwap.js'
import { realRows } from '../../../promise/helper/real-rows.js'
import { type Row, tableFrom } from '../../analysis/help.js'

/** Bars of a day from [vol, amount, vwap] triples, at the closes of a period. */
function day(
  cells: readonly (readonly [number | null, number | null, (number | null)?])[],
  about: { symbol?: string; tradedate?: string; period?: '15m' | '30m'; skip?: number } = {},
): Row[] {
  const { symbol = '510300.SH', tradedate = '20260701', period = '30m', skip = 0 } = about
  return cells.map(([vol, amount, vwap = null], i) => ({
    tradedate,
    symbol,
    trademin: bucketCloses[period][i + skip],
    vol,
    amount,
    vwap,
  }))
}

function shares() {
  const rows = realRows('688001.SH.1m.csv', ['tradedate', 'symbol', 'trademin'])
  return rows.map(
    ({ vol_shares, ...row }): Record<string, string | number | null> => ({ ...row, vol: vol_shares ?? null }),
  )
}

test('the order of the rows does not matter', () => {
  const rows = shares().slice(0, 700)
  const value = numbers(checkVwap(tableFrom('etf_minute', rows), { factor: 1 }).table, 'recomputed')
  const table = tableFrom('etf_minute', rows)
  fc.assert(
    fc.property(fc.shuffledSubarray([...rows.keys()], { minLength: rows.length }), (order) => {
      const shuffled = toTable(gatherRows(columnsOf(table), order), datasetOf('etf_minute').columns)
      const found = numbers(checkVwap(shuffled, { factor: 1 }).table, 'recomputed')
      expect([...found]).toEqual(order.map((row) => value[row]))
    }),
    { numRuns: 5 },
  )
})

test('periods stand apart, and without a period column a bar that stands twice leaves the sums unknown', () => {
  const both = [
    ...day([[10, 1500, 1.5]], { period: '15m' }).map((row) => ({ ...row, period: '15m' })),
    ...day([[20, 3200, 1.6]]).map((row) => ({ ...row, period: '30m' })),
  ]
  expect(checkVwap(tableFrom('etf_minute', both)).counts.equal).toBe(2)
  const mixed = both.map(({ period: _, ...row }) => row)
  const check = checkVwap(tableFrom('etf_minute', mixed))
  expect(check.counts.unverifiable).toBe(2)
  expect(strings(check.table, 'why')[0]).toBe(
    'the bar of 0930 is a duplicate; bars of two periods need a column `period`',
  )
})

test('a doubled bar leaves its own series unknown from there on, and no other', () => {
  const rows = [
    ...day([
      [10, 1500, 1.5],
      [10, 1500, 1.5],
      [10, 1500, 1.5],
    ]),
    ...day([[10, 1500, 1.5]], { symbol: '510500.SH' }),
  ]
  const twice = [...rows.slice(0, 2), rows[1] as Row, ...rows.slice(2)].map((row) => ({ ...row, period: '30m' }))
  const check = checkVwap(tableFrom('etf_minute', twice))
  expect(strings(check.table, 'verdict')).toEqual(['equal', 'unverifiable', 'unverifiable', 'unverifiable', 'equal'])
  expect(strings(check.table, 'why').slice(1, 4)).toEqual(new Array(3).fill('the bar of 1000 is a duplicate'))
  expect([...numbers(check.table, 'recomputed')]).toEqual([1.5, Number.NaN, Number.NaN, Number.NaN, 1.5])
  const broken = twice.with(0, { ...twice[0], vol: null } as never)
  expect(strings(checkVwap(tableFrom('etf_minute', broken)).table, 'why')[3]).toBe('vol of 0930 is null')
  const { vwap: _, ...bare } = { vwap: null, ...twice[0] }
  const alone = checkVwap(tableFrom('etf_minute', [bare, bare]))
  expect(alone.counts).toMatchObject({ unverifiable: 2, computed: 0 })
})
