import { messageOf, worded } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import type { LinkedFiles } from '../../source/linked-files.js'
import { wordInHeaders } from '../../source/reply/word-of-more.js'
import { SourceError } from '../../source/source-error.js'
import { nextLinkOf } from '../../source/transport/http-headers.js'
import type { HttpResponse } from '../../source/transport/http-stream.js'
import { type FolderAddress, folderAddress, type ListedFile } from './file-share.js'
import { addListed, type ListedPage, parseIndexPage, parseWebdavListing } from './folder-listings.js'
import { type FinalAnswer, followRedirects } from './follow-redirects.js'

/** A listing, and the folder that it is of: that which redirects led to. */
export interface FolderListing {
  /** Ascending by day. */
  readonly listed: readonly ListedFile[]
  /** Entries of all pages, whatever their names. */
  readonly entries: number
  readonly place: FolderAddress
}

/** No listing. */
export interface FailedListing {
  readonly status: number
  readonly node: string
  /** `405 to PROPFIND`, after "it answers". */
  readonly answered: Words
  /** The password was not sent to who answered. */
  readonly isElsewhere: boolean
}

/** A way of listing a folder. */
export interface Listing {
  readonly method: 'GET' | 'PROPFIND'
  /** Of an answer that is a listing. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /**
   * The files that an answer lists.
   * @param first address of the first page, in whose folder the files lie
   * @throws Error saying why it can not be read
   */
  parse(text: string, address: string, first: string): ListedPage | Promise<ListedPage>
  /** The folder that an answer from an address lists. */
  folderOf(address: string): string
  /** What an answer without names of files is, after its status. */
  readonly empty: Words
}

export const byWebdav: Listing = {
  method: 'PROPFIND',
  status: 207,
  headers: { depth: '1' },
  parse: parseWebdavListing,
  folderOf: folderAddress,
  empty: sentence`to PROPFIND without names of files`,
}

export const byIndexPage: Listing = {
  method: 'GET',
  status: 200,
  headers: {},
  parse: parseIndexPage,
  folderOf(address) {
    const page = new URL(address)
    page.pathname = page.pathname.slice(0, page.pathname.lastIndexOf('/') + 1)
    return page.href
  },
  empty: sentence`with a page without names of files (a page to log in, perhaps)`,
}

/** Bytes of a listing: a year of names with all that WebDAV says of each is a fiftieth of it. */
const listingBytes = 2 ** 24
/** Pages of a listing. */
const mostPages = 1000

/** An answer that speaks of rows, which there are none of. @throws any other error */
function unreadable(error: unknown, method: string, folder: string): FailedListing {
  if (!(error instanceof SourceError) || error.code !== 'ENVELOPE') throw error
  const { node = new URL(folder).origin, status = 0 } = error
  return { node, status, answered: sentence`to ${method} in a way that can not be read`, isElsewhere: false }
}

/** The next page. @throws Error for one of another server than the first */
function nextPage(target: string, address: string, first: string): string {
  const next = URL.canParse(target, address) ? new URL(target, address) : undefined
  if (next?.origin !== new URL(first).origin) throw worded(Error, sentence`its next page lies on another server`)
  next.hash = ''
  return next.href
}

/** The listing of a folder: all pages of it. */
export async function listPages(
  links: LinkedFiles,
  place: FolderAddress,
  { method, status, headers, parse, folderOf, empty }: Listing,
  signal: AbortSignal | undefined,
): Promise<FolderListing | FailedListing> {
  const files = new Map<string, ListedFile>()
  const asked = new Set<string>()
  let [entries, size] = [0, 0]
  let first: FinalAnswer<HttpResponse> | undefined
  for (let address = place.folder; ; ) {
    asked.add(address)
    const { authorization } = first ?? place
    const request = { address, method, headers: { ...place.headers, ...headers }, authorization, signal }
    const found = await followRedirects((to, how) => links.get(to, { ...how, maxBytes: listingBytes }), request).catch(
      (error: unknown) => unreadable(error, method, place.folder),
    )
    if (!('answer' in found)) return found
    const { answer } = found
    const failed = (what: Words): FailedListing => {
      const answered = sentence`${answer.status} ${what}`
      return {
        node: answer.node,
        status: answer.status,
        answered,
        isElsewhere: found.authorization !== place.authorization,
      }
    }
    if (answer.status !== status) return failed(sentence`to ${method}`)
    first ??= found
    try {
      const page = await parse(Buffer.from(answer.bytes).toString('utf8'), found.address, first.address)
      const before = files.size
      addListed(files, page.files)
      entries += page.entries
      size += answer.bytes.byteLength
      const target = nextLinkOf(answer.headers) ?? page.next
      if (target === undefined) {
        const word = wordInHeaders(answer.headers, entries)
        if (word !== undefined) throw worded(Error, sentence`it was cut (${word})`)
        if (files.size === 0) return failed(empty)
        const listed = [...files.values()].sort((one, other) => (one.day < other.day ? -1 : 1))
        return {
          listed,
          entries,
          place: { ...place, authorization: first.authorization, folder: folderOf(first.address) },
        }
      }
      address = nextPage(target, found.address, first.address)
      const isTwice = asked.has(address) || (asked.size > 1 && page.files.length > 0 && files.size === before)
      if (isTwice || asked.size >= mostPages || size > listingBytes)
        throw worded(Error, sentence`its pages do not end: page ${asked.size} leads to a next one still`)
    } catch (error) {
      return failed(sentence`to ${method}, which can not be read: ${messageOf(error)}`)
    }
  }
}
