import fc from 'fast-check'
import { expect, test } from 'vitest'
import { resampleBars } from '../../../src/checks/bars/resample-bars.js'
import { roundHalfUp } from '../../../src/checks/exact/decimal.js'
import { checkVwap, vwapChecks } from '../../../src/checks/vwap/check-vwap.js'

import { datasetOf } from '../../../src/contract/catalogue.js'
import { bucketCloses } from '../../../src/contract/session.js'
import { namesOf, numbers, texts } from '../../../src/frame/read-columns.js'
import { toTable } from '../../../src/table/arrow.js'
import { gatherRows } from '../../../src/table/gather-cells.js'
import { columnsOf } from '../../../src/table/unwrap.js'
import { answerFrom, fixture, python, pythonVwap, type Row, tableFrom } from '../../analysis/help.js'

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
  const rows = fixture('688001.SH.1m.csv', ['tradedate', 'symbol', 'trademin'])
  return rows.map(
    ({ vol_shares, ...row }): Record<string, string | number | null> => ({ ...row, vol: vol_shares ?? null }),
  )
}

function byPython(table: ReturnType<typeof tableFrom>, factor: number): number[] {
  const [date, amount, vol] = [texts(table, 'tradedate'), numbers(table, 'amount'), numbers(table, 'vol')]
  const days = [...new Set(date)]
  const series = days.map((one) => {
    const rows = date.flatMap((d, row) => (d === one ? [row] : []))
    return { amount: rows.map((row) => amount[row]), vol: rows.map((row) => vol[row]), factor }
  })
  return (python(pythonVwap, series) as (number | null)[][]).flat().map((x) => x ?? Number.NaN)
}

test('real one-minute bars: recomputed is Python decimal on every bar', () => {
  const table = tableFrom('etf_minute', shares())
  const check = checkVwap(table, { factor: 1 })
  expect(check.counts).toEqual({
    equal: 0,
    computed: 2880,
    'lot-bound': 0,
    mismatch: 0,
    unverifiable: 0,
    'null-rule': 0,
  })
  expect(check.ok).toBe(true)
  expect([...numbers(check.table, 'recomputed')]).toEqual(byPython(table, 1))
})

test('real bars of 15 and 30 minutes: recomputed is Python decimal, and the day ends on the same value', () => {
  const table = tableFrom('etf_minute', shares())
  const minute = numbers(checkVwap(table, { factor: 1 }).table, 'recomputed')
  for (const [period, bars] of [
    ['15m', 16],
    ['30m', 8],
  ] as const) {
    const coarse = resampleBars(table, period)
    expect(coarse.numRows).toBe(12 * bars)
    const check = checkVwap(coarse, { factor: 1 })
    const found = numbers(check.table, 'recomputed')
    expect(check.counts.computed).toBe(12 * bars)
    expect([...found]).toEqual(byPython(coarse, 1))
    for (let d = 0; d < 12; d++) expect(found[d * bars + bars - 1]).toBe(minute[d * 240 + 239])
  }
})

test('a published value is equal, and one tick off is a mismatch of one tick', () => {
  const rows = shares()
  const value = numbers(checkVwap(tableFrom('etf_minute', rows), { factor: 1 }).table, 'recomputed')
  const published = rows.map((row, i) => ({ ...row, vwap: value[i] ?? null }))
  expect(checkVwap(tableFrom('etf_minute', published), { factor: 1 }).counts.equal).toBe(2880)
  for (const row of [0, 777, 2879]) {
    const wrong = published.with(row, {
      ...published[row],
      vwap: Number(((value[row] ?? 0) + 0.001).toFixed(3)),
    } as never)
    const check = checkVwap(tableFrom('etf_minute', wrong), { factor: 1 })
    expect(check.counts).toMatchObject({ equal: 2879, mismatch: 1 })
    expect(check.ok).toBe(false)
    expect(numbers(check.table, 'ticks')[row]).toBe(1)
    expect(numbers(check.worst, 'difference')[0]).toBe(0.001)
  }
})

