import { truncateText } from '../../frame/show/text-width.js'
import { writeNumber } from './format-number.js'
import { endDistance, endHeight } from './line-ends.js'
import { palette } from './palette.js'
import { type Ink, type PagePlot, type Plot, type PlotPanel, type PlotSeries, seriesInks } from './plot.js'
import { headingRoom, layout, legendNames, lowPanel } from './plot-layout.js'
import type { PlotLook } from './plot-look.js'
import { type LabelSides, labelDistance } from './point-labels.js'

const inkNames = ['ink', 'quiet', 'grid', 'paper', ...seriesInks, 'up', 'down'] as const

const inksOf = (colour: (name: Ink) => string): Readonly<Record<Ink, string>> =>
  Object.fromEntries(inkNames.map((name) => [name, colour(name)])) as Record<Ink, string>

/** In the page: its own colours, light or dark, and its own type. */
export const pageLook: PlotLook = {
  inks: inksOf((name) => `var(--${name})`),
  font: 'inherit',
  isFile: false,
  width: 760,
}

/** In the page on a telephone, where a wide drawing would shrink until nobody can read it. */
export const smallLook: PlotLook = { ...pageLook, width: 358 }

/** As a file: inks that read on the drawing's own paper, for an image does not see the page that it is on. */
export const fileLook: PlotLook = {
  inks: inksOf((name) => palette[name][0]),
  font: 'system-ui,-apple-system,Segoe UI,Noto Sans,PingFang SC,Hiragino Sans GB,Microsoft YaHei,Noto Sans CJK SC,sans-serif',
  isFile: true,
  width: 760,
}

/** A drawing that is a file, dark where its reader's screen is: what does not know of that keeps to the light one. */
export function alsoDark(svg: string): string {
  const rules = inkNames.flatMap((name) =>
    ['fill', 'stroke'].map((what) => `[${what}="${fileLook.inks[name]}"]{${what}:${palette[name][1]}}`),
  )
  const style = `<style>@media (prefers-color-scheme:dark){${[...new Set(rules)].join('')}}</style>`
  return svg.replace(/^<svg[^>]*>/, (start) => start + style)
}

function text(ink: Ink, { inks, font }: PlotLook): { color: string; fontSize: number; fontFamily: string } {
  return { color: inks[ink], fontSize: 12, fontFamily: font }
}

function xAxis(plot: PagePlot, panel: number, look: PlotLook): object {
  const { inks } = look
  const last = panel === plot.panels.length - 1
  const shared = {
    gridIndex: panel,
    axisLine: { onZero: false, lineStyle: { color: inks.quiet, width: 1 } },
    axisTick: { show: last, lineStyle: { color: inks.quiet } },
    splitLine: { show: false },
  }
  const { labels } = layout(plot, look)
  if ('dates' in plot.x && labels) {
    const { shows: interval, slant, label } = labels
    return {
      ...shared,
      type: 'category',
      data: plot.x.dates,
      axisTick: { ...shared.axisTick, alignWithLabel: true, interval },
      axisLabel: {
        ...text('quiet', look),
        show: last,
        interval,
        formatter: label,
        ...(slant > 0 ? { rotate: 40 } : {}),
      },
    }
  }
  const { name, min, max, step, whole, format } = plot.x as Exclude<Plot['x'], { dates: unknown }>
  return {
    ...shared,
    type: 'value',
    scale: true,
    ...{ min, max, interval: step, minInterval: whole ? 1 : undefined },
    ...(last ? { name, nameLocation: 'middle', nameGap: 28, nameTextStyle: text('quiet', look) } : {}),
    axisLabel: {
      ...text('quiet', look),
      show: last,
      hideOverlap: true,
      formatter: (x: number) => writeNumber(x, format),
    },
  }
}

function yAxis(panel: PlotPanel, place: number, height: number, look: PlotLook): object {
  const { inks } = look
  return {
    gridIndex: place,
    type: 'value',
    scale: !panel.zero,
    ...(panel.zero === 'top' ? { max: 0, min: ({ min }: { min: number }) => (min < 0 ? null : -0.01) } : {}),
    splitNumber: height > 150 ? 5 : height > lowPanel ? 2 : 1,
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: inks.grid, width: 1 } },
    axisLabel: { ...text('quiet', look), formatter: (y: number) => writeNumber(y, panel.format) },
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

/** The name of a line at its end, behind a sign in its ink: an ink that tells lines apart may be too light for text. */
function endLabel(name: string, color: string, look: PlotLook): object {
  const written = text('ink', look)
  // The library moves labels apart by what it draws behind them, and draws that for text with a line height.
  const room = (endHeight - written.fontSize) / 2
  const behind = { ...written, lineHeight: endHeight }
  const rich = { sign: { ...behind, color }, name: { ...behind, padding: [room, 0, room, 2] } }
  const formatter = (): string => `{sign|●}{name|${name.replace(/[{}]/g, '')}}`
  return { show: true, distance: endDistance, formatter, rich }
}

