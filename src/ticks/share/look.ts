import { messageOf } from '../../contract/error.js'
import type { LinkedFiles } from '../../source/beside.js'
import { SourceError } from '../../source/error.js'
import type { HttpResponse } from '../../source/transport/http.js'
import { type FinalAnswer, followRedirects } from './follow.js'
import { parseIndexPage } from './index-page.js'
import { folderAddress } from './names.js'
import type { FolderAddress } from './place.js'
import type { ListedFile } from './share.js'
import { parseWebdavListing } from './webdav.js'

/** A listing, and the folder that it is of: that which redirects led to. */
export interface FolderListing {
  readonly listed: readonly ListedFile[]
  readonly place: FolderAddress
}

/** No listing. */
export interface FailedListing {
  readonly status: number
  readonly node: string
  /** `405 to PROPFIND`, after "it answers". */
  readonly said: string
  /** The password was not sent to who answered. */
  readonly isElsewhere: boolean
}

export type ListFolder = (
  beside: LinkedFiles,
  place: FolderAddress,
  signal?: AbortSignal,
) => Promise<FolderListing | FailedListing>

/** Bytes of a listing: a year of names with all that WebDAV says of each is a fiftieth of it. */
const listingBytes = 2 ** 24

function textOf({ bytes }: HttpResponse): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

type Asking =
  | FinalAnswer<HttpResponse>
  | { readonly unreadable: string; readonly node: string; readonly status: number }

async function ask(
  beside: LinkedFiles,
  { folder, headers, authorization }: FolderAddress,
  method: 'GET' | 'PROPFIND',
  signal: AbortSignal | undefined,
): Promise<Asking> {
  const depth: Readonly<Record<string, string>> = method === 'PROPFIND' ? { depth: '1' } : {}
  const asked = { address: folder, method, headers: { ...headers, ...depth }, authorization, signal }
  try {
    return await followRedirects((to, how) => beside.get(to, { ...how, maxBytes: listingBytes }), asked)
  } catch (error) {
    if (!(error instanceof SourceError) || error.code !== 'ENVELOPE') throw error
    // It speaks of rows, which there are none of.
    const unreadable = error.message.replace(/;.*$/, '')
    return { unreadable, node: error.node ?? new URL(folder).origin, status: error.status ?? 0 }
  }
}

function unseen(asking: Asking, place: FolderAddress, what: string): FailedListing {
  if ('unreadable' in asking) {
    const { node, status, unreadable } = asking
    return { node, status, said: `${what} in a way that can not be read (${unreadable})`, isElsewhere: false }
  }
  const { status, node } = asking.answer
  return { node, status, said: `${status} ${what}`, isElsewhere: asking.authorization !== place.authorization }
}

/** The folder by WebDAV. */
export const listByWebdav: ListFolder = async (beside, place, signal) => {
  const found = await ask(beside, place, 'PROPFIND', signal)
  if ('unreadable' in found || found.answer.status !== 207) return unseen(found, place, 'to PROPFIND')
  try {
    const listed = await parseWebdavListing(textOf(found.answer))
    if (listed.length === 0) return unseen(found, place, 'to PROPFIND without names of files')
    const { address, authorization } = found
    return { listed, place: { ...place, folder: folderAddress(address), authorization } }
  } catch (error) {
    return unseen(found, place, `to PROPFIND, which can not be read: ${messageOf(error)}`)
  }
}

/** The folder by its index page. */
export const listByIndexPage: ListFolder = async (beside, place, signal) => {
  const found = await ask(beside, place, 'GET', signal)
  if ('unreadable' in found || found.answer.status !== 200) return unseen(found, place, 'to GET')
  const { answer, address, authorization } = found
  const listed = parseIndexPage(textOf(answer), address)
  if (listed.length === 0) return unseen(found, place, 'with a page without names of files (a page to log in, perhaps)')
  const page = new URL(address)
  page.pathname = page.pathname.slice(0, page.pathname.lastIndexOf('/') + 1)
  return { listed, place: { ...place, folder: page.href, authorization } }
}
