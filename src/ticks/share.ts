import { datasetOf } from '../contract/catalogue.js'
import { QuotebookError } from '../contract/error.js'
import { objectsOf } from '../frame/column.js'
import { SourceError } from '../source/error.js'
import type { Source } from '../source/source.js'
import type { Clock } from '../source/transport/clock.js'
import { folderOf } from './listing.js'

/** The share of a year, as a service hands it out. */
export interface Share {
  readonly folder: string
  /** A credential. */
  readonly password: string
  /** Files in it, as the service counts them. */
  readonly files: number
}

/** Milliseconds to wait for files that the service is preparing, all in all. */
const patience = 120_000

function isLink(url: unknown): url is string {
  return typeof url === 'string' && /^https?:\/\//i.test(url) && URL.canParse(url)
}

/** The reply of the service; undefined when it has no files of the year, `later` when it refuses the year. */
async function offerOf(source: Source, year: number): Promise<Readonly<Record<string, unknown>> | 'later' | undefined> {
  try {
    return objectsOf(await source.query(datasetOf('file_download'), { data_type: 'auction_tick', year }))[0]
  } catch (error) {
    if (error instanceof QuotebookError && error.code === 'INVALID_PARAMS') return 'later'
    throw error
  }
}

/**
 * The share of a year, once it is ready; undefined when the year has no files, `later` when it is after all that have.
 * @throws SourceError FORBIDDEN for a key without the plan, UNAVAILABLE when the files are not ready in time;
 * QuotebookError FILE for a share that is no folder behind HTTP
 */
export async function shareOf(source: Source, year: number, clock: Clock): Promise<Share | 'later' | undefined> {
  const began = clock.now()
  for (;;) {
    const offer = await offerOf(source, year)
    if (offer === undefined || offer === 'later') return offer
    const { status, url, password, file_count: files, retry_after: wait } = offer
    if (status === 'ready') {
      if (!isLink(url)) throw new QuotebookError('FILE', `${source.name}: the share of ${year} has no link over HTTP`)
      return { folder: folderOf(url), password: String(password ?? ''), files: Number(files) }
    }
    const milliseconds = Math.max(1, Number(wait) || 1) * 1000
    if (clock.now() - began + milliseconds > patience) {
      const message = `${source.name}: the tick files of ${year} are not ready (${String(status)}); try again later`
      throw new SourceError('UNAVAILABLE', message, { retryable: true, retryAfter: milliseconds })
    }
    await clock.sleep(milliseconds)
  }
}
