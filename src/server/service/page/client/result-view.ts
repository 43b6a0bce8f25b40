import type { VNode } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Column } from '../../../../contract/column.js'
import type { Dataset } from '../../../../contract/dataset.js'
import { columnMeaning, contractColumn, unitText } from '../../../../contract/dataset-text.js'
import { type ApiCall, type HttpReply, missingRows, type ReplyOutcome } from './api-call.js'
import { chartRule } from './chart-data.js'
import { ChartView } from './chart-view.js'
import { type Instead, indented } from './json-text.js'
import { filterRows, nextOrder, orderRows, type RowOrder } from './order-rows.js'
import { cellClass, decimalsOf, jsonOf, numberText, plainText } from './page-cell.js'
import type { PageContext, TextKey } from './page-text.js'
import { htm, outsideLink, scrollingTable, type Tab, Tabs, type View, withCode } from './parts.js'
import { callText } from './snippet.js'

type Row = readonly unknown[]

/** What the result section shows. */
export type ResultState =
  | { readonly kind: 'nothing' | 'sending' | 'cancelled' | 'unreachable' }
  | { readonly kind: 'answer'; readonly call: ApiCall; readonly received: HttpReply; readonly outcome: ReplyOutcome }

const maxJsonLength = 100_000
const hiddenText = '••••••••'

/** A text of the service without the caller's key, should it repeat it. */
function masked(text: string, apikey: string): string {
  return apikey.length < 8 ? text : text.replaceAll(apikey, '<API_KEY>')
}

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

interface JsonProps extends PageContext {
  readonly dataset: Dataset
  readonly text: string
  readonly isJson: boolean
  readonly apikey: string
}

/** The answer as it came, indented; a big one in part. Credentials are dots here, and whole in the file. */
function JsonView({ t, dataset, text, isJson, apikey }: JsonProps): VNode {
  const secrets = Object.keys(dataset.columns).filter((name) => dataset.columns[name]?.secret)
  const part = useMemo(() => {
    const instead: Instead = (name, value) => {
      if (secrets.some((secret) => name === `"${secret}"`)) return value === '""' ? value : `"${hiddenText}"`
      return name === '"message"' ? masked(value, apikey) : undefined
    }
    if (isJson) return indented(text, maxJsonLength, instead)
    return { text: masked(text.slice(0, maxJsonLength), apikey), whole: text.length <= maxJsonLength }
  }, [text, apikey])
  return htm`<div>
    <div class="row"><button type="button" onclick=${() => download(`${dataset.name}.json`, text)}>${t('download')}</button>
      ${secrets.length > 0 && htm`<small>${t('downloadSecret')}</small>`}</div>
    ${!part.whole && htm`<p class="note">${t('cut', { shown: part.text.length, count: text.length })}</p>`}
    <pre class="json" tabindex="0" role="group" aria-label=${t('json')}>${part.text}</pre>
  </div>`
}

const maxCellLength = 320

/** What a cell shows: numbers with their points below each other, links as links, long texts to be opened, null as a dash. */
function cellContent(value: unknown, column: Column | undefined): View {
  if (value === null || value === undefined) return htm`<span class="null" title="null">—</span>`
  const number = numberText(value)
  if (number !== undefined) return number
  const text = plainText(value)
  if (column?.kind === 'text' && /^https?:\/\//i.test(text)) {
    const bare = text.replace(/^https?:\/\/(www\.)?/i, '')
    return outsideLink(text, bare.length > 36 ? `${bare.slice(0, 35)}…` : bare)
  }
  if (text.length <= maxCellLength) return text
  return htm`<details class="long"><summary>${text.slice(0, 120)}…</summary><div>${text}</div></details>`
}

/** A credential: dots until it is asked for, then the text, until it is hidden again. */
function Secret({ t, text }: Pick<PageContext, 't'> & { readonly text: string }): VNode {
  const [isOpen, setOpen] = useState(false)
  return htm`<span class="row"><code class="secret">${isOpen ? text : hiddenText}</code>
    <button type="button" aria-pressed=${isOpen} onclick=${() => setOpen(!isOpen)}>${t(isOpen ? 'hide' : 'reveal')}</button></span>`
}

/** A value of a record; what is nested is JSON, to be opened when it is long. */
function recordValue({ t }: PageContext, value: unknown, column: Column | undefined): View {
  if (column?.secret && typeof value === 'string' && value !== '') return htm`<${Secret} t=${t} text=${value} />`
  if (typeof value !== 'object' || value === null || numberText(value) !== undefined) return cellContent(value, column)
  const pretty = indented(jsonOf(value), 50_000).text
  const pre = htm`<pre class="json" tabindex="0">${pretty}</pre>`
  if (pretty.split('\n').length <= 6) return pre
  const size = Array.isArray(value) ? `[ ${value.length} ]` : `{ ${Object.keys(value).join(', ').slice(0, 60)} }`
  return htm`<details><summary><code>${size}</code></summary>${pre}</details>`
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
  look: 'record' | undefined,
  words: readonly TextKey[],
  columns: readonly AnswerColumn[],
  cellsOf: (column: AnswerColumn, index: number) => View,
): View {
  const [label = 'columns', ...titles] = words
  const rows = columns.map(
    (column, i) => htm`<tr><th scope="row"><code>${column.name}</code></th>${cellsOf(column, i)}
      <td class=${look ? 'prose meaning' : 'prose'}>${withCode(column.meaning ?? t('unknownColumn'))}</td></tr>`,
  )
  const head = titles.map((word) => htm`<th scope="col">${t(word)}</th>`)
  return scrollingTable(t(label), look, head, rows)
}

