import { type Bar, backtest, type Strategy, sweep } from 'quotebook'
import { expect, test } from 'vitest'
import { days, fillsOf, free, marketOf, type PriceName, rowsOf, thrownBy } from './helper/prices.js'

/** Strategies that know their account and remember: honest ones pass the look-ahead check, and those that cheat by what they remember do not. */

const nan = Number.NaN
const codes = ['110001.SH', '110002.SH', '110003.SH', '110004.SH', '110005.SH', '110006.SH']

function walk(seed: number, length: number): number[] {
  let state = seed
  let price = 100
  return Array.from({ length }, () => {
    state = (state * 16_807) % 2_147_483_647
    price = Math.round(1000 * price * (0.96 + (0.08 * state) / 2_147_483_647)) / 1000
    return price
  })
}

const market = marketOf(codes.flatMap((code, at) => rowsOf(code, walk(at * 7919 + 11, days.length))))
const width = codes.length
const top = { n: 2, side: 'highest' } as const
const low = { n: 2, side: 'lowest' } as const
type One = Strategy<PriceName>
type OneBar = Bar<PriceName>
const half = (code: string, share = 0.5) => ({ [code]: share })

const honest: Readonly<Record<string, One>> = {
  'a rest after an exit, remembered': {
    state: () => ({ left: {} as Record<string, number>, had: [] as string[] }),
    update: (now, state) => {
      const has = now.symbols.filter((_, at) => (now.shares[at] as number) > 0)
      for (const code of state.had) if (!has.includes(code)) state.left[code] = now.time
      state.had = has
    },
    universe: (bar, state) => !(state.left[bar.symbol] > days.indexOf(bar.day) - 5),
    score: (bar) => bar.close,
    pick: low,
  },
  'a rest after an exit, asked': { universe: (bar) => bar.daysSinceExit > 5, score: (bar) => bar.close, pick: low },
  'a stop by the account': {
    state: () => ({ peak: 0, rest: 0 }),
    update: (now, state) => {
      state.peak = Math.max(state.peak, now.equity)
      if (state.rest > 0) state.rest--
      else if (now.equity < 0.97 * state.peak) Object.assign(state, { rest: 5, peak: now.equity })
    },
    exit: (_, state) => state.rest > 0,
    universe: (_, state) => state.rest === 0,
    score: (bar) => bar.close,
    pick: low,
  },
  'a size by equity': { weights: (now) => half(now.symbols[0] as string, now.equity > 1e6 ? 0.9 : 0.4) },
  'a trailing stop between its weeks': {
    exit: (bar) => bar.close < 0.97 * bar.highSinceEntry,
    score: (bar) => bar.close,
    pick: top,
    when: { weekly: 1 },
  },
  'a stop and a take': {
    exit: (bar) => bar.close < 0.97 * bar.entryPrice || bar.close > 1.04 * bar.entryPrice,
    score: (bar) => bar.close,
    pick: low,
    when: { every: 4 },
  },
  'every third time': {
    state: () => ({ asked: 0 }),
    weights: (now, _, state) => half(now.symbols[state.asked++ % 3] as string),
  },
  'double after a loss': {
    state: () => ({ last: 1e6, size: 0.1 }),
    weights: (now, _, state) => {
      state.size = now.equity < state.last ? Math.min(0.8, 2 * state.size) : 0.1
      state.last = now.equity
      return half('110002.SH', state.size)
    },
  },
  'a mean that is carried on': {
    state: () => ({ mean: {} as Record<string, number> }),
    score: (bar, { mean }) => (mean[bar.symbol] = 0.9 * (mean[bar.symbol] ?? bar.close) + 0.1 * bar.close),
    pick: low,
  },
  'as it is while nothing is far': {
    weights: (now) =>
      Object.fromEntries(
        now.symbols.map((code, at) => [code, Math.abs((now.weights[at] as number) - 0.16) < 0.01 ? 'keep' : 0.16]),
      ),
  },
  'orders to a value': {
    orders: (now) => {
      const lots = Math.floor((0.3 * now.equity - (now.value[3] as number)) / (now.close[3] as number) / 10)
      return lots === 0 ? [] : [{ symbol: '110004.SH', side: lots > 0 ? 'buy' : 'sell', shares: 10 * Math.abs(lots) }]
    },
  },
  'a grid with its last price': {
    state: () => ({ last: 0 }),
    orders: (now, state) => {
      const close = now.close[4] as number
      const moved = state.last === 0 ? -1 : close / state.last - 1
      if (Math.abs(moved) < 0.02 || (moved > 0 && (now.shares[4] as number) === 0)) return []
      state.last = close
      return [{ symbol: '110005.SH', side: moved < 0 ? 'buy' : 'sell', shares: 100 }]
    },
  },
}

test.each(Object.keys(honest))('honest: %s', (name) => {
  const { lookahead, fills } = backtest(market, honest[name] as One, free)
  expect(lookahead).toEqual({ ok: true, cuts: lookahead?.cuts })
  expect(lookahead?.cuts).toBeGreaterThan(2)
  expect(fills.numRows).toBeGreaterThan(3)
})

