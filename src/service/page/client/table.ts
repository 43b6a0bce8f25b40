import type { Dataset } from '../../../contract/dataset.js'
import { cellContent } from './cell.js'
import { cellClass, decimalsOf, numberText } from './cell-text.js'
import type { Context } from './context.js'
import { button, make, rich } from './dom.js'
import { columnMeaning, unitText } from './texts.js'

const pageRows = 100

/** What the columns mean: name, kind, unit, meaning. */
export function columnList({ say, language }: Context, dataset: Dataset, fields: readonly string[]): HTMLElement {
  const rows = fields.map((name) => {
    const column = Object.hasOwn(dataset.columns, name) ? dataset.columns[name] : undefined
    const unit = unitText(column, language)
    return make(
      'tr',
      {},
      make('th', { scope: 'row' }, make('code', {}, name)),
      make('td', {}, column?.kind ?? '?'),
      make('td', {}, unit ?? ''),
      make('td', { class: 'prose' }, ...rich(columnMeaning(dataset, name, language) ?? say('unknownColumn'))),
    )
  })
  const titles = (['column', 'kind', 'unit', 'meaning'] as const).map((word) => make('th', { scope: 'col' }, say(word)))
  const table = make('table', {}, make('thead', {}, make('tr', {}, ...titles)), make('tbody', {}, ...rows))
  const wide = make('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': say('columns') }, table)
  return make('details', { class: 'columns' }, make('summary', {}, say('columns')), wide)
}

function headOf({ say, language }: Context, dataset: Dataset, fields: readonly string[]): HTMLElement {
  const hasUnits = fields.some((name) => dataset.columns[name]?.unit !== undefined)
  const cells = fields.map((name) => {
    const column = Object.hasOwn(dataset.columns, name) ? dataset.columns[name] : undefined
    const unit = unitText(column, language)
    const title = [
      columnMeaning(dataset, name, language)?.replaceAll('`', '') ?? say('unknownColumn'),
      unit && `(${unit})`,
    ]
    return make(
      'th',
      { scope: 'col', class: cellClass(column), title: title.filter(Boolean).join(' ') },
      make('span', {}, name),
      hasUnits && make('small', {}, unit ?? '\u00a0'),
    )
  })
  return make('thead', {}, make('tr', {}, ...cells))
}

/** For each column of numbers, the most digits after the point. */
function decimals(fields: readonly string[], items: readonly (readonly unknown[])[]): number[] {
  return fields.map((_, i) =>
    items.reduce((most, row) => {
      const text = numberText(row[i])
      return text === undefined ? most : Math.max(most, Math.min(8, decimalsOf(text)))
    }, 0),
  )
}

function rowOf(
  row: readonly unknown[],
  dataset: Dataset,
  fields: readonly string[],
  most: readonly number[],
): HTMLElement {
  const cells = fields.map((name, i) => {
    const column = Object.hasOwn(dataset.columns, name) ? dataset.columns[name] : undefined
    const cell = make('td', { class: cellClass(column) }, cellContent(row[i], column))
    const text = numberText(row[i])
    if (text === undefined || !most[i]) return cell
    const own = Math.min(8, decimalsOf(text))
    const short = most[i] - own + (own === 0 ? 1 : 0)
    if (short > 0) cell.style.paddingRight = `calc(var(--cell) + ${short}ch)`
    return cell
  })
  return make('tr', {}, ...cells)
}

/** Rows as a table, a hundred at a time. */
export function tableView(
  context: Context,
  dataset: Dataset,
  fields: readonly string[],
  items: readonly (readonly unknown[])[],
): HTMLElement {
  const { say } = context
  const most = decimals(fields, items)
  const body = make('tbody')
  const where = make('span', { class: 'where', role: 'status' })
  const last = Math.max(0, Math.ceil(items.length / pageRows) - 1)
  let at = 0
  const turn = (page: number): void => {
    at = Math.min(last, Math.max(0, page))
    const from = at * pageRows
    const rows = items.slice(from, from + pageRows)
    body.replaceChildren(...rows.map((row) => rowOf(row, dataset, fields, most)))
    where.textContent = say('rowsShown', { from: from + 1, to: from + rows.length, count: items.length })
    for (const [i, move] of moves.entries()) move.disabled = i < 2 ? at === 0 : at === last
  }
  const moves = [
    button('«', () => turn(0), { 'aria-label': say('first') }),
    button('‹', () => turn(at - 1), { 'aria-label': say('previous') }),
    button('›', () => turn(at + 1), { 'aria-label': say('next') }),
    button('»', () => turn(last), { 'aria-label': say('last') }),
  ]
  turn(0)
  const table = make('table', { class: 'rows' }, headOf(context, dataset, fields), body)
  const wide = make('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': say('table') }, table)
  const pager = items.length > pageRows && make('div', { class: 'pager' }, ...moves, where)
  return make('div', {}, pager, wide, columnList(context, dataset, fields))
}
