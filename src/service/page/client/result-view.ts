import type { Column } from '../../../contract/column.js'
import type { Dataset } from '../../../contract/dataset.js'
import { type ApiCall, type HttpReply, missingRows, type Outcome, readOutcome } from './api-call.js'
import { chartRule } from './chart-data.js'
import { chartView } from './chart-view.js'
import { button, type Child, make, outsideLink, scrollingTable, type Tab, tabs, withCode } from './dom.js'
import { type Instead, indented, isLongNumber } from './json-text.js'
import { cellClass, decimalsOf, numberText, plainText } from './page-cell.js'
import { columnMeaning, contractColumn, type PageContext, type TextKey, unitText } from './page-text.js'
import { callText } from './snippet.js'

type Row = readonly unknown[]

/** What the result section shows. */
export type ResultState =
  | { readonly kind: 'nothing' | 'sending' | 'cancelled' | 'unreachable' }
  | { readonly kind: 'answer'; readonly call: ApiCall; readonly received: HttpReply; readonly outcome: Outcome }

export function answerState(call: ApiCall, received: HttpReply): ResultState {
  return { kind: 'answer', call, received, outcome: readOutcome(call.dataset, received) }
}

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
  const shown = isJson
    ? indented(text, maxJsonLength, instead)
    : { text: masked(text.slice(0, maxJsonLength), apikey), whole: text.length <= maxJsonLength }
  const note = !shown.whole && make('p', { class: 'note' }, t('cut', { shown: shown.text.length, count: text.length }))
  const buttons = make(
    'div',
    { class: 'row' },
    button(t('download'), () => download(`${dataset.name}.json`, text)),
    secrets.length > 0 && make('small', {}, t('downloadSecret')),
  )
  const pre = make('pre', { class: 'json', tabindex: 0, role: 'region', 'aria-label': t('json') }, shown.text)
  return make('div', {}, buttons, note, pre)
}

const maxCellLength = 320

/** What a cell shows: numbers with their points below each other, links as links, long texts to be opened, null as a dash. */
function cellContent(value: unknown, column: Column | undefined): HTMLElement | string {
  if (value === null || value === undefined) return make('span', { class: 'null', title: 'null' }, '—')
  const number = numberText(value)
  if (number !== undefined) return number
  const text = plainText(value)
  if (column?.kind === 'text' && /^https?:\/\//i.test(text)) {
    const bare = text.replace(/^https?:\/\/(www\.)?/i, '')
    return outsideLink(text, bare.length > 36 ? `${bare.slice(0, 35)}…` : bare)
  }
  if (text.length <= maxCellLength) return text
  return make('details', { class: 'long' }, make('summary', {}, `${text.slice(0, 120)}…`), make('div', {}, text))
}

/** A credential: dots until it is asked for, then the text, until it is hidden again. */
function secretValue({ t }: PageContext, text: string): HTMLElement {
  const shown = make('code', { class: 'secret' }, hiddenText)
  const press = (): void => {
    const isOpen = toggle.getAttribute('aria-pressed') === 'true'
    shown.textContent = isOpen ? hiddenText : text
    toggle.textContent = t(isOpen ? 'reveal' : 'hide')
    toggle.setAttribute('aria-pressed', String(!isOpen))
  }
  const toggle = button(t('reveal'), press, { 'aria-pressed': 'false' })
  return make('span', { class: 'row' }, shown, toggle)
}

function nestedValue(value: object): HTMLElement {
  const text = JSON.stringify(value, (_, part: unknown) => (isLongNumber(part) ? part.digits : part))
  const pretty = indented(text, 50_000).text
  const pre = make('pre', { class: 'json', tabindex: 0 }, pretty)
  if (pretty.split('\n').length <= 6) return pre
  const size = Array.isArray(value) ? `[ ${value.length} ]` : `{ ${Object.keys(value).join(', ').slice(0, 60)} }`
  return make('details', {}, make('summary', {}, make('code', {}, size)), pre)
}

function recordValue(context: PageContext, value: unknown, column: Column | undefined): HTMLElement | string {
  if (column?.secret && typeof value === 'string' && value !== '') return secretValue(context, value)
  const isNested = typeof value === 'object' && value !== null && numberText(value) === undefined
  return isNested ? nestedValue(value) : cellContent(value, column)
}

function headCells({ t }: PageContext, words: readonly TextKey[]): HTMLElement[] {
  return words.map((word) => make('th', { scope: 'col' }, t(word)))
}

function meaningCells({ t, language }: PageContext, dataset: Dataset, name: string): Child[] {
  return withCode(columnMeaning(dataset, name, language) ?? t('unknownColumn'))
}