/** One record, a row for each of its values. */
function recordView(context: PageContext, columns: readonly AnswerColumn[], row: Row): View {
  const words = ['record', 'column', 'value', 'meaning'] as const
  return columnTable(context, 'record', words, columns, ({ column, unit }, i) => {
    const small = unit !== undefined && numberText(row[i]) !== undefined && htm`<small> ${unit}</small>`
    return htm`<td class="value">${recordValue(context, row[i], column)}${small}</td>`
  })
}

/** What the columns mean: name, kind, unit, meaning. */
function columnList(context: PageContext, columns: readonly AnswerColumn[]): View {
  const words = ['columns', 'column', 'kind', 'unit', 'meaning'] as const
  const cells = ({ column, unit }: AnswerColumn): View => [
    htm`<td>${column?.kind ?? '?'}</td>`,
    htm`<td>${unit ?? ''}</td>`,
  ]
  const table = columnTable(context, undefined, words, columns, cells)
  return htm`<details class="columns"><summary>${context.t('columns')}</summary>${table}</details>`
}

/** The heads of a table, which order it when they are pressed. */
function columnHeads(
  { t }: PageContext,
  columns: readonly AnswerColumn[],
  order: RowOrder | undefined,
  sort: (column: number) => void,
): View {
  const hasUnits = columns.some(({ unit }) => unit !== undefined)
  return columns.map(({ name, column, unit, meaning }, i) => {
    const words = meaning?.replaceAll('`', '') ?? t('unknownColumn')
    const way = order?.column !== i ? 'none' : order.isDescending ? 'descending' : 'ascending'
    const arrow = { none: '', ascending: ' ↑', descending: ' ↓' }[way]
    return htm`<th scope="col" class=${cellClass(column)} title=${unit ? `${words} (${unit})` : words} aria-sort=${way}>
      <button type="button" class="sort" onclick=${() => sort(i)}><span>${name}</span><span aria-hidden="true">${arrow}</span></button>${hasUnits && htm`<small>${unit ?? '\u00a0'}</small>`}</th>`
  })
}

const maxDecimals = 8

/** Digits after the point of a cell, as far as they are lined up; undefined for anything but a number. */
function shownDecimals(cell: unknown): number | undefined {
  const text = numberText(cell)
  return text === undefined ? undefined : Math.min(maxDecimals, decimalsOf(text))
}

/** A row of a table. `decimals`: the most digits after the point of each column. */
function tableRow(row: Row, columns: readonly AnswerColumn[], decimals: readonly number[]): View {
  const cells = columns.map(({ column }, i) => {
    const own = shownDecimals(row[i])
    const short = own === undefined || !decimals[i] ? 0 : decimals[i] - own + (own === 0 ? 1 : 0)
    const style = short > 0 ? { paddingRight: `calc(var(--cell) + ${short}ch)` } : undefined
    return htm`<td class=${cellClass(column)} style=${style}>${cellContent(row[i], column)}</td>`
  })
  return htm`<tr>${cells}</tr>`
}

const pageRows = 100

interface TableProps extends PageContext {
  readonly columns: readonly AnswerColumn[]
  readonly items: readonly Row[]
}

