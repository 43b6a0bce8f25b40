import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backtest } from '../../src/backtest/backtest.js'
import { sweep } from '../../src/backtest/sweep.js'
import { sweepInThreads } from '../../src/backtest/sweep-threads.js'
import { walkForward } from '../../src/backtest/walk-forward.js'
import { tempDir } from '../helper/temp.js'
import { days, fillsOf, free, marketOf, rowsOf, thrownBy } from './small-market.js'
import { sweepPanel } from './sweep-world.js'

const prices = sweepPanel()
type Params = Readonly<Record<string, number>>
const pick = { n: 2, side: 'lowest' as const }
const bar = (one: unknown): Record<string, number> => one as Record<string, number>
const close = (one: unknown): number => bar(one)['close'] as number

/** Ways in which strategies read `w`. */
const readers: Readonly<Record<string, (params: Params) => object>> = {
  'by name': (params) => ({ score: (one: unknown) => close(one) * (params['w'] as number), pick }),
  'by a pattern': ({ w = 1 }) => ({ score: (one: unknown) => close(one) * w, pick }),
  'by a spread': (params) => {
    const own = { ...params }
    return { score: (one: unknown) => close(one) * (own['w'] as number), pick }
  },
  'by in': (params) => ({ score: (one: unknown) => ('w' in params ? close(one) : 0), pick }),
  'by its own keys': (params) => ({ score: close, pick: { ...pick, n: Object.keys(params).length } }),
  'by hasOwn': (params) => ({ score: close, pick: { ...pick, n: Object.hasOwn(params, 'w') ? 2 : 1 } }),
  'as JSON': (params) => ({ score: close, pick: { ...pick, n: JSON.stringify(params).length > 3 ? 2 : 1 } }),
}
const made = (make: (params: Params) => object) => make as never

test.each(Object.keys(readers))('a param that is read %s is no error, in a sweep and walking forward', (name) => {
  const make = made(readers[name] as never)
  expect(sweep(prices, { w: [1, 2] }, make, { cash: 1e6 }).read).toEqual(['w'])
  const walked = walkForward(prices, { w: [1, 2] }, make, { cash: 1e6, trainDays: 30, testDays: 30 })
  expect(walked.trials).toBe(4)
})

const unread = "USAGE: nothing reads the param 'widht'. Did you mean 'width'? Params that are read: n, width"
const twoParams = ({ width = 1, n = 2 }: Params) => ({
  score: (one: unknown) => close(one) + width * (bar(one)['premium'] as number),
  pick: { n, side: 'lowest' },
})

test('a param of a grid that nothing reads is refused with those that are, and the nearest', () => {
  const grid = { widht: [0, 1], n: [2, 3] }
  expect(thrownBy(() => sweep(prices, grid, made(twoParams), { cash: 1e6 }))).toBe(unread)
  const lengths = { trainDays: 30, testDays: 30 }
  expect(thrownBy(() => walkForward(prices, grid, made(twoParams), { cash: 1e6, ...lengths }))).toBe(unread)
  const none = made(() => ({ score: close, pick }))
  expect(thrownBy(() => sweep(prices, { k: [1] }, none, { cash: 1e6 }))).toBe(
    "USAGE: nothing reads the param 'k'. No params are read.",
  )
})

test('what only some trials read, and only while they run, is read', () => {
  const make = made((params: Params) => ({
    score: (one: unknown) => close(one) * (params['way'] === 3 ? (params['w'] as number) : 1),
    pick,
  }))
  expect(sweep(prices, { way: [1, 2, 3], w: [1, 2] }, make, { cash: 1e6 }).trials).toHaveLength(6)
  expect(thrownBy(() => sweep(prices, { way: [1, 2], w: [1, 2] }, make, { cash: 1e6 }))).toBe(
    "USAGE: nothing reads the param 'w'. Params that are read: way",
  )
})

test('threads and checkpoints tell what was read', async () => {
  const dir = tempDir()
  const module = join(dir, 'two.mjs')
  writeFileSync(
    module,
    `export const make = (params) => ({
  score: (bar) => bar.close + (params.width ?? 1) * bar.premium,
  pick: { n: params.n, side: 'lowest' },
})\n`,
  )
  const checkpoint = join(dir, 'runs.jsonl')
  const options = { cash: 1e6, threads: 2, checkpoint }
  const wrong = () => sweepInThreads(prices, { widht: [0, 1], n: [2, 3] }, { module }, options)
  await expect(wrong()).rejects.toThrow(unread.slice('USAGE: '.length))
  expect(readFileSync(checkpoint, 'utf8').trimEnd().split('\n')).toHaveLength(4)
  await expect(wrong()).rejects.toThrow(unread.slice('USAGE: '.length))
  const right = () => sweepInThreads(prices, { width: [0, 1], n: [2, 3] }, { module }, options)
  expect([(await right()).read, (await right()).read]).toEqual([
    ['width', 'n'],
    ['width', 'n'],
  ])
  // The panel alone may be made with what is given to the default export.
  const shared = { module, params: { years: 2 } }
  expect((await sweepInThreads(prices, { years: [2], width: [0, 1], n: [2] }, shared, options)).read).toEqual([
    'width',
    'n',
  ])
})

test('a band of one step leaves a difference of less than its value alone', () => {
  const panel = marketOf(rowsOf('600001.SH', [10, 10, 10.1, 10.1, 11, 11, 11].concat(Array(20).fill(11))))
  const half = { weights: (_: unknown, weights: Float64Array) => void weights.fill(0.5) } as never
  const asked = { ...free, cash: 100_000 }
  // 5000 shares; at 10.1 the account is worth 100,500 and the target 4,975.2 shares: 24.8 less, of which 100 would be sold.
  expect(fillsOf(backtest(panel, half, asked)).slice(0, 2)).toEqual([
    `${days[1]} 600001.SH buy 5000 10`,
    `${days[2]} 600001.SH sell 100 10.1`,
  ])
  // At 11 the account is worth 105,000 and the target 4,772.7 shares: 227.3 less, and whole lots below it are 4,700.
  const banded = fillsOf(backtest(panel, half, { ...asked, band: 1 }))
  expect(banded).toEqual([`${days[1]} 600001.SH buy 5000 10`, `${days[4]} 600001.SH sell 300 11`])
  expect(fillsOf(backtest(panel, half, { ...asked, band: 3 }))).toEqual([`${days[1]} 600001.SH buy 5000 10`])
})

test('fewer than 20 days are a warning', () => {
  const over = (count: number): readonly string[] => {
    const rows = rowsOf('600001.SH', Array(count).fill(10))
    return backtest(marketOf(rows), { score: (one) => one.close, pick: { n: 1, side: 'lowest' } }, free).warnings
  }
  expect(over(19)).toEqual(['only 19 days: figures of fewer than 20 days are mostly chance'])
  expect(over(20)).toEqual([])
})
