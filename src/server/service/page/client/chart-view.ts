import type { VNode } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Dataset } from '../../../../contract/dataset.js'
import { unitText } from '../../../../contract/language.js'
import { chartData } from './chart-data.js'
import type { PageContext } from './page-text.js'
import { htm } from './parts.js'

interface ChartProps extends PageContext {
  readonly dataset: Dataset
  readonly fields: readonly string[]
  readonly items: readonly (readonly unknown[])[]
}

/** Rows as a chart where one suits, or why there is none. */
export function ChartView({ t, language, dataset, fields, items }: ChartProps): VNode {
  const data = useMemo(() => chartData(dataset, fields, items), [items])
  const host = useRef<HTMLElement>(null)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    const element = host.current
    if ('why' in data || !element) return
    const panels = data.panels.map((panel) => {
      return { ...panel, unit: unitText(dataset.columns[panel.columns[0] as string], language) }
    })
    let end: (() => void) | undefined
    let isOver = false
    const draw = async (): Promise<void> => {
      const { drawAnswer } = await import('./chart-draw.js')
      if (!isOver) end = drawAnswer(element, { ...data, panels }, `${t('chart')}: ${dataset.name}`, language)
    }
    draw().catch(() => setFailed(true))
    return () => {
      isOver = true
      end?.()
    }
  }, [data, language])
  if ('why' in data) return htm`<p class="note">${t(data.why, data.places)}</p>`
  if (hasFailed) return htm`<p class="note">${t('chartFailed')}</p>`
  const { drawn, groups } = data
  return htm`<div>
    ${groups > drawn && htm`<p class="note">${t('chartFirst', { shown: drawn, count: groups })}</p>`}
    <div class="chart" ref=${host}></div>
  </div>`
}
