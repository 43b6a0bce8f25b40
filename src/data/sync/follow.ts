import type { Dataset } from '../../contract/dataset.js'
import { beijingDay, beijingTime } from '../../contract/date.js'
import { messageOf, QuotebookError } from '../../contract/error.js'
import { checkOptions, type OptionKinds } from '../../contract/options.js'
import type { Words } from '../../contract/sentence.js'
import { isFact, listOf, sentence } from '../../contract/sentence.js'
import { bucketCloses } from '../../contract/session.js'
import { mayTrade } from '../../contract/session-hours.js'
import { Archive } from '../archive/archive.js'
import { coverageOf } from '../archive/coverage/coverage.js'
import { includes } from '../archive/coverage/day-ranges.js'
import type { DirectoryLock } from '../archive/directory-lock.js'
import { makeFolder } from '../archive/file-access.js'
import {
  type FollowCounts,
  type FollowNext,
  type FollowStatus,
  readFollowStatus,
  unfollowed,
  writeFollowStatus,
} from '../archive/follow-status.js'
import type { ArchiveStore } from '../archive/store/archive-store.js'
import { storeOf } from '../archive/store/store-of.js'
import type { Source } from '../source/source.js'
import { longestWait, SourceError } from '../source/source-error.js'
import { type Clock, realClock, wallTime } from '../source/transport/clock.js'
import { type FollowMoment, type FollowOutcome, FollowSchedule, jitterOf } from './follow-schedule.js'
import {
  chosenDatasets,
  plainSyncOptions,
  type SyncOptions,
  type SyncResult,
  syncLock,
  syncLocked,
  syncOptions,
} from './sync.js'
import { syncSeriesOf } from './sync-series.js'

/** Options of `market.follow`: those of a sync. */
export interface FollowOptions extends Omit<SyncOptions, 'dryRun'> {
  /** Who follows, for those who find the archive taken: `process 1234`. */
  readonly owner?: string | undefined
  /** Goes on if the source refuses the first question too, as it does later: an archive is there and served meanwhile. */
  readonly patient?: boolean | undefined
  /** What it waits with. */
  readonly clock?: Clock | undefined
}

/** A run of `market.follow`. Moments are Beijing time, ISO 8601 with the offset. */
export interface FollowRun {
  /** When it began. */
  readonly at: string
  /** Names of the datasets that were due. */
  readonly datasets: readonly string[]
  /** What came; undefined if the source did not answer at all. */
  readonly result?: SyncResult
  /** Why something did not come: of the source, or of datasets with their names. */
  readonly failed?: Words
  /** Datasets whose batch of the day was due and is not there yet: they are asked again, ever less often. */
  readonly late: readonly string[]
  readonly next: FollowNext
}

const { dryRun: _, ...ofSync } = syncOptions
const followOptions: OptionKinds<FollowOptions> = {
  ...ofSync,
  owner: 'text',
  patient: 'true or false',
  clock: 'an object',
}
/** Waits end in time, however a clock is set or a machine sleeps: it is looked at this often. Milliseconds. */
const longestSleep = 60_000

/** A request that is under way when a follower is told to end is ended and stored. */
function unhurried(source: Source): Source {
  return {
    name: source.name,
    identity: async () => source.identity?.(),
    query: (dataset, params, options) => source.query(dataset, params, { ...options, signal: undefined }),
  }
}

/** Why datasets were not brought, those that share a reason together. */
function failureOf({ datasets }: SyncResult): Words | undefined {
  const byReason = new Map<string, { readonly why: Words; readonly names: string[] }>()
  for (const { dataset, failed } of datasets) {
    if (failed === undefined) continue
    // Some name the dataset themselves: `{dataset}: {what}`.
    const why = isFact(failed) && failed.values[1] === dataset ? (failed.values[2] as Words) : failed
    const known = byReason.get(`${why}`)
    if (known) known.names.push(dataset)
    else byReason.set(`${why}`, { why, names: [dataset] })
  }
  const all = [...byReason.values()].map(({ why, names }) => sentence`${names.join(', ')}: ${why}`)
  return all.length === 0 ? undefined : listOf(all)
}

/** Whether an archive has a day of a dataset, settled or as it stood. */
async function hasDay(store: ArchiveStore, dataset: Dataset, day: string): Promise<boolean> {
  const entry = (await store.read())?.manifest.datasets[dataset.name]
  return syncSeriesOf(dataset).some(({ scope }) => {
    const { all, unproven, unsettled } = coverageOf(dataset, entry, scope)
    return unsettled.has(day) || includes(all, day) || includes(unproven, day)
  })
}

