import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalQuantile } from '../../../src/analysis/normal-distribution.js'
import { eventStudy } from '../../../src/analysis/southbound/event-study.js'
import {
  type Both,
  correlate,
  flowCorrelation,
  hitRate,
  wilson,
} from '../../../src/analysis/southbound/flow-correlation.js'
import {
  autocorrelations,
  effectiveDays,
  excessOf,
  togetherOf,
  z95,
} from '../../../src/analysis/southbound/flow-inference.js'
import { type JoinedFlows, joinIndex } from '../../../src/analysis/southbound/index-join.js'
import { southboundFlows } from '../../../src/analysis/southbound/southbound-flows.js'
import { numberColumn, resultTable } from '../../../src/checks/check-columns.js'
import { tradingDays } from '../../../src/contract/calendar.js'
import { objectsOf } from '../../../src/frame/read-columns.js'
import { chances } from '../../helper/chance.js'
import { python, tableFrom } from '../help.js'
import { quote, stock } from './help.js'

const runs = Number(process.env['RUNS'] ?? 1)
const on = '全A等权'

test("the normal distribution's quantiles are Python's", () => {
  const at = [1e-300, 1e-20, 1e-7, 0.001, 0.02, 0.05, 0.0749, 0.0751, 0.3, 0.5, 0.7, 0.924, 0.926, 0.975, 0.99999]
  const script = 'import sys, json, statistics as s; print([s.NormalDist().inv_cdf(p) for p in json.load(sys.stdin)])'
  const expected = python(script, at) as number[]
  at.forEach((p, i) => {
    expect(Math.abs(normalQuantile(p) - (expected[i] as number))).toBeLessThan(
      1e-13 * Math.abs(expected[i] as number) + 1e-15,
    )
  })
  expect(z95).toBeCloseTo(1.959963984540054, 14)
})

test("Wilson's interval has its published values", () => {
  // Newcombe 1998, Two-sided confidence intervals for the single proportion, table I, method 3.
  const of = (hits: number, n: number) => wilson(hits / n, n).map((end) => end.toFixed(4))
  expect(of(81, 263)).toEqual(['0.2553', '0.3662'])
  expect(of(15, 148)).toEqual(['0.0624', '0.1605'])
  expect(of(0, 20)).toEqual(['0.0000', '0.1611'])
  expect(of(1, 29)).toEqual(['0.0061', '0.1718'])
})

test('effective days: all of them without memory, Quenouille where it fades at a constant rate, fewer where it lasts', () => {
  expect(effectiveDays(100, [0, 0, 0])).toBe(100)
  expect(effectiveDays(100, [-0.5, 0.25])).toBe(100)
  expect(effectiveDays(100, [0.5])).toBeCloseTo(100 / 3, 12)
  const faint = Array.from({ length: 10 }, () => 0.2)
  expect(effectiveDays(100, faint)).toBeCloseTo(100 / (1 + 2 * 0.2 * (10 - 0.55)), 12)
  const [first, second] = autocorrelations(Float64Array.of(1, 2, Number.NaN, 4, 5), 2)
  // Deviations -2, -1, 1, 2: products of neighbours 2 + 2 of three due, two days apart 0 + 0 of two due; squares 10.
  expect([first, second]).toEqual([(4 / 10) * (3 / 2), ((-2 * 0 + -1 * 1) / 10) * (2 / 1)])
  expect([...autocorrelations(Float64Array.of(3, 3, 3), 2)]).toEqual([0, 0])
})

/** Numbers as if by chance, always the same. */
function chance(seed: number): () => number {
  const next = chances(seed)
  return () => normalQuantile(next() + 2 ** -33)
}

/** Two series that keep `memory` of a day to the next, whose news is correlated by `tie`; from their lasting distribution. */
function series(next: () => number, days: number, memory: number, tie: number): Both {
  const start = 1 / Math.sqrt(1 - memory * memory)
  let [x, y] = [0, 0]
  const [net, change] = [new Float64Array(days), new Float64Array(days)]
  for (let day = 0; day < days; day++) {
    const news = next()
    const other = tie * news + Math.sqrt(1 - tie * tie) * next()
    const size = day === 0 ? start : 1
    x = memory * x + news * size
    y = memory * y + other * size
    net[day] = x
    change[day] = y
  }
  return { net, change, days }
}

const cases = [
  [60, 0, 0],
  [60, 0.5, 0],
  [120, 0.8, 0],
  [250, 0.9, 0],
  [120, 0.7, 0.5],
] as const

