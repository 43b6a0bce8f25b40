import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import * as quotebook from '../../src/index.js'
import { tempDir } from '../helper/temp.js'
import { typedWrong } from './typed-wrong.js'

const { backtest, checkLookahead, fromRows, panel, sweep, sweepInThreads, walkForward } = quotebook

const days = ['20260701', '20260702', '20260703', '20260706', '20260707']
const rows = days.flatMap((tradedate, day) =>
  ['123001.SZ', '123002.SZ'].map((code, at) => {
    const close = 10 + day + at
    return { tradedate, code, open: 10 + day, close, pre_close: close, vol: 1e6 }
  }),
)
const prices = panel(fromRows(rows), { columns: ['open', 'close', 'pre_close', 'vol'] })
const pick = { n: 1, side: 'lowest' } as const
const cash = { cash: 1e5 }

function thrown(call: () => unknown): Error & { code?: string } {
  try {
    call()
  } catch (error) {
    return error as Error
  }
  throw new Error('it did not fail')
}

test.each(typedWrong)('%s', (typed, told) => {
  const strategy = new Function('pick', `return (${typed})`)(pick)
  const { code, message } = thrown(() => backtest(prices, strategy, cash))
  expect(`${code}: ${message.replace(/ \(at [^)]*\)$/, '')}`).toBe(told)
})

const dir = tempDir()
const file = join(dir, 'typed.mjs')
writeFileSync(
  file,
  `const pick = { n: 1, side: 'lowest' }
export const premium = ({ w = 1 } = {}) => ({
  score: (bar) => bar.close +
    w * bar.premium,
  pick,
})
export const fault = () => ({ score: (bar) => names[bar.day].length, pick })
const names = { 20260701: 'a', 20260702: 'b' }
export const empty = () => ({ score: () => Number.NaN, pick })
export const some = ({ w }) => ({ score: (bar) => (w ? bar.close : Number.NaN), pick })
export const broken = ({ w }) => { throw new TypeError('no strategy of ' + w) }
export const preparing = () => ({ prepare: ({ days }) => ({ score: days.nothing.at, pick }) })
`,
)
const made = await import(pathToFileURL(file).href)

test('an unknown column is an error with the line that reads it, in every way of running a strategy', async () => {
  const said = new RegExp(`^the panel has no column 'premium'; .* \\(at ${file}:4:\\d+\\)$`)
  const grid = { w: [1, 2] }
  const calls = [
    () => backtest(prices, made.premium(), cash),
    () => checkLookahead(prices, made.premium(), cash),
    () => sweep(prices, grid, made.premium, cash),
    () => sweep(prices, grid, made.premium, { ...cash, scoreParams: ['w'] }),
    () => walkForward(prices, grid, made.premium, { ...cash, trainDays: 3, testDays: 2 }),
    () => quotebook.panelSignal(prices, made.premium(), { horizons: [1] }),
  ]
  for (const call of calls) {
    const { code, message } = thrown(call)
    expect([code, message]).toEqual(['MISSING_COLUMN', expect.stringMatching(said)])
  }
  const threads = sweepInThreads(prices, grid, { module: file, name: 'premium' }, { ...cash, threads: 1 })
  await expect(threads).rejects.toMatchObject({ code: 'MISSING_COLUMN', message: expect.stringMatching(said) })
})

test('a bar may be asked whether it has a column, printed and given to JSON', () => {
  const seen: unknown[] = []
  const score = (bar: object): number => {
    seen.push('premium' in bar, 'close' in bar, JSON.stringify(bar), String(bar))
    return 1
  }
  backtest(prices, { score, pick }, { ...cash, lookahead: false })
  expect(seen.slice(0, 4)).toEqual([false, true, '{}', '[object Object]'])
})

const short = 'only 5 days: figures of fewer than 20 days are mostly chance'

test('shares by code that are returned trade as those of the array', () => {
  const array = backtest(prices, (_, weights) => void weights.set([0.3, 0.5]), cash)
  const shares = { '123002.SZ': 0.5, '123001.SZ': 0.3 }
  const all = [() => shares, () => new Map(Object.entries(shares)), () => Float64Array.of(0)]
  expect(array.fills.numRows).toBeGreaterThan(1)
  for (const weights of all.slice(0, 2)) {
    const result = backtest(prices, { weights }, cash)
    expect([...result.equity]).toEqual([...array.equity])
    expect(result.fills.numRows).toBe(array.fills.numRows)
  }
  expect(backtest(prices, (_, weights) => weights.fill(0.4), cash).warnings).toEqual([short])
  expect(thrown(() => backtest(prices, all[2] as never, cash)).message).toMatch(/it gave .*array/)
})

