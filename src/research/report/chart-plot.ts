import { sentence } from '../../contract/sentence.js'
import { say, shownLanguage } from '../../contract/shown-language.js'
import { truncateText } from '../../frame/show/text-width.js'
import type { ChartAxis, ChartRequest, ChartRows, SeriesPoints } from './chart-rows.js'
import {
  extremes,
  type Ink,
  type Pair,
  type Plot,
  type PlotPanel,
  type PlotSeries,
  plotPair,
  seriesInks,
} from './plot.js'

/** How a series looks: an ink and a form, no two series the same in both, the first eight in different inks. */
interface Look {
  readonly ink: Ink
  readonly form: 0 | 1 | 2
  /** It stands in the legend: one that stands alone in its panel is named there. */
  readonly isNamed: boolean
}

function lookAt(place: number, isNamed: boolean): Look {
  const { length } = seriesInks
  const form = (((place % length) + Math.floor(place / length)) % 3) as 0 | 1 | 2
  return { ink: seriesInks[place % length] ?? 'one', form, isNamed }
}

/** The values of marks, those that there are. */
export function knownValues(marks: readonly SeriesPoints[]): number[] {
  return marks.flatMap(({ points }) => points.map(({ y }) => y).filter((y) => !Number.isNaN(y)))
}

function largest(marks: readonly SeriesPoints[]): number {
  const { low, high } = extremes(knownValues(marks))
  return Math.max(0, -low, high)
}

/** Powers of ten that large numbers are written in, exactly. */
function scaleOf(most: number): { power: number; word: string | undefined } {
  if (shownLanguage() === 'zh') {
    if (most >= 1e8) return { power: 8, word: '亿' }
    return most >= 1e6 ? { power: 4, word: '万' } : { power: 0, word: undefined }
  }
  if (most >= 1e9) return { power: 9, word: 'billion' }
  return most >= 1e6 ? { power: 6, word: 'million' } : { power: 0, word: undefined }
}

function panelName(marks: readonly SeriesPoints[], word: string | undefined): string {
  const names = [...new Set(marks.map(({ column }) => column))]
  const unit = unitOf(marks, word)
  const few = names.slice(0, 3).join(', ')
  const more = names.length - 3
  const all = more > 0 ? say('{few} and {more} more', { few, more }) : few
  return unit === '' ? all : say`${all} (${unit})`
}

function unitOf(marks: readonly SeriesPoints[], word: string | undefined): string {
  return [word, marks[0]?.unit].filter((part) => part).join(say(' '))
}

const dashes = [undefined, 'dashed', 'dotted'] as const
const signs = ['circle', 'diamond', 'ring'] as const

/** One pair for every place, so that a place without a row is a gap. */
function everyPlace({ points }: SeriesPoints, axis: ChartAxis): readonly Pair[] {
  if (axis.form === 'numbers') return points.map(({ x, y }) => plotPair(x, y))
  const at = axis.places.map((_, place): Pair => [place, null])
  for (const { x, y } of points) at[x] = plotPair(x, y)
  return at
}

function seriesOf(marks: SeriesPoints, look: Look, rows: ChartRows, request: ChartRequest): PlotSeries {
  const { ink, form } = look
  const name = look.isNamed ? { name: truncateText(marks.name, 40) } : {}
  if (request.kind === 'points') {
    const seen = marks.points.filter(({ y }) => !Number.isNaN(y))
    const at = seen.map(({ x, y }) => plotPair(x, y))
    const labels = rows.labels && seen.map(({ row }) => truncateText(rows.labels?.[row] ?? '', 24))
    return {
      kind: 'points',
      ...name,
      at,
      ink,
      mark: signs[form],
      size: form === 0 ? 6 : 8,
      ...(labels ? { labels, sparse: true } : {}),
    }
  }
  const at = everyPlace(marks, rows.axis)
  if (request.kind === 'bar')
    return { kind: 'bar', ...name, at, ink, beside: true, ...(form === 1 ? { hollow: true } : {}) }
  const dash = dashes[form]
  return { kind: 'line', ...name, at, ink, ...(dash ? { dash } : {}) }
}

