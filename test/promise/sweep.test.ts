import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  backtest,
  checkLookahead,
  forwardReturns,
  fromRows,
  numbers,
  panel,
  type Sweep,
  sweep,
  sweepInThreads,
  toObjects,
  tradingDays,
  walkForward,
} from 'quotebook'
import { expect, test } from 'vitest'
import { tempDir } from '../helper/temp.js'
import { failureOf, thrownBy } from './helper/prices.js'

/** Sweeps, walks forward, threads; and what is typed wrong in params and strategies. */

const days = tradingDays('20250102', '20250430')

/** Twelve bonds over four months, each of its own wave. */
const rows = Array.from({ length: 12 }, (_, bond) =>
  days.map((tradedate, day) => {
    const swing = (at: number): number => Math.round(2500 * Math.sin(at * (0.2 + 0.05 * bond)))
    const [pre, close] = [day - 1, day].map((at) => (100_000 + 3000 * bond + swing(at)) / 1000) as [number, number]
    const premium = ((7 * bond + day) % 11) * 3
    return { tradedate, code: `${123_001 + bond}.SZ`, open: pre, close, pre_close: pre, vol: 50_000, premium }
  }),
).flat()
const columns = ['open', 'close', 'pre_close', 'vol', 'premium']
const prices = panel(fromRows(rows), { columns } as never)

/** A module of strategies, as a file has it. */
const source = `export const make = ({ w, n }) => ({
  score: (bar) => bar.close + w * bar.premium,
  pick: { n, side: 'lowest', exitRank: 2 * n },
  when: { weekly: 1 },
})
export const broken = ({ n }) => ({ score: () => { throw new Error('no score of ' + n) }, pick: { n, side: 'lowest' } })
export const sticky = ({ n }) => ({ score: (bar) => (bar.held ? 0 : bar.close), pick: { n, side: 'lowest' } })
export const late = (p) => ({ score: (bar) => bar.close * (p.way === 3 ? p.w : 1), pick: { n: 2, side: 'lowest' } })
export const idle = ({ w }) => ({ score: (bar) => (w ? bar.close : NaN), pick: { n: 2, side: 'lowest' } })
export const fault = () => ({ score: (bar) => names[bar.day].length, pick: { n: 1, side: 'lowest' } })
const names = { 20250102: 'a' }
export const unknown = () => ({ score: (bar) => bar.close +
    bar.premiun, pick: { n: 1, side: 'lowest' } })
export const word = 'make'
`
const dir = tempDir()
const module = join(dir, 'double-low.mjs')
writeFileSync(module, source)
const made = (await import(pathToFileURL(module).href)) as Readonly<Record<string, never>>
const grid = { w: [0, 0.5, 1], n: [2, 3, 4] }
const options = { cash: 1e6, scoreParams: ['w'] as const }
const swept = sweep(prices, grid, made.make as never, options)

/** All of a sweep that can be compared. */
const outcomeOf = ({ trials, best, deflatedSharpe, overfitting, table, read }: Sweep<never>): object => ({
  trials: trials.map(({ params, returns, performance }) => ({ params, returns, performance })),
  best: best?.params,
  figures: [deflatedSharpe, overfitting, read],
  table: toObjects(table),
})
const outcome = (found: unknown): object => outcomeOf(found as Sweep<never>)

test('every combination is the backtest of its params, the last param fastest; a shared ranking changes nothing', () => {
  expect(swept.trials.map(({ params }) => params)).toEqual(grid.w.flatMap((w) => grid.n.map((n) => ({ w, n }))))
  for (const { params, returns } of swept.trials) {
    const strategy = (made.make as unknown as (given: object) => never)(params)
    expect(returns).toEqual(backtest(prices, strategy, { cash: 1e6, lookahead: false }).returns)
  }
  expect(outcome(sweep(prices, grid, made.make as never, { cash: 1e6 }))).toEqual(outcome(swept))
  const sharpes = swept.trials.map(({ performance }) => performance.sharpe)
  expect(swept.best?.performance.sharpe).toBe(Math.max(...sharpes))
  expect(numbers(swept.table, 'sharpe')).toEqual(Float64Array.from(sharpes))
  expect(numbers(swept.table, 'n')).toEqual(Float64Array.of(2, 3, 4, 2, 3, 4, 2, 3, 4))
  expect(swept.read).toEqual(['w', 'n'])
  expect(swept.overfitting?.combinations).toBe(12_870)
  expect(swept.deflatedSharpe?.probability).toBeLessThan(1)
})