/** What a strategy knows of the whole panel. */
const knowing = (make: (at: (time: number, symbol: number) => number) => object): One => ({
  prepare: ({ cols: { close } }) => make((time, symbol) => close[time * width + symbol] ?? nan) as never,
})
const place = (day: string): number => days.indexOf(day)
const meanOf = (at: (time: number, symbol: number) => number, symbol: number): number =>
  days.reduce((sum, _, time) => sum + at(time, symbol), 0) / days.length
const cheats: Readonly<Record<string, One>> = {
  'remembers the best of the whole time': knowing((at) => ({
    state: () => ({ best: codes.map((_, symbol) => at(days.length - 1, symbol) / at(0, symbol)) }),
    score: (bar: { index: number }, state: { best: number[] }) => state.best[bar.index],
    pick: top,
  })),
  'remembers the mean of the whole time': knowing((at) => ({
    state: () => ({ mean: 0 }),
    update: (_: unknown, state: { mean: number }) => void Object.assign(state, { mean: meanOf(at, 0) }),
    weights: (now: { close: Float64Array }, _: unknown, { mean }: { mean: number }) =>
      half('110001.SH', (now.close[0] as number) < mean ? 0.9 : 0.1),
  })),
  'exits before a fall': knowing((at) => ({
    exit: (bar: { day: string; index: number }) =>
      at(place(bar.day) + 2, bar.index) < at(place(bar.day) + 1, bar.index),
    score: (bar: { close: number }) => bar.close,
    pick: low,
    when: { weekly: 1 },
  })),
  'exits by the last low to come': knowing((at) => ({
    exit: (bar: { close: number; index: number }) =>
      bar.close > Math.min(...days.map((_, time) => at(time, bar.index))) * 1.1,
    score: (bar: { close: number }) => bar.close,
    pick: top,
  })),
  'counts down to the day of the top': knowing((at) => ({
    state: () => ({
      left: days.map((_, time) => at(time, 1)).indexOf(Math.max(...days.map((_, time) => at(time, 1)))),
    }),
    weights: (_now: unknown, _: unknown, state: { left: number }) => half('110002.SH', state.left-- > 0 ? 0.9 : 0),
  })),
  'sizes by the volatility of the whole time': knowing((at) => ({
    weights: (now: { equity: number }) =>
      half('110003.SH', Math.min(0.9, (0.1 * now.equity) / 1e6 / Math.abs(at(days.length - 1, 2) / at(0, 2) - 1))),
  })),
  'keeps what rises tomorrow': knowing((at) => ({
    weights: (now: { time: number; symbols: readonly string[] }) =>
      Object.fromEntries(
        now.symbols.map((code, symbol) => [code, at(now.time + 1, symbol) > at(now.time, symbol) ? 'keep' : 0.1]),
      ),
  })),
  'swaps by tomorrow': knowing((at) => ({
    score: (bar: { day: string; index: number }) => at(place(bar.day) + 1, bar.index),
    pick: { ...top, rebalance: 'swap' },
  })),
  'rests until it falls': knowing((at) => ({
    state: () => ({ until: {} as Record<string, number> }),
    universe: (bar: OneBar, { until }: { until: Record<string, number> }) => {
      if (at(place(bar.day) + 3, bar.index) < 0.97 * at(place(bar.day), bar.index))
        until[bar.symbol] = place(bar.day) + 3
      return place(bar.day) > (until[bar.symbol] ?? -1)
    },
    score: (bar: OneBar) => bar.close,
    pick: low,
  })),
  "a stop at tomorrow's low": knowing((at) => ({
    orders: (now: { time: number; shares: Float64Array }) =>
      (now.shares[0] as number) > 0
        ? [{ symbol: '110001.SH', side: 'sell', shares: 100, stop: at(now.time + 1, 0) || 50 }]
        : [{ symbol: '110001.SH', side: 'buy', shares: 100 }],
  })),
  'writes down what comes and uses it later': knowing((at) => ({
    state: () => ({ seen: [] as number[] }),
    weights: (now: { time: number }, _: unknown, { seen }: { seen: number[] }) => {
      seen.push(at(now.time + 1, 5) || 0)
      return half('110006.SH', seen.length > 6 && (seen.at(-6) as number) > 100 ? 0.8 : 0.2)
    },
  })),
  'a peak that is still to come': knowing((at) => ({
    state: () => ({ peak: 0 }),
    update: (now: { time: number }, state: { peak: number }) =>
      void Object.assign(state, { peak: Math.max(state.peak, at(now.time + 5, 2) || 0) }),
    exit: (bar: { close: number }, state: { peak: number }) => bar.close < 0.9 * state.peak,
    score: (bar: { close: number }) => bar.close,
    pick: low,
  })),
}

test.each(Object.keys(cheats))('it cheats: %s', (name) => {
  const { lookahead } = backtest(market, cheats[name] as One, { ...free, maxVolumeShare: 1 })
  expect(lookahead?.ok).toBe(false)
  expect(lookahead?.fault).toBeUndefined()
  expect(lookahead?.firstDifference).toBeDefined()
})

