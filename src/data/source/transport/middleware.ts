import { messageOf } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { longestWait, rewordError, SourceError } from '../source-error.js'
import { type Clock, waitAfter } from './clock.js'
import { seconds } from './transport-errors.js'

/** A request on its way through the transport. */
export interface TransportRequest {
  /** The operation whose limits of rate count. */
  readonly operation: string
  /** Equal for requests that get the same reply. */
  readonly key: string
  /** Base addresses, in the order in which to ask. */
  readonly nodes: readonly string[]
  /** The one of them that is asked: `NodePool.failOver` chooses it. */
  readonly node: string
  readonly signal?: AbortSignal | undefined
}

export type Send<R, T> = (request: R) => Promise<T>

/** Wraps what sends a request; every step of the transport is one. */
export type Middleware<R, T> = (next: Send<R, T>) => Send<R, T>

/** A request in flight and how many callers wait for it. */
interface SharedRequest<T> {
  readonly result: Promise<T>
  readonly stop: AbortController
  callers: number
}

/**
 * Identical requests in flight are one: callers with the same key get the same result, the same object. It is aborted
 * only when every caller has gone away; a caller whose signal aborts gets its own reason at once.
 */
export function shareInFlight<R extends Pick<TransportRequest, 'key' | 'signal'>, T>(): Middleware<R, T> {
  const inFlight = new Map<string, SharedRequest<T>>()
  const forget = (key: string, shared: SharedRequest<T>): void => {
    if (inFlight.get(key) === shared) inFlight.delete(key)
  }
  return (next) => (request) => {
    const { key, signal } = request
    if (signal?.aborted) return Promise.reject(signal.reason)
    let shared = inFlight.get(key)
    if (!shared) {
      const stop = new AbortController()
      const begun: SharedRequest<T> = { result: next({ ...request, signal: stop.signal }), stop, callers: 0 }
      shared = begun
      inFlight.set(key, begun)
      const end = (): void => forget(key, begun)
      begun.result.then(end, end)
    }
    return joined(shared, signal, () => forget(key, shared))
  }
}

/** What is to be done when a signal aborts. The signal itself goes through all its listeners for each that is added. */
const leaving = new WeakMap<AbortSignal, Set<() => void>>()

function listenersOf(signal: AbortSignal): Set<() => void> {
  const known = leaving.get(signal)
  if (known) return known
  const all = new Set<() => void>()
  leaving.set(signal, all)
  signal.addEventListener('abort', () => all.forEach((leave) => void leave()), { once: true })
  return all
}

/** What a shared request gives to one caller more, who may go away. */
function joined<T>(shared: SharedRequest<T>, signal: AbortSignal | undefined, forget: () => void): Promise<T> {
  shared.callers += 1
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      reject(signal?.reason)
      shared.callers -= 1
      if (shared.callers > 0) return
      forget()
      shared.stop.abort(signal?.reason)
    }
    const listeners = signal && listenersOf(signal)
    listeners?.add(leave)
    shared.result.then(resolve, reject).then(() => listeners?.delete(leave))
  })
}

/** When a request that failed is sent again: waits grow from `baseMs` to `capMs`, with some chance in them. */
export interface RetryPolicy {
  /** No attempt begins later than so many milliseconds after the first. */
  readonly budgetMs: number
  readonly baseMs: number
  readonly capMs: number
  /** The first included. */
  readonly attempts: number
}

export const defaultRetry: RetryPolicy = { budgetMs: 60_000, baseMs: 250, capMs: 10_000, attempts: 8 }

/** The error that ends it all, when the wait does not fit into the budget. */
function overBudgetError(error: SourceError, policy: RetryPolicy): SourceError {
  if (!error.retryAfter) return error
  const wait = error.retryAfter < longestWait ? seconds(error.retryAfter) : sentence`an hour or longer`
  const wanted = sentence`the service asks to wait ${wait}`
  return rewordError(
    error,
    sentence`${messageOf(error)}; ${wanted}, longer than the ${seconds(policy.budgetMs)} for retries allow`,
  )
}

/**
 * The first attempt that ends well. Only a SourceError that is `retryable` is followed by another attempt, after
 * chance × min(cap, base × 2^n) milliseconds; `retryAfter` of the error is waited instead, never less. When that does not
 * fit into the budget the error is thrown at once.
 */
export function retryRequests<R extends Pick<TransportRequest, 'signal'>, T>(
  policy: RetryPolicy,
  clock: Clock,
  onRetry?: (error: SourceError, waitMs: number) => void,
  isTriedAgain = ({ retryable }: SourceError): boolean => retryable,
): Middleware<R, T> {
  return (next) => async (request) => {
    const { signal } = request
    const began = clock.now()
    for (let n = 0; ; n++) {
      signal?.throwIfAborted()
      try {
        return await next(request)
      } catch (error) {
        signal?.throwIfAborted()
        if (!(error instanceof SourceError) || !isTriedAgain(error) || n + 1 >= policy.attempts) throw error
        const wait = error.retryAfter || clock.chance() * waitAfter(n, policy.baseMs, policy.capMs)
        if (clock.now() - began + wait > policy.budgetMs) throw overBudgetError(error, policy)
        onRetry?.(error, wait)
        await clock.sleep(wait, signal)
      }
    }
  }
}