test('threads count volumes in single bonds, and doubt prices, where one does', async () => {
  const single = panel(fromRows(rows.map((row) => ({ ...row, amount: row.vol * row.close }))), { columns } as never)
  expect(single.notes.join()).toContain('single shares')
  const rich = { ...options, cash: 1e9 }
  const found = await sweepInThreads(single, grid, { module }, { ...rich, threads: 1 })
  expect(outcome(found)).toEqual(outcome(sweep(single, grid, made.make as never, rich)))
  const wrong = panel(fromRows(rows.map((row, at) => (at % 82 === 40 ? { ...row, close: 400 } : row))), {
    columns,
  } as never)
  const told = thrownBy(() => sweep(wrong, grid, made.make as never, options))
  expect(told).toMatch(/^CONTRADICTED/)
  const failed = await failureOf(sweepInThreads(wrong, grid, { module }, { ...options, threads: 1 }))
  expect(failed).toContain(told.replace('CONTRADICTED: ', ''))
})

test.each([1, 2, 3])('%i threads give what one gives, in the order of the grid', async (threads) => {
  const seen: number[] = []
  const onProgress = (done: number, all: number): void => void seen.push(done, all)
  const found = await sweepInThreads(prices, grid, { module }, { ...options, threads, onProgress })
  expect(outcome(found)).toEqual(outcome(swept))
  expect(seen).toEqual(Array.from({ length: 9 }, (_, at) => [at + 1, 9]).flat())
})

test('an interrupted sweep goes on from its checkpoint; a line that was cut is run again; other options are other runs', async () => {
  const checkpoint = join(dir, 'sweep.jsonl')
  const stop = new AbortController()
  const onProgress = (done: number): void => void (done === 4 && stop.abort(new Error('enough')))
  const asked = { ...options, checkpoint, threads: 1 }
  const ended = sweepInThreads(prices, grid, { module }, { ...asked, onProgress, signal: stop.signal })
  await expect(ended).rejects.toThrow('enough')
  const kept = readFileSync(checkpoint, 'utf8').trimEnd().split('\n').length
  expect(kept).toBeGreaterThanOrEqual(4)
  expect(kept).toBeLessThan(9)
  truncateSync(checkpoint, readFileSync(checkpoint).length - 40)
  let runs = 0
  const count = { onProgress: (): void => void runs++ }
  expect(outcome(await sweepInThreads(prices, grid, { module }, { ...asked, ...count }))).toEqual(outcome(swept))
  expect(runs).toBe(9 - (kept - 1))
  expect(outcome(sweep(prices, grid, made.make as never, { ...options, checkpoint, ...count }))).toEqual(outcome(swept))
  expect(runs).toBe(9 - (kept - 1))
  const other = sweep(prices, grid, made.make as never, { ...options, cash: 2e6, checkpoint, ...count })
  expect(runs).toBe(18 - (kept - 1))
  expect(other.trials[0]?.returns).not.toEqual(swept.trials[0]?.returns)
  writeFileSync(join(dir, 'notes.txt'), 'buy low\n')
  const notes = { ...options, checkpoint: join(dir, 'notes.txt') }
  expect(thrownBy(() => sweep(prices, grid, made.make as never, notes))).toBe(
    `USAGE: sweep: ${notes.checkpoint} is no checkpoint of a sweep; name another file`,
  )
  expect(readFileSync(notes.checkpoint, 'utf8')).toBe('buy low\n')
})

test.each([
  [{ module: join(dir, 'none.mjs') }, {}, /^USAGE: sweep: .*none\.mjs can not be loaded/],
  [{ module, name: 'word' }, {}, /^USAGE: sweep: .* exports no function 'word', but 'make'$/],
  [
    { module, name: 'broken' },
    {},
    /^STRATEGY: strategy: no score of \d \(at .*double-low\.mjs:6:\d+, on 20250102 for 123001\.SZ\)$/,
  ],
  [{ module }, { threads: 0 }, /^USAGE: sweep: threads is a whole number from 1, not 0$/],
  [{ module }, { cash: -1 }, /^USAGE: a run of the sweep failed: backtest: cash is yuan at the start/],
  [{ module }, { queue: 'http://localhost' }, /^USAGE: .*redis:\/\/localhost:6379$/],
  [
    { module },
    { queue: 'redis://:hush@127.0.0.1:1' },
    /^UNREACHABLE: no connection to redis:\/\/127\.0\.0\.1:1: (?!.*hush)/,
  ],
])('a sweep in threads of %j with %j is refused in one line', async (from, more, told) => {
  expect(await failureOf(sweepInThreads(prices, grid, from, { ...options, ...more }))).toMatch(told)
})

