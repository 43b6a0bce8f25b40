import { datasetOf } from '../../../contract/catalogue.js'
import { QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import { toObjects } from '../../../frame/read-columns.js'
import type { LinkedFiles } from '../../source/linked-files.js'
import type { Source } from '../../source/source.js'
import { SourceError } from '../../source/source-error.js'
import { type Clock, realClock } from '../../source/transport/clock.js'
import type { TickShare } from './file-share.js'
import { openShare } from './open-share.js'

/** A source that hands out shares, and fetches what is behind their links. */
export type ShareSource = Source & LinkedFiles

/** The share of a year, ready, as a service hands it out (section 2.13). */
export interface YearOffer {
  /** Files in it, as the service counts them. */
  readonly files: number
  /** As good as a password. */
  readonly link: string
  /** A credential. */
  readonly password: string
}

/** Milliseconds to wait for files that the service is preparing, all in all. */
const patience = 120_000

interface OfferOptions {
  readonly clock?: Clock | undefined
  /** Told before each wait. */
  readonly onWait?: ((milliseconds: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

function isLink(url: unknown): url is string {
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return false
  const { username, password } = new URL(url)
  return username === '' && password === ''
}

type Reply = Readonly<Record<string, unknown>>

/** The reply of the service; undefined when it has no files of the year, `later` when it refuses the year. */
async function replyOf(
  source: Source,
  year: number,
  signal: AbortSignal | undefined,
): Promise<Reply | 'later' | undefined> {
  try {
    const params = { data_type: 'auction_tick', year }
    return toObjects(await source.query(datasetOf('file_download'), params, { signal }))[0]
  } catch (error) {
    if (error instanceof QuotebookError && error.code === 'INVALID_PARAMS') return 'later'
    throw error
  }
}

function offerIn({ url, file_count, password }: Reply): YearOffer | undefined {
  return isLink(url) ? { files: Number(file_count), link: url, password: String(password ?? '') } : undefined
}

/**
 * The share of a year, once it is ready; undefined when the year has no files, `later` when it is after all that have.
 * @throws SourceError FORBIDDEN for a key without the plan, UNAVAILABLE when the files are not ready in time;
 * QuotebookError FILE for a share that is no folder behind HTTP; the signal's reason
 */
export async function requestYearOffer(
  source: Source,
  year: number,
  { clock = realClock, onWait, signal }: OfferOptions = {},
): Promise<YearOffer | 'later' | undefined> {
  const began = clock.now()
  for (;;) {
    signal?.throwIfAborted()
    const reply = await replyOf(source, year, signal)
    if (reply === undefined || reply === 'later') return reply
    const { status, retry_after: wait } = reply
    if (status === 'ready') {
      const offer = offerIn(reply)
      if (offer) return offer
      throw new QuotebookError('FILE', sentence`${source.name}: the share of ${year} has no link over HTTP`)
    }
    const milliseconds = Math.max(1, Number(wait) || 1) * 1000
    if (clock.now() - began + milliseconds > patience) {
      const message = sentence`${source.name}: the tick files of ${year} are not ready${/^[a-z_]{1,20}$/.test(String(status)) ? ` (${String(status)})` : ''}; try again later`
      throw new SourceError('UNAVAILABLE', message, { retryable: true, retryAfter: milliseconds })
    }
    onWait?.(milliseconds)
    await clock.sleep(milliseconds, signal)
  }
}

/** What is behind the link of an offer, asked through the source that handed it out. */
export function openOffer(links: LinkedFiles, { link, password }: YearOffer): TickShare {
  return openShare(link, { password, links })
}
