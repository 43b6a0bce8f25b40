import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chinaRules } from '../../../src/contract/trading-rules.js'
import { toObjects } from '../../../src/frame/read-columns.js'
import { type BacktestResult, backtest } from '../../../src/research/backtest/backtest.js'
import type { Strategy } from '../../../src/research/backtest/strategy.js'
import { days, free, marketOf, type PriceName, rowsOf } from '../../promise/helper/prices.js'
import {
  forms,
  kinds,
  luck,
  optionsOf,
  panelOf,
  type RandomMarket,
  randomMarket,
  randomOptions,
  strategyOf,
} from './random-market.js'

const runs = Number(process.env['RUNS'] ?? 40)
const quick = { lookahead: false } as const

/** Rows of a code that is never chosen, so that every day has one. */
const everyDay = rowsOf(
  '159001.SZ',
  days.slice(0, 14).map(() => 1),
)

/** All tables of a result, and its equity. */
function told(result: BacktestResult, isOurs: (row: Record<string, unknown>) => boolean = () => true): unknown {
  const { account, fills, rejected, positions, trips, events } = result
  const tables = [account, fills, rejected, positions, trips, events].map((table) => toObjects(table).filter(isOurs))
  return { equity: [...result.equity], returns: [...result.returns], tables, warnings: result.warnings }
}

test('shuffled rows give the same result', () => {
  fc.assert(
    fc.property(randomMarket, randomOptions, forms, fc.nat(), (market, options, form, seed) => {
      const shuffled = market.rows
        .map((row) => [luck(row.code, row.tradedate, seed), row] as const)
        .sort(([a], [b]) => a - b)
      const strategy = strategyOf(form, market.seed)
      const [a, b] = [market.rows, shuffled.map(([, row]) => row)].map((rows) =>
        backtest(panelOf(market, rows), strategy, { ...options, ...quick }),
      )
      expect(told(b as BacktestResult)).toEqual(told(a as BacktestResult))
      expect(b?.hashes).toEqual(a?.hashes)
    }),
    { numRuns: runs },
  )
})

test('a code that is never chosen changes nothing', () => {
  const chosen = (market: RandomMarket): string => Object.keys(market.starts)[0] as string
  fc.assert(
    fc.property(randomMarket, randomOptions, forms, (market, options, form) => {
      const extra = Object.keys(market.starts)
        .filter((symbol) => symbol !== chosen(market))
        .slice(0, 2)
      const strategy = strategyOf(form, market.seed, [...extra, '159001.SZ'])
      const without = market.rows.filter(({ code }) => !extra.includes(code))
      const lives = optionsOf(market)
      const run = (rows: typeof market.rows) =>
        backtest(marketOf([...rows, ...everyDay], lives), strategy, { ...options, ...quick })
      expect(told(run(market.rows))).toEqual(told(run(without)))
    }),
    { numRuns: runs },
  )
})

test('twice the cash and twice the lots are twice the account, where nothing is rounded', () => {
  const rules = (factor: number) => ({
    ...chinaRules,
    charges: [],
    lots: chinaRules.lots.map((lot) => ({ ...lot, min: lot.min * factor, step: lot.step * factor })),
  })
  const plain = { ...free, exRights: 'none', ...quick } as const
  fc.assert(
    fc.property(randomMarket, fc.constantFrom('rank' as const, 'weights' as const), (market, form) => {
      const strategy = strategyOf(form, market.seed)
      const run = (factor: number) => {
        const options = optionsOf(market)
        const whole = options.delistings?.map(({ symbol, day }) => ({ symbol, day })) ?? []
        return backtest(marketOf(market.rows, { ...options, delistings: whole, rules: rules(factor) }), strategy, {
          ...plain,
          cash: 1e6 * factor,
        })
      }
      const [one, two] = [run(1), run(2)]
      expect([...two.equity]).toEqual([...one.equity].map((value) => 2 * value))
      expect(toObjects(two.fills).map((row) => row['shares'])).toEqual(
        toObjects(one.fills).map((row) => 2 * (row['shares'] as number)),
      )
    }),
    { numRuns: runs },
  )
})

test('a market cut short has the same past', () => {
  fc.assert(
    fc.property(
      randomMarket,
      randomOptions,
      forms,
      fc.integer({ min: 7, max: 12 }),
      (market, options, form, length) => {
        const cut = days[length] as string
        const strategy = strategyOf(form, market.seed)
        const isPast = (row: Record<string, unknown>): boolean => ((row['tradedate'] ?? row['closed']) as string) < cut
        const all = [...market.rows, ...everyDay]
        const [long, short] = [all, all.filter(({ tradedate }) => tradedate < cut)].map((some) =>
          backtest(panelOf(market, some), strategy, { ...options, ...quick }),
        )
        const [a, b] = [long, short].map(
          (result) => (told(result as BacktestResult, isPast) as { tables: unknown }).tables,
        )
        expect((b as unknown[][]).map((table) => table.length)).toEqual((a as unknown[][]).map((table) => table.length))
        expect(b).toEqual(a)
      },
    ),
    { numRuns: runs },
  )
})

test('honest strategies pass the look-ahead check over any market, and one that knows tomorrow does not', () => {
  const knowing: Strategy<PriceName> = {
    prepare:
      ({ cols: { close, pre_close }, symbols: { length } }) =>
      (now, weights) => {
        weights.forEach((_, at) => {
          const next = (now.time + 1) * length + at
          weights[at] = (close[next] ?? 0) > (pre_close[next] ?? 0) ? 1 / length / 1.001 : 0
        })
      },
  }
  let caught = 0
  fc.assert(
    fc.property(randomMarket, randomOptions, forms, (market, options, form) => {
      const panel = panelOf(market)
      expect(backtest(panel, strategyOf(form, market.seed), options).lookahead?.ok).toBe(true)
      if (!backtest(panel, knowing, options).lookahead?.ok) caught++
    }),
    { numRuns: runs },
  )
  expect(caught).toBe(runs)
})

test('without costs, the same weights at the same prices trade once', () => {
  const flat = Object.keys(kinds).flatMap((symbol) =>
    rowsOf(
      symbol,
      days.slice(0, 6).map(() => 12.34),
    ),
  )
  fc.assert(
    fc.property(fc.nat(1e6), (seed) => {
      const strategy: Strategy<PriceName> = ({ symbols }, weights) => {
        symbols.forEach((symbol, at) => {
          weights[at] = Math.round(luck(symbol, '', seed) * 10) / 100
        })
      }
      const market = marketOf(flat, { rules: { ...chinaRules, charges: [] } })
      const result = backtest(market, strategy, { ...free, ...quick })
      expect(new Set(toObjects(result.fills).map((row) => row['tradedate']))).toEqual(new Set([days[1]]))
      expect(new Set(result.equity)).toEqual(new Set([1e6]))
    }),
    { numRuns: runs },
  )
})
