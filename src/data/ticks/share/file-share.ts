import { isDate } from '../../../contract/date.js'
import { QuotebookError } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { dayOfFile } from '../../archive/manifest.js'

/** The file of a day, as far as a listing says. */
export interface ListedFile {
  /** `YYYYMMDD`. */
  readonly day: string
  /** Bytes, where the listing has them exactly. */
  readonly size?: number | undefined
  /** Entity tag as the server writes it, quotes and all. */
  readonly etag?: string | undefined
  /** Last-Modified as the server writes it. */
  readonly modified?: string | undefined
}

export interface OpenFileOptions {
  /** Bytes that are there already. */
  readonly from?: number | undefined
  /** Entity tag of the file that they are of: of another file the whole comes, from 0. */
  readonly etag?: string | undefined
  /** `OpenedFile.strongModified` of the file that they are of, for servers without strong entity tags. */
  readonly strongModified?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** The bytes of a file, from somewhere to its end. */
export interface OpenedFile {
  /** First byte of `body`: that asked for, or 0 where the share sends the whole. */
  readonly from: number
  /** Bytes of the whole file; undefined where the share does not say. */
  readonly size: number | undefined
  /** The end of `body` is known from `size` or from chunks: a body that is cut off throws. */
  readonly framed?: boolean
  readonly etag: string | undefined
  readonly modified: string | undefined
  /** `modified`, where it is at least a minute older than the answer, so that no later file has the same (RFC 9110, section 8.8.2.2). */
  readonly strongModified?: string | undefined
  /**
   * Once. Read to its end or left early (`break`), it releases its connection. Throws what broke it off. Whoever reads it
   * counts its bytes: a part may have others than `size` promised.
   */
  readonly body: AsyncIterable<Uint8Array>
}

/** A tag without the mark of a weak one: for whether a file has changed since, it is as good. */
export function tagOf(etag: string): string {
  return etag.replace(/^W\//, '')
}

/** A place that has the tick files of days, `YYYYMMDD_aucde.parquet`, and nothing else that counts. */
export interface TickShare {
  /** For people: host or folder, without link, path or password. */
  readonly name: Words
  /**
   * The files, ascending by day, each once.
   * @throws ShareEndedError for a link that has ended; QuotebookError FILE for a place that lists no files
   */
  list(signal?: AbortSignal): Promise<readonly ListedFile[]>
  /** @throws ShareEndedError for a link that has ended; QuotebookError FILE where the day has no file */
  open(day: string, options?: OpenFileOptions): Promise<OpenedFile>
}

/** A folder behind HTTP, and what it is asked with. */
export interface FolderAddress {
  /** Address of the folder. As good as a password: it is never shown. */
  readonly folder: string
  /** Undefined where no password is sent. */
  readonly authorization: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** Basic authentication (RFC 7617); the user has no colon. */
export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`
}

const ending = '_aucde.parquet'

/** Name of the file of a day. */
export function tickFileName(day: string): string {
  return `${day}${ending}`
}

/** The day of a file's name; undefined for any other name than `YYYYMMDD_aucde.parquet` of a real date. */
export function dayOfTickFile(name: string): string | undefined {
  const day = dayOfFile(name)
  return day !== undefined && isDate(day) ? day : undefined
}

/** The address of the folder that a link names, with the slash that servers want at its end. */
export function folderAddress(link: string): string {
  const address = new URL(link)
  address.hash = ''
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/`
  return address.href
}

/** The address of a day's file in a folder; a query of the folder's address is kept. */
export function fileAddress(folder: string, day: string): string {
  const address = new URL(folder)
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/${tickFileName(day)}`
  return address.href
}

/** What to look at, by a status that says that there is no way in any more. */
const hints: Readonly<Record<number, Words>> = {
  401: sentence`: is its password right?`,
  403: sentence`: is its password right, and is it still open?`,
  404: sentence`: is the link right, and has it not ended?`,
  410: sentence`: it has ended`,
}

export function isEndedStatus(status: number): boolean {
  return status in hints
}

/** The link has ended, or its password is not taken any more: a new share may help. */
export class ShareEndedError extends QuotebookError {
  readonly status: number
  /** @param isElsewhere a redirect led to another origin, and the password stayed behind */
  constructor({ node, status }: { readonly node: string; readonly status: number }, isElsewhere = false) {
    const elsewhere = sentence`: it was led to by a redirect, and the password goes to no other address than that of the link`
    const why = isElsewhere ? elsewhere : (hints[status] ?? '')
    super('FILE', sentence`the share of auction ticks at ${node} answers ${status}${why}`)
    this.status = status
  }
}

/** The share is well, and has no file of the day. */
export class DayAbsentError extends QuotebookError {
  readonly day: string
  constructor(name: Words, day: string) {
    super('FILE', sentence`${name} has no file of ${day}`)
    this.day = day
  }
}

export function listingError(name: string, why: Words): QuotebookError {
  return new QuotebookError('FILE', sentence`the share of auction ticks at ${name} can not be listed: ${why}`)
}
