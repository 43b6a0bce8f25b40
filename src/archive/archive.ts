import { existsSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Table } from 'apache-arrow'
import { LRUCache } from 'lru-cache'
import { datasetOf } from '../contract/catalogue.js'
import type { Dataset } from '../contract/dataset.js'
import { QuotebookError } from '../contract/error.js'
import type { ArchiveIdentity } from '../source/reply/archive-identity.js'
import type { QueryOptions, Source } from '../source/source.js'
import { bytesOf } from '../table/size.js'
import type { RecordColumns } from '../table/values.js'
import { answer, answerDays } from './answer/answer-query.js'
import { strayDaysIn } from './answer/day-conditions.js'
import { contractVersion, manifestFile, readManifest } from './manifest.js'
import type { Manifest, PartEntry } from './manifest-entries.js'
import { LostFileError, readPart, readVerified } from './part-file.js'
import type { ManifestPart, Snapshot } from './snapshot.js'

/** Options of an `Archive`. */
export interface ArchiveOptions {
  /** Bytes of decoded parts kept in memory. Default 512 MiB. */
  readonly cacheBytes?: number
  /**
   * Looks for a new state once in a turn of the event loop, not for every query: for many queries a turn. A query still
   * sees no older state than that of the moment at which its turn began.
   */
  readonly oncePerTurn?: boolean
}

/** What an archive tells of itself in one state. */
export function identityOf(name: string, { about, datasets }: Manifest, state: string): ArchiveIdentity {
  const partial = Object.keys(datasets).filter((dataset) => datasets[dataset]?.partial === true)
  return { name, about, state, partial: partial.length > 0 ? partial : undefined }
}

interface Wanted {
  readonly dataset: Dataset
  readonly part: PartEntry
}

/** One state of an archive. */
interface Seen {
  readonly stamp: string
  readonly snapshot: Snapshot
  readonly manifest: Manifest
}

/**
 * A directory of Parquet files behind the `Source` interface. Every query sees one state of the archive, also while
 * another process writes: files never change under their names, and the manifest is replaced in one step.
 */
export class Archive implements Source {
  readonly name: string
  readonly dir: string
  readonly #cache: LRUCache<string, RecordColumns, Wanted>
  readonly #oncePerTurn: boolean
  #seen: Seen | undefined
  #isFresh = false
  #looking: { readonly stamp: string; readonly seen: Promise<Seen> } | undefined

  constructor(dir: string, name: string, options: ArchiveOptions = {}) {
    this.dir = dir
    this.name = name
    this.#oncePerTurn = options.oncePerTurn === true
    const maxSize = options.cacheBytes ?? 512 * 2 ** 20
    this.#cache = new LRUCache({
      maxSize,
      maxEntrySize: maxSize,
      sizeCalculation: bytesOf,
      ignoreFetchAbort: true,
      allowStaleOnFetchAbort: true,
      fetchMethod: (_file, _stale, { context }) => readPart(dir, context.dataset, context.part),
    })
  }

  async query(dataset: Dataset, params?: unknown, options: QueryOptions = {}): Promise<Table> {
    const { days } = options
    return this.read((snapshot) =>
      days === undefined
        ? answer(snapshot, dataset, params, options, this.name)
        : answerDays(snapshot, dataset, params, { ...options, days }, this.name),
    )
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

  /** The days of a dataset that lie far after all others and have hardly any rows, such as a mistyped date. */
  async strayDays(dataset: string): Promise<readonly string[]> {
    return this.read(async (snapshot) => strayDaysIn(snapshot.parts(dataset)))
  }

  async identity(): Promise<ArchiveIdentity> {
    const { manifest, snapshot } = this.#now() ?? (await this.#look())
    return identityOf(this.name, manifest, snapshot.state)
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
    if (!this.#seen || this.#seen.stamp !== this.#stamp()) return undefined
    if (this.#oncePerTurn) this.#freshForATurn()
    return this.#seen
  }

  /** Reads the present manifest; once, however many ask for it meanwhile. */
  #look(): Promise<Seen> {
    const stamp = this.#stamp()
    if (this.#looking?.stamp === stamp) return this.#looking.seen
    const looking = { stamp, seen: this.#seenNow(stamp) }
    this.#looking = looking
    const done = (): void => {
      if (this.#looking === looking) this.#looking = undefined
    }
    looking.seen.then(done, done)
    return looking.seen
  }

  async #seenNow(stamp: string): Promise<Seen> {
    const read = await readManifest(this.dir)
    if (!read) throw new QuotebookError('ARCHIVE', `${this.dir} is not an archive: it has no ${manifestFile}`)
    const seen = { stamp, snapshot: this.#snapshotOf(read.manifest, read.state), manifest: read.manifest }
    this.#seen = seen
    this.#isFresh = false
    return seen
  }

  #freshForATurn(): void {
    this.#isFresh = true
    setImmediate(() => {
      this.#isFresh = false
    }).unref()
  }

  /**
   * Changes whenever the manifest is replaced: a new one is another file. Read before the manifest, so that a newer one is
   * only ever read twice; at once, because a turn of the event loop takes longer than the look.
   */
  #stamp(): string {
    let about: Stats
    try {
      about = statSync(join(this.dir, manifestFile))
    } catch (cause) {
      const there = existsSync(this.dir)
      const wrong = there ? `is not an archive: it has no ${manifestFile}` : 'does not exist'
      throw new QuotebookError('ARCHIVE', `${this.dir} ${wrong}`, { cause })
    }
    return `${about.ino} ${about.mtimeMs} ${about.ctimeMs} ${about.size}`
  }

  #snapshotOf(manifest: Manifest, state: string): Snapshot {
    return {
      state,
      parts: (dataset) => manifest.datasets[dataset]?.parts ?? [],
      entry: (dataset) => manifest.datasets[dataset],
      ticks: () => manifest.ticks,
      load: (dataset, part) => this.#load(dataset, part as ManifestPart & PartEntry),
    }
  }

  #load(name: string, part: PartEntry): RecordColumns | Promise<RecordColumns> {
    const dataset = datasetOf(name)
    if (part.contract !== contractVersion(dataset)) {
      throw new QuotebookError('ARCHIVE', `${part.file} was written under another contract of ${name}; import it again`)
    }
    return this.#cache.get(part.file) ?? this.#fetch({ dataset, part })
  }

  async #fetch(wanted: Wanted): Promise<RecordColumns> {
    const columns = await this.#cache.fetch(wanted.part.file, { context: wanted })
    if (!columns) throw new QuotebookError('ARCHIVE', `${wanted.part.file} could not be read`)
    return columns
  }

  /**
   * A file that the manifest names, held against its checksum.
   * @throws QuotebookError ARCHIVE when it is not what was written
   */
  bytes(file: string, sum: string): Promise<Uint8Array> {
    return readVerified(this.dir, file, sum)
  }
}
