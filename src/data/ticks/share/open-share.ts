import { fileURLToPath } from 'node:url'
import { QuotebookError } from '../../../contract/error.js'
import { sentence, type Words } from '../../../contract/sentence.js'
import { type LinkedFiles, openLinks } from '../../source/linked-files.js'
import { basicAuthorization, type FolderAddress, folderAddress, type TickShare } from './file-share.js'
import { httpShare, type ShareRoute } from './http-folder.js'
import { byIndexPage, byWebdav, type Listing } from './list-folder.js'
import { folderShare } from './local-share.js'
import { type ShareKind, shareKinds } from './share-kinds.js'

export interface ShareLinkOptions {
  /** A credential. None is sent when absent or empty. */
  readonly password?: string | undefined
  /** User that the password is sent with (default: 'quotebook'). A Nextcloud link has its own. */
  readonly user?: string | undefined
  /** What is behind the link; without it the link decides. */
  readonly kind?: ShareKind | undefined
  /** Sends the requests (default: connections of its own). */
  readonly links?: LinkedFiles | undefined
}

function refuse(why: Words): never {
  throw new QuotebookError('USAGE', sentence`the link of the share ${why}`)
}

/** The link as an address; undefined for a path. @throws QuotebookError USAGE; it never quotes the link */
function addressOf(link: string): URL | undefined {
  if (/^\W+https?:/i.test(link)) return refuse(sentence`begins with something else than https:// or http://`)
  if (!/^(https?:|file:|[a-z][a-z0-9+.-]*:\/\/)/i.test(link)) return undefined
  if (!URL.canParse(link)) return refuse(sentence`can not be read`)
  const url = new URL(link)
  if (url.username !== '' || url.password !== '')
    return refuse(sentence`holds a user or password: give them apart from it`)
  if (!/^(https?|file):$/.test(url.protocol))
    return refuse(sentence`begins with ${url.protocol}, not https:, http: or file:`)
  return url
}

/** The folder of this machine that a link names; undefined for an address of the web. @throws as `openShare` does */
export function localFolder(link: string): string | undefined {
  const url = addressOf(link)
  if (!url) return link
  if (url.protocol !== 'file:') return undefined
  try {
    return fileURLToPath(url)
  } catch {
    return refuse(sentence`names no folder of this machine`)
  }
}

function plainRoutes(
  link: string,
  { user = 'quotebook', password = '' }: ShareLinkOptions,
  listings: readonly Listing[],
): ShareRoute[] {
  if (user.includes(':')) refuse(sentence`can not have a user with a colon`)
  const authorization = password === '' ? undefined : basicAuthorization(user, password)
  const place: FolderAddress = { folder: folderAddress(link), authorization, headers: {} }
  return listings.map((listing) => ({ place, listing }))
}

function webShare(link: string, options: ShareLinkOptions, links: LinkedFiles): TickShare {
  const { kind, password = '' } = options
  const name = new URL(link).origin
  const listings = { webdav: [byWebdav], index: [byIndexPage], nextcloud: [], folder: [] }
  const plain = plainRoutes(link, options, kind ? listings[kind] : [byWebdav, byIndexPage])
  const found = kind === 'webdav' || kind === 'index' ? undefined : parsePublicLink(link)
  if (!found && kind === 'nextcloud') refuse(sentence`is none of Nextcloud: those look like https://host/s/TOKEN`)
  const routes = found ? [...nextcloudRoutes(found, password), ...plain] : plain
  return httpShare(links, name, routes, found === undefined)
}

/**
 * The share behind a link: a public link of Nextcloud or ownCloud, a folder by WebDAV or its index page, a folder of this
 * machine (a path, or `file:`). Nothing is asked before it is used.
 * @throws QuotebookError USAGE for a link that is none, or holds a user or password; it never quotes the link
 */
export function openShare(link: string, options: ShareLinkOptions = {}): TickShare & { close(): Promise<void> } {
  const { kind, links } = options
  if (kind !== undefined && !shareKinds.includes(kind))
    refuse(sentence`can not be of kind ${JSON.stringify(kind)}; there are ${shareKinds.join(', ')}`)
  if (link === '') refuse(sentence`is empty`)
  const folder = localFolder(link)
  if (folder !== undefined) {
    if (kind !== undefined && kind !== 'folder') refuse(sentence`of kind '${kind}' must begin with https:// or http://`)
    return { ...folderShare(folder), close: async () => {} }
  }
  if (kind === 'folder') refuse(sentence`of kind 'folder' must be a path or begin with file:`)
  const own = links ? undefined : openLinks()
  return { ...webShare(link, options, (links ?? own) as LinkedFiles), close: async () => own?.close() }
}

/** A public link of Nextcloud or ownCloud. */
interface PublicLink {
  /** Address of the installation, without a slash at its end. */
  readonly base: string
  readonly token: string
  /** Folder within the share, encoded, with a slash at its end; '' for the share itself. */
  readonly inside: string
}

const path = /^(.*?)(?:\/index\.php)?\/s\/([A-Za-z0-9_-]{1,200})(?:\/.*)?$/

function insideOf(text: string | null): string {
  const parts = (text ?? '').split('/').filter((part) => part !== '' && part !== '.' && part !== '..')
  return parts.map((part) => `${encodeURIComponent(part)}/`).join('')
}

/** What a link of the form `https://host[/sub][/index.php]/s/TOKEN` names; undefined for any other. */
export function parsePublicLink(link: string): PublicLink | undefined {
  const { origin, pathname, searchParams } = new URL(link)
  const [, below = '', token] = path.exec(pathname) ?? []
  if (token === undefined) return undefined
  return { base: `${origin}${below}`, token, inside: insideOf(searchParams.get('dir') ?? searchParams.get('path')) }
}

/** Where servers are set not to share with others, they answer what looks like their own page only. */
const headers = { 'x-requested-with': 'XMLHttpRequest' }

/**
 * The routes to the files of a public link, all of them WebDAV: by the token as user (ownCloud, every Nextcloud), by the token
 * in the path (Nextcloud from 29 on), and that of ownCloud Infinite Scale.
 */
function nextcloudRoutes({ base, token, inside }: PublicLink, password: string): readonly ShareRoute[] {
  const authorizationOf = (user: string): string | undefined =>
    password === '' ? undefined : basicAuthorization(user, password)
  const route = (folder: string, authorization: string | undefined): ShareRoute => ({
    place: { folder: `${base}/${folder}/${inside}`, authorization, headers },
    listing: byWebdav,
    isStrict: true,
  })
  return [
    route('public.php/webdav', basicAuthorization(token, password)),
    route(`public.php/dav/files/${token}`, authorizationOf('anonymous')),
    route(`remote.php/dav/public-files/${token}`, authorizationOf('public')),
  ]
}
