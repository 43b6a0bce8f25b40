import { expect, test } from 'vitest'
import { bucketCloses } from '../../../../src/contract/session.js'
import { strings } from '../../../../src/frame/read-columns.js'
import { checkBars } from '../../../../src/research/checks/bars/check-bars.js'
import { resampleBars } from '../../../../src/research/checks/bars/resample-bars.js'
import { realRows } from '../../../promise/helper/real-rows.js'
import { answerFrom, type Row, tableFrom } from '../../analysis/help.js'

const sound = { open: 4.01, high: 4.05, low: 4, close: 4.02, vol: 100, amount: 40_200 }

function day(changes: Readonly<Record<string, Row>> = {}, period: '15m' | '30m' = '30m'): Row[] {
  return bucketCloses[period].map((trademin) => ({
    tradedate: '20260701',
    symbol: '510300.SH',
    trademin,
    ...sound,
    ...changes[trademin],
  }))
}

function found(rows: readonly Row[], options?: Parameters<typeof checkBars>[1]): (readonly [string, string | null])[] {
  const { table } = checkBars(tableFrom('etf_minute', rows), options)
  const [verdict, why] = [strings(table, 'verdict'), strings(table, 'why')]
  return verdict.flatMap((word, row) => (word === 'pass' ? [] : [[word ?? '', why[row] ?? null] as const]))
}

function real(): Row[] {
  return realRows('688001.SH.1m.csv', ['tradedate', 'symbol', 'trademin']).map(({ vol_shares, ...row }) => ({
    ...row,
    vol: vol_shares,
  }))
}

test('real minutes: their volumes are rounded to hundreds of shares, and one hundred explains every bar', () => {
  const table = tableFrom('etf_minute', real())
  expect(checkBars(table, { factor: 1 }).counts).toMatchObject({ pass: 2880, 'out-of-range': 0, incomplete: 0 })
  expect(checkBars(table, { factor: 1, lot: 0 }).counts['out-of-range']).toBeGreaterThan(1500)
  const coarse = resampleBars(table, '15m')
  expect(checkBars(coarse, { factor: 1 }).counts['out-of-range']).toBe(0)
})

const told = (rows: readonly Row[], params: Row) => {
  const { table, counts } = checkBars(answerFrom('etf_minute', rows, params))
  return {
    counts,
    found: strings(table, 'verdict').flatMap((word, row) =>
      word === 'pass' ? [] : [[row, word, strings(table, 'why')[row]]],
    ),
  }
}

test('a bar at a minute that is none of its period is one wrong bar, and its day is judged on', () => {
  for (const params of [{}, { period: '30m' }]) {
    const one = told(day({ '1030': { trademin: '1033' } }), params)
    expect(one.found).toEqual([[2, 'misplaced', '1033 is not the close of a bar of 30m; 1030 missing beside it']])
    // A bar of a quarter of an hour among eight of halves makes no bars of 15 minutes of them.
    const quarter = told(day({ '1030': { trademin: '1015' } }), params)
    expect(quarter.found).toEqual([[2, 'misplaced', '1015 is not the close of a bar of 30m; 1030 missing beside it']])
    const both = told(
      day({ '1030': { trademin: '1033' }, '1400': { vol: -1 } }).filter(({ trademin }) => trademin !== '1330'),
      params,
    )
    expect(both.found).toEqual([
      [2, 'misplaced', '1033 is not the close of a bar of 30m; 1030 missing beside it'],
      [5, 'negative', 'vol below 0: the cumulative value fell; 1330 missing before it'],
    ])
  }
  const fine = told(day({ '1030': { trademin: '1033' }, '1500': { trademin: '1501' } }, '15m'), {})
  expect(fine.found).toEqual([
    [4, 'misplaced', '1033 is not the close of a bar of 15m; 1030 missing beside it'],
    [16, 'misplaced', '1501 is not the close of a bar of 15m; 1500 missing after it'],
  ])
  const more = [...day(), { ...day()[2], trademin: '1033' } as Row]
  expect(told(more, {}).found).toEqual([[9, 'misplaced', '1033 is not the close of a bar of 30m']])
})

test('bars that all close between the buckets are wrong where they are said to be of a dataset, and let pass where nothing says so', () => {
  const shifted = day().map((row) => ({ ...row, trademin: `${row['trademin']}`.replace(/.$/, '1') }))
  expect(told(shifted, {}).counts.misplaced).toBe(9)
  expect(checkBars(tableFrom('etf_minute', shifted)).counts.misplaced).toBe(0)
  expect(checkBars(tableFrom('etf_minute', shifted), { dataset: 'etf_minute' }).counts.misplaced).toBe(9)
})

test('the time of a bar lies in its bucket, its close included; its day is one of trading', () => {
  const at = (time: string, tradedate = '20260701') =>
    found(
      day({ '1000': { time, tradedate } })
        .map((row) => ({ time: '', ...row }))
        .filter(({ time }) => time !== '') as Row[],
      { missing: 'no trade' },
    )
  for (const time of ['09:30:00', '09:45:10', '10:00:59.500']) expect(at(time)).toEqual([])
  for (const time of ['09:29:59', '10:01:00', '14:00:00'])
    expect(at(time)).toEqual([['misplaced', `time ${time} lies outside the bar of 1000`]])
  expect(at('09:45:00', '20260704')).toEqual([['misplaced', 'tradedate 20260704 is no trading day']])
  expect(at('09:45:00', '20190102')).toEqual([])
})

test('no bar has a quote of the break between the sessions', () => {
  const at = (time: string) =>
    found(day({ '1330': { time } }).filter((row) => row['trademin'] === '1330') as Row[], { missing: 'no trade' })
  for (const time of ['11:30:59', '13:00:00', '13:30:00']) expect(at(time)).toEqual([])
  for (const time of ['11:31:00', '12:30:00', '12:59:59'])
    expect(at(time)).toEqual([['misplaced', `time ${time} lies outside the bar of 1330`]])
})
