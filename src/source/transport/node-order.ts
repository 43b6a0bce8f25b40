import type { Dataset } from '../../contract/dataset.js'
import { QuotebookError } from '../../contract/error.js'
import { unknownName } from '../../contract/nearest.js'
import { checkNodeAddress } from './address.js'

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
    if (!(nodeNames as readonly string[]).includes(name)) throw unknownName('nodes', name, nodeNames, 'node')
    if (text !== undefined) address.set(name as NodeName, checkNodeAddress(text))
  }
  if (address.size === 0) throw new QuotebookError('USAGE', 'nodes is empty; give the base address of the service')
  return (line, operation = 'this operation') => {
    const own = lines[line].flatMap((name) => address.get(name) ?? [])
    if (own.length > 0) return own
    const names = lines[line].join(', ')
    throw new QuotebookError('USAGE', `none of the nodes given serves ${operation}; it is served by ${names}`)
  }
}

/** @throws QuotebookError USAGE for an address that is none, ParamsError for an unknown name */
export function nodeOrder(nodes: NodeAddresses): NodeOrder {
  if (typeof nodes === 'string') return nodeOrder([nodes])
  if (!Array.isArray(nodes)) return orderOf(nodes as Readonly<Partial<Record<NodeName, string>>>)
  const all = [...new Set((nodes as readonly string[]).map(checkNodeAddress))]
  if (all.length === 0) throw new QuotebookError('USAGE', 'nodes is empty; give the base address of the service')
  return () => all
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
