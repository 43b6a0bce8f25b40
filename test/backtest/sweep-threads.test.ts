import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sweep } from '../../src/backtest/sweep.js'
import { sweepInThreads } from '../../src/backtest/sweep-threads.js'
import { tempDir } from '../helper/temp.js'
import { outcomeOf, strategySource, sweepGrid, sweepOptions, sweepPanel } from './sweep-world.js'

const dir = tempDir()
const module = join(dir, 'double-low.mjs')
writeFileSync(module, strategySource)
const { make } = (await import(`data:text/javascript,${encodeURIComponent(strategySource)}`)) as { make: never }

const prices = sweepPanel()
const [grid, options] = [sweepGrid, sweepOptions]
const wanted = sweep(prices, grid, make, options)
const outcome = (found: typeof wanted): object => outcomeOf(found as never)

test.each([1, 2, 3])('%i threads give what one gives, in the order of the grid', async (threads) => {
  const seen: number[] = []
  const onProgress = (done: number, all: number): void => void seen.push(done, all)
  const found = await sweepInThreads(prices, grid, { module }, { ...options, threads, onProgress })
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
  const ended = sweepInThreads(prices, grid, { module }, { ...asked, onProgress, signal: stop.signal })
  await expect(ended).rejects.toThrow('enough')
  const kept = readFileSync(checkpoint, 'utf8').trimEnd().split('\n').length
  expect(kept).toBeGreaterThanOrEqual(4)
  expect(kept).toBeLessThan(9)
  truncateSync(checkpoint, readFileSync(checkpoint).length - 40)
  runs = 0
  const found = await sweepInThreads(prices, grid, { module }, { ...asked, onProgress: count })
  expect(runs).toBe(9 - (kept - 1))
  expect(outcome(found)).toEqual(outcome(wanted))
  // All are there now, for a sweep in one thread too; other options are other runs.
  runs = 0
  const again = sweep(prices, grid, make, { ...options, checkpoint, onProgress: count })
  expect([runs, outcome(again)]).toEqual([0, outcome(wanted)])
  const other = sweep(prices, grid, make, { ...options, cash: 2e6, checkpoint, onProgress: count })
  expect(runs).toBe(9)
  expect(other.trials[0]?.returns).not.toEqual(wanted.trials[0]?.returns)
})

test('a file that is no checkpoint is left alone', () => {
  const file = join(dir, 'notes.txt')
  writeFileSync(file, 'buy low\n')
  expect(() => sweep(prices, grid, make, { ...options, checkpoint: file })).toThrow(
    `${file} is no checkpoint of a sweep; name another file`,
  )
  expect(readFileSync(file, 'utf8')).toBe('buy low\n')
})

test.each([
  [{ module: join(dir, 'none.mjs') }, {}, /none\.mjs can not be loaded/],
  [{ module, name: 'word' }, {}, "exports no function 'word'"],
  [{ module, name: 'broken' }, {}, /^strategy: no score of \d \(/],
  [{ module }, { threads: 0 }, 'threads is a whole number from 1, not 0'],
  [{ module }, { cash: -1 }, 'cash is yuan at the start'],
])('%j with %j is refused in one line', async (from, given, message) => {
  const asked = sweepInThreads(prices, grid, from, { ...options, ...given })
  await expect(asked).rejects.toMatchObject({ code: JSON.stringify(from).includes('broken') ? 'STRATEGY' : 'USAGE' })
  await expect(sweepInThreads(prices, grid, from, { ...options, ...given })).rejects.toThrow(message)
})
