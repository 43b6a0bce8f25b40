import { SaxesParser } from 'saxes'
import { worded } from '../../../contract/error.js'
import { sentence } from '../../../contract/sentence.js'

/** Name of a property: its namespace ('' for none) and its local name. */
export interface PropertyName {
  readonly space: string
  readonly name: string
}

/** An element of XML: its name, and the elements right inside it. Text and attributes are left out. */
export interface XmlElement extends PropertyName {
  readonly inside: readonly XmlElement[]
}

/** What a PROPFIND asks for: every property that there is, their names, or some. */
export type Propfind = { readonly all: 'values' | 'names' } | { readonly some: readonly PropertyName[] }

export const dav = 'DAV:'
/** Bytes of a body, names in it and length of a name that are enough for any client: an answer repeats them for each file. */
export const propfindLimit = 8192
const maxProperties = 64
const maxNameLength = 200

/** The elements of a document with their namespaces. Undefined when it is not well-formed, or has a DOCTYPE. */
export function readXmlNames(text: string): XmlElement | undefined {
  const root = { space: '', name: '', inside: [] as XmlElement[] }
  const open = [root]
  const parser = new SaxesParser({ xmlns: true, forceXMLVersion: true, defaultXMLVersion: '1.0' })
  const refuse = (): never => {
    throw worded(Error, sentence`not well-formed, or with a document type`)
  }
  parser.on('error', refuse)
  parser.on('doctype', refuse)
  parser.on('opentag', ({ uri, local }) => {
    const element = { space: uri, name: local, inside: [] }
    open.at(-1)?.inside.push(element)
    open.push(element)
  })
  parser.on('closetag', () => open.pop())
  try {
    parser.write(text).close()
  } catch {
    return undefined
  }
  return root.inside[0]
}

/** What the body of a PROPFIND asks for (RFC 4918, section 9.1); no body asks for all. Undefined when it is malformed. */
export function parsePropfind(body: string): Propfind | undefined {
  const text = body.replace(/^\ufeff/, '')
  if (text.trim() === '') return { all: 'values' }
  const root = readXmlNames(text)
  if (root?.space !== dav || root.name !== 'propfind') return undefined
  const child = (name: string) => root.inside.find((element) => element.space === dav && element.name === name)
  const prop = child('prop')
  if (!prop) {
    if (child('propname')) return { all: 'names' }
    return child('allprop') ? { all: 'values' } : undefined
  }
  const some = prop.inside.map(({ space, name }) => ({ space, name }))
  const isLong = some.some(({ space, name }) => space.length + name.length > maxNameLength)
  return some.length > maxProperties || isLong ? undefined : { some }
}
