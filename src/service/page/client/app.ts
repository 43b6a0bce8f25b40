import { type DatasetName, datasetOf } from '../../../contract/catalogue.js'
import { realClock } from '../../../source/transport/clock.js'
import { type ApiCall, readOutcome } from './api-call.js'
import { codeView } from './code-view.js'
import { button, type Child, make } from './dom.js'
import { formatHash, type PageAddress, parseHash } from './page-address.js'
import { languageTags, operationHead, operationList, pageHead } from './page-head.js'
import { type PageContext, translator } from './page-text.js'
import { type FormState, paramForm } from './param-form.js'
import { type ResultState, resultBody, resultLine } from './result-view.js'
import { needsNoKey, sendCall } from './send-call.js'

/** What the page remembers, and only while it is open. */
const state = {
  address: parseHash(location.hash),
  /** The caller's key: here and in its input, nowhere else. */
  apikey: '',
  forms: new Map<DatasetName, FormState>(),
  results: new Map<DatasetName, ResultState>(),
  resultTab: { id: 'table' },
  codeTab: { id: 'curl' },
}

/** The request that is under way. */
let running: AbortController | undefined

function navigate(change: Partial<PageAddress>): void {
  const hash = formatHash({ ...state.address, ...change })
  if (hash === location.hash) return
  history.pushState(null, '', hash)
  followAddress()
}

/** The result section: a live line that is read out, and the answer below it. */
function resultSection(context: PageContext): { element: HTMLElement; show: (result: ResultState) => void } {
  const { t } = context
  const line = make('div#line', { role: 'status', 'aria-live': 'polite' })
  const wait = make('p.wait#wait')
  const body = make('div#answer')
  let shows = 0
  /** Counts the seconds down until a request may be sent again, while this result is shown. */
  const countDown = async (end: number): Promise<void> => {
    const own = shows
    for (;;) {
      const left = Math.ceil((end - realClock.now()) / 1000)
      if (own !== shows || !wait.isConnected) return
      wait.textContent = left > 0 ? t('tooManyWait', { seconds: left }) : t('tooManyNow')
      if (left <= 0) return
      await realClock.sleep(Math.min(1000, end - realClock.now()))
    }
  }
  const show = (result: ResultState): void => {
    shows++
    wait.textContent = ''
    const needsKey = result.kind === 'nothing' && !needsNoKey && state.apikey === ''
    const words = needsKey ? make('p.outcome.quiet', t('keyFirst')) : resultLine(context, result, state.apikey)
    line.replaceChildren(words)
    body.replaceChildren()
    const answer = resultBody(context, result, state.apikey, state.resultTab)
    if (answer) body.append(answer)
    if (result.kind !== 'answer' || result.outcome.kind !== 'refused') return
    const { retryAfter, at } = result.received
    if (retryAfter !== undefined) void countDown(at + retryAfter * 1000)
  }
  const heading = make('h2.result-title', t('result'))
  return { element: make('section.result', { 'aria-label': t('result') }, heading, line, wait, body), show }
}

/** The input of the key, or why there is none. `change` is called when something was typed. */
function keyField({ t }: PageContext, change: () => void): { part: Child; setInvalid: (isInvalid: boolean) => void } {
  if (needsNoKey) return { part: make('p.hint.no-key', t('noKey')), setInvalid: () => undefined }
  const setInvalid = (isInvalid: boolean): void => input.setAttribute('aria-invalid', String(isInvalid))
  const oninput = (): void => {
    state.apikey = input.value
    setInvalid(false)
    change()
  }
  const noKeeping = { autocomplete: 'off', 'data-1p-ignore': true, 'data-lpignore': 'true' }
  const asTyped = { autocapitalize: 'off', spellcheck: 'false', 'aria-describedby': 'apikey-hint' }
  const input = make('input#apikey', { type: 'password', ...noKeeping, ...asTyped, oninput })
  input.value = state.apikey
  const [label, hint] = [make('label', { for: 'apikey' }, t('apikey')), make('p.hint#apikey-hint', t('keyHint'))]
  return { part: make('div.field.apikey', label, input, hint), setInvalid }
}

