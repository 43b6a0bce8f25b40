import { expect, test } from 'vitest'
import { tradingDays } from '../../../src/contract/calendar.js'
import { toObjects } from '../../../src/frame/read-columns.js'
import { fromRows } from '../../../src/frame/table/from-rows.js'
import { backtest } from '../../../src/research/backtest/backtest.js'
import type { BacktestOptions } from '../../../src/research/backtest/backtest-options.js'
import { panel } from '../../../src/research/backtest/make-panel.js'
import type { Panel } from '../../../src/research/backtest/panel.js'
import {
  type PaperRun,
  panelUntil,
  paperChanges,
  paperDay,
  type ResultRow,
} from '../../../src/research/backtest/paper-account.js'
import type { Strategy } from '../../../src/research/backtest/strategy.js'

/** A paper account kept day by day, its state through JSON and each day's panel cut at that day, beside one backtest. */

const days = tradingDays('20260601', '20260731')
const codes = ['600000.SH', '300001.SZ', '688001.SH', '113001.SH', '510300.SH', '920001.BJ']

function lots(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** Walks with suspensions, prices at their limits, ex-rights, a late listing and an end. */
function world(seed: number): Panel {
  const next = lots(seed)
  const rows = codes.flatMap((code, place) => {
    let before = Math.round(800 + 3000 * next()) / 100
    return days.flatMap((tradedate, at) => {
      if (next() < 0.08 || (place === 1 && at < 6) || (place === 3 && at >= 30)) return []
      const pre = next() < 0.05 ? Math.round(before * 90) / 100 : before
      const price = (): number => Math.round(pre * (1 + (next() - 0.5) * 0.3) * 100) / 100
      const [open, close] = [price(), price()]
      const row = {
        tradedate,
        code,
        open,
        close,
        high: Math.round(100 * Math.max(open, close) + 50) / 100,
        low: Math.round(100 * Math.min(open, close) - 50) / 100,
        pre_close: pre,
        vol: Math.floor(3000 * next()),
      }
      before = close
      return [row]
    })
  })
  const columns = ['open', 'close', 'high', 'low', 'pre_close', 'vol'] as const
  const delistings = [{ symbol: '113001.SH', day: days[31] as string, price: 101.5 }]
  const given = { columns: [...columns] as never[], delistings, ignore: codes }
  return panel(fromRows(rows) as never, given) as unknown as Panel
}

const pseudo = (time: number, at: number): number => ((time * 37 + at * 101) % 17) / 17
const strategies: Readonly<Record<string, Strategy>> = {
  weights: {
    weights: ({ symbols, time }) => Object.fromEntries(symbols.map((code, at) => [code, pseudo(time, at) / 6])),
    when: { every: 2 },
  },
  ranks: { score: (bar) => pseudo(bar.close as number, bar.index), pick: { n: 3, side: 'highest', exitRank: 4 } },
  orders: {
    orders: ({ symbols, time, ...now }) =>
      symbols.flatMap((symbol, place) => {
        const close = (now as unknown as { close: Float64Array }).close?.[place] as number
        const kind = pseudo(time, place)
        if (!(close > 0) || kind > 0.7) return []
        const side = kind < 0.4 ? ('buy' as const) : ('sell' as const)
        const [limit, at] = [Math.round(close * 99) / 100, 'close' as const]
        return [{ symbol, side, shares: 200, ...(kind < 0.2 && { limit }), ...(kind > 0.6 && { at }) }]
      }),
  },
}

Object.assign(strategies, {
  'a state and exits': {
    state: () => ({ peak: 0, quiet: 0 }),
    update: (now, state) => {
      state.peak = Math.max(state.peak, now.equity)
      state.quiet = now.equity < 0.93 * state.peak ? 5 : Math.max(0, state.quiet - 1)
      if (state.quiet === 5) state.peak = now.equity
    },
    exit: (bar, state) => state.quiet > 0 || (bar['close'] as number) < 0.9 * bar.highSinceEntry,
    universe: (bar, state) => state.quiet === 0 && bar.daysSinceExit > 2,
    score: (bar) => pseudo(bar['close'] as number, bar.index),
    pick: { n: 3, side: 'highest' },
    when: { weekly: 2 },
  },
  'swap alone': {
    score: (bar) => pseudo(bar['close'] as number, bar.index),
    pick: { n: 3, side: 'highest', exitRank: 4, rebalance: 'swap' },
  },
  'what is kept': {
    weights: ({ symbols, shares, time }) =>
      Object.fromEntries(
        symbols.flatMap((code, at) => {
          const kind = pseudo(time, at)
          if (kind < 0.3) return []
          return [[code, kind > 0.5 && (shares[at] as number) > 0 ? 'keep' : kind / 7]]
        }),
      ),
  },
} satisfies Record<string, Strategy>)

/** What was wanted of a code on a side, filled or not. */
function wantedOf(filled: readonly ResultRow[], refused: readonly ResultRow[]): Map<string, number> {
  const wanted = new Map(filled.map((row) => [`${row['symbol']} ${row['side']}`, Number(row['shares'])]))
  for (const row of refused) wanted.set(`${row['symbol']} ${row['side']}`, Number(row['wanted']))
  return wanted
}

/** How many orders of plans were given the day after, each with its number; not of what ex-rights or an end have changed overnight. */
function plansHeld(kept: readonly PaperRun[]): number {
  let held = 0
  kept.slice(1).forEach((day, at) => {
    const { orders, untraded } = (kept[at] as PaperRun).plan
    const given = wantedOf(day.fills, day.rejected)
    const changed = new Set(day.events.map((row) => row['symbol']))
    for (const [key, shares] of wantedOf(orders as never, untraded as never)) {
      if (shares === 0 || changed.has(key.split(' ')[0] as string)) continue
      expect([day.day, key, given.get(key)]).toEqual([day.day, key, shares])
      held++
    }
  })
  return held
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test.each(Object.keys(strategies))(
  '%s: equal to the backtest, whatever the costs, the fill and the ex-rights',
  (name) => {
    const strategy = strategies[name] as Strategy
    const seen = { fills: 0, rejected: 0, events: 0, 'T+1': 0 }
    for (const seed of [3, 17, 2026]) {
      const all = world(seed)
      for (const more of [
        {},
        { exec: { decide: 'close', fill: 'nextClose' }, exRights: 'cash', minTradeLots: 1 },
      ] as Partial<BacktestOptions>[]) {
        const options = { cash: 200_000, lookahead: false, ...more }
        const run = backtest(all, strategy as never, options)
        const kept: PaperRun[] = []
        for (const day of days) {
          const one = paperDay(panelUntil(all, day), { strategy, options }, kept.at(-1)?.state)
          kept.push(plain(one) as PaperRun)
        }
        for (const table of ['fills', 'rejected', 'events'] as const)
          expect(kept.flatMap((one) => one[table])).toEqual(plain(toObjects(run[table])))
        expect(kept.flatMap((one) => one.holdings)).toEqual(plain(toObjects(run.positions)))
        expect(kept.map(({ equity }) => equity)).toEqual([...run.equity])
        if (name !== 'orders') expect(plansHeld(kept)).toBeGreaterThan(10)
        expect(paperChanges(all, strategy, kept, { optionsOf: () => options, since: days[0] as string })).toEqual([])
        seen.fills += run.fills.numRows
        seen.events += run.events.numRows
        const reasons = toObjects(run.rejected).map(({ reason }) => reason)
        seen.rejected += reasons.length
        seen['T+1'] += reasons.filter((reason) => reason === 'T+1').length
      }
    }
    expect(Math.min(seen.fills, seen.rejected, seen.events)).toBeGreaterThan(5)
  },
)
