import { isDate } from '../../../contract/date.js'
import { WordedError, worded } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { wordIn } from '../../source/reply/word-of-more.js'
import { dayOfTickFile, type ListedFile } from './file-share.js'

/** A listing, or a page of one. */
export interface ListedPage {
  readonly files: readonly ListedFile[]
  /** Entries, whatever their names. */
  readonly entries: number
  /** Target of a link in it that leads to the next page. */
  readonly next?: string | undefined
}

/** A resource that WebDAV lists: its href as the server writes it, and its properties by name. */
interface DavResource {
  href?: string
  status: number
  readonly props: Map<string, string>
}

/** Elements within each other, at most. */
const mostDepth = 64

function statusIn(text: string): number {
  return Number(/^HTTP\/\d(?:\.\d)? (\d{3})\b/.exec(text)?.[1] ?? 0)
}

/** The resources of a multistatus (RFC 4918, section 13), each with its status. @throws Error saying why a text is none */
async function parseMultistatus(text: string): Promise<DavResource[]> {
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser({ xmlns: true })
  const fail = (why: Words): never => {
    throw new WordedError(why)
  }
  const resources: DavResource[] = []
  const path: string[] = []
  let own: DavResource = { status: 200, props: new Map() }
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
    else if (at === 'status') own.status = statusIn(said.trim())
    else if (at === 'propstat/status') areGood = isGood(statusIn(said.trim()))
    else if (at === 'propstat/prop/resourcetype/collection') props.set('collection', '')
    else if (below.length === 3 && at.startsWith('propstat/prop/')) props.set(below[2] as string, said.trim())
    else if (at === 'propstat') {
      if (areGood) for (const [name, value] of props) own.props.set(name, value)
      ;[props, areGood] = [new Map(), true]
    } else if (at === '') {
      resources.push(own)
      own = { status: 200, props: new Map() }
    }
    path.pop()
    said = ''
  })
  parser.write(text.replace(/^\ufeff/, '')).close()
  return resources
}

function isGood(status: number): boolean {
  return status >= 200 && status < 300
}

/** A resource that is not there any more. */
const absent: readonly number[] = [404, 410]

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

/** Adds files to those of pages before. @throws Error where one is listed twice, and not alike */
export function addListed(known: Map<string, ListedFile>, files: readonly ListedFile[]): void {
  for (const file of files) {
    const other = known.get(file.day)
    if (other && !same(other, file))
      throw worded(Error, sentence`it lists the file of ${file.day} twice, and not alike`)
    known.set(file.day, file)
  }
}

function same(one: ListedFile, other: ListedFile): boolean {
  return one.size === other.size && one.etag === other.etag && one.modified === other.modified
}

/** Status of the folder itself where its listing was cut (RFC 5323 and 6578). */
const tooMany = 507

/**
 * The tick files that the answer to a PROPFIND of depth 1 lists. Nothing of an href counts but the name at
 * its end; folders, what lies in folders below, and other names do not count.
 * @throws Error saying why a text can not be read, or is not whole
 */
