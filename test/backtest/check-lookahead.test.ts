import { expect, test } from 'vitest'
import { backtest } from '../../src/backtest/backtest.js'
import type { BacktestOptions } from '../../src/backtest/backtest-options.js'
import { checkLookahead } from '../../src/backtest/check-lookahead.js'
import type { Bar } from '../../src/backtest/cursor.js'
import type { Strategy } from '../../src/backtest/strategy.js'
import type { Data } from '../../src/frame/data.js'
import { fromRows } from '../../src/table/from-rows.js'
import { days, free, marketOf, type PriceName, rowsOf, thrownBy } from './small-market.js'

/** A price in hundredths that goes up and down without a rule that a strategy could have learned. */
function walk(seed: number, length: number): number[] {
  let [state, price] = [seed, 1000 + (seed % 500)]
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    price = Math.max(200, price + ((state >>> 16) % 41) - 20)
    return price / 100
  })
}

const symbols = Array.from({ length: 6 }, (_, at) => `60000${at}.SH`)
const market = marketOf(symbols.flatMap((symbol, at) => rowsOf(symbol, walk(at * 7919 + 11, days.length))))
const lonely = marketOf(rowsOf('110001.SH', walk(5, days.length)))
const width = symbols.length
const top = { n: 2, side: 'highest' } as const

type Named = Bar<PriceName>
type One = Strategy<PriceName>

/** A strategy by an array that is computed over the whole panel. */
const byArray = (make: (close: Float64Array, width: number) => Float64Array): One => ({
  prepare: (panel) => {
    const values = make(panel.cols.close, panel.symbols.length)
    const times = new Map(panel.days.map((day, at) => [day, at]))
    const score = (bar: Named): number =>
      values[(times.get(bar.day) as number) * panel.symbols.length + bar.index] as number
    return { score, pick: { ...top, n: Math.min(2, panel.symbols.length) } }
  },
})

const at = (close: Float64Array, cell: number): number => close[cell] ?? Number.NaN

const caught: Readonly<Record<string, One>> = {
  'a centred mean': byArray((close, w) => close.map((x, cell) => (at(close, cell - w) + x + at(close, cell + w)) / 3)),
  'a mean of 21 days whose last is tomorrow': byArray((close, w) =>
    close.map((_, cell) =>
      Array.from({ length: 21 }, (_, k) => at(close, cell + (1 - k) * w)).reduce((a, b) => a + b, 0),
    ),
  ),
  'whether it closes higher tomorrow': byArray((close, w) =>
    close.map((x, cell) => (at(close, cell + w) > x ? 1 : Number.NaN)),
  ),
  'a flag of the day after, and nothing else': {
    prepare: ({ cols: { close, pre_close } }) => ({
      orders: ({ time, symbols: [symbol = ''] }) =>
        (close[(time + 1) * width] ?? 0) >= (pre_close[(time + 1) * width] ?? 0) * 1.01
          ? [{ symbol, side: 'buy', shares: 100 }]
          : [],
    }),
  },
  'a rank over the whole column': byArray((close) => {
    const order = [...close].map((x, cell) => [x, cell] as const).sort(([a], [b]) => a - b)
    const rank = new Float64Array(close.length)
    order.forEach(([x, cell], place) => {
      rank[cell] = place < order.length / 2 ? Number.NaN : x
    })
    return rank
  }),
  'the mean and deviation of all days': byArray((close, w) => {
    const means = Array.from({ length: w }, (_, one) => {
      const own = close.filter((_, cell) => cell % w === one)
      return own.reduce((a, b) => a + b, 0) / own.length
    })
    return close.map((x, cell) => x / (means[cell % w] as number))
  }),
  'the winners of the whole time': {
    prepare: ({ cols: { close }, symbols: { length } }) => {
      const gain = (one: number): number => at(close, close.length - length + one) / at(close, one)
      return { score: (bar) => gain(bar.index), pick: top }
    },
  },
  'a counter': (() => {
    let calls = 0
    return { score: (bar) => (bar.index + calls++ * 7919) % 13, pick: top } satisfies One
  })(),
  'Math.random': { score: () => Math.random(), pick: top },
  'weights by tomorrow': {
    prepare:
      ({ cols: { close } }) =>
      (now, weights) => {
        weights[0] = at(close, (now.time + 1) * width) > at(close, now.time * width) ? 1 : 0
      },
  },
}

