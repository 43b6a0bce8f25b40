import { textWidth, truncateText } from '../../frame/show/text-width.js'
import { day, timeLabel, writeNumber } from './format-number.js'
import { endRoom, lineEnds } from './line-ends.js'
import { extremes, type LineSeries, type PagePlot, type Plot, type PlotPanel, type PlotSeries } from './plot.js'
import { letter, narrow, type PlotLook } from './plot-look.js'

const least = 18
const foot = 30

/** The names in the legend, each once. */
export function legendNames({ panels }: Plot): readonly string[] {
  const names = panels.flatMap(({ series }) => series.flatMap((one) => ('name' in one && one.name) || []))
  return [...new Set(names)]
}

/** Lines that the legend takes: about how wide a name is at 12 px is known. */
function legendLines(names: readonly string[], width: number): number {
  let [lines, at] = [names.length > 0 ? 1 : 0, 0]
  for (const name of names) {
    const wide = 24 + 5 + textWidth(name) * letter + 16
    if (at > 0 && at + wide > width - 8) [lines, at] = [lines + 1, 0]
    at += wide
  }
  return lines
}

/** A text in lines that fit: broken at blanks, Chinese at any character. */
export function brokenText(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const [word] of text.matchAll(/[\p{Script=Han}，；（）：、]|[^\p{Script=Han}，；（）：、\s]+\s*|\s+/gu)) {
    if (line !== '' && textWidth((line + word).trimEnd()) * letter > width) {
      lines.push(line.trimEnd())
      line = ''
    }
    line += word
  }
  return [...lines, line.trimEnd()]
}

/** The values of a series that there are. */
export function seriesValues(series: PlotSeries): number[] {
  if (series.kind === 'candles' || series.kind === 'whiskers') return series.at.flatMap((bar) => bar ?? [])
  return series.at.flatMap(([, y]) => (y === null ? [] : [y]))
}

/** A panel so low has few labels, which may lie beyond its values at the next power of ten. */
export const lowPanel = 75

/** About how much room the labels of a y axis take: the axis steps by a tenth of its span, or by more. */
function labelRoom({ series, format = {}, zero }: PlotPanel, height: number): number {
  const { low, high } = extremes([...(zero ? [0] : []), ...series.flatMap(seriesValues)])
  const span = high > low ? high - low : Math.abs(high) || 1
  if (!Number.isFinite(span)) return 0
  const places = Math.min(100, 1 - Math.floor(Math.log10(span)))
  const unit = 10 ** -places
  const near = (y: number): number => (places > 0 ? Number(y.toFixed(places)) : Math.round(y / unit) * unit)
  const wide = (text: string): number => textWidth(text) + 0.6 * (text.match(/[%+]/g)?.length ?? 0)
  const ends = [low, high].map(near)
  const beyond = height > lowPanel ? [] : ends.map((y) => Math.sign(y) * 10 ** Math.ceil(Math.log10(Math.abs(y) || 1)))
  return Math.ceil(Math.max(...[...ends, ...beyond].map((y) => wide(writeNumber(y, format)))) * letter + 12)
}

export interface PlaceLabels {
  /** Whether a place is labelled. */
  readonly shows: (at: number) => boolean
  /** They stand on a slant, and reach so far down. */
  readonly slant: number
  readonly label: (place: string, at: number) => string
}

/** Months between labels of a time axis. */
const monthSteps = [1, 2, 3, 6, 12, 24, 60, 120]

