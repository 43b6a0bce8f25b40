import { QuotebookError } from '../../../contract/error.js'
import { describeKind } from '../../../contract/options.js'
import { sentence } from '../../../contract/sentence.js'
import { type Clock, realClock } from './clock.js'
import type { Send, TransportRequest } from './middleware.js'

export interface PaceLimits {
  /** Starts per second in the long run; may be Infinity. */
  readonly perSecond: number
  /** Starts at once after a rest. */
  readonly burst: number
  /** Tasks at the same time; may be Infinity. */
  readonly concurrent: number
}

function check(name: keyof PaceLimits, value: number, isGood: boolean): void {
  if (!isGood) throw new QuotebookError('USAGE', sentence`pace: ${name} can not be ${describeKind(value)}`)
}

/**
 * A token bucket and the number of tasks under way. The bucket is kept as the time at which it would be full again, so that
 * nothing is lost to rounding: in any window no more than burst + perSecond × seconds tasks start.
 */
export class TokenBucket {
  readonly #interval: number
  readonly #slack: number
  readonly #concurrent: number
  #fullAt = -Infinity
  #running = 0

  constructor({ perSecond, burst, concurrent }: PaceLimits) {
    check('perSecond', perSecond, perSecond > 0)
    check('burst', burst, burst >= 1)
    check('concurrent', concurrent, concurrent >= 1)
    this.#interval = 1000 / perSecond
    this.#slack = this.#interval === 0 ? 0 : (burst - 1) * this.#interval
    this.#concurrent = concurrent
  }

  /** Since when, or from when on, a task may start; Infinity while as many as may are under way. */
  readyAt(): number {
    return this.#running + 1 > this.#concurrent ? Infinity : this.#fullAt - this.#slack
  }

  start(now: number): void {
    this.#running += 1
    this.#fullAt = Math.max(now, this.#fullAt) + this.#interval
  }

  end(): void {
    this.#running -= 1
  }
}

/** A request that waits for its turn. */
interface Waiter {
  /** The limits of its operation. */
  readonly bucket: TokenBucket
  start(): void
}

/**
 * How many requests start, and how many are under way: limits common to all operations, and an operation's own beside them.
 * First come, first served; a request that its operation's own limits hold back lets others pass, and keeps its place.
 */
export class RateLimiter {
  readonly #limits: PaceLimits
  readonly #perOperation: Readonly<Record<string, Partial<PaceLimits>>>
  readonly #clock: Clock
  readonly #common: TokenBucket
  readonly #buckets = new Map<string, TokenBucket>()
  /** In the order of arrival. */
  readonly #waiting = new Set<Waiter>()
  #pausedUntil = -Infinity
  #alarm: AbortController | undefined

  /** @param perOperation what is left out does not limit; a burst that is left out is the common one */
  constructor(
    limits: PaceLimits,
    perOperation: Readonly<Record<string, Partial<PaceLimits>>> = {},
    clock: Clock = realClock,
  ) {
    this.#limits = limits
    this.#perOperation = perOperation
    this.#clock = clock
    this.#common = new TokenBucket(limits)
    for (const operation of Object.keys(perOperation)) this.#bucket(operation)
  }

  /** Sends a request after its turn has come. The signal ends the wait for it; a request under way sees to itself. */
  readonly limit =
    <R extends Pick<TransportRequest, 'operation' | 'signal'>, T>(next: Send<R, T>): Send<R, T> =>
    async (request) => {
      const bucket = this.#bucket(request.operation)
      await this.#turn(bucket, request.signal)
      try {
        request.signal?.throwIfAborted()
        return await next(request)
      } finally {
        bucket.end()
        this.#common.end()
        this.#serve()
      }
    }

  /** Nothing starts for so long. */
  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.now() + milliseconds)
  }

  #bucket(operation: string): TokenBucket {
    const known = this.#buckets.get(operation)
    if (known) return known
    const free = { perSecond: Infinity, burst: this.#limits.burst, concurrent: Infinity }
    const own = Object.hasOwn(this.#perOperation, operation) ? this.#perOperation[operation] : {}
    const bucket = new TokenBucket({ ...free, ...own })
    this.#buckets.set(operation, bucket)
    return bucket
  }

  #turn(bucket: TokenBucket, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const leave = (): void => {
        this.#waiting.delete(waiter)
        reject(signal?.reason)
        this.#serve()
      }
      const start = (): void => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const waiter: Waiter = { bucket, start }
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.add(waiter)
      this.#serve()
    })
  }

  /** Starts whoever may start now, in order of arrival, and sets the alarm for the next. */
  #serve(): void {
    const now = this.#clock.now()
    let next = Infinity
    for (const waiter of this.#waiting) {
      const commonAt = Math.max(this.#pausedUntil, this.#common.readyAt())
      if (commonAt > now) {
        next = commonAt
        break
      }
      const readyAt = waiter.bucket.readyAt()
      if (readyAt > now) {
        next = Math.min(next, readyAt)
        continue
      }
      this.#waiting.delete(waiter)
      this.#common.start(now)
      waiter.bucket.start(now)
      waiter.start()
    }
    this.#alarm?.abort()
    this.#alarm = undefined
    if (next === Infinity) return
    this.#alarm = new AbortController()
    const wait = Math.max(1, Math.ceil(next - now))
    this.#clock.sleep(wait, this.#alarm.signal).then(
      () => this.#serve(),
      () => {},
    )
  }
}
