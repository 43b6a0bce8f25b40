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

const dashes = ['solid', 'dashed', 'dotted']
/** Pixels of the panels, from the top, and what is below the last one. */
const places = [
  { top: 28, height: 250 },
  { top: 314, height: 110 },
]
const bottom = 34

/** What a panel shows: its place, its axes and its lines; neighbouring lines differ in colour and dash. */
function panelOption(data: ChartData, panelIndex: number, colors: ChartColors, format: AxisFormat, width: number) {
  const { columns, unit, kind, lines } = data.panels[panelIndex] as ChartPanel
  const names = lineNames(data)
  const text = { color: colors.quiet, fontSize: 12 }
  const xAxis = {
    gridIndex: panelIndex,
    type: 'category',
    data: data.places,
    boundaryGap: data.panels.some((panel) => panel.kind === 'bar'),
    axisLabel: {
      ...text,
      show: panelIndex === data.panels.length - 1,
      hideOverlap: true,
      alignMinLabel: 'left',
      alignMaxLabel: 'right',
    },
    axisLine: { onZero: false, lineStyle: { color: colors.quiet } },
    axisTick: { show: false },
  }
  const yAxis = {
    gridIndex: panelIndex,
    type: 'value',
    scale: kind === 'line',
    name: `${columns.join(', ')}${unit === undefined ? '' : ` (${unit})`}`,
    nameLocation: 'end',
    nameGap: 10,
    nameTruncate: { maxWidth: width - 24 },
    nameTextStyle: { ...text, align: 'left', padding: [0, 0, 0, -60] },
    axisLabel: { ...text, formatter: format, hideOverlap: true },
    splitNumber: panelIndex === 0 ? 5 : 3,
    splitLine: { lineStyle: { color: colors.grid } },
  }
  const series = lines.map(({ name, values }) => {
    const n = names.indexOf(name)
    const color = colors.lines[n % colors.lines.length]
    const lineStyle = { width: 1.8, color, type: dashes[n % dashes.length] }
    const marks = { symbol: 'circle', symbolSize: 3, showSymbol: data.places.length <= 60 }
    const look = kind === 'bar' ? { barMaxWidth: 18 } : { connectNulls: false, lineStyle, ...marks }
    return { type: kind, name, xAxisIndex: panelIndex, yAxisIndex: panelIndex, data: values, color, ...look }
  })
  return { grid: { ...places[panelIndex], left: 72, right: 16, outerBoundsMode: 'none' }, xAxis, yAxis, series }
}

function chartOption(
  data: ChartData,
  colors: ChartColors,
  format: AxisFormat,
  width: number,
): Readonly<Record<string, unknown>> {
  const panels = data.panels.map((_, i) => panelOption(data, i, colors, format, width))
  return {
    animation: false,
    textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
    axisPointer: { link: [{ xAxisIndex: 'all' }], lineStyle: { color: colors.quiet } },
    dataZoom: [{ type: 'inside', xAxisIndex: panels.map((_, i) => i), zoomOnMouseWheel: 'ctrl' }],
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      confine: true,
      backgroundColor: colors.paper,
      borderColor: colors.quiet,
      textStyle: { color: colors.ink, fontSize: 12 },
      valueFormatter: (value: unknown) => (typeof value === 'number' ? String(value) : '—'),
    },
    grid: panels.map(({ grid }) => grid),
    xAxis: panels.map(({ xAxis }) => xAxis),
    yAxis: panels.map(({ yAxis }) => yAxis),
    series: panels.flatMap(({ series }) => series),
  }
}

export interface Drawing {
  draw(colors: ChartColors): void
  resize(): void
  end(): void
}

/** Draws into an element of the right height. */
export function createDrawing(element: HTMLElement, data: ChartData, format: AxisFormat): Drawing {
  const last = places[data.panels.length - 1] ?? { top: 0, height: 0 }
  const chart = init(element, undefined, { renderer: 'canvas', height: last.top + last.height + bottom })
  return {
    draw: (colors) => chart.setOption(chartOption(data, colors, format, element.clientWidth), true),
    resize: () => chart.resize(),
    end: () => chart.dispose(),
  }
}