/** One record, a row for each of its values. */
function recordView(context: PageContext, dataset: Dataset, fields: readonly string[], row: Row): HTMLElement {
  const { t, language } = context
  const rows = fields.map((name, i) => {
    const column = contractColumn(dataset, name)
    const unit = numberText(row[i]) === undefined ? undefined : unitText(column, language)
    return make(
      'tr',
      {},
      make('th', { scope: 'row' }, make('code', {}, name)),
      make(
        'td',
        { class: 'value' },
        recordValue(context, row[i], column),
        unit !== undefined && make('small', {}, ` ${unit}`),
      ),
      make('td', { class: 'prose meaning' }, ...meaningCells(context, dataset, name)),
    )
  })
  const head = headCells(context, ['column', 'value', 'meaning'])
  return scrollingTable(t('record'), { class: 'record' }, head, make('tbody', {}, ...rows))
}

/** What the columns mean: name, kind, unit, meaning. */
function columnList(context: PageContext, dataset: Dataset, fields: readonly string[]): HTMLElement {
  const { t, language } = context
  const rows = fields.map((name) => {
    const column = contractColumn(dataset, name)
    return make(
      'tr',
      {},
      make('th', { scope: 'row' }, make('code', {}, name)),
      make('td', {}, column?.kind ?? '?'),
      make('td', {}, unitText(column, language) ?? ''),
      make('td', { class: 'prose' }, ...meaningCells(context, dataset, name)),
    )
  })
  const head = headCells(context, ['column', 'kind', 'unit', 'meaning'])
  const table = scrollingTable(t('columns'), {}, head, make('tbody', {}, ...rows))
  return make('details', { class: 'columns' }, make('summary', {}, t('columns')), table)
}

function columnHeads({ t, language }: PageContext, dataset: Dataset, fields: readonly string[]): HTMLElement[] {
  const hasUnits = fields.some((name) => dataset.columns[name]?.unit !== undefined)
  return fields.map((name) => {
    const column = contractColumn(dataset, name)
    const unit = unitText(column, language)
    const meaning = columnMeaning(dataset, name, language)?.replaceAll('`', '') ?? t('unknownColumn')
    return make(
      'th',
      { scope: 'col', class: cellClass(column), title: unit ? `${meaning} (${unit})` : meaning },
      make('span', {}, name),
      hasUnits && make('small', {}, unit ?? '\u00a0'),
    )
  })
}

const maxDecimals = 8

/** For each column of numbers, the most digits after the point. */
function mostDecimals(fields: readonly string[], items: readonly Row[]): number[] {
  return fields.map((_, i) =>
    items.reduce((most, row) => {
      const text = numberText(row[i])
      return text === undefined ? most : Math.max(most, Math.min(maxDecimals, decimalsOf(text)))
    }, 0),
  )
}

function tableRow(row: Row, columns: readonly (Column | undefined)[], decimals: readonly number[]): HTMLElement {
  const cells = columns.map((column, i) => {
    const cell = make('td', { class: cellClass(column) }, cellContent(row[i], column))
    const text = numberText(row[i])
    if (text === undefined || !decimals[i]) return cell
    const own = Math.min(maxDecimals, decimalsOf(text))
    const short = decimals[i] - own + (own === 0 ? 1 : 0)
    if (short > 0) cell.style.paddingRight = `calc(var(--cell) + ${short}ch)`
    return cell
  })
  return make('tr', {}, ...cells)
}

const pageRows = 100

/** Rows as a table, a hundred at a time. */
function tableView(
  context: PageContext,
  dataset: Dataset,
  fields: readonly string[],
  items: readonly Row[],
): HTMLElement {
  const { t } = context
  const columns = fields.map((name) => contractColumn(dataset, name))
  const decimals = mostDecimals(fields, items)
  const body = make('tbody')
  const where = make('span', { class: 'where', role: 'status' })
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
  const table = scrollingTable(t('table'), { class: 'rows' }, columnHeads(context, dataset, fields), body)
  const pager = items.length > pageRows && make('div', { class: 'pager' }, ...moves, where)
  return make('div', {}, pager, table, columnList(context, dataset, fields))
}

const refusalTitles: Readonly<Record<number, TextKey>> = {
  403: 'forbidden',
  422: 'invalid',
  429: 'tooMany',
  503: 'unavailable',
}
const stateTexts = {
  nothing: 'nothingYet',
  sending: 'sending',
  cancelled: 'cancelled',
  unreachable: 'unreachable',
} as const

