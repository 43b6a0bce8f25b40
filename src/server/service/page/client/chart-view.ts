import type { VNode } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Dataset } from '../../../../contract/dataset.js'
import { type Language, unitText } from '../../../../contract/language.js'
import { type ChartData, chartData, formatAxis, lineNames } from './chart-data.js'
import type { PageContext } from './page-text.js'
import { htm } from './parts.js'

const dashes = ['line', 'dashed', 'dotted']

/** The colours of the page at the moment, with `light-dark()` resolved. */
function currentColors(element: HTMLElement) {
  const probe = document.createElement('span')
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

/** Draws, and again when theme or size change, until it is aborted. */
async function draw(element: HTMLElement, data: ChartData, language: Language, end: AbortSignal): Promise<void> {
  const { createDrawing } = await import('./chart-draw.js')
  if (end.aborted) return
  const chart = createDrawing(element, data, (value) => formatAxis(value, language))
  const paint = (): void => chart.draw(currentColors(element.parentElement as HTMLElement))
  const theme = new MutationObserver(paint)
  const size = new ResizeObserver(() => chart.resize())
  end.addEventListener('abort', () => {
    theme.disconnect()
    size.disconnect()
    chart.end()
  })
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  size.observe(element)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint, { signal: end })
  paint()
}

interface ChartProps extends PageContext {
  readonly dataset: Dataset
  readonly fields: readonly string[]
  readonly items: readonly (readonly unknown[])[]
}

/** Rows as a chart where one suits, or why there is none. */
export function ChartView({ t, language, dataset, fields, items }: ChartProps): VNode {
  const data = useMemo(() => chartData(dataset, fields, items), [items])
  const canvas = useRef<HTMLElement>(null)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    if ('why' in data || !canvas.current) return
    const panels = data.panels.map((panel) => {
      return { ...panel, unit: unitText(dataset.columns[panel.columns[0] as string], language) }
    })
    const end = new AbortController()
    draw(canvas.current, { ...data, panels }, language, end.signal).catch(() => setFailed(true))
    return () => end.abort()
  }, [data, language])
  if ('why' in data) return htm`<p class="note">${t(data.why, data.places)}</p>`
  if (hasFailed) return htm`<p class="note">${t('chartFailed')}</p>`
  const { places, panels, drawn, groups } = data
  const names = lineNames(data)
  const columns = panels.map((panel) => panel.columns.join(', ')).join('; ')
  const about = [`${t('chart')}: ${columns}`, `${places[0]} – ${places.at(-1)}`, ...names].join('. ')
  const legend = names.map((name, n) => {
    const isBar = panels.every(({ kind, lines }) => kind === 'bar' || lines.every((line) => line.name !== name))
    const look = `sign ${isBar ? 'bar' : dashes[n % 3]}`
    return htm`<li><span class=${look} aria-hidden="true" style=${{ '--sign': `var(--line-${(n % 8) + 1})` }}></span>${name}</li>`
  })
  return htm`<div>
    <ul class="key">${legend}</ul>
    ${groups > drawn && htm`<p class="note">${t('chartFirst', { shown: drawn, count: groups })}</p>`}
    <div class="chart" role="img" aria-label=${about} ref=${canvas}></div>
  </div>`
}
