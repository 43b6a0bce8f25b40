import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Data } from '../../../src/frame/data.js'
import { toObjects } from '../../../src/frame/read-columns.js'
import { fromRows } from '../../../src/frame/table/from-rows.js'
import { type BacktestResult, backtest } from '../../../src/research/backtest/backtest.js'
import type { BacktestOptions } from '../../../src/research/backtest/backtest-options.js'
import type { Bar } from '../../../src/research/backtest/cursor.js'
import type { PanelOptions } from '../../../src/research/backtest/make-panel.js'
import type { Delisting } from '../../../src/research/backtest/panel.js'
import type { Strategy, StrategyOrder } from '../../../src/research/backtest/strategy.js'
import { chances } from '../../helper/chance.js'
import { days, marketOf, type PriceName, type PriceRow, rowsOf } from '../../promise/helper/prices.js'

/** The rules of a class in July 2026, written down once more: prices in mills, limits in thousandths. */
interface Kind {
  readonly tick: number
  readonly limit: number
  /** First days without a limit. */
  readonly free: number
  /** Limits of the first day alone. */
  readonly first?: readonly [number, number]
}

const stock = { tick: 10, limit: 100, free: 5 }
const fund = { ...stock, tick: 1, free: 0 }
const kinds: Readonly<Record<string, Kind>> = {
  '600001.SH': stock,
  '000002.SZ': stock,
  '300001.SZ': { ...stock, limit: 200 },
  '688001.SH': { ...stock, limit: 200 },
  '920001.BJ': { ...stock, limit: 300, free: 1 },
  '510300.SH': fund,
  '588000.SH': { ...fund, limit: 200 },
  '513100.SH': fund,
  '110001.SH': { ...fund, limit: 200, first: [573, -433] },
  '123002.SZ': { ...fund, limit: 200, first: [573, -433] },
}

/** The code that is ST, and the days on which it is; up to 20260703 its limit is 5 %. */
const marked = '000002.SZ'
const isMarked = (day: number): boolean => day < 8

/** Lowest and highest price of a day, in mills; half up in whole numbers. */
function bandOf(symbol: string, day: number, start: number, pre: number): readonly [number, number] {
  const { tick, limit, free, first } = kinds[symbol] as Kind
  const age = start === 0 ? 999 : day - start
  if (age < free) return [0, Number.POSITIVE_INFINITY]
  const own = symbol === marked && isMarked(day) && day < 3 ? 50 : limit
  const [up, down] = first && age < 1 ? first : [own, -own]
  const at = (thousandths: number): number =>
    Math.floor((2 * pre * (1000 + thousandths) + 1000 * tick) / (2000 * tick)) * tick
  return [Math.max(tick, Math.min(at(down), pre - tick)), Math.max(at(up), pre + tick)]
}

interface RandomMarket {
  readonly rows: readonly PriceRow[]
  /** Index of the first day of each code. */
  readonly starts: Readonly<Record<string, number>>
  readonly delistings: readonly Delisting[]
  readonly seed: number
}

const length = 14

/** The rows of one code: a walk within the limits that often ends at them, suspended now and then, with ex-rights. */
function walk(symbol: string, start: number, end: number, chance: () => number): PriceRow[] {
  const { tick } = kinds[symbol] as Kind
  let last = Math.round((5000 + chance() * 95_000) / tick) * tick
  const rows: PriceRow[] = []
  for (let day = start; day < end; day++) {
    if (day > start && chance() < 0.12) continue
    const pre = chance() < 0.07 ? Math.max(tick, Math.round((last * (0.4 + chance() * 0.7)) / tick) * tick) : last
    const [down, up] = bandOf(symbol, day, start, pre)
    const [low, high] = [Math.max(down, tick), Math.min(up, pre * 3)]
    const price = (): number => {
      const kind = chance()
      if (kind < 0.12) return high
      if (kind < 0.24) return low
      return Math.min(high, Math.max(low, Math.round((pre * (0.96 + chance() * 0.08)) / tick) * tick))
    }
    const [open, close] = [price(), price()]
    const vol = chance() < 0.05 ? null : chance() < 0.05 ? 0 : Math.floor(10 ** (chance() * 6))
    const yuan = { open, close, high: Math.max(open, close), low: Math.min(open, close), pre_close: pre }
    const inYuan = Object.fromEntries(Object.entries(yuan).map(([name, mills]) => [name, mills / 1000])) as typeof yuan
    rows.push({ tradedate: days[day] as string, code: symbol, ...inYuan, vol })
    last = close
  }
  return rows
}