/** Whether an archive has the last bucket of bars that was due by a time of a day. */
async function hasBucket(store: ArchiveStore, dataset: Dataset, day: string, clock: string): Promise<boolean> {
  const archive = new Archive(store, store.name)
  for (const { params } of syncSeriesOf(dataset)) {
    const trademin = bucketCloses['30m'].filter((close) => close <= clock).at(-1)
    if (trademin === undefined) continue
    const table = await archive.query(dataset, { ...params, tradedate: day, trademin }, { fields: ['symbol'] })
    if (table.numRows === 0) return false
  }
  return true
}

/** What is known while an archive is followed. */
class Follower {
  readonly #source: Source
  readonly #given: FollowOptions
  readonly #schedule: FollowSchedule
  readonly #time: () => number
  readonly #clock: Clock
  readonly #since: string
  #status: Pick<FollowStatus, 'last' | 'failure'>
  #counts: FollowCounts = { runs: 0, failures: 0, rows: 0, requests: 0 }
  #hasAnswered = false
  /** Who asked to be left alone, and until when by the clock that never goes back. */
  #held: { readonly by: string; readonly ticks: number } | undefined

  constructor(source: Source, given: FollowOptions, schedule: FollowSchedule, before: FollowStatus | undefined) {
    this.#source = unhurried(source)
    this.#given = given
    this.#schedule = schedule
    this.#time = given.time ?? wallTime
    this.#clock = given.clock ?? realClock
    this.#since = beijingTime(this.#time())
    this.#status = { ...(before?.last && { last: before.last }), ...(before?.failure && { failure: before.failure }) }
  }

  #moment(): FollowMoment {
    return { time: this.#time(), ticks: this.#clock.now() }
  }

  /** Waits until something is due, and gives the moment. @throws the signal's reason */
  async rest(): Promise<FollowMoment> {
    for (let from = this.#moment(); ; ) {
      this.#given.signal?.throwIfAborted()
      const { at } = this.#schedule.next(from)
      if (at <= from.time) return from
      let now = from
      // Where a clock is set meanwhile, something else may be due.
      const isSteady = (): boolean => Math.abs(now.time - from.time - (now.ticks - from.ticks)) < 1000
      while (now.time < at && isSteady()) {
        await this.#clock.sleep(Math.min(at - now.time, longestSleep), this.#given.signal)
        now = this.#moment()
      }
      from = now
    }
  }

  /** Brings what is due. @throws what no waiting mends, and the signal's reason */
  async run(began: FollowMoment): Promise<FollowRun> {
    const due = this.#schedule.due(began)
    const datasets = due.map(({ name }) => name)
    const { clock: _, owner: __, patient: ___, ...given } = this.#given
    let [result, failed]: [SyncResult | undefined, Words | undefined] = [undefined, undefined]
    try {
      result = await syncLocked(this.#source, { ...given, datasets })
      this.#hasAnswered = true
      this.#held = undefined
      const ended = this.#moment()
      for (const dataset of due) {
        const own = result.datasets.find((one) => one.dataset === dataset.name)
        const outcome =
          own?.failed === undefined ? await this.#brought(dataset, began.time) : { kind: 'failed' as const }
        this.#schedule.note(dataset, outcome, began, ended)
      }
      failed = failureOf(result)
    } catch (error) {
      if (this.#given.signal?.aborted || !this.#mayMend(error)) throw error
      const ended = this.#moment()
      const wait = this.#waitAfter(error, ended)
      for (const dataset of due) this.#schedule.note(dataset, { kind: 'failed', wait }, began, ended)
      failed = messageOf(error)
    }
    const run = this.#told(beijingTime(began.time), datasets, result, failed)
    await this.writeStatus()
    return run
  }

  /** How long a source is left alone at least: as it wishes, or as long as may be where it never knew the key. */
  #waitAfter(error: unknown, { ticks }: FollowMoment): number | undefined {
    const { code, retryAfter, node } = error as Partial<SourceError>
    this.#held = retryAfter ? { by: node ?? String(this.#source.name), ticks: ticks + retryAfter } : undefined
    return code === 'FORBIDDEN' && !this.#hasAnswered ? longestWait : retryAfter
  }

  /** Keeps what failed, or ends it. */
  fail(at: string, why: Words): void {
    const { since = at } = unfollowed(this.#status) ?? {}
    this.#status = { ...this.#status, failure: { at, why, since } }
  }

  /** What is known, for everybody who looks. @param isOver it follows no longer */
  async writeStatus(isOver = false): Promise<void> {
    const now = this.#time()
    const { owner, archive } = this.#given
    const { workFolder } = storeOf(archive)
    const brought = [...this.#schedule.brought(this.#moment())].map(([name, at]) => [name, beijingTime(at)])
    await writeFollowStatus(workFolder, {
      since: this.#since,
      ...(owner === undefined ? {} : { owner }),
      ...(isOver ? { ended: beijingTime(now) } : {}),
      counts: this.#counts,
      ...this.#status,
      late: this.#schedule.late,
      next: this.#next(),
      brought: Object.fromEntries(brought),
    })
  }

  #next(): FollowRun['next'] {
    const now = this.#moment()
    const { at, datasets } = this.#schedule.next(now)
    const left = this.#held ? this.#held.ticks - now.ticks : 0
    return {
      at: beijingTime(Math.max(at, now.time)),
      datasets: datasets.map(({ name }) => name),
      ...(this.#held && left > 0 && { held: { by: this.#held.by, until: beijingTime(now.time + left) } }),
    }
  }

  #told(at: string, datasets: readonly string[], result: SyncResult | undefined, failed: Words | undefined): FollowRun {
    const { runs, failures, rows, requests } = this.#counts
    this.#counts = {
      runs: runs + 1,
      failures: failures + (failed === undefined ? 0 : 1),
      rows: rows + (result?.rows ?? 0),
      requests: requests + (result?.requests ?? 0),
    }
    if (result) {
      const missing = result.datasets.reduce((sum, one) => sum + one.missing.length, 0)
      this.#status = {
        ...this.#status,
        last: { at, datasets, rows: result.rows, requests: result.requests, missing },
      }
    }
    if (failed !== undefined) this.fail(at, failed)
    const late = this.#schedule.late.filter((name) => datasets.includes(name))
    return {
      at,
      datasets,
      ...(result && { result }),
      ...(failed === undefined ? {} : { failed }),
      late,
      next: this.#next(),
    }
  }