test('walking forward: folds follow each other, and a choice knows nothing of the days on which it is held', () => {
  const asked = { cash: 1e6, trainDays: 30, testDays: 20 }
  const walk = walkForward(prices, grid, made.make as never, asked)
  expect(walk.folds[0]?.train).toEqual([days[0], days[29]])
  expect(walk.folds.map(({ test: [from] }) => from)).toEqual(
    days.filter((_, day) => day >= 30 && (day - 30) % 20 === 0),
  )
  expect([walk.days, walk.trials]).toEqual([days.slice(30), walk.folds.length * 9])
  const cut = days.indexOf(walk.folds[1]?.test[0] as string)
  const cols = Object.fromEntries(
    Object.entries(prices.cols as Record<string, Float64Array>).map(([name, column]) => [
      name,
      column.map((x, cell) => (cell >= cut * 12 ? Math.round(x * 1010) / 1000 : x)),
    ]),
  )
  const again = walkForward(prices.withColumns(cols as never), grid, made.make as never, asked)
  for (const fold of [0, 1])
    expect(again.folds[fold]).toMatchObject({ params: walk.folds[fold]?.params, inSample: walk.folds[fold]?.inSample })
  expect(again.equity.slice(0, cut - 30)).toEqual(walk.equity.slice(0, cut - 30))
  expect(walk.degradation).toBe(walk.inSample > 0 ? 1 - walk.performance.sharpe / walk.inSample : Number.NaN)
})

test('one fold with one combination is the backtest over its days', () => {
  const daily = { ...(made.make as unknown as (given: object) => object)({ w: 1, n: 4 }), when: {} }
  const one = walkForward(prices, { w: [1] }, (({ w }: { w: number }) => (w ? daily : daily)) as never, {
    cash: 1e6,
    trainDays: 30,
    testDays: 1000,
  })
  const late = { ...daily, when: { days: days.slice(30) } }
  expect(one.equity).toEqual(backtest(prices, late as never, { cash: 1e6, lookahead: false }).equity.slice(30))
  const short = { cash: 1e6, trainDays: 500, testDays: 5 }
  expect(thrownBy(() => walkForward(prices, grid, made.make as never, short))).toBe(
    `USAGE: walkForward: ${days.length} days are not enough for trainDays 500 and a test after them`,
  )
})

test('a param that nothing reads is refused with those that are; what is read late, or by some trials, is read', async () => {
  const wrong = { widht: [0, 1], n: [2, 3] }
  const make = ({ width = 1, n = 2 }) => ({
    score: (bar: { close: number; premium: number }) => bar.close + width * bar.premium,
    pick: { n, side: 'lowest' },
  })
  const told = "USAGE: nothing reads the param 'widht'. Did you mean 'width'? Params that are read: n, width"
  expect(thrownBy(() => sweep(prices, wrong, make as never, { cash: 1e6 }))).toBe(told)
  expect(thrownBy(() => walkForward(prices, wrong, make as never, { cash: 1e6, trainDays: 30, testDays: 30 }))).toBe(
    told,
  )
  expect(await failureOf(sweepInThreads(prices, { ...grid, k: [1] }, { module }, { cash: 1e6, threads: 1 }))).toBe(
    "USAGE: nothing reads the param 'k'. Params that are read: n, w",
  )
  expect(sweep(prices, { way: [1, 3], w: [1, 2] }, made.late as never, { cash: 1e6 }).trials).toHaveLength(4)
  expect(thrownBy(() => sweep(prices, { way: [1, 2], w: [1, 2] }, made.late as never, { cash: 1e6 }))).toMatch(
    /^USAGE: nothing reads the param 'w'/,
  )
  // What the panel alone is made with counts as read.
  const shared = { module, params: { years: 2 } }
  const found = await sweepInThreads(prices, { years: [2], ...grid }, shared, { cash: 1e6, threads: 2 })
  expect(found.read).toEqual(['w', 'n'])
})

