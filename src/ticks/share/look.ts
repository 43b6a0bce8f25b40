import { messageOf } from '../../contract/error.js'
import type { Beside } from '../../source/beside.js'
import { SourceError } from '../../source/error.js'
import type { Answer } from '../../source/transport/http.js'
import { type Found, follow } from './follow.js'
import { listedOn } from './index-page.js'
import { folderOf } from './names.js'
import type { Place } from './place.js'
import type { Listed } from './share.js'
import { listedIn } from './webdav.js'

/** A listing, and the folder that it is of: that which redirects led to. */
export interface Seen {
  readonly listed: readonly Listed[]
  readonly place: Place
}

/** No listing. */
export interface Unseen {
  readonly status: number
  readonly node: string
  /** `405 to PROPFIND`, after "it answers". */
  readonly said: string
  /** The password was not sent to who answered. */
  readonly isElsewhere: boolean
}

export type Look = (beside: Beside, place: Place, signal?: AbortSignal) => Promise<Seen | Unseen>

/** Bytes of a listing: a year of names with all that WebDAV says of each is a fiftieth of it. */
const listingBytes = 2 ** 24

function textOf({ bytes }: Answer): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

type Asking = Found<Answer> | { readonly unreadable: string; readonly node: string; readonly status: number }

async function ask(
  beside: Beside,
  { folder, headers, authorization }: Place,
  method: 'GET' | 'PROPFIND',
  signal: AbortSignal | undefined,
): Promise<Asking> {
  const depth: Readonly<Record<string, string>> = method === 'PROPFIND' ? { depth: '1' } : {}
  const asked = { address: folder, method, headers: { ...headers, ...depth }, authorization, signal }
  try {
    return await follow((to, how) => beside.get(to, { ...how, maxBytes: listingBytes }), asked)
  } catch (error) {
    if (!(error instanceof SourceError) || error.code !== 'ENVELOPE') throw error
    // It speaks of rows, which there are none of.
    const unreadable = error.message.replace(/;.*$/, '')
    return { unreadable, node: error.node ?? new URL(folder).origin, status: error.status ?? 0 }
  }
}

function unseen(asking: Asking, place: Place, what: string): Unseen {
  if ('unreadable' in asking) {
    const { node, status, unreadable } = asking
    return { node, status, said: `${what} in a way that can not be read (${unreadable})`, isElsewhere: false }
  }
  const { status, node } = asking.answer
  return { node, status, said: `${status} ${what}`, isElsewhere: asking.authorization !== place.authorization }
}

/** The folder by WebDAV. */
export const byWebdav: Look = async (beside, place, signal) => {
  const found = await ask(beside, place, 'PROPFIND', signal)
  if ('unreadable' in found || found.answer.status !== 207) return unseen(found, place, 'to PROPFIND')
  try {
    const listed = await listedIn(textOf(found.answer))
    if (listed.length === 0) return unseen(found, place, 'to PROPFIND without names of files')
    const { address, authorization } = found
    return { listed, place: { ...place, folder: folderOf(address), authorization } }
  } catch (error) {
    return unseen(found, place, `to PROPFIND, which can not be read: ${messageOf(error)}`)
  }
}

/** The folder by its index page. */
export const byPage: Look = async (beside, place, signal) => {
  const found = await ask(beside, place, 'GET', signal)
  if ('unreadable' in found || found.answer.status !== 200) return unseen(found, place, 'to GET')
  const { answer, address, authorization } = found
  const listed = listedOn(textOf(answer), address)
  if (listed.length === 0) return unseen(found, place, 'with a page without names of files (a page to log in, perhaps)')
  const page = new URL(address)
  page.pathname = page.pathname.slice(0, page.pathname.lastIndexOf('/') + 1)
  return { listed, place: { ...place, folder: page.href, authorization } }
}
