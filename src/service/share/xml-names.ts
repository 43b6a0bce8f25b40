/** An element of XML: its name, and the elements right inside it. Text and attributes are left out. */
export interface XmlElement {
  /** Namespace; '' for none. */
  readonly space: string
  readonly name: string
  readonly inside: readonly XmlElement[]
}

const name = '[A-Za-z_\\u00c0-\\ufffd][\\w.\\-\\u00b7-\\ufffd]*'
const attribute = `\\s+(?:${name}:)?${name}\\s*=\\s*(?:"[^"<]*"|'[^'<]*')`
const token = new RegExp(
  `[^<]+|<!--[\\s\\S]*?-->|<!\\[CDATA\\[[\\s\\S]*?\\]\\]>|<\\?[\\s\\S]*?\\?>|` +
    `</(?:${name}:)?${name}\\s*>|<(?:(${name}):)?(${name})((?:${attribute})*)\\s*(/?)>`,
  'y',
)
const declaration = new RegExp(`\\sxmlns(?::(${name}))?\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'g')
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function plain(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => entities[entity] as string)
}

type Spaces = ReadonlyMap<string, string>

interface Open {
  readonly element: { space: string; name: string; inside: XmlElement[] }
  readonly spaces: Spaces
  readonly tag: string
}

function spacesIn(attributes: string, outer: Spaces): Spaces {
  const declared = [...attributes.matchAll(declaration)]
  if (declared.length === 0) return outer
  const spaces = new Map(outer)
  for (const [, prefix = '', double, single] of declared) spaces.set(prefix, plain(double ?? single ?? ''))
  return spaces
}

/**
 * The elements of a document with their namespaces. Undefined when it is not well-formed, or has a DOCTYPE: nothing of ours
 * has entities of its own.
 */
export function readXmlNames(text: string): XmlElement | undefined {
  const root: Open = { element: { space: '', name: '', inside: [] }, spaces: new Map([['', '']]), tag: '' }
  const trail: Open[] = [root]
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const match = token.exec(text)
    const top = trail.at(-1) as Open
    if (!match) return undefined
    const [whole, prefix = '', local, attributes = '', empty] = match
    if (whole.startsWith('</')) {
      if (trail.length === 1 || whole.slice(2, -1).trim() !== top.tag) return undefined
      trail.pop()
    } else if (local !== undefined) {
      const spaces = spacesIn(attributes, top.spaces)
      const space = spaces.get(prefix)
      if (space === undefined) return undefined
      const element = { space, name: local, inside: [] }
      top.element.inside.push(element)
      if (empty === '') trail.push({ element, spaces, tag: prefix === '' ? local : `${prefix}:${local}` })
    } else if (trail.length === 1 && !whole.startsWith('<') && whole.trim() !== '') return undefined
  }
  const [only, ...more] = root.element.inside
  return trail.length === 1 && more.length === 0 ? only : undefined
}
