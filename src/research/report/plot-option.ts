import { textWidth, truncateText } from '../../frame/show/cell-text.js'
import { day, plain } from './format-number.js'
import type { Ink, Plot, PlotPanel, PlotSeries } from './plot.js'

/** The colours and the type of a drawing, and whether it stands by itself. */
export interface PlotLook {
  readonly inks: Readonly<Record<Ink, string>>
  readonly font: string
  /** A file of its own: paper, a margin, its title and a note in the drawing. */
  readonly isFile: boolean
}

const inkNames = ['ink', 'quiet', 'grid', 'paper', 'one', 'two', 'three'] as const

/** In the page: its own colours, light or dark, and its own type. */
export const pageLook: PlotLook = {
  inks: Object.fromEntries(inkNames.map((name) => [name, `var(--${name})`])) as Record<Ink, string>,
  font: 'inherit',
  isFile: false,
}

/** As a file: inks that read on the drawing's own paper, for an image does not see the page that it is on. */
export const fileLook: PlotLook = {
  inks: {
    ink: '#1d2126',
    quiet: '#5f6770',
    grid: '#dfdfda',
    paper: '#fdfcf9',
    one: '#1d5b96',
    two: '#b3261e',
    three: '#2c6e49',
  },
  font: 'system-ui,-apple-system,Segoe UI,Noto Sans,PingFang SC,Hiragino Sans GB,Microsoft YaHei,Noto Sans CJK SC,sans-serif',
  isFile: true,
}

export const width = 760
const usualLeft = 64
const right = 18
const heading = 31
const foot = 30

function text(ink: Ink, { inks, font }: PlotLook): { color: string; fontSize: number; fontFamily: string } {
  return { color: inks[ink], fontSize: 12, fontFamily: font }
}

/** The names in the legend, each once. */
export function legendNames({ panels }: Plot): readonly string[] {
  const names = panels.flatMap(({ series }) => series.flatMap((one) => ('name' in one && one.name) || []))
  return [...new Set(names)]
}

/** Lines that the legend takes: about how wide a name is at 12 px is known. */
function legendLines(names: readonly string[]): number {
  let [lines, at] = [names.length > 0 ? 1 : 0, 0]
  for (const name of names) {
    const wide = 24 + 5 + textWidth(name) * 7 + 16
    if (at > 0 && at + wide > width - 8) [lines, at] = [lines + 1, 0]
    at += wide
  }
  return lines
}

interface Layout {
  /** The top of each panel, below its heading. */
  readonly tops: readonly number[]
  readonly legend: number
  readonly margin: number
  readonly width: number
  readonly height: number
}

/** Where title, legend and panels lie, and how large all of it is. */
export function layout(plot: Plot, { isFile }: PlotLook): Layout {
  const tops: number[] = []
  const legend = isFile ? (plot.title ? 44 : 12) : 4
  const names = legendNames(plot)
  let at = names.length > 0 ? legend + 22 * legendLines(names) + 4 : isFile ? (plot.title ? 40 : 10) : 0
  for (const panel of plot.panels) {
    tops.push(at + heading)
    at += heading + panel.height + 12
  }
  const below = 'name' in plot.x ? (plot.x.name ? 18 : 0) : plot.x.slanted ? 56 : 0
  const end = isFile ? (plot.note ? 30 : 10) : 0
  const margin = isFile ? 18 : 0
  return { tops, legend, margin, width: width + 2 * margin, height: at - 12 + foot + below + end }
}

/** Month and day; the year too where it differs from the label before. */
function dateLabel(date: string, before: string | undefined): string {
  const whole = day(date)
  return before?.slice(0, 4) === date.slice(0, 4) ? whole.slice(5) : whole
}

/** Months between labels of a time axis: as few as leave ten labels. */
const monthSteps = [1, 2, 3, 6, 12, 24, 60, 120]

