import { rewordError, SourceError } from '../source-error.js'
import type { Clock } from './clock.js'
import { seconds } from './transport-errors.js'

/** Work under way and how many wait for it. */
interface Job<T> {
  readonly result: Promise<T>
  readonly stop: AbortController
  callers: number
}

/**
 * Identical requests in flight are one: callers with the same key get the same result, the same object. The work is aborted
 * only when every caller has gone away; a caller whose signal aborts gets its own reason at once.
 */
export class Share<T> {
  readonly #jobs = new Map<string, Job<T>>()

  run(key: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const job = this.#jobs.get(key) ?? this.#begin(key, work)
    job.callers += 1
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        reject(signal?.reason)
        this.#leave(key, job, signal?.reason)
      }
      signal?.addEventListener('abort', leave, { once: true })
      const stay = (): void => signal?.removeEventListener('abort', leave)
      job.result.then(resolve, reject).then(stay)
    })
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<T>): Job<T> {
    const stop = new AbortController()
    const job: Job<T> = { result: (async () => work(stop.signal))(), stop, callers: 0 }
    const end = (): void => this.#forget(key, job)
    this.#jobs.set(key, job)
    job.result.then(end, end)
    return job
  }

  #leave(key: string, job: Job<T>, reason: unknown): void {
    job.callers -= 1
    if (job.callers > 0) return
    this.#forget(key, job)
    job.stop.abort(reason)
  }

  #forget(key: string, job: Job<T>): void {
    if (this.#jobs.get(key) === job) this.#jobs.delete(key)
  }
}

export interface RetryPolicy {
  /** No attempt begins later than so many milliseconds after the first. */
  readonly budgetMs: number
  readonly baseMs: number
  readonly capMs: number
  /** The first included. */
  readonly attempts: number
}

export const defaultRetry: RetryPolicy = { budgetMs: 60_000, baseMs: 250, capMs: 10_000, attempts: 8 }

/** Milliseconds before attempt n + 1: what the service asked for, else full jitter. */
function waitAfter(error: SourceError, n: number, policy: RetryPolicy, clock: Clock): number {
  const { retryAfter = 0 } = error
  return retryAfter > 0 ? retryAfter : clock.chance() * Math.min(policy.capMs, policy.baseMs * 2 ** n)
}

/** The error that ends it all, when the wait does not fit into the budget. */
function tooLate(error: SourceError, policy: RetryPolicy): SourceError {
  if (!error.retryAfter) return error
  const asked = `the service asks to wait ${seconds(error.retryAfter)}`
  return rewordError(error, `${error.message}; ${asked}, longer than the ${seconds(policy.budgetMs)} for retries allow`)
}

/**
 * The first attempt that ends well. Only a SourceError that is `retryable` is followed by another attempt, after
 * chance × min(cap, base × 2^n) milliseconds; `retryAfter` of the error is waited instead, never less. When that does not
 * fit into the budget the error is thrown at once.
 * @param attempt gets its number, from 0
 */
export async function retry<T>(
  attempt: (n: number) => Promise<T>,
  policy: RetryPolicy,
  clock: Clock,
  signal: AbortSignal | undefined,
  onRetry?: (error: SourceError, waitMs: number) => void,
): Promise<T> {
  const began = clock.now()
  for (let n = 0; ; n++) {
    signal?.throwIfAborted()
    try {
      return await attempt(n)
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof SourceError) || !error.retryable || n + 1 >= policy.attempts) throw error
      const wait = waitAfter(error, n, policy, clock)
      if (clock.now() - began + wait > policy.budgetMs) throw tooLate(error, policy)
      onRetry?.(error, wait)
      await clock.sleep(wait, signal)
    }
  }
}
