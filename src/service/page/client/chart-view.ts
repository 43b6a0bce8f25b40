import type { Dataset } from '../../../contract/dataset.js'
import { type Language, unitText } from '../../../contract/language.js'
import { type ChartData, chartData, formatAxis, lineNames } from './chart-data.js'
import { make } from './dom.js'
import type { PageContext } from './page-text.js'

const dashes = ['line', 'dashed', 'dotted']

/** The colours of the page at the moment, with `light-dark()` resolved. */
function currentColors(element: HTMLElement) {
  const probe = make('span')
  element.append(probe)
  const color = (name: string): string => {
    probe.style.color = `var(--${name})`
    return getComputedStyle(probe).color
  }
  const lines = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => color(`line-${n}`))
  const colors = { ink: color('ink'), quiet: color('quiet'), grid: color('grid'), paper: color('paper'), lines }
  probe.remove()
  return colors
}

function legend(data: ChartData, names: readonly string[]): HTMLElement {
  const items = names.map((name, n) => {
    const isBar = data.panels.every(({ kind, lines }) => kind === 'bar' || lines.every((line) => line.name !== name))
    const sign = make('span.sign', { 'aria-hidden': 'true' })
    sign.classList.add(isBar ? 'bar' : (dashes[n % 3] as string))
    sign.style.setProperty('--sign', `var(--line-${(n % 8) + 1})`)
    return make('li', sign, name)
  })
  return make('ul.key', items)
}

async function draw(element: HTMLElement, data: ChartData, language: Language): Promise<void> {
  const { createDrawing } = await import('./chart-draw.js')
  const chart = createDrawing(element, data, (value) => formatAxis(value, language))
  const end = new AbortController()
  /** Does this while the chart stands in the page; after that, all ends. */
  const whileShown = (act: () => void) => () => (element.isConnected ? act() : end.abort())
  const paint = whileShown(() => chart.draw(currentColors(element.parentElement as HTMLElement)))
  const theme = new MutationObserver(paint)
  const size = new ResizeObserver(whileShown(() => chart.resize()))
  end.signal.addEventListener('abort', () => {
    theme.disconnect()
    size.disconnect()
    chart.end()
  })
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  size.observe(element)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint, { signal: end.signal })
  paint()
}

/** Rows as a chart where one suits, or why there is none. */
export function chartView(
  { t, language }: PageContext,
  dataset: Dataset,
  fields: readonly string[],
  items: readonly (readonly unknown[])[],
): HTMLElement {
  const data = chartData(dataset, fields, items)
  if ('why' in data) return make('p.note', t(data.why, data.places))
  const { places, drawn, groups } = data
  const panels = data.panels.map((panel) => {
    return { ...panel, unit: unitText(dataset.columns[panel.columns[0] as string], language) }
  })
  const names = lineNames(data)
  const columns = panels.map((panel) => panel.columns.join(', ')).join('; ')
  const about = [`${t('chart')}: ${columns}`, `${places[0]} – ${places.at(-1)}`, ...names].join('. ')
  const canvas = make('div.chart', { role: 'img', 'aria-label': about })
  draw(canvas, { ...data, panels }, language).catch(() => canvas.replaceWith(make('p.note', t('chartFailed'))))
  const few = groups > drawn && make('p.note', t('chartFirst', { shown: drawn, count: groups }))
  return make('div', legend(data, names), few, canvas)
}
