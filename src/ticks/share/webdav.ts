import { type DavResource, parseMultistatus } from './multistatus.js'
import { dayOfTickFile } from './names.js'
import type { ListedFile } from './share.js'

/** Path of an href, decoded, without a slash at its end; undefined for what is none. */
function pathOf(href: string): string | undefined {
  try {
    const { pathname } = new URL(href, 'http://folder.invalid/')
    return decodeURIComponent(pathname).replace(/\/+$/, '')
  } catch {
    return undefined
  }
}

/** Name of the file that an href ends with, decoded once; a separator in it is no name of ours. */
function nameIn(href: string): string {
  const last = href.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return ''
  }
}

function sizeOf(length: string | undefined): number | undefined {
  const size = /^\d{1,16}$/.test(length ?? '') ? Number(length) : undefined
  return size !== undefined && Number.isSafeInteger(size) ? size : undefined
}

function listedOf(day: string, { length, etag, modified }: DavResource): ListedFile {
  const size = sizeOf(length)
  return {
    day,
    ...(size === undefined ? {} : { size }),
    ...(etag === undefined ? {} : { etag }),
    ...(modified === undefined ? {} : { modified }),
  }
}

/** The folder that a file lies in; undefined for a bare name, and for what is no href. */
function above(href: string): string | undefined {
  return href.includes('/') ? pathOf(href.replace(/[^/]*$/, '')) : undefined
}

function shortest(paths: readonly (string | undefined)[]): string | undefined {
  const known = paths.filter((path) => path !== undefined)
  return known.reduce<string | undefined>(
    (top, path) => (path.length < (top ?? path).length ? path : (top ?? path)),
    undefined,
  )
}

/** The folder that was asked for, among what is listed: the one above all others, which servers should list. */
function folderIn(resources: readonly DavResource[]): string | undefined {
  const top = shortest(resources.map(({ href, isFolder }) => (isFolder ? pathOf(href) : undefined)))
  const parents = resources.map(({ href, isFolder }) => (isFolder ? undefined : above(href)))
  return top !== undefined && parents.includes(top) ? top : shortest([top, ...parents])
}

function same(one: ListedFile, other: ListedFile): boolean {
  return one.size === other.size && one.etag === other.etag && one.modified === other.modified
}

/**
 * The tick files that the answer to a PROPFIND of depth 1 lists, ascending by day. Nothing of an href counts but the name at
 * its end; folders, what lies in folders below, and other names do not count.
 * @throws Error saying why a text can not be read
 */
export async function parseWebdavListing(text: string): Promise<readonly ListedFile[]> {
  const resources = await parseMultistatus(text)
  const folder = folderIn(resources)
  const files = new Map<string, ListedFile>()
  for (const resource of resources) {
    const { href, isFolder } = resource
    const isHere = !href.includes('/') || above(href) === folder
    const day = isHere && !isFolder ? dayOfTickFile(nameIn(href)) : undefined
    if (day === undefined) continue
    const listed = listedOf(day, resource)
    const known = files.get(day)
    if (known && !same(known, listed)) throw new Error(`it lists the file of ${day} twice, and not alike`)
    files.set(day, listed)
  }
  return [...files.values()].sort((one, other) => (one.day < other.day ? -1 : 1))
}
