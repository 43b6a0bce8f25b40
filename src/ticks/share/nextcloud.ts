import type { ShareRoute } from './http-share.js'
import { listByWebdav } from './look.js'
import { basicAuthorization } from './place.js'

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
 * The ways to the files of a public link, all of them WebDAV: by the token as user (ownCloud, every Nextcloud), by the token
 * in the path (Nextcloud from 29 on), and that of ownCloud Infinite Scale.
 */
export function nextcloudRoutes({ base, token, inside }: PublicLink, password: string): readonly ShareRoute[] {
  const authorizationOf = (user: string): string | undefined =>
    password === '' ? undefined : basicAuthorization(user, password)
  const way = (folder: string, authorization: string | undefined): ShareRoute => ({
    place: { folder: `${base}/${folder}/${inside}`, authorization, headers },
    look: listByWebdav,
    isStrict: true,
  })
  return [
    way('public.php/webdav', basicAuthorization(token, password)),
    way(`public.php/dav/files/${token}`, authorizationOf('anonymous')),
    way(`remote.php/dav/public-files/${token}`, authorizationOf('public')),
  ]
}