test('real convertible-bond minutes, each rounded by itself, are explained by rounded lots alone', () => {
  const rows = fixture('123124.SZ.20211102.1m.head.csv', ['datetime']).map((row) => ({
    tradedate: '20211102',
    symbol: '123124.SZ',
    trademin: String(row['datetime']).slice(11, 16).replace(':', ''),
    vol: row['vol_lots'],
    amount: row['amount'],
    vendor_avg: row['vendor_avg'],
    recomputed_vwap_factor10: row['recomputed_vwap_factor10'],
  }))
  const options = { vwap: 'vendor_avg', lots: 'each bar' } as const
  const check = checkVwap(tableFrom('convertible_minute', rows), options)
  expect(texts(check.table, 'verdict')).toEqual(['equal', 'lot-bound', 'lot-bound', 'lot-bound', 'lot-bound'])
  const recomputed = [...numbers(check.table, 'recomputed')]
  expect(recomputed).toEqual([120, 119.8444, 119.8314, 119.8706, 119.8782])
  expect(recomputed.map((x) => roundHalfUp(x, 3))).toEqual(rows.map((row) => row.recomputed_vwap_factor10))
  expect(check.ok).toBe(true)
  const [low, high] = [numbers(check.table, 'low'), numbers(check.table, 'high')]
  expect([low[4], high[4]]).toEqual([119.6524, 120.1048])
  const far = rows.with(4, { ...rows[4], vendor_avg: 120.106 } as never)
  expect(checkVwap(tableFrom('convertible_minute', far), options).counts.mismatch).toBe(1)
  const total = checkVwap(tableFrom('convertible_minute', rows), { vwap: 'vendor_avg', lots: 'total' })
  expect(texts(total.table, 'verdict')).toEqual(['equal', 'lot-bound', 'lot-bound', 'mismatch', 'mismatch'])
  expect(texts(total.table, 'why')[3]).toBe('explained only if each bar was rounded to whole lots by itself')
  const either = checkVwap(tableFrom('convertible_minute', rows), { vwap: 'vendor_avg' })
  expect(texts(either.table, 'verdict')).toEqual(texts(check.table, 'verdict'))
  expect(texts(either.table, 'why')[3]).toBe('volume is rounded to whole lots, each bar by itself')
  expect([numbers(either.table, 'low')[4], numbers(either.table, 'high')[4]]).toEqual([low[4], high[4]])
  const [minutes] = vwapChecks.filter(({ dataset }) => dataset === 'convertible_minute')
  const renamed = rows.map(({ vendor_avg, ...row }) => ({ ...row, vwap: vendor_avg }))
  const [run] = minutes?.runs({ convertible_minute: [tableFrom('convertible_minute', renamed)] }) ?? []
  expect(run?.result.counts).toEqual(either.counts)
  const answered = checkVwap(answerFrom('convertible_minute', rows), { vwap: 'vendor_avg' })
  expect(answered.counts).toEqual(total.counts)
})

test('the end of a real day follows from itself: one volume before it explains all five averages by lots', () => {
  const rows = fixture('123124.SZ.20211102.1m.tail.csv', ['datetime'])
  const [average, amount, lots] = (['vendor_avg', 'amount', 'vol_lots'] as const).map((name) =>
    rows.map((row) => Number(row[name])),
  ) as [number[], number[], number[]]
  expect([average[2], average[3]]).toEqual([average[1], average[1]])
  // With A0 the average up to the first bar, V its bonds, and S, W what came since: A = (A0 V + S) / (V + W), so
  // V = (S - A W) / (A - A0), where A and A0 are right within half of the fourth decimal and W within half a lot a bar.
  const half = 0.00005
  let [low, high] = [0, Number.POSITIVE_INFINITY]
  for (const last of [1, 4]) {
    const [first, a] = [average[0] as number, average[last] as number]
    let [since, bonds, traded] = [0, 0, 0]
    for (let i = 1; i <= last; i++) {
      since += amount[i] as number
      bonds += 10 * (lots[i] as number)
      if (lots[i]) traded++
    }
    const gaps = [a - first - 2 * half, a - first + 2 * half]
    const sums = [-1, 1].flatMap((sign) => [a - half, a + half].map((x) => since - x * (bonds + sign * 5 * traded)))
    const ends = sums.flatMap((sum) => gaps.map((gap) => sum / gap))
    low = Math.max(low, Math.min(...ends))
    high = Math.min(high, Math.max(...ends))
  }
  expect(low).toBeLessThan(high)
  expect([Math.round(low / 1000), Math.round(high / 1000)]).toEqual([256, 721])
})

