import { messageOf, QuotebookError } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'
import type { LinkedFiles } from '../../source/linked-files.js'
import { SourceError } from '../../source/source-error.js'
import type { StreamOptions } from '../../source/transport/http-client.js'
import { type HttpHeaders, headerOf, tellsLength } from '../../source/transport/http-headers.js'
import type { HttpResponse, HttpStream } from '../../source/transport/http-stream.js'
import {
  DayAbsentError,
  type FolderAddress,
  fileAddress,
  folderAddress,
  isEndedStatus,
  type ListedFile,
  listingError,
  type OpenedFile,
  type OpenFileOptions,
  ShareEndedError,
  shareEnded,
  type TickShare,
} from './file-share.js'
import { parseIndexPage, parseWebdavListing } from './folder-listings.js'

/** What may be asked of an address, and what comes with it wherever it leads. */
interface RedirectableRequest {
  readonly address: string
  readonly method?: 'GET' | 'PROPFIND'
  readonly headers: Readonly<Record<string, string>>
  /** Goes to the origin of the address and to no other. */
  readonly authorization: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** An answer, and where it was found. */
interface FinalAnswer<T> {
  readonly answer: T
  readonly address: string
  /** Undefined once it was left behind. */
  readonly authorization: string | undefined
}

interface Redirecting {
  readonly status: number
  readonly headers: HttpHeaders
  readonly node: string
  discard?(): void
}

const redirects: readonly number[] = [301, 302, 303, 307, 308]
const most = 5

function refused(node: string, why: string): QuotebookError {
  return new QuotebookError('FILE', sentence`the share of auction ticks at ${node} ${why}`)
}

function targetOf(from: string, { headers, node }: Redirecting): URL {
  let target: URL | undefined
  try {
    target = new URL(headerOf(headers, 'location'), from)
  } catch {}
  if (!target || !/^https?:$/.test(target.protocol) || target.username !== '' || target.password !== '') {
    throw refused(node, sentence`leads to what is no address of http or https`)
  }
  if (new URL(from).protocol === 'https:' && target.protocol === 'http:') {
    throw refused(node, sentence`leads from https to http, where anybody may read along: ${target.host}`)
  }
  target.hash = ''
  return target
}

/**
 * Asks, and goes where redirects lead, five times at most. Another origin gets no password, nor does any after it.
 * @throws what asking throws; QuotebookError FILE for redirects that are not followed
 */
async function followRedirects<T extends Redirecting>(
  ask: (address: string, options: StreamOptions) => Promise<T>,
  { address: first, method: asked = 'GET', headers, authorization: given, signal }: RedirectableRequest,
): Promise<FinalAnswer<T>> {
  let [address, method, authorization] = [first, asked, given]
  for (let turn = 0; ; turn++) {
    const sent = authorization === undefined ? headers : { ...headers, authorization }
    const answer = await ask(address, { method, headers: sent, signal })
    if (!redirects.includes(answer.status)) return { answer, address, authorization }
    answer.discard?.()
    const target = targetOf(address, answer)
    if (target.origin !== new URL(address).origin) authorization = undefined
    if (answer.status === 303) method = 'GET'
    address = target.href
    if (turn === most) throw refused(answer.node, sentence`leads into a redirect loop`)
  }
}

/** A listing, and the folder that it is of: that which redirects led to. */
interface FolderListing {
  readonly listed: readonly ListedFile[]
  readonly place: FolderAddress
}

/** No listing. */
interface FailedListing {
  readonly status: number
  readonly node: string
  /** `405 to PROPFIND`, after "it answers". */
  readonly answered: string
  /** The password was not sent to who answered. */
  readonly isElsewhere: boolean
}

/** A way of listing a folder. */
export interface Listing {
  readonly method: 'GET' | 'PROPFIND'
  /** Of an answer that is a listing. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The files that an answer lists. @throws Error saying why it can not be read */
  parse(text: string, address: string): readonly ListedFile[] | Promise<readonly ListedFile[]>
  /** The folder that an answer from an address lists. */
  folderOf(address: string): string
  /** What an answer without names of files is, after its status. */
  readonly empty: string
}

export const byWebdav: Listing = {
  method: 'PROPFIND',
  status: 207,
  headers: { depth: '1' },
  parse: parseWebdavListing,
  folderOf: folderAddress,
  empty: 'to PROPFIND without names of files',
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
  empty: 'with a page without names of files (a page to log in, perhaps)',
}

/** Bytes of a listing: a year of names with all that WebDAV says of each is a fiftieth of it. */
const listingBytes = 2 ** 24

async function listFolder(
  links: LinkedFiles,
  place: FolderAddress,
  { method, status, headers, parse, folderOf, empty }: Listing,
  signal: AbortSignal | undefined,
): Promise<FolderListing | FailedListing> {
  const { folder, authorization } = place
  const asked = { address: folder, method, headers: { ...place.headers, ...headers }, authorization, signal }
  let found: FinalAnswer<HttpResponse>
  try {
    found = await followRedirects((to, how) => links.get(to, { ...how, maxBytes: listingBytes }), asked)
  } catch (error) {
    if (!(error instanceof SourceError) || error.code !== 'ENVELOPE') throw error
    // It speaks of rows, which there are none of.
    const answered = `to ${method} in a way that can not be read (${error.message.replace(/;.*$/, '')})`
    return { node: error.node ?? new URL(folder).origin, status: error.status ?? 0, answered, isElsewhere: false }
  }
  const { answer, address } = found
  const failed = (what: string): FailedListing => {
    const isElsewhere = found.authorization !== authorization
    return { node: answer.node, status: answer.status, answered: `${answer.status} ${what}`, isElsewhere }
  }
  if (answer.status !== status) return failed(`to ${method}`)
  try {
    const { buffer, byteOffset, byteLength } = answer.bytes
    const listed = await parse(Buffer.from(buffer, byteOffset, byteLength).toString('utf8'), address)
    if (listed.length === 0) return failed(empty)
    return { listed, place: { ...place, folder: folderOf(address), authorization: found.authorization } }
  } catch (error) {
    return failed(`to ${method}, which can not be read: ${messageOf(error)}`)
  }
}

const strong = /^"[\x21\x23-\x7e\x80-\xff]*"$/
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
/** Within a minute of its last change a file may change again unseen: clocks differ, and the header counts whole seconds. */
const settlingMs = 60_000

/** What proves that a part is of the same file; undefined where nothing does. */
function conditionOf({ etag, strongModified }: OpenFileOptions): string | undefined {
  if (etag !== undefined && strong.test(etag)) return etag
  return strongModified !== undefined && httpDate.test(strongModified) ? strongModified : undefined
}

function strongModifiedOf(modified: string, date: string): string | undefined {
  const isOld = Date.parse(date) - Date.parse(modified) >= settlingMs
  return isOld && httpDate.test(modified) ? modified : undefined
}

function lengthOf(answer: HttpStream): number | undefined {
  const text = headerOf(answer.headers, 'content-length')
  return /^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined
}

/** Bytes of the whole file, by a Content-Range that begins where it should and goes on to the end. */
function totalOf(answer: HttpStream, from: number): number | undefined {
  const text = headerOf(answer.headers, 'content-range')
  const [, first, last, total] = /^bytes (\d{1,16})-(\d{1,16})\/(\d{1,16})$/i.exec(text)?.map(Number) ?? []
  if (first !== from || last === undefined || total === undefined) return undefined
  const length = lengthOf(answer)
  const isWhole = last === total - 1 && (length === undefined || length === total - from)
  return isWhole && Number.isSafeInteger(total) ? total : undefined
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '')
}

