import { dateOf, dayNumber } from '../../../contract/date.js'
import { daysBetween } from '../../../contract/day-list.js'
import { QuotebookError } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import type { LinkedFiles } from '../../source/linked-files.js'
import { headerOf, tellsLength } from '../../source/transport/http-headers.js'
import type { HttpStream } from '../../source/transport/http-stream.js'
import {
  DayAbsentError,
  type FolderAddress,
  fileAddress,
  isEndedStatus,
  type ListedFile,
  listingError,
  type OpenedFile,
  type OpenFileOptions,
  ShareEndedError,
  type TickShare,
  tagOf,
} from './file-share.js'
import { followRedirects } from './follow-redirects.js'
import { type FailedListing, type FolderListing, type Listing, listPages } from './list-folder.js'

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

interface File {
  readonly day: string
  readonly answer: HttpStream
}

function refuse({ day, answer }: File, why: Words): QuotebookError {
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
  const isOther = identity !== '' && etag !== undefined && tagOf(identity) !== tagOf(etag)
  return size === undefined || isOther ? undefined : openedOf(file, from, size)
}

/**
 * The file of a day in a folder behind HTTP: from where it was broken off if the server proves that it is the same one,
 * else whole.
 * @throws ShareEndedError for 401, 403, 404 and 410; QuotebookError FILE for any other answer that is not the file
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
      throw new ShareEndedError(answer, place.authorization !== authorization)
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

/** Entries that a service may list at once: 坚果云 has 750 of them, and no word of more where no program asks for it. */
function isRound(entries: number): boolean {
  return [entries, entries - 1].some((count) => count >= 50 && (count % 50 === 0 || Number.isInteger(Math.log2(count))))
}

/** Days that a cut listing would lack: the trading days beside it, and the first ones within. */
function daysBeside(listed: readonly ListedFile[]): readonly string[] {
  const there = new Set(listed.map(({ day }) => day))
  const [first, last] = [dayNumber(listed[0]?.day ?? ''), dayNumber(listed.at(-1)?.day ?? '')]
  const before = daysBetween(dateOf(first - 20), dateOf(first - 1)).slice(-1)
  const after = daysBetween(dateOf(last + 1), dateOf(last + 20)).slice(0, 1)
  const within = daysBetween(dateOf(first), dateOf(last)).filter((day) => !there.has(day))
  return [...after, ...before, ...within.slice(0, 2)]
}

/** Whether there is a Parquet file of a day. */
async function isThere(links: LinkedFiles, place: FolderAddress, day: string, signal?: AbortSignal): Promise<boolean> {
  try {
    const { body } = await openHttpFile(links, place, day, { signal })
    for await (const chunk of body) return Buffer.from(chunk.subarray(0, 4)).toString('latin1') === 'PAR1'
  } catch (error) {
    if (!(error instanceof QuotebookError)) throw error
  }
  return false
}

/** A listing of as many entries as a service lists at once lacks no file that is there. @throws QuotebookError FILE where it does */
async function checkRound(
  links: LinkedFiles,
  name: string,
  { listed, entries, place }: FolderListing,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const day of isRound(entries) ? daysBeside(listed) : []) {
    if (!(await isThere(links, place, day, signal))) continue
    const what = sentence`it lists ${entries} entries without the file of ${day}, which is there: the listing was cut`
    throw listingError(name, sentence`${what}; put the files of a year into a folder of their own`)
  }
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
    const found = await listPages(links, route.place, route.listing, signal)
    if ('listed' in found) {
      await checkRound(links, name, found, signal)
      return { ...found, route }
    }
    failures.push(found)
    if (route.isStrict && shut.includes(found.status)) throw new ShareEndedError(found, found.isElsewhere)
  }
  const last = failures.at(-1)
  if (last && isEndedStatus(last.status)) throw new ShareEndedError(last, last.isElsewhere)
  const [answered = '', ...others] = failures.map((one) => one.answered)
  throw listingError(
    name,
    sentence`it answers ${others.reduce<Words>((all, one) => sentence`${all}, and ${one}`, answered)}`,
  )
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