test('the end of a day alone cannot be verified', () => {
  const rows = fixture('123124.SZ.20211102.1m.tail.csv', ['datetime']).map((row) => ({
    tradedate: '20211102',
    symbol: '123124.SZ',
    trademin: String(row['datetime']).slice(11, 16).replace(':', ''),
    vol: row['vol_lots'],
    amount: row['amount'],
    vwap: row['vendor_avg'],
  }))
  expect(checkVwap(tableFrom('convertible_minute', rows)).counts.unverifiable).toBe(5)
  const { vwap: _, ...bare } = rows[0] ?? {}
  expect(checkVwap(tableFrom('convertible_minute', [bare])).counts.unverifiable).toBe(1)
  expect(checkVwap(tableFrom('convertible_minute', [bare]), { missing: 'no trade' }).counts.computed).toBe(1)
})

test('null before the first trade, a quiet bucket keeps the value, the afternoon goes on', () => {
  const rows = day([
    [0, 0, null],
    [0, 0, null],
    [10, 1500, 1.5],
    [0, 0, 1.5],
    [10, 1502, 1.501],
    [10, 1510, 1.504],
  ])
  const check = checkVwap(tableFrom('etf_minute', rows))
  expect(check.counts.equal).toBe(6)
  expect([...numbers(check.table, 'recomputed')]).toEqual([Number.NaN, Number.NaN, 1.5, 1.5, 1.501, 1.504])
})

test('a value where null is due and null where a value is due', () => {
  const rows = day([
    [0, 0, 1.5],
    [10, 1500, null],
    [10, 1500, 1.5],
  ])
  const check = checkVwap(tableFrom('etf_minute', rows))
  expect(texts(check.table, 'verdict')).toEqual(['null-rule', 'null-rule', 'equal'])
  expect(texts(check.table, 'why').slice(0, 2)).toEqual(['a value before the first trade', 'null where a value is due'])
  expect(check.ok).toBe(false)
})

test.each([
  ['20250820', 'unverifiable', true],
  ['20250821', 'null-rule', false],
])('null on %s is %s', (tradedate, verdict, ok) => {
  const check = checkVwap(tableFrom('etf_minute', day([[10, 1500, null]], { tradedate })))
  expect(texts(check.table, 'verdict')).toEqual([verdict])
  expect(check.ok).toBe(ok)
})

test('a missing volume or turnover spoils the rest of its day and nothing else', () => {
  const rows = [
    ...day([
      [10, 1500, 1.5],
      [null, 1500, 1.5],
      [10, 1500, 1.5],
    ]),
    ...day([[10, 1500, 1.5]], { tradedate: '20260702' }),
    ...day(
      [
        [10, 1500, 1.5],
        [10, null, 1.5],
      ],
      { symbol: '159915.SZ' },
    ),
  ]
  const check = checkVwap(tableFrom('etf_minute', rows))
  expect(texts(check.table, 'verdict')).toEqual([
    'equal',
    'unverifiable',
    'unverifiable',
    'equal',
    'equal',
    'unverifiable',
  ])
  expect(texts(check.table, 'why')[2]).toBe('vol of 1000 is null')
  expect(texts(check.table, 'why')[5]).toBe('amount of 1000 is null')
})

test('a bucket that is not there makes later differences unverifiable, not wrong', () => {
  const rows = day(
    [
      [10, 1500, 1.6],
      [10, 1500, 1.6],
    ],
    { skip: 3 },
  )
  const check = checkVwap(tableFrom('etf_minute', rows))
  expect(check.counts.unverifiable).toBe(2)
  expect(texts(check.table, 'why')[0]).toBe('the bar of 0930 is missing')
  expect([...numbers(check.table, 'recomputed')]).toEqual([Number.NaN, Number.NaN])
  const whole = [...day([[10, 1500, 1.5]]), ...day([[10, 1600, 1.55]], { skip: 2 })]
  expect(checkVwap(tableFrom('etf_minute', whole)).counts.equal).toBe(2)
})

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

