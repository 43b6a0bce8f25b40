import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bucketCloses } from '../../../../src/contract/session.js'
import { strings } from '../../../../src/frame/read-columns.js'
import { roundHalfUp } from '../../../../src/research/checks/exact/decimal.js'
import { checkVwap, type VwapOptions } from '../../../../src/research/checks/vwap/check-vwap.js'
import { type Row, tableFrom } from '../../analysis/help.js'

const minutes = bucketCloses['30m']

type Traded = readonly [vol: number, price: number]

/** What a vendor adds to its sums, and to which bars: from one up to one that has it no more. */
interface Fault {
  readonly from: number
  readonly to?: number
  readonly yuan?: number
  readonly lots?: number
}

/** A day of bars whose averages a vendor published with such faults. */
function day(bars: readonly Traded[], faults: readonly Fault[], factor = 100): Row[] {
  let [cents, volume] = [0, 0]
  return bars.map(([vol, price], i) => {
    const own = Math.round(vol * factor * price * 100)
    cents += own
    volume += vol
    const at = faults.filter(({ from, to = bars.length }) => from <= i && i < to)
    const yuan = at.reduce((sum, one) => sum + (one.yuan ?? 0), 0)
    const lots = at.reduce((sum, one) => sum + (one.lots ?? 0), 0)
    const vwap = roundHalfUp((cents / 100 + yuan) / ((volume + lots) * factor), 3)
    return { tradedate: '20260701', symbol: '510300.SH', trademin: minutes[i], vol, amount: own / 100, vwap }
  })
}

function found(rows: readonly Row[], options: VwapOptions = { lots: 'total' }) {
  const { table, counts } = checkVwap(tableFrom('etf_minute', rows), { factor: 100, ...options })
  return { verdict: strings(table, 'verdict'), why: strings(table, 'why'), counts }
}

const shares: readonly Traded[] = [300, 200, 150, 0, 400, 250, 100, 300, 200].map((vol, i) => [vol, 40 + i * 0.5])
const lots: readonly Traded[] = [9000, 4000, 5000, 3000, 0, 6000, 2000, 4000, 8000].map((vol, i) => [vol, 4 + i / 100])

test('an amount that rounding leaves open is said with the least and the greatest that fit', () => {
  const { why } = found(day(lots, [{ from: 2, yuan: 1_500_000 }]))
  const [, middle, least, most] =
    /^from 1030 on, ([\d,]+) yuan too much \(([\d,]+) to ([\d,]+)\)$/
      .exec(why[2] ?? '')
      ?.map((text) => Number(text.replaceAll(',', ''))) ?? []
  expect(least).toBeLessThanOrEqual(1_500_000)
  expect(most).toBeGreaterThanOrEqual(1_500_000)
  expect(middle).toBe(Math.round(((least ?? 0) + (most ?? 0)) / 2))
  expect((most ?? 0) - (least ?? 0)).toBeLessThan(2000)
})

