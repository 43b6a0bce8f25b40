import { Html } from './html.js'
import type { PagePlot, Plot } from './plot.js'
import { layout, type PlotLook } from './plot-layout.js'
import { pageLook, plotOption, smallLook } from './plot-option.js'
import { svgMarkup } from './svg-markup.js'

/**
 * Draws a plot as a still SVG in a look. The drawing library is loaded on the first call, and let go of after each: an instance that is
 * not disposed of keeps the process alive.
 */
export async function drawSvg(plot: Plot, look: PlotLook): Promise<string> {
  const { init } = await import('#echarts')
  const { width, height } = layout(plot, look)
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    chart.setOption(plotOption(plot, look))
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
