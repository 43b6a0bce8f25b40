import type { Dataset } from '../../contract/dataset.js'
import { beijingTime } from '../../contract/date.js'
import { QuotebookError } from '../../contract/error.js'
import type { OptionKinds } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import { inSession, nextOpening } from '../../contract/session-hours.js'
import { checkNumber } from '../source/check-options.js'
import { SourceError } from '../source/source-error.js'
import { type Clock, realClock, wallTime } from '../source/transport/clock.js'

/** The reason why a watch pauses. */
export interface WatchWait {
  /** `session`: the exchanges are closed. `away`: the source did not answer, and is asked again. */
  readonly why: 'session' | 'away'
  /** When it asks again, Beijing time, ISO 8601 with its offset. */
  readonly until: string
  /** What the source last failed with, if it is away. */
  readonly error?: SourceError
}

/** Options of a watch: how often and at which hours it asks, and how long it waits for a source. */
export interface WatchOptions {
  /**
   * Seconds from one request to the next: 3 for minute bars, which the service renews as often, else 60. After every ten
   * requests without a change the time doubles, up to ten times as long; up to a tenth of it is added by chance.
   */
  readonly every?: number | undefined
  /**
   * `session`: asks from 09:15 to 11:30 and from 13:00 to 15:00 Beijing time on trading days, and once after each end. `always`:
   * day and night. Default: `session` for minute bars, `always` for what is also published in the evening.
   */
  readonly hours?: 'session' | 'always' | undefined
  /** Seconds for which a source may be away before its error is thrown; 600. */
  readonly patience?: number | undefined
  /** Called when nothing is asked for a while: the exchanges are closed, or the source is away. */
  readonly onWait?: ((wait: WatchWait) => void) | undefined
  /** Called with the time of every answer, also if nothing changed; Beijing time, ISO 8601 with its offset. */
  readonly onAnswer?: ((at: string) => void) | undefined
  /** Ends the watch at once, and without an error. */
  readonly signal?: AbortSignal | undefined
  readonly clock?: Clock | undefined
  /** Milliseconds since 1970, for the hours of the session and the times that are told. */
  readonly time?: (() => number) | undefined
}

/** The options of a watch. */
export const watchOptions: OptionKinds<WatchOptions> = {
  every: 'any',
  hours: 'any',
  patience: 'any',
  onWait: 'a function',
  onAnswer: 'a function',
  signal: 'an object',
  clock: 'an object',
  time: 'a function',
}

/** Requests without a change after which the time between two doubles, and how many times as long it may become. */
const [quietRounds, slowest] = [10, 10]
/** Waits end in time, however a clock is set or a machine sleeps: it is looked at this often. Milliseconds. */
const longestSleep = 60_000

/** When a question is asked again: never two requests at once, and by the clock that it is given. */
export class PollInterval {
  readonly #every: number
  readonly #isSession: boolean
  readonly #patience: number
  readonly #clock: Clock
  readonly #time: () => number
  readonly #options: WatchOptions
  #quiet = 0
  /** When it was last asked, by both clocks. */
  #asked = { now: 0, time: 0 }

  /** @throws QuotebookError USAGE for options that are none */
  constructor(dataset: Dataset, options: WatchOptions) {
    const isBars = dataset.columns.trademin !== undefined
    const { every = dataset.live ?? 60, hours = isBars ? 'session' : 'always', patience = 600 } = options
    checkNumber('every', every, 0.01)
    checkNumber('patience', patience, 0)
    if (hours !== 'session' && hours !== 'always')
      throw new QuotebookError('USAGE', sentence`hours can be 'session' or 'always', not '${String(hours)}'`)
    this.#every = every * 1000
    this.#isSession = hours === 'session'
    this.#patience = patience * 1000
    this.#clock = options.clock ?? realClock
    this.#time = options.time ?? wallTime
    this.#options = options
  }

  /**
   * What comes of a question, and when it came; while the source is away it is put again, with growing pauses.
   * @throws what it fails with: at once where asking again is of no use, else when patience has an end
   */
  async ask<R>(question: () => Promise<R>): Promise<{ readonly at: string; readonly result: R }> {
    const began = this.#clock.now()
    for (let failed = 0; ; failed++) {
      this.#asked = { now: this.#clock.now(), time: this.#time() }
      try {
        const result = await question()
        return { at: beijingTime(this.#time()), result }
      } catch (error) {
        if (!(error instanceof SourceError && error.retryable)) throw error
        const pause = Math.max(error.retryAfter ?? 0, this.#slowed(failed))
        if (this.#clock.now() - began + pause > this.#patience) throw error
        this.#options.onWait?.({ why: 'away', until: beijingTime(this.#time() + pause), error })
        await this.#clock.sleep(pause, this.#options.signal)
      }
    }
  }

  /** Waits until the question is to be asked again. Whoever took longer than that over an answer waits no more. */
  async rest(isChange: boolean): Promise<void> {
    this.#quiet = isChange ? 0 : this.#quiet + 1
    const due = this.#asked.now + this.#slowed(Math.floor(this.#quiet / quietRounds))
    await this.#sleepWhile(() => due - this.#clock.now())
    // What came in the last moments of a session is asked for once more.
    if (!this.#isSession || inSession(this.#time()) || inSession(this.#asked.time)) return
    const later = this.#clock.chance() * this.#every
    const opening = (now: number): number => (inSession(now - later) ? now : nextOpening(now - later) + later)
    this.#options.onWait?.({ why: 'session', until: beijingTime(nextOpening(this.#time()) + later) })
    // By the clock anew: one that was ahead would wait for its own opening.
    await this.#sleepWhile(() => opening(this.#time()) - this.#time())
    this.#quiet = 0
  }

  #slowed(doublings: number): number {
    return this.#every * Math.min(slowest, 2 ** doublings) * (1 + this.#clock.chance() / 10)
  }

  async #sleepWhile(left: () => number): Promise<void> {
    for (let wait = left(); wait > 0; wait = left()) {
      await this.#clock.sleep(Math.min(wait, longestSleep), this.#options.signal)
    }
  }
}