/** Places of a time axis that are labelled, and how: first days of months or years where it spans more than half a year. */
function dateTicks(
  dates: readonly string[],
): { readonly places: ReadonlySet<number>; readonly isYears: boolean } | undefined {
  if (!dates.every((date) => /^\d{8}$/.test(date))) return undefined
  const monthOf = (date: string): number => 12 * Number(date.slice(0, 4)) + Number(date.slice(4, 6)) - 1
  const span = dates.length > 0 ? monthOf(dates.at(-1) as string) - monthOf(dates[0] as string) : 0
  if (span < 7) return undefined
  const step = monthSteps.find((months) => span / months <= 10) ?? 240
  const isFirst = (at: number): boolean => at > 0 && monthOf(dates[at] as string) !== monthOf(dates[at - 1] as string)
  const places = [...dates.keys()].filter((at) => isFirst(at) && monthOf(dates[at] as string) % step === 0)
  return { places: new Set(places), isYears: step % 12 === 0 }
}

function xAxis(plot: Plot, panel: number, look: PlotLook): object {
  const { inks } = look
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
    const ticks = plot.x.label || plot.x.every ? undefined : dateTicks(dates)
    const interval = (place: number): boolean => (ticks ? ticks.places.has(place) : place % every === 0)
    const formatter = (date: string, place: number): string =>
      ticks ? day(date).slice(0, ticks.isYears ? 4 : 7) : label(date, dates[place - every])
    return {
      ...shared,
      type: 'category',
      data: dates,
      axisTick: { ...shared.axisTick, alignWithLabel: true, interval },
      axisLabel: {
        ...text('quiet', look),
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
    ...(last ? { name, nameLocation: 'middle', nameGap: 28, nameTextStyle: text('quiet', look) } : {}),
    axisLabel: { ...text('quiet', look), show: last, formatter: format },
  }
}

function yAxis(panel: PlotPanel, place: number, look: PlotLook): object {
  const { inks } = look
  return {
    gridIndex: place,
    type: 'value',
    scale: panel.zero !== true,
    splitNumber: panel.height > 150 ? 5 : 2,
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: inks.grid, width: 1 } },
    axisLabel: { ...text('quiet', look), formatter: panel.format ?? plain },
  }
}

function zeroLine({ inks }: PlotLook): object {
  return {
    silent: true,
    symbol: 'none',
    label: { show: false },
    lineStyle: { color: inks.quiet, width: 1, type: 'solid' },
    data: [{ yAxis: 0 }],
  }
}

function bandsOption(bands: NonNullable<PlotPanel['bands']>, look: PlotLook): object {
  return {
    silent: true,
    label: { ...text('quiet', look), position: 'insideTop', distance: 3 },
    itemStyle: { color: look.inks.quiet, opacity: 0.16 },
    data: bands.map(({ from, to, word }) => [{ xAxis: from, name: word }, { xAxis: to }]),
  }
}

type SeriesOf<K extends PlotSeries['kind']> = Extract<PlotSeries, { kind: K }>

function barOption({ at, ink, hollow, beside }: SeriesOf<'bar'>, place: number, { inks }: PlotLook): object {
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

function lineOption({ at, ink, dash, step, area }: SeriesOf<'line'>, { inks }: PlotLook): object {
  const color = inks[ink]
  const hasDots = at.length === 1 || at.some(([, y]) => y === null)
  return {
    type: 'line',
    data: at,
    showSymbol: hasDots,
    symbol: hasDots ? 'circle' : 'none',
    symbolSize: 3,
    itemStyle: { color },
    ...(step ? { step: 'end' } : {}),
    ...(area === undefined ? {} : { stack: 'area', areaStyle: { color, opacity: area } }),
    lineStyle: { color, width: area === undefined ? 1.8 : 1, type: dash ?? 'solid' },
  }
}

function pointsOption({ at, ink, mark, size, labels, sparse }: SeriesOf<'points'>, look: PlotLook): object {
  const { inks } = look
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
      ? { label: pointLabel(labels, look), labelLayout: { moveOverlap: 'shiftY', hideOverlap: sparse === true } }
      : {}),
    z: isFull ? 2 : 4,
  }
}