interface File {
  readonly day: string
  readonly answer: HttpStream
}

function refuse({ day, answer }: File, why: string): QuotebookError {
  answer.discard()
  return new QuotebookError('FILE', sentence`the file of ${day}: ${answer.node} ${why}`)
}

function openedOf({ answer }: File, from: number, size: number | undefined): OpenedFile {
  const { headers } = answer
  const modified = headerOf(headers, 'last-modified')
  return {
    from,
    size,
    framed: tellsLength(headers),
    etag: headerOf(headers, 'etag') || undefined,
    modified: modified || undefined,
    strongModified: strongModifiedOf(modified, headerOf(headers, 'date')),
    body: answer.body,
  }
}

/** A part that continues what is there; undefined for one that does not. */
function partOf(file: File, from: number, { etag }: OpenFileOptions): OpenedFile | undefined {
  const { headers } = file.answer
  if (/^multipart\//i.test(headerOf(headers, 'content-type')))
    throw refuse(file, sentence`sends several parts where one is due`)
  const size = totalOf(file.answer, from)
  const identity = headerOf(headers, 'etag')
  const isOther = identity !== '' && etag !== undefined && opaque(identity) !== opaque(etag)
  return size === undefined || isOther ? undefined : openedOf(file, from, size)
}

/**
 * The file of a day in a folder behind HTTP: from where it was broken off if the server proves that it is the same one,
 * else whole.
 * @throws EndedError for 401, 403, 404 and 410; QuotebookError FILE for any other answer that is not the file
 */
async function openHttpFile(
  links: LinkedFiles,
  place: FolderAddress,
  day: string,
  options: OpenFileOptions = {},
): Promise<OpenedFile> {
  const { from = 0, signal } = options
  const address = fileAddress(place.folder, day)
  const ask = async (headers: Readonly<Record<string, string>>): Promise<File> => {
    const asked = { address, headers: { ...place.headers, ...headers }, authorization: place.authorization, signal }
    const { answer, authorization } = await followRedirects((to, how) => links.open(to, how), asked)
    const file = { day, answer }
    if (isEndedStatus(answer.status)) {
      answer.discard()
      throw shareEnded(answer, place.authorization !== authorization)
    }
    if (!/^(identity)?$/i.test(headerOf(answer.headers, 'content-encoding'))) {
      throw refuse(file, sentence`sends it compressed, which was not asked for`)
    }
    return file
  }
  const condition = from > 0 ? conditionOf(options) : undefined
  let file = condition === undefined ? undefined : await ask({ range: `bytes=${from}-`, 'if-range': condition })
  if (file && file.answer.status === 206) {
    const part = partOf(file, from, options)
    if (part) return part
  }
  if (file?.answer.status === 206 || file?.answer.status === 416) {
    file.answer.discard()
    file = undefined
  }
  file ??= await ask({})
  if (file.answer.status === 200) return openedOf(file, 0, lengthOf(file.answer))
  throw refuse(file, sentence`answers with HTTP status ${file.answer.status}`)
}

/** A route that may lead to the files. */
export interface ShareRoute {
  readonly place: FolderAddress
  readonly listing: Listing
  /** Where nobody is let in here, no other route is tried: a wrong password counts each time. */
  readonly isStrict?: boolean
}

/** The route that a folder was found by. */
interface Known extends FolderListing {
  readonly route: ShareRoute
}

/** Whom a password stops, as against who knows nothing of the folder. */
const shut: readonly number[] = [401, 403]

async function search(
  links: LinkedFiles,
  name: string,
  routes: readonly ShareRoute[],
  signal: AbortSignal | undefined,
): Promise<Known> {
  const failures: FailedListing[] = []
  for (const route of routes) {
    const found = await listFolder(links, route.place, route.listing, signal)
    if ('listed' in found) return { ...found, route }
    failures.push(found)
    if (route.isStrict && shut.includes(found.status)) throw shareEnded(found, found.isElsewhere)
  }
  const last = failures.at(-1)
  if (last && isEndedStatus(last.status)) throw shareEnded(last, last.isElsewhere)
  const [answered = '', ...others] = failures.map((one) => one.answered)
  throw listingError(name, sentence`it answers ${others.reduce((all, one) => sentence`${all}, and ${one}`, answered)}`)
}

/**
 * The share behind routes that are tried in order, until one leads to files.
 * @param isSure files lie in the folder of the first route, by whichever route the folder is listed
 */
export function httpShare(links: LinkedFiles, name: string, routes: readonly ShareRoute[], isSure: boolean): TickShare {
  let known: Known | undefined

  const list = async (signal?: AbortSignal): Promise<readonly ListedFile[]> => {
    const first = known?.route
    known = undefined
    const order = first ? [first, ...routes.filter((route) => route !== first)] : routes
    known = await search(links, name, order, signal)
    return known.listed
  }

  const placeNow = async (signal?: AbortSignal): Promise<FolderAddress> => {
    if (!known && !isSure) await list(signal)
    return (known?.place ?? routes[0]?.place) as FolderAddress
  }

  /** A file that is not where it was is looked for where the folder is now. */
  const again = async (error: ShareEndedError, day: string, options: OpenFileOptions): Promise<OpenedFile> => {
    const listed = await list(options.signal)
    if (!listed.some((file) => file.day === day)) throw new DayAbsentError(name, day)
    try {
      return await openHttpFile(links, await placeNow(options.signal), day, options)
    } catch (second) {
      if (!(second instanceof ShareEndedError) || shut.includes(second.status)) throw second
      throw new QuotebookError('FILE', sentence`the file of ${day}: ${name} lists it, and answers ${second.status}`, {
        cause: error,
      })
    }
  }

  return {
    name,
    list,
    async open(day, options = {}) {
      const place = await placeNow(options.signal)
      try {
        return await openHttpFile(links, place, day, options)
      } catch (error) {
        if (!(error instanceof ShareEndedError)) throw error
        const isFirst = routes.some((route) => route.place.folder === place.folder)
        if (isFirst && shut.includes(error.status)) throw error
        return again(error, day, options)
      }
    },
  }
}
