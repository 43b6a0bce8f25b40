import type { SaxesTagNS } from 'saxes'

/** A resource that WebDAV tells of. */
export interface DavResource {
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
export async function parseMultistatus(text: string): Promise<DavResource[]> {
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
