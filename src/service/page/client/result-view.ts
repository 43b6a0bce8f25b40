import type { Column } from '../../../contract/column.js'
import type { Dataset } from '../../../contract/dataset.js'
import { type ApiCall, type HttpReply, missingRows, type Outcome, readOutcome } from './api-call.js'
import { cellClass, decimalsOf, numberText, plainText } from './cell-text.js'
import { chartRule } from './chart-data.js'
import { chartView } from './chart-view.js'
import { button, make, outsideLink, withCode } from './dom.js'
import { type Instead, indented, isLongNumber } from './json-text.js'
import { columnMeaning, type PageContext, type TextKey, unitText } from './page-text.js'
import { callText } from './snippet.js'
import { type Tab, tabs } from './tabs.js'

const most = 100_000
const hidden = '"••••••••"'

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = make('a', { href: address, download: name })
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/** The answer as it came, indented; a big one in part. Credentials are dots here, and whole in the file. */
export function jsonView(
  { say }: PageContext,
  dataset: Dataset,
  text: string,
  isJson: boolean,
  apikey: string,
): HTMLElement {
  const secrets = Object.keys(dataset.columns).filter((name) => dataset.columns[name]?.secret)
  const instead: Instead = (name, value) => {
    if (secrets.some((secret) => name === `"${secret}"`)) return value === '""' ? value : hidden
    return name === '"message"' ? masked(value, apikey) : undefined
  }
  const plain = { text: masked(text.slice(0, most), apikey), whole: text.length <= most }
  const pretty = isJson ? indented(text, most, instead) : plain
  const note =
    !pretty.whole && make('p', { class: 'note' }, say('cut', { shown: pretty.text.length, count: text.length }))
  const buttons = make(
    'div',
    { class: 'row' },
    button(say('download'), () => download(`${dataset.name}.json`, text)),
    secrets.length > 0 && make('small', {}, say('downloadSecret')),
  )
  const pre = make('pre', { class: 'json', tabindex: 0, role: 'region', 'aria-label': say('json') }, pretty.text)
  return make('div', {}, buttons, note, pre)
}

/** A text of the service without the caller's key, should it repeat it. */
export function masked(text: string, apikey: string): string {
  return apikey.length < 8 ? text : text.replaceAll(apikey, '<API_KEY>')
}

const long = 320

/** What a cell shows: numbers with their points below each other, links as links, long texts to be opened, null as a dash. */
export function cellContent(value: unknown, column: Column | undefined): HTMLElement | string {
  if (value === null || value === undefined) return make('span', { class: 'null', title: 'null' }, '—')
  const number = numberText(value)
  if (number !== undefined) return number
  const text = plainText(value)
  if (column?.kind === 'text' && /^https?:\/\//i.test(text)) {
    const bare = text.replace(/^https?:\/\/(www\.)?/i, '')
    return outsideLink(text, bare.length > 36 ? `${bare.slice(0, 35)}…` : bare)
  }
  if (text.length <= long) return text
  return make('details', { class: 'long' }, make('summary', {}, `${text.slice(0, 120)}…`), make('div', {}, text))
}

/** A credential: dots until it is asked for, then the text, until it is hidden again. */
function secretValue({ say }: PageContext, text: string): HTMLElement {
  const shown = make('code', { class: 'secret' }, '••••••••')
  const press = (): void => {
    const isOpen = toggle.getAttribute('aria-pressed') === 'true'
    shown.textContent = isOpen ? '••••••••' : text
    toggle.textContent = say(isOpen ? 'reveal' : 'hide')
    toggle.setAttribute('aria-pressed', String(!isOpen))
  }
  const toggle = button(say('reveal'), press, { 'aria-pressed': 'false' })
  return make('span', { class: 'row' }, shown, toggle)
}

function nested(value: object): HTMLElement {
  const text = JSON.stringify(value, (_, part: unknown) => (isLongNumber(part) ? part.digits : part))
  const pretty = indented(text, 50_000).text
  const lines = pretty.split('\n').length
  const pre = make('pre', { class: 'json', tabindex: 0 }, pretty)
  if (lines <= 6) return pre
  const size = Array.isArray(value) ? `[ ${value.length} ]` : `{ ${Object.keys(value).join(', ').slice(0, 60)} }`
  return make('details', {}, make('summary', {}, make('code', {}, size)), pre)
}

