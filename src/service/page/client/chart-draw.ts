import { type ChartData, type ChartPanel, lineNames } from './chart-data.js'
import { init } from './chart-library.js'

/** Colours that a chart is drawn in, as the page has them at the moment. */
export interface ChartColors {
  readonly ink: string
  readonly quiet: string
  readonly grid: string
  readonly paper: string
  readonly lines: readonly string[]
}

/** How the numbers of an axis are written. */
export type AxisFormat = (value: number) => string

const dashes = ['solid', 'dashed', 'dotted'] as const

/** Colour and dash of the n-th line: neighbours differ in both. */
function strokeOf(n: number, inks: ChartColors): { color: string; type: (typeof dashes)[number] } {
  return { color: inks.lines[n % inks.lines.length] as string, type: dashes[n % dashes.length] as 'solid' }
}

const heading = 28
const heights = [250, 110]

function grids(panels: readonly ChartPanel[]): { top: number; height: number }[] {
  let top = heading
  return panels.map((_, i) => {
    const height = heights[i] ?? 110
    const place = { top, height }
    top += height + heading + 8
    return place
  })
}

/** Pixels that a chart needs. */
export function heightOf(data: ChartData): number {
  const last = grids(data.panels).at(-1)
  return (last ? last.top + last.height : 0) + 34
}

function option(data: ChartData, inks: ChartColors, format: AxisFormat, width: number): object {
  const places = grids(data.panels)
  const names = lineNames(data)
  const text = { color: inks.quiet, fontSize: 12 }
  return {
    animation: false,
    textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
    grid: places.map((place) => ({ ...place, left: 72, right: 16, outerBoundsMode: 'none' })),
    axisPointer: { link: [{ xAxisIndex: 'all' }], lineStyle: { color: inks.quiet } },
    dataZoom: [{ type: 'inside', xAxisIndex: data.panels.map((_, i) => i), zoomOnMouseWheel: 'ctrl' }],
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      confine: true,
      backgroundColor: inks.paper,
      borderColor: inks.quiet,
      textStyle: { color: inks.ink, fontSize: 12 },
      valueFormatter: (value: unknown) => (typeof value === 'number' ? String(value) : '—'),
    },
    xAxis: data.panels.map((_, i) => ({
      gridIndex: i,
      type: 'category',
      data: data.places,
      boundaryGap: data.panels.some(({ kind }) => kind === 'bar'),
      axisLabel: {
        ...text,
        show: i === data.panels.length - 1,
        hideOverlap: true,
        alignMinLabel: 'left',
        alignMaxLabel: 'right',
      },
      axisLine: { onZero: false, lineStyle: { color: inks.quiet } },
      axisTick: { show: false },
    })),
    yAxis: data.panels.map(({ columns, unit, kind }, i) => ({
      gridIndex: i,
      type: 'value',
      scale: kind === 'line',
      name: `${columns.join(', ')}${unit === undefined ? '' : ` (${unit})`}`,
      nameLocation: 'end',
      nameGap: 10,
      nameTruncate: { maxWidth: width - 24 },
      nameTextStyle: { ...text, align: 'left', padding: [0, 0, 0, -60] },
      axisLabel: { ...text, formatter: format, hideOverlap: true },
      splitNumber: i === 0 ? 5 : 3,
      splitLine: { lineStyle: { color: inks.grid } },
    })),
    series: data.panels.flatMap(({ kind, lines }, i) =>
      lines.map(({ name, values }) => {
        const { color, type } = strokeOf(names.indexOf(name), inks)
        const shared = { name, xAxisIndex: i, yAxisIndex: i, data: values, color }
        if (kind === 'bar') return { ...shared, type: 'bar', barMaxWidth: 18 }
        return {
          ...shared,
          type: 'line',
          connectNulls: false,
          lineStyle: { width: 1.8, color, type },
          symbol: 'circle',
          symbolSize: 3,
          showSymbol: data.places.length <= 60,
        }
      }),
    ),
  }
}

export interface Drawing {
  draw(inks: ChartColors): void
  resize(): void
  end(): void
}

/** Draws into an element of the right height. */
export function createDrawing(element: HTMLElement, data: ChartData, format: AxisFormat): Drawing {
  const chart = init(element, undefined, { renderer: 'canvas', height: heightOf(data) })
  return {
    draw: (inks) =>
      chart.setOption(option(data, inks, format, element.clientWidth) as Parameters<typeof chart.setOption>[0], true),
    resize: () => chart.resize(),
    end: () => chart.dispose(),
  }
}
