import type { NumberForm } from './format-number.js'

/** The inks of a chart, by what they are for; a look gives each its colour. */
export type Ink = 'ink' | 'quiet' | 'grid' | 'paper' | 'up' | 'down' | (typeof seriesInks)[number]

/** The inks of series in turn: told apart on both papers, by those too who do not see red or green. */
export const seriesInks = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'] as const

/** The ink of a series by its place, and how its line is drawn: no two of the first 24 are the same in both. */
export function seriesForm(place: number) {
  const ink = seriesInks[place % seriesInks.length] ?? 'one'
  return { ink, dash: ([undefined, 'dashed', 'dotted'] as const)[Math.floor(place / seriesInks.length) % 3] }
}

/** A place in a chart; a null height is a gap: no bar, no point, and a line that breaks. */
export type Pair = readonly [x: number, y: number | null]

export function plotPair(x: number, y: number | undefined): Pair {
  return [x, y === undefined || Number.isNaN(y) ? null : y]
}

/** Values at the places 0, 1, 2, … */
function pairsOf(values: Iterable<number | undefined>): Pair[] {
  return Array.from(values, (value, at) => plotPair(at, value))
}

interface Marks {
  /** What the legend calls it; a series without a name is not in it. */
  readonly name?: string
  readonly at: readonly Pair[]
  readonly ink: Ink
}

export interface BarSeries extends Marks {
  readonly kind: 'bar'
  readonly hollow?: boolean
  /** Stands beside the other bars of its place and not on them. */
  readonly beside?: boolean
}

export interface LineSeries extends Marks {
  readonly kind: 'line'
  readonly dash?: 'dashed' | 'dotted' | undefined
  readonly step?: boolean
  /** Filled down to the filled line before it, on which it stands: how dense, from 0 to 1. */
  readonly area?: number
}

export interface PointSeries extends Marks {
  readonly kind: 'points'
  /** `rise` stands below its place and points up, `fall` above it and down. */
  readonly mark: 'circle' | 'diamond' | 'ring' | 'rise' | 'fall'
  readonly size: number
  /** What each point is of: told where it is read off. */
  readonly names?: readonly string[]
  /** A number beside each point. */
  readonly labels?: readonly string[]
  /** Labels that would lie on others are left out. */
  readonly sparse?: boolean
}

export interface CandleSeries {
  readonly kind: 'candles'
  /** By place: open, close, low, high; null is a gap. */
  readonly at: readonly (readonly [open: number, close: number, low: number, high: number] | null)[]
  /** Bodies that rise are hollow, bodies that fall are full: red and green, as is the custom in China. */
  readonly rise: Ink
  readonly fall: Ink
}

export interface WhiskerSeries {
  readonly kind: 'whiskers'
  /** By place: the ends of an interval, and what lies in it; null is a gap. */
  readonly at: readonly (readonly [low: number, middle: number, high: number] | null)[]
  readonly ink: Ink
  readonly name?: string
}

/** One set of marks. Series differ in form as well as in ink, so that colour is never the only sign. */
export type PlotSeries = BarSeries | LineSeries | PointSeries | CandleSeries | WhiskerSeries

/** A line through values by place. */
export function lineSeries(
  values: Iterable<number | undefined>,
  ink: Ink,
  form: Pick<LineSeries, 'name' | 'dash' | 'step' | 'area'> = {},
): LineSeries {
  return { kind: 'line', at: pairsOf(values), ink, ...form }
}

/** Bars of values by place. */
export function barSeries(
  values: Iterable<number | undefined>,
  ink: Ink,
  form: Pick<BarSeries, 'name' | 'hollow' | 'beside'> = {},
): BarSeries {
  return { kind: 'bar', at: pairsOf(values), ink, ...form }
}

/** The least and the greatest of values; of none the infinities the other way round. */
export function extremes(values: Iterable<number>): { low: number; high: number } {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    if (value < low) low = value
    if (value > high) high = value
  }
  return { low, high }
}

/** A strip of a chart with a y axis of its own; all strips share the x axis. */
export interface PlotPanel {
  /** What is drawn, and its unit. */
  readonly name: string
  readonly height: number
  /** The axis holds zero, and a line marks it. `top`: it is the highest value, and the axis goes down from it. */
  readonly zero?: boolean | 'top'
  /** How the numbers of its y axis are written. */
  readonly format?: NumberForm
  /** Stretches of the x axis in shade, by place, each with a word. */
  readonly bands?: readonly { readonly from: number; readonly to: number; readonly word: string }[]
  readonly series: readonly PlotSeries[]
}

export interface Plot {
  /** Unique in the page; ids inside the drawing begin with it. */
  readonly id: string
  readonly title: string
  /** The key values in a sentence, for those who do not see the drawing. */
  readonly desc: string
  /** Dates by place (their bars and points lie at 0, 1, 2, …), or a numeric axis. */
  readonly x:
    | {
        readonly dates: readonly string[]
        /** The places are texts and not dates. */
        readonly isText?: boolean
        /** Every place is labelled, and where that is tight on a slant, if they find room there. */
        readonly every?: boolean
      }
    | {
        readonly name: string
        readonly min?: number
        readonly max?: number
        readonly step?: number
        /** Only whole numbers are labelled. */
        readonly whole?: boolean
        readonly format?: NumberForm
      }
  readonly panels: readonly PlotPanel[]
  /** Small text below a drawing that is a file: what it leaves out. */
  readonly note?: string
}

/** A sign of a chart and what it stands for. */
export interface KeySign {
  readonly sign: 'solid' | 'faint' | 'hollow' | 'line' | 'dashed'
  readonly ink: Ink
  readonly text: string
}

/** The sign of a line by its place, as `seriesForm` draws it. */
export function lineSign(place: number, text: string): KeySign {
  const { ink, dash } = seriesForm(place)
  return { sign: dash ? 'dashed' : 'line', ink, text }
}

/** A plot of a page with the key beside it. */
export interface PagePlot extends Plot {
  readonly key?: readonly KeySign[]
  /** It stands by itself: its title and its note are shown with it. */
  readonly isAlone?: true
}

/** The MIME type of a plot as JSON, in the outputs of notebooks. */
export const plotMime = 'application/vnd.quotebook.plot+json'
