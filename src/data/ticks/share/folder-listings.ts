import { isDate } from '../../../contract/date.js'
import { dayOfTickFile, type ListedFile } from './file-share.js'

/** A resource that WebDAV lists. */
interface DavResource {
  /** As the server writes it. */
  readonly href: string
  readonly isFolder: boolean
  readonly length: string | undefined
  readonly etag: string | undefined
  readonly modified: string | undefined
}

/** Bounds of a listing that is read: elements within each other, and characters of one text. */
const mostDepth = 64
const mostText = 8192

interface DavElement {
  /** Local name; '?' outside the namespace of WebDAV. */
  readonly name: string
  readonly children: DavElement[]
  text: string
}

/** The elements of a multistatus (RFC 4918, section 13). @throws Error saying why a text is none */
async function parseMultistatus(text: string): Promise<DavElement> {
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser({ xmlns: true })
  const root: DavElement = { name: '', children: [], text: '' }
  const open = [root]
  const fail = (why: string): never => {
    throw new Error(why)
  }
  const addText = (piece: string): void => {
    const element = open.at(-1) as DavElement
    // Text beside elements is white space.
    if (element.children.length > 0) return
    element.text += piece
    if (element.text.length > mostText) fail('it has a text that is too long')
  }
  parser.on('error', (error) => fail(`it is not XML: ${error.message.slice(0, 100)}`))
  parser.on('doctype', () => fail('it has a document type'))
  parser.on('opentag', ({ uri, local }) => {
    const element: DavElement = { name: uri === 'DAV:' ? local : '?', children: [], text: '' }
    if (open.length > mostDepth) fail('its elements lie too deep within each other')
    if (open.length === 1 && element.name !== 'multistatus') fail('it is no multistatus')
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => void open.pop())
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.write(text.replace(/^\ufeff/, '')).close()
  return root.children[0] as DavElement
}

function childrenOf({ children }: DavElement, name: string): DavElement[] {
  return children.filter((child) => child.name === name)
}

function isGood(element: DavElement): boolean {
  const status = childrenOf(element, 'status').at(-1)?.text.trim()
  return status === undefined || /^HTTP\/\d(\.\d)? 2\d\d\b/.test(status)
}

/** Undefined for a resource that the server has no good news of. */
function resourceOf(response: DavElement): DavResource | undefined {
  const href = childrenOf(response, 'href')[0]?.text.trim()
  if (href === undefined || !isGood(response)) return undefined
  const props = childrenOf(response, 'propstat')
    .filter(isGood)
    .flatMap((propstat) => childrenOf(propstat, 'prop').flatMap(({ children }) => children))
  const textOf = (name: string): string | undefined =>
    props
      .filter((prop) => prop.name === name)
      .at(-1)
      ?.text.trim() || undefined
  return {
    href,
    isFolder: props.some((prop) => prop.name === 'resourcetype' && childrenOf(prop, 'collection').length > 0),
    length: textOf('getcontentlength'),
    etag: textOf('getetag'),
    modified: textOf('getlastmodified'),
  }
}

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
  return Number.isSafeInteger(size) ? size : undefined
}

/** The folder that a file lies in; undefined for a bare name, and for what is no href. */
function above(href: string): string | undefined {
  return href.includes('/') ? pathOf(href.replace(/[^/]*$/, '')) : undefined
}

function shortest(paths: readonly (string | undefined)[]): string | undefined {
  return paths.filter((path) => path !== undefined).sort((one, other) => one.length - other.length)[0]
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
  const responses = childrenOf(await parseMultistatus(text), 'response')
  const resources = responses.flatMap((response) => resourceOf(response) ?? [])
  const folder = folderIn(resources)
  const files = new Map<string, ListedFile>()
  for (const { href, isFolder, length, etag, modified } of resources) {
    const isHere = !href.includes('/') || above(href) === folder
    const day = isHere && !isFolder ? dayOfTickFile(nameIn(href)) : undefined
    if (day === undefined) continue
    const listed = { day, size: sizeOf(length), etag, modified }
    const known = files.get(day)
    if (known && !same(known, listed)) throw new Error(`it lists the file of ${day} twice, and not alike`)
    files.set(day, listed)
  }
  return [...files.values()].sort((one, other) => (one.day < other.day ? -1 : 1))
}

/** Bounded, so that no page is slow to read. */
const link = /<a\s[^<>]{0,1000}?\bhref\s{0,9}=\s{0,9}(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s"'<>]{1,2000}))/gi
const name = /(?<![\w.%-])(\d{8})_aucde\.parquet(?![\w.%-])/g

/** References that an address in a page has use for. */
function unescaped(text: string): string {
  return text
    .replace(/&#(\d{1,7});/g, (_, code) => safeCharacter(Number(code)))
    .replace(/&#x([\da-f]{1,6});/gi, (_, code) => safeCharacter(Number.parseInt(code, 16)))
    .replaceAll('&amp;', '&')
}

function safeCharacter(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

/** What a link to one of our files has in it, however it is written. */
const hint = /aucde|[%&]/

/** The day of the file that a link of a page leads to, if it lies in the folder of the page. */
function dayOfLink(href: string, page: URL): string | undefined {
  if (!hint.test(href)) return undefined
  try {
    const target = new URL(unescaped(href), page)
    const folder = page.pathname.slice(0, page.pathname.lastIndexOf('/') + 1)
    const last = target.pathname.lastIndexOf('/') + 1
    if (target.origin !== page.origin || target.pathname.slice(0, last) !== folder) return undefined
    return dayOfTickFile(decodeURIComponent(target.pathname.slice(last)))
  } catch {
    return undefined
  }
}

/** Days of names of the one form that the contract has, wherever in a text that has no links. */
function daysInText(text: string): string[] {
  return [...text.matchAll(name)].map(([, day = '']) => day).filter(isDate)
}

/**
 * The tick files that the index page of a folder links to, or that a plain list names, ascending by day. Sizes and dates are
 * rounded there, in time zones that the page does not name: they are not taken.
 * @param address of the page
 */
export function parseIndexPage(text: string, address: string): readonly ListedFile[] {
  const page = new URL(address)
  const links = [...text.matchAll(link)].map(([, double, single, bare]) => double ?? single ?? bare ?? '')
  const days = links.length > 0 ? links.flatMap((href) => dayOfLink(href, page) ?? []) : daysInText(text)
  return [...new Set(days)].sort().map((day) => ({ day }))
}
