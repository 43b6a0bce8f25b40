import { QuotebookError } from '../../contract/error.js'

function refuse(what: string): never {
  throw new QuotebookError(
    'USAGE',
    `node address ${what}; an address looks like https://host or https://host:8443/path`,
  )
}

function parsed(text: string): URL {
  try {
    return new URL(text)
  } catch {
    // A text that is no address may still hold a password or a key, or be one.
    return refuse(/[@?#]|^[^./:]+$/.test(text) ? 'can not be read' : `${JSON.stringify(text)} can not be read`)
  }
}

/**
 * The base address of a node as it is compared and shown: no slash at the end, no `/api`, which is added where it is used.
 * @throws QuotebookError USAGE for anything but http and https, a user or password, a query or fragment
 */
export function checkNodeAddress(text: string): string {
  const url = parsed(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') refuse(`begins with ${url.protocol}, not http: or https:`)
  if (url.username !== '' || url.password !== '') refuse(`of ${url.host} holds a user or password: leave them out`)
  if (url.search !== '' || url.hash !== '') refuse(`of ${url.host} goes on after ? or #: leave that out`)
  const path = url.pathname.replace(/\/+$/, '').replace(/\/api$/, '')
  return url.origin + path.replace(/\/+$/, '')
}

/** Where a request to a node goes. */
export interface ApiTarget {
  readonly origin: string
  readonly path: string
  /** The node is on this machine, where compressing costs more than it saves. */
  readonly isLocal: boolean
}

/** The target below a base address (see `checkNode`). */
export function apiTarget(node: string): ApiTarget {
  const url = new URL(`${node}/api`)
  const isLocal = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  return { origin: url.origin, path: url.pathname, isLocal }
}

/**
 * Where a request to a link goes.
 * @throws QuotebookError FILE for what is no link of http or https, or holds a user or password; the link is not quoted
 */
export function linkTarget(address: string): { readonly origin: string; readonly path: string } {
  let url: URL | undefined
  try {
    url = new URL(address)
  } catch {}
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (!isPlain) throw new QuotebookError('FILE', 'the service hands out a link that is none of http or https')
  return { origin: (url as URL).origin, path: (url as URL).pathname + (url as URL).search }
}
