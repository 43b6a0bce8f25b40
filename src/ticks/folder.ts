import { QuotebookError } from '../contract/error.js'
import type { Answer, GetOptions } from '../source/transport/http.js'
import { daysIn, fileIn } from './listing.js'
import type { Share } from './share.js'

export type Get = (address: string, options: GetOptions) => Promise<Answer>

/** The link has ended, or its password is not taken any more: a new share may help. */
export class EndedError extends QuotebookError {
  readonly status: number
  constructor({ node, status }: Answer) {
    super('FILE', `the share of auction ticks at ${node} answers ${status}`)
    this.status = status
  }
}

const ended: readonly number[] = [401, 403, 404, 410]
/** Bytes of a listing: a year of names with all that WebDAV says of each. */
const listingBytes = 2 ** 24

function headersOf({ password }: Share): Record<string, string> {
  if (password === '') return {}
  return { authorization: `Basic ${Buffer.from(`quotebook:${password}`, 'utf8').toString('base64')}` }
}

function textOf({ bytes }: Answer): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

/** What an answer lists; undefined when it lists nothing. */
function listedIn(answer: Answer): readonly string[] | undefined {
  if (answer.status !== 200 && answer.status !== 207) return undefined
  const days = daysIn(textOf(answer))
  return days.length > 0 ? days : undefined
}

/**
 * The days that have a file in a share, ascending: from the page of its folder, else by WebDAV.
 * @throws EndedError for a link that has ended; QuotebookError FILE for a share that lists no files
 */
export async function list(get: Get, share: Share): Promise<readonly string[]> {
  const headers = headersOf(share)
  const page = await get(share.folder, { headers, maxBytes: listingBytes })
  if (ended.includes(page.status)) throw new EndedError(page)
  const shown = listedIn(page)
  if (shown) return shown
  const found = await get(share.folder, {
    method: 'PROPFIND',
    headers: { ...headers, depth: '1' },
    maxBytes: listingBytes,
  })
  const days = listedIn(found)
  if (days) return days
  const message = `the share of auction ticks at ${page.node} can not be listed: it answers ${page.status} without names of files, and ${found.status} to PROPFIND`
  throw new QuotebookError('FILE', message)
}

/**
 * The answer to the file of a day, status 200.
 * @throws EndedError for a link that has ended, or a file that is not there; QuotebookError FILE for any other answer
 */
export async function fetchDay(get: Get, share: Share, day: string): Promise<Answer> {
  const answer = await get(fileIn(share.folder, day), { headers: headersOf(share) })
  if (ended.includes(answer.status)) throw new EndedError(answer)
  if (answer.status === 200) return answer
  throw new QuotebookError('FILE', `the file of ${day}: ${answer.node} answers with HTTP status ${answer.status}`)
}
