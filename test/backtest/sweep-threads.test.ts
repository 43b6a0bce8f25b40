import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { panel } from '../../src/backtest/make-panel.js'
import type { SweepOptions } from '../../src/backtest/sweep.js'
import { sweep } from '../../src/backtest/sweep.js'
import { sweepInThreads } from '../../src/backtest/sweep-threads.js'
import { tradingDays } from '../../src/contract/calendar.js'
import { objectsOf } from '../../src/frame/read-columns.js'
import { fromRows } from '../../src/table/from-rows.js'
import { tempDir } from '../helper/temp.js'

const source = `export const make = ({ w, n }) => ({
  score: (bar) => bar.close + w * bar.premium,
  pick: { n, side: 'lowest', keepWithin: 2 * n },
  when: { weekly: 1 },
})
export const broken = ({ n }) => ({ score: () => { throw new Error('no score of ' + n) }, pick: { n, side: 'lowest' } })
export const word = 'make'
`
const dir = tempDir()
const module = join(dir, 'double-low.mjs')
writeFileSync(module, source)
const { make } = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as { make: never }

const days = tradingDays('20250102', '20250430')
const rows = Array.from({ length: 12 }, (_, bond) =>
  days.map((tradedate, day) => {
    const mills = (at: number): number => 100_000 + 3000 * bond + Math.round(2500 * Math.sin(at * (0.2 + 0.05 * bond)))
    const [pre, close] = [mills(day - 1), mills(day)]
    return {
      tradedate,
      code: `${123_001 + bond}.SZ`,
      open: pre / 1000,
      close: close / 1000,
      pre_close: pre / 1000,
      vol: 50_000,
      premium: ((7 * bond + day) % 11) * 3,
    }
  }),
).flat()
const prices = panel(fromRows(rows) as never, { columns: ['open', 'close', 'pre_close', 'vol', 'premium'] })
const grid = { w: [0, 0.5, 1], n: [2, 3, 4] }
const options: SweepOptions<typeof grid> = { cash: 1e6, scoreParams: ['w'] }
const wanted = sweep(prices as never, grid, make, options)

function outcome({ trials, best, deflatedSharpe, overfitting, table }: typeof wanted) {
  return {
    trials: trials.map(({ params, returns, performance }) => ({ params, returns, performance })),
    best: best?.params,
    deflatedSharpe,
    overfitting,
    table: objectsOf(table),
  }
}

test.each([1, 2, 3])('%i threads give what one gives, in the order of the grid', async (threads) => {
  const seen: number[] = []
  const onProgress = (done: number, all: number): void => void seen.push(done, all)
  const found = await sweepInThreads(prices as never, grid, { module }, { ...options, threads, onProgress })
  expect(outcome(found)).toEqual(outcome(wanted))
  expect(found.trials).toHaveLength(9)
  expect(seen).toEqual(Array.from({ length: 9 }, (_, at) => [at + 1, 9]).flat())
})

test('an interrupted sweep goes on from its checkpoint; a line that was cut is run again', async () => {
  const checkpoint = join(dir, 'sweep.jsonl')
  const stop = new AbortController()
  let runs = 0
  const count = (): void => void runs++
  const onProgress = (done: number): void => {
    count()
    if (done === 4) stop.abort(new Error('enough'))
  }
  const asked = { ...options, checkpoint, threads: 1 }
  const ended = sweepInThreads(prices as never, grid, { module }, { ...asked, onProgress, signal: stop.signal })
  await expect(ended).rejects.toThrow('enough')
  const kept = readFileSync(checkpoint, 'utf8').trimEnd().split('\n').length
  expect(kept).toBeGreaterThanOrEqual(4)
  expect(kept).toBeLessThan(9)
  truncateSync(checkpoint, readFileSync(checkpoint).length - 40)
  runs = 0
  const found = await sweepInThreads(prices as never, grid, { module }, { ...asked, onProgress: count })
  expect(runs).toBe(9 - (kept - 1))
  expect(outcome(found)).toEqual(outcome(wanted))
  // All are there now, for a sweep in one thread too; other options are other runs.
  runs = 0
  const again = sweep(prices as never, grid, make, { ...options, checkpoint, onProgress: count })
  expect([runs, outcome(again)]).toEqual([0, outcome(wanted)])
  const other = sweep(prices as never, grid, make, { ...options, cash: 2e6, checkpoint, onProgress: count })
  expect(runs).toBe(9)
  expect(other.trials[0]?.returns).not.toEqual(wanted.trials[0]?.returns)
})

test('a file that is no checkpoint is left alone', () => {
  const file = join(dir, 'notes.txt')
  writeFileSync(file, 'buy low\n')
  expect(() => sweep(prices as never, grid, make, { ...options, checkpoint: file })).toThrow(
    `${file} is no checkpoint of a sweep; name another file`,
  )
  expect(readFileSync(file, 'utf8')).toBe('buy low\n')
})

test.each([
  [{ module: join(dir, 'none.mjs') }, {}, /none\.mjs can not be loaded/],
  [{ module, name: 'word' }, {}, "exports no function 'word'"],
  [{ module, name: 'broken' }, {}, /^a run of the sweep failed: no score of \d$/],
  [{ module }, { threads: 0 }, 'threads is a whole number from 1, not 0'],
  [{ module }, { cash: -1 }, 'cash is yuan at the start'],
])('%j with %j is refused in one line', async (from, given, message) => {
  const asked = sweepInThreads(prices as never, grid, from, { ...options, ...given })
  await expect(asked).rejects.toMatchObject({ code: 'USAGE' })
  await expect(sweepInThreads(prices as never, grid, from, { ...options, ...given })).rejects.toThrow(message)
})
