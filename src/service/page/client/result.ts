import { type Received, shortfallOf, type Verdict, verdictOf } from './answer.js'
import type { Call } from './call.js'
import { chartRule } from './chart-data.js'
import { chartView } from './chart-view.js'
import type { Context } from './context.js'
import { make } from './dom.js'
import { jsonView, masked } from './json-view.js'
import { recordView } from './record.js'
import { askedText } from './snippet.js'
import { tableView } from './table.js'
import { type Tab, tabs } from './tabs.js'
import type { Word } from './words.js'

/** What the result section shows. */
export type Shown =
  | { readonly kind: 'nothing' | 'sending' | 'cancelled' | 'unreachable' }
  | { readonly kind: 'answer'; readonly call: Call; readonly received: Received; readonly verdict: Verdict }

export function answerOf(call: Call, received: Received): Shown {
  return { kind: 'answer', call, received, verdict: verdictOf(call.dataset, received) }
}

const titles: Readonly<Record<number, Word>> = { 403: 'forbidden', 422: 'invalid', 429: 'tooMany', 503: 'unavailable' }

function titleOf(code: number, received: Received): Word {
  return received.status === 429 ? 'tooMany' : (titles[code] ?? 'failed')
}

/** One clear line: the code, what it means, how much came and how long it took. */
export function resultLine({ say }: Context, shown: Shown, apikey: string): HTMLElement {
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
function originView({ say }: Context, { dataset }: Call, { origin }: Received): HTMLElement[] {
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
  context: Context,
  shown: Shown,
  apikey: string,
  chosen: string | undefined,
  choose: (id: string) => void,
): HTMLElement | undefined {
  if (shown.kind !== 'answer') return undefined
  const { say } = context
  const { call, received, verdict } = shown
  const { dataset } = call
  const isJson = verdict.kind !== 'broken' || verdict.what !== 'notJson'
  const asked = make('p', { class: 'asked' }, make('code', {}, askedText(call)))
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
    const short = shortfallOf(call, verdict.content)
    note = short !== undefined && make('p', { class: 'short' }, say(short.word, { ...short }))
    beside = besideView(verdict.content.beside)
    origin = originView(context, call, received)
  }
  if (received.text !== '') {
    all.push({ id: 'json', title: say('json'), open: () => jsonView(context, dataset, received.text, isJson, apikey) })
  }
  return make('div', {}, asked, ...origin, note, beside, all.length > 0 && tabs(say('result'), all, chosen, choose))
}