test.each(cases)(
  '%i days, memory %d, correlation %d: intervals hold it in 95 of 100 cases, naive ones do not',
  (days, memory, tie) => {
    const next = chance(days + 100 * memory)
    const rounds = 800 * runs
    const held = { pearson: 0, spearman: 0, naive: 0 }
    const ranked = (6 / Math.PI) * Math.asin(tie / 2)
    for (let round = 0; round < rounds; round++) {
      const { pearson, spearman } = correlate(series(next, days, memory, tie))
      if (Number(pearson.low) <= tie && tie <= Number(pearson.high)) held.pearson++
      if (Number(spearman.low) <= ranked && ranked <= Number(spearman.high)) held.spearman++
      if (Math.abs(Math.atanh(pearson.value ?? 0) - Math.atanh(tie)) <= z95 / Math.sqrt(days - 3)) held.naive++
    }
    expect(held.pearson / rounds).toBeGreaterThan(0.93)
    expect(held.pearson / rounds).toBeLessThan(0.975)
    expect(held.spearman / rounds).toBeGreaterThan(0.92)
    expect(held.spearman / rounds).toBeLessThan(0.98)
    if (memory >= 0.5) expect(held.naive / rounds).toBeLessThan(0.91)
    if (memory >= 0.8) expect(held.naive / rounds).toBeLessThan(0.7)
    if (runs > 1) console.log(days, memory, tie, held, rounds)
  },
)

test('intervals by rotation hold what is not there, though events cluster and windows overlap', () => {
  const next = chance(5)
  const [rounds, days, ahead] = [250 * runs, 120, 5]
  let [held, naive] = [0, 0]
  for (let round = 0; round < rounds; round++) {
    const { net } = series(next, days, 0.8, 0)
    const { net: change } = series(next, days, 0, 0)
    const limit = [...net].sort((a, b) => b - a)[11] as number
    const places = [...net.keys()].filter((day) => (net[day] as number) >= limit)
    const paths = Float64Array.from(change, (_, day) =>
      day + ahead < days ? change.subarray(day + 1, day + 1 + ahead).reduce((sum, x) => sum + x, 0) : Number.NaN,
    )
    const { low, high, mean } = excessOf(paths, places)
    if (low <= 0 && 0 <= high) held++
    if (Math.abs(mean) <= z95 * Math.sqrt(ahead / places.length)) naive++
  }
  expect(held / rounds).toBeGreaterThan(0.92)
  expect(naive / rounds).toBeLessThan(0.85)
  if (runs > 1) console.log('rotations', held, naive, rounds)
})

/** A joined table of so many days. */
function joinedOf(net: ArrayLike<number>, change: ArrayLike<number>): JoinedFlows {
  const column = (data: ArrayLike<number>) => numberColumn(undefined, 'Made up.', Float64Array.from(data))
  const table = resultTable({ net: column(net), index_pct_chg: column(change) })
  const index = { symbol: '880008', name: on }
  return { table, unmatched: table, purpose: 'description', lag: 0, channel: 'both', index, unit: 'yuan' }
}

test('a hit rate keeps 95 % where the index has no memory', () => {
  const next = chance(9)
  const rounds = 500 * runs
  let held = 0
  for (let round = 0; round < rounds; round++) {
    const { net } = series(next, 100, 0.8, 0)
    const { net: change } = series(next, 100, 0, 0)
    const found = hitRate(joinedOf(net, change))
    if (Number(found.low) <= 0.5 && 0.5 <= Number(found.high)) held++
  }
  expect(held / rounds).toBeGreaterThan(0.92)
  if (runs > 1) console.log('hits', held, rounds)
})

test('hits, ties, and the rates to beat', () => {
  const found = hitRate(joinedOf([5, -3, 8, 0, 2, -1, Number.NaN, 4], [1, -1, -2, 1, 3, 2, 1, Number.NaN]))
  expect(found).toMatchObject({ hits: 3, days: 5, ties: 1, share: 0.6, base: 0.6, beats: false })
  expect(found.chance).toBeCloseTo((3 * 3 + 2 * 2) / 25, 14)
  expect(hitRate(joinedOf([0], [1]))).toMatchObject({ days: 0, ties: 1, share: null, low: null, beats: null })
  const many = Array.from({ length: 200 }, (_, i) => ((i * 7919) % 13) - 6.5)
  expect(hitRate(joinedOf(many, many))).toMatchObject({ share: 1, beats: true })
})

test('where few neighbouring days are known, no memory is beyond 1, and no interval of less than one day', () => {
  const gap = Number.NaN
  const alike = hitRate(joinedOf([1, 1, gap, -1, gap, -1, gap, -1], [2, 2, gap, -1, gap, -1, gap, -1]))
  expect(alike).toMatchObject({ share: 1, low: null, high: null, effective: 0, beats: false })
  const sparse = Float64Array.of(5, -5, gap, 1, gap, 2, gap, -1, gap, -2)
  expect(autocorrelations(sparse, 1)).toEqual(Float64Array.of(-1))
  expect(flowCorrelation(joinedOf([...sparse], [2, 2, gap, 1, gap, -1, gap, 1, gap, 1])).pearson.effective).toBe(6)
})

