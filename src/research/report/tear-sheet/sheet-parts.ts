import type { Say } from '../../../contract/say.js'
import { type DaysFigure, daysFigure, shownDays } from '../chart-figure.js'
import { fixed, formatCount, formatSigned, missingDash } from '../format-number.js'
import { type Html, type HtmlPart, html } from '../html.js'
import { sentences } from '../report-words.js'
import type { RunSheet } from './sheet-context.js'
import type { FigureForm, SheetFigure } from './sheet-figures.js'

const classTitles: Readonly<Record<string, (say: Say) => string>> = {
  'SSE main': (say) => say('SSE main'),
  'SZSE main': (say) => say('SZSE main'),
  ChiNext: (say) => say('ChiNext'),
  STAR: (say) => say('STAR'),
  BSE: (say) => say('BSE'),
  'convertible bond': (say) => say('convertible bond'),
}

/** A class of the trading rules; others have one name. */
export function classIn(name: string, say: Say): string {
  return (Object.hasOwn(classTitles, name) && classTitles[name]?.(say)) || name
}

/** 0.0123 as `1.23%`. */
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

/** How a value is written in each form. */
const written: Readonly<Record<FigureForm, (value: number, say: Say) => string>> = {
  percent: (value) => percentText(value),
  signed: (value) => signedPercent(value),
  number: (value) => fixed(value, 2),
  yuan: (value, say) => say`${fixed(value, 2)} yuan`,
  days: (value, say) => {
    const count = fixed(value, value % 1 === 0 ? 0 : 1)
    return say`${count} d`
  },
  count: formatCount,
}

export function figureText(say: Say, form: FigureForm, value: number): string {
  return Number.isFinite(value) ? written[form](value, say) : missingDash
}

/** A figure as it is written, with its exact value. */
export function figureData(say: Say, { entry: { form }, value }: SheetFigure): Html {
  const side = form !== 'signed' ? 0 : Math.sign(value)
  return dataCell(value, figureText(say, form, value), side > 0 ? 'value up' : side < 0 ? 'value down' : 'value')
}

/** A line of figures that opens to its formula. */
export function figureRow(say: Say, figure: SheetFigure, two: boolean): Html {
  const { name: id, benchmark, entry } = figure
  const [name, formula] = entry.words(say)
  const other =
    two &&
    (benchmark === undefined
      ? html`<span></span>`
      : dataCell(benchmark, figureText(say, entry.form, benchmark), 'benchmark'))
  return html`<details class="figure-row${two ? ' two' : ''}" data-figure="${id}"><summary><span class="of">${name}</span>${figureData(say, figure)}${other}</summary>
<p>${formula}</p></details>
`
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
  const cellOf = (cell: HeatCell | undefined, at: number): Html => {
    if (!cell) return html`<td></td>`
    const marks = `${cell.shade}${cell.isTotal ? ' total' : ''}${cell.isChosen ? ' chosen' : ''}`
    return html`<td class="${marks}" data-head="${heads[at + 1]}">${cell.isChosen && '▸ '}${cell.text}</td>`
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
  return `${value > 0 ? 'up' : 'down'}-${step}`
}

/** The shade of a value between the least and the greatest of a map. */
export function levelShade(value: number, low: number, high: number): string {
  if (Number.isNaN(value)) return 'none'
  return high > low ? `level-${Math.min(4, 1 + Math.floor((4 * (value - low)) / (high - low)))}` : 'level-1'
}

interface RunChart extends Omit<DaysFigure, 'x'> {
  readonly caption?: string
}

/** A chart over the days of the run, with its numbers by day, of a long run by month. */
export function runChart({ say, own: { days } }: RunSheet, { caption, ...chart }: RunChart): Promise<Html> {
  const isShort = shownDays(days).length < days.length
  const note = isShort ? say('The table has the last day of each month.') : ''
  return daysFigure(say, { ...chart, x: { dates: days }, caption: sentences(say, caption ?? chart.desc, note) })
}

/** What the curve is called. */
export const curveName = ({ say, run }: RunSheet): string => (run?.real ? say('Account') : say('Strategy'))
