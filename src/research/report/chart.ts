import { checkOptions } from '../../contract/options.js'
import { sentence } from '../../contract/sentence.js'
import { say } from '../../contract/shown-language.js'
import type { Data, NameOf } from '../../frame/data.js'
import { has } from '../../frame/read-columns.js'
import { escapeHtml, printable } from '../../frame/show/cell-text.js'
import { type Display, displayNow, makeDisplayable } from '../../frame/show/displayable.js'
import { inFrontEnd } from '../../frame/show/notebook-output.js'
import { displayOf } from '../../frame/show/show-data.js'
import { select } from '../../frame/verb/select.js'
import { saveChart } from './chart-file.js'
import { plotOf } from './chart-plot.js'
import { type ChartRequest, readChartRows, refuseChart, seriesPoints } from './chart-rows.js'
import { descriptionOf, drawnNote, omissionNote, textSketch } from './chart-text.js'
import { drawSvg } from './draw-plot.js'
import { type Plot, plotMime } from './plot.js'
import { legendNames } from './plot-layout.js'
import { alsoDark, fileLook } from './plot-option.js'

/** Options of `chart`: columns by name. */
export interface ChartOptions<N extends string = string> {
  /** The column along the x axis; several are read as one, as in `['tradedate', 'trademin']`. */
  readonly x: N | readonly N[]
  /** Columns of numbers. Those of one unit share an axis. Of candles: open, high, low and close, which is the default. */
  readonly y?: N | readonly N[]
  /** Default: `line`. */
  readonly kind?: 'line' | 'bar' | 'points' | 'candles'
  /** Of candles: the column drawn below them as bars. Default: `vol`, if there is one. */
  readonly volume?: N
  /** A column whose every value is a series of its own. */
  readonly by?: N
  /** A column whose texts stand beside the points. */
  readonly label?: N
  readonly title?: string
}

interface ChartParts {
  readonly svg: string
  readonly sketch: string
  readonly description: string
  /** Its numbers as a table of HTML. */
  readonly numbers: string
  /** What it is drawn of. */
  readonly plot: Plot
}

/** A drawn chart: an image as the last expression of a notebook's cell, a sketch in text elsewhere. */
export class Chart {
  readonly #parts: ChartParts
  /** What it shows, in a sentence. */
  readonly description: string

  constructor(parts: ChartParts) {
    this.#parts = parts
    this.description = parts.description
  }

  /** A whole SVG file. Equal data gives equal bytes, whatever was drawn before. */
  svg(): string {
    return this.#parts.svg
  }