test.each(Object.keys(caught))('caught: %s', (name) => {
  const check = checkLookahead(market, caught[name] as One, free)
  expect(check.ok).toBe(false)
  expect(check.firstDifference?.time).toMatch(/^2026\d{4}$/)
  expect(check.firstDifference?.cut, 'the decision is not later than the cut').toBe(
    [check.firstDifference?.cut, check.firstDifference?.time].sort().at(-1),
  )
  const { warnings } = backtest(market, caught[name] as One, free)
  expect(warnings.filter((line) => line.includes('the strategy looks ahead'))).toHaveLength(1)
})

test('caught with one instrument alone, whichever way it moves', () => {
  const peek = (sign: 1 | -1): One => ({
    prepare:
      ({ cols: { close } }) =>
      (now, weights) => {
        weights[0] = (at(close, now.time + 1) - at(close, now.time)) * sign > 0 ? 1 : 0
      },
  })
  expect([checkLookahead(lonely, peek(1), free).ok, checkLookahead(lonely, peek(-1), free).ok]).toEqual([false, false])
})

test('caught: who is still there at the end, who is ST next month, who is redeemed', () => {
  const gone = rowsOf('600009.SH', walk(3, 30)).map((row) => ({
    ...row,
    close: Number(((row.close ?? 0) + 90).toFixed(2)),
  }))
  const rows = [
    ...symbols.flatMap((symbol, one) => rowsOf(symbol, walk(one + 1, days.length))),
    ...gone.map((row) => ({ ...row, pre_close: row.close })),
  ]
  const st = fromRows(days.slice(35).map((tradedate) => ({ tradedate, code: '600009.SH' }))) as Data
  const ending = marketOf(rows, { st, ends: [{ symbol: '600009.SH', day: days[30] as string }] })
  const [w, last] = [ending.symbols.length, ending.present.length - ending.symbols.length]
  const survivor: One = {
    prepare: ({ present }) => ({
      universe: (bar) => present[last + bar.index] === 1,
      score: (bar) => bar.close,
      pick: top,
    }),
  }
  const unmarked: One = {
    prepare: ({ marked }) => ({
      universe: (bar) => marked?.[36 * w + bar.index] === 0,
      score: (bar) => bar.close,
      pick: top,
    }),
  }
  const unredeemed: One = {
    prepare: ({ instruments }) => ({
      universe: (bar) => !instruments[bar.index]?.end,
      score: (bar) => bar.close,
      pick: top,
    }),
  }
  for (const strategy of [survivor, unmarked, unredeemed]) expect(checkLookahead(ending, strategy, free).ok).toBe(false)
  expect(checkLookahead(ending, { score: (bar) => bar.close, pick: top }, free).ok).toBe(true)
})

test('caught: a column known later that prepare reads around the cursor', () => {
  const flows = fromRows(
    days.flatMap((tradedate, day) =>
      symbols.map((code, one) => ({ tradedate, code, net: (day * 31 + one * 17) % 23 })),
    ),
  )
  const joined = marketOf(
    symbols.flatMap((symbol, one) => rowsOf(symbol, walk(one + 1, days.length))),
    { join: [{ data: flows, columns: ['net'], knownAt: '18:00:00' }] },
  )
  const net = (lag: number): One => ({
    prepare: (panel) => ({
      score: (bar) => panel.column('net')[(panel.days.indexOf(bar.day) - lag) * width + bar.index] ?? Number.NaN,
      pick: top,
    }),
  })
  expect(checkLookahead(joined, net(0), free).ok).toBe(false)
  expect(checkLookahead(joined, net(1), free).ok).toBe(true)
})