test.each([
  ['a pattern', ({ w = 1 }) => w],
  ['a spread', (params: { w?: number }) => ({ ...params }).w],
  ['in', (params: { w?: number }) => ('w' in params ? 1 : 0)],
  ['its keys', (params: { w?: number }) => Object.keys(params).length],
  ['JSON', (params: { w?: number }) => JSON.stringify(params).length],
])('a param that is read by %s is read', (_, of) => {
  const make = (params: { w?: number }) => {
    const factor = of(params) as number
    return { score: (bar: { close: number }) => bar.close * factor, pick: { n: 2, side: 'lowest' } }
  }
  expect(sweep(prices, { w: [1, 2] }, make as never, { cash: 1e6 }).read).toEqual(['w'])
})

test('a trial without a decision does not end a sweep, and is told; a sweep of nothing else is refused', () => {
  const found = sweep(prices, { w: [0, 1] }, made.idle as never, { cash: 1e6 })
  expect([found.best?.params, found.warnings]).toEqual([{ w: 1 }, ['1 of 2 trials never traded, and are not compared']])
  expect(thrownBy(() => sweep(prices, { w: [0] }, made.idle as never, { cash: 1e6 }))).toMatch(
    /^NO_DECISION: strategy: no candidate/,
  )
  expect(thrownBy(() => sweep(prices, { n: [2, 3] }, made.sticky as never, { cash: 1e6, scoreParams: [] }))).toMatch(
    /^USAGE: sweep: score or universe reads held/,
  )
  expect(thrownBy(() => sweep(prices, { n: [] }, made.make as never, { cash: 1e6 }))).toBe(
    "USAGE: sweep: 'n' of the grid is a list of values to try",
  )
})

const five = ['20260701', '20260702', '20260703', '20260706', '20260707']
const two = panel(
  fromRows(
    five.flatMap((tradedate, day) =>
      ['123001.SZ', '123002.SZ'].map((code, at) => {
        const close = 10 + day + at
        return { tradedate, code, open: close - 1, close, pre_close: close - 1, vol: 1e6 }
      }),
    ),
  ),
  { columns: ['open', 'close', 'pre_close', 'vol'] } as never,
)
const cash = { cash: 1e5 }

