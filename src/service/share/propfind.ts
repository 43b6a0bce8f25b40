import { readXmlNames, type XmlElement } from './xml-names.js'

/** Name of a property: its namespace and its local name. */
export interface PropertyName {
  readonly space: string
  readonly name: string
}

/** What a PROPFIND asks for: every property that there is, their names, or some. */
export type Propfind = { readonly all: 'values' | 'names' } | { readonly some: readonly PropertyName[] }

export const dav = 'DAV:'
/** Bytes of a body, names in it and length of a name that are enough for any client: an answer repeats them for each file. */
export const propfindLimit = 8192
const most = 64
const longest = 200

function childOf(parent: XmlElement, name: string): XmlElement | undefined {
  return parent.inside.find((child) => child.space === dav && child.name === name)
}

/** What the body of a PROPFIND asks for (RFC 4918, section 9.1); no body asks for all. Undefined when it is malformed. */
export function parsePropfind(body: string): Propfind | undefined {
  const text = body.replace(/^\ufeff/, '')
  if (text.trim() === '') return { all: 'values' }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML allows none of them
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text)) return undefined
  const root = readXmlNames(text)
  if (root?.space !== dav || root.name !== 'propfind') return undefined
  const prop = childOf(root, 'prop')
  if (!prop) {
    if (childOf(root, 'propname')) return { all: 'names' }
    return childOf(root, 'allprop') ? { all: 'values' } : undefined
  }
  const some = prop.inside.map(({ space, name }) => ({ space, name }))
  const isLong = some.some(({ space, name }) => space.length + name.length > longest)
  return some.length > most || isLong ? undefined : { some }
}
