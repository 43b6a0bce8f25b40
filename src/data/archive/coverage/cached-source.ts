import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Table } from 'apache-arrow'
import type { Dataset } from '../../../contract/dataset.js'
import { daysBetween } from '../../../contract/day-list.js'
import type { Words } from '../../../contract/sentence.js'
import { sentence } from '../../../contract/sentence.js'
import { provenance } from '../../../frame/table/provenance.js'
import type { RecordColumns } from '../../../frame/table/values.js'
import type { ArchiveIdentity } from '../../source/reply/archive-identity.js'
import type { Explanation, Progress, QueryOptions, Source } from '../../source/source.js'
import { emptyColumns } from '../answer/row-slices.js'
import { Archive } from '../archive.js'
import { emptyManifest, manifestFile } from '../manifest.js'
import type { Manifest } from '../manifest-entries.js'
import type { Snapshot } from '../snapshot.js'
import { AnswerWriter } from './answer-writer.js'
import { cacheError, whyNotStored } from './cache-error.js'
import { addressesOf, type Coverage, checkCacheOf, coverageOf } from './coverage.js'
import {
  type CacheQuery,
  type CacheSplit,
  type CodeGroup,
  cachedDates,
  cacheQuery,
  requestFor,
  settledDates,
  splitQuery,
} from './covered-query.js'
import { isAmbiguous, putRows, readCached, type StorableRows, storableRows } from './covered-rows.js'
import { joinAnswers, withCalls } from './join-answers.js'
import { askLatestDay, latestDayIn, mayBeUnsettled } from './latest-day.js'

export interface CacheOptions {
  /** Bytes of decoded data kept in memory. Default 512 MiB. */
  readonly cacheBytes?: number | undefined
  /** How long to wait for another process that is writing, in milliseconds. Default 15 seconds. */
  readonly waitMs?: number | undefined
}

/** The rows that the cache has for a query. */
interface Cached {
  readonly rows: RecordColumns
}

/** What a service over HTTP does beside its queries. */
type Files = Required<Pick<Source, 'get' | 'open'>>

function scopeName({ dataset, scope }: CacheQuery): string {
  return `${dataset.name} ${scope}`
}

/**
 * A service whose answers are kept on this machine, as far as they can no longer change: days before the latest one that
 * the service has shown. Those come from the directory, which is an archive; the latest day, and all else, is always asked
 * for. A day that the service changes later stays as it was kept until it is dropped (`dropCache`).
 */
export class CachedSource implements Source {
  readonly name: Words
  readonly dir: string
  readonly #service: Source
  readonly #archive: Archive
  readonly #waitMs: number | undefined
  /** Latest day that the service has shown, by dataset and scope. */
  readonly #latest = new Map<string, string>()
  /** Datasets whose answers have columns that the archive has no place for. */
  readonly #uncacheable = new Set<string>()
  /** Queries that are under way, and the latest day that was known when each was put. */
  readonly #open = new Set<{ readonly name: string; readonly latest: string | undefined }>()
  #writer: AnswerWriter | undefined
  #storing: Promise<unknown> = Promise.resolve()

  /** @param dir new or empty directory, or one that holds answers of the same service */
  constructor(service: Source, dir: string, { cacheBytes, waitMs }: CacheOptions = {}) {
    this.name = service.name
    this.dir = dir
    this.#service = service
    this.#waitMs = waitMs
    this.#archive = new Archive(dir, service.name, { cacheBytes })
  }

