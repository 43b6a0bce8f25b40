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

/** What the pages of a listing held so far. */
interface PagesSoFar {
  readonly files: Map<string, ListedFile>
  readonly asked: Set<string>
  first: FinalAnswer<HttpResponse> | undefined
  entries: number
  bytes: number
}

/** Adds a page, and gives the address of the next one; undefined at the end. @throws Error saying why the listing is not whole */
async function addPage(
  so: PagesSoFar,
  { answer, address, authorization }: FinalAnswer<HttpResponse>,
  parse: Listing['parse'],
): Promise<string | undefined> {
  so.first ??= { answer, address, authorization }
  const { first, files, asked } = so
  const { headers, bytes } = answer
  const page = await parse(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'),
    address,
    first.address,
  )
  const before = files.size
  addListed(files, page.files)
  so.entries += page.entries
  so.bytes += bytes.byteLength
  const target = nextLinkOf(headers) ?? page.next
  const word = target === undefined ? wordInHeaders(headers, so.entries) : undefined
  if (word !== undefined) throw worded(Error, sentence`it was cut (${word})`)
  if (target === undefined) return undefined
  const next = URL.canParse(target, address) ? new URL(target, address) : undefined
  if (next?.origin !== new URL(first.address).origin)
    throw worded(Error, sentence`its next page lies on another server`)
  next.hash = ''
  const isTwice = asked.has(next.href) || (asked.size > 1 && page.files.length > 0 && files.size === before)
  if (isTwice || asked.size >= mostPages || so.bytes > listingBytes)
    throw worded(Error, sentence`its pages do not end: page ${asked.size} leads to a next one still`)
  return next.href
}

/** The listing of a folder: all pages of it. */
export async function listPages(
  links: LinkedFiles,
  place: FolderAddress,
  { method, status, headers, parse, folderOf, empty }: Listing,
  signal: AbortSignal | undefined,
): Promise<FolderListing | FailedListing> {
  const { folder, authorization: given } = place
  const so: PagesSoFar = { files: new Map(), asked: new Set(), first: undefined, entries: 0, bytes: 0 }
  for (let next: string | undefined = folder; next !== undefined; ) {
    so.asked.add(next)
    const { authorization } = so.first ?? place
    const asked = { address: next, method, headers: { ...place.headers, ...headers }, authorization, signal }
    let found: FinalAnswer<HttpResponse>
    try {
      found = await followRedirects((to, how) => links.get(to, { ...how, maxBytes: listingBytes }), asked)
    } catch (error) {
      if (!(error instanceof SourceError) || error.code !== 'ENVELOPE') throw error
      // It speaks of rows, which there are none of.
      const answered = sentence`to ${method} in a way that can not be read`
      return { node: error.node ?? new URL(folder).origin, status: error.status ?? 0, answered, isElsewhere: false }
    }
    const { node, status: answered } = found.answer
    const failed = (what: Words): FailedListing => {
      return {
        node,
        status: answered,
        answered: sentence`${answered} ${what}`,
        isElsewhere: found.authorization !== given,
      }
    }
    if (answered !== status) return failed(sentence`to ${method}`)
    try {
      next = await addPage(so, found, parse)
    } catch (error) {
      return failed(sentence`to ${method}, which can not be read: ${messageOf(error)}`)
    }
    if (next === undefined && so.files.size === 0) return failed(empty)
  }
  const { address, authorization } = so.first as FinalAnswer<HttpResponse>
  const listed = [...so.files.values()].sort((one, other) => (one.day < other.day ? -1 : 1))
  return { listed, entries: so.entries, place: { ...place, folder: folderOf(address), authorization } }
}