test('one number of lots from a bar on is said where no amount fits, and both where both do', () => {
  const moving = lots.map(([vol, price], i): Traded => [vol, price + i / 5])
  expect(found(day(moving, [{ from: 3, lots: 2500 }])).why[3]).toMatch(/^from 1100 on, 2,(49|50)\d lots too much/)
  expect(found(day(moving, [{ from: 3, lots: -2500 }])).why[3]).toMatch(/^from 1100 on, 2,(49|50)\d lots too little/)
  const still = lots.map(([vol]): Traded => [vol, 4])
  const both = found(day(still, [{ from: 3, lots: -100 }])).why[3]
  expect(both).toMatch(/^from 1100 on, .* yuan too much \(.*\) or .* lots too little \(/)
  const whole = found(day(shares, [{ from: 5, lots: 90 }], 1), { factor: 1 })
  expect(whole.why[5]).toBe('from 1330 on, 90 shares too much')
})

test('a fault too small to be seen late in the day is the same fault', () => {
  const early = shares.map(([vol, price], i): Traded => [vol * (i < 2 ? 1 : 100), price])
  const { verdict, why } = found(day(early, [{ from: 0, yuan: 4 }], 1), { factor: 1 })
  expect(verdict).toEqual(['mismatch', 'mismatch', ...new Array(7).fill('equal')])
  expect(why[0]).toMatch(/^from 0930 on, [34](\.\d+)? yuan too much/)
})

test('no cause for one wrong value, a wrong factor, or a fault that grows', () => {
  const sound = day(shares, [], 1)
  const typed = sound.with(4, { ...sound[4], vwap: 49 })
  expect(found(typed, { factor: 1 })).toMatchObject({ why: new Array(9).fill(null), counts: { mismatch: 1, equal: 8 } })
  expect(found(sound, { factor: 2 }).why).toEqual(new Array(9).fill(null))
  const grown = sound.map((row, i) => ({ ...row, vwap: roundHalfUp(Number(row['vwap']) * (1 + i / 100), 3) }))
  expect(found(grown, { factor: 1 }).why).toEqual(new Array(9).fill(null))
  const still = sound.map((row, i) => (i === 2 || i === 3 ? { ...row, vwap: 99 } : row))
  expect(found(still, { factor: 1 }).why).toEqual(new Array(9).fill(null))
})

test('the cause ends where the sums become unknown, and keeps to its series in rows of any order', () => {
  const rows = day(shares, [{ from: 1, yuan: 101_883 }], 1)
  const broken = rows.with(4, { ...rows[4], amount: null })
  expect(found(broken, { factor: 1 }).why.slice(0, 5)).toEqual([
    null,
    'from 1000 on, 101,883 yuan too much',
    null,
    null,
    'amount of 1130 is null',
  ])
  const other: Row[] = day(shares, [{ from: 6, yuan: 7000 }], 1).map((row) => ({ ...row, symbol: '510500.SH' }))
  const mixed: Row[] = [...rows, ...other].reverse()
  const { why } = found(mixed, { factor: 1 })
  expect(
    why.flatMap((one, row) => (one === null ? [] : [[mixed[row]?.['symbol'], mixed[row]?.['trademin'], one]])),
  ).toEqual([
    ['510500.SH', '1400', 'from 1400 on, 7,000 yuan too much'],
    ['510300.SH', '1000', 'from 1000 on, 101,883 yuan too much'],
  ])
})

const bar = fc.tuple(
  fc.integer({ min: 1, max: 50_000 }),
  fc.integer({ min: 100, max: 900 }).map((cents) => cents / 100),
)

test('whatever was added, it lies within what is said', () => {
  let said = 0
  fc.assert(
    fc.property(
      fc.array(bar, { minLength: 9, maxLength: 9 }),
      fc.integer({ min: 0, max: 7 }),
      fc.integer({ min: -3_000_000, max: 30_000_000 }),
      fc.constantFrom(1, 10, 100),
      (bars, from, yuan, factor) => {
        const { verdict, why } = found(day(bars, [{ from, yuan }], factor), { factor, lots: 'total' })
        if (verdict.filter((one) => one === 'mismatch').length < 2) return
        const first = verdict.indexOf('mismatch')
        const text = /^from (\d+) on, ([\d,.]+) yuan too (much|little)(?: \(([\d,.]+) to ([\d,.]+)\))?/.exec(
          why[first] ?? '',
        )
        expect([why[first], text?.[1], text?.[3]]).toEqual([why[first], minutes[first], yuan > 0 ? 'much' : 'little'])
        const [middle, least, most] = [2, 4, 5].map((at) => Number((text?.[at] ?? 'none').replaceAll(',', '')))
        expect(Math.abs(yuan)).toBeGreaterThanOrEqual((Number.isNaN(least) ? middle : least) as number)
        expect(Math.abs(yuan)).toBeLessThanOrEqual((Number.isNaN(most) ? middle : most) as number)
        said++
      },
    ),
    { numRuns: 300 },
  )
  expect(said).toBeGreaterThan(200)
})
