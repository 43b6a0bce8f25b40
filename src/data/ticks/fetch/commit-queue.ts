import { schemaLine } from '../../../frame/table/parquet-file/footer.js'
import type { TickEntry } from '../../archive/manifest-entries.js'
import type { ArchiveStore } from '../../archive/store/archive-store.js'
import { retryOnConflict } from '../../archive/store/archive-store.js'
import { ArchiveWriter } from '../../archive/writer.js'
import type { Clock } from '../../source/transport/clock.js'
import type { DownloadedFile } from './download-file.js'
import { removeStagedNote } from './staged-file.js'

/** Puts files that have arrived into an archive: all that came while one commit ran go into the next. */
export interface CommitQueue {
  /** Ends when the file is in the manifest. @throws what the commit throws, and the signal's reason */
  add(arrived: DownloadedFile): Promise<void>
  /** Nothing more will come: what waits for company goes. */
  flush(): void
}

/** Milliseconds from one commit to the next: each writes the whole manifest. What waits is safe where it is. */
const pause = 500
/** Milliseconds that another writer of the archive is waited for. */
const patience = 120_000

function entryOf({ listed, identity, sha256, footer }: DownloadedFile): Omit<TickEntry, 'file'> {
  // The listing's own words are what the next listing is compared with.
  const [etag, modified] = [listed.etag ?? identity.etag, listed.modified ?? identity.modified]
  const optional = Object.entries({ from: footer.from, to: footer.to, etag, modified })
  return {
    day: listed.day,
    rows: footer.rows,
    bytes: footer.bytes,
    sha256,
    schema: schemaLine(footer),
    rowGroups: footer.rowGroups.length,
    ...Object.fromEntries(optional.filter(([, text]) => text !== undefined)),
  }
}

async function commit(store: ArchiveStore, batch: readonly DownloadedFile[], signal: AbortSignal): Promise<void> {
  const writer = await ArchiveWriter.open(store, undefined, patience, signal)
  try {
    for (const arrived of batch) await writer.adoptTicks(entryOf(arrived), arrived.path)
    await writer.commit()
  } catch (error) {
    await writer.abort().catch(() => undefined)
    throw error
  }
  for (const { listed } of batch) await removeStagedNote(store.workFolder, listed.day)
}

/** @param signal ends the wait for another writer; a commit that has begun is ended well */
export function commitQueue(store: ArchiveStore, clock: Clock, signal: AbortSignal): CommitQueue {
  const hurried = new AbortController()
  const ending = AbortSignal.any([signal, hurried.signal])
  /** What the next commit takes. */
  let next: { readonly batch: DownloadedFile[]; readonly done: Promise<void> } | undefined
  let before: Promise<unknown> = Promise.resolve()

  async function commitNext(batch: readonly DownloadedFile[]): Promise<void> {
    await before
    next = undefined
    await retryOnConflict(store, () => commit(store, batch, signal))
  }

  async function pauseAfter(done: Promise<void>): Promise<void> {
    await done.catch(() => undefined)
    if (!ending.aborted) await clock.sleep(pause, ending).catch(() => undefined)
  }

  return {
    add(arrived) {
      if (next) next.batch.push(arrived)
      else {
        const batch = [arrived]
        next = { batch, done: commitNext(batch) }
        before = pauseAfter(next.done)
      }
      return next.done
    },
    flush: () => hurried.abort(),
  }
}
