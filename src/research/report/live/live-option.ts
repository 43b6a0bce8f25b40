import { truncateText } from '../../../frame/show/text-width.js'
import { timeLabel, writeNumber } from '../format-number.js'
import type { PagePlot } from '../plot.js'
import { layout } from '../plot-layout.js'
import type { PlotLook } from '../plot-look.js'
import { plotOption } from '../plot-option.js'
import { seriesName } from '../series-name.js'

/** A plot whose series have the names that its key gives them: the legend stands in the drawing. */
export function namedPlot(plot: PagePlot): PagePlot {
  const panels = plot.panels.map((panel) => ({
    ...panel,
    series: panel.series.map((one) => {
      const name = one.kind === 'candles' ? undefined : seriesName(one, plot)
      return name === undefined ? one : { ...one, name }
    }),
  }))
  return { ...plot, panels }
}

/** The places of a plot along x, ascending: of days 0, 1, 2, …, else every x that a point has. */
export function plotPlaces({ x, panels }: PagePlot): readonly number[] {
  if ('dates' in x) return [...x.dates.keys()]
  const all = panels.flatMap(({ series }) =>
    series.flatMap((one) => (one.kind === 'candles' || one.kind === 'whiskers' ? [] : one.at)),
  )
  return [...new Set(all.map(([at]) => at))].sort((a, b) => a - b)
}

/** What a drawing that answers is given beside its plot. */
interface LiveParts {
  readonly room: number
  readonly window: readonly [from: number, to: number]
  readonly read: (place: number) => HTMLElement
  /** What is said of a point that has a name; without it places are read off, along x. */
  readonly readPoint?: ((series: number, point: number) => HTMLElement) | undefined
  readonly isNarrow: boolean
}

interface Pointed {
  readonly seriesIndex?: number
  readonly seriesType?: string
  readonly dataIndex?: number
  readonly value?: unknown
}

/** The place that the pointer is at; candles are counted, all others say their x. */
function placeOf([first]: readonly Pointed[]): number {
  return Number(first?.seriesType === 'candlestick' ? first.dataIndex : (first?.value as readonly unknown[])?.[0])
}

function tooltipOption({ read, readPoint, isNarrow }: LiveParts, { inks }: PlotLook): object {
  return {
    ...(readPoint
      ? {
          trigger: 'item',
          triggerOn: 'none',
          formatter: (one: Pointed) => readPoint(one.seriesIndex ?? 0, one.dataIndex ?? 0),
        }
      : { trigger: 'axis', formatter: (pointed: readonly Pointed[]) => read(placeOf(pointed)) }),
    confine: true,
    ...(isNarrow && !readPoint ? { position: [0, 0] } : {}),
    backgroundColor: inks.paper,
    borderColor: inks.quiet,
    padding: [4, 8],
    textStyle: { color: inks.ink, fontSize: 13 },
    axisPointer: { type: 'cross', snap: true },
  }
}

/** The library's own crosshair, tooltip, window and legend, beside the option of the plot. */
export function liveOption(plot: PagePlot, look: PlotLook, parts: LiveParts): Record<string, unknown> {
  const { inks } = look
  const { left, right } = layout(plot, look)
  const { legend, xAxis, yAxis } = plotOption(plot, look) as Readonly<Record<string, readonly object[]>>
  const label = {
    ...{ backgroundColor: inks.paper, borderColor: inks.quiet, borderWidth: 1, padding: [2, 4], shadowBlur: 0 },
    ...{ color: inks.ink, fontSize: 12, fontFamily: look.font },
  }
  const placeText = ({ value }: { value: string | number }): string =>
    'dates' in plot.x
      ? plot.x.isText
        ? truncateText(String(value), 24)
        : timeLabel(String(value))
      : writeNumber(Number(value), plot.x.format, true)
  const last = plot.panels.length - 1
  return {
    tooltip: tooltipOption(parts, look),
    axisPointer: { link: [{ xAxisIndex: 'all' }], lineStyle: { color: inks.quiet, type: 'dashed' } },
    ...(legend && {
      legend: {
        ...legend,
        selectedMode: 'multiple',
        inactiveColor: inks.quiet,
        formatter: (name: string) => truncateText(name, 40),
      },
    }),
    xAxis: xAxis?.map((axis, i) => ({
      ...axis,
      axisPointer: { label: { ...label, show: i === last, formatter: placeText } },
    })),
    yAxis: yAxis?.map((axis, i) => ({
      ...axis,
      axisPointer: {
        label: {
          ...label,
          formatter: ({ value }: { value: number }) =>
            writeNumber(Number(Number(value).toPrecision(5)), plot.panels[i]?.format),
        },
      },
    })),
    dataZoom: [
      {
        ...{ type: 'slider', xAxisIndex: plot.panels.map((_, i) => i), filterMode: 'filter', realtime: true },
        ...{ left, right, bottom: 4, height: parts.room - 12, startValue: parts.window[0], endValue: parts.window[1] },
        ...{
          showDetail: false,
          showDataShadow: false,
          moveHandleSize: 0,
          minValueSpan: 'dates' in plot.x ? 1 : undefined,
        },
        ...{ backgroundColor: 'transparent', borderColor: inks.grid },
        fillerColor: `color-mix(in srgb, ${inks.one} 15%, transparent)`,
        handleStyle: { color: inks.paper, borderColor: inks.quiet },
        emphasis: { handleStyle: { color: inks.paper, borderColor: inks.one } },
        brushStyle: { color: inks.one, opacity: 0.2 },
      },
    ],
  }
}
