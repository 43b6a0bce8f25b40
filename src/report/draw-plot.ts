import { QuotebookError } from '../contract/error.js'
import { escapeHtml } from '../show/cell-text.js'
import { day, plain } from './format-number.js'
import { type Html, trusted } from './html.js'
import { inks, type Plot, type PlotPanel, type PlotSeries } from './plot.js'

export const width = 760
const usualLeft = 64
const right = 18
const heading = 26
const foot = 30

const text = (color: string): { color: string; fontSize: number; fontFamily: string } => ({
  color,
  fontSize: 12,
  fontFamily: 'inherit',
})

/** Where each panel lies: the top of its heading, its own top and height; and how high all of it is. */
export function layout(plot: Plot): { tops: readonly number[]; height: number } {
  const tops: number[] = []
  let at = 0
  for (const panel of plot.panels) {
    tops.push(at + heading)
    at += heading + panel.height + 12
  }
  const below = 'name' in plot.x ? (plot.x.name ? 18 : 0) : plot.x.slanted ? 56 : 0
  return { tops, height: at - 12 + foot + below }
}

/** Month and day; the year too where it differs from the label before. */
function dateLabel(date: string, before: string | undefined): string {
  const whole = day(date)
  return before?.slice(0, 4) === date.slice(0, 4) ? whole.slice(5) : whole
}

function xAxis(plot: Plot, panel: number): object {
  const last = panel === plot.panels.length - 1
  const shared = {
    gridIndex: panel,
    axisLine: { onZero: false, lineStyle: { color: inks.quiet, width: 1 } },
    axisTick: { show: last, lineStyle: { color: inks.quiet } },
    splitLine: { show: false },
  }
  if ('dates' in plot.x) {
    const { dates, label = dateLabel } = plot.x
    const every = plot.x.every ? 1 : Math.max(1, Math.ceil(dates.length / 8))
    const interval = (place: number): boolean => place % every === 0
    const formatter = (date: string, place: number): string => label(date, dates[place - every])
    return {
      ...shared,
      type: 'category',
      data: dates,
      axisTick: { ...shared.axisTick, alignWithLabel: true, interval },
      axisLabel: {
        ...text(inks.quiet),
        show: last,
        interval,
        formatter,
        ...(plot.x.slanted ? { rotate: 40 } : {}),
      },
    }
  }
  const { name, min, max, step, whole, format = plain } = plot.x
  return {
    ...shared,
    type: 'value',
    scale: true,
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(step === undefined ? {} : { interval: step }),
    ...(whole ? { minInterval: 1 } : {}),
    ...(last ? { name, nameLocation: 'middle', nameGap: 28, nameTextStyle: text(inks.quiet) } : {}),
    axisLabel: { ...text(inks.quiet), show: last, formatter: format },
  }
}

function yAxis(panel: PlotPanel, place: number): object {
  return {
    gridIndex: place,
    type: 'value',
    scale: panel.zero !== true,
    splitNumber: panel.height > 150 ? 5 : 2,
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: inks.grid, width: 1 } },
    axisLabel: { ...text(inks.quiet), formatter: panel.format ?? plain },
  }
}

const zeroLine = {
  silent: true,
  symbol: 'none',
  label: { show: false },
  lineStyle: { color: inks.quiet, width: 1, type: 'solid' },
  data: [{ yAxis: 0 }],
}

type SeriesOf<K extends PlotSeries['kind']> = Extract<PlotSeries, { kind: K }>

function barOption({ at, ink, hollow, beside }: SeriesOf<'bar'>, place: number): object {
  const color = inks[ink]
  return {
    type: 'bar',
    ...(beside ? {} : { stack: `panel ${place}` }),
    data: at,
    barMaxWidth: 26,
    barCategoryGap: '30%',
    itemStyle: { color: hollow ? inks.paper : color, borderColor: color, borderWidth: 1.2 },
  }
}

function lineOption({ at, ink, dash, step }: SeriesOf<'line'>): object {
  const color = inks[ink]
  return {
    type: 'line',
    data: at,
    showSymbol: at.length === 1 || at.some(([, y]) => y === null),
    symbol: 'circle',
    symbolSize: 3,
    itemStyle: { color },
    ...(step ? { step: 'end' } : {}),
    lineStyle: { color, width: 1.8, type: dash ?? 'solid' },
  }
}

function pointsOption({ at, ink, mark, size, labels, sparse }: SeriesOf<'points'>): object {
  const color = inks[ink]
  const isFull = mark === 'circle'
  return {
    type: 'scatter',
    data: at,
    symbol: mark === 'diamond' ? 'diamond' : 'circle',
    symbolSize: size,
    itemStyle: isFull
      ? { color, opacity: 0.75 }
      : { color: inks.paper, borderColor: color, borderWidth: 1.6, opacity: 1 },
    ...(labels
      ? { label: pointLabel(labels), labelLayout: { moveOverlap: 'shiftY', hideOverlap: sparse === true } }
      : {}),
    z: isFull ? 2 : 4,
  }
}

function candlesOption({ at, rise, fall }: SeriesOf<'candles'>): object {
  return {
    type: 'candlestick',
    data: at.map((bar) => bar ?? '-'),
    barMaxWidth: 16,
    itemStyle: {
      color: inks.paper,
      color0: inks[fall],
      borderColor: inks[rise],
      borderColor0: inks[fall],
      borderColorDoji: inks.quiet,
      borderWidth: 1.2,
    },
  }
}