/** One record, a row for each of its values. */
export function recordView(
  context: PageContext,
  dataset: Dataset,
  fields: readonly string[],
  row: readonly unknown[],
): HTMLElement {
  const { say, language } = context
  const rows = fields.map((name, i) => {
    const column = Object.hasOwn(dataset.columns, name) ? dataset.columns[name] : undefined
    const value = row[i]
    const unit = unitText(column, language)
    const isNested = typeof value === 'object' && value !== null && numberText(value) === undefined
    const shown =
      column?.secret && typeof value === 'string' && value !== ''
        ? secretValue(context, value)
        : isNested
          ? nested(value)
          : cellContent(value, column)
    const isNumber = numberText(value) !== undefined
    return make(
      'tr',
      {},
      make('th', { scope: 'row' }, make('code', {}, name)),
      make('td', { class: 'value' }, shown, isNumber && unit !== undefined && make('small', {}, ` ${unit}`)),
      make(
        'td',
        { class: 'prose meaning' },
        ...withCode(columnMeaning(dataset, name, language) ?? say('unknownColumn')),
      ),
    )
  })
  const titles = (['column', 'value', 'meaning'] as const).map((word) => make('th', { scope: 'col' }, say(word)))
  const table = make(
    'table',
    { class: 'record' },
    make('thead', {}, make('tr', {}, ...titles)),
    make('tbody', {}, ...rows),
  )
  return make('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': say('record') }, table)
}

const pageRows = 100

/** What the columns mean: name, kind, unit, meaning. */
export function columnList({ say, language }: PageContext, dataset: Dataset, fields: readonly string[]): HTMLElement {
  const rows = fields.map((name) => {
    const column = Object.hasOwn(dataset.columns, name) ? dataset.columns[name] : undefined
    const unit = unitText(column, language)
    return make(
      'tr',
      {},
      make('th', { scope: 'row' }, make('code', {}, name)),
      make('td', {}, column?.kind ?? '?'),
      make('td', {}, unit ?? ''),
      make('td', { class: 'prose' }, ...withCode(columnMeaning(dataset, name, language) ?? say('unknownColumn'))),
    )
  })
  const titles = (['column', 'kind', 'unit', 'meaning'] as const).map((word) => make('th', { scope: 'col' }, say(word)))
  const table = make('table', {}, make('thead', {}, make('tr', {}, ...titles)), make('tbody', {}, ...rows))
  const wide = make('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': say('columns') }, table)
  return make('details', { class: 'columns' }, make('summary', {}, say('columns')), wide)
}