test('too few days, or none that vary, have no correlation; a perfect one has no interval', () => {
  const nothing = { value: null, low: null, high: null, effective: null }
  expect(flowCorrelation(joinedOf([1, 2], [3, 5]))).toMatchObject({ pearson: nothing, spearman: nothing, days: 2 })
  expect(flowCorrelation(joinedOf([1, 1, 1, 1], [3, 5, 4, 4])).pearson).toEqual(nothing)
  expect(flowCorrelation(joinedOf([1, 2, Number.NaN, 3, 4], [1, 2, 9, 3, 4]))).toMatchObject({
    pearson: { value: 1, low: null, high: null },
    days: 4,
  })
})

test('correlations: bounds, sign and scale', () => {
  const list = fc.array(fc.tuple(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: -999, max: 999 })), {
    minLength: 5,
    maxLength: 40,
  })
  fc.assert(
    fc.property(list, (days) => {
      const [net, change] = [days.map(([x]) => x / 100), days.map(([, y]) => y / 100)]
      const one = flowCorrelation(joinedOf(net, change))
      const turned = flowCorrelation(
        joinedOf(
          net.map((x) => -x * 8),
          change,
        ),
      )
      for (const kind of ['pearson', 'spearman'] as const) {
        const [a, b] = [one[kind], turned[kind]]
        if (a.value === null) continue
        expect(Math.abs(a.value)).toBeLessThanOrEqual(1)
        expect(b.value).toBeCloseTo(-a.value, 12)
        expect(a.effective).toBeLessThanOrEqual(days.length)
        if (a.low === null || a.high === null) continue
        expect(a.low <= a.value && a.value <= a.high && a.low >= -1 && a.high <= 1).toBe(true)
        expect(b.low).toBeCloseTo(-a.high, 9)
      }
    }),
    { numRuns: 100 * runs },
  )
})

const days = tradingDays('20260401', '20260630')

/** Flows of one stock and an index of the same days. */
function studied(nets: readonly number[], changes: readonly (number | null)[]) {
  const rows = nets.flatMap((net, i) => stock(days[i] ?? '', '00700.HK', { sh: [1000 + net, 1000], sz: [1, 1] }))
  const quotes = changes.map((change, i) => quote(days[i] ?? '', change))
  return [southboundFlows(tableFrom('southbound_top10', rows)), tableFrom('theme_daily', quotes)] as const
}

test('an event study finds what follows an extreme day', () => {
  const [buying, selling] = [
    [5, 12, 26, 33, 51],
    [16, 20, 38, 42, 46],
  ]
  const nets = days.map((_, i) => (buying.includes(i) ? 900 + i : selling.includes(i) ? -900 - i : (i % 5) - 2))
  const changes = days.map((_, i) => (buying.includes(i - 1) ? 2 : selling.includes(i - 1) ? -1 : 0))
  const [flows, quotes] = studied(nets, changes)
  const { table, events, days: counted, index } = eventStudy(flows, quotes, { on, before: 2, after: 3, quantile: 0.92 })
  expect([counted, index.name]).toEqual([days.length, on])
  expect(objectsOf(events).map(({ trade_date, side }) => [trade_date, side])).toEqual(
    days.flatMap((day, i) => (buying.includes(i) ? [[day, 'buying']] : selling.includes(i) ? [[day, 'selling']] : [])),
  )
  const rows = objectsOf(table)
  const of = (side: string, name: string) => rows.filter((row) => row['side'] === side).map((row) => row[name])
  expect(of('buying', 'day')).toEqual([-2, -1, 0, 1, 2, 3])
  expect(of('buying', 'purpose').map((purpose) => purpose === 'prediction')).toEqual([
    false,
    false,
    false,
    true,
    true,
    true,
  ])
  expect(of('buying', 'change')).toEqual([0, 0, 0, 2, 0, 0])
  const paths = of('buying', 'path').map((x) => Math.round(Number(x) * 1e9) / 1e9)
  expect(paths).toEqual([0, 0, 0, 2, 2, 2])
  const [low] = of('buying', 'low').slice(3)
  expect(Number(low)).toBeGreaterThan(0)
  expect(of('buying', 'low')[2]).toBeNull()
  const [high] = of('selling', 'high').slice(3)
  expect(Number(high)).toBeLessThan(0)
})

