import { checkShareYear } from '../../archive/answer/share.js'
import type { TickEntry } from '../../archive/manifest.js'
import { beijingTime } from '../../contract/date.js'
import { codes, QuotebookError } from '../../contract/error.js'
import type { Caller } from '../caller.js'
import type { FileResult } from '../share-offer.js'
import { listing } from './folder.js'
import type { Links } from './link.js'
import { published } from './published.js'
import type { Verifier } from './verifier.js'
import { windowOf } from './window.js'

export interface Offering {
  readonly ticks: readonly TickEntry[]
  readonly links: Links
  readonly verifier: Verifier
  /** Milliseconds since 1970. */
  readonly time: number
  /** Milliseconds to wait for files that are not yet held against their checksums. */
  readonly patience: number
}

/** What is told of a share whatever becomes of it. */
function about(year: number, entries: readonly TickEntry[]): Readonly<Record<string, unknown>> {
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
export async function offer(caller: Caller, year: number, base: string, offering: Offering): Promise<FileResult> {
  const { ticks, links, verifier, time, patience } = offering
  if (caller.plan === 'free') {
    throw new QuotebookError('FORBIDDEN', 'file_download needs a professional or flagship plan')
  }
  checkShareYear(ticks, year, Number(beijingTime(time).slice(0, 4)))
  const window = windowOf(caller.plan, year, time)
  if (!window) return noData
  const found = await listing(ticks, window, '', verifier, patience)
  if ('retryAfter' in found) {
    const data = {
      ...about(year, published(ticks, window)),
      status: 'preparing',
      url: '',
      password: '',
      expires_at: '',
      retry_after: found.retryAfter,
    }
    return { code: codes.unavailable, message: 'preparing', data }
  }
  if (found.entries.length === 0) return noData
  const { token, password, expires } = links.issue(caller.name, window, time)
  const data = {
    ...about(year, found.entries),
    status: 'ready',
    url: `${base}/share/${token}/`,
    password,
    expires_at: beijingTime(expires * 1000),
    retry_after: 0,
  }
  return { code: 0, message: 'success', data }
}