function kindOption(series: PlotSeries, place: number): object {
  switch (series.kind) {
    case 'bar':
      return barOption(series, place)
    case 'line':
      return lineOption(series)
    case 'points':
      return pointsOption(series)
    case 'candles':
      return candlesOption(series)
  }
}

function seriesOption(series: PlotSeries, panel: PlotPanel, place: number): object {
  return {
    xAxisIndex: place,
    yAxisIndex: place,
    silent: true,
    emphasis: { disabled: true },
    ...(panel.zero && series === panel.series[0] ? { markLine: zeroLine } : {}),
    ...kindOption(series, place),
  }
}

function pointLabel(labels: readonly string[]): object {
  const formatter = ({ dataIndex }: { dataIndex: number }): string => labels[dataIndex] ?? ''
  return { show: true, position: 'right', distance: 4, ...text(inks.ink), formatter }
}

/** The plot in the words of the drawing library. */
function optionOf(plot: Plot): Record<string, unknown> {
  const { tops } = layout(plot)
  const left = Math.max(usualLeft, ...plot.panels.map(({ room = 0 }) => room))
  return {
    animation: false,
    backgroundColor: 'transparent',
    title: plot.panels.map((panel, i) => ({
      text: panel.name,
      left: 0,
      top: (tops[i] ?? 0) - heading,
      padding: [4, 0],
      textStyle: { ...text(inks.ink), fontWeight: 'normal' },
    })),
    grid: plot.panels.map((panel, i) => ({ left, right, top: tops[i] ?? 0, height: panel.height })),
    xAxis: plot.panels.map((_, i) => xAxis(plot, i)),
    yAxis: plot.panels.map(yAxis),
    series: plot.panels.flatMap((panel, i) => panel.series.map((series) => seriesOption(series, panel, i))),
  }
}

const variables = new Map<string, string>(Object.entries(inks).map(([name, stand]) => [stand, `var(--${name})`]))

/** Attributes that mean something only to the script of the drawing library. */
const idle = / (?:class|ecmeta_\w+|pointer-events|xmlns(?::\w+)?|version|baseProfile|cursor)="[^"]*"/g

function tag(markup: string, id: string): string {
  return markup
    .replace(idle, '')
    .replace(/ id="zr\d+-([^"]*)"/g, ` id="${id}-$1"`)
    .replace(/="url\(#zr\d+-([^")]*)\)"/g, `="url(#${id}-$1)"`)
    .replace(/ style="font-size:(\d+)px;font-family:inherit;"/g, ' font-size="$1"')
    .replace(/ dominant-baseline="central"/g, ' dy="0.35em"')
    .replace(/ (fill|stroke)="(#[0-9a-f]{6})"/gi, (whole, name: string, color: string) => {
      const variable = variables.get(color.toLowerCase())
      return variable ? ` ${name}="${variable}"` : whole
    })
    .replace(/ fill="(?:#000|rgb\(0,0,0\))" fill-opacity="0"/g, ' fill="none"')
}

/** What must not be left in a drawing: colours of the library, objects and numbers that went wrong, addresses. */
const leftover = /\[object|NaN|undefined|Infinity|="#|rgb\(|rgba\(|https?:|<script|<image|<foreignObject|href=|zr\d+-/

/**
 * A drawing of the library as markup for the page: no counters in its ids, no hover rules, inks as CSS variables, and a
 * title and description that are read aloud.
 * @throws QuotebookError INVALID_VALUE when something is left that does not belong on the page
 */
export function pageSvg(drawn: string, about: { id: string; title: string; desc: string }): string {
  const { id } = about
  const body = drawn
    .replace(/<style[\s\S]*?<\/style>/g, '')
    .replace(/<rect [^>]*fill="none"[^>]*><\/rect>/, '')
    .replace(/(<clipPath[^>]*>\s*<path [^>]*?) fill="[^"]*"/g, '$1')
    .replace(/<[^>]+>/g, (markup) => tag(markup, id))
    .replace(/<path (?=[^>]*fill="none")(?=[^>]*stroke-width="0")[^>]*><\/path>/g, '')
    .replace(/>\s*\n\s*</g, '>\n<')
    .trim()
  const open = /^<svg width="[\d.]+" height="[\d.]+" (viewBox="[^"]*")>/
  const tags = (body.match(/<[^>]+>/g) ?? []).join('')
  const wrong = leftover.exec(tags)
  const found = wrong ? tags.slice(Math.max(0, wrong.index - 80), wrong.index + 40) : 'no svg element'
  if (wrong || !open.test(body)) {
    throw new QuotebookError('INVALID_VALUE', `the chart '${id}' came out wrong: ${found}`)
  }
  return body.replace(
    open,
    (_, box: string) =>
      `<svg ${box} role="img" aria-labelledby="${id}-title ${id}-desc">` +
      `<title id="${id}-title">${escapeHtml(about.title)}</title><desc id="${id}-desc">${escapeHtml(about.desc)}</desc>`,
  )
}

/**
 * Draws a plot as a still SVG. The drawing library is loaded on the first call, and let go of after each:
 * an instance that is not disposed of keeps the process alive.
 */
export async function drawPlot(plot: Plot): Promise<Html> {
  const { init } = await import('#echarts')
  const { height } = layout(plot)
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    chart.setOption(optionOf(plot))
    return trusted(pageSvg(chart.renderToSVGString(), plot))
  } finally {
    chart.dispose()
  }
}
