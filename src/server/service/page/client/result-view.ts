import type { Column } from '../../../contract/column.js'
import type { Dataset } from '../../../contract/dataset.js'
import { columnMeaning, contractColumn, unitText } from '../../../contract/language.js'
import { type ApiCall, type HttpReply, missingRows, type Outcome } from './api-call.js'
import { chartRule } from './chart-data.js'
import { chartView } from './chart-view.js'
import {
  button,
  type Child,
  make,
  outsideLink,
  scrollingTable,
  type Tab,
  type TabChoice,
  tabs,
  withCode,
} from './dom.js'
import { type Instead, indented } from './json-text.js'
import { cellClass, decimalsOf, jsonOf, numberText, plainText } from './page-cell.js'
import type { PageContext, TextKey } from './page-text.js'
import { callText } from './snippet.js'

type Row = readonly unknown[]

/** What the result section shows. */
export type ResultState =
  | { readonly kind: 'nothing' | 'sending' | 'cancelled' | 'unreachable' }
  | { readonly kind: 'answer'; readonly call: ApiCall; readonly received: HttpReply; readonly outcome: Outcome }

const maxJsonLength = 100_000
const hiddenText = '••••••••'

/** A text of the service without the caller's key, should it repeat it. */
function masked(text: string, apikey: string): string {
  return apikey.length < 8 ? text : text.replaceAll(apikey, '<API_KEY>')
}

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = make('a', { href: address, download: name })
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/** The answer as it came, indented; a big one in part. Credentials are dots here, and whole in the file. */
function jsonView({ t }: PageContext, dataset: Dataset, text: string, isJson: boolean, apikey: string): HTMLElement {
  const secrets = Object.keys(dataset.columns).filter((name) => dataset.columns[name]?.secret)
  const instead: Instead = (name, value) => {
    if (secrets.some((secret) => name === `"${secret}"`)) return value === '""' ? value : `"${hiddenText}"`
    return name === '"message"' ? masked(value, apikey) : undefined
  }
  const part = isJson
    ? indented(text, maxJsonLength, instead)
    : { text: masked(text.slice(0, maxJsonLength), apikey), whole: text.length <= maxJsonLength }
  const whole = button(t('download'), () => download(`${dataset.name}.json`, text))
  return make(
    'div',
    make('div.row', whole, secrets.length > 0 && make('small', t('downloadSecret'))),
    !part.whole && make('p.note', t('cut', { shown: part.text.length, count: text.length })),
    make('pre.json', { tabindex: 0, role: 'region', 'aria-label': t('json') }, part.text),
  )
}

const maxCellLength = 320

/** What a cell shows: numbers with their points below each other, links as links, long texts to be opened, null as a dash. */
function cellContent(value: unknown, column: Column | undefined): HTMLElement | string {
  if (value === null || value === undefined) return make('span.null', { title: 'null' }, '—')
  const number = numberText(value)
  if (number !== undefined) return number
  const text = plainText(value)
  if (column?.kind === 'text' && /^https?:\/\//i.test(text)) {
    const bare = text.replace(/^https?:\/\/(www\.)?/i, '')
    return outsideLink(text, bare.length > 36 ? `${bare.slice(0, 35)}…` : bare)
  }
  if (text.length <= maxCellLength) return text
  return make('details.long', make('summary', `${text.slice(0, 120)}…`), make('div', text))
}

/** A credential: dots until it is asked for, then the text, until it is hidden again. */
function secretValue({ t }: PageContext, text: string): HTMLElement {
  const code = make('code.secret', hiddenText)
  const press = (): void => {
    const isOpen = toggle.getAttribute('aria-pressed') === 'true'
    code.textContent = isOpen ? hiddenText : text
    toggle.textContent = t(isOpen ? 'reveal' : 'hide')
    toggle.setAttribute('aria-pressed', String(!isOpen))
  }
  const toggle = button(t('reveal'), press, { 'aria-pressed': 'false' })
  return make('span.row', code, toggle)
}

/** A value of a record; what is nested is JSON, to be opened when it is long. */
function recordValue(context: PageContext, value: unknown, column: Column | undefined): HTMLElement | string {
  if (column?.secret && typeof value === 'string' && value !== '') return secretValue(context, value)
  if (typeof value !== 'object' || value === null || numberText(value) !== undefined) return cellContent(value, column)
  const pretty = indented(jsonOf(value), 50_000).text
  const pre = make('pre.json', { tabindex: 0 }, pretty)
  if (pretty.split('\n').length <= 6) return pre
  const size = Array.isArray(value) ? `[ ${value.length} ]` : `{ ${Object.keys(value).join(', ').slice(0, 60)} }`
  return make('details', make('summary', make('code', size)), pre)
}

/** A column of an answer with what the contract says of it. */
interface AnswerColumn {
  readonly name: string
  /** Undefined, as its meaning is, for a column that the contract does not know. */
  readonly column: Column | undefined
  readonly unit: string | undefined
  readonly meaning: string | undefined
}

