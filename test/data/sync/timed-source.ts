import type { Table } from 'apache-arrow'
import { tradingDays } from '../../../src/contract/calendar.js'
import type { Dataset } from '../../../src/contract/dataset.js'
import { beijingTime } from '../../../src/contract/date.js'
import { knownAt } from '../../../src/contract/known-at.js'
import type { QueryOptions } from '../../../src/data/source/source.js'
import type { Clock } from '../../../src/data/source/transport/clock.js'
import { Growing } from '../archive/coverage/growing.js'

export const at = (text: string): number => Date.parse(`${text}+08:00`)

/** Time that passes only where somebody sleeps. */
export class SleptTime implements Clock {
  time: number

  constructor(begin: string) {
    this.time = at(begin)
  }

  now = (): number => this.time
  chance = (): number => 0
  sleep = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted()
    this.time += milliseconds
  }
}

const days = tradingDays('20260506', '20260729')

const known = new Map<string, string | undefined>()

/** From when on the rows of a day, or of a minute of it, can be known; asked for each row at each moment. */
function knownFrom(dataset: Dataset, day: string, minute: string | undefined): string | undefined {
  const key = `${dataset.name} ${day} ${minute}`
  if (!known.has(key)) {
    const { knownAt: rule } = dataset
    const moment = 'day' in rule ? knownAt(dataset, { [rule.day]: day, trademin: minute }) : undefined
    // The latest day of quotes and lists is there while the session runs.
    const isClose = 'at' in rule && rule.at === '15:00:00'
    known.set(key, isClose ? `${moment?.slice(0, 10)}T09:30:00` : moment)
  }
  return known.get(key)
}

/** The sample as it was at each moment: a row is there from the moment on at which the contract says that it can be known. */
export class TimedSource extends Growing {
  readonly #clock: SleptTime
  /** Batches that come late: until when, by dataset and day. */
  readonly late = new Map<string, string>()
  /** Thrown in place of an answer. */
  failure: Error | undefined
  readonly asked: string[] = []
  #told = { time: Number.NaN, text: '' }

  constructor(clock: SleptTime) {
    super()
    this.#clock = clock
  }

  get moment(): string {
    const { time } = this.#clock
    if (time !== this.#told.time) this.#told = { time, text: beijingTime(time).slice(0, 19) }
    return this.#told.text
  }

  override untilOf(dataset: Dataset): string {
    const today = this.moment.slice(0, 10).replaceAll('-', '')
    if (!dataset.day) return today
    return days.filter((day) => day <= today && this.isThere(dataset, day, '0930')).at(-1) ?? '20260506'
  }

  override isThere(dataset: Dataset, day: string, minute?: string): boolean {
    const { knownAt: rule, name } = dataset
    if (!('day' in rule)) return true
    const until = this.late.get(`${name} ${day} ${minute ?? ''}`) ?? this.late.get(`${name} ${day}`)
    if (until !== undefined && this.moment < until) return false
    return String(knownFrom(dataset, day, minute)) <= this.moment
  }

  override async query(dataset: Dataset, params?: unknown, options: QueryOptions = {}): Promise<Table> {
    this.asked.push(`${this.moment} ${dataset.name}`)
    if (this.failure) throw this.failure
    return super.query(dataset, params, options)
  }
}