test('a lag into the future is an error of its own', () => {
  const ahead: One = { score: (bar) => bar.lag('close', -1), pick: top }
  expect(thrownBy(() => backtest(market, ahead, free))).toBe(
    "LOOK_AHEAD: lag('close', -1): it goes back by 0 times or more, never ahead",
  )
  expect(thrownBy(() => backtest(market, { score: (bar) => bar.lag('close', 0.5), pick: top }, free))).toMatch(
    /^LOOK_AHEAD/,
  )
})

const trailing = byArray((close, w) =>
  close.map((_, cell) => Array.from({ length: 5 }, (_, back) => at(close, cell - back * w)).reduce((a, b) => a + b, 0)),
)
const open = { exec: { decide: 'open', fill: 'nextOpen' } } as const
const openToClose = { exec: { decide: 'open', fill: 'nextClose' } } as const
const honest: Readonly<Record<string, readonly [One, Partial<BacktestOptions>?]>> = {
  'a lag': [{ score: (bar) => bar.close / bar.lag('close', 5), pick: top }],
  'a mean': [{ universe: (bar) => bar.close > bar.mean('close', 10), score: (bar) => bar.mean('vol', 3), pick: top }],
  'prepare with a trailing mean': [trailing],
  weights: [
    (now, weights) =>
      now.close.forEach((x, one) => {
        weights[one] = x > (now.pre_close[one] as number) ? 0.15 : 0
      }),
  ],
  orders: [
    {
      orders: ({ close, shares, symbols: codes, time }) =>
        codes.map((symbol, one) =>
          (shares[one] as number) > 500
            ? { symbol, side: 'sell', shares: shares[one] as number, limit: (close[one] as number) * 1.01 }
            : { symbol, side: 'buy', shares: 100 + (time % 3) * 100 },
        ),
    },
  ],
  'what is held': [
    {
      universe: (bar) => bar.held || bar.close > bar.lag('close', 1),
      score: (bar) => bar.close,
      pick: { ...top, keepWithin: 4 },
    },
  ],
  'days of listing': [{ universe: (bar) => bar.listedDays > 5, score: (bar) => -bar.close, pick: top }],
  weekly: [{ score: (bar) => bar.close, pick: top, when: { weekly: 1 } }],
  monthly: [{ score: (bar) => bar.close, pick: top, when: { monthly: 2 } }],
  'at the open': [{ score: (bar) => bar.open / bar.pre_close, pick: top }, open],
  'at the open, by what is held': [
    { universe: (bar) => !bar.held || bar.open > bar.lag('close', 1), score: (bar) => bar.open, pick: top },
    { ...openToClose, maxVolumeShare: 0.1 },
  ],
  'at the open, orders by shares': [
    {
      orders: ({ shares, symbols: codes }) =>
        codes.slice(0, 2).map((symbol, one) => {
          const held = shares[one] as number
          return { symbol, side: held > 700 ? 'sell' : 'buy', shares: 100 + held - (held % 100) }
        }),
    },
    { ...open, maxVolumeShare: 0.001, cash: 1e5 },
  ],
}

test.each(Object.keys(honest))('not caught: %s', (name) => {
  const [strategy, options = {}] = honest[name] as (typeof honest)[string]
  const check = checkLookahead(market, strategy, { ...free, ...options }, 40)
  expect(check.firstDifference).toBeUndefined()
  expect(check).toEqual({ ok: true, cuts: check.cuts })
  expect(check.cuts).toBeGreaterThan(0)
  const result = backtest(market, strategy, { ...free, ...options })
  expect(result.fills.numRows).toBeGreaterThan(0)
  expect(result.lookahead?.ok).toBe(true)
})

test('at the open neither close nor volume of the bar can be read', () => {
  for (const name of ['close', 'high', 'low', 'vol'] as const) {
    expect(thrownBy(() => backtest(market, { score: (bar) => bar[name], pick: top }, { ...free, ...open }))).toMatch(
      new RegExp(
        `^LOOK_AHEAD: '${name}' of 20260701 is known at the close of its bar, and the decision is made at the open, 09:25:00`,
      ),
    )
  }
})

test('it can be left out', () => {
  const { lookahead, warnings } = backtest(market, caught['Math.random'] as One, { ...free, lookahead: false })
  expect([lookahead, warnings]).toEqual([undefined, []])
})
