import { resolve } from 'node:path'
import { Cron } from 'croner'
import type { Dataset } from '../../contract/dataset.js'
import { beijingDay } from '../../contract/date.js'
import { worded } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { mayTrade } from '../../contract/session-hours.js'
import { afterCloseBatch } from '../../contract/shared.js'
import { sha256 } from '../archive/file-access.js'
import { waitAfter } from '../source/transport/clock.js'

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
      throw worded(RangeError, sentence`a dataset has no time of its own`)
    })
    return choose(...times)
  }
}

const minute = 60_000
/** After a failure: a minute, and twice as long each time, up to an hour. */
const [shortest, longest] = [minute, 60 * minute]
/** A batch that is not there is asked for again after ten minutes, and twice as long each time, so many times. */
const [lateFirst, lateLast, lateTries] = [10 * minute, 160 * minute, 5]
/** Two clocks go apart by less than that between two runs, where neither is set. */
const tolerance = 5 * minute

/** A moment by the clock on the wall, which may be set, and by one that never goes back. */
export interface FollowMoment {
  readonly time: number
  readonly ticks: number
}

interface Planned {
  readonly dataset: Dataset
  readonly times: SyncTimes
  /** When it was last brought up to the source; undefined where it never was. */
  brought: FollowMoment | undefined
  /** When it is asked again before its next time, by the clock that never goes back, and why. */
  again: { readonly ticks: number; readonly isLate: boolean } | undefined
  failures: number
  /** The batch that is late, and how often it was asked for again. */
  late: { readonly batch: number; readonly tries: number } | undefined
}

/** What becomes of a run for one of its datasets. */
export type FollowOutcome =
  | { readonly kind: 'brought'; readonly isLate: boolean }
  /** @param wait milliseconds that the source wants to be left alone, at least */
  | { readonly kind: 'failed'; readonly wait?: number | undefined }

/** When something was, by the clock as it is set now: one that has since been set back was wrong. */
function timeOf({ time, ticks }: FollowMoment, now: FollowMoment): number {
  const passed = now.time - (now.ticks - ticks)
  return time - passed > tolerance ? passed : time
}

/** When each dataset is asked next. Times that were missed, however many, are made up by one run. */
export class FollowSchedule {
  readonly #all: readonly Planned[]

  /** @param brought when each was last brought up, as far as anybody knows by `now` */
  constructor(datasets: readonly Dataset[], jitter: number, brought: ReadonlyMap<string, number>, now: FollowMoment) {
    // A clock that was wrong once would make it wait for years.
    const known = (time = now.time + 1): FollowMoment | undefined => (time > now.time ? undefined : { ...now, time })
    this.#all = datasets.map((dataset) => ({
      dataset,
      times: new SyncTimes(dataset, jitter),
      brought: known(brought.get(dataset.name)),
      again: undefined,
      failures: 0,
      late: undefined,
    }))
  }

  /** The datasets that are due. */
  due(now: FollowMoment): readonly Dataset[] {
    return this.#all.filter((one) => this.#at(one, now) <= now.time).map(({ dataset }) => dataset)
  }

  /** When something is due next, and what. */
  next(now: FollowMoment): { readonly at: number; readonly datasets: readonly Dataset[] } {
    const all = this.#all.map((one) => ({ at: this.#at(one, now), dataset: one.dataset }))
    const at = Math.min(...all.map((one) => one.at))
    return { at, datasets: all.filter((one) => one.at === at).map(({ dataset }) => dataset) }
  }

  /** The batch that a dataset was last due with, before a moment. */
  batch(dataset: Dataset, before: number): number {
    return this.#of(dataset).times.last(before)
  }

  get late(): readonly string[] {
    return this.#all.filter(({ late }) => late).map(({ dataset }) => dataset.name)
  }

  /** When each was last brought up. */
  brought(now: FollowMoment): ReadonlyMap<string, number> {
    return new Map(this.#all.flatMap(({ dataset, brought }) => (brought ? [[dataset.name, timeOf(brought, now)]] : [])))
  }

  /** @param began when the run began, and when it ended */
  note(dataset: Dataset, outcome: FollowOutcome, began: FollowMoment, { ticks }: FollowMoment): void {
    const one = this.#of(dataset)
    if (outcome.kind === 'failed') {
      const pause = Math.max(outcome.wait ?? 0, waitAfter(one.failures++, shortest, longest))
      one.again = { ticks: ticks + pause, isLate: false }
      return
    }
    one.failures = 0
    one.brought = began
    one.again = undefined
    const batch = one.times.last(began.time)
    const tries = one.late?.batch === batch ? one.late.tries + 1 : 0
    one.late = outcome.isLate ? { batch, tries } : undefined
    if (outcome.isLate && tries < lateTries)
      one.again = { ticks: ticks + waitAfter(tries, lateFirst, lateLast), isLate: true }
  }

  #of(dataset: Dataset): Planned {
    return this.#all.find((one) => one.dataset.name === dataset.name) as Planned
  }

  #at({ dataset, times, brought, again }: Planned, moment: FollowMoment): number {
    const { time: now, ticks } = moment
    const at = again ? now + again.ticks - ticks : Number.POSITIVE_INFINITY
    if (again && !again.isLate) return at
    if (brought === undefined) return Number.NEGATIVE_INFINITY
    const missed = times.next(timeOf(brought, moment))
    // What has no past is kept once a day: a time of another day can not be made up, and would take the place of today's.
    const isLost = dataset.snapshot?.each !== undefined && missed <= now && beijingDay(missed) !== beijingDay(now)
    const last = times.last(now)
    const today = beijingDay(last) === beijingDay(now) ? last : times.next(now)
    return Math.min(isLost ? today : missed, at)
  }
}
