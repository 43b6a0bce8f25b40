import type { Table } from 'apache-arrow'
import { inEnglish, type Say } from '../../contract/say.js'
import { columnsOf } from '../../frame/read-columns.js'
import { escapeHtml } from '../../frame/show/cell-text.js'
import { cellOf } from '../../frame/table/values.js'
import { day, missingDash, plain } from './format-number.js'
import type { PagePlot } from './plot.js'

/** Markup that is safe to put into a page as it stands. Only `html` and `trusted` make it. */
export class Html {
  readonly markup: string
  /** The plots that are drawn in it. */
  readonly plots: readonly PagePlot[]
  constructor(markup: string, plots: readonly PagePlot[] = []) {
    this.markup = markup
    this.plots = plots
  }
  toString(): string {
    return this.markup
  }
}

/** What a template takes: text and numbers are escaped, markup and arrays of it are not, nothing gives nothing. */
export type HtmlPart = Html | string | number | null | undefined | false | readonly HtmlPart[]

function markupOf(part: HtmlPart): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.markup
  if (typeof part === 'object') return part.map(markupOf).join('')
  return escapeHtml(String(part))
}

function plotsIn(part: HtmlPart): readonly PagePlot[] {
  if (part instanceof Html) return part.plots
  return Array.isArray(part) ? part.flatMap(plotsIn) : []
}

/** A template that escapes whatever is put into it. Attributes must be quoted. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(
    strings.reduce((out, text, i) => out + markupOf(parts[i - 1]) + text),
    plotsIn(parts),
  )
}

/** Markup that was made elsewhere, taken at its word: the style sheet and drawn charts, nothing from outside. */
export function trusted(markup: string): Html {
  return new Html(markup)
}

/** A part of the page under a heading of its own. */
export interface Section {
  readonly id: string
  readonly title: string
  readonly body: HtmlPart
}

/** A column of a table on the page: its heading, and how a record gives its cell. */
export interface GridColumn<R> {
  readonly text: string
  /** Shown small below the name. */
  readonly unit?: string | undefined
  /** Numbers stand at the right, texts at the left, free text wraps. */
  readonly as: 'number' | 'text' | 'name' | 'word' | 'prose' | 'reason' | 'hash'
  readonly cell: (record: R) => HtmlPart
}

/** A number that rose or fell, in its colour. */
export function risen(value: number | undefined, text: string): Html {
  const side = !value || !/[1-9]/.test(text) ? '' : value > 0 ? 'up' : 'down'
  return html`<span class="${side}">${text}</span>`
}

/** Columns of a table. */
export const grid = {
  text<R>(text: string, cell: (record: R) => HtmlPart, as: GridColumn<R>['as'] = 'text'): GridColumn<R> {
    return { text, as, cell }
  },
  /** Numbers, already written. */
  number<R>(text: string, unit: string | undefined, cell: (record: R) => HtmlPart): GridColumn<R> {
    return { text, unit, as: 'number', cell }
  },
  /** Changes, written with their sign and coloured. */
  change<R>(
    text: string,
    unit: string | undefined,
    of: (record: R) => number | undefined,
    write: (value: number | undefined) => string,
  ): GridColumn<R> {
    return grid.number(text, unit, (record) => risen(of(record), write(of(record))))
  },
  /** Days by place. */
  days(text: string, days: readonly (string | undefined)[]): GridColumn<number> {
    return grid.text(text, (at) => day(days[at]))
  },
  /** Values by place. */
  values(
    text: string,
    unit: string | undefined,
    values: ArrayLike<number | undefined>,
    write: (value: number | undefined) => string,
  ): GridColumn<number> {
    return grid.number(text, unit, (at) => write(values[at]))
  },
} as const

/** A name that may be broken after its underscores. */
function breakable(name: string): HtmlPart {
  return name.split('_').map((part, i) => (i === 0 ? part : html`_<wbr>${part}`))
}

/** A table with a row for each record. Where the page is too narrow for it, it scrolls sideways on its own below a first column that stays. */
export function htmlGrid<R>(label: string, records: readonly R[], columns: readonly GridColumn<R>[]): Html {
  const head = columns.map(({ as, text, unit }) =>
    text === ''
      ? html`<td></td>`
      : html`<th scope="col" class="${as}">${breakable(text)}${unit && html`<small>${unit}</small>`}</th>`,
  )
  const body = records.map(
    (record) => html`<tr>${columns.map((one) => html`<td class="${one.as}">${one.cell(record)}</td>`)}</tr>
`,
  )
  return html`<div class="wide" role="group" aria-label="${label}" tabindex="0"><table>
<thead><tr>${head}</tr></thead>
<tbody>
${body}</tbody></table></div>
`
}

