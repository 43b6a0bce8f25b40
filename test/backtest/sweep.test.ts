import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backtest } from '../../src/backtest/backtest.js'
import { panel } from '../../src/backtest/make-panel.js'
import type { Panel } from '../../src/backtest/panel.js'
import type { RankStrategy } from '../../src/backtest/strategy.js'
import { sweep } from '../../src/backtest/sweep.js'
import { combinations } from '../../src/backtest/sweep-grid.js'
import { walkForward } from '../../src/backtest/walk-forward.js'
import { tradingDays } from '../../src/contract/calendar.js'
import { numbers } from '../../src/frame/read-columns.js'
import { fromRows } from '../../src/table/from-rows.js'

type Columns = 'open' | 'close' | 'pre_close' | 'vol' | 'premium'

/** Bonds that wander by whole mills, from a seed. */
function wandering(seed: number, bonds: number, days: readonly string[]): Panel<Columns> {
  let state = seed | 1
  const next = (): number => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9
    return ((state >>> 8) & 0xffff) / 0x10000
  }
  const rows: Record<string, unknown>[] = []
  for (let bond = 0; bond < bonds; bond++) {
    let close = 100_000 + Math.floor(next() * 30_000)
    for (const tradedate of days) {
      const pre = close
      const open = pre + Math.floor((next() - 0.5) * 2_000)
      close = Math.max(1000, open + Math.floor((next() - 0.5) * 3_000))
      if (next() < 0.03) {
        close = pre
        continue
      }
      rows.push({
        tradedate,
        code: `${123_001 + bond}.SZ`,
        open: open / 1000,
        close: close / 1000,
        pre_close: pre / 1000,
        vol: 1000 + Math.floor(next() * 1e5),
        premium: Math.floor(next() * 8000) / 100,
      })
    }
  }
  const table = fromRows(rows) as never
  return panel(table, { columns: ['open', 'close', 'pre_close', 'vol', 'premium'] }) as unknown as Panel<Columns>
}

const days = tradingDays('20250102', '20250630')
const market = wandering(7, 25, days)
const doubleLow = ({ w, n }: { w: number; n: number }): RankStrategy<Columns> => ({
  score: (bar) => bar.close + w * bar.premium,
  pick: { n, side: 'lowest', keepWithin: 2 * n },
  when: { weekly: 1 },
})
const grid = { w: [0, 0.5, 1], n: [3, 5] } as const

test('all combinations of a grid, the last param fastest', () => {
  expect(combinations({ a: [1, 2], b: ['x', 'y'] })).toEqual([
    { a: 1, b: 'x' },
    { a: 1, b: 'y' },
    { a: 2, b: 'x' },
    { a: 2, b: 'y' },
  ])
  expect(() => combinations({ a: [] })).toThrow("'a' of the grid is a list")
})

test('each trial is the backtest of its params; shared ranks change nothing', () => {
  const seen: number[] = []
  const plain = sweep(market, grid, doubleLow, { cash: 1e6, onProgress: (done) => seen.push(done) })
  const shared = sweep(market, grid, doubleLow, { cash: 1e6, scoreParams: ['w'] })
  expect(seen).toEqual([1, 2, 3, 4, 5, 6])
  plain.trials.forEach(({ params, returns }, at) => {
    const alone = backtest(market, doubleLow(params), { cash: 1e6, lookahead: false })
    expect(returns).toEqual(alone.returns)
    expect(shared.trials[at]?.returns).toEqual(alone.returns)
  })
  expect(numbers(plain.table, 'n')).toEqual(Float64Array.of(3, 5, 3, 5, 3, 5))
  const sharpes = plain.trials.map(({ performance }) => performance.sharpe)
  expect(plain.best?.performance.sharpe).toBe(Math.max(...sharpes))
  expect(plain.deflatedSharpe?.probability).toBeLessThan(0.95)
  expect(plain.overfitting?.combinations).toBe(12_870)
})

test('shared ranks refuse a score that reads held', () => {
  const sticky = ({ n }: { n: number }): RankStrategy<Columns> => ({
    score: (bar) => (bar.held ? 0 : bar.close),
    pick: { n, side: 'lowest' },
  })
  expect(() => sweep(market, { n: [2, 3] }, sticky, { cash: 1e6, scoreParams: [] })).toThrow('reads held')
  expect(sweep(market, { n: [2, 3] }, sticky, { cash: 1e6 }).trials).toHaveLength(2)
})

test('folds follow each other, and a choice knows nothing of the days on which it is held', () => {
  const options = { cash: 1e6, trainDays: 40, testDays: 20 }
  const walk = walkForward(market, grid, doubleLow, options)
  expect(walk.folds[0]?.train).toEqual([days[0], days[39]])
  expect(walk.folds.map(({ test: [from] }) => from)).toEqual(
    days.filter((_, day) => day >= 40 && (day - 40) % 20 === 0),
  )
  expect(walk.days).toEqual(days.slice(40))
  expect(walk.trials).toBe(walk.folds.length * 6)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: walk.folds.length - 1 }), (fold) => {
      const cut = days.indexOf(walk.folds[fold]?.test[0] as string)
      const other = market.withColumns(
        Object.fromEntries(
          market.names.map((name) => [
            name,
            market.cols[name].map((x, cell) => (cell >= cut * market.symbols.length ? Math.round(x * 1010) / 1000 : x)),
          ]),
        ) as Panel<Columns>['cols'],
      )
      const again = walkForward(other, grid, doubleLow, options)
      for (let at = 0; at <= fold; at++) {
        expect(again.folds[at]?.params).toEqual(walk.folds[at]?.params)
        expect(again.folds[at]?.inSample).toBe(walk.folds[at]?.inSample)
      }
      expect(again.equity.slice(0, cut - 40)).toEqual(walk.equity.slice(0, cut - 40))
    }),
    { numRuns: 4 },
  )
})

test('one fold with one combination is the backtest over its days', () => {
  const walk = walkForward(market, { w: [1], n: [4] }, doubleLow, { cash: 1e6, trainDays: 30, testDays: 1000 })
  const late = backtest(
    market,
    { ...doubleLow({ w: 1, n: 4 }), when: { days: decisionDays().filter((day) => day >= (days[30] as string)) } },
    { cash: 1e6, lookahead: false },
  )
  expect(walk.equity).toEqual(late.equity.slice(30))
  expect(() => walkForward(market, grid, doubleLow, { cash: 1e6, trainDays: 500, testDays: 5 })).toThrow('not enough')
})

function decisionDays(): string[] {
  return days.filter((day, at) => {
    const before = days[at - 1]
    const monday = (text: string): number =>
      Math.floor(
        (Date.parse(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}T00:00:00Z`) / 86_400_000 + 3) / 7,
      )
    return before === undefined ? false : monday(before) !== monday(day)
  })
}
