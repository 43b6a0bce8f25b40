import { rewordError, SourceError } from '../error.js'
import type { Clock } from './clock.js'
import { seconds } from './failure.js'

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