function columnsOf({ language }: PageContext, dataset: Dataset, fields: readonly string[]): AnswerColumn[] {
  return fields.map((name) => {
    const column = contractColumn(dataset, name)
    return { name, column, unit: unitText(column, language), meaning: columnMeaning(dataset, name, language) }
  })
}

/** A table of columns, a row for each: its name, some cells, its meaning. */
function columnTable(
  { t }: PageContext,
  selector: 'table' | 'table.record',
  words: readonly TextKey[],
  columns: readonly AnswerColumn[],
  cellsOf: (column: AnswerColumn, index: number) => Child,
): HTMLElement {
  const [label = 'columns', ...titles] = words
  const rows = columns.map((column, i) => {
    const meaning = make('td.prose', withCode(column.meaning ?? t('unknownColumn')))
    if (selector === 'table.record') meaning.classList.add('meaning')
    return make('tr', make('th', { scope: 'row' }, make('code', column.name)), cellsOf(column, i), meaning)
  })
  const head = titles.map((word) => make('th', { scope: 'col' }, t(word)))
  return scrollingTable(t(label), selector, head, make('tbody', rows))
}

/** One record, a row for each of its values. */
function recordView(context: PageContext, columns: readonly AnswerColumn[], row: Row): HTMLElement {
  const words = ['record', 'column', 'value', 'meaning'] as const
  return columnTable(context, 'table.record', words, columns, ({ column, unit }, i) => {
    const small = unit !== undefined && numberText(row[i]) !== undefined && make('small', ` ${unit}`)
    return make('td.value', recordValue(context, row[i], column), small)
  })
}

/** What the columns mean: name, kind, unit, meaning. */
function columnList(context: PageContext, columns: readonly AnswerColumn[]): HTMLElement {
  const words = ['columns', 'column', 'kind', 'unit', 'meaning'] as const
  const table = columnTable(context, 'table', words, columns, ({ column, unit }) => [
    make('td', column?.kind ?? '?'),
    make('td', unit ?? ''),
  ])
  return make('details.columns', make('summary', context.t('columns')), table)
}

function columnHeads({ t }: PageContext, columns: readonly AnswerColumn[]): HTMLElement[] {
  const hasUnits = columns.some(({ unit }) => unit !== undefined)
  return columns.map(({ name, column, unit, meaning }) => {
    const words = meaning?.replaceAll('`', '') ?? t('unknownColumn')
    const attributes = { scope: 'col', class: cellClass(column), title: unit ? `${words} (${unit})` : words }
    return make('th', attributes, make('span', name), hasUnits && make('small', unit ?? '\u00a0'))
  })
}

const maxDecimals = 8

/** Digits after the point of a cell, as far as they are lined up; undefined for anything but a number. */
function shownDecimals(cell: unknown): number | undefined {
  const text = numberText(cell)
  return text === undefined ? undefined : Math.min(maxDecimals, decimalsOf(text))
}

/** A row of a table. `decimals`: the most digits after the point of each column. */
function tableRow(row: Row, columns: readonly AnswerColumn[], decimals: readonly number[]): HTMLElement {
  const cells = columns.map(({ column }, i) => {
    const cell = make('td', { class: cellClass(column) }, cellContent(row[i], column))
    const own = shownDecimals(row[i])
    if (own === undefined || !decimals[i]) return cell
    const short = decimals[i] - own + (own === 0 ? 1 : 0)
    if (short > 0) cell.style.paddingRight = `calc(var(--cell) + ${short}ch)`
    return cell
  })
  return make('tr', cells)
}

const pageRows = 100

/** Rows as a table, a hundred at a time. */
function tableView(context: PageContext, columns: readonly AnswerColumn[], items: readonly Row[]): HTMLElement {
  const { t } = context
  const decimals = columns.map((_, i) => items.reduce((most, row) => Math.max(most, shownDecimals(row[i]) ?? 0), 0))
  const body = make('tbody')
  const where = make('span.where', { role: 'status' })
  const last = Math.max(0, Math.ceil(items.length / pageRows) - 1)
  let page = 0
  const turnTo = (target: number): void => {
    page = Math.min(last, Math.max(0, target))
    const from = page * pageRows
    const rows = items.slice(from, from + pageRows)
    body.replaceChildren(...rows.map((row) => tableRow(row, columns, decimals)))
    where.textContent = t('rowsShown', { from: from + 1, to: from + rows.length, count: items.length })
    for (const [i, move] of moves.entries()) move.disabled = i < 2 ? page === 0 : page === last
  }
  const moves = [
    button('«', () => turnTo(0), { 'aria-label': t('first') }),
    button('‹', () => turnTo(page - 1), { 'aria-label': t('previous') }),
    button('›', () => turnTo(page + 1), { 'aria-label': t('next') }),
    button('»', () => turnTo(last), { 'aria-label': t('last') }),
  ]
  turnTo(0)
  const pager = items.length > pageRows && make('div.pager', moves, where)
  const table = scrollingTable(t('table'), 'table.rows', columnHeads(context, columns), body)
  return make('div', pager, table, columnList(context, columns))
}