// biome-ignore format: a table, one mistake a line
const typedWrong: readonly (readonly [typed: string, told: string])[] = [
  ['{ score: (b) => b.close + b.premium, pick }', "MISSING_COLUMN: the panel has no column 'premium'; there are: open, close, pre_close, vol"],
  ['{ score: (b) => b.closse, pick }', "MISSING_COLUMN: the panel has no column 'closse'; did you mean 'close'?"],
  ['{ score: ({ close, preclose }) => close / preclose, pick }', "MISSING_COLUMN: the panel has no column 'preclose'; did you mean 'pre_close'?"],
  ['{ score: (b) => (b.held ? b.premium : b.close), pick }', "MISSING_COLUMN: the panel has no column 'premium'; there are: open, close, pre_close, vol"],
  ['{ score: (b) => b.listeddays, pick }', "MISSING_COLUMN: the panel has no column 'listeddays'; did you mean 'listedDays'?"],
  ["{ score: (b) => b.lag('clsoe', 1), pick }", "MISSING_COLUMN: the panel has no column 'clsoe'; did you mean 'close'?"],
  ["{ score: (b) => b.mean('volume', 3), pick }", "MISSING_COLUMN: the panel has no column 'volume'; there are: open, close, pre_close, vol"],
  ['{ universe: (b) => b.premium < 30, score: (b) => b.close, pick }', "MISSING_COLUMN: the panel has no column 'premium'; there are: open, close, pre_close, vol"],
  ['{ universe: (b) => { b.vol > 0 }, score: (b) => b.close, pick }', 'USAGE: strategy: universe gives true or false; it gave undefined: is a return missing?'],
  ['{ universe: async (b) => b.vol > 0, score: (b) => b.close, pick }', 'USAGE: strategy: universe gives true or false; it gave a Promise: no function of a strategy is async'],
  ['{ score: (b) => { b.close }, pick }', 'NO_DECISION: strategy: no candidate in any of 5 decisions: the score is undefined for each of 10 candidates: is a return missing?; it read close, each of which has values'],
  ['{ score: async (b) => b.close, pick }', 'USAGE: strategy: score gives a number, or NaN for no candidate; it gave a Promise: no function of a strategy is async'],
  ['{ score: (b) => b.close.toFixed(2), pick }', "USAGE: strategy: score gives a number, or NaN for no candidate; it gave '10.00'"],
  ['{ score: (b) => Math.log(-b.close), pick }', 'NO_DECISION: strategy: no candidate in any of 5 decisions: the score is NaN for each of 10 candidates; it read close, each of which has values'],
  ['{ universe: (b) => b.close > 1e6, score: (b) => b.close, pick }', 'NO_DECISION: strategy: no candidate in any of 5 decisions: universe takes none of 10 rows; it read close, each of which has values'],
  ["{ score: (b) => b.close, pick, when: { days: ['20250102'] } }", 'NO_DECISION: strategy: it never decides: when {"days":["20250102"]} has no time in the panel (5 days, 20260701 to 20260707)'],
  ['{ score: (b) => b.close, pick, weight: () => 0 }', 'NO_DECISION: strategy: no candidate in any of 5 decisions: 10 have a score, and weight gives each of them 0; it read close, each of which has values'],
  ["{ score: (b) => b.close, pick, weight: () => '0.5' }", "USAGE: strategy: a weight is '0.5'; weights are shares of the account, at least 0"],
  ["{ weights: () => ({ '123001.SZ': 0.8, '123002.SZ': 0.3 }) }", 'USAGE: strategy: the weights are 1.1 together, more than the account'],
  ["{ weights: () => ({ '123001.SH': 0.8 }) }", "USAGE: strategy: a weight for 123001.SH, which the panel does not have; did you mean '123001.SZ'?"],
  ["{ weights: () => ({ '123001': 0.8 }) }", "USAGE: strategy: a weight for 123001, which the panel does not have; did you mean '123001.SZ'?"],
  ["{ weights: () => new Map([['123001.SZ', -0.1]]) }", 'USAGE: strategy: the weight of 123001.SZ is -0.1; weights are shares of the account, at least 0'],
  ['{ weights: () => [0.5, 0.5] }', "USAGE: strategy: weights returns shares of the account by code, such as { '123124.SZ': 0.8 } or a Map, or fills the array that it is given and returns nothing; it gave an array"],
  ["{ weights: async () => ({ '123001.SZ': 0.8 }) }", "USAGE: strategy: weights returns shares of the account by code, such as { '123124.SZ': 0.8 } or a Map, or fills the array that it is given and returns nothing; it gave a Promise: no function of a strategy is async"],
  ["{ weights: (now, w) => { w[0] = 0.1; return { '123002.SZ': 0.8 } } }", 'USAGE: strategy: weights has filled the array and returned shares by code as well; do one of them'],
  ["{ weights: (now, w) => { 'use strict'; w['123001.SZ'] = 0.8 } }", "USAGE: strategy: weights['123001.SZ'] is set, and the array goes by the place in symbols; or return { '123001.SZ': share }"],
  ['{ weights: (now, w) => { now.premium.forEach((p, at) => { w[at] = p }) } }', "MISSING_COLUMN: the panel has no column 'premium'; there are: open, close, pre_close, vol"],
  ["{ weights: (now, w) => { w[now.symbols.indexOf('600000.SH')] = 1 } }", 'NO_DECISION: strategy: no weight in any of 5 decisions: 2 instruments; it read no column'],
  ['{ orders: () => [] }', 'NO_DECISION: strategy: no order in any of 5 decisions: 2 instruments; it read no column'],
  ["{ orders: () => [{ symbol: '123001.SZ', side: 'buy', shares: 10, price: 9 }] }", "USAGE: strategy: no 'price' in an order; it takes symbol, side, shares, limit, stop, at"],
  ["{ orders: (now) => [{ symbol: '12300.SZ', side: 'buy', shares: 10 }] }", "USAGE: strategy: an order for 12300.SZ, which the panel does not have; did you mean '123001.SZ'?"],
  ['{ orders: (now) => now.volume.map(() => 1) }', "MISSING_COLUMN: the panel has no column 'volume'; there are: open, close, pre_close, vol"],
  ['{ prepare: (panel) => ({ score: (b) => panel.cols.premium?.[b.index] ?? NaN, pick }) }', "MISSING_COLUMN: the panel has no column 'premium'; there are: open, close, pre_close, vol"],
  ['{ prepare: (panel) => { const c = panel.close; return { score: () => c, pick } } }', "USAGE: strategy: a panel has no 'close'; did you mean 'cols.close'?"],
  ['{ prepare: (panel) => ({ score: (b) => b.close, pick }), when: { weekly: 1 } }', "USAGE: a strategy with prepare has no option 'when'; there are: prepare"],
  ['{ prepare: async () => ({ score: (b) => b.close, pick }) }', 'USAGE: strategy: an object with score, weights or orders, or a function, not a Promise: no function of a strategy is async'],
  ['{ weights: (now, w) => { w[0] = 1 }, universe: (b) => b.vol > 0 }', "USAGE: strategy: 'universe' has no part in a strategy with weights; it takes weights, when, state, update, exit"],
  ['{ score: (b) => b.lag.close.x, pick }', "STRATEGY: strategy: Cannot read properties of undefined (reading 'x') (on 20260701 for 123001.SZ)"],
  ['null', 'USAGE: strategy: an object with score, weights or orders, or a function, not null'],
  ["'momentum'", "USAGE: strategy: an object with score, weights or orders, or a function, not 'momentum'"],
  ['{}', 'USAGE: strategy: it has neither score, nor weights, nor orders'],
  ['{ score: () => 1, pick, orders: () => [] }', 'USAGE: strategy: it has score and orders; take one'],
  ['{ score: 5, pick }', 'USAGE: strategy: score must be a function, not 5'],
  ['{ score: () => 1, pick, univers: () => 1 }', "USAGE: strategy: no member 'univers'; there are score, universe, pick, weight, weights, orders, when, state, update, exit"],
  ['{ score: () => 1 }', 'USAGE: strategy: pick: { n } is how many are held, a whole number from 1'],
  ["{ score: () => 1, pick: { n: 1, side: 'best' } }", "USAGE: strategy: pick: { side } is 'lowest' or 'highest'"],
  ['{ score: () => 1, pick: { ...pick, keepwithin: 2 } }', "USAGE: strategy: no 'keepwithin' in pick; it takes n, side, exitRank and rebalance"],
  ['{ score: () => 1, pick: { ...pick, exitRank: 1.5 } }', 'USAGE: strategy: pick: { exitRank } is a rank, from 1'],
  ['{ score: () => 1, pick, weight: () => 2 }', 'USAGE: strategy: the weights are 2 together, more than the account'],
  ['(now, w) => { w.fill(-1) }', 'USAGE: strategy: the weight of 123001.SZ is -1; weights are shares of the account, at least 0'],
  ['{ orders: () => {} }', 'USAGE: strategy: orders gives an array of orders, [] for none, not undefined: is a return missing?'],
  ["{ orders: () => [{ symbol: '123001.SZ', side: 'buy', shares: 1.5 }] }", 'USAGE: strategy: an order of 1.5 123001.SZ; shares are a whole number above 0'],
  ["{ orders: () => [{ symbol: '123001.SZ', side: 'short', shares: 10 }] }", "USAGE: strategy: the order for 123001.SZ has side 'short'; it is 'buy' or 'sell'"],
  ['{ prepare: 5 }', 'USAGE: strategy: prepare must be a function, not 5'],
  ['{ prepare: function again() { return { prepare: again } } }', 'USAGE: strategy: prepare gives a strategy that is to be prepared again, and again'],
  ["{ score: (b) => b.mean('close', 0), pick }", "USAGE: mean('close', 0): a mean is over 1 time or more"],
  ["{ score: (b) => b.lag('close', -1), pick }", "LOOK_AHEAD: lag('close', -1): it goes back by 0 times or more, never ahead"],
  ['{ score: () => 1, pick, when: { week: 1 } }', "USAGE: when has no option 'week'; did you mean 'weekly'?"],
  ['{ score: () => 1, pick, when: { weekly: 1, monthly: 1 } }', 'USAGE: when: weekly and monthly: take one'],
  ["{ score: () => 1, pick, when: { at: ['0930'] } }", 'USAGE: when: at: no bar closes at 0930; the prices are daily'],
]

