import { type Html, html } from '../../research/report/html.js'
import type { DeskColumn, DeskRows } from './desk-rows.js'
import { type DeskVisit, deskHref, sameHref } from './desk-visit.js'
import { faultMark, type RowFaults } from './row-faults.js'

/** Columns whose cells lead to the page of their code. */
const linked = ['code', 'symbol', 's', 'name', 'n']

/** How columns of texts wrap that are no names. */
const wraps: Readonly<Record<string, string>> = { symbols: 'prose', rule: 'reason', market_type: 'text' }

/** What is shown of the rows of a table, and by which column they are sorted. */
interface GridAsked {
  readonly shown: readonly DeskColumn[]
  readonly places: readonly number[]
  readonly sort: string
}

/** A head that sorts its column: numbers begin with the highest. */
function headCell(visit: DeskVisit, { name, head, unit, isNumber }: DeskColumn, sort: string): Html {
  const own = sort.replace(/^-/, '') === name
  const isDown = own && sort.startsWith('-')
  const next = own ? (isDown ? name : `-${name}`) : isNumber ? `-${name}` : name
  const order = isDown ? 'descending' : 'ascending'
  const mark = own && html`<i aria-hidden="true">${isDown ? '▼' : '▲'}</i>`
  return html`<th scope="col" class="${isNumber ? 'number' : 'text'}"${own && html` aria-sort="${order}"`}><a href="${sameHref(visit, { sort: next, page: undefined })}">${head}${mark}</a>${unit && html`<small>${unit}</small>`}</th>`
}

/** Rows of a table by place; a contradicted one is marked beside its name. */
export function deskGrid(
  visit: DeskVisit,
  label: string,
  { codes }: DeskRows,
  faults: RowFaults,
  { shown, places, sort }: GridAsked,
): Html {
  const [first, second] = shown
  // On a phone the code leaves its place to the numbers: the name leads to the same page.
  const isTwice =
    first !== undefined && second !== undefined && [first, second].every(({ name }) => linked.includes(name))
  const lines = places.map((at) => {
    const cells = shown.map((column, i) => {
      const said = column.show(column.cells[at] ?? null, at)
      const code = linked.includes(column.name) ? codes[at] : undefined
      const body = code === undefined ? said : html`<a href="${deskHref(visit, ['code', code])}">${said}</a>`
      return html`<td class="${column.isNumber ? 'number' : (wraps[column.name] ?? 'name')}">${body}${i === (isTwice ? 1 : 0) && faultMark(faults, at)}</td>`
    })
    return html`<tr>${cells}</tr>
`
  })
  return html`<div class="wide" role="group" aria-label="${label}" tabindex="0"><table class="desk-table${isTwice && ' twice'}">
<thead><tr>${shown.map((one) => headCell(visit, one, sort))}</tr></thead>
<tbody>
${lines}</tbody></table></div>
`
}
