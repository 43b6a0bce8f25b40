import type { SaxesTagNS } from 'saxes'
import { isDate } from '../../contract/date.js'
import { dayOfTickFile, type ListedFile } from './tick-share.js'

/** A resource that WebDAV tells of. */
interface DavResource {
  /** As the server writes it. */
  readonly href: string
  readonly isFolder: boolean
  readonly length: string | undefined
  readonly etag: string | undefined
  readonly modified: string | undefined
}

const dav = 'DAV:'
/** Elements within each other, and characters of one text, that a listing has use for. */
const deepest = 64
const longest = 8192

/** What is being read of a response. */
interface Open {
  href: string | undefined
  status: string | undefined
  isFolder: boolean
  readonly props: Map<string, string>
}

interface OpenPropstat {
  status: string | undefined
  isFolder: boolean
  readonly props: Map<string, string>
}

const isGood = (status: string | undefined): boolean => status === undefined || /^HTTP\/\d(\.\d)? 2\d\d\b/.test(status)

const wanted: readonly string[] = ['getcontentlength', 'getetag', 'getlastmodified']
const inResponse = 'multistatus/response'
const inPropstat = `${inResponse}/propstat`

function resourceOf({ href, status, isFolder, props }: Open): DavResource | undefined {
  if (href === undefined || !isGood(status)) return undefined
  const textOf = (name: string): string | undefined => props.get(name) || undefined
  const [length, etag, modified] = [textOf('getcontentlength'), textOf('getetag'), textOf('getlastmodified')]
  return { href, isFolder, length, etag, modified }
}

/**
 * The resources of a multistatus (RFC 4918, section 13) that the server has good news of. Other elements are passed over.
 * @throws Error saying why a text is none
 */
async function parseMultistatus(text: string): Promise<DavResource[]> {
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser({ xmlns: true })
  const found: DavResource[] = []
  const path: string[] = []
  let response: Open | undefined
  let propstat: OpenPropstat | undefined
  let words: string | undefined
  const fail = (why: string): never => {
    throw new Error(why)
  }
  const nameOf = ({ uri, local }: SaxesTagNS): string => (uri === dav ? local : '?')

  const begin = (tag: SaxesTagNS): void => {
    path.push(nameOf(tag))
    if (path.length > deepest) fail('its elements lie too deep within each other')
    const where = path.join('/')
    if (path.length === 1 && where !== 'multistatus') fail('it is no multistatus')
    if (where === inResponse) response = { href: undefined, status: undefined, isFolder: false, props: new Map() }
    if (where === inPropstat) propstat = { status: undefined, isFolder: false, props: new Map() }
    if (where === `${inPropstat}/prop/resourcetype/collection` && propstat) propstat.isFolder = true
    words = ''
  }

  const endPropstat = (): void => {
    if (!response || !propstat || !isGood(propstat.status)) return
    for (const [name, value] of propstat.props) response.props.set(name, value)
    response.isFolder ||= propstat.isFolder
  }

  const end = (): void => {
    const where = path.join('/')
    const value = (words ?? '').trim()
    const name = path.pop() as string
    words = undefined
    if (where === `${inResponse}/href` && response) response.href ??= value
    else if (where === `${inResponse}/status` && response) response.status = value
    else if (where === `${inPropstat}/status` && propstat) propstat.status = value
    else if (where === `${inPropstat}/prop/${name}` && wanted.includes(name)) propstat?.props.set(name, value)
    else if (where === inPropstat) {
      endPropstat()
      propstat = undefined
    } else if (where === inResponse) {
      const resource = response && resourceOf(response)
      if (resource) found.push(resource)
      response = undefined
    }
  }

  const take = (piece: string): void => {
    if (words === undefined) return
    words += piece
    if (words.length > longest) fail('it has a text that is too long')
  }

  parser.on('error', (error) => fail(`it is not XML: ${error.message.slice(0, 100)}`))
  parser.on('doctype', () => fail('it has a document type'))
  parser.on('opentag', begin)
  parser.on('closetag', end)
  parser.on('text', take)
  parser.on('cdata', take)
  parser.write(text.replace(/^\ufeff/, '')).close()
  return found
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
 * rounded there, in zones that nobody tells: they are not taken.
 * @param address of the page
 */
export function parseIndexPage(text: string, address: string): readonly ListedFile[] {
  const page = new URL(address)
  const links = [...text.matchAll(link)].map(([, double, single, bare]) => double ?? single ?? bare ?? '')
  const days = links.length > 0 ? links.flatMap((href) => dayOfLink(href, page) ?? []) : daysInText(text)
  return [...new Set(days)].sort().map((day) => ({ day }))
}