const refusalTitles: Readonly<Record<number, TextKey>> = {
  403: 'forbidden',
  422: 'invalid',
  429: 'tooMany',
  503: 'unavailable',
}

/** How an answer is to be taken, in words. */
function outcomeWords(
  { t }: PageContext,
  { status }: HttpReply,
  outcome: Outcome,
  apikey: string,
): readonly [look: 'good' | 'quiet' | 'bad', words: string] {
  if (outcome.kind === 'broken') {
    const text = t(outcome.what, { status })
    return ['bad', outcome.message === '' ? text : `${text}: ${outcome.message}`]
  }
  const message = masked(outcome.message, apikey)
  if (outcome.kind === 'content') return ['good', message]
  if (outcome.kind === 'none') return ['quiet', `${message} · ${t('noRows')}`]
  const title = status === 429 ? 'tooMany' : (refusalTitles[outcome.code] ?? 'failed')
  return ['bad', `${outcome.inner ? `${t('fileResult')}: ` : ''}${t(title)} · ${message}`]
}

/** One clear line: the code, what it means, how much came and how long it took. */
export function resultLine(context: PageContext, result: ResultState, apikey: string): HTMLElement {
  const { t } = context
  const lineOf = (look: string, ...parts: Child[]): HTMLElement => make('p', { class: `outcome ${look}` }, parts)
  if (result.kind !== 'answer') {
    const text = result.kind === 'nothing' ? 'nothingYet' : result.kind
    return lineOf(result.kind === 'unreachable' ? 'bad' : 'quiet', t(text))
  }
  const { received, outcome } = result
  const [look, words] = outcomeWords(context, received, outcome, apikey)
  const count = outcome.kind === 'content' ? outcome.content.items.length : undefined
  const sizes = make(
    'span.sizes',
    count !== undefined && t(count === 1 ? 'oneRow' : 'rows', { count }),
    make('span', t('bytes', { count: received.bytes })),
    make('span', t('milliseconds', { count: received.milliseconds })),
  )
  const badge = 'code' in outcome && make('strong.code', String(outcome.code))
  return lineOf(look, badge, make('span.words', words), sizes)
}

/** What stands in `data` with the rows: count, view, meta, total, limit, offset. */
function metadataView(metadata: Readonly<Record<string, unknown>>): Child {
  const entries = Object.entries(metadata).flatMap(([name, value]): (readonly [string, unknown])[] =>
    name === 'groups' ? [] : name === 'meta' && value ? Object.entries(value) : [[name, value]],
  )
  const items = entries.map(([name, value]) =>
    make('div', make('dt', name), make('dd', typeof value === 'string' ? value : JSON.stringify(value))),
  )
  return items.length > 0 && make('dl.metadata', items)
}

/** Where an answer comes from, and what its reader should know first. */
function originView({ t }: PageContext, dataset: Dataset, { origin }: HttpReply): Child {
  if (!origin) return false
  const { name, about, partial = [] } = origin
  const words = [name === undefined ? '' : t('archive', { name }), about ?? ''].filter((part) => part !== '')
  const line = make('p.origin', words.join(' · '))
  line.classList.toggle('short', about !== undefined)
  return [line, partial.includes(dataset.name) && make('p.short', t('partial'))]
}

/** The answer itself: table or record, chart, JSON. */
export function resultBody(
  context: PageContext,
  result: ResultState,
  apikey: string,
  choice: TabChoice,
): HTMLElement | undefined {
  if (result.kind !== 'answer') return undefined
  const { t } = context
  const { call, received, outcome } = result
  const { dataset } = call
  const about: Child[] = []
  const views: Tab[] = []
  if (outcome.kind === 'content') {
    const { fields, items, beside } = outcome.content
    const columns = columnsOf(context, dataset, fields)
    views.push(
      dataset.shape === 'object'
        ? { id: 'table', title: t('record'), open: () => recordView(context, columns, items[0] ?? []) }
        : { id: 'table', title: t('table'), open: () => tableView(context, columns, items) },
    )
    if (chartRule(dataset)) {
      views.push({ id: 'chart', title: t('chart'), open: () => chartView(context, dataset, fields, items) })
    }
    const missing = missingRows(call, outcome.content)
    const note = missing && make('p.short', t(missing.word, { ...missing }))
    about.push(originView(context, dataset, received), note, metadataView(beside))
  }
  if (received.text !== '') {
    const isJson = outcome.kind !== 'broken' || outcome.what !== 'notJson'
    views.push({ id: 'json', title: t('json'), open: () => jsonView(context, dataset, received.text, isJson, apikey) })
  }
  const sent = make('p.call-text', make('code', callText(call)))
  return make('div', sent, about, views.length > 0 && tabs(t('result'), views, choice))
}
