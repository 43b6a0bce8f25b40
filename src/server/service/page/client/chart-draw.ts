import type { Language } from '../../../../contract/language.js'
import { LiveChart } from '../../../../research/report/live/live-chart.js'
import {
  barSeries,
  lineSeries,
  type PagePlot,
  type PlotPanel,
  type PlotSeries,
} from '../../../../research/report/plot.js'
import type { ChartData, ChartPanel } from './chart-data.js'

const inks = ['one', 'two', 'three'] as const
const dashes = [undefined, 'dashed', 'dotted'] as const
const sizes: Readonly<Record<Language, readonly (readonly [power: number, word: string])[]>> = {
  en: [
    [9, 'billion '],
    [6, 'million '],
  ],
  zh: [
    [8, '亿'],
    [6, '百万'],
  ],
}

function seriesOf(panel: ChartPanel, data: ChartData, names: readonly string[]): PlotSeries[] {
  const { lines, candles, kind } = panel
  const bars = data.panels.find((one) => one.candles)?.candles
  if (kind === 'bar' && bars && lines[0]) {
    const { values } = lines[0]
    const half = (isFall: boolean) =>
      values.map((value, i) => {
        const [open = 0, close = 0] = bars[i] ?? []
        return close < open === isFall && value !== null ? value : undefined
      })
    return [barSeries(half(false), 'up', { hollow: true }), barSeries(half(true), 'down')]
  }
  const drawn = lines.map(({ name, values }): PlotSeries => {
    const n = names.indexOf(name)
    const own = values.map((value) => value ?? undefined)
    const ink = inks[n % 3] ?? 'one'
    if (kind === 'bar') return barSeries(own, ink, { name })
    return lineSeries(own, ink, { name, dash: dashes[Math.floor(n / 3) % 3] })
  })
  return candles ? [{ kind: 'candles', at: candles, rise: 'up', fall: 'down' }, ...drawn] : drawn
}

/** An answer as a plot, for the script that draws those of reports. */
function answerPlot(data: ChartData, title: string, language: Language): PagePlot {
  const { panels, places } = data
  const names = [...new Set(panels.flatMap(({ lines }) => lines.map(({ name }) => name)))]
  return {
    id: 'answer',
    title,
    desc: `${places[0]} – ${places.at(-1)}. ${names.join(', ')}`,
    x: { dates: places },
    panels: panels.map((panel, i): PlotPanel => {
      const { columns, unit = '', kind, lines, candles = [] } = panel
      const all = [...lines.flatMap(({ values }) => values), ...candles.flatMap((one) => one ?? [])]
      const most = all.reduce<number>((a, value) => Math.max(a, Math.abs(value ?? 0)), 0)
      const [power, word] = sizes[language].find(([least]) => most >= 10 ** least) ?? [0, '']
      const about = `${word}${unit}`
      return {
        name: `${columns.join(', ')}${about === '' ? '' : language === 'zh' ? `（${about}）` : ` (${about})`}`,
        height: i === 0 ? 260 : 110,
        ...(kind === 'bar' ? { zero: true } : {}),
        format: { power },
        series: seriesOf(panel, data, names),
      }
    }),
  }
}

/** Draws into an element, and gives what ends it. */
export function drawAnswer(host: HTMLElement, data: ChartData, title: string, language: Language): () => void {
  const chart = new LiveChart(host, answerPlot(data, title, language), language)
  return () => chart.end()
}
