import { findDataset } from '../../contract/catalogue.js'
import type { Dataset } from '../../contract/dataset.js'
import { QuotebookError } from '../../contract/error.js'
import { checkOptions } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import { byCodeFolder, nestedFolders, revisionsFolder } from './check-manifest.js'
import { contractVersion, filesOf } from './manifest.js'
import type { Manifest, PartEntry } from './manifest-entries.js'
import { bytesWithSum } from './part-bytes.js'
import { LostFileError, rowsOfFile } from './part-file.js'
import { revisionColumns } from './revision/revisions.js'
import { type ArchiveStore, noArchive, type WriteSession } from './store/archive-store.js'
import { type ArchivePlace, storeOf } from './store/store-of.js'

/** Options of `copyArchive`. */
export interface CopyOptions {
  /** Called after each file. */
  readonly onProgress?:
    | ((progress: { readonly done: number; readonly of: number; readonly what: string }) => void)
    | undefined
  readonly signal?: AbortSignal | undefined
}

/** What was copied. */
export interface CopyResult {
  /** sha256 of the manifest, which names every byte: the same in both places now. */
  readonly state: string
  /** Files that were copied, and their bytes; of a store without files those that its rows make. */
  readonly files: number
  readonly bytes: number
  /** Files that were there already. */
  readonly kept: number
}

/** A file that a manifest names, the day or month that it is of, and of which part. */
type Named = Pick<PartEntry, 'file' | 'sha256' | 'bytes'> & {
  readonly of: string
  readonly held?: { readonly dataset: Dataset; readonly part: PartEntry }
}

function namedBy({ datasets, unknown = {}, ticks }: Manifest): Named[] {
  const parts = Object.entries({ ...datasets, ...unknown }).flatMap(([name, { parts, revised = [], byCode = [] }]) => {
    const dataset = findDataset(name)
    const named = (folder: string, part: PartEntry): Named => {
      const { file, sha256, bytes, partition, contract } = part
      const isCurrent = dataset && contract === contractVersion(dataset)
      return { file, sha256, bytes, of: `${folder}${name} ${partition}`, ...(isCurrent && { held: { dataset, part } }) }
    }
    const months = byCode.map(({ file, sha256, bytes, partition }) => {
      return { file, sha256, bytes, of: `${byCodeFolder}/${name} ${partition}` }
    })
    const before = revised.map((part) => named(`${revisionsFolder}/`, part))
    return [...parts.map((part) => named('', part)), ...before, ...months]
  })
  return [...parts, ...ticks.map(({ day, file, sha256, bytes }) => ({ file, sha256, bytes, of: `ticks ${day}` }))]
}

/**
 * An earlier state of an archive has files of it, and nothing of a month or day that it lacks. Revisions may have gone since.
 * @throws QuotebookError ARCHIVE for a target with anything else
 */
function checkEarlier(to: ArchiveStore, before: readonly Named[], after: readonly Named[], from: ArchiveStore): void {
  if (before.length === 0) return
  const [sums, places] = [new Map(after.map((one) => [one.file, one.sha256])), new Set(after.map(({ of }) => of))]
  const isShared = before.some(({ file, sha256 }) => sums.get(file) === sha256)
  const strange = before.find(({ file, sha256 }) => sums.has(file) && sums.get(file) !== sha256)
  const more = before.find(({ of }) => !nestedFolders.some((folder) => of.startsWith(`${folder}/`)) && !places.has(of))
  if (isShared && !strange && !more) return
  const what = more ? sentence`it has ${more.of}, which ${from.name} lacks` : sentence`it is another archive`
  throw new QuotebookError(
    'ARCHIVE',
    sentence`${to.name} is not empty and no earlier state of ${from.name}: ${what}; give an empty place`,
  )
}

/** Puts a part as rows where these give its bytes again, and as the bytes that it is otherwise. */
async function put(session: WriteSession, from: ArchiveStore, { file, held }: Named, bytes: Uint8Array): Promise<void> {
  if (!held) return session.write(file, bytes)
  const { dataset, part } = held
  const rows = await rowsOfFile(from.name, dataset, part, bytes)
  const isRevision = file.startsWith(`${revisionsFolder}/`)
  const columns = isRevision ? revisionColumns(dataset) : { ...dataset.columns, ...dataset.stored }
  const again = await bytesWithSum(rows, columns, part.sha256)
  return again ? session.writePart({ dataset, file, rows, columns, bytes }) : session.write(file, bytes)
}

async function copyFile(from: ArchiveStore, to: ArchiveStore, session: WriteSession, named: Named): Promise<void> {
  const { file, sha256, held } = named
  const bytes = await from.bytes(file, sha256)
  // A directory has the very bytes that were compared with their checksum.
  if (to.dir !== undefined) return session.write(file, bytes)
  await put(session, from, named, bytes)
  await (held ? to.readPart(held.dataset, held.part) : to.verify(file, sha256))
}

/** A file that a writer of the source has replaced meanwhile. */
async function withChange(from: ArchiveStore, state: string, error: unknown): Promise<unknown> {
  const isGone = error instanceof LostFileError && error.isMissing
  if (!isGone || (await from.read())?.state === state) return error
  const message = sentence`${from.name} changed while it was copied; nothing was changed, copy it again`
  return new QuotebookError('ARCHIVE_CHANGED', message, { cause: error })
}

/**
 * Copies an archive to another place, all of it in one step: rows, revisions, ticks and the manifest, which has the same state in
 * both places then. Every file is compared with its checksum when it is read, and, in a store without files, when it is
 * written. What is in the target already is not copied again.
 * @throws QuotebookError USAGE where there is no archive, ARCHIVE for a target that is neither empty nor an earlier state of it and
 * for a file that is not what was written, ARCHIVE_CHANGED where one of both is written to; the signal's reason
 */
export async function copyArchive(
  source: ArchivePlace,
  target: ArchivePlace,
  options: CopyOptions = {},
): Promise<CopyResult> {
  const { onProgress, signal } = checkOptions(options, { onProgress: 'a function', signal: 'an object' }, 'copyArchive')
  const [from, to] = [storeOf(source), storeOf(target)]
  const found = await from.read()
  if (!found) throw noArchive(from, 'USAGE')
  const session = await to.begin(15_000, signal)
  let bytes = 0
  const all = namedBy(found.manifest)
  const there = filesOf(session.manifest)
  const fresh = all.filter(({ file }) => !there.has(file))
  try {
    checkEarlier(to, namedBy(session.manifest), all, from)
    for (const [at, named] of fresh.entries()) {
      signal?.throwIfAborted()
      await copyFile(from, to, session, named)
      bytes += named.bytes
      onProgress?.({ done: at + 1, of: fresh.length, what: named.of })
    }
  } catch (error) {
    await session.abort()
    throw await withChange(from, found.state, error)
  }
  await session.commit(found.manifest)
  return { state: found.state, files: fresh.length, bytes, kept: all.length - fresh.length }
}
