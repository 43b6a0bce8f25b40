import type { VNode } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Dataset } from '../../../../contract/dataset.js'
import { answerChart } from './chart-data.js'
import type { PageContext } from './page-text.js'
import { htm } from './parts.js'

interface ChartProps extends PageContext {
  readonly dataset: Dataset
  readonly fields: readonly string[]
  readonly items: readonly (readonly unknown[])[]
}

/** Rows as a chart where one suits, or why there is none. */
export function ChartView({ t, language, dataset, fields, items }: ChartProps): VNode {
  const title = `${t('chart')}: ${dataset.name}`
  const data = useMemo(() => answerChart(dataset, fields, items, { title, language }), [items, language])
  const host = useRef<HTMLElement>(null)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    const element = host.current
    if ('why' in data || !element) return
    let end = (): void => undefined
    let isOver = false
    const draw = async (): Promise<void> => {
      const { LiveChart } = await import('../../../../research/report/live/live-chart.js')
      if (isOver) return
      const chart = new LiveChart(element, data.plot, language)
      end = () => chart.end()
    }
    draw().catch(() => setFailed(true))
    return () => {
      isOver = true
      end()
    }
  }, [data])
  if ('why' in data) return htm`<p class="note">${t(data.why, data.places)}</p>`
  if (hasFailed) return htm`<p class="note">${t('chartFailed')}</p>`
  const { drawn, groups } = data
  return htm`<div>
    ${groups > drawn && htm`<p class="note">${t('chartFirst', { shown: drawn, count: groups })}</p>`}
    <div class="chart" ref=${host}></div>
  </div>`
}
