import { rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { datasetOf, datasets } from '../../contract/catalogue.js'
import type { Dataset } from '../../contract/dataset.js'
import { beijingDay, beijingTime, dateIn, dateOf, dayNumber, writtenDate } from '../../contract/date.js'
import { daysBetween } from '../../contract/day-list.js'
import { messageOf, QuotebookError } from '../../contract/error.js'
import { checkOptions, type OptionKinds } from '../../contract/options.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { mayTrade } from '../../contract/session-hours.js'
import { provenance } from '../../frame/table/provenance.js'
import { columnsOf } from '../../frame/table/unwrap.js'
import { textCells } from '../../frame/table/values.js'
import { Archive } from '../archive/archive.js'
import { AnswerWriter, type PutAnswer } from '../archive/coverage/answer-writer.js'
import { addressesOf, type Coverage, checkSameService, coverageOf } from '../archive/coverage/coverage.js'
import { lastSettled } from '../archive/coverage/covered-query.js'
import { type DayRanges, datesIn, endOfDays, rangesOfDays, union } from '../archive/coverage/day-ranges.js'
import { type DirectoryLock, takeLock } from '../archive/directory-lock.js'
import { makeFolder } from '../archive/file-access.js'
import { holderOf } from '../archive/follow-status.js'
import { keepMonths } from '../archive/keep-months.js'
import { emptyManifest } from '../archive/manifest.js'
import type { Manifest } from '../archive/manifest-entries.js'
import { olderNote } from '../archive/part-file.js'
import type { ArchiveStore } from '../archive/store/archive-store.js'
import { type ArchivePlace, storeOf } from '../archive/store/store-of.js'
import { themeIds } from '../archive/theme-ids.js'
import type { Progress, Source } from '../source/source.js'
import { SourceError } from '../source/source-error.js'
import { wallTime } from '../source/transport/clock.js'
import { dueForRecheck, planSeries, type SyncRequest, waitingDays } from './plan-sync.js'
import { SeriesRun, type SyncTarget, tradingDaysOf } from './run-series.js'
import { type SyncSeries, syncable, syncSeriesOf } from './sync-series.js'
import { beginSync, begunBefore, endSync, type SyncStamp } from './unfinished-sync.js'

/** Options of `market.sync`. */
export interface SyncOptions {
  /** Directory of the archive, or its address in ClickHouse: new, or one that was synced from the same service before, or one of imports. */
  readonly archive: ArchivePlace
  /** Names of the datasets to bring (default: all that can be kept). */
  readonly datasets?: readonly string[] | undefined
  /** First day wanted, `YYYYMMDD`; absent, the first that the archive has of the service, or 20 trading days. */
  readonly from?: string | undefined
  /** Ids of themes to bring beside those that the archive knows: the service lists none. */
  readonly themes?: readonly string[] | undefined
  /** Days that are asked for again though they are covered: of a dataset all, or some. What has no history is asked as it is now. */
  readonly again?: readonly SyncAgain[] | undefined
  /** Only plans: one request is sent, for the latest day, and nothing is written. */
  readonly dryRun?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** Called when a question is answered and stored, and at the end before each month of bars that is kept by code. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Milliseconds since 1970: tells the day of snapshots. */
  readonly time?: (() => number) | undefined
}

/** Settled days of a dataset that are asked for again, `YYYYMMDD`, both ends included; without them all. */
export interface SyncAgain {
  readonly dataset: string
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** What a sync did with a dataset. */
export interface SyncedDataset {
  readonly dataset: string
  /** Requests that the plan counts, at least. */
  readonly planned: number
  /** Trading days up to the latest that the plan asks for, ascending. */
  readonly due: readonly string[]
  /** Days of these that are settled and asked again, a day, a week and a month later. */
  readonly again: readonly string[]
  /** Requests that were sent. */
  readonly requests: number
  readonly rows: number
  /** Rows that were settled, or known by themselves, and that the source gave otherwise than before. */
  readonly revisions: number
  /** Dates that were brought, ascending, those that may still change among them. */
  readonly days: readonly string[]
  /** Days of these that can no longer change, and that nothing shows to be whole: they are not asked for again. */
  readonly unproven: readonly string[]
  /** Settled days that the source gave with rows or values less than before: these stay, and it is asked again on another date. */
  readonly waiting: readonly string[]
  /** Trading days that must have rows and of which the source gave none, or not all of them. */
  readonly missing: readonly string[]
  /** Why the rest of it was not brought. */
  readonly failed?: Words
}

/** The plan of a sync, and its result. */
export interface SyncResult {
  /** First day wanted, and the latest day that the source has shown. */
  readonly from: string
  readonly latest: string
  readonly planned: number
  readonly requests: number
  readonly rows: number
  readonly revisions: number
  readonly datasets: readonly SyncedDataset[]
  /** Why months of bars could not be kept by code: every row is there without. */
  readonly unkept?: Words
  /** Nothing that was asked for failed, and nothing is missing. */
  readonly ok: boolean
}

export const syncOptions: OptionKinds<SyncOptions> = {
  archive: 'any',
  datasets: 'an array',
  from: 'any',
  themes: 'an array',
  again: 'an array',
  dryRun: 'true or false',
  signal: 'an object',
  onProgress: 'a function',
  time: 'a function',
}
/** Trading days of a first sync without a first day. */
const usualDays = 20
/** Series that are brought at the same time. */
const sideBySide = 4
/** Series that may fail because the source does not answer; then nothing else is asked. */
const mostFailures = 3

/** The datasets of a sync, by their names. @throws QuotebookError USAGE for one that it does not bring */
export function chosenDatasets(names: readonly string[] = syncable): Dataset[] {
  return [...new Set(names)].map((name) => {
    if (syncable.includes(name)) return datasetOf(name)
    const { name: known } = datasetOf(name)
    const why = sentence`its files are fetched by \`quotebook ticks fetch\``
    throw new QuotebookError('USAGE', sentence`sync does not bring ${known}: ${why}`)
  })
}

/** Whether an answer came that failed: others of the same source may not. */
function isOfDataset(error: unknown): error is Error {
  if (!(error instanceof SourceError)) return error instanceof QuotebookError && error.code === 'CONTRACT'
  const isSilence = ['UNREACHABLE', 'CUT_OFF', 'TIMEOUT'].includes(error.code)
  return error.code === 'FORBIDDEN' || (!isSilence && error.retryAfter === undefined)
}

interface Shown {
  readonly latest: string
  /** State of the archive behind the source, where it tells. */
  readonly state: string | undefined
  /** Requests that it took. */
  readonly requests: number
}

/**
 * The latest day that a source shows, in one small question: of indices, or, where those do not show today, of the other
 * datasets that have all days, since the batch of one may be late, or the plan of the key may leave it out.
 * @throws what the first of them failed with where no day is shown
 */
async function latestOf(
  source: Source,
  names: readonly string[],
  today: string,
  signal: AbortSignal | undefined,
): Promise<Shown> {
  const all = datasets.map(({ name }): Dataset => datasetOf(name)).filter(({ load }) => load?.showsLatestDay)
  const isRange = ({ load }: Dataset): boolean => load?.kind === 'range'
  let [requests, latest] = [0, '']
  let state: string | undefined
  let refusal: Error | undefined
  const inOrder = [...all.filter(isRange), ...all.filter((one) => !isRange(one))]
  for (const dataset of inOrder) {
    const [series] = syncSeriesOf(dataset)
    try {
      const table = await source.query(dataset, series?.params, { fields: [dataset.day as string], signal })
      const days = textCells(columnsOf(table), dataset.day as string).flatMap((word) => dateIn(word ?? '') ?? [])
      latest = [...days, latest].sort().at(-1) ?? ''
      const { call, state: own } = provenance(table) ?? {}
      requests += call?.requests ?? 0
      state = own ?? state
      if (latest !== '' && (latest >= today || !mayTrade(today))) break
    } catch (error) {
      if (signal?.aborted || !isOfDataset(error)) throw error
      refusal ??= error
    }
  }
  if (latest !== '') return { latest, state, requests }
  if (refusal) throw refusal
  throw new QuotebookError(
    'ARCHIVE',
    sentence`${source.name} shows no trading day of ${names.join(', ')}; nothing was asked`,
  )
}

/** The first day that an archive wants of a dataset, or, where it is new to it, of any. */
function sinceIn({ datasets: entries }: Manifest, name: string): string | undefined {
  const all = Object.values(entries).flatMap(({ kept }) => kept?.since ?? [])
  return entries[name]?.kept?.since ?? all.sort()[0]
}

function tradingDaysBack(latest: string, count: number): string {
  const days = daysBetween(dateOf(dayNumber(latest) - 2 * count - 20), latest)
  return days.at(-count) ?? latest
}

/** The ids of the themes that an archive has. */
async function themesIn(store: ArchiveStore, manifest: Manifest): Promise<readonly string[]> {
  const dataset = datasetOf('theme_lib_detail_kp')
  if (!manifest.datasets[dataset.name]) return []
  return new Archive(store, store.name).read(themeIds)
}

/** Days that may still change and that the sync which goes on has heard of. */
function heardDays({ dataset }: SyncSeries, coverage: Coverage, since = Infinity): DayRanges {
  const { unsettled, latest = endOfDays } = coverage
  const last = dataset.cache ? lastSettled(dataset.cache, latest) : endOfDays
  const heard = [...unsettled].filter(([day, at]) => day > last && Date.parse(at) >= since)
  return rangesOfDays(heard.map(([day]) => day))
}

interface Job {
  readonly series: SyncSeries
  readonly plan: readonly SyncRequest[]
  readonly latest: string | undefined
}

interface Outline extends Shown {
  readonly from: string
  readonly today: string
  /** Now, Beijing time. */
  readonly began: string
  /** What must be the same for another sync to go on where this one is killed. */
  readonly stamp: SyncStamp
  /** Whether it goes on where one was killed. */
  readonly goesOn: boolean
  readonly manifest: Manifest
  readonly jobs: readonly Job[]
  /** What keeps datasets from being brought that the archive has under another contract. */
  readonly older: ReadonlyMap<string, Words>
  /** Datasets of which the archive does not say yet from which day on it wants them. */
  readonly news: readonly (readonly [dataset: Dataset, from: string])[]
}

/** The plan: what is known of the source and of the archive, and the questions that follow from it. */
async function outline(source: Source, given: SyncOptions, now: () => number): Promise<Outline> {
  const { signal, themes = [], again: asked = [] } = given
  const store = storeOf(given.archive)
  const wanted = chosenDatasets([...(given.datasets ?? syncable), ...asked.map(({ dataset }) => dataset)])
  const { manifest } = (await store.read()) ?? { manifest: emptyManifest }
  checkSameService(String(source.name), store.name, manifest)
  const [today, began] = [beijingDay(now()), beijingTime(now())]
  const names = wanted.map(({ name }) => name)
  const shown = await latestOf(source, names, today, signal)
  const { latest } = shown
  const fromOf = ({ name }: Dataset): string =>
    given.from ?? sinceIn(manifest, name) ?? tradingDaysBack(latest, usualDays)
  const stamp = { source: String(source.name), latest, today, state: shown.state }
  const { goesOn, heardSince } = await begunBefore(store.workFolder, stamp, now())
  const older = new Map(
    wanted.flatMap(({ name }) => {
      const why = olderNote(store.name, name, manifest.datasets[name])
      return why === undefined ? [] : [[name, why] as const]
    }),
  )
  const themesThere = older.has('theme_lib_detail_kp') ? [] : await themesIn(store, manifest)
  const known = [...new Set([...themesThere, ...themes])].sort()
  const jobs = wanted.flatMap((dataset) =>
    syncSeriesOf(dataset, known).map((series): Job => {
      const from = fromOf(dataset)
      const entry = manifest.datasets[dataset.name]
      const own = coverageOf(dataset, entry, series.scope)
      const covered = [own.unproven, heardDays(series, own, heardSince)].reduce(union, own.all)
      const aged = dueForRecheck(series, own.records, today)
      const old = union(aged, waitingDays(entry?.waiting?.[series.scope], today))
      const due = asked.reduce(
        (days, { dataset: of, from = '00010101', to = endOfDays }) =>
          of === dataset.name ? union(days, [[from, to]]) : days,
        old,
      )
      return { series, latest: own.latest, plan: planSeries(series, { from, latest, today, covered, again: due }) }
    }),
  )
  const isWanted = (dataset: Dataset): boolean =>
    (manifest.datasets[dataset.name]?.kept?.since ?? '9') <= fromOf(dataset)
  const isAsked = (dataset: Dataset): boolean => jobs.some(({ series }) => series.dataset === dataset)
  const news = wanted.filter((dataset) => isAsked(dataset) && !older.has(dataset.name) && !isWanted(dataset))
  return {
    from: wanted.map(fromOf).sort()[0] as string,
    ...shown,
    today,
    began,
    stamp,
    goesOn,
    manifest,
    jobs,
    older,
    news: news.map((dataset) => [dataset, fromOf(dataset)]),
  }
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}

/** Runs some work, so much of it at a time; after a failure nothing new is begun. @throws the first failure, when all has ended */
async function sideways<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items]
  const next = async (): Promise<void> => {
    try {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
    } finally {
      queue.length = 0
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: sideBySide }, next))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

