import { expect, test } from 'vitest'
import { SourceError, type SourceErrorDetails } from '../../../../src/data/source/source-error.js'
import { type RetryPolicy, retryRequests } from '../../../../src/data/source/transport/middleware.js'
import { calm, fakeClock } from './fake-clock.js'

const policy: RetryPolicy = { budgetMs: 60_000, baseMs: 250, capMs: 10_000, attempts: 8 }

function busy(about: SourceErrorDetails = {}): SourceError {
  return new SourceError('UNAVAILABLE', 'busy', { retryable: true, node: 'http://a', ...about })
}

/** Runs to its end; when it was attempted, what came of it, and how long it waited. */
async function ended(fail: (n: number) => unknown, chances = [1]) {
  const clock = fakeClock(chances)
  const began = clock.now()
  const attempts: number[] = []
  const send = retryRequests<object, string>(
    policy,
    clock,
  )(async () => {
    attempts.push(clock.now() - began)
    const error = fail(attempts.length - 1)
    if (error !== undefined) throw error
    return `attempt ${attempts.length}`
  })
  const end = send({}).catch((error: unknown) => error)
  await clock.drain()
  return { end: await end, attempts, waits: clock.slept }
}

test('waits grow from the base to the cap, times chance', async () => {
  const { end, waits } = await ended((n) => (n < 7 ? busy() : undefined))
  expect([end, waits]).toEqual(['attempt 8', [250, 500, 1000, 2000, 4000, 8000, 10_000]])
  expect((await ended((n) => (n < 3 ? busy() : undefined), [0.5, 0, 0.25])).waits).toEqual([125, 0, 250])
})

test('an abort ends it at once: before, between and in attempts', async () => {
  const reason = new Error('changed my mind')
  const [clock, stop] = [fakeClock([1]), new AbortController()]
  let attempts = 0
  const send = retryRequests<{ signal: AbortSignal; isLast?: boolean }, never>(
    policy,
    clock,
  )(async ({ isLast }) => {
    attempts++
    if (isLast) during.abort(reason)
    throw busy()
  })
  await expect(send({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  expect(attempts).toBe(0)
  const gone = expect(send({ signal: stop.signal })).rejects.toBe(reason)
  await calm()
  stop.abort(reason)
  await gone
  expect([clock.sleepers, attempts]).toEqual([0, 1])
  const during = new AbortController()
  await expect(send({ signal: during.signal, isLast: true })).rejects.toBe(reason)
})
