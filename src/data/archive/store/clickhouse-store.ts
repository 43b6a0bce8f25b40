import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Dataset } from '../../../contract/dataset.js'
import { QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import type { RecordColumns } from '../../../frame/table/values.js'
import type { ClickHouseAddress } from '../../clickhouse/clickhouse-address.js'
import { ClickHouseClient } from '../../clickhouse/clickhouse-client.js'
import { dropLostQueries } from '../../clickhouse/query-database.js'
import { clusterView } from '../../clickhouse/tick-tables.js'
import { realClock } from '../../source/transport/clock.js'
import { sha256 } from '../file-access.js'
import type { PartEntry } from '../manifest-entries.js'
import { storedKey } from '../merge-rows.js'
import type { ArchiveStore, ScanEngine, StoredFile, StoredManifest, WriteSession } from './archive-store.js'
import { ArchiveTables, type FilePlace, isArchiveTable } from './archive-tables.js'
import { ClickHouseSession } from './clickhouse-session.js'
import { type Commit, ManifestCommits, sweepAges, sweepTables } from './manifest-commits.js'

/** Options of a store in ClickHouse. */
export interface ClickHouseStoreOptions {
  /** Milliseconds for which a look at the state counts; 1000. With 0 every query looks. */
  readonly freshFor?: number | undefined
  /** Milliseconds in which the server must say which state is the present one; a minute. */
  readonly lookWithin?: number | undefined
}

/**
 * An archive in a database of ClickHouse: the rows of parts as columns, files of ticks as their bytes, and the same manifest as in
 * a directory. A query that begins within `freshFor` of a look sees the state of that look, every other waits for one.
 * No word of it has a password.
 */
export class ClickHouseStore implements ArchiveStore {
  readonly name: string
  readonly workFolder: string
  readonly client: ClickHouseClient
  readonly engine: ScanEngine
  readonly tables: ArchiveTables
  readonly commits: ManifestCommits
  readonly written = new Map<string, FilePlace>()
  readonly #freshFor: number
  #seen: { readonly commit: Commit; readonly stamp: string; readonly at: number } | undefined
  #looking: { readonly at: number; readonly found: Promise<StoredManifest | undefined> } | undefined

  constructor(address: ClickHouseAddress, { freshFor = 1000, lookWithin }: ClickHouseStoreOptions = {}) {
    this.client = new ClickHouseClient(address)
    this.engine = {
      client: this.client,
      place: (file) => this.written.get(file) ?? this.#seen?.commit.places.get(file),
    }
    this.name = this.client.name
    this.workFolder = join(homedir(), '.cache', 'quotebook', sha256(this.name).slice(0, 16))
    this.tables = new ArchiveTables(this.client)
    this.commits = new ManifestCommits(this.client, this.tables, lookWithin)
    this.#freshFor = freshFor
  }

  stamp(): string | undefined {
    const isFresh = this.#seen !== undefined && realClock.now() - this.#seen.at < this.#freshFor
    return isFresh ? this.#seen?.stamp : undefined
  }

  read(): Promise<StoredManifest | undefined> {
    const at = realClock.now()
    if (this.#looking && at - this.#looking.at < this.#freshFor) return this.#looking.found
    const looking = { at, found: this.#look(at) }
    this.#looking = looking
    const done = (): void => {
      if (this.#looking === looking) this.#looking = undefined
    }
    looking.found.then(done, done)
    return looking.found
  }

  async #look(at: number): Promise<StoredManifest | undefined> {
    const found = await this.#present()
    if (!found) return undefined
    this.#seen = { ...found, at }
    const { manifest, state } = found.commit
    return { manifest, state, stamp: found.stamp }
  }

  /** The present state; undefined where there is none. */
  async #present(): Promise<{ readonly commit: Commit; readonly stamp: string } | undefined> {
    for (let attempt = 0; ; attempt++) {
      const view = (await this.commits.views()).at(-1)
      if (!view) return undefined
      const stamp = `${view.number} ${view.made}`
      const commit = this.#seen?.stamp === stamp ? this.#seen.commit : await this.commits.read(view.number)
      if (commit) return { commit, stamp }
      if (attempt === 20)
        throw new QuotebookError('ARCHIVE_CHANGED', sentence`${this.name} changes while it is looked at`)
    }
  }

  /** Whoever reads the state before goes on with its places. */
  changed(): void {
    if (this.#seen) this.#seen = { ...this.#seen, at: Number.NEGATIVE_INFINITY }
  }

  async #placeOf(file: string): Promise<FilePlace> {
    const known = this.engine.place(file)
    if (known) return known
    await this.read()
    const place = this.engine.place(file)
    if (!place) throw this.tables.missing(file)
    return place
  }

  async readPart(dataset: Dataset, part: PartEntry): Promise<RecordColumns> {
    return this.tables.readPart(dataset, part, await this.#placeOf(part.file))
  }

  async readKeys(dataset: Dataset, part: PartEntry): Promise<RecordColumns> {
    const place = await this.#placeOf(part.file)
    if (place.digest === undefined) return this.tables.readPart(dataset, part, place)
    return this.tables.readRows(dataset, part.file, place, storedKey(dataset))
  }

  async bytes(file: string, sum: string): Promise<Uint8Array> {
    return this.tables.bytes(file, sum, await this.#placeOf(file))
  }

  async verify(file: string, sum: string): Promise<void> {
    await this.tables.bytes(file, sum, await this.#placeOf(file))
  }

  async open(file: string): Promise<StoredFile> {
    return this.tables.open(file, await this.#placeOf(file))
  }

  /** What is damaged stays in its table until the state without it has been there for a while. */
  async putAside(): Promise<void> {}

  async begin(): Promise<WriteSession> {
    const found = await this.#present()
    if (found) this.#seen = { ...found, at: realClock.now() }
    else {
      const { client } = this
      await client.atServer((server) => server.command(`create database if not exists ${client.database}`))
      await this.#checkEmpty()
    }
    return new ClickHouseSession(this, found?.commit)
  }

  /** @throws QuotebookError ARCHIVE for a database that is something else, or has ticks of an archive on another server */
  async #checkEmpty(): Promise<void> {
    const names = await this.tables.names()
    if (names.some((name) => !isArchiveTable(name)))
      throw new QuotebookError(
        'ARCHIVE',
        sentence`${this.name} is not empty and not an archive; give an empty or new database`,
      )
    if (names.includes(clusterView) || !names.some((name) => name.endsWith('_local'))) return
    const message = sentence`${this.name} has ticks of an archive on another server; give that server's address, or another database`
    throw new QuotebookError('ARCHIVE', message)
  }

  async sweep(named: ReadonlySet<string>): Promise<void> {
    await sweepTables(this.tables, this.commits, named)
    await dropLostQueries(this.client, sweepAges.abandoned)
  }

  async close(): Promise<void> {
    await this.client.close()
  }
}