test('the dataset of the option goes before that of the table', () => {
  const rows = day([[10, 15000, 15]], { symbol: '600000.SH' })
  const table = answerFrom('convertible_minute', rows)
  expect(checkVwap(table, { dataset: 'etf_minute' }).counts.equal).toBe(1)
  expect(checkVwap(table).counts.mismatch).toBe(1)
})

test('the factor comes from the option, the dataset, or the number of the code', () => {
  const rows = (symbol: string): Row[] => day([[10, 15000, null]], { symbol }).map(({ vwap: _, ...row }) => row)
  const value = (...args: Parameters<typeof checkVwap>) => numbers(checkVwap(...args).table, 'recomputed')[0]
  expect(value(tableFrom('etf_minute', rows('123124.SZ')))).toBe(150)
  expect(value(tableFrom('etf_minute', rows('110059.SH')))).toBe(150)
  expect(value(tableFrom('etf_minute', rows('159915.SZ')))).toBe(15)
  expect(value(tableFrom('etf_minute', rows('510300.SH')))).toBe(15)
  expect(value(tableFrom('etf_minute', rows('600000.SH')), { factor: 100 })).toBe(15)
  expect(value(tableFrom('etf_minute', rows('600000.SH')), { dataset: 'convertible_minute' })).toBe(150)
  expect(value(answerFrom('convertible_minute', rows('600000.SH')))).toBe(150)
  expect(() => value(tableFrom('etf_minute', rows('600000.SH')))).toThrow('600000.SH is not the number of')
  expect(() => value(tableFrom('etf_minute', rows('510300.SH')), { factor: 0 })).toThrow('factor must be')
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
  expect(texts(check.table, 'why')[0]).toBe(
    'the bar of 0930 stands there twice; bars of two periods need a column `period`',
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
  expect(texts(check.table, 'verdict')).toEqual(['equal', 'unverifiable', 'unverifiable', 'unverifiable', 'equal'])
  expect(texts(check.table, 'why').slice(1, 4)).toEqual(new Array(3).fill('the bar of 1000 stands there twice'))
  expect([...numbers(check.table, 'recomputed')]).toEqual([1.5, Number.NaN, Number.NaN, Number.NaN, 1.5])
  const spoilt = twice.with(0, { ...twice[0], vol: null } as never)
  expect(texts(checkVwap(tableFrom('etf_minute', spoilt)).table, 'why')[3]).toBe('vol of 0930 is null')
  const { vwap: _, ...bare } = { vwap: null, ...twice[0] }
  const alone = checkVwap(tableFrom('etf_minute', [bare, bare]))
  expect(alone.counts).toMatchObject({ unverifiable: 2, computed: 0 })
})

test('an empty table is a check of nothing, a wrong one an error', () => {
  const empty = tableFrom('etf_minute', [], ['tradedate', 'symbol', 'trademin', 'vol', 'amount', 'vwap'])
  const check = checkVwap(empty)
  expect([check.rows, check.ok, check.table.numRows, check.worst.numRows]).toEqual([0, true, 0, 0])
  expect(namesOf(check.table)).toContain('recomputed')
  const lacking = tableFrom('etf_minute', day([[1, 1, 1]]), ['tradedate', 'symbol', 'trademin', 'vol', 'vwap'])
  expect(() => checkVwap(lacking)).toThrow("no column 'amount'")
})

test('worst shows at most twenty findings, the largest difference first', () => {
  const rows = Array.from({ length: 30 }, (_, i) => ({
    ...day([[10, 1500, 1.5]], { symbol: String(510300 + i) })[0],
    vol: 1_000_000,
    amount: 150_000_000,
    vwap: 1.6 + i / 10,
  }))
  const { worst, counts } = checkVwap(tableFrom('etf_minute', rows))
  expect(counts.mismatch).toBe(30)
  expect(worst.numRows).toBe(20)
  expect(numbers(worst, 'difference')[0]).toBe(3)
})
