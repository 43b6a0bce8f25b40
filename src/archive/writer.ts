import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { datasetNames } from '../contract/catalogue.js'
import type { Dataset } from '../contract/dataset.js'
import { messageOf, QuotebookError } from '../contract/error.js'
import { toTable } from '../frame/arrow.js'
import { toParquet } from '../frame/parquet.js'
import { type Columns, takeRows } from '../frame/values.js'
import { positions } from './answer/piece.js'
import { type Condition, matching } from './answer/scan.js'
import { type Covering, covering, current, keptOrigin, withoutKept } from './keep/entry.js'
import { type Held, hold } from './lock.js'
import { makeFolder } from './make-folder.js'
import {
  contractVersion,
  type DatasetEntry,
  emptyManifest,
  type Manifest,
  manifestFile,
  manifestText,
  type PartEntry,
  readManifest,
  type TickEntry,
} from './manifest.js'
import { merge } from './merge.js'
import { dayOfFile, filesOf, isOurs, isWritten, tickFile } from './names.js'
import { partition } from './partition.js'
import { factsOf, readPart } from './read-part.js'
import { sha256, writeWhole } from './write-whole.js'

type Entry = { -readonly [K in keyof DatasetEntry]: DatasetEntry[K] }
type Datasets = Record<string, Entry>

/** What became of a file that rows were put into. */
interface Change {
  readonly changed: boolean
  /** Rows that gave way, other than those with the key of a fresh one. */
  readonly removed: number
}

/**
 * The one writer of an archive at a time. Nothing that it puts is seen before `commit`, which replaces the manifest in
 * one step; `abort` leaves the archive as it was.
 */
export class ArchiveWriter {
  readonly #dir: string
  readonly #datasets: Datasets
  readonly #ticks: Map<string, TickEntry>
  readonly #about: string | undefined
  readonly #written = new Set<string>()
  readonly #lock: Held
  /** The directory was not there before. */
  readonly #made: boolean

