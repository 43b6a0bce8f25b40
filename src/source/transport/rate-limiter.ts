import { QuotebookError } from '../../contract/error.js'
import { describeNumber } from '../check-options.js'
import { type Clock, realClock } from './clock.js'

export interface PaceLimits {
  /** Starts per second in the long run; may be Infinity. */
  readonly perSecond: number
  /** Starts at once after a rest. */
  readonly burst: number
  /** Tasks at the same time; may be Infinity. */
  readonly concurrent: number
}

function check(name: keyof PaceLimits, value: number, isGood: boolean): void {
  if (!isGood) throw new QuotebookError('USAGE', `pace: ${name} can not be ${describeNumber(value)}`)
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

interface Waiter {
  /** Its place in the order of arrival. */
  readonly number: number
  start(): void
}

/** Tasks of one operation that wait, first come first, and the operation's own limits. */
interface Lane {
  readonly bucket: TokenBucket
  readonly waiting: Set<Waiter>
}

function headOf(lane: Lane): Waiter | undefined {
  return lane.waiting.values().next().value
}

/**
 * How many tasks start, and how many are under way: limits common to all operations, and an operation's own beside them.
 * First come, first served; a task that its operation's own limits hold back lets others pass, and keeps its place.
 */
export class RateLimiter {
  readonly #limits: PaceLimits
  readonly #perOperation: Readonly<Record<string, Partial<PaceLimits>>>
  readonly #clock: Clock
  readonly #common: TokenBucket
  readonly #lanes = new Map<string, Lane>()
  #arrived = 0
  #pausedUntil = -Infinity
  #wakeAt = Infinity
  #alarm = new AbortController()

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
    for (const operation of Object.keys(perOperation)) this.#lane(operation)
  }

  /** The task's result, after its turn has come. The signal ends the wait for it; a task under way sees to itself. */
  async run<T>(operation: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const lane = this.#lane(operation)
    await this.#turn(lane, signal)
    try {
      signal?.throwIfAborted()
      return await task()
    } finally {
      lane.bucket.end()
      this.#common.end()
      this.#serve()
    }
  }

  /** Nothing starts for so long. */
  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.now() + milliseconds)
  }

  #lane(operation: string): Lane {
    const known = this.#lanes.get(operation)
    if (known) return known
    const free = { perSecond: Infinity, burst: this.#limits.burst, concurrent: Infinity }
    const own = Object.hasOwn(this.#perOperation, operation) ? this.#perOperation[operation] : {}
    const lane: Lane = { bucket: new TokenBucket({ ...free, ...own }), waiting: new Set() }
    this.#lanes.set(operation, lane)
    return lane
  }

  #turn(lane: Lane, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const leave = (): void => {
        lane.waiting.delete(waiter)
        reject(signal?.reason)
        this.#serve()
      }
      const start = (): void => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const waiter: Waiter = { number: this.#arrived++, start }
      signal?.addEventListener('abort', leave, { once: true })
      lane.waiting.add(waiter)
      this.#serve()
    })
  }

  /** Starts whoever may start now, in order of arrival, and sets the alarm for the next. */
  #serve(): void {
    const now = this.#clock.now()
    for (let lane = this.#next(now); lane; lane = this.#next(now)) {
      const waiter = headOf(lane) as Waiter
      lane.waiting.delete(waiter)
      this.#common.start(now)
      lane.bucket.start(now)
      waiter.start()
    }
    this.#setAlarm(now)
  }

  /** The lane whose first waiter came first of those that may start. */
  #next(now: number): Lane | undefined {
    let best: Lane | undefined
    let first = Infinity
    for (const lane of this.#lanes.values()) {
      const number = headOf(lane)?.number ?? Infinity
      if (number >= first || this.#readyAt(lane) > now) continue
      best = lane
      first = number
    }
    return best
  }

  #readyAt({ bucket }: Lane): number {
    return Math.max(this.#pausedUntil, this.#common.readyAt(), bucket.readyAt())
  }

  #setAlarm(now: number): void {
    let at = Infinity
    for (const lane of this.#lanes.values()) if (lane.waiting.size > 0) at = Math.min(at, this.#readyAt(lane))
    if (at === this.#wakeAt) return
    this.#alarm.abort()
    this.#wakeAt = at
    if (at === Infinity) return
    const alarm = new AbortController()
    this.#alarm = alarm
    const ring = (): void => {
      if (this.#alarm !== alarm) return
      this.#wakeAt = Infinity
      this.#serve()
    }
    this.#clock.sleep(Math.max(1, Math.ceil(at - now)), alarm.signal).then(ring, () => {})
  }
}