test('an error inside a strategy has its line, its day and its code, and the cause is kept', () => {
  const { code, message, cause } = thrown(() => backtest(prices, made.fault(), cash))
  const told = `strategy: Cannot read properties of undefined (reading 'length') (at ${file}:7:`
  expect([code, message.slice(0, told.length)]).toEqual(['STRATEGY', told])
  expect(message).toMatch(/:\d+, on 20260703 for 123001\.SZ\)$/)
  expect(cause).toBeInstanceOf(TypeError)
  expect(thrown(() => backtest(prices, made.preparing(), cash)).message).toMatch(/typed\.mjs:12:\d+, in prepare\)$/)
  const make = thrown(() => sweep(prices, { w: [3] }, made.broken, cash))
  expect([make.code, make.message]).toEqual(['STRATEGY', expect.stringMatching(/mjs:11:\d+, in make of \{"w":3\}\)$/)])
})

test('the minute is part of the place, where there is one', () => {
  const bars = panel(fromRows(rows.map((row) => ({ ...row, trademin: '1000' }))), { columns: ['open', 'close'] })
  const score = (): number => {
    throw new Error('not now')
  }
  const { message } = thrown(() => backtest(bars, { score, pick }, cash))
  expect(message).toMatch(/not now \(at .*, on 20260701 1000 for 123001\.SZ\)$/)
})

test('a run that decides nothing says what it saw; a column without a value is named', () => {
  const joined = panel(fromRows(rows.map((row) => ({ ...row, premium: Number.NaN }))), {
    columns: ['open', 'close', 'pre_close', 'vol', 'premium'],
  })
  const { code, message } = thrown(() => backtest(joined, { score: (bar) => bar.close + bar.premium, pick }, cash))
  expect([code, message]).toEqual([
    'NO_DECISION',
    'strategy: no candidate in any of 5 decisions: the score is NaN for each of 10 candidates; null throughout: premium',
  ])
  expect(thrown(() => checkLookahead(prices, made.empty(), cash)).code).toBe('NO_DECISION')
  const folds = { ...cash, trainDays: 2, testDays: 2 }
  expect(thrown(() => walkForward(prices, { w: [0] }, made.some, folds)).code).toBe('NO_DECISION')
})

test('a run that decides nothing for a part of its time has one line that says when', () => {
  const lagged = backtest(prices, { score: (bar) => bar.lag('close', 2), pick }, cash)
  expect(lagged.warnings).toEqual([short, 'no candidate in 2 of 5 decisions (20260701 to 20260702)'])
  const inCash = backtest(prices, ({ day }, weights) => void weights.fill(day < '20260703' ? 0.4 : 0), cash)
  expect(inCash.warnings).toEqual([short, 'no weight in 3 of 5 decisions (20260703 to 20260707)'])
  const first = ({ day }: { day: string }): quotebook.StrategyOrder[] =>
    day === days[0] ? [{ symbol: '123001.SZ', side: 'buy', shares: 10 }] : []
  expect(backtest(prices, { orders: first }, cash).warnings).toEqual([short])
})

test('a trial without a decision does not end a sweep, and is told; a sweep of nothing else is refused', async () => {
  const found = sweep(prices, { w: [0, 1] }, made.some, cash)
  expect(found.best?.params).toEqual({ w: 1 })
  expect(found.warnings).toEqual(['1 of 2 trials never traded, and are not compared'])
  expect(sweep(prices, { w: [1, 2] }, made.some, cash).warnings).toEqual([])
  expect(thrown(() => sweep(prices, { w: [1, 2] }, made.empty, cash)).code).toBe('NO_DECISION')
  const threads = sweepInThreads(prices, { w: [0] }, { module: file, name: 'some' }, { ...cash, threads: 1 })
  await expect(threads).rejects.toMatchObject({ code: 'NO_DECISION' })
})

test('a column that is added after a run is read, and so is what is known of it', () => {
  const before = backtest(prices, { score: (bar) => bar.close, pick }, cash)
  const inv = prices.cols.close.map((close) => 100 - close)
  const more = prices.withColumns({ ...prices.cols, inv })
  const result = backtest(more, { score: (bar) => bar.inv, pick }, cash)
  const same = backtest(prices, { score: (bar) => -bar.close, pick }, cash)
  expect([...result.equity]).toEqual([...same.equity])
  expect([...result.equity]).not.toEqual([...before.equity])
  const late = more.withColumns(more.cols, { known: new Map([...more.known, ['inv', '18:00:00']]) })
  expect(thrown(() => backtest(late, { score: (bar) => bar.inv, pick }, cash)).code).toBe('LOOK_AHEAD')
  expect(() => prices.withColumns({ ...prices.cols, inv: inv.slice(1) })).toThrow(
    /'inv' is a Float64Array of 5 times x 2/,
  )
})