function headOf({ say, language }: PageContext, dataset: Dataset, fields: readonly string[]): HTMLElement {
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
  context: PageContext,
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

/** What the result section shows. */
export type ResultState =
  | { readonly kind: 'nothing' | 'sending' | 'cancelled' | 'unreachable' }
  | { readonly kind: 'answer'; readonly call: ApiCall; readonly received: HttpReply; readonly verdict: Outcome }

export function answerState(call: ApiCall, received: HttpReply): ResultState {
  return { kind: 'answer', call, received, verdict: readOutcome(call.dataset, received) }
}

const titles: Readonly<Record<number, TextKey>> = {
  403: 'forbidden',
  422: 'invalid',
  429: 'tooMany',
  503: 'unavailable',
}

function titleOf(code: number, received: HttpReply): TextKey {
  return received.status === 429 ? 'tooMany' : (titles[code] ?? 'failed')
}

/** One clear line: the code, what it means, how much came and how long it took. */
export function resultLine({ say }: PageContext, shown: ResultState, apikey: string): HTMLElement {
  if (shown.kind !== 'answer') {
    const words = {
      nothing: 'nothingYet',
      sending: 'sending',
      cancelled: 'cancelled',
      unreachable: 'unreachable',
    } as const
    const look = shown.kind === 'unreachable' ? 'verdict bad' : 'verdict quiet'
    return make('p', { class: look }, say(words[shown.kind]))
  }
  const { received, verdict } = shown
  const sizes = make(
    'span',
    { class: 'sizes' },
    verdict.kind === 'content' &&
      say(verdict.content.items.length === 1 ? 'oneRow' : 'rows', { count: verdict.content.items.length }),
    make('span', {}, say('bytes', { count: received.bytes })),
    make('span', {}, say('milliseconds', { count: received.milliseconds })),
  )
  if (verdict.kind === 'broken') {
    const text = say(verdict.what, { status: received.status })
    const why = verdict.message === '' ? '' : `: ${verdict.message}`
    return make('p', { class: 'verdict bad' }, make('span', { class: 'words' }, text + why), sizes)
  }
  const badge = make('strong', { class: 'code' }, String(verdict.code))
  const message = masked(verdict.message, apikey)
  if (verdict.kind === 'content')
    return make('p', { class: 'verdict good' }, badge, make('span', { class: 'words' }, message), sizes)
  if (verdict.kind === 'none')
    return make(
      'p',
      { class: 'verdict quiet' },
      badge,
      make('span', { class: 'words' }, `${message} · ${say('noRows')}`),
      sizes,
    )
  const inner = verdict.inner ? `${say('fileResult')}: ` : ''
  const words = `${inner}${say(titleOf(verdict.code, received))} · ${message}`
  return make('p', { class: 'verdict bad' }, badge, make('span', { class: 'words' }, words), sizes)
}

/** What stands in `data` beside the rows: count, view, meta, total, limit, offset. */
function besideView(beside: Readonly<Record<string, unknown>>): HTMLElement | undefined {
  const parts = Object.entries(beside).flatMap(([name, value]): (readonly [string, unknown])[] =>
    name === 'groups' ? [] : name === 'meta' && value ? Object.entries(value) : [[name, value]],
  )
  if (parts.length === 0) return undefined
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
  return make(
    'dl',
    { class: 'beside' },
    ...parts.map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, text(value)))),
  )
}

/** Where an answer comes from, and what its reader should know first. */
function originView({ say }: PageContext, { dataset }: ApiCall, { origin }: HttpReply): HTMLElement[] {
  if (!origin) return []
  const { name, about, partial = [] } = origin
  const words = [name === undefined ? '' : say('archive', { name }), about ?? ''].filter((part) => part !== '')
  return [
    make('p', { class: about === undefined ? 'origin' : 'origin short' }, words.join(' · ')),
    ...(partial.includes(dataset.name) ? [make('p', { class: 'short' }, say('partial'))] : []),
  ]
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
  const { say } = context
  const { call, received, verdict } = shown
  const { dataset } = call
  const isJson = verdict.kind !== 'broken' || verdict.what !== 'notJson'
  const asked = make('p', { class: 'asked' }, make('code', {}, callText(call)))
  const all: Tab[] = []
  let note: HTMLElement | false = false
  let beside: HTMLElement | undefined
  let origin: HTMLElement[] = []
  if (verdict.kind === 'content') {
    const { fields, items } = verdict.content
    const isRecord = dataset.shape === 'object'
    all.push({
      id: 'table',
      title: say(isRecord ? 'record' : 'table'),
      open: () =>
        isRecord ? recordView(context, dataset, fields, items[0] ?? []) : tableView(context, dataset, fields, items),
    })
    if (chartRule(dataset))
      all.push({ id: 'chart', title: say('chart'), open: () => chartView(context, dataset, fields, items) })
    const short = missingRows(call, verdict.content)
    note = short !== undefined && make('p', { class: 'short' }, say(short.word, { ...short }))
    beside = besideView(verdict.content.beside)
    origin = originView(context, call, received)
  }
  if (received.text !== '') {
    all.push({ id: 'json', title: say('json'), open: () => jsonView(context, dataset, received.text, isJson, apikey) })
  }
  return make('div', {}, asked, ...origin, note, beside, all.length > 0 && tabs(say('result'), all, chosen, choose))
}