  /**
   * The rows that the service would answer with.
   * @throws what the service's source throws; QuotebookError ARCHIVE for a damaged cache, USAGE for a directory that is
   * something else
   */
  async query(dataset: Dataset, params?: unknown, options: QueryOptions = {}): Promise<Table> {
    const query = this.#queryOf(dataset, params, options)
    const ask = (): Promise<Table> => this.#service.query(dataset, params, options)
    // An answer that was cut short may be alike to one that is stored.
    const isWhole = options.whole === true && options.allowTruncated !== true
    if (!query) return isWhole ? ask() : this.#during(dataset.name, undefined, ask)
    const name = scopeName(query)
    const shown = await this.#askLatest(query, options)
    const latest = await this.#latestOf(query)
    const found = await this.#find(query, latest)
    options.signal?.throwIfAborted()
    if (!found) {
      const table = await this.#during(name, latest, ask)
      this.#learn(query, table)
      return withCalls(table, shown)
    }
    const settledBy = this.#settledBy([dataset.name, name], latest)
    const fetched = await this.#during(name, latest, () => this.#fetch(query, found, options))
    const asked = [...shown, ...fetched]
    if (fetched.some((table) => provenance(table)?.extra !== undefined)) {
      this.#uncacheable.add(dataset.name)
      return withCalls(await this.#during(name, latest, ask), asked)
    }
    for (const table of fetched) this.#learn(query, table)
    options.signal?.throwIfAborted()
    const list = found.missing.flatMap((group, i) => storableRows(query, group, fetched[i] as Table, settledBy) ?? [])
    const isNews = list.length > 0 || this.#service.unsent?.(dataset).news !== undefined
    const why = isNews ? await this.#store(query, list) : undefined
    const notes = why === undefined ? [] : [why]
    return joinAnswers(query, String(this.name), { cached: found.rows, fetched, asked, notes })
  }

  /** A query as the cache sees it; undefined where the service is asked as ever. */
  #queryOf(dataset: Dataset, params: unknown, options: QueryOptions): CacheQuery | undefined {
    const isKept = !dataset.cache?.syncOnly && !this.#uncacheable.has(dataset.name)
    return isKept ? cacheQuery(dataset, params, options) : undefined
  }

