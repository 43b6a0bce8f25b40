import { expect, test } from 'vitest'
import { shareInFlight } from '../../../../src/data/source/transport/middleware.js'
import { calm } from './fake-clock.js'

type Work<T> = (signal: AbortSignal) => Promise<T>

/** Shared work: each caller brings its own, as requests do. */
function sharing<T>() {
  const send = shareInFlight<{ key: string; work: Work<T>; signal?: AbortSignal | undefined }, T>()(
    ({ work, signal }) => work(signal as AbortSignal),
  )
  return { run: (key: string, work: Work<T>, signal?: AbortSignal) => send({ key, work, signal }) }
}

/** Work that ends when a test says so. */
function bench() {
  const jobs: { signal: AbortSignal; give: (value: object) => void; fail: (error: unknown) => void }[] = []
  const work = (signal: AbortSignal): Promise<object> =>
    new Promise((give, fail) => {
      jobs.push({ signal, give, fail })
      signal.addEventListener('abort', () => fail(signal.reason))
    })
  return { share: sharing<object>(), jobs, work }
}

const reason = new Error('changed my mind')

test('identical requests in flight are one, different ones are not', async () => {
  const { share, jobs, work } = bench()
  const all = [share.run('a', work), share.run('b', work), share.run('a', work)]
  expect(jobs).toHaveLength(2)
  const [first, second] = [{}, {}]
  jobs[0]?.give(first)
  jobs[1]?.give(second)
  const results = await Promise.all(all)
  expect(results[0]).toBe(first)
  expect(results[1]).toBe(second)
  expect(results[2]).toBe(first)
})

test('a failure is everybody’s, and the next asks anew', async () => {
  const { share, jobs, work } = bench()
  const all = [share.run('a', work), share.run('a', work)]
  const ended = Promise.allSettled(all)
  jobs[0]?.fail(reason)
  expect(await ended).toEqual([
    { status: 'rejected', reason },
    { status: 'rejected', reason },
  ])
  void share.run('a', work)
  expect(jobs).toHaveLength(2)
  jobs[1]?.give({})
})

test('work that throws before it begins is a failure like another', async () => {
  const share = sharing<number>()
  const slip = (): never => {
    throw reason
  }
  await expect(share.run('a', slip)).rejects.toBe(reason)
  await expect(share.run('a', async () => 1)).resolves.toBe(1)
})

test('a caller that goes away gets its own reason at once; the work goes on for the others', async () => {
  const { share, jobs, work } = bench()
  const [one, two] = [new AbortController(), new AbortController()]
  const first = share.run('a', work, one.signal)
  const second = share.run('a', work, two.signal)
  const third = share.run('a', work)
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
  const { share, jobs, work } = bench()
  const stops = [new AbortController(), new AbortController()]
  const ended = Promise.allSettled(stops.map(({ signal }) => share.run('a', work, signal)))
  stops[0]?.abort('first')
  expect(jobs[0]?.signal.aborted).toBe(false)
  stops[1]?.abort(reason)
  expect(jobs[0]?.signal.aborted).toBe(true)
  const fresh = share.run('a', work)
  expect(jobs).toHaveLength(2)
  expect(await ended).toMatchObject([{ reason: 'first' }, { reason }])
  await calm()
  const joined = share.run('a', work)
  expect(jobs).toHaveLength(2)
  const value = {}
  jobs[1]?.give(value)
  expect(await fresh).toBe(value)
  expect(await joined).toBe(value)
})