function lineOption(series: SeriesOf<'line'>, look: PlotLook, end: string | undefined): object {
  const { at, ink, dash, step, area } = series
  const color = look.inks[ink]
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
    ...(end === undefined ? {} : { endLabel: endLabel(end, color, look), labelLayout: { moveOverlap: 'shiftY' } }),
  }
}

function pointsOption(series: SeriesOf<'points'>, look: PlotLook, placed: LabelSides | undefined): object {
  const { at, ink, mark, size, labels, sparse } = series
  const sides = placed?.get(series)
  const { inks } = look
  const color = inks[ink]
  const isFull = mark === 'circle'
  const isSide = mark === 'rise' || mark === 'fall'
  return {
    type: 'scatter',
    data: sides ? at.map((value, i) => ({ value, label: sides[i] ? { position: sides[i] } : { show: false } })) : at,
    symbol: isSide ? 'triangle' : mark === 'diamond' ? 'diamond' : 'circle',
    symbolSize: size,
    ...(isSide ? { symbolRotate: mark === 'fall' ? 180 : 0, symbolOffset: [0, mark === 'fall' ? -size : size] } : {}),
    itemStyle:
      isFull || isSide
        ? { color, opacity: isSide ? 1 : 0.75 }
        : { color: inks.paper, borderColor: color, borderWidth: 1.6, opacity: 1 },
    ...(labels
      ? {
          label: pointLabel(labels, look),
          ...(sides ? {} : { labelLayout: { moveOverlap: 'shiftY', hideOverlap: sparse === true } }),
        }
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

/** Lines from end to end with a bar at the middle: candles without a body. */
function whiskersOption({ at, ink }: SeriesOf<'whiskers'>, { inks }: PlotLook): object {
  const color = inks[ink]
  return {
    type: 'candlestick',
    data: at.map((one) => (one ? [one[1], one[1], one[0], one[2]] : '-')),
    barMaxWidth: 12,
    itemStyle: {
      color,
      color0: color,
      borderColor: color,
      borderColor0: color,
      borderColorDoji: color,
      borderWidth: 1.8,
    },
    z: 4,
  }
}

/** What stands beside marks: at the ends of lines, and where points have room. */
interface Labels {
  readonly ends: ReturnType<typeof layout>['ends']
  readonly sides: LabelSides | undefined
}

function kindOption(series: PlotSeries, place: number, look: PlotLook, { ends, sides }: Labels): object {
  if (series.kind === 'bar') return barOption(series, place, look)
  if (series.kind === 'line') return lineOption(series, look, ends.get(series))
  if (series.kind === 'whiskers') return whiskersOption(series, look)
  return series.kind === 'points' ? pointsOption(series, look, sides) : candlesOption(series, look)
}

function seriesOption(series: PlotSeries, panel: PlotPanel, place: number, look: PlotLook, labels: Labels): object {
  return {
    xAxisIndex: place,
    yAxisIndex: place,
    silent: true,
    emphasis: { disabled: true },
    ...(panel.zero && series === panel.series[0] ? { markLine: zeroLine(look) } : {}),
    ...(panel.bands && series === panel.series[0] ? { markArea: bandsOption(panel.bands, look) } : {}),
    ...('name' in series && series.name !== undefined ? { name: series.name } : {}),
    ...kindOption(series, place, look, labels),
  }
}

function pointLabel(labels: readonly string[], look: PlotLook): object {
  const formatter = ({ dataIndex }: { dataIndex: number }): string => labels[dataIndex] ?? ''
  return { show: true, position: 'right', distance: labelDistance, ...text('ink', look), formatter }
}

/** The legend of the named series; a legend of one line says nothing. */
function legendOption(plot: PagePlot, look: PlotLook): object | undefined {
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
function titleOptions(plot: PagePlot, look: PlotLook): object[] {
  const { tops, headings, height, margin } = layout(plot, look)
  const style = { left: margin, padding: [4, 0] }
  const panels = headings.map((lines, i) => ({
    ...style,
    text: lines.join('\n'),
    top: (tops[i] ?? 0) - headingRoom(lines),
    textStyle: { ...text('ink', look), fontWeight: 'normal', lineHeight: 16 },
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

/** The plot in the words of the drawing library. @param sides the sides of labels (default: the library moves them) */
export function plotOption(plot: PagePlot, look: PlotLook, sides?: LabelSides): Record<string, unknown> {
  const { tops, heights, left, right, ends } = layout(plot, look)
  const legend = legendOption(plot, look)
  return {
    animation: false,
    backgroundColor: look.isFile ? look.inks.paper : 'none',
    title: titleOptions(plot, look),
    ...(legend ? { legend } : {}),
    grid: tops.map((top, i) => ({ left, right, top, height: heights[i] })),
    xAxis: plot.panels.map((_, i) => xAxis(plot, i, look)),
    yAxis: plot.panels.map((panel, i) => yAxis(panel, i, heights[i] ?? 0, look)),
    series: plot.panels.flatMap((panel, i) =>
      panel.series.map((series) => seriesOption(series, panel, i, look, { ends, sides })),
    ),
  }
}