/** One clear line: the code, what it means, how much came and how long it took. */
export function resultLine({ t }: PageContext, shown: ResultState, apikey: string): HTMLElement {
  if (shown.kind !== 'answer') {
    const look = shown.kind === 'unreachable' ? 'outcome bad' : 'outcome quiet'
    return make('p', { class: look }, t(stateTexts[shown.kind]))
  }
  const { received, outcome } = shown
  const rows = outcome.kind === 'content' ? outcome.content.items.length : undefined
  const sizes = make(
    'span',
    { class: 'sizes' },
    rows !== undefined && t(rows === 1 ? 'oneRow' : 'rows', { count: rows }),
    make('span', {}, t('bytes', { count: received.bytes })),
    make('span', {}, t('milliseconds', { count: received.milliseconds })),
  )
  const line = (look: 'good' | 'quiet' | 'bad', words: string): HTMLElement => {
    const badge = 'code' in outcome && make('strong', { class: 'code' }, String(outcome.code))
    return make('p', { class: `outcome ${look}` }, badge, make('span', { class: 'words' }, words), sizes)
  }
  if (outcome.kind === 'broken') {
    const text = t(outcome.what, { status: received.status })
    return line('bad', outcome.message === '' ? text : `${text}: ${outcome.message}`)
  }
  const message = masked(outcome.message, apikey)
  if (outcome.kind === 'content') return line('good', message)
  if (outcome.kind === 'none') return line('quiet', `${message} · ${t('noRows')}`)
  const title = received.status === 429 ? 'tooMany' : (refusalTitles[outcome.code] ?? 'failed')
  return line('bad', `${outcome.inner ? `${t('fileResult')}: ` : ''}${t(title)} · ${message}`)
}

/** What stands in `data` beside the rows: count, view, meta, total, limit, offset. */
function metadataView(metadata: Readonly<Record<string, unknown>>): HTMLElement | undefined {
  const entries = Object.entries(metadata).flatMap(([name, value]): (readonly [string, unknown])[] =>
    name === 'groups' ? [] : name === 'meta' && value ? Object.entries(value) : [[name, value]],
  )
  if (entries.length === 0) return undefined
  const items = entries.map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return make('div', {}, make('dt', {}, name), make('dd', {}, text))
  })
  return make('dl', { class: 'metadata' }, ...items)
}

/** Where an answer comes from, and what its reader should know first. */
function originView({ t }: PageContext, { dataset }: ApiCall, { origin }: HttpReply): HTMLElement[] {
  if (!origin) return []
  const { name, about, partial = [] } = origin
  const words = [name === undefined ? '' : t('archive', { name }), about ?? ''].filter((part) => part !== '')
  const line = make('p', { class: about === undefined ? 'origin' : 'origin short' }, words.join(' · '))
  return partial.includes(dataset.name) ? [line, make('p', { class: 'short' }, t('partial'))] : [line]
}

/** The answer itself: table or record, chart, JSON. `chosen`: the tab that was open before. */
export function resultBody(
  context: PageContext,
  shown: ResultState,
  apikey: string,
  chosen: string | undefined,
  choose: (id: string) => void,
): HTMLElement | undefined {
  if (shown.kind !== 'answer') return undefined
  const { t } = context
  const { call, received, outcome } = shown
  const { dataset } = call
  const isJson = outcome.kind !== 'broken' || outcome.what !== 'notJson'
  const about: Child[] = []
  const views: Tab[] = []
  if (outcome.kind === 'content') {
    const { fields, items, beside } = outcome.content
    const view = (id: TextKey, open: () => HTMLElement): Tab => ({ id, title: t(id), open })
    const record = (): HTMLElement => recordView(context, dataset, fields, items[0] ?? [])
    if (dataset.shape === 'object') views.push({ ...view('record', record), id: 'table' })
    else views.push(view('table', () => tableView(context, dataset, fields, items)))
    if (chartRule(dataset)) views.push(view('chart', () => chartView(context, dataset, fields, items)))
    const missing = missingRows(call, outcome.content)
    const note = missing && make('p', { class: 'short' }, t(missing.word, { ...missing }))
    about.push(...originView(context, call, received), note, metadataView(beside))
  }
  if (received.text !== '') {
    const open = (): HTMLElement => jsonView(context, dataset, received.text, isJson, apikey)
    views.push({ id: 'json', title: t('json'), open })
  }
  const sent = make('p', { class: 'call-text' }, make('code', {}, callText(call)))
  return make('div', {}, sent, ...about, views.length > 0 && tabs(t('result'), views, chosen, choose))
}
