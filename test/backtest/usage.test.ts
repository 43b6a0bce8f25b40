import { expect, test } from 'vitest'
import { backtest } from '../../src/backtest/backtest.js'
import type { BacktestOptions } from '../../src/backtest/backtest-options.js'
import { days, free, marketOf, rowsOf, thrownBy } from './small-market.js'

const market = marketOf([...rowsOf('600001.SH', [10, 10, 10]), ...rowsOf('110001.SH', [100, 100, 100])])
const nothing = (): void => {}
const wrongOptions = (options: unknown): string =>
  thrownBy(() => backtest(market, nothing, { ...{ cash: 1e6 }, ...(options as BacktestOptions) }))
const wrongStrategy = (strategy: unknown): string => thrownBy(() => backtest(market, strategy as never, free))
const score = () => 1
const pick = { n: 1, side: 'lowest' }

test.each([
  [{ cash: 0 }, 'backtest: cash is yuan at the start, above 0 and in whole fen, not 0'],
  [{ cash: '1000000' }, "backtest: cash is yuan at the start, above 0 and in whole fen, not '1000000'"],
  [{ cash: 0.001 }, 'backtest: cash is yuan at the start, above 0 and in whole fen, not 0.001'],
  [{ cash: 1e13 }, 'backtest: an account of more than a trillion yuan can not be kept to the fen'],
  [
    { slippage: 1 },
    /^USAGE: backtest has no option 'slippage'; it takes cash, exec, slippageTicks, slippageBps, maxVolumeShare/,
  ],
  [{ slippageTicks: 0.5 }, 'backtest: slippageTicks is a whole number from 0, not 0.5'],
  [{ slippageTicks: 1, slippageBps: 1 }, 'backtest: slippageTicks or slippageBps, not both'],
  [{ slippageBps: -1 }, 'backtest: slippageBps is from 0 to 10000, not -1'],
  [{ maxVolumeShare: 0 }, 'backtest: maxVolumeShare is above 0 and at most 1, or null; not 0'],
  [{ maxVolumeShare: 10 }, 'backtest: maxVolumeShare is above 0 and at most 1, or null; not 10'],
  [{ band: -1 }, 'backtest: band is a whole number of steps, from 0, not -1'],
  [{ exRights: 'drop' }, "backtest: exRights is 'shares', 'cash' or 'none', not 'drop'"],
  [{ exec: 'nextOpen' }, 'exec takes an object of options (decide, fill), not a string'],
  [{ exec: { decide: 'noon', fill: 'nextOpen' } }, "backtest: exec: { decide } is 'close' or 'open', not 'noon'"],
  [
    { exec: { decide: 'close' } },
    'backtest: exec: { fill } is one of nextOpen, nextClose, nextVwap, sameClose; not undefined',
  ],
  [{ commission: 0.0003 }, 'commission takes an object of options (rate, min, byClass), not 0.0003'],
  [{ commission: { rat: 0.0003 } }, "commission has no option 'rat'; did you mean 'rate'?"],
  [{ commission: { rate: 3 } }, 'backtest: a commission rate is a share of the amount such as 0.00025, not 3'],
  [{ commission: { min: -5 } }, 'backtest: the least commission is in yuan, from 0, not -5'],
  [
    { commission: { byClass: { ETF: 0.0001 } } },
    "commission of 'ETF' takes an object of options (rate, min), not 0.0001",
  ],
  [
    { commission: { byClass: { bond: { rate: 0.0001, min: 1 } } } },
    /^USAGE: backtest: byClass of the commission has no class 'bond'; there are SSE main, .*convertible bond$/,
  ],
])('options %j are refused in one line', (options, message) => {
  const found = wrongOptions(options)
  if (typeof message === 'string') expect(found).toBe(`USAGE: ${message}`)
  else expect(found).toMatch(message)
  expect(found).not.toMatch(/\n|\[object|function|TypeError/)
})

test('options that are none', () => {
  expect(thrownBy(() => backtest(market, nothing, undefined as never))).toMatch(
    /^USAGE: backtest takes an object of options \(cash, .*, not undefined$/,
  )
})

test.each([
  [null, 'strategy: an object with score, weights or orders, or a function, not null'],
  ['momentum', "strategy: an object with score, weights or orders, or a function, not 'momentum'"],
  [{}, 'strategy: it has neither score, nor weights, nor orders'],
  [{ score, pick, orders: score }, 'strategy: it has score and orders; take one'],
  [{ score: 5, pick }, 'strategy: score must be a function, not 5'],
  [
    { score, pick, univers: score },
    "strategy: no member 'univers'; there are score, universe, pick, weight, weights, orders, when",
  ],
  [{ score }, 'strategy: pick: { n } is how many are held, a whole number from 1'],
  [{ score, pick: null }, 'strategy: pick: { n } is how many are held, a whole number from 1'],
  [{ score, pick: { n: 0, side: 'lowest' } }, 'strategy: pick: { n } is how many are held, a whole number from 1'],
  [{ score, pick: { n: 1, side: 'best' } }, "strategy: pick: { side } is 'lowest' or 'highest'"],
  [{ score, pick: { ...pick, keepWithin: 1.5 } }, 'strategy: pick: { keepWithin } is a rank, from 1'],
  [{ score, pick, weight: 'half' }, "strategy: weight must be 'equal' or a function, not 'half'"],
  [{ score, pick, weight: () => 2 }, 'strategy: the weights are 2 together, more than the account'],
  [
    { weights: (_: unknown, out: Float64Array) => out.fill(-1) },
    'strategy: the weight of 110001.SH is -1; weights are shares of the account, at least 0',
  ],
  [
    { weights: (_: unknown, out: Float64Array) => out.fill(Number.NaN) },
    'strategy: the weight of 110001.SH is NaN; weights are shares of the account, at least 0',
  ],
  [{ orders: nothing }, 'strategy: orders gives an array of orders, [] for none, not undefined: is a return missing?'],
  [{ prepare: 5 }, 'strategy: prepare must be a function, not 5'],
  [{ prepare: () => undefined }, 'strategy: an object with score, weights or orders, or a function, not undefined'],
  [
    { score: (bar: { mean: (name: string, times: number) => number }) => bar.mean('close', 0), pick },
    "mean('close', 0): a mean is over 1 time or more",
  ],
])('strategy %# is refused in one line', (strategy, message) => {
  expect(wrongStrategy(strategy)).toBe(`USAGE: ${message}`)
})

test('a strategy that prepares itself for ever ends', () => {
  const again: object = { prepare: () => again }
  expect(wrongStrategy(again)).toMatch(/^USAGE: strategy: prepare gives a strategy that is to be prepared again/)
})

test('prices that are not raw, columns that are not there', () => {
  const adjusted = marketOf(rowsOf('600001.SH', [10, 10.12345, 10]))
  const all = { score, pick: { n: 1, side: 'lowest' as const } }
  expect(thrownBy(() => backtest(adjusted, all, free))).toBe(
    `INVALID_VALUE: open of 600001.SH on ${days[1]} is 10.12345: a backtest wants raw prices, in whole thousandths of a yuan`,
  )
  for (const price of [Number.POSITIVE_INFINITY, -1, 0]) {
    expect(thrownBy(() => backtest(marketOf(rowsOf('600001.SH', [10, price, 10])), all, free))).toMatch(
      /^INVALID_VALUE: \w+ of 600001.SH/,
    )
  }
  const volume = marketOf(rowsOf('600001.SH', [10, 10, 10], () => ({ vol: -5 })))
  expect(thrownBy(() => backtest(volume, all, free))).toBe(
    `INVALID_VALUE: vol of 600001.SH on ${days[1]} is -5: a volume is a number of lots from 0`,
  )
  const closes = marketOf(rowsOf('600001.SH', [10, 10, 10]), { columns: ['close'] })
  expect(thrownBy(() => backtest(closes, all, free))).toMatch(
    /^MISSING_COLUMN: the panel has no column 'open'; it has close/,
  )
  const vwap = { ...free, exec: { decide: 'close', fill: 'nextVwap' } } as const
  expect(thrownBy(() => backtest(closes, all, vwap))).toMatch(/^MISSING_COLUMN: the panel has no column 'vol'/)
  expect(
    thrownBy(() => backtest(market, { score: (bar) => bar.lag('clos' as never, 1), pick: all.pick }, free)),
  ).toMatch(/^MISSING_COLUMN: the panel has no column 'clos'/)
})

test('a class without parts of its commission takes them from the rest', () => {
  const run = (commission: NonNullable<BacktestOptions['commission']>) => {
    const result = backtest(market, (_, weights) => void weights.fill(0.4), { ...free, commission, lookahead: false })
    return [...(result.account.getChild('commission') ?? [])].slice(1)
  }
  const partly = { rate: 0.001, min: 0, byClass: { 'convertible bond': { min: 7000 } as never } }
  expect(run(partly)[0]).toBe(0.4 * 1e6 * 0.001 + 7000)
})