  private constructor(dir: string, lock: Held, made: boolean, manifest: Manifest, about?: string) {
    this.#dir = dir
    this.#lock = lock
    this.#made = made
    this.#datasets = Object.fromEntries(
      Object.entries(manifest.datasets).map(([name, set]) => [name, { ...set, parts: [...set.parts] }]),
    )
    this.#ticks = new Map(manifest.ticks.map((tick) => [tick.day, tick]))
    this.#about = about ?? manifest.about
  }

  /**
   * Takes the archive for writing, making the directory when there is none.
   * @param waitMs how long to wait for another writer; a writer that was killed counts as gone after 10 seconds
   * @throws QuotebookError ARCHIVE_BUSY when another process is writing, ARCHIVE when the directory holds something else
   */
  static async open(dir: string, about?: string, waitMs = 15_000, signal?: AbortSignal): Promise<ArchiveWriter> {
    const found = await readManifest(dir)
    const made = await makeFolder(dir)
    if (!found && (await readdir(dir)).some((name) => !isOurs(name))) {
      throw new QuotebookError('ARCHIVE', `${dir} is not empty and not an archive; give an empty or new directory`)
    }
    const lock = await hold(join(dir, '.lock'), waitMs, signal).catch((cause: unknown) => {
      signal?.throwIfAborted()
      throw new QuotebookError('ARCHIVE', `${dir} can not be locked for writing: ${messageOf(cause)}`, { cause })
    })
    if (!lock) {
      throw new QuotebookError('ARCHIVE_BUSY', `${dir} is being written by another process; try again when it is done`)
    }
    return new ArchiveWriter(dir, lock, made, (await readManifest(dir))?.manifest ?? emptyManifest, about)
  }

  /** Merges rows into a dataset by key. Returns how many of its files changed. */
  async put(dataset: Dataset, columns: Columns, origin: string): Promise<number> {
    let changed = 0
    for (const [name, rows] of partition(dataset, columns)) {
      if ((await this.#putPart(dataset, name, rows, origin)).changed) changed++
    }
    return changed
  }

  /**
   * Puts rows in the place of all that is stored of some days and codes, and marks these as covered: both are seen at
   * once. `replaces` tells the stored rows of these days and codes.
   */
  async cover(dataset: Dataset, columns: Columns, more: Covering, replaces: readonly Condition[]): Promise<void> {
    this.#datasets[dataset.name] = { ...current(dataset, this.#datasets[dataset.name]) }
    let removed = 0
    for (const [name, rows] of partition(dataset, columns)) {
      removed += (await this.#putPart(dataset, name, rows, keptOrigin, replaces)).removed
    }
    const entry = this.#datasets[dataset.name] as Entry
    this.#datasets[dataset.name] = { ...covering(dataset, entry, more, columns.length - removed) }
  }

  /** Lets go of what is kept of a dataset; rows that were imported stay. */
  uncover(name: string): void {
    const entry = this.#datasets[name]
    const left = entry && withoutKept(entry)
    if (left) this.#datasets[name] = { ...left }
    else delete this.#datasets[name]
  }

  async #putPart(
    dataset: Dataset,
    name: string,
    rows: Columns,
    origin: string,
    replaces?: readonly Condition[],
  ): Promise<Change> {
    this.#datasets[dataset.name] ??= { parts: [] }
    const set = this.#datasets[dataset.name] as Entry
    const before = set.parts.find((part) => part.partition === name)
    const stored = before && (await readPart(this.#dir, dataset, before))
    const left = stored && replaces ? without(stored, replaces) : stored
    const removed = (stored?.length ?? 0) - (left?.length ?? 0)
    const merged = merge(dataset, left, rows)
    const bytes = await toParquet(toTable(merged, { ...dataset.columns, ...dataset.stored }))
    const sum = sha256(bytes)
    const version = contractVersion(dataset)
    if (before?.sha256 === sum && before.contract === version) return { changed: false, removed }
    const file = `${dataset.name}/${name}.${sum.slice(0, 12)}.parquet`
    await writeWhole(join(this.#dir, file), bytes)
    this.#written.add(file)
    const entry: PartEntry = {
      partition: name,
      file,
      bytes: bytes.length,
      sha256: sum,
      ...factsOf(dataset, merged),
      contract: version,
      origin: [...new Set([...(before?.origin ?? []), origin])],
    }
    set.parts = [...set.parts.filter((part) => part.partition !== name), entry].sort((a, b) =>
      a.partition < b.partition ? -1 : 1,
    )
    return { changed: true, removed }
  }

  /** What stands beside a dataset's rows (the `meta` of news); the newest import counts. */
  putBeside(dataset: Dataset, beside: Readonly<Record<string, unknown>>): void {
    this.#datasets[dataset.name] ??= { parts: [] }
    const set = this.#datasets[dataset.name] as Entry
    set.beside = beside
  }

  /** Says of a dataset that rows may be missing between those it has. */
  markPartial(dataset: Dataset): void {
    this.#datasets[dataset.name] ??= { parts: [] }
    const set = this.#datasets[dataset.name] as Entry
    set.partial = true
  }

  /**
   * A day of auction ticks as its Parquet bytes, under the name that the vendor gives such files; beside it, where the
   * archive has other bytes of that day, which somebody may be reading.
   */
  async putTicks(day: string, bytes: Uint8Array, rows: number): Promise<void> {
    const sum = sha256(bytes)
    const before = this.#ticks.get(day)
    if (before?.sha256 === sum) return
    const file = tickFile(day, sum, before)
    await writeWhole(join(this.#dir, file), bytes)
    this.#written.add(file)
    this.#ticks.set(day, { day, file, rows, bytes: bytes.length, sha256: sum })
  }

  /**
   * A day of auction ticks from a file of the same file system, whole and on the disk, which is moved under its name: that of
   * `putTicks`, or that which the archive has these bytes under.
   */
  async adoptTicks(entry: Omit<TickEntry, 'file'>, staged: string): Promise<void> {
    const before = this.#ticks.get(entry.day)
    const isSame = before?.sha256 === entry.sha256
    const file = isSame ? before.file : tickFile(entry.day, entry.sha256, before)
    const path = join(this.#dir, file)
    await mkdir(dirname(path), { recursive: true })
    await rename(staged, path)
    if (!isSame) this.#written.add(file)
    this.#ticks.set(entry.day, { ...entry, file })
  }

  /** Shows all that was put, in one step, and clears away files that no manifest names any more. */
  async commit(): Promise<void> {
    if (this.#lock.lost) {
      throw new QuotebookError('ARCHIVE_BUSY', `the lock of ${this.#dir} was lost; nothing was changed`, {
        cause: this.#lock.lost,
      })
    }
    const manifest: Manifest = {
      ...emptyManifest,
      ...(this.#about === undefined ? {} : { about: this.#about }),
      datasets: this.#datasets,
      ticks: [...this.#ticks.values()].sort((a, b) => (a.day < b.day ? -1 : 1)),
    }
    try {
      await writeWhole(join(this.#dir, manifestFile), manifestText(manifest))
      await this.#sweep(manifest)
    } finally {
      await this.#lock.release()
    }
  }

  /** Leaves the archive as it was. */
  async abort(): Promise<void> {
    try {
      const current = await readManifest(this.#dir)
      const named = filesOf(current?.manifest ?? emptyManifest)
      for (const file of this.#written) {
        if (named.has(file)) continue
        await rm(join(this.#dir, file), { force: true })
        await rmdir(dirname(join(this.#dir, file))).catch(() => undefined)
      }
    } finally {
      await this.#lock.release()
      if (this.#made) await rmdir(this.#dir).catch(() => undefined)
    }
  }

  /** A file of a day that the archive does not have: left by a writer that was killed, or put there by somebody. */
  #mayBeOwn(name: string): boolean {
    const day = dayOfFile(name)
    return day !== undefined && !this.#ticks.has(day)
  }

  async #sweep(manifest: Manifest): Promise<void> {
    const named = filesOf(manifest)
    for (const name of await readdir(this.#dir)) {
      if (name.endsWith('.part')) await rm(join(this.#dir, name), { force: true })
    }
    for (const folder of [...datasetNames, 'ticks']) {
      const files = await readdir(join(this.#dir, folder)).catch(() => [])
      for (const name of files) {
        const file = `${folder}/${name}`
        if (!isWritten.test(name) || named.has(file) || this.#mayBeOwn(name)) continue
        await rm(join(this.#dir, file), { force: true })
      }
    }
  }
}

/** The rows for which not every condition holds. */
function without(columns: Columns, conditions: readonly Condition[]): Columns {
  const gone = new Set(positions(matching(columns, conditions)))
  if (gone.size === 0) return columns
  const rows = Array.from({ length: columns.length }, (_, row) => row)
  return takeRows(
    columns,
    rows.filter((row) => !gone.has(row)),
  )
}
