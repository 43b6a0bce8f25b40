import type { TickEntry } from '../../archive/manifest-entries.js'
import { ArchiveWriter } from '../../archive/writer.js'
import { QuotebookError } from '../../contract/error.js'
import type { Clock } from '../../source/transport/clock.js'
import { schemaLine } from '../../table/parquet-file/footer.js'
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
/** Times that another writer of the archive is waited for, a second each. */
const patience = 120

function entryOf({ listed, identity, sha256, footer }: DownloadedFile): Omit<TickEntry, 'file'> {
  const { from, to } = footer
  // The listing's own words are what the next listing is held against.
  const [etag, modified] = [listed.etag ?? identity.etag, listed.modified ?? identity.modified]
  return {
    day: listed.day,
    rows: footer.rows,
    bytes: footer.bytes,
    sha256,
    schema: schemaLine(footer),
    rowGroups: footer.rowGroups.length,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(etag === undefined ? {} : { etag }),
    ...(modified === undefined ? {} : { modified }),
  }
}

/** The archive for writing, once others have done. */
async function openWriter(dir: string, signal: AbortSignal): Promise<ArchiveWriter> {
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted()
    try {
      return await ArchiveWriter.open(dir, undefined, 1000, signal)
    } catch (error) {
      if (!(error instanceof QuotebookError) || error.code !== 'ARCHIVE_BUSY' || tries === patience) throw error
    }
  }
}

async function commit(dir: string, batch: readonly DownloadedFile[], signal: AbortSignal): Promise<void> {
  const writer = await openWriter(dir, signal)
  try {
    for (const arrived of batch) await writer.adoptTicks(entryOf(arrived), arrived.path)
    await writer.commit()
  } catch (error) {
    await writer.abort().catch(() => undefined)
    throw error
  }
  for (const { listed } of batch) await removeStagedNote(dir, listed.day)
}

interface Waiting {
  readonly arrived: DownloadedFile
  resolve(): void
  reject(reason: unknown): void
}

/** @param signal ends the wait for another writer; a commit that has begun is ended well */
export function commitQueue(dir: string, clock: Clock, signal: AbortSignal): CommitQueue {
  const hurried = new AbortController()
  let waiting: Waiting[] = []
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        await commit(
          dir,
          batch.map(({ arrived }) => arrived),
          signal,
        )
        for (const one of batch) one.resolve()
      } catch (error) {
        for (const one of batch) one.reject(error)
      }
      const now = AbortSignal.any([signal, hurried.signal])
      if (!now.aborted) await clock.sleep(pause, now).catch(() => undefined)
    }
    isRunning = false
  }

  return {
    add: (arrived) =>
      new Promise((resolve, reject) => {
        waiting.push({ arrived, resolve, reject })
        if (!isRunning) void run()
      }),
    flush: () => hurried.abort(),
  }
}
