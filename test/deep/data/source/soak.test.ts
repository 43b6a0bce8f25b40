// Deep: some seconds of a bad line.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { datasetOf } from '../../../../src/contract/catalogue.js'
import { Archive } from '../../../../src/data/archive/archive.js'
import { HttpSource } from '../../../../src/data/source/http-source.js'
import type { QueryOptions, Source } from '../../../../src/data/source/source.js'
import type { SourceError } from '../../../../src/data/source/source-error.js'
import { digest } from '../../../../src/frame/table/digest.js'
import { chances } from '../../../helper/chance.js'
import { faultLine } from '../../../helper/fault-line.js'
import { sampleArchive } from '../../../helper/running-service.js'
import { serve } from '../../../helper/service.js'

/** `SECONDS=1800` for a long one. */
const seconds = Number(process.env.SECONDS ?? 15)
const july = { days: { from: '20260701', to: '20260710' } }

/** One request each, several, pages; many rows, few and none. */
const questions: readonly [name: string, params: Readonly<Record<string, unknown>>, options?: QueryOptions][] = [
  ['etf_minute', { symbols: ['510300.SH', '159915'], period: '15m' }, july],
  ['etf_minute', { tradedate: '20260704' }],
  ['convertible_daily', { startdate: '20260601', enddate: '20260731' }],
  ['hotstock', { type: 'ths&normal' }, july],
  ['interactive_qa', { startdate: '20260601', enddate: '20260731' }],
  ['news', {}],
]
const answerOf = async (source: Source, at: number, signal?: AbortSignal): Promise<string> => {
  const [name, params, options] = questions[at] as (typeof questions)[number]
  return digest(await source.query(datasetOf(name), params, { ...options, signal, whole: true }))
}

/** Bytes that are still held after a collection. */
function held(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('a line that breaks, stalls and refuses: every answer is the truth or a due error, and nothing is left behind', {
  timeout: (seconds + 60) * 1000,
}, async () => {
  const archive = new Archive(sampleArchive, 'sample')
  const service = await serve(archive, undefined, await archive.state())
  const line = await faultLine(service.url, 1)
  const truth = await Promise.all(questions.map((_, at) => answerOf(archive, at)))
  const source = new HttpSource({
    nodes: [line.url],
    apikey: 'soak-key',
    pace: { concurrent: 6 },
    deadlines: { headers: 1500, body: 1500, call: 20_000 },
    retry: { attempts: 2, baseMs: 2, capMs: 20 },
  })
  const gone = new Error('the caller went away')
  const outcomes = new Map<string, number>()
  let until = 0
  /** One query after another; of ten callers one goes away. */
  const caller = async (seed: number): Promise<void> => {
    const chance = chances(seed)
    while (performance.now() < until) {
      const at = Math.floor(chance() * questions.length)
      const stop = new AbortController()
      const timer = chance() < 0.1 ? setTimeout(() => stop.abort(gone), 60 * chance()) : undefined
      const outcome = await answerOf(source, at, stop.signal).then(
        (answer) => (answer === truth[at] ? 'right' : 'WRONG'),
        (error: unknown) => (error === gone && stop.signal.aborted ? 'gone' : (error as SourceError).code),
      )
      clearTimeout(timer)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
  }
  const memory: number[] = []
  for (const seeds of [
    [1, 2, 3, 4, 5, 6],
    [7, 8, 9, 10, 11, 12],
  ]) {
    until = performance.now() + seconds * 500
    await Promise.all(seeds.map(caller))
    memory.push(held())
  }
  expect([...outcomes.keys()].filter((one) => !/^(right|gone|CUT_OFF|UNAVAILABLE|TIMEOUT)$/.test(one))).toEqual([])
  expect(outcomes.get('right')).toBeGreaterThan(seconds)
  expect(line.faults.size).toBe(5)
  await source.close()
  const [first = 0, last = 0] = memory
  expect(last).toBeLessThan(first + 24 * 2 ** 20)
  await line.close()
  await service.close()
})
