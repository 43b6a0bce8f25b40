import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SourceError, type SourceErrorDetails } from '../../../../src/data/source/source-error.js'
import type { Clock } from '../../../../src/data/source/transport/clock.js'
import { type RetryPolicy, retryRequests } from '../../../../src/data/source/transport/middleware.js'
import { calm, fakeClock } from './fake-clock.js'

function run<T>(
  attempt: (n: number) => Promise<T>,
  policy: RetryPolicy,
  clock: Clock,
  signal?: AbortSignal,
  onRetry?: (error: SourceError, wait: number) => void,
): Promise<T> {
  let n = 0
  return retryRequests<{ signal?: AbortSignal | undefined }, T>(policy, clock, onRetry)(() => attempt(n++))({ signal })
}

const policy: RetryPolicy = { budgetMs: 60_000, baseMs: 250, capMs: 10_000, attempts: 8 }

function busy(about: SourceErrorDetails = {}): SourceError {
  return new SourceError('UNAVAILABLE', 'busy', { retryable: true, node: 'http://a', ...about })
}

/** Runs to its end; how often it was attempted, what came of it, and how long it waited. */
async function ended(fail: (n: number) => unknown, options: { chances?: number[]; policy?: RetryPolicy } = {}) {
  const clock = fakeClock(options.chances ?? [1])
  const began = clock.now()
  const attempts: number[] = []
  const noted: [string, number][] = []
  const attempt = async (n: number): Promise<string> => {
    attempts.push(clock.now() - began)
    const error = fail(n)
    if (error !== undefined) throw error
    return `attempt ${n}`
  }
  const onRetry = (error: SourceError, wait: number): void => void noted.push([error.code, wait])
  const end = run(attempt, options.policy ?? policy, clock, undefined, onRetry).catch((error: unknown) => error)
  await clock.drain()
  return { end: await end, attempts, noted, waits: clock.slept, sleepers: clock.sleepers }
}

test('waits grow from the base to the cap, times chance', async () => {
  const { end, waits, noted } = await ended((n) => (n < 7 ? busy() : undefined))
  expect(end).toBe('attempt 7')
  expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000])
  expect(noted).toEqual(waits.map((wait) => ['UNAVAILABLE', wait]))
  const half = await ended((n) => (n < 3 ? busy() : undefined), { chances: [0.5, 0, 0.25] })
  expect(half.waits).toEqual([125, 0, 250])
})

test('attempts end when there were enough, with the last error', async () => {
  let last: unknown
  const { end, attempts } = await ended(() => {
    last = busy()
    return last
  })
  expect(attempts).toHaveLength(8)
  expect(end).toBe(last)
})

test('only a SourceError that is retryable is repeated', async () => {
  for (const error of [new SourceError('FORBIDDEN', 'no'), new Error('ours'), 'a text', new TypeError('slip')]) {
    expect(await ended(() => error)).toMatchObject({ end: error, attempts: [0] })
  }
  const refused = new SourceError('FORBIDDEN', 'no')
  expect(await ended((n) => (n === 0 ? busy() : refused))).toMatchObject({ end: refused, attempts: [0, 250] })
})

test('what the service asks to wait is waited, not less', async () => {
  const { end, waits } = await ended((n) => (n < 2 ? busy({ retryAfter: 20_000 }) : undefined), { chances: [0] })
  expect(end).toBe('attempt 2')
  expect(waits).toEqual([20_000, 20_000])
})

test('what the service asks to wait and does not fit is told at once', async () => {
  const { end, attempts, waits } = await ended(() => busy({ retryAfter: 61_000, status: 429, cause: 'why' }))
  expect(end).toBeInstanceOf(SourceError)
  expect(end).toMatchObject({
    code: 'UNAVAILABLE',
    message: 'busy; the service asks to wait 61 s, longer than the 60 s for retries allow',
    retryAfter: 61_000,
    status: 429,
    node: 'http://a',
    retryable: true,
    cause: 'why',
  })
  expect(attempts).toEqual([0])
  expect(waits).toEqual([])
  const later = await ended(() => busy({ retryAfter: 25_000 }))
  expect(later.attempts).toEqual([0, 25_000, 50_000])
})

test('no attempt begins later than the budget after the first, none before its wait is over', async () => {
  const outcome = fc.record({ retryAfter: fc.option(fc.integer({ min: 1, max: 30_000 }), { nil: undefined }) })
  await fc.assert(
    fc.asyncProperty(
      fc.array(outcome, { minLength: 20, maxLength: 20 }),
      fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 9 }),
      fc.integer({ min: 0, max: 60_000 }),
      async (outcomes, chances, budgetMs) => {
        const fail = (n: number): SourceError => busy(outcomes[n])
        const { attempts, waits } = await ended(fail, { chances, policy: { ...policy, budgetMs } })
        expect(attempts.length).toBeGreaterThan(0)
        expect(attempts.length).toBeLessThanOrEqual(policy.attempts)
        expect(attempts.every((at) => at <= budgetMs)).toBe(true)
        waits.forEach((wait, n) => {
          const asked = outcomes[n]?.retryAfter
          const most = Math.min(policy.capMs, policy.baseMs * 2 ** n)
          if (asked === undefined) expect(wait >= 0 && wait < most).toBe(true)
          else expect(wait).toBe(asked)
        })
      },
    ),
    { numRuns: 200 },
  )
})

test('an abort ends it at once: before, between and in attempts', async () => {
  const reason = new Error('changed my mind')
  const attempts: number[] = []
  const attempt = async (n: number): Promise<never> => {
    attempts.push(n)
    throw busy()
  }
  const before = run(attempt, policy, fakeClock(), AbortSignal.abort(reason))
  await expect(before).rejects.toBe(reason)
  expect(attempts).toEqual([])

  const [clock, between] = [fakeClock([1]), new AbortController()]
  const waiting = run(attempt, policy, clock, between.signal)
  const gone = expect(waiting).rejects.toBe(reason)
  await calm()
  expect(clock.sleepers).toBe(1)
  between.abort(reason)
  await gone
  expect(clock.sleepers).toBe(0)
  expect(attempts).toEqual([0])

  const during = new AbortController()
  const failing = async (): Promise<never> => {
    during.abort(reason)
    throw busy()
  }
  await expect(run(failing, policy, fakeClock(), during.signal)).rejects.toBe(reason)
})
