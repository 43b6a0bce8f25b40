import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { beijingTime } from '../../../contract/date.js'
import { codes, QuotebookError } from '../../../contract/error.js'
import { checkShareYear } from '../../../data/archive/answer/answer-rules.js'
import type { Archive } from '../../../data/archive/archive.js'
import type { TickEntry } from '../../../data/archive/manifest-entries.js'
import type { StoredFile } from '../../../data/archive/store/archive-store.js'
import { wallTime } from '../../../data/source/transport/clock.js'
import type { Caller } from '../authenticator.js'
import { FileVerifier } from './file-verifier.js'
import { filesIn, listFolder, sharedName } from './folder-listing.js'
import { handleShareRequest, type ShareContext } from './share-handler.js'
import { sendText } from './share-response.js'
import { entitledDays, ShareLinks } from './signed-link.js'

/** The inner level of a `file_download` reply (section 2.13). */
export interface FileResult {
  /** 0 when the share is ready. */
  readonly code: number
  readonly message: string
  readonly data: Readonly<Record<string, unknown>> | null
}

/** The shares of the tick files: what `file_download` hands out, and what is found behind the link. */
export interface Shares {
  /** The share of a year for a caller. `base`: address of this service without a path, no slash at its end. */
  offer(caller: Caller, year: number, base: string): Promise<FileResult>
  /** Answers a request whose path begins with `/share/`. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
}

/** Something that the one who runs the service should mend. No text of it has a path of the machine. */
export interface ShareFault {
  /** Name of the file that is not shared; undefined when the archive itself can not be read. */
  readonly file?: string
  readonly message: string
}

export interface SharesOptions {
  /** Milliseconds since 1970. */
  readonly time?: (() => number) | undefined
  /** Seconds that a new link lives; one that is asked for has more than half of it left. Default 7200. */
  readonly lifetime?: number | undefined
  /** What links are signed with, at least 16 bytes. Default: random bytes, so that links end with the process. */
  readonly secret?: Uint8Array | undefined
  /** Milliseconds that an answer waits for files that are being verified. Default 2000. */
  readonly patience?: number | undefined
  /** The keys in force, by their names, each as a text that no other key has: a link ends with the key that asked for it. */
  readonly keys?: (() => ReadonlyMap<string, string>) | undefined
  /** Address that links begin with, where a proxy stands before the service: a listing names its files under its path too. */
  readonly url?: string | undefined
  /** Called once for each fault. */
  readonly onFault?: ((fault: ShareFault) => void) | undefined
  /** sha256 of an open file in hex. Default: read here. */
  readonly digest?: ((file: StoredFile) => Promise<string>) | undefined
}

/** What a reply says of a share whether or not it is ready. */
function describeShare(year: number, entries: readonly TickEntry[]): Readonly<Record<string, unknown>> {
  return {
    data_type: 'auction_tick',
    year,
    start_date: entries[0]?.day ?? '',
    end_date: entries.at(-1)?.day ?? '',
    file_count: entries.length,
    size_bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

const noData: FileResult = { code: codes.noData, message: 'no data', data: null }

/**
 * The inner level of a `file_download` reply: the share of a year for a caller.
 * @throws QuotebookError FORBIDDEN for the free plan, ParamsError for a year that has not begun and has no files
 */
async function offerYear(caller: Caller, year: number, base: string, context: ShareContext): Promise<FileResult> {
  const { links, keys, verifier, patience } = context
  const [ticks, time] = [await context.ticks(), context.time()]
  const days = entitledDays(caller.plan, year, time)
  checkShareYear(ticks, year, Number(beijingTime(time).slice(0, 4)))
  if (!days) return noData
  const entries = await listFolder(ticks, days, verifier, patience)
  if (entries?.length === 0) return noData
  const share = describeShare(year, entries ?? filesIn(ticks, days))
  if (!entries) {
    const retryAfter = verifier.remaining()
    const link = { status: 'preparing', url: '', password: '', expires_at: '', retry_after: retryAfter }
    return { code: codes.unavailable, message: 'preparing', data: { ...share, ...link } }
  }
  const { token, password, expires } = links.issue(keys?.().get(caller.name) ?? caller.name, days, time)
  const link = { status: 'ready', url: `${base}/share/${token}/`, password, expires_at: beijingTime(expires * 1000) }
  return { code: 0, message: 'success', data: { ...share, ...link, retry_after: 0 } }
}

/** A writer that lives touches its lock every 5 seconds. */
const lockStale = 15_000

/** Whether somebody is writing to an archive. */
async function isWritten(dir: string): Promise<boolean> {
  try {
    return Math.abs(wallTime() - (await stat(join(dir, '.lock'))).mtimeMs) < lockStale
  } catch {
    return false
  }
}

/** The shares of an archive's tick files. Nothing is kept of a link: it holds its days, its expiry and whose it is itself, signed. */
export function createShares(archive: Archive, options: SharesOptions = {}): Shares {
  const { time = wallTime, lifetime = 7200, secret = randomBytes(32), patience = 2000, onFault, digest, keys } = options
  const { store } = archive
  const ticks = async (): Promise<readonly TickEntry[]> => (await archive.manifest()).ticks
  const verifier = new FileVerifier({
    store,
    digest,
    isFinal: async (entry) => {
      if (store.dir !== undefined && (await isWritten(store.dir))) return false
      return (await ticks()).some(({ file, sha256 }) => file === entry.file && sha256 === entry.sha256)
    },
    onDamage: (entry, why) => {
      const file = sharedName(entry)
      onFault?.({ file, message: `${file} is not shared: ${why}; import it again` })
    },
  })
  const root = (options.url ?? '').replace(/^https?:\/\/[^/]*/i, '').replace(/\/+$/, '')
  const context = { ticks, links: new ShareLinks(secret, lifetime), keys, verifier, time, patience, root }
  const reported = new Set<string>()
  const report = (error: unknown): void => {
    const code = error instanceof QuotebookError ? error.code : ((error as NodeJS.ErrnoException)?.code ?? 'unknown')
    if (reported.has(code)) return
    reported.add(code)
    onFault?.({ message: `the share could not answer (${code})` })
  }

  return {
    offer: (caller, year, base) => offerYear(caller, year, base, context),
    async handle(request, response) {
      // A reader that goes away is no error.
      response.on('error', () => undefined)
      try {
        await handleShareRequest(request, response, context)
      } catch (error) {
        if (!response.destroyed) report(error)
        sendText(response, 503, 'The share can not be read now.\n', { 'retry-after': '5' })
      }
    },
  }
}
