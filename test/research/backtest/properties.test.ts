import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toObjects } from '../../../src/frame/read-columns.js'
import { type BacktestResult, backtest } from '../../../src/research/backtest/backtest.js'
import type { BacktestOptions } from '../../../src/research/backtest/backtest-options.js'
import type { Strategy, StrategyOrder } from '../../../src/research/backtest/strategy.js'
import { chances } from '../../helper/chance.js'
import '../../helper/seed.js'
import { days, marketOf, type PriceName, type PriceRow, rowsOf } from '../../promise/helper/prices.js'

/** Laws of any run. What its numbers are is held against a slow engine in `test/deep/research`. */
const length = 14
const codes = ['600001.SH', '000002.SZ', '300001.SZ', '688001.SH', '510300.SH', '513100.SH', '110001.SH', '123002.SZ']

/** Rows of one code: a walk within the limits, suspended now and then, some days without or with little volume. */
function walk(code: string, chance: () => number): PriceRow[] {
  let close = 5 + Math.round(chance() * 9500) / 100
  const closes = days.slice(0, length).map((_, day) => {
    if (day > 0 && chance() < 0.12) return null
    close = Math.max(1, Math.round(close * (0.97 + chance() * 0.06) * 100) / 100)
    return close
  })
  const volumes = closes.map(() => (chance() < 0.05 ? null : chance() < 0.05 ? 0 : Math.floor(10 ** (chance() * 6))))
  return rowsOf(code, closes, (day) => ({ vol: volumes[day] as number | null }))
}

/** A number from 0 up to 1 by code, day and seed. */
function luck(code: string, day: string, seed: number): number {
  let hash = seed | 1
  for (const char of code + day) hash = Math.imul(hash ^ char.charCodeAt(0), 16_777_619)
  return chances(hash)()
}

type Form = 'rank' | 'weights' | 'orders'

/** Strategies of each form that know nothing and trade much; codes of `left` are never chosen. */
function strategyOf(form: Form, seed: number, left: readonly string[]): Strategy<PriceName> {
  if (form === 'rank')
    return {
      universe: ({ symbol }) => !left.includes(symbol),
      score: ({ symbol, day }) => luck(symbol, day, seed),
      pick: { n: 1 + (seed % 4), side: 'lowest', exitRank: 1 + (seed % 6) },
    }
  if (form === 'weights')
    return ({ day, symbols }, weights) => {
      for (const [at, symbol] of symbols.entries()) {
        const value = luck(symbol, day, seed)
        weights[at] = value < 0.4 && !left.includes(symbol) ? Math.round(value * 25) / 100 : 0
      }
    }
  return {
    orders: ({ day, symbols, shares, close }) =>
      symbols.flatMap((symbol, at): StrategyOrder[] => {
        const value = luck(symbol, day, seed)
        if (value > 0.6 || left.includes(symbol) || Number.isNaN(close[at])) return []
        const limit = value > 0.2 ? {} : { limit: (close[at] as number) * (0.98 + value / 5) }
        const held = shares[at] as number
        if (held > 0 && value < 0.3) return [{ symbol, side: 'sell', shares: held, ...limit }]
        return [{ symbol, side: 'buy', shares: 1 + Math.floor(value * 3000), ...limit }]
      }),
  }
}

const options: fc.Arbitrary<BacktestOptions> = fc
  .record({
    cash: fc.constantFrom(5000, 123_456.78, 1e6, 1e8),
    fill: fc.constantFrom('nextOpen' as const, 'nextClose' as const, 'sameClose' as const),
    slippageTicks: fc.constantFrom(0, 3),
    maxVolumeShare: fc.constantFrom(null, 0.1, 0.003),
    minTradeLots: fc.constantFrom(0, 3),
  })
  .map(({ fill, ...rest }) => ({ ...rest, exec: { decide: 'close', fill }, lookahead: false }))

const run = fc.record({
  options,
  seed: fc.nat(2 ** 31),
  symbols: fc.subarray(codes, { minLength: 2 }),
  form: fc.constantFrom<Form>('rank', 'weights', 'orders'),
})
const runs = { numRuns: Number(process.env['RUNS'] ?? 40) }

/** A code that is never chosen, so that every day has a row. */
const idle = '159001.SZ'
const everyDay = rowsOf(idle, Array(length).fill(1))

function tablesOf(result: BacktestResult): Record<string, unknown>[][] {
  const { account, fills, rejected, positions, trips, events } = result
  return [account, fills, rejected, positions, trips, events].map((table) => toObjects(table))
}

test('a code that is never chosen changes nothing', () => {
  fc.assert(
    fc.property(run, ({ options: own, seed, symbols, form }) => {
      const chance = chances(seed)
      const [first = [], ...others] = symbols.map((symbol) => walk(symbol, chance))
      const strategy = strategyOf(form, seed, [idle, ...symbols.slice(1, 3)])
      const [all, without] = [others, others.slice(2)].map((some) =>
        backtest(marketOf([...first, ...some.flat(), ...everyDay]), strategy, own),
      ) as [BacktestResult, BacktestResult]
      expect(tablesOf(all)).toEqual(tablesOf(without))
      expect([all.equity, all.returns, all.warnings]).toEqual([without.equity, without.returns, without.warnings])
    }),
    runs,
  )
})

test('a market cut short has the same past', () => {
  fc.assert(
    fc.property(run, fc.integer({ min: 7, max: 12 }), ({ options: own, seed, symbols, form }, at) => {
      const cut = days[at] as string
      const chance = chances(seed)
      const rows = [...symbols.flatMap((symbol) => walk(symbol, chance)), ...everyDay]
      const isPast = (row: Record<string, unknown>): boolean => String(row['tradedate'] ?? row['closed']) < cut
      const [long, short] = [rows, rows.filter(({ tradedate }) => tradedate < cut)].map((some) =>
        tablesOf(backtest(marketOf(some), strategyOf(form, seed, [idle]), own)).map((table) => table.filter(isPast)),
      )
      expect(short).toEqual(long)
    }),
    runs,
  )
})
