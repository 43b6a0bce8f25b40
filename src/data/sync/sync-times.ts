import { resolve } from 'node:path'
import { Cron } from 'croner'
import type { Dataset } from '../../contract/dataset.js'
import { beijingDay } from '../../contract/date.js'
import { mayTrade } from '../../contract/session-hours.js'
import { afterCloseBatch } from '../../contract/shared.js'
import { sha256 } from '../archive/file-access.js'

/** Seconds within which many archives spread their requests. */
const spread = 120

/** Milliseconds after each of its times at which an archive asks, whole seconds: always the same for one directory. */
export function jitterOf(dir: string): number {
  return (Number.parseInt(sha256(resolve(dir)).slice(0, 8), 16) % spread) * 1000
}

/** When a dataset is asked for, by what its declaration says; ms since 1970. */
export class SyncTimes {
  readonly #patterns: readonly Cron[]
  readonly #isEveryDay: boolean
  readonly #jitter: number

  /** @param jitter added to every time */
  constructor({ renewed = afterCloseBatch }: Dataset, jitter: number) {
    const words =
      'at' in renewed
        ? renewed.at.map((at) => `${Number(at.slice(3))} ${Number(at.slice(0, 2))} * * *`)
        : [`${renewed.minutes.join(',')} * * * *`]
    this.#patterns = words.map((pattern) => new Cron(pattern, { timezone: 'Asia/Shanghai' }))
    this.#isEveryDay = 'minutes' in renewed || renewed.everyDay === true
    this.#jitter = jitter
  }

  /** The first time after a moment. */
  next(after: number): number {
    return this.#nearest(after, (cron, from) => cron.nextRun(from), Math.min)
  }

  /** The last time at or before a moment. */
  last(before: number): number {
    return this.#nearest(before + 1, (cron, from) => cron.previousRuns(1, from)[0] ?? null, Math.max)
  }

  #nearest(moment: number, step: (cron: Cron, from: Date) => Date | null, choose: (...times: number[]) => number) {
    const times = this.#patterns.map((cron) => {
      for (let at = step(cron, new Date(moment - this.#jitter)); at !== null; at = step(cron, at)) {
        if (this.#isEveryDay || mayTrade(beijingDay(at.getTime()))) return at.getTime() + this.#jitter
      }
      throw new RangeError('a dataset has no time of its own')
    })
    return choose(...times)
  }
}