function ascending(days: readonly string[]): string[] {
  return [...new Set(days)].sort()
}

/** What came of a plan: of each job that was begun, and why datasets were not brought. */
interface Brought {
  readonly runs: ReadonlyMap<Job, SeriesRun>
  readonly failed: ReadonlyMap<string, Words>
  /** Rows that the source gave otherwise than before, by dataset. */
  readonly revisions: ReadonlyMap<string, number>
}

const nothingBrought: Brought = { runs: new Map(), failed: new Map(), revisions: new Map() }

/** @param now the archive as it is then */
function resultOf(outline: Outline, { runs, failed: why, revisions }: Brought, now = outline.manifest): SyncResult {
  const { from, latest, requests, jobs } = outline
  const names = [...new Set(jobs.map(({ series }) => series.dataset.name))]
  const list = names.map((dataset): SyncedDataset => {
    const own = jobs.filter(({ series }) => series.dataset.name === dataset)
    const outcomes = own.flatMap((job) => runs.get(job)?.outcome ?? [])
    const plan = own.flatMap((job) => job.plan)
    const failed = why.get(dataset)
    return {
      dataset,
      planned: sum(plan, (request) => request.requests),
      due: ascending(plan.flatMap((request) => tradingDaysOf(request, latest))),
      again: ascending(
        plan.flatMap(({ again: dates = [], ...request }) => tradingDaysOf({ ...request, dates }, latest)),
      ),
      requests: sum(outcomes, (one) => one.requests),
      rows: sum(outcomes, (one) => one.rows),
      revisions: revisions.get(dataset) ?? 0,
      days: ascending(outcomes.flatMap(({ brought }) => datesIn(brought))),
      unproven: ascending(outcomes.flatMap(({ unproven }) => datesIn(unproven))),
      waiting: ascending(Object.values(now.datasets[dataset]?.waiting ?? {}).flatMap((days) => Object.keys(days))),
      missing: ascending(outcomes.flatMap(({ missing }) => missing)),
      ...(failed === undefined ? {} : { failed }),
    }
  })
  return {
    from,
    latest,
    planned: sum(list, ({ planned }) => planned),
    requests: requests + sum(list, (one) => one.requests),
    rows: sum(list, ({ rows }) => rows),
    revisions: sum(list, (one) => one.revisions),
    datasets: list,
    ok: list.every(({ failed, missing }) => failed === undefined && missing.length === 0),
  }
}

