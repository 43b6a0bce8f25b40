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
function strokeOf(n: number, colors: ChartColors): { color: string; type: (typeof dashes)[number] } {
  return { color: colors.lines[n % colors.lines.length] as string, type: dashes[n % dashes.length] as 'solid' }
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
function heightOf(data: ChartData): number {
  const last = grids(data.panels).at(-1)
  return (last ? last.top + last.height : 0) + 34
}

function xAxes({ panels, places }: ChartData, colors: ChartColors): object[] {
  return panels.map((_, i) => ({
    gridIndex: i,
    type: 'category',
    data: places,
    boundaryGap: panels.some(({ kind }) => kind === 'bar'),
    axisLabel: {
      color: colors.quiet,
      fontSize: 12,
      show: i === panels.length - 1,
      hideOverlap: true,
      alignMinLabel: 'left',
      alignMaxLabel: 'right',
    },
    axisLine: { onZero: false, lineStyle: { color: colors.quiet } },
    axisTick: { show: false },
  }))
}

function yAxes({ panels }: ChartData, colors: ChartColors, format: AxisFormat, width: number): object[] {
  const text = { color: colors.quiet, fontSize: 12 }
  return panels.map(({ columns, unit, kind }, i) => ({
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
    splitLine: { lineStyle: { color: colors.grid } },
  }))
}

function series(data: ChartData, colors: ChartColors): object[] {
  const names = lineNames(data)
  return data.panels.flatMap(({ kind, lines }, i) =>
    lines.map(({ name, values }) => {
      const { color, type } = strokeOf(names.indexOf(name), colors)
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
  )
}

function chartOption(data: ChartData, colors: ChartColors, format: AxisFormat, width: number): object {
  return {
    animation: false,
    textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
    grid: grids(data.panels).map((place) => ({ ...place, left: 72, right: 16, outerBoundsMode: 'none' })),
    axisPointer: { link: [{ xAxisIndex: 'all' }], lineStyle: { color: colors.quiet } },
    dataZoom: [{ type: 'inside', xAxisIndex: data.panels.map((_, i) => i), zoomOnMouseWheel: 'ctrl' }],
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      confine: true,
      backgroundColor: colors.paper,
      borderColor: colors.quiet,
      textStyle: { color: colors.ink, fontSize: 12 },
      valueFormatter: (value: unknown) => (typeof value === 'number' ? String(value) : '—'),
    },
    xAxis: xAxes(data, colors),
    yAxis: yAxes(data, colors, format, width),
    series: series(data, colors),
  }
}

export interface Drawing {
  draw(colors: ChartColors): void
  resize(): void
  end(): void
}

/** Draws into an element of the right height. */
export function createDrawing(element: HTMLElement, data: ChartData, format: AxisFormat): Drawing {
  const chart = init(element, undefined, { renderer: 'canvas', height: heightOf(data) })
  return {
    draw: (colors) =>
      chart.setOption(
        chartOption(data, colors, format, element.clientWidth) as Parameters<typeof chart.setOption>[0],
        true,
      ),
    resize: () => chart.resize(),
    end: () => chart.dispose(),
  }
}