  /** A source that is away, or another writer that is slow. A key that is refused from the start is told at once. */
  #mayMend(error: unknown): boolean {
    const isPatient = this.#hasAnswered || this.#given.patient === true
    if (error instanceof SourceError) return error.retryable || isPatient
    const code = error instanceof QuotebookError ? error.code : ''
    return code === 'ARCHIVE_BUSY' || (code === 'CONTRACT' && isPatient)
  }

  /** What was brought is late where its day has no rows, or of bars not the bucket that the batch ends with. */
  async #brought(dataset: Dataset, began: number): Promise<FollowOutcome> {
    const store = storeOf(this.#given.archive)
    const batch = this.#schedule.batch(dataset, began)
    const day = beijingDay(batch)
    const clock = beijingTime(batch).slice(11, 16).replace(':', '')
    const { knownAt: rule } = dataset
    const isSure = 'minute' in rule || ('at' in rule && rule.at.slice(0, 5).replace(':', '') <= clock)
    if (!isSure || !mayTrade(day)) return { kind: 'brought', isLate: false }
    const isThere = await (dataset.columns.trademin
      ? hasBucket(store, dataset, day, clock)
      : hasDay(store, dataset, day))
    return { kind: 'brought', isLate: !isThere }
  }
}

async function begin(source: Source, given: FollowOptions): Promise<Follower> {
  const { name, workFolder } = storeOf(given.archive)
  const before = await readFollowStatus(workFolder)
  const now = { time: (given.time ?? wallTime)(), ticks: (given.clock ?? realClock).now() }
  const brought = new Map(Object.entries(before?.brought ?? {}).map(([name, at]) => [name, Date.parse(at)]))
  const schedule = new FollowSchedule(chosenDatasets(given.datasets), jitterOf(name), brought, now)
  const follower = new Follower(source, given, schedule, before)
  await follower.writeStatus()
  return follower
}

/**
 * Keeps an archive up to a source without an end: a run whenever something is due by the contract's own times, the first at
 * once. See `market.follow`.
 */
export async function* followArchive(
  source: Source,
  options: FollowOptions,
): AsyncGenerator<FollowRun, undefined, undefined> {
  const given = plainSyncOptions(checkOptions(options, followOptions, 'follow'))
  const { signal } = given
  const store = storeOf(given.archive)
  let lock: DirectoryLock | undefined
  let follower: Follower | undefined
  try {
    await store.read()
    await makeFolder(store.workFolder)
    lock = await syncLock(store, signal)
    follower = await begin(source, { ...given, archive: store })
    for (;;) {
      const due = await follower.rest()
      // A process that stood still for long may have lost it.
      if (lock.lost) lock = await syncLock(store, signal)
      yield await follower.run(due)
    }
  } catch (error) {
    if (signal?.aborted) return
    follower?.fail(beijingTime((given.time ?? wallTime)()), messageOf(error))
    throw error
  } finally {
    if (lock && !lock.lost) await follower?.writeStatus(true)
    await lock?.release()
  }
}
