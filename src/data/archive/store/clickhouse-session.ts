import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { QuotebookError } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { readRegular } from '../file-access.js'
import { emptyManifest, fileMark, filesOf, manifestText } from '../manifest.js'
import type { Manifest } from '../manifest-entries.js'
import type { MadePart, WriteSession } from './archive-store.js'
import { type ArchiveTables, type FilePlace, isTicks } from './archive-tables.js'
import { type Commit, commitsTable, type ManifestCommits, UnknownCommitError } from './manifest-commits.js'

/** What a session needs of the store that it writes to. */
export interface SessionStore {
  readonly name: string
  readonly tables: ArchiveTables
  readonly commits: ManifestCommits
  /** Places of files that were put and not committed yet: the writer reads what it wrote. */
  readonly written: Map<string, FilePlace>
  /** The state is another than that of the last look. */
  changed(): void
  /** Clears away what no state names that a reader may have. */
  sweep(named: ReadonlySet<string>): Promise<void>
}

/**
 * An archive in ClickHouse open for writing. There is no lock: several may be open, and the first that commits wins; the others
 * get ARCHIVE_CHANGED, and nothing of them is seen. So a long import may have been for nothing, where a directory would have
 * made the other one wait.
 */
export class ClickHouseSession implements WriteSession {
  readonly manifest: Manifest
  readonly #store: SessionStore
  readonly #base: Commit | undefined
  readonly #own = new Map<string, FilePlace>()
  readonly #adopted: string[] = []

  constructor(store: SessionStore, base: Commit | undefined) {
    this.#store = store
    this.#base = base
    this.manifest = base?.manifest ?? emptyManifest
  }

  mark(sum: string): string {
    return fileMark(this.#base?.state, sum)
  }

  async writePart(part: MadePart): Promise<void> {
    this.#keep(part.file, await this.#store.tables.writeRows(part))
  }

  async write(file: string, bytes: Uint8Array): Promise<void> {
    const { tables } = this.#store
    const place = await tables.writeFile(file, [bytes])
    this.#keep(file, place)
    if (isTicks(file)) await tables.writeTicks(place, bytes)
  }

  /** The file goes when the commit is done: one that another writer was before may be put again. */
  async move(from: string, file: string): Promise<void> {
    const { tables } = this.#store
    const place = await tables.writeFile(file, createReadStream(from))
    this.#keep(file, place)
    if (isTicks(file)) await tables.writeTicks(place, await readRegular(from))
    this.#adopted.push(from)
  }

  #keep(file: string, place: FilePlace): void {
    this.#own.set(file, place)
    this.#store.written.set(file, place)
  }

  owning<T>(action: () => Promise<T>): Promise<T> {
    return action()
  }

  async commit(manifest: Manifest): Promise<void> {
    let named: ReadonlySet<string>
    try {
      named = await this.#commit(manifest)
    } catch (error) {
      if (!(error instanceof UnknownCommitError)) await this.abort()
      throw error
    } finally {
      this.#store.changed()
    }
    for (const file of this.#adopted) await rm(file, { force: true })
    this.#forget()
    await this.#store.sweep(named).catch(() => undefined)
  }

  async #commit(manifest: Manifest): Promise<ReadonlySet<string>> {
    const { name, commits, tables } = this.#store
    const places = new Map([...filesOf(manifest)].map((file) => [file, this.#placeOf(file)]))
    const there = new Set((await tables.partitions()).map(({ partition }) => partition))
    const gone = [...this.#own].find(([file, { partition }]) => places.has(file) && !there.has(partition))
    const changed = (what: Words): QuotebookError =>
      new QuotebookError('ARCHIVE_CHANGED', sentence`${name}: ${what} since the archive was read; nothing was changed`)
    if (gone) throw changed(sentence`${gone[0]} has gone`)
    const named = new Set([...places.values()].map(({ partition }) => partition))
    const before = [...(this.#base?.places.values() ?? []), ...this.#own.values()]
    const dropped = before.filter(({ partition }) => !named.has(partition))
    const number = (this.#base?.number ?? 0) + 1
    const row = await commits.stage(number, { text: manifestText(manifest), places, dropped })
    if (await commits.take(number, row)) return named
    await tables.drop({ table: commitsTable, partition: row }).catch(() => undefined)
    throw changed(sentence`its manifest became another one`)
  }

  #placeOf(file: string): FilePlace {
    const place = this.#own.get(file) ?? this.#base?.places.get(file)
    if (!place) throw new QuotebookError('ARCHIVE', sentence`${file} is nowhere in ${this.#store.name}`)
    return place
  }

  async abort(): Promise<void> {
    for (const place of this.#own.values()) await this.#store.tables.drop(place).catch(() => undefined)
    this.#forget()
  }

  #forget(): void {
    for (const [file, place] of this.#own) {
      if (this.#store.written.get(file) === place) this.#store.written.delete(file)
    }
    this.#own.clear()
  }
}