test.each(typedWrong)('typed wrong: %s', (typed, told) => {
  const strategy = new Function('pick', `return (${typed})`)({ n: 1, side: 'lowest' })
  expect(thrownBy(() => backtest(two, strategy, cash)).replace(/ \(at [^)]*\)$/, '')).toBe(told)
})

test('an unknown column names the line that reads it, in every way of running a strategy', async () => {
  const said = new RegExp(
    `^MISSING_COLUMN: the panel has no column 'premiun'; did you mean 'premium'\\? \\(at ${module}:13:\\d+\\)$`,
  )
  const of = made.unknown as unknown as () => never
  const calls = [
    () => backtest(prices, of(), cash),
    () => checkLookahead(prices, of(), cash),
    () => sweep(prices, { w: [1] }, of, cash),
    () => walkForward(prices, { w: [1] }, of, { ...cash, trainDays: 30, testDays: 20 }),
    () => forwardReturns(prices, of(), { horizons: [1] }),
  ]
  for (const call of calls) expect(thrownBy(call)).toMatch(said)
  const threads = sweepInThreads(prices, { w: [1] }, { module, name: 'unknown' }, { ...cash, threads: 1 })
  expect(await failureOf(threads)).toMatch(said)
})

test("an error of a strategy's own code has its line, its day and its code, and the cause is kept", () => {
  const of = made.fault as unknown as () => never
  expect(thrownBy(() => backtest(prices, of(), cash))).toMatch(
    /^STRATEGY: strategy: Cannot read properties of undefined \(reading 'length'\) \(at .*double-low\.mjs:10:\d+, on 20250103 for 123001\.SZ\)$/,
  )
  try {
    backtest(prices, of(), cash)
  } catch (error) {
    expect((error as Error).cause).toBeInstanceOf(TypeError)
  }
})

