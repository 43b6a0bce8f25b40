import type { TickEntry } from '../../archive/manifest.js'
import { escaped } from '../../show/escaped.js'
import type { FileVerifier } from './file-verifier.js'
import { dav, type PropertyName, type Propfind } from './propfind.js'
import type { DayRange } from './share-link.js'

/** What is listed: the folder, or a file of it. */
export interface ShareResource {
  /** Path from the root of the server, as a URL has it. */
  readonly href: string
  readonly name: string
  /** Milliseconds since 1970; undefined for an empty folder. */
  readonly modified: number | undefined
  /** Undefined for a folder. */
  readonly file: { readonly size: number; readonly etag: string } | undefined
}

export const fileType = 'application/vnd.apache.parquet'

/** A time in milliseconds since 1970 as HTTP writes it. */
export function httpDate(time: number): string {
  return new Date(time).toUTCString()
}

/** The properties of a resource in the namespace of DAV, as XML. */
function propertiesOf({ name, modified, file }: ShareResource): ReadonlyMap<string, string> {
  const of = new Map([
    ['displayname', escaped(name)],
    ['resourcetype', file ? '' : '<D:collection/>'],
  ])
  if (modified !== undefined) of.set('getlastmodified', httpDate(modified))
  if (!file) return of
  of.set('getcontentlength', String(file.size))
  of.set('getcontenttype', fileType)
  return of.set('getetag', escaped(file.etag))
}

function element(name: string, content: string): string {
  return content === '' ? `<D:${name}/>` : `<D:${name}>${content}</D:${name}>`
}

function absent({ space, name }: PropertyName): string {
  if (space === dav) return `<D:${name}/>`
  return space === '' ? `<${name} xmlns=""/>` : `<x:${name} xmlns:x="${escaped(space)}"/>`
}

function propstat(properties: string, status: string): string {
  return `<D:propstat><D:prop>${properties}</D:prop><D:status>HTTP/1.1 ${status}</D:status></D:propstat>`
}

function propstats(resource: ShareResource, asked: Propfind): string {
  const of = propertiesOf(resource)
  if ('all' in asked) {
    const values = asked.all === 'values'
    return propstat([...of].map(([name, content]) => element(name, values ? content : '')).join(''), '200 OK')
  }
  const isThere = ({ space, name }: PropertyName): boolean => space === dav && of.has(name)
  const found = asked.some.filter(isThere).map(({ name }) => element(name, of.get(name) as string))
  const missing = asked.some.filter((property) => !isThere(property)).map(absent)
  const good = found.length > 0 || missing.length === 0 ? propstat(found.join(''), '200 OK') : ''
  return good + (missing.length === 0 ? '' : propstat(missing.join(''), '404 Not Found'))
}

/** The body of a 207 answer to a PROPFIND (RFC 4918, section 9.1). */
export function multistatus(resources: readonly ShareResource[], asked: Propfind): string {
  const responses = resources.map(
    (resource) => `<D:response><D:href>${escaped(resource.href)}</D:href>${propstats(resource, asked)}</D:response>\n`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus xmlns:D="DAV:">\n${responses.join('')}</D:multistatus>\n`
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const
const nameWidth = 51
const sizeWidth = 20

/** `29-Jul-2026 08:15`, UTC, as nginx writes it. */
function when(time: number): string {
  const text = new Date(time).toISOString()
  return `${text.slice(8, 10)}-${months[Number(text.slice(5, 7)) - 1]}-${text.slice(0, 4)} ${text.slice(11, 16)}`
}

function line({ name, modified = 0, file }: ShareResource): string {
  const gap = ' '.repeat(Math.max(1, nameWidth - name.length))
  const size = String(file?.size ?? '-').padStart(sizeWidth)
  return `<a href="${escaped(encodeURIComponent(name))}">${escaped(name)}</a>${gap}${when(modified)}${size}\n`
}

/** A folder as a page, in the form of nginx's directory index: a line per file with date (UTC) and bytes. */
export function indexPage(title: string, files: readonly ShareResource[]): string {
  const heading = `Index of ${escaped(title)}`
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${heading}</title></head>
<body>
<h1>${heading}</h1><hr><pre>${files.map(line).join('')}</pre><hr>
</body>
</html>
`
}

/** The name under which a file is shared. */
export function sharedName({ day }: TickEntry): string {
  return `${day}_aucde.parquet`
}

/** The tick files of some days, by date as the manifest has them. */
export function filesIn(ticks: readonly TickEntry[], { from, to }: DayRange): readonly TickEntry[] {
  return ticks.filter(({ day }) => day >= from && day <= to)
}

/** The files of a share, by date. */
export type FolderListing =
  | { readonly entries: readonly TickEntry[]; readonly files: readonly ShareResource[] }
  /** Seconds after which every file should be known. */
  | { readonly retryAfter: number }

/**
 * The files of some days that are what the manifest says. While one is not known there is no listing at all: who mirrors a
 * folder would take a part of it for the whole.
 */
export async function listFolder(
  ticks: readonly TickEntry[],
  window: DayRange,
  href: string,
  verifier: FileVerifier,
  patience: number,
): Promise<FolderListing> {
  const entries = filesIn(ticks, window)
  const standings = await verifier.verify(entries, patience)
  if (entries.some((entry) => standings.get(entry) === 'unknown')) return { retryAfter: verifier.remaining() }
  const sound = entries.filter((entry) => standings.get(entry) === 'sound')
  return { entries: sound, files: sound.map((entry) => fileResource(entry, href, verifier)) }
}

/** A sound file under the address of its folder. */
export function fileResource(entry: TickEntry, href: string, verifier: FileVerifier): ShareResource {
  const name = sharedName(entry)
  const file = { size: entry.bytes, etag: `"${entry.sha256}"` }
  return { href: href + name, name, modified: verifier.modified(entry), file }
}

/** The folder itself; it is named after the year. */
export function folderResource({ from }: DayRange, href: string, files: readonly ShareResource[]): ShareResource {
  const dates = files.flatMap(({ modified }) => modified ?? [])
  const modified = dates.length === 0 ? undefined : Math.max(...dates)
  return { href, name: from.slice(0, 4), modified, file: undefined }
}