/** Options with the first day in its one form. @throws QuotebookError USAGE for options that are none */
export function plainSyncOptions<T extends Omit<SyncOptions, 'dryRun'>>(given: T): T {
  if (given.archive === '' || !['string', 'object'].includes(typeof given.archive)) {
    throw new QuotebookError('USAGE', sentence`sync needs an archive: the directory that it brings up to the source`)
  }
  const from = writtenDate(given.from)
  if (given.from !== undefined && from === undefined) {
    throw new QuotebookError('USAGE', sentence`sync: from must be a date YYYYMMDD, not ${JSON.stringify(given.from)}`)
  }
  return { ...given, from }
}

/** Asks and stores what the plan says. */
async function bring(source: Source, plan: Outline, given: SyncOptions, now: () => number): Promise<SyncResult> {
  const { signal, onProgress } = given
  const progress = { done: 0, rows: 0 }
  const of = sum(plan.jobs, (job) => sum(job.plan, ({ requests }) => requests))
  const writer = new AnswerWriter(given.archive, { about: (await source.identity?.())?.about })
  if (plan.news.length > 0) {
    const put: PutAnswer = async (archive) => {
      for (const [dataset, from] of plan.news) archive.wantSince(dataset, addressesOf(String(source.name)), from)
    }
    await writer.put(put)
  }
  const { latest, today, began, stamp, goesOn } = plan
  const onStored: SyncTarget['onStored'] = ({ series, requests }, rows) => {
    progress.done += requests
    progress.rows += rows
    onProgress?.({ ...progress, of, what: series.dataset.name })
  }
  const told = (): string => beijingTime(now())
  const target = { source, writer, latest, today, began, now: told, signal, onStored }
  const { workFolder } = storeOf(given.archive)
  if (!goesOn) await beginSync(workFolder, stamp, Date.parse(began))
  try {
    const brought = await runJobs(plan, target)
    await endSync(workFolder)
    const own = [...new Set(plan.jobs.map(({ series }) => series.dataset))]
    const unkept = await keepMonths(storeOf(given.archive), own, signal, ({ name }, left) =>
      onProgress?.({ ...progress, of, what: `by-code/${name} (${left})` }),
    )
    const result = resultOf(plan, brought, (await storeOf(given.archive).read())?.manifest)
    return unkept === undefined ? result : { ...result, unkept }
  } finally {
    // What came before a failure is stored too; where it can't be, the failure is told that came first.
    await writer.flush().catch(() => undefined)
  }
}

