import type { Table } from 'apache-arrow'
import { columnsOf, namesOf } from '../frame/read-columns.js'
import { escaped } from '../show/escaped.js'
import { type ColumnData, cellOf } from '../table/values.js'
import { day, many, missing, plain } from './format-number.js'

/** Markup that is safe to put into a page as it stands. Only `html` and `trusted` make it. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
  toString(): string {
    return this.markup
  }
}

/** What a template takes: text and numbers are escaped, markup and arrays of it are not, nothing gives nothing. */
export type Part = Html | string | number | null | undefined | false | readonly Part[]

function markupOf(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.markup
  if (typeof part === 'object') return part.map(markupOf).join('')
  return escaped(String(part))
}

/** A template that escapes whatever is put into it. Attributes must be quoted. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((out, text, i) => out + markupOf(parts[i - 1]) + text))
}

/** Markup that was made elsewhere, taken at its word: the style sheet and drawn charts, nothing from outside. */
export function trusted(markup: string): Html {
  return new Html(markup)
}

/** A part of the page under a heading of its own. */
export interface Section {
  readonly id: string
  readonly title: string
  readonly body: Part
}

interface Head {
  readonly text: string
  /** Unit, shown small below the name. */
  readonly unit?: string
  /** Numbers stand at the right, texts at the left, free text wraps. */
  readonly as?: 'number' | 'text' | 'name' | 'word' | 'prose' | 'reason' | 'hash'
}

/** A name that may be broken after its underscores. */
function breakable(name: string): Part {
  return name.split('_').map((part, i) => (i === 0 ? part : html`_<wbr>${part}`))
}

/** A table that scrolls sideways on its own where the page is too narrow for it. */
export function grid(label: string, heads: readonly Head[], rows: readonly (readonly Part[])[]): Html {
  const kind = heads.map((head) => head.as ?? 'text')
  const head = heads.map(
    (h, i) =>
      html`<th scope="col" class="${kind[i]}">${breakable(h.text)}${h.unit && html`<small>${h.unit}</small>`}</th>`,
  )
  const body = rows.map(
    (row) => html`<tr>${row.map((cell, i) => html`<td class="${kind[i] ?? 'text'}">${cell}</td>`)}</tr>
`,
  )
  return html`<div class="wide" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${head}</tr></thead>
<tbody>
${body}</tbody></table></div>
`
}

/** Text from outside: a name, a title, a question. */
export function outside(text: string | null | undefined): Html {
  return text ? html`<bdi lang="zh">${text}</bdi>` : html`<span class="none">${missing}</span>`
}

/** The sentence that stands where an input is missing. */
export function absent(what: string): Html {
  return html`<p class="absent">Not in this source: ${what}.</p>
`
}

type Sign = 'solid' | 'hollow' | 'line' | 'dashed' | 'diamond' | 'dot' | 'ring'

interface Key {
  readonly sign: Sign
  readonly ink: 'one' | 'two' | 'three' | 'ink'
  readonly text: Part
}

/** A drawing with its key, its caption, and its numbers as a table that can be opened. */
export function figure(parts: {
  readonly drawing: Html
  readonly key: readonly Key[]
  readonly caption: Part
  readonly numbers: Html
  readonly rows: number
}): Html {
  const key = parts.key.map(
    ({ sign, ink, text }) => html`<li><i class="sign ${sign}" style="--sign:var(--${ink})"></i>${text}</li>`,
  )
  return html`<figure>
<ul class="key">${key}</ul>
<div class="drawing" role="group" aria-label="Chart" tabindex="0">${parts.drawing}</div>
<figcaption>${parts.caption}</figcaption>
<details><summary>The numbers as a table (${many(parts.rows, 'row')})</summary>
${parts.numbers}</details>
</figure>
`
}

/** A verdict in a word, a sign and a colour. */
export function badge(state: 'holds' | 'fails' | 'unknown', word: string): Html {
  const sign = { holds: '✓', fails: '✗', unknown: '–' }[state]
  return html`<b class="badge ${state}">${sign} ${word}</b>`
}

function shown(cell: ReturnType<typeof cellOf>, kind: string | undefined): Part {
  if (cell === null) return html`<span class="none">${missing}</span>`
  if (typeof cell === 'number') return Number.isNaN(cell) ? html`<span class="none">${missing}</span>` : plain(cell)
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  if (typeof cell !== 'string') return outside(cell.join(', '))
  return kind === 'date' ? day(cell) : /^[\x20-\x7e]*$/.test(cell) ? cell : outside(cell)
}

/** Columns of a check's result that wrap: a verdict at its hyphens, a reason between its words. */
const told: Readonly<Record<string, Head['as']>> = { verdict: 'word', why: 'reason' }

/** The first rows of any table, every cell as it is: numbers with all their decimals, nothing rounded. */
export function asIs(label: string, table: Table, most: number, names: readonly string[] = namesOf(table)): Html {
  const { columns: of } = columnsOf(table)
  const rows = Array.from({ length: Math.min(most, table.numRows) }, (_, row) => row)
  const columns = names.flatMap((name) => {
    const values = of.get(name)
    const about = table.schema.fields.find((field) => field.name === name)?.metadata
    return values ? [{ name, values, kind: about?.get('kind'), unit: about?.get('unit') }] : []
  })
  const isLong = (values: ColumnData): boolean => rows.some((row) => String(cellOf(values, row)).length > 28)
  const heads = columns.map(({ name, values, unit }): Head => {
    const isNumber = values.type === 'float' || values.type === 'int'
    return {
      text: name,
      as: isNumber ? 'number' : (told[name] ?? (isLong(values) ? 'prose' : 'text')),
      ...(unit === undefined ? {} : { unit }),
    }
  })
  const cells = rows.map((row) => columns.map(({ values, kind }) => shown(cellOf(values, row), kind)))
  return grid(label, heads, cells)
}
