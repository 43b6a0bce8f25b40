import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Table } from 'apache-arrow'
import type { Dataset } from '../../contract/dataset.js'
import { QuotebookError } from '../../contract/error.js'
import type { Explanation } from '../../source/plan/query-plan.js'
import type { ArchiveIdentity } from '../../source/reply/archive-identity.js'
import type { QueryOptions, Source } from '../../source/source.js'
import type { GetOptions, HttpResponse, StreamOptions } from '../../source/transport/http-client.js'
import type { HttpStream } from '../../source/transport/http-stream.js'
import type { Call } from '../../table/provenance.js'
import type { RecordColumns } from '../../table/values.js'
import { emptyColumns } from '../answer/row-slices.js'
import { Archive } from '../archive.js'
import { emptyManifest, type Manifest, manifestFile } from '../manifest.js'
import type { Snapshot } from '../snapshot.js'
import { type Coverage, coverageOf } from './coverage.js'
import { intersection } from './day-ranges.js'
import { explained } from './explain.js'
import { callsOf, fetchAll, hasExtra, requestsFor, withCalls } from './fetch.js'
import { heldRows, servedDates } from './held.js'
import { addressesOf, checkOwn, ofCache, whyNotKept } from './own.js'
import { isOpenQuestion, latestIn, probe } from './probe.js'
import { isAmbiguous } from './rows.js'
import { type Split, split } from './split.js'
import { type Keepable, keepable, store } from './store.js'
import { assembled } from './table.js'
import { Underway } from './underway.js'
import { datesOf, settled, type Wish, wishOf } from './wish.js'

export interface CacheOptions {
  /** Bytes of decoded data kept in memory. Default 512 MiB. */
  readonly cacheBytes?: number | undefined
  /** How long to wait for another process that is writing, in milliseconds. Default 15 seconds. */
  readonly waitMs?: number | undefined
}

/** What the cache has for a query, and what is left to ask. */
interface Found extends Split {
  readonly held: RecordColumns
}

function nameOf({ dataset, scope }: Wish): string {
  return `${dataset.name} ${scope}`
}

/**
 * A service whose answers are kept on this machine, as far as they can no longer change: days before the latest one that
 * the service has shown. Those come from the directory, which is an archive; the latest day, and all else, is always asked
 * for. A day that the service changes later stays as it was kept until it is dropped (`dropKept`).
 */
export class CachedSource implements Source {
  readonly name: string
  readonly dir: string
  readonly #inner: Source
  readonly #archive: Archive
  readonly #waitMs: number | undefined
  /** Latest day that the service has shown, by dataset and scope. */
  readonly #latest = new Map<string, string>()
  /** Datasets whose answers have columns that the archive has no place for. */
  readonly #strange = new Set<string>()
  readonly #underway = new Underway()
  #storing: Promise<unknown> = Promise.resolve()

  /** @param dir new or empty directory, or one that holds answers of the same service */
  constructor(inner: Source, dir: string, options: CacheOptions = {}) {
    const { cacheBytes, waitMs } = options
    this.name = inner.name
    this.dir = dir
    this.#inner = inner
    this.#waitMs = waitMs
    this.#archive = new Archive(dir, inner.name, cacheBytes === undefined ? {} : { cacheBytes })
  }

  /**
   * The rows that the service would answer with.
   * @throws what the service's source throws; QuotebookError ARCHIVE for a damaged cache, USAGE for a directory that is
   * something else
   */
  async query(dataset: Dataset, params?: unknown, options: QueryOptions = {}): Promise<Table> {
    const wish = wishOf(dataset, params, options)
    if (!wish) return this.#pass(dataset, params, options)
    const calls: Call[] = []
    const isStrange = this.#strange.has(dataset.name)
    const known = isStrange ? undefined : await this.#latestFor(wish, options, calls)
    const ask = (): Promise<Table> =>
      this.#underway.run(nameOf(wish), known, () => this.#inner.query(dataset, params, options))
    if (isStrange) return ask()
    const found = await this.#find(wish, known)
    options.signal?.throwIfAborted()
    if (!found || this.#isLive(wish, found, known)) return this.#live(wish, await ask(), calls)
    const latest = this.#underway.settledBy([dataset.name, nameOf(wish)], known)
    const fetched = await this.#underway.run(nameOf(wish), known, () =>
      fetchAll(this.#inner, wish, found.needs, options, found.held.length),
    )
    calls.push(...fetched.flatMap(callsOf))
    if (fetched.some(hasExtra)) {
      this.#strange.add(dataset.name)
      return withCalls(await ask(), calls)
    }
    const list = found.needs.flatMap((need, i) => keepable(wish, need, fetched[i] as Table, latest) ?? [])
    for (const table of fetched) this.#learn(wish, table)
    options.signal?.throwIfAborted()
    const why = await this.#keep(wish, list)
    const notes = why === undefined || list.length === 0 ? [] : [why]
    return assembled(wish, this.name, { held: found.held, fetched, calls, notes })
  }

  /** A question that the cache has no part in; cut short, it may be alike to one whose answer is kept. */
  #pass(dataset: Dataset, params: unknown, options: QueryOptions): Promise<Table> {
    const ask = (): Promise<Table> => this.#inner.query(dataset, params, options)
    const isWhole = options.whole === true && options.allowTruncated !== true
    return isWhole ? ask() : this.#underway.run(dataset.name, undefined, ask)
  }