  /** Runs an action while its query counts as open. */
  async #during<T>(name: string, latest: string | undefined, action: () => Promise<T>): Promise<T> {
    const open = { name, latest }
    this.#open.add(open)
    try {
      return await action()
    } finally {
      this.#open.delete(open)
    }
  }

  /**
   * The latest day that was known when the oldest of the open queries was put, or now. A source sends one request for two
   * that are alike: rows may be as old as the oldest query that is still open.
   */
  #settledBy(names: readonly string[], latest: string | undefined): string | undefined {
    const open = [...this.#open].filter(({ name }) => names.includes(name))
    const days = [latest, ...open.map((one) => one.latest)]
    return days.includes(undefined) ? undefined : days.sort()[0]
  }

  /** What would come from the cache, and how the rest would be asked. Nothing is sent. */
  async explain(dataset: Dataset, params?: unknown, options: QueryOptions = {}): Promise<Explanation> {
    const query = this.#queryOf(dataset, params, options)
    if (!query) return this.#plan(dataset, params, options)
    const latest = await this.#latestOf(query)
    const split = await this.#read(query, (_, coverage) => this.#split(query, coverage, latest))
    const days = cachedDates(split).reduce((sum, [from, to]) => sum + daysBetween(from, to).length, 0)
    const lines = [`${dataset.name}: ${days === 1 ? '1 day' : `${days} days`} from the cache`]
    const asksLatest = mayBeUnsettled(query, latest)
    if (asksLatest) lines.push('1 request for the latest day: what can no longer change is kept')
    const plans = await Promise.all(split.missing.map((group) => this.#planGroup(query, group)))
    if (plans.length === 0) lines.push('nothing else is asked')
    return {
      dataset: dataset.name,
      requests: plans.reduce((sum, plan) => sum + plan.requests, asksLatest ? 1 : 0),
      exact: !asksLatest && plans.every((plan) => plan.exact),
      lines: [...lines, ...plans.flatMap((plan) => plan.lines)],
    }
  }

  async #plan(dataset: Dataset, params: unknown, options: QueryOptions): Promise<Explanation> {
    const plan = await this.#service.explain?.(dataset, params, options)
    const requests = Array.isArray(options.days) ? options.days.length : 1
    const lines = [sentence`${dataset.name}: asked of ${this.name}`]
    return plan ?? { dataset: dataset.name, requests, exact: false, lines }
  }

  #planGroup(query: CacheQuery, group: CodeGroup): Promise<Explanation> {
    const { params, days } = requestFor(query, group)
    return this.#plan(query.dataset, params, { whole: true, days })
  }

  /** What the service tells of its archive; no state, since what is kept may be of an earlier one. */
  async identity(): Promise<ArchiveIdentity | undefined> {
    const { name, about } = (await this.#service.identity?.()) ?? {}
    return name === undefined && about === undefined ? undefined : { name, about }
  }

  /** Files of a share are not kept. */
  get(...asked: Parameters<Files['get']>): ReturnType<Files['get']> {
    return (this.#service as Files).get(...asked)
  }

  open(...asked: Parameters<Files['open']>): ReturnType<Files['open']> {
    return (this.#service as Files).open(...asked)
  }

  async close(): Promise<void> {
    await this.#storing
    await this.#service.close?.()
  }

  /** Reads one state of the directory. @throws QuotebookError that names the directory */
  async #read<T>(
    query: CacheQuery,
    ask: (snapshot: Snapshot | undefined, coverage: Coverage) => Promise<T>,
  ): Promise<T> {
    const read = (snapshot: Snapshot | undefined, manifest: Manifest): Promise<T> => {
      checkCacheOf(String(this.name), this.dir, manifest)
      return ask(snapshot, coverageOf(query.dataset, manifest.datasets[query.dataset.name], query.scope))
    }
    try {
      if (!existsSync(join(this.dir, manifestFile))) return await read(undefined, emptyManifest)
      return await this.#archive.read(read)
    } catch (error) {
      throw cacheError(this.dir, error)
    }
  }

  #split(query: CacheQuery, coverage: Coverage, latest: string | undefined): Promise<CacheSplit> {
    return splitQuery(query, coverage, latest, async (group) => (await this.#planGroup(query, group)).requests)
  }

  /**
   * The rows that are cached and what is left to ask, of one state; undefined when codes can not be told apart, or nothing
   * is cached and nothing can be.
   */
  #find(query: CacheQuery, latest: string | undefined): Promise<(CacheSplit & Cached) | undefined> {
    return this.#read(query, async (snapshot, coverage) => {
      this.#service.unsent?.(query.dataset).recall(coverage.unsent)
      const split = await this.#split(query, coverage, latest)
      const isStorable = !query.isFiltered && settledDates(query, latest).length > 0
      if (split.cached.length === 0 && !isStorable) return undefined
      const rows = snapshot ? await readCached(snapshot, query, split) : emptyColumns(query.dataset)
      return isAmbiguous(query, rows) ? undefined : { ...split, rows }
    })
  }

  /** The answers of the service to what the cache does not hold, with every column, one after the other. */
  async #fetch(query: CacheQuery, { missing, rows }: CacheSplit & Cached, options: QueryOptions): Promise<Table[]> {
    const { onProgress, signal, seen } = options
    const tables: Table[] = []
    let before = { done: 0, rows: rows.length }
    for (const group of missing) {
      signal?.throwIfAborted()
      const { params, days } = requestFor(query, group)
      let last = before
      const report = ({ done, of, rows, what }: Progress): void => {
        last = { done: before.done + done, rows: before.rows + rows }
        onProgress?.({ ...last, of: before.done + of, what })
      }
      const own = { whole: true, days, signal, seen, onProgress: onProgress && report }
      tables.push(await this.#service.query(query.dataset, params, own))
      before = last
    }
    return tables
  }

  /** Asks the service for its latest day, where days may have become past meanwhile. */
  async #askLatest(query: CacheQuery, options: QueryOptions): Promise<readonly Table[]> {
    const isOpen = mayBeUnsettled(query, await this.#latestOf(query))
    const table = isOpen ? await askLatestDay(this.#service, query, options) : undefined
    if (table) this.#learn(query, table)
    return table ? [table] : []
  }

  /** The latest day that the service has shown, to this source or to those that kept its answers. */
  async #latestOf(query: CacheQuery): Promise<string | undefined> {
    const own = this.#latest.get(scopeName(query))
    return laterOf(own, await this.#read(query, async (_, { latest }) => latest))
  }

  #learn(query: CacheQuery, table: Table): void {
    const name = scopeName(query)
    const shown = laterOf(this.#latest.get(name), latestDayIn(query, table))
    if (shown !== undefined) this.#latest.set(name, shown)
  }

  /** Puts rows into the cache, the latest day, and closes without bars; tells why not, where the answer is right without. */
  async #store(query: CacheQuery, list: readonly StorableRows[]): Promise<Words | undefined> {
    const unsent = this.#service.unsent?.(query.dataset).news
    const about = { latest: this.#latest.get(scopeName(query)), from: addressesOf(String(this.name)), unsent }
    const { about: origin } = (await this.#service.identity?.()) ?? {}
    this.#writer ??= new AnswerWriter(this.dir, { waitMs: this.#waitMs, about: origin })
    const storing = this.#writer.put((writer) => putRows(writer, query, list, about))
    this.#storing = storing.catch(() => undefined)
    try {
      await storing
      return undefined
    } catch (error) {
      const why = whyNotStored(this.dir, error)
      if (why === undefined) throw cacheError(this.dir, error)
      return why
    }
  }
}

function laterOf(a: string | undefined, b: string | undefined): string | undefined {
  return [a, b].sort()[b === undefined || a === undefined ? 0 : 1]
}