type Candle = readonly [open: number, close: number, low: number, high: number]

/** Bars of four prices; one that lacks any of them is a gap. */
function candles(marks: readonly SeriesPoints[], axis: ChartAxis): PlotSeries {
  const at = (axis.form === 'places' ? axis.places : []).map((): Candle | null => null)
  const [open, high, low, close] = marks
  open?.points.forEach(({ x, y }, i) => {
    const of = (other: SeriesPoints | undefined): number => other?.points[i]?.y ?? Number.NaN
    const bar: Candle = [y, of(close), of(low), of(high)]
    at[x] = bar.some(Number.isNaN) ? null : bar
  })
  return { kind: 'candles', at, rise: 'up', fall: 'down' }
}

/** Volume below candles: of what rose in the ink of rising, of what fell in that of falling. */
function volumePanel(open: SeriesPoints, close: SeriesPoints, volume: SeriesPoints, axis: ChartAxis): PlotPanel {
  const { power, word } = scaleOf(largest([volume]))
  const isFall = (i: number): boolean => (close.points[i]?.y ?? 0) < (open.points[i]?.y ?? 0)
  const half = (falls: boolean) => {
    const points = volume.points.filter((_, i) => isFall(i) === falls)
    return everyPlace({ ...volume, points }, axis)
  }
  return {
    name: panelName([volume], word),
    height: 80,
    zero: true,
    format: { power },
    series: [
      { kind: 'bar', at: half(false), ink: 'up', hollow: true },
      { kind: 'bar', at: half(true), ink: 'down' },
    ],
  }
}

function xOf({ axis, xName, at }: ChartRows): Plot['x'] {
  if (axis.form === 'numbers') {
    const isWhole = at.every((x) => Number.isNaN(x) || Number.isInteger(x))
    return { name: xName, format: { as: 'year' }, ...(isWhole ? { whole: true } : {}) }
  }
  if (axis.isTime) return { dates: axis.places }
  return { dates: axis.places, isText: true, ...(axis.places.length <= 40 ? { every: true } : {}) }
}

function crossesZero(marks: readonly SeriesPoints[]): boolean {
  const { low, high } = extremes(knownValues(marks))
  return low < 0 && high > 0
}

/** Series of one unit share a panel; another unit has another axis. */
function panels(all: readonly SeriesPoints[], rows: ChartRows, request: ChartRequest): PlotPanel[] {
  const units = [...new Set(all.map(({ unit }) => unit))]
  const height = units.length === 1 ? 280 : units.length === 2 ? 190 : 140
  const isNamed = all.length > units.length
  let place = 0
  return units.map((unit): PlotPanel => {
    const marks = all.filter((one) => one.unit === unit)
    const { power, word } = scaleOf(largest(marks))
    return {
      name: panelName(marks, word),
      height,
      format: { power },
      ...(request.kind === 'bar' || crossesZero(marks) ? { zero: true as const } : {}),
      series: marks.map((one) => seriesOf(one, lookAt(place++, isNamed), rows, request)),
    }
  })
}

/** The drawing of a chart. A legend of one line says nothing and is left out. */
export function plotOf(
  about: { readonly id: string; readonly title: string; readonly desc: string },
  rows: ChartRows,
  marks: readonly SeriesPoints[],
  request: ChartRequest,
): Plot {
  const x = xOf(rows)
  if (request.kind !== 'candles') return { ...about, x, panels: panels(marks, rows, request) }
  const prices = marks.slice(0, 4)
  const { power, word } = scaleOf(largest(prices))
  const unit = unitOf(prices, word)
  const panel: PlotPanel = {
    name: say`${unit === '' ? sentence`price` : sentence`price (${unit})`}; hollow: closed above its open, full: below`,
    height: 300,
    format: { power },
    series: [candles(prices, rows.axis)],
  }
  const [open, , , close, volume] = marks
  const below = open && close && volume ? [volumePanel(open, close, volume, rows.axis)] : []
  return { ...about, x, panels: [panel, ...below] }
}
