import { mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { allNames } from '../../contract/catalogue.js'
import { messageOf, QuotebookError } from '../../contract/error.js'
import { sentence, type Words } from '../../contract/sentence.js'
import { nestedFolders } from './check-manifest.js'
import { type DirectoryLock, takeLock } from './directory-lock.js'
import { makeFolder, writeFileAtomically } from './file-access.js'
import {
  dayOfFile,
  emptyManifest,
  fileMark,
  filesOf,
  isOurs,
  isWritten,
  manifestFile,
  manifestText,
  readManifest,
  stateOnDisk,
} from './manifest.js'
import type { Manifest } from './manifest-entries.js'
import type { MadePart, WriteSession } from './store/archive-store.js'

function lostLock(dir: string, cause?: unknown): QuotebookError {
  const message = sentence`another process took ${dir} for writing while this one stood still; nothing was changed, try again`
  return new QuotebookError('ARCHIVE_BUSY', message, { cause })
}

/**
 * An archive taken for writing: files that no manifest names yet, and the one step that replaces the manifest.
 *
 * A writer that stood still while another took its lock changes nothing any more, wherever it goes on. Its manifest is
 * staged under a name of its own before it looks whether the lock is still its own; the other one removes what is staged
 * after it took the lock and before it reads the manifest. So either the renaming came before, and was read, or there is
 * nothing left to rename. Files are named by their bytes and the state that they are built on: what a writer sweeps away it
 * has listed before it looked, and nobody has put under these names since, because the state has changed. What it put itself
 * it takes back only while it has the lock, one step after it looked (that step is the window that remains); the next
 * commit sweeps away the rest.
 */
export class WriteLock implements WriteSession {
  readonly manifest: Manifest
  readonly #dir: string
  readonly #lock: DirectoryLock
  /** The directory was not there before. */
  readonly #made: boolean
  /** State of what is built on; undefined where there was no manifest. */
  readonly #base: string | undefined
  /** Files that were put, and their bytes. */
  readonly #written = new Map<string, number>()

  private constructor(
    dir: string,
    lock: DirectoryLock,
    made: boolean,
    found: Awaited<ReturnType<typeof readManifest>>,
  ) {
    this.#dir = dir
    this.#lock = lock
    this.#made = made
    this.#base = found?.state
    this.manifest = found?.manifest ?? emptyManifest
  }

  /** @throws QuotebookError ARCHIVE_BUSY when another process is writing, ARCHIVE when the directory holds something else */
  static async take(dir: string, waitMs: number, signal?: AbortSignal): Promise<WriteLock> {
    const found = await readManifest(dir)
    const made = await makeFolder(dir)
    if (!found && (await readdir(dir)).some((name) => !isOurs(name))) {
      throw new QuotebookError(
        'ARCHIVE',
        sentence`${dir} is not empty and not an archive; give an empty or new directory`,
      )
    }
    const lock = await takeLock(join(dir, '.lock'), waitMs, signal).catch((cause: unknown) => {
      signal?.throwIfAborted()
      throw new QuotebookError('ARCHIVE', sentence`${dir} can not be locked for writing: ${messageOf(cause)}`, {
        cause,
      })
    })
    if (!lock) {
      throw new QuotebookError(
        'ARCHIVE_BUSY',
        sentence`${dir} is being written by another process; try again when it is done`,
      )
    }
    try {
      const staged = (await readdir(dir)).filter(
        (name) => name.startsWith(`${manifestFile}.`) && name.endsWith('.part'),
      )
      if (lock.lost) throw lostLock(dir)
      for (const name of staged) await rm(join(dir, name), { force: true })
      return new WriteLock(dir, lock, made, await readManifest(dir))
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  mark(sum: string): string {
    return fileMark(this.#base, sum)
  }

  writePart({ file, bytes }: MadePart): Promise<void> {
    return this.write(file, bytes)
  }

  async write(file: string, bytes: Uint8Array): Promise<void> {
    await this.owning(() => writeFileAtomically(join(this.#dir, file), bytes))
    this.#written.set(file, bytes.length)
  }

  /** @param from a file of the same file system */
  async move(from: string, file: string, bytes: number, isNamed: boolean): Promise<void> {
    const path = join(this.#dir, file)
    await mkdir(dirname(path), { recursive: true })
    await this.owning(() => rename(from, path))
    if (!isNamed) this.#written.set(file, bytes)
  }

  async owning<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action()
    } catch (cause) {
      throw this.#lock.lost ? lostLock(this.#dir, cause) : cause
    }
  }

  async commit(manifest: Manifest): Promise<void> {
    const check = (): Promise<void> => this.#checkUnchanged()
    try {
      await this.owning(() => writeFileAtomically(join(this.#dir, manifestFile), manifestText(manifest), { check }))
    } catch (error) {
      await this.abort()
      throw error
    }
    try {
      await this.#sweep(manifest)
    } finally {
      await this.#lock.release()
    }
  }

  /** Asked when the manifest is staged; of the lock last. */
  async #checkUnchanged(): Promise<void> {
    const changed = (what: Words): QuotebookError =>
      new QuotebookError(
        'ARCHIVE_CHANGED',
        sentence`${this.#dir}: ${what} since the archive was read; nothing was changed`,
      )
    if ((await stateOnDisk(this.#dir)) !== this.#base) throw changed(sentence`its manifest became another one`)
    for (const [file, bytes] of this.#written) {
      const about = await stat(join(this.#dir, file)).catch(() => undefined)
      if (about?.size !== bytes) throw changed(sentence`${file} has gone or changed`)
    }
    if (this.#lock.lost) throw lostLock(this.#dir)
  }

  async abort(): Promise<void> {
    try {
      const current = await readManifest(this.#dir)
      const named = filesOf(current?.manifest ?? emptyManifest)
      for (const file of this.#written.keys()) {
        if (named.has(file) || this.#lock.lost) continue
        await rm(join(this.#dir, file), { force: true })
        await rmdir(dirname(join(this.#dir, file))).catch(() => undefined)
        const folder = nestedFolders.find((name) => file.startsWith(`${name}/`))
        if (folder !== undefined) await rmdir(join(this.#dir, folder)).catch(() => undefined)
      }
    } finally {
      await this.#lock.release()
      if (this.#made) await rmdir(this.#dir).catch(() => undefined)
    }
  }

  async #sweep(manifest: Manifest): Promise<void> {
    const named = filesOf(manifest)
    const days = new Set(manifest.ticks.map(({ day }) => day))
    const left = (await readdir(this.#dir)).filter((name) => name.endsWith('.part'))
    const nested = nestedFolders.flatMap((folder) => allNames().map((name) => `${folder}/${name}`))
    for (const folder of [...allNames(), ...nested, 'ticks']) {
      for (const name of await readdir(join(this.#dir, folder)).catch(() => [])) {
        const day = dayOfFile(name)
        // A file of a day that the archive does not have: left by a writer that was killed, or put there by somebody.
        const mayBeOwn = day !== undefined && !days.has(day)
        if (isWritten.test(name) && !mayBeOwn && !named.has(`${folder}/${name}`)) left.push(`${folder}/${name}`)
      }
    }
    if (this.#lock.lost) return
    for (const file of left) await rm(join(this.#dir, file), { force: true })
  }
}
