import type { Table } from 'apache-arrow'
import { LRUCache } from 'lru-cache'
import { datasetOf } from '../../contract/catalogue.js'
import type { Dataset } from '../../contract/dataset.js'
import { QuotebookError } from '../../contract/error.js'
import { checkOptions } from '../../contract/options.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { bytesOf } from '../../frame/table/size.js'
import type { RecordColumns } from '../../frame/table/values.js'
import type { ArchiveIdentity } from '../source/reply/archive-identity.js'
import { type QueryOptions, queryKinds, type Source } from '../source/source.js'
import { answer, answerDays } from './answer/answer-query.js'
import { outlierDaysIn } from './answer/day-conditions.js'
import { memoized } from './answer/memoized.js'
import { CodePieces } from './code-pieces.js'
import { sha256 } from './file-access.js'
import type { DatasetEntry, Manifest, PartEntry } from './manifest-entries.js'
import { LostFileError, OtherContractError, olderNote } from './part-file.js'
import { checkTimed, type DatasetAsOf, datasetAsOf, type PartAsOf, untimedNote } from './revision/as-of.js'
import type { AskedCodes, LoadedCodes, ManifestPart, Snapshot } from './snapshot.js'
import { type ArchiveStore, noArchive, type StoredManifest } from './store/archive-store.js'
import { type ArchivePlace, storeOf } from './store/store-of.js'

/** Options of an `Archive`. */
export interface ArchiveOptions {
  /** Bytes of decoded parts kept in memory. Default 512 MiB. */
  readonly cacheBytes?: number | undefined
  /**
   * Looks for a new state once in a turn of the event loop, not for every query: for many queries a turn. A query still
   * sees no older state than that of the moment at which its turn began.
   */
  readonly oncePerTurn?: boolean
  /** A moment, as `asOfMoment` gives it: the archive is read as it was known then. */
  readonly asOf?: string | undefined
}

/** What an archive tells of itself in one state. */
export function identityOf(name: string, { about, datasets }: Manifest, state: string): ArchiveIdentity {
  const partial = Object.keys(datasets).filter((dataset) => datasets[dataset]?.partial === true)
  return { name, about, state, partial: partial.length > 0 ? partial : undefined }
}

/** How the rows of a part are read. */
type ReadRows = () => Promise<RecordColumns>

/** One state of an archive. */
interface Seen {
  readonly stored: StoredManifest
  readonly snapshot: Snapshot
  readonly manifest: Manifest
}

/**
 * Reads an archive, as a `Source`: Parquet files of a directory, or the rows of another store. Every query sees one
 * state of the archive, even while another process writes: files never change under their names, and the manifest is
 * replaced in one step.
 */
export class Archive implements Source {
  readonly name: Words
  readonly store: ArchiveStore
  readonly #cache: LRUCache<string, RecordColumns, ReadRows>
  readonly #oncePerTurn: boolean
  /** The moment whose knowledge is read; undefined: all that is there. */
  readonly asOf: string | undefined
  readonly #pieces: CodePieces
  #seen: Seen | undefined
  #isFresh = false
  readonly #seenIn = memoized((found: Promise<StoredManifest | undefined>) => this.#seenNow(found))