/** Runs what was planned, a few series at a time. @throws what is no failure of the source, and the signal's reason */
async function runJobs({ jobs, older }: Outline, target: SyncTarget): Promise<Brought> {
  const [runs, failed] = [new Map<Job, SeriesRun>(), new Map<string, Words>(older)]
  let unanswered = 0
  await sideways(jobs, async (job) => {
    const { name } = job.series.dataset
    if (job.plan.length === 0) return
    if (unanswered >= mostFailures)
      failed.set(name, failed.get(name) ?? sentence`not asked: the source does not answer`)
    if (failed.has(name)) return
    const run = new SeriesRun(target, job.latest)
    runs.set(job, run)
    try {
      await run.run(job.plan)
    } catch (error) {
      const isOfSource = error instanceof SourceError || (error instanceof QuotebookError && error.code === 'CONTRACT')
      if (target.signal?.aborted || !isOfSource) throw error
      if (error instanceof SourceError && error.retryable) unanswered++
      failed.set(name, messageOf(error))
    }
  })
  await target.writer.flush()
  target.signal?.throwIfAborted()
  return { runs, failed, revisions: target.writer.revisions }
}

/** The right to sync an archive. @throws QuotebookError ARCHIVE_BUSY while another process has it */
export async function syncLock(
  { name, workFolder }: ArchiveStore,
  signal: AbortSignal | undefined,
): Promise<DirectoryLock> {
  const lock = await takeLock(join(workFolder, '.sync'), 15_000, signal)
  if (lock) return lock
  const why = sentence`${name} is being synced by ${await holderOf(workFolder)}; try again when it is done`
  throw new QuotebookError('ARCHIVE_BUSY', why)
}

