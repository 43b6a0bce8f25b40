import { isDate } from '../../../contract/date.js'
import { sentence } from '../../../contract/sentence.js'
import { dayOfTickFile, type ListedFile } from './file-share.js'

/** A resource that WebDAV lists: its href as the server writes it, and its properties by name. */
interface DavResource {
  href?: string
  isGood: boolean
  readonly props: Map<string, string>
}

/** Elements within each other, at most. */
const mostDepth = 64

function isGood(status: string): boolean {
  return /^HTTP\/\d(\.\d)? 2\d\d\b/.test(status)
}

/** The resources of a multistatus (RFC 4918, section 13) of which the server has good news. @throws Error saying why a text is none */
async function parseMultistatus(text: string): Promise<DavResource[]> {
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser({ xmlns: true })
  const fail = (why: string): never => {
    throw new Error(why)
  }
  const resources: DavResource[] = []
  const path: string[] = []
  let own: DavResource = { isGood: true, props: new Map() }
  /** Properties of the propstat that is open, and whether its status is good. */
  let [props, areGood, said] = [new Map<string, string>(), true, '']
  parser.on('error', (error) => fail(sentence`it is not XML: ${error.message.slice(0, 100)}`))
  parser.on('doctype', () => fail(sentence`it has a document type`))
  parser.on('opentag', ({ uri, local }) => {
    path.push(uri === 'DAV:' ? local : '?')
    if (path.length > mostDepth) fail(sentence`its elements lie too deep within each other`)
    if (path[0] !== 'multistatus') fail(sentence`it is no multistatus`)
    said = ''
  })
  for (const kind of ['text', 'cdata'] as const)
    parser.on(kind, (piece) => {
      said += piece
    })
  parser.on('closetag', () => {
    const [, response, ...below] = path
    const at = response === 'response' ? below.join('/') : '?'
    if (at === 'href') own.href ??= said.trim()
    else if (at === 'status') own.isGood = isGood(said.trim())
    else if (at === 'propstat/status') areGood = isGood(said.trim())
    else if (at === 'propstat/prop/resourcetype/collection') props.set('collection', '')
    else if (below.length === 3 && at.startsWith('propstat/prop/')) props.set(below[2] as string, said.trim())
    else if (at === 'propstat') {
      if (areGood) for (const [name, value] of props) own.props.set(name, value)
      ;[props, areGood] = [new Map(), true]
    } else if (at === '') {
      resources.push(own)
      own = { isGood: true, props: new Map() }
    }
    path.pop()
    said = ''
  })
  parser.write(text.replace(/^\ufeff/, '')).close()
  return resources.filter((one) => one.isGood)
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

interface Placed {
  readonly isFolder: boolean
  readonly folder: string | undefined
}

/** The folder that was asked for: the one above all others, which servers should list. */
function folderIn(resources: readonly Placed[]): string | undefined {
  const shortest = (some: readonly Placed[]): string | undefined =>
    some.flatMap(({ folder }) => folder ?? []).sort((one, other) => one.length - other.length)[0]
  const top = shortest(resources.filter(({ isFolder }) => isFolder))
  const holdsFiles = resources.some(({ isFolder, folder }) => !isFolder && folder === top)
  return top !== undefined && holdsFiles ? top : shortest(resources)
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
  const resources = (await parseMultistatus(text)).map(({ href = '', props }) => {
    const isFolder = props.has('collection')
    return { href, isFolder, folder: isFolder ? pathOf(href) : above(href), props }
  })
  const top = folderIn(resources)
  const files = new Map<string, ListedFile>()
  for (const { href, isFolder, folder = top, props } of resources) {
    const day = folder === top && !isFolder ? dayOfTickFile(nameIn(href)) : undefined
    if (day === undefined) continue
    const [length, etag, modified] = ['getcontentlength', 'getetag', 'getlastmodified'].map(
      (name) => props.get(name) || undefined,
    )
    const listed = { day, size: sizeOf(length), etag, modified }
    const known = files.get(day)
    if (known && !same(known, listed)) throw new Error(sentence`it lists the file of ${day} twice, and not alike`)
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
