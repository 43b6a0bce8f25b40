import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { escapeHtml } from '../../frame/show/cell-text.js'
import type { Plot } from './plot.js'
import type { PlotLook } from './plot-layout.js'

/** An element of a drawing, as the drawing library has it. */
export interface DrawnNode {
  readonly tag: string
  readonly attrs: Readonly<Record<string, unknown>>
  readonly children?: readonly DrawnNode[]
  readonly text?: string
}

const elements = new Set([
  'svg',
  'g',
  'path',
  'text',
  'defs',
  'clipPath',
  'circle',
  'rect',
  'line',
  'polyline',
  'polygon',
])
const isIdle = (name: string): boolean =>
  name.startsWith('ecmeta_') || ['class', 'cursor', 'pointer-events', 'xml:space'].includes(name)
/** Drawn by the library to be touched, and seen by nobody. */
function isUnseen({ tag, attrs }: DrawnNode): boolean {
  return tag === 'path' && Number(attrs['fill-opacity']) === 0 && Number(attrs['stroke-width']) === 0
}

/** What must not stand in a drawing: values that went wrong, and addresses. */
const wrong = /\[object|NaN|undefined|Infinity|javascript:|https?:/

/**
 * A drawing as markup: ids that begin with the plot's, a title and a description that are read aloud, and nothing that
 * only the script of the library would use.
 * @throws QuotebookError INVALID_VALUE for an element or a value that does not belong into a still drawing
 */
export function svgMarkup(tree: DrawnNode, prefix: string, plot: Plot, look: PlotLook): string {
  const { id, title, desc } = plot
  const refuse = (what: string): never => {
    throw new QuotebookError('INVALID_VALUE', sentence`the chart '${id}' came out wrong: ${what}`)
  }
  const attribute = ([name, value]: [string, unknown]): string => {
    if (value === false || value === null || value === undefined || isIdle(name)) return ''
    const written = String(value).replaceAll(prefix, `${id}-`)
    if (wrong.test(written) || /^on|href$/.test(name)) refuse(`${name}="${written.slice(0, 80)}"`)
    return ` ${name}="${escapeHtml(written)}"`
  }
  const element = (node: DrawnNode): string => {
    if (!elements.has(node.tag)) refuse(`<${node.tag}>`)
    if (node.tag === 'clipPath') return clip(node)
    const inside = `${escapeHtml(node.text ?? '')}${(node.children ?? [])
      .filter((one) => !isUnseen(one))
      .map(element)
      .join('\n')}`
    return `<${node.tag}${Object.entries(node.attrs).map(attribute).join('')}>${inside}</${node.tag}>`
  }
  // What clips has no colour.
  const clip = ({ attrs, children = [] }: DrawnNode): string => {
    const shapes = children.map((one) => `<${one.tag}${attribute(['d', one.attrs.d])}></${one.tag}>`).join('')
    return `<clipPath${attribute(['id', attrs.id])}>${shapes}</clipPath>`
  }
  if (tree.tag !== 'svg') refuse(`<${tree.tag}>`)
  const { width, height, viewBox } = tree.attrs
  const size = look.isFile
    ? `xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" `
    : `class="at-${look.width}" `
  const read = `<title id="${id}-title">${escapeHtml(title)}</title><desc id="${id}-desc">${escapeHtml(desc)}</desc>`
  const body = (tree.children ?? [])
    .filter((one) => !isUnseen(one))
    .map(element)
    .join('\n')
  return `<svg ${size}viewBox="${viewBox}" role="img" aria-labelledby="${id}-title ${id}-desc">${read}\n${body}\n</svg>`
}
