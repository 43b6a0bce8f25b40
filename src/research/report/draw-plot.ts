import { Html } from './html.js'
import type { PagePlot, Plot } from './plot.js'
import { layout, type PlotLook } from './plot-layout.js'
import { pageLook, plotOption, smallLook } from './plot-option.js'
import { type DrawnNode, svgMarkup } from './svg-markup.js'

/** What the library's painter of SVG gives: the drawing as a tree, and the word that its ids begin with. */
interface TreePainter {
  readonly _id: string
  readonly renderToVNode: (options: Readonly<Record<string, boolean>>) => DrawnNode
}

/**
 * The drawing of a plot as a tree. The drawing library is loaded on the first call, and let go of after each: an instance
 * that is not disposed of keeps the process alive.
 */
async function drawnTree(plot: Plot, look: PlotLook): Promise<{ tree: DrawnNode; prefix: string }> {
  const { init } = await import('#echarts')
  const { width, height } = layout(plot, look)
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    chart.setOption(plotOption(plot, look))
    const painter = chart.getZr().painter as unknown as TreePainter
    return { tree: painter.renderToVNode({ compress: true, useViewBox: true }), prefix: `${painter._id}-` }
  } finally {
    chart.dispose()
  }
}

/** How many texts of a tree are written in a colour. */
function textsIn({ tag, attrs, children = [] }: DrawnNode, color: string): number {
  return children.reduce((sum, child) => sum + textsIn(child, color), tag === 'text' && attrs.fill === color ? 1 : 0)
}

export interface DrawnPlot {
  readonly markup: string
  /** Texts in full ink: titles, the legend and the labels of points that found room. */
  readonly inkedTexts: number
}

/** Draws a plot as a still SVG in a look. */
export async function drawSvg(plot: Plot, look: PlotLook): Promise<DrawnPlot> {
  const { tree, prefix } = await drawnTree(plot, look)
  return { markup: svgMarkup(tree, prefix, plot, look), inkedTexts: textsIn(tree, look.inks.ink) }
}

/** Draws a plot for the page: as a still SVG, and as one for a telephone, of which the page shows either. */
export async function drawPlot(plot: PagePlot): Promise<Html> {
  const full = await drawSvg(plot, pageLook)
  const small = await drawSvg({ ...plot, id: `${plot.id}-small` }, smallLook)
  return new Html(`${full.markup}\n${small.markup}`, [plot])
}
