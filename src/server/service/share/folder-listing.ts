import type { TickEntry } from '../../../data/archive/manifest-entries.js'
import { escapeHtml } from '../../../frame/show/cell-text.js'
import type { FileVerifier } from './file-verifier.js'
import type { ShareDays } from './signed-link.js'

/** The name under which a file is shared. */
export function sharedName({ day }: TickEntry): string {
  return `${day}_aucde.parquet`
}

/** The tick files of some days, by date as the manifest has them. */
export function filesIn(ticks: readonly TickEntry[], { from, to }: ShareDays): readonly TickEntry[] {
  return ticks.filter(({ day }) => day >= from && day <= to)
}

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

/** A valid file under the address of its folder. */
export function fileResource(entry: TickEntry, href: string, verifier: FileVerifier): ShareResource {
  const name = sharedName(entry)
  const file = { size: entry.bytes, etag: `"${entry.sha256}"` }
  return { href: href + name, name, modified: verifier.modified(entry), file }
}

/** The folder itself; it is named after the year. */
export function folderResource({ from }: ShareDays, href: string, files: readonly ShareResource[]): ShareResource {
  const dates = files.flatMap(({ modified }) => modified ?? [])
  const modified = dates.length === 0 ? undefined : Math.max(...dates)
  return { href, name: from.slice(0, 4), modified, file: undefined }
}

/**
 * The files of some days that are what the manifest says, by date. While one is not verified there is no listing at all
 * (undefined): who mirrors a folder would take a part of it for the whole.
 */
export async function listFolder(
  ticks: readonly TickEntry[],
  days: ShareDays,
  verifier: FileVerifier,
  patience: number,
): Promise<readonly TickEntry[] | undefined> {
  const all = filesIn(ticks, days)
  const states = await verifier.verify(all, patience)
  if (all.some((entry) => states.get(entry) === 'unverified')) return undefined
  return all.filter((entry) => states.get(entry) === 'valid')
}

export const fileType = 'application/vnd.apache.parquet'

/** A time in milliseconds since 1970 as HTTP writes it. */
export function httpDate(time: number): string {
  return new Date(time).toUTCString()
}

function davResponse({ href, name, modified, file }: ShareResource): string {
  const properties = {
    displayname: escapeHtml(name),
    resourcetype: file ? '' : '<D:collection/>',
    getlastmodified: modified === undefined ? undefined : httpDate(modified),
    getcontentlength: file && String(file.size),
    getcontenttype: file && fileType,
    getetag: file && escapeHtml(file.etag),
  }
  const all = Object.entries(properties).map(([key, text]) =>
    text === undefined ? '' : `<D:${key}>${text}</D:${key}>`,
  )
  const found = `<D:propstat><D:prop>${all.join('')}</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>`
  return `<D:response><D:href>${escapeHtml(href)}</D:href>${found}</D:response>\n`
}

/** The body of a 207 answer to a PROPFIND (RFC 4918, section 9.1): all that is known of each resource, whatever was asked for. */
export function multistatus(resources: readonly ShareResource[]): string {
  const responses = resources.map(davResponse).join('')
  return `<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus xmlns:D="DAV:">\n${responses}</D:multistatus>\n`
}

const [nameWidth, sizeWidth] = [51, 20]

/** A file as nginx lists it, with its time in UTC: `29-Jul-2026 08:15`. */
function indexLine({ name, modified = 0, file }: ShareResource): string {
  const [, day, month, year, time = ''] = httpDate(modified).split(' ')
  const date = `${day}-${month}-${year} ${time.slice(0, 5)}`
  const gap = ' '.repeat(Math.max(1, nameWidth - name.length))
  const size = String(file?.size ?? '-').padStart(sizeWidth)
  return `<a href="${escapeHtml(encodeURIComponent(name))}">${escapeHtml(name)}</a>${gap}${date}${size}\n`
}

/** A folder as a page, in the form of nginx's directory index: a line per file with date (UTC) and bytes. */
export function indexPage(title: string, files: readonly ShareResource[]): string {
  const heading = `Index of ${escapeHtml(title)}`
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${heading}</title></head>
<body>
<h1>${heading}</h1><hr><pre>${files.map(indexLine).join('')}</pre><hr>
</body>
</html>
`
}