test('a path is compounded, and unknown beyond a missing change', () => {
  const nets = days.map((_, i) => (i === 20 ? 500 : 1))
  const changes = days.map((_, i) => (i === 24 ? null : 10))
  const [flows, quotes] = studied(nets, changes)
  const rows = objectsOf(eventStudy(flows, quotes, { on, quantile: 0.99 }).table)
  const paths = rows.filter((row) => row['side'] === 'buying').map((row) => row['path'] as number | null)
  const expected = [-5, -4, -3, -2, -1, 0, 1, 2, 3].map((by) => 100 * (1.1 ** by - 1))
  paths.slice(0, 9).forEach((path, i) => {
    expect(path).toBeCloseTo(expected[i] as number, 10)
  })
  expect(paths.slice(9)).toEqual([null, null])
  expect(rows.filter((row) => row['side'] === 'selling').every((row) => row['events'] === 0)).toBe(true)
})

test('an event study of few days has no intervals; wrong options are refused', () => {
  const [flows, quotes] = studied([5, -3, 1, 2, -1], [1, 1, 1, 1, 1])
  const { table } = eventStudy(flows, quotes, { on })
  expect(objectsOf(table).every((row) => row['low'] === null)).toBe(true)
  expect(() => eventStudy(flows, quotes, { on, quantile: 0.5 })).toThrow('quantile must be above 0.5 and below 1')
  expect(() => eventStudy(flows, quotes, { on, after: 0 })).toThrow('after must be a whole number from 1 to 60')
  const empty = southboundFlows(
    tableFrom('southbound_top10', [], Object.keys(stock('1', '1', { sh: [1, 1], sz: null })[0] ?? {})),
  )
  expect(eventStudy(empty, quotes, { on }).table.numRows).toBe(0)
  expect(joinIndex(empty, quotes, { on }).table.numRows).toBe(0)
})

/**
 * Two series as above, whose news is of Student's distribution with three degrees of freedom; both are large on the same days.
 * Shocks of that kind have no correlation of ranks but that of the news before it was made large.
 */
function heavySeries(next: () => number, days: number, memory: number, tie: number): Both {
  const [net, change] = [new Float64Array(days), new Float64Array(days)]
  let [x, y] = [0, 0]
  for (let day = -50; day < days; day++) {
    const size = 1 / Math.sqrt((next() ** 2 + next() ** 2 + next() ** 2) / 3)
    const news = next()
    x = memory * x + news * size
    y = memory * y + (tie * news + Math.sqrt(1 - tie * tie) * next()) * size
    if (day >= 0) [net[day], change[day]] = [x, y]
  }
  return { net, change, days }
}

test.each([
  [60, 0, 0],
  [120, 0.5, 0],
  [250, 0.8, 0],
  [120, 0, 0.5],
] as const)('%i days with heavy tails, memory %d, correlation %d: ranks hold better', (days, memory, tie) => {
  const next = chance(days + 7)
  const rounds = 600 * runs
  const held = { pearson: 0, spearman: 0 }
  // Of ranks of an elliptical pair there is no closed form: the truth of many days.
  const ranked = tie === 0 ? 0 : Number(correlate(heavySeries(chance(1), 20_000, memory, tie)).spearman.value)
  for (let round = 0; round < rounds; round++) {
    const { pearson, spearman } = correlate(heavySeries(next, days, memory, tie))
    if (Number(pearson.low) <= tie && tie <= Number(pearson.high)) held.pearson++
    if (Number(spearman.low) <= ranked && ranked <= Number(spearman.high)) held.spearman++
  }
  expect(held.pearson / rounds).toBeLessThan(0.86)
  expect(held.spearman / rounds).toBeGreaterThan(0.9)
})

test('ends for all rows of an event study together hold in 95 of 100 studies without a relation, each row by itself does not', () => {
  const next = chance(21)
  const [rounds, days] = [120 * runs, 120]
  let [held, each] = [0, 0]
  for (let round = 0; round < rounds; round++) {
    const { net } = series(next, days, 0.8, 0)
    const { net: change } = series(next, days, 0, 0)
    const limit = [...net].sort((a, b) => b - a)[11] as number
    const places = [...net.keys()].filter((day) => (net[day] as number) >= limit)
    const all = [1, 2, 3, 4, 5].map((ahead) =>
      excessOf(
        Float64Array.from(change, (_, day) => (day + ahead < days ? (change[day + ahead] as number) : Number.NaN)),
        places,
      ),
    )
    const reach = togetherOf(all)
    if (all.every(({ mean, usual }, i) => Math.abs(mean - usual) <= (reach[i] as number))) held++
    if (all.every(({ low, high }) => low <= 0 && 0 <= high)) each++
  }
  expect(held / rounds).toBeGreaterThan(0.9)
  expect(each / rounds).toBeLessThan(0.88)
})