  /** What it is drawn of, as JSON: a page of a notebook makes a chart of it that answers. */
  toJSON(): object {
    return { ...this.#parts.plot, isAlone: true }
  }

  /**
   * An image that carries its drawing in itself, since notebooks let it through and would strip a bare drawing; dark if the screen is,
   * but for Jupyter, which has a theme of its own. Below it, to be opened, the numbers as a table, of more than 200 rows the first and the last.
   */
  html(): string {
    const { svg } = this.#parts
    const source = Buffer.from(inFrontEnd() ? svg : alsoDark(svg)).toString('base64')
    const look = 'width:100%;min-width:46rem;max-width:796px;height:auto'
    const image = `<img alt="${escapeHtml(this.description)}" style="${look}" src="data:image/svg+xml;base64,${source}">`
    return `<div style="overflow-x:auto">${image}</div>\n<details><summary style="display:list-item">${say('The numbers as a table')}</summary>\n${this.#parts.numbers}</details>`
  }

  /**
   * Writes it as an SVG or PNG file; the ending of the name says which. A PNG is of twice the size in pixels and needs the
   * package @resvg/resvg-js; its letters are those of the machine's fonts, so its bytes are equal on machines with equal fonts.
   * @throws QuotebookError USAGE for another ending, PACKAGE when @resvg/resvg-js is not installed, FILE when it cannot be written
   */
  save(path: string): Promise<void> {
    return saveChart(this.#parts.svg, path)
  }

  /** Its title, a line of blocks for each series, and the ends of its axes. */
  text(): string {
    return this.#parts.sketch
  }

  /** As a sketch in text. */
  toString(): string {
    return this.text()
  }

  /** Puts it into the output at once: in the middle of a notebook's cell, or on the terminal. */
  display(): void {
    displayNow(lookOf(this))
  }
}

function lookOf(chart: Chart): Display {
  const word = (): string => say`Chart of ${chart.description}`
  return { text: () => chart.text(), html: () => chart.html(), more: () => ({ [plotMime]: chart.toJSON() }), word }
}

makeDisplayable(Chart.prototype, lookOf)

const listOf = (names: string | readonly string[]): readonly string[] => [names].flat()

const kinds = ['line', 'bar', 'points', 'candles']
const prices = ['open', 'high', 'low', 'close']

function checkedRequest(data: Data, options: ChartOptions): ChartRequest {
  const own = {
    x: 'text or an array',
    y: 'text or an array',
    volume: 'text',
    kind: 'any',
    by: 'text',
    label: 'text',
    title: 'text',
  } as const
  const { x, y, kind = 'line', by, label, volume } = checkOptions(options, own, 'chart')
  if (!kinds.includes(kind)) refuseChart(sentence`kind must be one of ${kinds.join(', ')}, not '${kind}'`)
  const isCandles = kind === 'candles'
  const request: ChartRequest = { kind, x: listOf(x), y: listOf(y ?? (isCandles ? prices : [])), by, label }
  if (request.x.length === 0 || request.y.length === 0) refuseChart(sentence`x and y must name a column each`)
  if (isCandles && request.y.length !== 4)
    refuseChart(sentence`candles take four columns as y: open, high, low and close`)
  if (volume !== undefined && !isCandles) refuseChart(sentence`volume belongs to kind 'candles'`)
  if (isCandles && by !== undefined) refuseChart(sentence`candles show one security; filter the rows instead of by`)
  if (label !== undefined && kind !== 'points') refuseChart(sentence`label belongs to kind 'points'`)
  const below = isCandles ? (volume ?? (has(data, 'vol') ? 'vol' : undefined)) : undefined
  return below === undefined ? request : { ...request, y: [...request.y, below] }
}

/** An id from the content, so that two drawings in one page do not take each other's parts. FNV-1a. */
function idOf(plot: Omit<Plot, 'id'>): string {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(JSON.stringify(plot))) hash = Math.imul(hash ^ byte, 0x01000193)
  return `chart-${(hash >>> 0).toString(16).padStart(8, '0')}`
}

function labelled({ panels }: Plot): number {
  const labels = panels.flatMap(({ series }) => series.flatMap((one) => ('labels' in one ? (one.labels ?? []) : [])))
  return labels.filter((text) => text.trim() !== '').length
}

/** How many labels of points found no room: titles, legend and labels are the texts in full ink. */
async function hiddenLabels(plot: Plot): Promise<number> {
  const wanted = labelled(plot)
  if (wanted === 0) return 0
  const drawn = await drawSvg(plot, fileLook)
  const inked = [...drawn.matchAll(/<text[^>]* fill="([^"]*)"/g)].filter(([, colour]) => colour === fileLook.inks.ink)
  const others = plot.panels.length + legendNames(plot).length + (plot.title ? 1 : 0)
  return Math.max(0, wanted + others - inked.length)
}

/**
 * Draws columns of a table or a DataFrame as lines, bars, points or candles.
 *
 * Dates, minutes and texts along x are evenly spaced places, so nights and holidays take no room; numbers form an axis.
 * A missing y is a gap, and a row without an x is left out; a note below the drawing counts both, and labels that had
 * no room. Columns of different units get axes of their own, with the unit in the name.
 * @throws QuotebookError MISSING_COLUMN for an unknown name; INVALID_VALUE for a y that does not hold numbers, for two
 * rows of one series at one x (except points), and for more than 9 series or 20,000 rows
 */
export async function chart<D extends Data>(data: D, options: ChartOptions<NameOf<D>>): Promise<Chart> {
  const request = checkedRequest(data, options as ChartOptions)
  const { by, label } = request
  const rows = readChartRows(data, request)
  const marks = seriesPoints(rows, request)
  const title = printable(options.title ?? '')
  const said = printable(descriptionOf(rows, marks, request))
  const description = title === '' ? said : say`${title}. ${said}`
  const note = printable(omissionNote(rows, marks, request))
  const bare = plotOf({ id: '', title, desc: said }, rows, marks, request)
  const plot = { ...bare, id: idOf(bare) }
  const drawn = drawnNote(note, rows, await hiddenLabels(plot))
  const svg = await drawSvg({ ...plot, note: drawn }, fileLook)
  const names = new Set([...request.x, by, label, ...request.y].filter((name) => name !== undefined))
  const numbers = displayOf(select(data, ...([...names] as NameOf<D>[])), { rows: 200 }).html()
  const sketch = textSketch(title, rows, marks, note)
  return new Chart({ svg, sketch, description, numbers, plot: { ...plot, note: drawn } })
}
