import type { Dataset } from '../../../contract/dataset.js'
import { type ChartData, chartData, formatAxis, lineNames } from './chart-data.js'
import { make } from './dom.js'
import { type Language, type PageContext, unitText } from './page-text.js'

const dashes = ['line', 'dashed', 'dotted']

/** The colours of the page at the moment, with `light-dark()` resolved. */
function currentColors(element: HTMLElement) {
  const probe = make('span')
  element.append(probe)
  const color = (name: string): string => {
    probe.style.color = `var(--${name})`
    return getComputedStyle(probe).color
  }
  const colors = {
    ink: color('ink'),
    quiet: color('quiet'),
    grid: color('grid'),
    paper: color('paper'),
    lines: [1, 2, 3, 4, 5, 6, 7, 8].map((n) => color(`line-${n}`)),
  }
  probe.remove()
  return colors
}

function legend(data: ChartData): HTMLElement {
  const items = lineNames(data).map((name, n) => {
    const isBar = data.panels.every(({ kind, lines }) => kind === 'bar' || lines.every((line) => line.name !== name))
    const sign = make('span', { class: `sign ${isBar ? 'bar' : dashes[n % 3]}`, 'aria-hidden': 'true' })
    sign.style.setProperty('--sign', `var(--line-${(n % 8) + 1})`)
    return make('li', {}, sign, name)
  })
  return make('ul', { class: 'key' }, ...items)
}

async function draw(element: HTMLElement, data: ChartData, language: Language): Promise<void> {
  const { createDrawing } = await import('./chart-draw.js')
  const chart = createDrawing(element, data, (value) => formatAxis(value, language))
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const paint = (): void => {
    if (element.isConnected) chart.draw(currentColors(element.parentElement as HTMLElement))
    else end()
  }
  const theme = new MutationObserver(paint)
  const size = new ResizeObserver(() => (element.isConnected ? chart.resize() : end()))
  const end = (): void => {
    theme.disconnect()
    size.disconnect()
    dark.removeEventListener('change', paint)
    chart.end()
  }
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  size.observe(element)
  dark.addEventListener('change', paint)
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
  if ('why' in data) return make('p', { class: 'note' }, t(data.why, data.places))
  const panels = data.panels.map((panel) => ({
    ...panel,
    unit: unitText(dataset.columns[panel.columns[0] as string], language),
  }))
  const translated = { ...data, panels }
  const about = [
    `${t('chart')}: ${panels.map(({ columns }) => columns.join(', ')).join('; ')}`,
    `${data.places[0]} – ${data.places.at(-1)}`,
    ...lineNames(translated),
  ].join('. ')
  const canvas = make('div', { class: 'chart', role: 'img', 'aria-label': about })
  draw(canvas, translated, language).catch(() => canvas.replaceWith(make('p', { class: 'note' }, t('chartFailed'))))
  const few = data.groups > data.drawn && t('chartFirst', { shown: data.drawn, count: data.groups })
  return make('div', {}, legend(translated), few && make('p', { class: 'note' }, few), canvas)
}