/** Labels of the first days of months or years, at most so many, where the days span more than half a year. */
function firstDays(dates: readonly string[], most: number): Pick<PlaceLabels, 'shows' | 'label'> | undefined {
  if (!dates.every((date) => /^\d{8}$/.test(date))) return undefined
  const monthOf = (date = ''): number => 12 * Number(date.slice(0, 4)) + Number(date.slice(4, 6)) - 1
  const span = dates.length > 0 ? monthOf(dates.at(-1)) - monthOf(dates[0]) : 0
  if (span < 7) return undefined
  const step = monthSteps.find((months) => span / months <= Math.min(10, most)) ?? 240
  const places = new Set(
    [...dates.keys()].filter((at) => {
      const month = monthOf(dates[at])
      return at > 0 && month !== monthOf(dates[at - 1]) && month % step === 0
    }),
  )
  const length = step % 12 === 0 ? 4 : 7
  return { shows: (at) => places.has(at), label: (date) => day(date).slice(0, length) }
}

/** Which places are labelled: as many as lie side by side without touching. */
function placeLabels(x: Extract<Plot['x'], { dates: unknown }>, wide: number): PlaceLabels {
  const { dates, isText, every: isEvery } = x
  const text = (place: string): string => truncateText(place, 16)
  const widest = isText ? dates.reduce((most, place) => Math.max(most, textWidth(text(place))), 0) * letter + 10 : 84
  const isSlanted = isEvery === true && dates.length * widest > wide && dates.length * 20 <= wide
  const fit = isSlanted ? dates.length : Math.max(1, Math.floor(wide / widest))
  const ticks = isText || isEvery ? undefined : firstDays(dates, fit)
  if (ticks) return { ...ticks, slant: 0 }
  const every = Math.max(1, Math.ceil(dates.length / (isEvery || isText ? fit : Math.min(8, fit))))
  const label = isText ? text : (place: string, at: number): string => timeLabel(place, dates[at - every])
  return { shows: (at) => at % every === 0, slant: isSlanted ? Math.ceil((widest - 10) * 0.643) - 8 : 0, label }
}

interface Layout {
  /** The top of each panel, below its heading, how high it is, and the lines of the heading. */
  readonly tops: readonly number[]
  readonly heights: readonly number[]
  readonly headings: readonly (readonly string[])[]
  readonly labels: PlaceLabels | undefined
  /** What stands at the ends of lines. */
  readonly ends: ReadonlyMap<LineSeries, string>
  readonly legend: number
  readonly margin: number
  readonly left: number
  readonly right: number
  readonly width: number
  readonly height: number
}

/** Where title, legend and panels lie, and how large all of it is. */
export function layout(plot: PagePlot, { isFile, width }: PlotLook): Layout {
  const tops: number[] = []
  const legend = isFile ? (plot.title ? 44 : 12) : 4
  const names = legendNames(plot)
  const headings = plot.panels.map(({ name }) => brokenText(name, width))
  const margin = isFile ? 18 : 0
  const heights = plot.panels.map(({ height }) => (width < narrow ? Math.round(0.57 * height) : height))
  const left =
    margin + Math.max(width < narrow ? 44 : 64, ...plot.panels.map((panel, i) => labelRoom(panel, heights[i] ?? 0)))
  const ends = lineEnds(plot, width < narrow)
  const right = Math.max(least, endRoom(ends.values()))
  const wide = width + margin - left - right
  const labels = 'dates' in plot.x ? placeLabels(plot.x, wide) : undefined
  let at = names.length > 0 ? legend + 22 * legendLines(names, width) + 4 : isFile ? (plot.title ? 40 : 10) : 0
  heights.forEach((height, i) => {
    at += headingRoom(headings[i] ?? [])
    tops.push(at)
    at += height + 12
  })
  const below = 'name' in plot.x ? (plot.x.name ? 18 : 0) : (labels?.slant ?? 0)
  const end = isFile ? (plot.note ? 30 : 10) : 0
  return {
    tops,
    heights,
    headings,
    labels,
    ends,
    legend,
    margin,
    left,
    right: right + margin,
    width: width + 2 * margin,
    height: at - 12 + foot + below + end,
  }
}

/** What the heading of a panel takes. */
export function headingRoom(lines: readonly string[]): number {
  return 31 + 16 * (lines.length - 1)
}
