/*
 * Writes what the catalogue says into the declarations of the package: of a loader its title, params and columns, of a column or
 * a param its unit, values and meaning. Editors show it where the name is used.
 */

const opens = /^( *)readonly (\w+): \{$/
const says = /^ *readonly (\w+): (.*);$/

/** Blocks `readonly name: {` of lines of a declaration, by their place; each with its own texts and the blocks in it. */
function blocksOf(lines) {
  const all = []
  const open = []
  lines.forEach((line, at) => {
    const [, indent, name] = opens.exec(line) ?? []
    if (name) {
      const block = { name, indent, at, own: {}, blocks: [] }
      open.at(-1)?.blocks.push(block)
      all.push(block)
      open.push(block)
    } else if (open.length > 0 && line === `${open.at(-1).indent}};`) open.pop()
    else {
      const [, key, value] = says.exec(line) ?? []
      const isText = key && /^"/.test(value)
      if (open.length > 0 && key) open.at(-1).own[key] = isText ? JSON.parse(value) : value
    }
  })
  return all
}

/** `yuan. Previous close.` */
function aboutBlock({ own: { unit, meaning, values, most } }) {
  const allowed = values && `One of ${values.replace(/^readonly \[|\]$/g, '').replaceAll('"', '`')}.`
  return [unit && `${unit[0].toUpperCase()}${unit.slice(1)}.`, meaning, allowed, most && `At most ${most}.`]
    .filter(Boolean)
    .join(' ')
    .replaceAll('*/', '* /')
}

/** The declaration with a comment before each column and param. */
export function withMeanings(text) {
  const lines = text.split('\n')
  const before = new Map(
    blocksOf(lines).flatMap((block) =>
      block.own.kind && block.own.meaning ? [[block.at, `${block.indent}/** ${aboutBlock(block)} */`]] : [],
    ),
  )
  return lines.flatMap((line, at) => (before.has(at) ? [before.get(at), line] : [line])).join('\n')
}

const camel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase())

/** What a loader of a dataset shows. @param text the declaration of one dataset */
function loaderOf(text) {
  const [, name] = /^ {4}readonly name: "(\w+)";$/m.exec(text) ?? []
  if (name === undefined) return []
  const [title, about] = ['title', 'about'].map(
    (key) => new RegExp(`^ {4}readonly ${key}: "(.*)";$`, 'm').exec(text)?.[1],
  )
  const list = (of) =>
    (blocksOf(text.split('\n')).find(({ name: one, indent }) => one === of && indent.length === 4)?.blocks ?? []).map(
      (block) => `     * - \`${block.name}\` ${aboutBlock(block)}`,
    )
  const doc = [
    '    /**',
    `     * ${title}. ${about ?? ''}`,
    '     *',
    '     * Params:',
    ...list('params'),
    '     *',
    '     * Columns:',
    ...list('columns'),
    '     */',
  ]
  return [...doc, `    readonly ${camel(name)}: '${name}';`]
}

/** The declaration of the market, whose loaders say what they load. @param datasets declarations of the vendor's */
export function withLoaders(text, datasets) {
  const mapped = /type DatasetByLoader = \{\n.*\n\};\n/
  if (!mapped.test(text)) throw new Error('the declaration of the market has no DatasetByLoader')
  const members = datasets.flatMap(loaderOf).join('\n')
  return text
    .replace(
      mapped,
      () => `interface VendorLoaders {\n${members}\n}
type DatasetByLoader = VendorLoaders & {
    readonly [N in keyof OwnDatasets as Camel<N>]: N;
};\n`,
    )
    .replace(/(import \{? ?type \{? ?|import type \{ )(.*?Catalogue\b)/, '$1OwnDatasets, $2')
}
