import { QuotebookError } from '../../contract/error.js'
import { sentence } from '../../contract/sentence.js'
import { escapeHtml } from '../../frame/show/cell-text.js'
import { Html } from './html.js'
import type { PagePlot, Plot } from './plot.js'
import { layout } from './plot-layout.js'
import type { PlotLook } from './plot-look.js'
import { pageLook, plotOption, smallLook } from './plot-option.js'
import { placePointLabels } from './point-labels.js'

const elements = /^(svg|g|path|text|defs|clipPath|circle|rect|line|polyline|polygon)$/
/** What only the script of the library would use. */
const idle = /^(ecmeta_\w+|class|cursor|pointer-events|xml:space)$/
/** What must not stand in a drawing: values that went wrong, and addresses. */
const wrong = /\[object|NaN|undefined|Infinity|javascript:|https?:/
/** What the library draws to be touched, and around text, and nobody sees. */
const unseen =
  /<path(?:(?=[^>]* fill-opacity="0")(?=[^>]* stroke-width="0")|(?=[^>]* fill="none")(?![^>]* stroke="))[^>]*><\/path>\n?/g
/** A style of the library's own, for a pointer. */
const hovered = /<style ?><!\[CDATA\[[\s\S]*?\]\]>\s*<\/style>\n?/g

/**
 * The library's drawing as markup of a page: ids that begin with the plot's, a title and a description that are read aloud, and nothing
 * that only its script would use.
 * @throws QuotebookError INVALID_VALUE for an element or a value that does not belong into a still drawing
 */
export function svgMarkup(drawn: string, { id, title, desc }: Plot, look: PlotLook): string {
  const refuse = (what: string): never => {
    throw new QuotebookError('INVALID_VALUE', sentence`the chart '${id}' came out wrong: ${what}`)
  }
  const attribute = (_: string, name: string, value: string): string => {
    if (idle.test(name)) return ''
    const written = value.replace(/\bzr\d+-/g, `${id}-`)
    if (wrong.test(written) || /^on|href$/.test(name)) refuse(`${name}="${written.slice(0, 80)}"`)
    return ` ${name}="${written}"`
  }
  const element = (_: string, name: string, attributes: string): string => {
    if (!elements.test(name)) refuse(`<${name}>`)
    return `<${name}${attributes.replace(/ ([\w:-]+)="([^"]*)"/g, attribute)}>`
  }
  const [, start = '', inside = ''] = /^<svg([^>]*)>\n?([\s\S]*?)\n?<\/svg>\s*$/.exec(drawn) ?? [
    refuse(drawn.slice(0, 20)),
  ]
  const [, width, height] = / width="([^"]*)" height="([^"]*)"/.exec(start) ?? []
  const size = look.isFile
    ? `xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" `
    : `class="at-${look.width}" `
  const read = `<title id="${id}-title">${escapeHtml(title)}</title><desc id="${id}-desc">${escapeHtml(desc)}</desc>`
  const body = inside
    .replace(hovered, '')
    .replace(unseen, '')
    // What clips has no colour.
    .replace(/(<clipPath[^>]*>)\n<(\w+) d="([^"]*)"[^>]*>/g, '$1<$2 d="$3">')
    .replace(/<(\w+)([^>]*?) ?>/g, element)
    .replace(/(<(?:g|defs)[^>]*>)\n|\n(?=<\/(?:g|defs|clipPath)>)/g, '$1')
    .trimEnd()
  const viewBox = / viewBox="([^"]*)"/.exec(start)?.[1]
  return `<svg ${size}viewBox="${viewBox}" role="img" aria-labelledby="${id}-title ${id}-desc">${read}\n${body}\n</svg>`
}

/**
 * Draws a plot as a still SVG in a look. The drawing library is loaded on the first call, and let go of after each: an instance that is
 * not disposed of keeps the process alive.
 */
export async function drawSvg(plot: PagePlot, look: PlotLook): Promise<string> {
  const { init } = await import('#echarts')
  const { width, height } = layout(plot, look)
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    chart.setOption(plotOption(plot, look))
    const placed = placePointLabels(plot, look, (gridIndex, [x, y]) => {
      const [left = 0, top = 0] = chart.convertToPixel({ gridIndex }, [x, y ?? 0])
      return [left, top]
    })
    if (placed.size > 0) chart.setOption(plotOption(plot, look, placed), true)
    return svgMarkup(chart.renderToSVGString({ useViewBox: true }), plot, look)
  } finally {
    chart.dispose()
  }
}

/** Draws a plot for the page: as a still SVG, and as one for a telephone, of which the page shows either. */
export async function drawPlot(plot: PagePlot): Promise<Html> {
  const full = await drawSvg(plot, pageLook)
  const small = await drawSvg({ ...plot, id: `${plot.id}-small` }, smallLook)
  return new Html(`${full}\n${small}`, [plot])
}