  /** What would come from the cache, and how the rest would be asked. Nothing is sent. */
  async explain(dataset: Dataset, params?: unknown, options: QueryOptions = {}): Promise<Explanation> {
    const wish = wishOf(dataset, params, options)
    if (!wish) {
      const plan = await this.#inner.explain?.(dataset, params, options)
      return (
        plan ?? { dataset: dataset.name, requests: 1, exact: false, lines: [`${dataset.name}: asked of ${this.name}`] }
      )
    }
    const { latest, parts } = await this.#read(wish, async (_, coverage) => {
      const known = this.#later(wish, coverage.latest)
      return { latest: known, parts: await this.#split(wish, coverage, known) }
    })
    return explained(this.#inner, wish, parts, latest)
  }

  /** What the service tells of its archive; no state, since what is kept may be of an earlier one. */
  async identity(): Promise<ArchiveIdentity | undefined> {
    const { name, about } = (await this.#inner.identity?.()) ?? {}
    return name === undefined && about === undefined ? undefined : { name, about }
  }

  /** Files of a share are not kept. */
  async get(address: string, options?: GetOptions): Promise<HttpResponse> {
    if (this.#inner.get) return this.#inner.get(address, options)
    throw this.#noFiles()
  }

  async open(address: string, options?: StreamOptions): Promise<HttpStream> {
    if (this.#inner.open) return this.#inner.open(address, options)
    throw this.#noFiles()
  }

  async close(): Promise<void> {
    await this.#storing
    await this.#inner.close?.()
  }

  #noFiles(): QuotebookError {
    return new QuotebookError('USAGE', `${this.name} has no files beside its datasets`)
  }

  /** Reads one state of the directory. @throws QuotebookError that names the directory */
  async #read<T>(wish: Wish, ask: (snapshot: Snapshot | undefined, coverage: Coverage) => Promise<T>): Promise<T> {
    const read = (snapshot: Snapshot | undefined, manifest: Manifest): Promise<T> => {
      checkOwn(this.dir, manifest, this.name)
      return ask(snapshot, coverageOf(wish.dataset, manifest.datasets[wish.dataset.name], wish.scope))
    }
    try {
      if (!existsSync(join(this.dir, manifestFile))) return await read(undefined, emptyManifest)
      return await this.#archive.read(read)
    } catch (error) {
      throw ofCache(this.dir, error)
    }
  }

  #split(wish: Wish, coverage: Coverage, latest: string | undefined): Promise<Split> {
    return split(wish, coverage, latest, (need) => requestsFor(this.#inner, wish, need))
  }

  /** The rows that are held and what is left to ask, of one state; undefined when codes can not be told apart. */
  #find(wish: Wish, latest: string | undefined): Promise<Found | undefined> {
    return this.#read(wish, async (snapshot, coverage) => {
      const parts = await this.#split(wish, coverage, latest)
      const held = snapshot ? await heldRows(snapshot, wish, parts.lots) : emptyColumns(wish.dataset)
      return isAmbiguous(wish.dataset, held, wish.codes) ? undefined : { ...parts, held }
    })
  }

  /** Nothing of it is held, and nothing can be kept. */
  #isLive(wish: Wish, { lots }: Found, latest: string | undefined): boolean {
    if (servedDates(lots).length > 0) return false
    return wish.isFiltered || intersection(datesOf(wish), settled(wish, latest)).length === 0
  }

  async #live(wish: Wish, table: Table, calls: readonly Call[]): Promise<Table> {
    this.#learn(wish, table)
    await this.#keep(wish, [])
    return withCalls(table, calls)
  }

  /** The latest day that is known before the question is put; asked for when days may have become past meanwhile. */
  async #latestFor(wish: Wish, { signal }: QueryOptions, calls: Call[]): Promise<string | undefined> {
    const stored = await this.#read(wish, async (_, coverage) => coverage.latest)
    const known = this.#later(wish, stored)
    if (wish.isFiltered || !isOpenQuestion(wish, known)) return known
    const table = await probe(this.#inner, wish, signal)
    if (!table) return known
    calls.push(...callsOf(table))
    this.#learn(wish, table)
    return this.#later(wish, stored)
  }

  #later(wish: Wish, stored: string | undefined): string | undefined {
    const own = this.#latest.get(nameOf(wish))
    return own !== undefined && (stored === undefined || own > stored) ? own : stored
  }

  #learn(wish: Wish, table: Table): void {
    const shown = this.#later(wish, latestIn(wish, table))
    if (shown !== undefined) this.#latest.set(nameOf(wish), shown)
  }

  /** Puts rows into the cache, and the latest day; tells why not, where the answer is right without. */
  async #keep(wish: Wish, list: readonly Keepable[]): Promise<string | undefined> {
    const stored = await this.#read(wish, async (_, coverage) => coverage.latest)
    const latest = this.#later(wish, stored)
    if (list.length === 0 && latest === stored) return undefined
    const from = addressesOf(this.name)
    const waitMs = list.length === 0 ? 0 : this.#waitMs
    const storing = this.#storing.then(() => store(this.dir, wish, list, { latest, from, waitMs }))
    this.#storing = storing.catch(() => undefined)
    try {
      await storing
      return undefined
    } catch (error) {
      const why = whyNotKept(this.dir, error)
      if (why === undefined) throw ofCache(this.dir, error)
      return why
    }
  }
}
