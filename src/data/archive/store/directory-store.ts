import { existsSync, type Stats, statSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import type { Dataset } from '../../../contract/dataset.js'
import { messageOf, QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { parquetCodec } from '../../../frame/table/parquet-engine.js'
import { columnsOf } from '../../../frame/table/unwrap.js'
import type { RecordColumns } from '../../../frame/table/values.js'
import { openFile } from '../file-access.js'
import { contractVersion, manifestFile, readManifest } from '../manifest.js'
import type { PartEntry } from '../manifest-entries.js'
import { storedKey } from '../merge-rows.js'
import { readPart, readVerified, verifyFile } from '../part-file.js'
import { WriteLock } from '../write-lock.js'
import type { ArchiveStore, StoredFile, StoredManifest, WriteSession } from './archive-store.js'

/** An archive in a directory: Parquet files, and the manifest beside them. One writer at a time has its lock. */
export class DirectoryStore implements ArchiveStore {
  readonly name: string
  readonly dir: string
  readonly workFolder: string
  #looking: { readonly stamp: string; readonly found: Promise<StoredManifest | undefined> } | undefined

  constructor(dir: string) {
    this.name = dir
    this.dir = dir
    this.workFolder = dir
  }

  /**
   * Changes whenever the manifest is replaced: a new one is another file. At once, because a turn of the event loop takes longer
   * than the look.
   */
  stamp(): string {
    let about: Stats
    try {
      about = statSync(join(this.dir, manifestFile))
    } catch (cause) {
      const { dir } = this
      const wrong = existsSync(dir)
        ? sentence`${dir} is not an archive: it has no ${manifestFile}`
        : sentence`${dir} does not exist`
      throw new QuotebookError('ARCHIVE', wrong, { cause })
    }
    return `${about.ino} ${about.mtimeMs} ${about.ctimeMs} ${about.size}`
  }

  /** The stamp is read before the manifest, so that a newer one is only ever read twice. */
  read(): Promise<StoredManifest | undefined> {
    let stamp = ''
    try {
      stamp = this.stamp()
    } catch {
      // Without a manifest there is none to read; one that can not be looked at fails when it is read.
    }
    if (stamp !== '' && this.#looking?.stamp === stamp) return this.#looking.found
    const looking = { stamp, found: readManifest(this.dir).then((read) => read && { ...read, stamp }) }
    this.#looking = looking
    const done = (): void => {
      if (this.#looking === looking) this.#looking = undefined
    }
    looking.found.then(done, done)
    return looking.found
  }

  readPart(dataset: Dataset, part: PartEntry): Promise<RecordColumns> {
    return readPart(this.dir, dataset, part)
  }

  /** By the codec itself: of a small file what `decodeColumns` looks at beside takes as long again. */
  async readKeys(dataset: Dataset, part: PartEntry): Promise<RecordColumns> {
    const { file: name, sha256, contract } = part
    if (contract !== contractVersion(dataset)) return this.readPart(dataset, part)
    const bytes = await readVerified(this.dir, name, sha256)
    const { ParquetFile } = await parquetCodec()
    const file = await ParquetFile.fromFile(new Blob([bytes as Uint8Array<ArrayBuffer>]))
    try {
      const table = await file.read({ columns: [...storedKey(dataset)] })
      return columnsOf(tableFromIPC(table.intoIPCStream()))
    } finally {
      file.free()
    }
  }

  bytes(file: string, sum: string): Promise<Uint8Array> {
    return readVerified(this.dir, file, sum)
  }

  verify(file: string, sum: string): Promise<void> {
    return verifyFile(this.dir, file, sum)
  }

  async open(file: string): Promise<StoredFile> {
    const handle = await openFile(join(this.dir, file))
    try {
      const { dev, ino, size, mtimeMs, mtimeNs, ctimeNs } = await handle.stat({ bigint: true })
      return {
        size: Number(size),
        modified: Number(mtimeMs),
        identity: `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`,
        read: async (position, length) => {
          const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position)
          return buffer.subarray(0, bytesRead)
        },
        isUnchanged: async () => {
          const now = await handle.stat({ bigint: true })
          return now.size === size && now.mtimeNs === mtimeNs
        },
        close: () => handle.close(),
      }
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  async putAside(file: string): Promise<void> {
    await rename(join(this.dir, file), join(this.dir, `${file}.damaged`)).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT') return
      throw new QuotebookError('ARCHIVE', sentence`a damaged file can not be put aside: ${messageOf(cause)}`, { cause })
    })
  }

  begin(waitMs: number, signal?: AbortSignal): Promise<WriteSession> {
    return WriteLock.take(this.dir, waitMs, signal)
  }
}
