import { type Html, trusted } from './html.js'
import { layout, optionOf, width } from './option.js'
import type { Plot } from './plot.js'
import { pageSvg } from './svg.js'

/**
 * Draws a plot as a still SVG. The drawing library is loaded on the first call, and let go of after each:
 * an instance that is not disposed of keeps the process alive.
 */
export async function draw(plot: Plot): Promise<Html> {
  const { init } = await import('#echarts')
  const { height } = layout(plot)
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    chart.setOption(optionOf(plot))
    return trusted(pageSvg(chart.renderToSVGString(), plot))
  } finally {
    chart.dispose()
  }
}
