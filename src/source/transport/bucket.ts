import { QuotebookError } from '../../contract/error.js'
import { describeNumber } from '../check-options.js'

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