test('where nothing is decided for a part of the time, one warning says when; doing nothing by orders has none', () => {
  const short = 'only 5 days: figures of fewer than 20 days are mostly chance'
  const pick = { n: 1, side: 'lowest' } as const
  const warned = (strategy: unknown) => backtest(two, strategy as never, cash).warnings
  expect(
    warned({ score: (bar: { lag: (name: string, times: number) => number }) => bar.lag('close', 2), pick }),
  ).toEqual([short, 'no candidate in 2 of 5 decisions (20260701 to 20260702)'])
  expect(
    warned(({ day }: { day: string }, weights: Float64Array) => void weights.fill(day < '20260703' ? 0.4 : 0)),
  ).toEqual([short, 'no weight in 3 of 5 decisions (20260703 to 20260707)'])
  expect(warned(({ day }: { day: string }) => (day < '20260703' ? { '123001.SZ': 0.4 } : {}))).toEqual([
    short,
    'no weight in 3 of 5 decisions (20260703 to 20260707)',
  ])
  const first = ({ day }: { day: string }) =>
    day === five[0] ? [{ symbol: '123001.SZ', side: 'buy', shares: 10 }] : []
  expect(warned({ orders: first })).toEqual([short])
})

test('a code with a share of 0 is a decision for cash, as a code to keep is one for what there is; neither is silence', () => {
  const short = 'only 5 days: figures of fewer than 20 days are mostly chance'
  const run = (share: (day: string) => number | 'keep') =>
    backtest(two, { weights: ({ day }) => ({ '123001.SZ': share(day) }) }, cash)
  const sold = run((day) => (day < '20260703' ? 0.4 : 0))
  expect([sold.warnings, sold.fills.numRows]).toEqual([[short], 3])
  const kept = run((day) => (day < '20260702' ? 0.4 : 'keep'))
  expect([kept.warnings, kept.fills.numRows]).toEqual([[short], 1])
  const never = run(() => 0)
  expect([never.warnings, never.fills.numRows, never.equity.at(-1)]).toEqual([[short], 0, cash.cash])
  const swapped = { score: (bar: { close: number }) => bar.close, pick: { n: 1, side: 'lowest', rebalance: 'swap' } }
  expect(backtest(two, swapped as never, cash).warnings).toEqual([short])
})