export async function parseWebdavListing(text: string): Promise<ListedPage> {
  const all = await parseMultistatus(text)
  const refused = all.find(({ href = '', status }) => {
    return status === tooMany || (!isGood(status) && !absent.includes(status) && dayOfTickFile(nameIn(href)))
  })
  if (refused?.status === tooMany) throw worded(Error, sentence`it was cut (status ${tooMany})`)
  if (refused) throw worded(Error, sentence`it lists ${nameIn(refused.href ?? '')} with the status ${refused.status}`)
  const resources = all
    .filter(({ status }) => isGood(status))
    .map(({ href = '', props }) => {
      const isFolder = props.has('collection')
      return { href, isFolder, folder: isFolder ? pathOf(href) : above(href), props }
    })
  const top = folderIn(resources)
  const files = resources.flatMap(({ href, isFolder, folder = top, props }): ListedFile[] => {
    const day = folder === top && !isFolder ? dayOfTickFile(nameIn(href)) : undefined
    if (day === undefined) return []
    const [length, etag, modified] = ['getcontentlength', 'getetag', 'getlastmodified'].map(
      (name) => props.get(name) || undefined,
    )
    return [{ day, size: sizeOf(length), etag, modified }]
  })
  const known = new Map<string, ListedFile>()
  addListed(known, files)
  return { files: [...known.values()], entries: resources.length }
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

/** The day of the file that a link of a page leads to, if it lies in the folder of the listing. */
function dayOfLink(href: string, page: URL, { origin, pathname }: URL): string | undefined {
  if (!hint.test(href)) return undefined
  try {
    const target = new URL(unescaped(href), page)
    const folder = pathname.slice(0, pathname.lastIndexOf('/') + 1)
    const last = target.pathname.lastIndexOf('/') + 1
    if (target.origin !== origin || target.pathname.slice(0, last) !== folder) return undefined
    return dayOfTickFile(decodeURIComponent(target.pathname.slice(last)))
  } catch {
    return undefined
  }
}

/** Days of names of the one form that the contract has, wherever in a text that has no links. */
function daysInText(text: string): string[] {
  return [...text.matchAll(name)].map(([, day = '']) => day).filter(isDate)
}

const isNext = /\srel\s{0,9}=\s{0,9}(?:"[^"]{0,99}?\bnext\b|'[^']{0,99}?\bnext\b|next\b)/i
/** An anchor that says where it leads: to the same page with another query, or nowhere that counts. */
const named =
  /<a\s([^<>]{0,2000})>\s{0,9}(?:<[^<>]{0,200}>\s{0,9}){0,3}(?:next(?: page)?|下一?页|后一页|下一頁)[\s›»>→]{0,9}</gi
const target = /\bhref\s{0,9}=\s{0,9}(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s"'<>]{1,2000}))/i

/** Where a page of HTML leads for the next one. */
function nextIn(text: string, page: URL): string | undefined {
  const hrefOf = (attributes: string): string => {
    const [, double, single, bare] = target.exec(attributes) ?? []
    return unescaped(double ?? single ?? bare ?? '')
  }
  const related = [...text.matchAll(/<(?:a|link)(\s[^<>]{0,2000})>/gi)].find(([, given = '']) => isNext.test(given))
  if (related) return hrefOf(related[1] ?? '')
  return [...text.matchAll(named)]
    .map(([, given = '']) => hrefOf(given))
    .find((href) => {
      const to = URL.canParse(href, page) ? new URL(href, page) : page
      return to.origin === page.origin && to.pathname === page.pathname && to.search !== page.search
    })
}

/** The word of a listing that is JSON or XML that there is more of it. */
function wordInText(text: string): Words | undefined {
  const xml = /<((?:\w{1,20}:)?IsTruncated)>\s{0,9}true\b/i.exec(text)
  if (xml) return sentence`${xml[1]} ${'true'}`
  if (!/^\s*\{/.test(text)) return undefined
  try {
    const said = JSON.parse(text) as Readonly<Record<string, unknown>>
    const lists = [said, ...Object.values(said)].flatMap((one) => Object.values(one ?? {})).filter(Array.isArray)
    return wordIn(said, Math.max(0, ...lists.map((list) => list.length)))
  } catch {
    return undefined
  }
}

/**
 * The tick files that the index page of a folder links to, or that a plain list names. Sizes and dates are rounded there, in
 * time zones that the page does not name: they are not taken.
 * @param address of the page
 * @param first address of the first page of the listing
 * @throws Error where it is a part of a listing, and does not lead to the next
 */
export function parseIndexPage(text: string, address: string, first = address): ListedPage {
  const page = new URL(address)
  const folder = new URL(first)
  const word = wordInText(text)
  if (word !== undefined) throw worded(Error, sentence`it was cut (${word})`)
  const links = [...text.matchAll(link)].map(([, double, single, bare]) => double ?? single ?? bare ?? '')
  const days = links.length > 0 ? links.flatMap((href) => dayOfLink(href, page, folder) ?? []) : daysInText(text)
  const files = [...new Set(days)].sort().map((day) => ({ day }))
  return { files, entries: Math.max(links.length, files.length), next: nextIn(text, page) }
}
