/* Deep: simulations, thousands of series. */
import { expect, test } from 'vitest'
import { normalQuantile } from '../../../../src/research/analysis/normal-distribution.js'
import { type Both, correlate } from '../../../../src/research/analysis/southbound/flow-correlation.js'
import { excessOf, togetherOf, z95 } from '../../../../src/research/analysis/southbound/flow-inference.js'
import { chances } from '../../../helper/chance.js'

const runs = Number(process.env['RUNS'] ?? 1)

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