test('a Map of its own beside the state is no look-ahead, and is named as what it is', () => {
  const make = (): One => {
    const asked = new Map<string, number>()
    return {
      universe: (bar) => {
        asked.set(bar.symbol, (asked.get(bar.symbol) ?? 0) + 1)
        return (asked.get(bar.symbol) as number) % 4 > 0
      },
      score: (bar) => bar.close,
      pick: low,
    }
  }
  expect(backtest(market, make(), free).lookahead).toMatchObject({ ok: false, fault: 'nondeterministic' })
  // Made anew for each cut and asked from the first day on, it decides the same.
  expect(backtest(market, make(), { ...free, anew: make }).lookahead?.ok).toBe(true)
})

test('a state is plain data, and an object', () => {
  const of = (state: () => unknown): One => ({ state, weights: () => half('110001.SH') })
  const takes = "which can't be kept in a file; state takes numbers, text, true, false, null, arrays and plain objects"
  expect(
    thrownBy(() =>
      backtest(
        market,
        of(() => ({ peak: -Infinity })),
        free,
      ),
    ),
  ).toContain(`state.peak is -Infinity, ${takes}`)
  expect(
    thrownBy(() =>
      backtest(
        market,
        of(() => ({ left: new Map() })),
        free,
      ),
    ),
  ).toContain(`state.left is Map, ${takes}`)
  expect(
    thrownBy(() =>
      backtest(
        market,
        of(() => 7),
        free,
      ),
    ),
  ).toContain('state gives an object, such as { peak: 0 }; it gave 7')
})

test('what is sized at the decision is ordered whatever the open, and sizeAt: fill sizes it there', () => {
  const opens = [100, 100, 110, 110]
  const rows = rowsOf('110001.SH', [100, 100, 100, 100], (at) => ({ open: opens[at] as number, high: 110, low: 90 }))
  const only = marketOf(rows)
  const all: One = { weights: () => half('110001.SH'), when: { days: [days[1] as string] } }
  expect(fillsOf(backtest(only, all, free))).toEqual([`${days[2]} 110001.SH buy 5000 110`])
  expect(fillsOf(backtest(only, all, { ...free, sizeAt: 'fill' }))).toEqual([`${days[2]} 110001.SH buy 4540 110`])
})

test('a stop waits for its price: filled there, at the open beyond it, or not at all', () => {
  const rows = rowsOf('110001.SH', [100, 100, 100, 100, 100], (at) => ({
    open: [100, 100, 98, 90, 100][at] as number,
    high: 103,
    low: [97, 97, 93, 88, 97][at] as number,
  }))
  const of = (day: number, stop: number, side: 'buy' | 'sell' = 'sell', more = {}): string[] =>
    fillsOf(
      backtest(
        marketOf(rows),
        {
          orders: (now) =>
            now.time === 0 && side === 'sell'
              ? [{ symbol: '110001.SH', side: 'buy', shares: 100 }]
              : now.time === day
                ? [{ symbol: '110001.SH', side, shares: 100, stop, ...more }]
                : [],
        },
        free,
      ),
    ).slice(side === 'sell' ? 1 : 0)
  const at = (day: number, side: string, price: number): string[] => [`${days[day]} 110001.SH ${side} 100 ${price}`]
  expect(of(1, 95)).toEqual(at(2, 'sell', 95))
  expect(of(2, 95)).toEqual(at(3, 'sell', 90))
  expect(of(1, 92)).toEqual([])
  expect(of(1, 95, 'sell', { limit: 96 })).toEqual([])
  expect(of(1, 102, 'buy')).toEqual(at(2, 'buy', 102))
  expect(of(1, 104, 'buy')).toEqual([])
})

test('a high that its own day contradicts ends a run that reads it, and no other', () => {
  const rows = rowsOf('110001.SH', [100, 100, 100, 100, 100], (at) => (at === 2 ? { high: 180 } : {}))
  const only = marketOf(rows)
  expect(only.findings).toHaveLength(1)
  const all: One = { weights: () => half('110001.SH') }
  expect(backtest(only, all, free).fills.numRows).toBe(1)
  const trailing: One = { ...all, exit: (bar) => bar.close < 0.5 * bar.highSinceEntry }
  expect(thrownBy(() => backtest(only, trailing, free))).toMatch(/^CONTRADICTED: .*110001\.SH.*20260703/)
})

test('runs of a sweep do not share the ranks of a strategy that remembers', () => {
  const make = ({ n }: { n: number }): One => ({
    state: () => ({ asked: 0 }),
    score: (bar, state) => bar.close * (state.asked++ % 2 ? 1 : -1),
    pick: { n, side: 'lowest' },
  })
  const shared = () => sweep(market, { n: [1, 2] }, make as never, { ...free, lookahead: false, scoreParams: [] })
  expect(thrownBy(shared)).toContain('so runs can not share scoreParams')
})
