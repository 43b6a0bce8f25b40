import { type ChartFigure, chartFigure } from '../chart-figure.js'
import { day, fixed, formatCount, formatSigned, missingDash } from '../format-number.js'
import { type Html, type HtmlPart, html } from '../html.js'
import { type FigureForm, figureWords } from './figure-words.js'
import type { RunSheet, SheetSay } from './sheet-context.js'
import type { SheetFigure } from './sheet-figures.js'

/** 0.0123 as `1.23 %`. */
export function percentText(value: number | undefined, digits = 2): string {
  const text = fixed(value, digits, -2)
  return text === missingDash ? text : `${text}%`
}

/** With a plus sign above zero. */
export function signedPercent(value: number | undefined, digits = 2): string {
  const text = formatSigned(value, digits, -2)
  return text === missingDash ? text : `${text}%`
}

function nameOf({ options: { names = {} } }: RunSheet, symbol: string): string | undefined {
  return Object.hasOwn(names, symbol) ? names[symbol] : undefined
}

/** The code of an instrument with its name, as plain text. */
export function instrumentText(sheet: RunSheet, symbol: string): string {
  return [symbol, nameOf(sheet, symbol)].filter((part) => part !== undefined).join(' ')
}

/** An instrument: its code, and its name where one is given. */
export function instrument(sheet: RunSheet, symbol: string): Html {
  const name = nameOf(sheet, symbol)
  return html`<bdi>${symbol}</bdi>${name !== undefined && html` <bdi lang="zh">${name}</bdi>`}`
}

/** A value, written; and in its attribute with ten digits, which no other arithmetic library changes. */
function dataCell(value: number, text: HtmlPart, about: string): Html {
  const exact = Number.isFinite(value) ? String(Number(value.toPrecision(10))) : ''
  return html`<data value="${exact}" class="${about}">${text}</data>`
}

export function figureText(say: SheetSay, form: FigureForm, value: number): string {
  if (!Number.isFinite(value)) return missingDash
  switch (form) {
    case 'percent':
      return percentText(value)
    case 'signed':
      return signedPercent(value)
    case 'number':
      return fixed(value, 2)
    case 'yuan':
      return say('yuan of', { amount: fixed(value, 2) })
    case 'days':
      return say('days of', { count: fixed(value, value % 1 === 0 ? 0 : 1) })
    case 'count':
      return formatCount(value)
  }
}

function tone(form: FigureForm, value: number): string {
  if (form !== 'signed' || !(Math.abs(value) > 0)) return 'value'
  return value > 0 ? 'value up' : 'value down'
}

/** A figure as it is written, with its exact value. */
export function figureData(say: SheetSay, { name, value }: SheetFigure): Html {
  const { form } = figureWords[name]
  return dataCell(value, figureText(say, form, value), tone(form, value))
}

/** A line of figures that opens to its formula. */
export function figureRow({ say, at }: RunSheet, figure: SheetFigure, two: boolean): Html {
  const { form, name, formula } = figureWords[figure.name]
  const { benchmark } = figure
  const other =
    two &&
    (benchmark === undefined ? html`<span></span>` : dataCell(benchmark, figureText(say, form, benchmark), 'benchmark'))
  return html`<details class="figure-row${two ? ' two' : ''}" data-figure="${figure.name}"><summary><span class="of">${name[at]}</span>${figureData(say, figure)}${other}</summary>
<p>${formula[at]}</p></details>
`
}

/** A chart of the tear sheet with its numbers. */
export function sheetChart<R>({ say }: Pick<RunSheet, 'say'>, chart: ChartFigure<R>): Promise<Html> {
  const summary = say('as table', { rows: formatCount(chart.rows.length) })
  return chartFigure(chart, { label: chart.title, summary })
}

/** A cell of a map: its text, its shade, and whether it is the one that was chosen. */
export interface HeatCell {
  readonly text: string
  readonly shade: string
  readonly isTotal?: boolean
  readonly isChosen?: boolean
}

/** A map as a table: numbers in shaded cells, so that it is read without colours too. */
export function heatTable(
  label: string,
  heads: readonly string[],
  rows: readonly { readonly head: string; readonly cells: readonly (HeatCell | undefined)[] }[],
): Html {
  const cellOf = (cell: HeatCell | undefined): Html => {
    if (!cell) return html`<td></td>`
    const marks = `${cell.shade}${cell.isTotal ? ' total' : ''}${cell.isChosen ? ' chosen' : ''}`
    return html`<td class="${marks}">${cell.isChosen && '▸ '}${cell.text}</td>`
  }
  return html`<div class="wide" role="group" aria-label="${label}" tabindex="0"><table class="heat">
<thead><tr>${heads.map((head) => (head === '' ? html`<td></td>` : html`<th scope="col">${head}</th>`))}</tr></thead>
<tbody>
${rows.map(
  ({ head, cells }) => html`<tr><th scope="row">${head}</th>${cells.map(cellOf)}</tr>
`,
)}</tbody></table></div>
`
}

/** The shade of a value that rises or falls, in four steps up to `most`. */
export function riseShade(value: number, most: number): string {
  if (!(Math.abs(value) > 0) || !(most > 0)) return 'none'
  const step = Math.min(4, Math.max(1, Math.ceil((4 * Math.abs(value)) / most - 1e-9)))
  return `${value > 0 ? 'r' : 'f'}${step}`
}

/** The shade of a value between the least and the greatest of a map. */
export function levelShade(value: number, low: number, high: number): string {
  if (Number.isNaN(value)) return 'none'
  return high > low ? `u${Math.min(4, 1 + Math.floor((4 * (value - low)) / (high - low)))}` : 'u1'
}

/** Days for the table below a chart, by place: all, or where they are many the last of each month. */
export function shownDays(days: readonly string[]): readonly number[] {
  const all = [...days.keys()]
  if (all.length <= 260) return all
  return all.filter((at) => days[at]?.slice(0, 6) !== days[at + 1]?.slice(0, 6))
}

/** The same of the days of the run, with what is to be said of it. */
export function tableRows({ own, say }: RunSheet): { readonly rows: readonly number[]; readonly note: string } {
  const rows = shownDays(own.days)
  return { rows, note: rows.length < own.days.length ? say('table by month') : '' }
}

/** Sentences one behind the other: Chinese has no blanks between them. */
export function sentences({ options }: RunSheet, ...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(options.lang === 'zh' ? '' : ' ')
}

/** From the first day to the last. */
export function daySpan(say: SheetSay, first: string | undefined, last: string | undefined): string {
  return first === last ? day(first) : say('span', { first: day(first), last: day(last) })
}