/** Lines of a list that are shown before the rest of it is folded. */
const unfolded = 10

/** The first lines of a list, the rest folded below them; a page on paper has them all. */
export function folded<R>(
  records: readonly R[],
  say: Say,
  show: (records: readonly R[]) => Html,
  first = unfolded,
): Html {
  const rest = records.slice(first)
  if (rest.length === 0) return show(records)
  return html`${show(records.slice(0, first))}<details class="rest"><summary>${say`${rest.length} more`}</summary>
${show(rest)}</details>
`
}

/** Tables of the same columns beside each other, each under its title. */
export function gridPair<R>(columns: readonly GridColumn<R>[], tables: Readonly<Record<string, readonly R[]>>): Html {
  const parts = Object.entries(tables).map(
    ([title, records], at) => html`${at > 0 && '\n'}<div><h3>${title}</h3>
${htmlGrid(title, records, columns)}</div>`,
  )
  return html`<div class="pair">${parts}</div>
`
}

/** Text from outside: a name, a title, a question. */
export function outside(text: string | null | undefined): Html {
  return text ? html`<bdi lang="zh">${text}</bdi>` : html`<span class="none">${missingDash}</span>`
}

/** The sentence that stands where an input is missing. */
export function absent(what: string, say: Say = inEnglish): Html {
  return html`<p class="absent">${say`Not in this source: ${what}.`}</p>
`
}

/** A list of texts under each other. */
export function lines(items: readonly HtmlPart[]): Html {
  return html`<ul class="lines">
${items.map(
  (item) => html`<li>${item}</li>
`,
)}</ul>
`
}

/** A verdict in a word, a sign and a colour. */
export function badge(state: 'holds' | 'fails' | 'unknown', word: string): Html {
  const sign = { holds: '✓', fails: '✗', unknown: '–' }[state]
  return html`<b class="badge ${state}">${sign} ${word}</b>`
}

function cellPart(cell: ReturnType<typeof cellOf>, kind: string | undefined): HtmlPart {
  if (cell === null) return html`<span class="none">${missingDash}</span>`
  if (typeof cell === 'number') return Number.isNaN(cell) ? html`<span class="none">${missingDash}</span>` : plain(cell)
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  if (typeof cell !== 'string') return outside(cell.join(', '))
  return kind === 'date' ? day(cell) : /^[\x20-\x7e]*$/.test(cell) ? cell : outside(cell)
}

/** Columns of a check's result that wrap: a verdict at its hyphens, a reason between its words. */
const wrapping: Readonly<Record<string, GridColumn<unknown>['as']>> = { verdict: 'word', why: 'reason' }

/** Which columns of a table are shown, and in which words. */
interface GridRows {
  readonly names: readonly string[]
  readonly headOf: (name: string) => string
  readonly unitOf: (unit: string) => string
  readonly textOf: (text: string, column: string) => string
  /** Where a code leads; absent where codes are no links. */
  readonly hrefOf?: ((code: string) => string) | undefined
}

/** Rows of any table by place, every cell as it is: numbers with all their decimals, nothing rounded. */
export function gridRows(
  label: string,
  table: Table,
  rows: readonly number[],
  { names, headOf, unitOf, textOf, hrefOf }: GridRows,
): Html {
  const { columns: data } = columnsOf(table)
  const columns = names.flatMap((name): GridColumn<number>[] => {
    const values = data.get(name)
    if (!values) return []
    const about = table.schema.fields.find((field) => field.name === name)?.metadata
    const unit = about?.get('unit')
    const isNumber = values.type === 'float' || values.type === 'int'
    const isLong = rows.some((row) => String(cellOf(values, row)).length > 28)
    return [
      {
        text: headOf(name),
        unit: unit === undefined ? undefined : unitOf(unit),
        as: isNumber ? 'number' : (wrapping[name] ?? (isLong ? 'prose' : 'text')),
        cell: (row) => {
          const cell = cellOf(values, row)
          const kind = about?.get('kind')
          const part = cellPart(typeof cell === 'string' ? textOf(cell, name) : cell, kind)
          return hrefOf && kind === 'code' && typeof cell === 'string'
            ? html`<a href="${hrefOf(cell)}">${part}</a>`
            : part
        },
      },
    ]
  })
  return htmlGrid(label, rows, columns)
}
