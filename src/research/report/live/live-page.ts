/* The script of a page whose charts answer: src/build/lib.mjs makes one file of it, dist/lib/live-page.js. */
import type { PagePlot } from '../plot.js'
import { LiveChart, linkCharts } from './live-chart.js'

function start(): void {
  const language = document.documentElement.lang.startsWith('zh') ? 'zh' : 'en'
  const plots: readonly PagePlot[] = JSON.parse(document.getElementById('plots')?.textContent ?? '[]')
  const charts = plots.flatMap((plot) => {
    const hosts = [...document.querySelectorAll<HTMLElement>(`[data-plot="${CSS.escape(plot.id)}"]`)]
    return hosts.map((host) => {
      host.closest('figure')?.querySelector('.key')?.classList.add('of-live')
      return new LiveChart(host, plot, language)
    })
  })
  linkCharts(charts)
}

start()