/** One sync by a process that has the right to it. */
export async function syncLocked(source: Source, given: SyncOptions): Promise<SyncResult> {
  const now = given.time ?? wallTime
  return bring(source, await outline(source, given, now), given, now)
}

/**
 * Brings an archive up to a source: every day from the first one wanted that it does not cover, the latest day as it stands,
 * and what has no past as it is today. Answers are stored with what they cover in one step, so that a sync that is killed
 * goes on where it stopped, and one that has nothing to do asks for the latest days alone, and for settled ones that are due
 * again (`dueForRecheck`): rows that are others then are kept as revisions. Rows that were imported stay on
 * days that an import covers; on others the settled day of the source takes their place.
 * @throws QuotebookError USAGE for options that are none and for an archive of another service, ARCHIVE_BUSY while another
 * sync or writer has the archive, ARCHIVE for a directory that is something else; SourceError when the source does not
 * answer at all; the signal's reason
 */
export async function syncArchive(source: Source, options: SyncOptions): Promise<SyncResult> {
  const given = plainSyncOptions(checkOptions(options, syncOptions, 'sync'))
  const now = given.time ?? wallTime
  if (given.dryRun) return resultOf(await outline(source, given, now), nothingBrought)
  const store = storeOf(given.archive)
  await store.read()
  const isNew = await makeFolder(store.workFolder)
  const lock = await syncLock(store, given.signal)
  try {
    return await syncLocked(source, { ...given, archive: store })
  } finally {
    await lock.release()
    // Nothing is left of a directory that nothing came to.
    if (isNew) await rmdir(store.workFolder).catch(() => undefined)
  }
}
