import { paletteRules } from '../palette.js'
import { adoptStyle, LiveChart } from './live-chart.js'

const notebookStyle = `[data-charts]{${paletteRules(0)}}[data-charts].on-dark{${paletteRules(1)}}
.live-chart{color:var(--ink)}
`

/** The theme of a notebook by the colour of its text: each front end has a name of its own for its themes. */
function isOnDark(host: HTMLElement): boolean {
  const [red = 0, green = 0, blue = 0] =
    getComputedStyle(host)
      .color.match(/[\d.]+/g)
      ?.map(Number) ?? []
  return 0.3 * red + 0.6 * green + 0.1 * blue > 127
}

/**
 * Makes the charts of a notebook answer while they are in the page: cells are run again, scrolled away, and shown twice. Each chart
 * has its plot in it. Charts of another version are left to its own script.
 */
export function watchNotebook(version: string): void {
  adoptStyle(notebookStyle)
  const charts = new Map<HTMLElement, LiveChart>()
  const begin = (host: HTMLElement): void => {
    const text = host.querySelector('script[type="application/json"]')?.textContent
    if (!text || charts.has(host)) return
    const chart = new LiveChart(host, JSON.parse(text), host.lang === 'zh' ? 'zh' : 'en')
    charts.set(host, chart)
    // JupyterLab takes keys before anything else does.
    host.querySelector('.live-area')?.setAttribute('data-lm-suppress-shortcuts', 'true')
  }
  const look = (): void => {
    for (const [host, chart] of charts) {
      if (host.isConnected) continue
      chart.end()
      charts.delete(host)
    }
    for (const host of document.querySelectorAll<HTMLElement>(`div[data-charts="${version}"]`)) {
      host.classList.toggle('on-dark', isOnDark(host))
      begin(host)
    }
  }
  let frame = 0
  const observer = new MutationObserver(() => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(look)
  })
  observer.observe(document, { childList: true, subtree: true })
  for (const one of [document.documentElement, document.body]) observer.observe(one, { attributes: true })
  look()
}