  constructor(place: ArchivePlace, name: Words, options: ArchiveOptions = {}) {
    const store = storeOf(place)
    this.store = store
    checkOptions(options, { cacheBytes: 'a number', oncePerTurn: 'true or false', asOf: 'text' }, 'Archive')
    this.asOf = options.asOf
    this.name = options.asOf === undefined ? name : sentence`${name} as of ${options.asOf}`
    this.#oncePerTurn = options.oncePerTurn === true
    const maxSize = options.cacheBytes ?? 512 * 2 ** 20
    this.#cache = new LRUCache({
      maxSize,
      maxEntrySize: maxSize,
      sizeCalculation: bytesOf,
      ignoreFetchAbort: true,
      allowStaleOnFetchAbort: true,
      fetchMethod: (_file, _stale, { context }) => context(),
    })
    this.#pieces = new CodePieces(this.#cache, store)
  }

  async query(dataset: Dataset, params?: unknown, options: QueryOptions = {}): Promise<Table> {
    const { days } = checkOptions(options, queryKinds, sentence`a query`)
    return this.read((snapshot) =>
      days === undefined
        ? answer(snapshot, dataset, params, options, String(this.name))
        : answerDays(snapshot, dataset, params, { ...options, days }, String(this.name)),
    )
  }

  /** Lets go of the connections to where it lies. */
  async close(): Promise<void> {
    await this.store.close?.()
  }

  /** The directory that it lies in. @throws QuotebookError USAGE if it lies in none */
  get dir(): string {
    const { dir, name } = this.store
    if (dir === undefined) throw new QuotebookError('USAGE', sentence`${name} is no directory, which this needs`)
    return dir
  }

  /** Bytes of decoded parts that are kept in memory now. */
  get cachedBytes(): number {
    return this.#cache.calculatedSize
  }

  /** What the archive holds now. */
  async manifest(): Promise<Manifest> {
    return (this.#now() ?? (await this.#look())).manifest
  }

  /** sha256 of the present manifest: it names every byte that the archive holds. */
  async state(): Promise<string> {
    return (this.#now() ?? (await this.#look())).snapshot.state
  }

  /** The present state, if it is the one that was seen last; undefined if it must be read first, or can not be. */
  get knownState(): string | undefined {
    try {
      return this.#now()?.snapshot.state
    } catch {
      return undefined
    }
  }

  /** The days of a dataset that lie far after all others and have hardly any rows, such as a mistyped date. */
  async outlierDays(dataset: string): Promise<readonly string[]> {
    return this.read(async (snapshot) => outlierDaysIn(snapshot.parts(dataset)))
  }

  async identity(): Promise<ArchiveIdentity> {
    const { manifest, snapshot } = this.#now() ?? (await this.#look())
    return identityOf(String(this.name), manifest, snapshot.state)
  }

  /**
   * Reads rows and manifest of one state. A writer may replace a file between the reading of the manifest and of the
   * file: then `ask` is called again, with the new state.
   */
  async read<T>(ask: (snapshot: Snapshot, manifest: Manifest) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        const { snapshot, manifest } = this.#now() ?? (await this.#look())
        return await ask(snapshot, manifest)
      } catch (error) {
        // A file that has gone since the manifest was read: a writer has replaced it.
        if (!(error instanceof LostFileError && error.isMissing) || attempt === 20) throw error
        this.#seen = undefined
        this.#isFresh = false
      }
    }
  }

  /** The state that was seen last, where it is still the present one. */
  #now(): Seen | undefined {
    if (this.#isFresh) return this.#seen
    if (!this.#seen || this.#seen.stored.stamp !== this.store.stamp()) return undefined
    if (this.#oncePerTurn) this.#freshForATurn()
    return this.#seen
  }

  /** Reads the present manifest; once, however many ask for it meanwhile. */
  #look(): Promise<Seen> {
    this.store.stamp()
    return this.#seenIn(this.store.read())
  }

  async #seenNow(found: Promise<StoredManifest | undefined>): Promise<Seen> {
    const stored = await found
    if (!stored) throw noArchive(this.store)
    const before = this.#seen?.stored.state === stored.state ? this.#seen : undefined
    const seen = { ...(before ?? (await this.#observationOf(stored))), stored }
    this.#seen = seen
    this.#isFresh = false
    return seen
  }

  #observationOf({ manifest, state }: StoredManifest): Omit<Seen, 'stored'> | Promise<Omit<Seen, 'stored'>> {
    if (this.asOf !== undefined) return this.#then(manifest, state, this.asOf)
    return { snapshot: this.#snapshotOf(manifest, state), manifest }
  }

  #freshForATurn(): void {
    this.#isFresh = true
    setImmediate(() => {
      this.#isFresh = false
    }).unref()
  }

  #snapshotOf(manifest: Manifest, state: string): Snapshot {
    const loadCodes =
      (isOfMany: boolean) =>
      (name: string, part: ManifestPart, asked: AskedCodes): LoadedCodes | Promise<LoadedCodes> => {
        const own = part as ManifestPart & PartEntry
        const entry = manifest.datasets[name] as DatasetEntry
        return this.#pieces.read(datasetOf(name), entry, own, asked, { isOfMany, whole: () => this.#load(name, own) })
      }
    const snapshot: Snapshot = {
      state,
      parts: (dataset) => manifest.datasets[dataset]?.parts ?? [],
      entry: (dataset) => manifest.datasets[dataset],
      unknown: manifest.unknown ?? {},
      note: (dataset) => olderNote(this.store.name, dataset, manifest.datasets[dataset]),
      ticks: () => manifest.ticks,
      load: (dataset, part) => this.#load(dataset, part as ManifestPart & PartEntry),
      loadCodes: loadCodes(false),
    }
    return { ...snapshot, ofManyDays: { ...snapshot, loadCodes: loadCodes(true) } }
  }

  /** What was known at a moment. Auction ticks have none. */
  async #then(manifest: Manifest, state: string, moment: string): Promise<Omit<Seen, 'stored'>> {
    checkTimed(this.store.name, manifest)
    const known = new Map<string, DatasetAsOf>()
    const load = (dataset: Dataset, part: PartEntry) => this.#load(dataset.name, part)
    const unread = new Map<string, OtherContractError>()
    for (const [name, entry] of Object.entries(manifest.datasets)) {
      try {
        known.set(name, await datasetAsOf(name, entry, moment, load))
      } catch (error) {
        if (!(error instanceof OtherContractError)) throw error
        unread.set(name, error)
      }
    }
    const entries = [...known].map(([name, { entry }]) => [name, entry] as const)
    const snapshot: Snapshot = {
      state: sha256(`${state} ${moment}`),
      parts: (dataset) => {
        const error = unread.get(dataset)
        if (error) throw error
        return known.get(dataset)?.parts ?? []
      },
      unknown: {},
      entry: (dataset) => known.get(dataset)?.entry,
      note: (dataset) => (known.get(dataset)?.isUntimed ? untimedNote : undefined),
      notYet: (dataset) => known.get(dataset)?.notYet,
      ticks: () => [],
      load: (_, part) => this.#loadThen(part as PartAsOf, state),
    }
    return { snapshot, manifest: { ...manifest, datasets: Object.fromEntries(entries), ticks: [] } }
  }

  #loadThen({ file, isWhole, read }: PartAsOf, state: string): RecordColumns | Promise<RecordColumns> {
    if (isWhole) return read()
    const key = `${state} ${file}`
    return this.#cache.get(key) ?? this.#fetch(key, async () => read())
  }

  #load(name: string, part: PartEntry): RecordColumns | Promise<RecordColumns> {
    const dataset = datasetOf(name)
    return this.#cache.get(part.file) ?? this.#fetch(part.file, () => this.store.readPart(dataset, part))
  }

  async #fetch(file: string, read: ReadRows): Promise<RecordColumns> {
    const columns = await this.#cache.fetch(file, { context: read })
    if (!columns) throw new QuotebookError('ARCHIVE', sentence`${file} could not be read`)
    return columns
  }

  /**
   * A file that the manifest names, compared with its checksum.
   * @throws QuotebookError ARCHIVE when it is not what was written
   */
  bytes(file: string, sum: string): Promise<Uint8Array> {
    return this.store.bytes(file, sum)
  }
}