function actions({ t }: PageContext): { element: HTMLElement; update: () => void } {
  const submit = make('button.main#send', { type: 'submit', 'aria-keyshortcuts': 'Control+Enter' }, t('send'))
  const cancel = button(t('cancel'), () => running?.abort(), { id: 'cancel', 'aria-keyshortcuts': 'Escape' })
  const update = (): void => {
    cancel.disabled = running === undefined
    submit.setAttribute('aria-busy', String(running !== undefined))
  }
  update()
  const keys = make('small', make('kbd', t('sendHint')), ' ', make('kbd', t('cancelHint')))
  return { element: make('div.actions.row', submit, cancel, keys), update }
}

/** Sends a call, cancels the one before, and shows what comes. */
async function send(call: ApiCall, show: (result: ResultState) => void): Promise<void> {
  running?.abort()
  const own = new AbortController()
  running = own
  show({ kind: 'sending' })
  let result: ResultState
  try {
    const received = await sendCall(call, needsNoKey ? 'any' : state.apikey, own.signal)
    result = { kind: 'answer', call, received, outcome: readOutcome(call.dataset, received) }
  } catch {
    result = { kind: own.signal.aborted ? 'cancelled' : 'unreachable' }
  }
  if (running !== own) return
  running = undefined
  show(result)
}

let submit: () => Promise<void> = async () => undefined

/** The form and the result of the chosen operation, joined: what is sent is shown, and a refusal marks its param. */
function operationView(context: PageContext, name: DatasetName): { parts: Child; showResult: () => void } {
  const result = resultSection(context)
  const key = keyField(context, () => {
    if (!state.results.has(name)) result.show({ kind: 'nothing' })
  })
  const buttons = actions(context)
  const code = codeView(context, state.codeTab)
  const form = paramForm(context, datasetOf(name), state.forms.get(name), (entered, call) => {
    state.forms.set(name, entered)
    code.show(call)
  })
  const show = (shown: ResultState): void => {
    state.results.set(name, shown)
    if (!result.element.isConnected) {
      if (state.address.name === name) render()
      return
    }
    result.show(shown)
    buttons.update()
    if (shown.kind !== 'answer' || shown.outcome.kind !== 'refused') return
    key.setInvalid(shown.outcome.code === 403)
    if (shown.outcome.code === 422) form.showRefusal(shown.outcome.message)
  }
  submit = () => send(form.call(), show)
  const onsubmit = (event: Event): void => {
    event.preventDefault()
    void submit()
  }
  const parts = [key.part, form.element, buttons.element]
  const fields = make('form', { autocomplete: 'off', novalidate: true, onsubmit }, parts)
  const head = operationHead(context, name)
  const request = make('section.request', { 'aria-label': context.t('operation') }, head, fields)
  const showResult = (): void => result.show(state.results.get(name) ?? { kind: 'nothing' })
  return { parts: [request, result.element, code.element], showResult }
}

/** Builds the page for its state. */
function render(): void {
  const { address } = state
  const { name, theme } = address
  const language = address.language ?? (/^zh/i.test(navigator.language) ? 'zh' : 'en')
  const context: PageContext = { language, t: translator(language) }
  const root = document.documentElement
  root.lang = languageTags[language]
  document.title = `${name} · Quotebook`
  if (theme === 'auto') delete root.dataset.theme
  else root.dataset.theme = theme

  const focusForm = (): void => document.querySelector<HTMLElement>('form input, form select')?.focus()
  const skip = button(context.t('skip'), focusForm, { class: 'skip' })
  const focused = document.activeElement?.id
  const { parts, showResult } = operationView(context, name)
  const layout = make('div.layout', operationList(context, address, navigate), make('main', parts))
  document.getElementById('app')?.replaceChildren(skip, pageHead(context, theme, navigate), layout)
  showResult()
  if (focused) document.getElementById(focused)?.focus()
}

/** Shows what the address says. */
function followAddress(): void {
  const before = state.address
  state.address = parseHash(location.hash)
  if (before.name !== state.address.name) running?.abort()
  render()
}

addEventListener('popstate', followAddress)
addEventListener('keydown', (event) => {
  const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
  if (!isSend && !(event.key === 'Escape' && running)) return
  event.preventDefault()
  if (isSend) void submit()
  else running?.abort()
})
render()
