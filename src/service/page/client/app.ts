import { type DatasetName, datasetOf } from '../../../contract/catalogue.js'
import { realClock } from '../../../source/transport/clock.js'
import { codeView } from './code-view.js'
import { button, make } from './dom.js'
import { formatHash, type PageAddress, parseHash } from './page-address.js'
import { operationHead, operationList, pageHead } from './page-head.js'
import { type PageContext, translator } from './page-text.js'
import { exampleState, type FormState, ParamForm } from './param-form.js'
import { answerState, type ResultState, resultBody, resultLine } from './result-view.js'
import { sendCall } from './send-call.js'

/** What the page remembers, and only while it is open. */
const state = {
  address: parseHash(location.hash),
  /** The caller's key: here and in its input, nowhere else. */
  apikey: '',
  forms: new Map<DatasetName, FormState>(),
  results: new Map<DatasetName, ResultState>(),
  resultTab: 'table',
  codeTab: 'curl',
}

/** The service has no key file: it takes any text for a key, and the page asks for none. */
const needsNoKey = document.documentElement.dataset.key === 'none'

/** The request that is under way. */
let running: AbortController | undefined

function currentContext(): PageContext {
  const language = state.address.language ?? (/^zh/i.test(navigator.language) ? 'zh' : 'en')
  return { language, t: translator(language) }
}

function navigate(change: Partial<PageAddress>): void {
  const hash = formatHash({ ...state.address, ...change })
  if (hash === location.hash) return
  history.pushState(null, '', hash)
  followAddress()
}

/** The result section: a live line that is read out, and the answer below it. */
function resultSection(context: PageContext): { element: HTMLElement; show: (result: ResultState) => void } {
  const { t } = context
  const line = make('div', { role: 'status', 'aria-live': 'polite', id: 'line' })
  const wait = make('p', { class: 'wait', id: 'wait' })
  const body = make('div', { id: 'answer' })
  let shows = 0
  /** Counts the seconds down until a request may be sent again, while this result is shown. */
  const countDown = async (end: number): Promise<void> => {
    const own = ++shows
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
    line.replaceChildren(
      needsKey ? make('p', { class: 'outcome quiet' }, t('keyFirst')) : resultLine(context, result, state.apikey),
    )
    const answer = resultBody(context, result, state.apikey, state.resultTab, (id) => {
      state.resultTab = id
    })
    body.replaceChildren(...(answer ? [answer] : []))
    if (result.kind !== 'answer' || result.outcome.kind !== 'refused') return
    const { retryAfter, at } = result.received
    if (retryAfter !== undefined) void countDown(at + retryAfter * 1000)
  }
  const heading = make('h2', { class: 'result-title' }, t('result'))
  return { element: make('section', { class: 'result', 'aria-label': t('result') }, heading, line, wait, body), show }
}

function keyField(
  { t }: PageContext,
  change: () => void,
): { element: HTMLElement; setInvalid: (isInvalid: boolean) => void } {
  if (needsNoKey) return { element: make('p', { class: 'hint' }, t('noKey')), setInvalid: () => undefined }
  const input = make('input', {
    id: 'apikey',
    type: 'password',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    'aria-describedby': 'apikey-hint',
    'data-1p-ignore': true,
    'data-lpignore': 'true',
  })
  input.value = state.apikey
  const setInvalid = (isInvalid: boolean): void => input.setAttribute('aria-invalid', String(isInvalid))
  input.addEventListener('input', () => {
    state.apikey = input.value
    setInvalid(false)
    change()
  })
  const hint = make('p', { class: 'hint', id: 'apikey-hint' }, t('keyHint'))
  const label = make('label', { for: 'apikey' }, t('apikey'))
  return { element: make('div', { class: 'field apikey' }, label, input, hint), setInvalid }
}

function actions({ t }: PageContext): { element: HTMLElement; update: () => void } {
  const attributes = { type: 'submit', class: 'main', id: 'send', 'aria-keyshortcuts': 'Control+Enter' }
  const submit = make('button', attributes, t('send'))
  const cancel = button(t('cancel'), () => running?.abort(), { id: 'cancel', 'aria-keyshortcuts': 'Escape' })
  const update = (): void => {
    cancel.disabled = running === undefined
    submit.setAttribute('aria-busy', String(running !== undefined))
  }
  update()
  const keys = make('small', {}, make('kbd', {}, t('sendHint')), ' ', make('kbd', {}, t('cancelHint')))
  return { element: make('div', { class: 'actions row' }, submit, cancel, keys), update }
}

/** Sends a call, cancels the one before, and shows what comes. */
async function send(form: ParamForm, show: (result: ResultState) => void): Promise<void> {
  running?.abort()
  const own = new AbortController()
  running = own
  const call = form.call()
  show({ kind: 'sending' })
  let result: ResultState
  try {
    result = answerState(call, await sendCall(call, needsNoKey ? 'any' : state.apikey, own.signal))
  } catch {
    result = { kind: own.signal.aborted ? 'cancelled' : 'unreachable' }
  }
  if (running !== own) return
  running = undefined
  show(result)
}

let submit: () => Promise<void> = async () => undefined

/** The form and the result of the chosen operation, joined: what is sent is shown, and a refusal marks its param. */
function operationView(
  context: PageContext,
  name: DatasetName,
): { sections: readonly HTMLElement[]; showResult: () => void } {
  const { t } = context
  const dataset = datasetOf(name)
  const result = resultSection(context)
  const key = keyField(context, () => {
    if (!state.results.has(name)) result.show({ kind: 'nothing' })
  })
  const buttons = actions(context)
  let code: ReturnType<typeof codeView> | undefined
  const form = new ParamForm(context, dataset, state.forms.get(name) ?? exampleState(dataset), (entered) => {
    state.forms.set(name, entered)
    code?.show(form.call())
  })
  code = codeView(context, form.call(), state.codeTab, (id) => {
    state.codeTab = id
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
  submit = () => send(form, show)
  const fields = make('form', { autocomplete: 'off', novalidate: true }, key.element, form.element, buttons.element)
  fields.addEventListener('submit', (event) => {
    event.preventDefault()
    void submit()
  })
  const head = operationHead(context, name)
  const request = make('section', { class: 'request', 'aria-label': t('operation') }, head, fields)
  const showResult = (): void => result.show(state.results.get(name) ?? { kind: 'nothing' })
  return { sections: [request, result.element, code.element], showResult }
}

/** Builds the page for its state. */
function render(): void {
  const { name, theme } = state.address
  const context = currentContext()
  const root = document.documentElement
  root.lang = context.language === 'zh' ? 'zh-CN' : 'en'
  document.title = `${name} · Quotebook`
  if (theme === 'auto') delete root.dataset.theme
  else root.dataset.theme = theme

  const focusForm = (): void => document.querySelector<HTMLElement>('form input, form select')?.focus()
  const skip = button(context.t('skip'), focusForm, { class: 'skip' })
  const addressOf = (one: DatasetName): string => formatHash({ ...state.address, name: one })
  const list = operationList(context, name, addressOf, (chosen) => navigate({ name: chosen }))
  const head = pageHead(
    context,
    theme,
    (language) => navigate({ language }),
    (chosen) => navigate({ theme: chosen }),
  )
  const focused = document.activeElement?.id
  const { sections, showResult } = operationView(context, name)
  const main = make('div', { class: 'layout' }, list, make('main', {}, ...sections))
  document.getElementById('app')?.replaceChildren(skip, head, main)
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
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault()
    void submit()
  } else if (event.key === 'Escape' && running) {
    event.preventDefault()
    running.abort()
  }
})
render()
