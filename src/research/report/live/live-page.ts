/* The script that makes charts answer, in a page or in a notebook: src/build/lib.mjs makes one file of it, dist/lib/live-page.js. */
import type { PagePlot } from '../plot.js'
import { LiveChart } from './live-chart.js'
import { watchNotebook } from './live-notebook.js'

function start(plots: readonly PagePlot[]): void {
  const language = document.documentElement.lang.startsWith('zh') ? 'zh' : 'en'
  for (const plot of plots) {
    for (const host of document.querySelectorAll<HTMLElement>(`[data-plot="${CSS.escape(plot.id)}"]`)) {
      host.closest('figure')?.querySelector('.key')?.classList.add('of-live')
      new LiveChart(host, plot, language)
    }
  }
}

const version = (document.currentScript as HTMLScriptElement | null)?.dataset['charts']
if (version === undefined) start(JSON.parse(document.getElementById('plots')?.textContent ?? '[]'))
else watchNotebook(version)