function candlesOption({ at, rise, fall }: SeriesOf<'candles'>, { inks }: PlotLook): object {
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

function kindOption(series: PlotSeries, place: number, look: PlotLook): object {
  switch (series.kind) {
    case 'bar':
      return barOption(series, place, look)
    case 'line':
      return lineOption(series, look)
    case 'points':
      return pointsOption(series, look)
    case 'candles':
      return candlesOption(series, look)
  }
}

function seriesOption(series: PlotSeries, panel: PlotPanel, place: number, look: PlotLook): object {
  return {
    xAxisIndex: place,
    yAxisIndex: place,
    silent: true,
    emphasis: { disabled: true },
    ...(panel.zero && series === panel.series[0] ? { markLine: zeroLine(look) } : {}),
    ...(panel.bands && series === panel.series[0] ? { markArea: bandsOption(panel.bands, look) } : {}),
    ...('name' in series && series.name !== undefined ? { name: series.name } : {}),
    ...kindOption(series, place, look),
  }
}

function pointLabel(labels: readonly string[], look: PlotLook): object {
  const formatter = ({ dataIndex }: { dataIndex: number }): string => labels[dataIndex] ?? ''
  return { show: true, position: 'right', distance: 4, ...text('ink', look), formatter }
}

/** The legend of the named series; a legend of one line says nothing. */
function legendOption(plot: Plot, look: PlotLook): object | undefined {
  const names = legendNames(plot)
  if (names.length === 0) return undefined
  const { legend, margin } = layout(plot, look)
  return {
    data: names,
    left: margin,
    right: margin,
    top: legend,
    padding: 0,
    itemGap: 16,
    itemWidth: 24,
    itemHeight: 10,
    selectedMode: false,
    align: 'left',
    textStyle: text('ink', look),
  }
}

/** Titles of the panels; of a file also its own, and its note. */
function titleOptions(plot: Plot, look: PlotLook): object[] {
  const { tops, height, margin } = layout(plot, look)
  const style = { left: margin, padding: [4, 0] }
  const panels = plot.panels.map((panel, i) => ({
    ...style,
    text: panel.name,
    top: (tops[i] ?? 0) - heading,
    textStyle: { ...text('ink', look), fontWeight: 'normal' },
  }))
  if (!look.isFile) return panels
  const own = {
    ...style,
    text: truncateText(plot.title, 90),
    top: 10,
    textStyle: { ...text('ink', look), fontSize: 16 },
  }
  const note = {
    ...style,
    text: truncateText(plot.note ?? '', 120),
    top: height - 26,
    textStyle: { ...text('quiet', look), fontSize: 11, fontWeight: 'normal' },
  }
  return [...panels, ...(plot.title ? [own] : []), ...(plot.note ? [note] : [])]
}

/** The plot in the words of the drawing library. */
export function plotOption(plot: Plot, look: PlotLook): Record<string, unknown> {
  const { tops, margin } = layout(plot, look)
  const left = margin + Math.max(usualLeft, ...plot.panels.map(({ room = 0 }) => room))
  const legend = legendOption(plot, look)
  return {
    animation: false,
    backgroundColor: look.isFile ? look.inks.paper : 'none',
    title: titleOptions(plot, look),
    ...(legend ? { legend } : {}),
    grid: plot.panels.map((panel, i) => ({ left, right: right + margin, top: tops[i] ?? 0, height: panel.height })),
    xAxis: plot.panels.map((_, i) => xAxis(plot, i, look)),
    yAxis: plot.panels.map((panel, i) => yAxis(panel, i, look)),
    series: plot.panels.flatMap((panel, i) => panel.series.map((series) => seriesOption(series, panel, i, look))),
  }
}
