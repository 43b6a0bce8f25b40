import { escaped } from '../../show/escaped.js'
import { dav, type PropertyName, type Propfind } from './propfind.js'

/** What is listed: the folder, or a file of it. */
export interface Resource {
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
function propertiesOf({ name, modified, file }: Resource): ReadonlyMap<string, string> {
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

function propstats(resource: Resource, asked: Propfind): string {
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
export function multistatus(resources: readonly Resource[], asked: Propfind): string {
  const responses = resources.map(
    (resource) => `<D:response><D:href>${escaped(resource.href)}</D:href>${propstats(resource, asked)}</D:response>\n`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus xmlns:D="DAV:">\n${responses.join('')}</D:multistatus>\n`
}
