import { expect, test } from 'vitest'
import { shareInFlight } from '../../../../src/data/source/transport/middleware.js'
import { calm } from './fake-clock.js'

/** Requests that end when a test says so. */
function bench() {
  const jobs: { signal: AbortSignal; give: (value: object) => void; fail: (error: unknown) => void }[] = []
  const send = shareInFlight<{ key: string; signal?: AbortSignal | undefined }, object>()(
    ({ signal = AbortSignal.any([]) }) =>
      new Promise((give, fail) => {
        jobs.push({ signal, give, fail })
        signal.addEventListener('abort', () => fail(signal.reason))
      }),
  )
  return { jobs, run: (key: string, signal?: AbortSignal) => send({ key, signal }) }
}

const reason = new Error('changed my mind')

test('identical requests in flight are one, different ones are not; a failure is everybody’s, and the next asks anew', async () => {
  const { jobs, run } = bench()
  const all = [run('a'), run('b'), run('a')]
  const [first, second] = [{}, {}]
  jobs[0]?.give(first)
  jobs[1]?.give(second)
  const results = await Promise.all(all)
  expect([jobs.length, results[0] === first, results[1] === second, results[2] === first]).toEqual([
    2,
    true,
    true,
    true,
  ])
  const failing = Promise.allSettled([run('a'), run('a')])
  jobs[2]?.fail(reason)
  expect(await failing).toEqual(Array(2).fill({ status: 'rejected', reason }))
  void run('a')
  expect(jobs).toHaveLength(4)
})

test('a caller that goes away gets its own reason at once; the work goes on for the others', async () => {
  const { jobs, run } = bench()
  const [one, two] = [new AbortController(), new AbortController()]
  const [first, second, third] = [run('a', one.signal), run('a', two.signal), run('a')]
  one.abort(reason)
  await expect(first).rejects.toBe(reason)
  two.abort('other')
  await expect(second).rejects.toBe('other')
  expect(jobs[0]?.signal.aborted).toBe(false)
  const value = {}
  jobs[0]?.give(value)
  expect(await third).toBe(value)
})

test('when all have gone the work is aborted, and a new caller does not join it', async () => {
  const { jobs, run } = bench()
  const stops = [new AbortController(), new AbortController()]
  const ended = Promise.allSettled(stops.map(({ signal }) => run('a', signal)))
  stops[0]?.abort('first')
  expect(jobs[0]?.signal.aborted).toBe(false)
  stops[1]?.abort(reason)
  expect(jobs[0]?.signal.aborted).toBe(true)
  const fresh = run('a')
  expect(await ended).toMatchObject([{ reason: 'first' }, { reason }])
  await calm()
  const joined = run('a')
  expect(jobs).toHaveLength(2)
  const value = {}
  jobs[1]?.give(value)
  expect([(await fresh) === value, (await joined) === value]).toEqual([true, true])
})