/** Rows as a table, a hundred at a time. */
function TableView({ columns, items, ...context }: TableProps): VNode {
  const { t } = context
  const [page, turnTo] = useState(0)
  const [order, setOrder] = useState<RowOrder | undefined>(undefined)
  const [wanted, setWanted] = useState('')
  const all = useMemo(() => orderRows(filterRows(items, wanted), order), [items, wanted, order])
  const decimals = useMemo(
    () => columns.map((_, i) => items.reduce((most, row) => Math.max(most, shownDecimals(row[i]) ?? 0), 0)),
    [items],
  )
  const last = Math.max(0, Math.ceil(all.length / pageRows) - 1)
  const from = page * pageRows
  const rows = all.slice(from, from + pageRows)
  const moves = (
    [
      ['«', 'first', 0],
      ['‹', 'previous', page - 1],
      ['›', 'next', page + 1],
      ['»', 'last', last],
    ] as const
  ).map(([sign, word, target], i) => {
    const isOff = page === (i < 2 ? 0 : last)
    return htm`<button type="button" aria-label=${t(word)} disabled=${isOff} onclick=${() => turnTo(target)}>${sign}</button>`
  })
  const where =
    rows.length === 0 ? t('noneFound') : t('rowsShown', { from: from + 1, to: from + rows.length, count: all.length })
  const sort = (column: number): void => {
    turnTo(0)
    setOrder(nextOrder(order, column))
  }
  const filter = (event: Event): void => {
    turnTo(0)
    setWanted((event.target as HTMLInputElement).value)
  }
  const body = rows.map((row) => tableRow(row, columns, decimals))
  return htm`<div>
    <div class="pager"><input type="search" class="filter" value=${wanted} oninput=${filter} placeholder=${t('filter')} aria-label=${t('filter')} />${items.length > pageRows && moves}<span class="where" role="status">${where}</span></div>
    ${scrollingTable(t('table'), 'rows', columnHeads(context, columns, order, sort), body)}
    ${columnList(context, columns)}
  </div>`
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
  outcome: ReplyOutcome,
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
export function resultLine(context: PageContext, result: ResultState, apikey: string, needsKey: boolean): View {
  const { t } = context
  if (result.kind !== 'answer') {
    const text =
      needsKey && result.kind === 'nothing' ? 'keyFirst' : result.kind === 'nothing' ? 'nothingYet' : result.kind
    return htm`<p class=${result.kind === 'unreachable' ? 'outcome bad' : 'outcome quiet'}>${t(text)}</p>`
  }
  const { received, outcome } = result
  const [look, words] = outcomeWords(context, received, outcome, apikey)
  const count = outcome.kind === 'content' ? outcome.content.items.length : undefined
  return htm`<p class=${`outcome ${look}`}>
    ${'code' in outcome && htm`<strong class="code">${outcome.code}</strong>`}
    <span class="words">${words}</span>
    <span class="sizes">
      ${count !== undefined && t(count === 1 ? 'oneRow' : 'rows', { count })}
      <span>${t('bytes', { count: received.bytes })}</span>
      <span>${t('milliseconds', { count: received.milliseconds })}</span>
    </span>
  </p>`
}

/** What stands in `data` with the rows: count, view, meta, total, limit, offset. */
function metadataView(metadata: Readonly<Record<string, unknown>>): View {
  const entries = Object.entries(metadata).flatMap(([name, value]): (readonly [string, unknown])[] =>
    name === 'groups' ? [] : name === 'meta' && value ? Object.entries(value) : [[name, value]],
  )
  const items = entries.map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return htm`<div><dt>${name}</dt><dd>${text}</dd></div>`
  })
  return items.length > 0 && htm`<dl class="metadata">${items}</dl>`
}

/** Where an answer comes from, and what its reader should know first. */
function originView({ t }: PageContext, dataset: Dataset, { origin }: HttpReply): View {
  if (!origin) return false
  const { name, about, partial = [] } = origin
  const words = [name === undefined ? '' : t('archive', { name }), about ?? ''].filter((part) => part !== '')
  return htm`<p class=${about === undefined ? 'origin' : 'origin short'}>${words.join(' · ')}</p>
    ${partial.includes(dataset.name) && htm`<p class="short">${t('partial')}</p>`}`
}

/** The answer itself: table or record, chart, JSON. */
export function resultBody(
  context: PageContext,
  result: ResultState,
  apikey: string,
  chosen: string,
  choose: (id: string) => void,
): View {
  if (result.kind !== 'answer') return undefined
  const { t } = context
  const { call, received, outcome } = result
  const { dataset } = call
  const about: View[] = []
  const views: Tab[] = []
  // An answer of its own is shown from its first row on.
  const key = String(received.at)
  if (outcome.kind === 'content') {
    const { fields, items, beside } = outcome.content
    const columns = columnsOf(context, dataset, fields)
    views.push(
      dataset.shape === 'object'
        ? { id: 'table', title: t('record'), view: () => recordView(context, columns, items[0] ?? []) }
        : {
            id: 'table',
            title: t('table'),
            view: () => htm`<${TableView} key=${key} ...${context} columns=${columns} items=${items} />`,
          },
    )
    if (chartRule(dataset)) {
      const chart = { ...context, dataset, fields, items }
      views.push({ id: 'chart', title: t('chart'), view: () => htm`<${ChartView} key=${key} ...${chart} />` })
    }
    const missing = missingRows(call, outcome.content)
    const note = missing && htm`<p class="short">${t(missing.word, { ...missing })}</p>`
    about.push(originView(context, dataset, received), note, metadataView(beside))
  }
  if (received.text !== '') {
    const isJson = outcome.kind !== 'broken' || outcome.what !== 'notJson'
    const json = { ...context, dataset, text: received.text, isJson, apikey }
    views.push({ id: 'json', title: t('json'), view: () => htm`<${JsonView} key=${key} ...${json} />` })
  }
  return htm`<div>
    <p class="call-text"><code>${callText(call)}</code></p>
    ${about}${views.length > 0 && htm`<${Tabs} key=${key} label=${t('result')} all=${views} chosen=${chosen} choose=${choose} />`}
  </div>`
}
