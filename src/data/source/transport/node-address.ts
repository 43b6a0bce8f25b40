import type { Dataset } from '../../../contract/dataset.js'
import { QuotebookError } from '../../../contract/error.js'
import { unknownName } from '../../../contract/nearest.js'
import { sentence, type Words } from '../../../contract/sentence.js'

function refuse(what: Words): never {
  throw new QuotebookError(
    'USAGE',
    sentence`node address ${what}; an address looks like https://host or https://host:8443/path`,
  )
}

function parsed(text: string): URL {
  try {
    return new URL(text)
  } catch {
    // A text that is no address may still hold a password or a key, or be one.
    return refuse(
      /[@?#]|^[^./:]+$/.test(text) ? sentence`can not be read` : sentence`${JSON.stringify(text)} can not be read`,
    )
  }
}

/**
 * The base address of a node as it is compared and shown: no slash at the end, no `/api`, which is added where it is used.
 * @throws QuotebookError USAGE for anything but http and https, a user or password, a query or fragment
 */
export function checkNodeAddress(text: string): string {
  const url = parsed(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    refuse(sentence`begins with ${url.protocol}, not http: or https:`)
  if (url.username !== '' || url.password !== '')
    refuse(sentence`of ${url.host} holds a user or password: leave them out`)
  if (url.search !== '' || url.hash !== '') refuse(sentence`of ${url.host} goes on after ? or #: leave that out`)
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

/** What a service on this machine is sent in the place of a key that nobody gave. */
export const noKey = 'anonymous'

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
  if (!isPlain) throw new QuotebookError('FILE', sentence`the service hands out a link that is none of http or https`)
  return { origin: (url as URL).origin, path: (url as URL).pathname + (url as URL).search }
}

/** The nodes of section 4.0 by name: Shenzhen and Shanghai over HTTPS and HTTP, and the public backup. */
const nodeNames = ['sz', 'sh', 'sz_http', 'sh_http', 'backup'] as const
export type NodeName = (typeof nodeNames)[number]

/** Base addresses, without `/api`: one, or several in the order in which to ask; or by name, for the order of the contract. */
export type NodeAddresses = string | readonly string[] | Readonly<Partial<Record<NodeName, string>>>

/** The nodes to ask for an operation, the preferred first. */
export type NodeOrder = (line: Dataset['nodes'], operation?: string) => readonly string[]

/** Section 4.0: which nodes list an operation, in which order. */
const lines: Readonly<Record<Dataset['nodes'], readonly NodeName[]>> = {
  intraday: ['sz', 'sh', 'sz_http', 'sh_http'],
  production: ['sz_http', 'sh_http', 'backup'],
}

function orderOf(given: Readonly<Partial<Record<NodeName, string>>>): NodeOrder {
  const address = new Map<NodeName, string>()
  for (const [name, text] of Object.entries(given)) {
    if (!(nodeNames as readonly string[]).includes(name)) throw unknownName('nodes', name, nodeNames, sentence`node`)
    if (text !== undefined) address.set(name as NodeName, checkNodeAddress(text))
  }
  if (address.size === 0)
    throw new QuotebookError('USAGE', sentence`nodes is empty; give the base address of the service`)
  return (line, operation: Words = sentence`this operation`) => {
    const own = lines[line].flatMap((name) => address.get(name) ?? [])
    if (own.length > 0) return own
    const names = lines[line].join(', ')
    throw new QuotebookError('USAGE', sentence`none of the nodes given serves ${operation}; it is served by ${names}`)
  }
}

/** @throws QuotebookError USAGE for an address that is none, ParamsError for an unknown name */
export function nodeOrder(nodes: NodeAddresses): NodeOrder {
  if (typeof nodes === 'string') return nodeOrder([nodes])
  if (!Array.isArray(nodes)) return orderOf(nodes as Readonly<Partial<Record<NodeName, string>>>)
  const all = [...new Set((nodes as readonly string[]).map(checkNodeAddress))]
  if (all.length === 0)
    throw new QuotebookError('USAGE', sentence`nodes is empty; give the base address of the service`)
  return () => all
}

/**
 * Addresses that a text names, separated by commas: `https://a,https://b`, or by the names of the contract:
 * `sz=https://a,backup=https://b`.
 * @throws QuotebookError USAGE when some have names and others do not
 */
export function nodesIn(text: string): NodeAddresses {
  const parts = text.split(',').map((part) => part.trim())
  const named = parts.map((part) => /^(\w+)=(.*)$/.exec(part))
  if (named.every((match) => match === null)) return parts
  const plain = parts[named.indexOf(null)]
  if (plain !== undefined) {
    throw new QuotebookError('USAGE', sentence`--source: '${plain}' has no name before it, the others have`)
  }
  return Object.fromEntries(named.map((match) => [match?.[1], match?.[2]]))
}

/** Every address given, once, in the order in which operations prefer them. */
export function nodeAddresses(nodes: NodeAddresses): readonly string[] {
  const order = nodeOrder(nodes)
  const own = Object.keys(lines).map((line) => {
    try {
      return order(line as Dataset['nodes'])
    } catch {
      return []
    }
  })
  return [...new Set(own.flat())]
}