const randomMarket: fc.Arbitrary<RandomMarket> = fc
  .record({ seed: fc.nat(2 ** 31), symbols: fc.subarray(Object.keys(kinds), { minLength: 2 }) })
  .map(({ seed, symbols }) => {
    const chance = chances(seed)
    const delistings: Delisting[] = []
    const starts: Record<string, number> = {}
    const rows = symbols.flatMap((symbol, place) => {
      const start = place === 0 || chance() < 0.7 ? 0 : 1 + Math.floor(chance() * 6)
      starts[symbol] = start
      const isEnding = place > 0 && chance() < 0.2
      const end = isEnding ? 8 + Math.floor(chance() * 4) : length
      if (isEnding) delistings.push({ symbol, day: days[end] as string, ...(chance() < 0.5 ? { price: 100.701 } : {}) })
      return walk(symbol, start, end, chance)
    })
    return { rows, starts, delistings, seed }
  })

function optionsOf({ starts, delistings }: RandomMarket): Partial<PanelOptions<Data, PriceName>> {
  const listed = Object.fromEntries(
    Object.entries(starts).flatMap(([symbol, at]) => (at ? [[symbol, days[at] as string]] : [])),
  )
  const st = fromRows(
    days.slice(0, length).flatMap((tradedate, day) => (isMarked(day) ? [{ tradedate, code: marked }] : [])),
  ) as Data
  return { listed, delistings, st }
}

/** A number from 0 up to 1 by code, day and seed. */
function luck(symbol: string, day: string, seed: number): number {
  let hash = seed | 1
  for (const char of symbol + day) hash = Math.imul(hash ^ char.charCodeAt(0), 16_777_619)
  return chances(hash)()
}

/** Strategies of each form that know nothing and trade much; codes of `left` are never chosen. */
function strategyOf(
  form: 'rank' | 'weights' | 'orders',
  seed: number,
  left: readonly string[] = [],
): Strategy<PriceName> {
  if (form === 'rank') {
    const score = (bar: Bar<PriceName>): number => luck(bar.symbol, bar.day, seed)
    const universe = (bar: Bar<PriceName>): boolean => !left.includes(bar.symbol)
    return { universe, score, pick: { n: 1 + (seed % 4), side: 'lowest', exitRank: 1 + (seed % 6) } }
  }
  if (form === 'weights') {
    return ({ day, symbols }, weights) => {
      symbols.forEach((symbol, at) => {
        const value = luck(symbol, day, seed)
        weights[at] = value < 0.4 && !left.includes(symbol) ? Math.round(value * 25) / 100 : 0
      })
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

const forms = fc.constantFrom('rank' as const, 'weights' as const, 'orders' as const)

const randomOptions: fc.Arbitrary<BacktestOptions> = fc
  .record({
    cash: fc.constantFrom(5000, 123_456.78, 1e6, 1e8),
    fill: fc.constantFrom('nextOpen' as const, 'nextClose' as const, 'sameClose' as const),
    slippageTicks: fc.constantFrom(0, 1, 3),
    maxVolumeShare: fc.constantFrom(null, 0.1, 0.003),
    commission: fc.constantFrom(
      {},
      { rate: 0, min: 0 },
      { rate: 0.0003, min: 0.1, byClass: { 'convertible bond': { rate: 0.0001, min: 1 } } },
    ),
    exRights: fc.constantFrom('shares' as const, 'cash' as const, 'none' as const),
    minTradeLots: fc.constantFrom(0, 3),
  })
  .map(({ fill, ...rest }) => ({ ...rest, exec: { decide: 'close', fill } }))

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
          backtest(marketOf(some, optionsOf(market)), strategy, { ...options, ...quick }),
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
