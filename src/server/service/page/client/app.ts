import { render, type VNode } from 'preact'
import { useEffect, useReducer } from 'preact/hooks'
import { adoptDataset, type DatasetName, datasetOf } from '../../../../contract/catalogue.js'
import type { Dataset } from '../../../../contract/dataset.js'
import { ParamsError } from '../../../../contract/error.js'
import type { Language } from '../../../../contract/language.js'
import { wordsIn } from '../../../../contract/say.js'
import { realClock } from '../../../../data/source/transport/clock.js'
import { readOutcome } from './api-call.js'
import { codeView } from './code-view.js'
import { findNamedField } from './form-values.js'
import { withCodes } from './name-codes.js'
import { formatHash, type PageAddress, parseHash } from './page-address.js'
import { languageTags, operationHead, operationList, pageHead } from './page-head.js'
import { type PageContext, translator } from './page-text.js'
import { callOf, exampleForm, type FormState, paramForm } from './param-form.js'
import { htm, type View } from './parts.js'
import { type ResultState, resultBody, resultLine } from './result-view.js'
import { needsNoKey, sendCall } from './send-call.js'

/** What the page remembers, and only while it is open. */
const state = {
  address: parseHash(location.hash),
  /** The caller's key: here and in its input, nowhere else. */
  apikey: '',
  /** The service has refused the key, which has not changed since. */
  isKeyRefused: false,
  forms: new Map<DatasetName, FormState>(),
  results: new Map<DatasetName, ResultState>(),
  resultTab: 'table',
  codeTab: 'curl',
  /** The request that is under way. */
  running: undefined as AbortController | undefined,
}

/** Changes what the page remembers, and shows it. */
function change(changes: Partial<typeof state>): void {
  Object.assign(state, changes)
  show()
}

const browserLanguage = (): Language => (/^zh/i.test(navigator.language) ? 'zh' : 'en')
const formOf = (name: DatasetName): FormState => state.forms.get(name) ?? exampleForm(datasetOf(name))

function navigate(changes: Partial<PageAddress>): void {
  const hash = formatHash({ ...state.address, ...changes })
  if (hash === location.hash) return
  history.pushState(null, '', hash)
  followAddress()
}

/** Shows what the address says. */
function followAddress(): void {
  const before = state.address.name
  const address = parseHash(location.hash)
  if (before !== address.name) state.running?.abort()
  change({ address })
}

function showResult(name: DatasetName, result: ResultState): void {
  state.results.set(name, result)
  if (result.kind === 'answer' && result.outcome.kind === 'refused') {
    const { code, message } = result.outcome
    state.isKeyRefused = code === 403
    const field = code === 422 ? findNamedField(datasetOf(name), message) : undefined
    if (field !== undefined) state.forms.set(name, { ...formOf(name), refused: { name: field, message } })
  }
  show()
}

/** Shows the codes that a request is sent with in place of the names that were entered. */
function enterCodes(name: DatasetName, symbols: readonly string[]): void {
  const form = formOf(name)
  state.forms.set(name, { ...form, values: { ...form.values, symbols: symbols.join(',') } })
}

/** Shows beside its field why a name stands for no code. */
function refuse(name: DatasetName, { field, words }: ParamsError): void {
  const { language = browserLanguage() } = state.address
  state.forms.set(name, { ...formOf(name), refused: { name: field, message: wordsIn(words, language) } })
}

/** Sends what the form says, cancels the call before, and shows what comes. */
async function send(event?: Event): Promise<void> {
  event?.preventDefault()
  const { name } = state.address
  state.running?.abort()
  const own = new AbortController()
  state.running = own
  showResult(name, { kind: 'sending' })
  const key = needsNoKey ? 'any' : state.apikey
  let result: ResultState
  try {
    const call = await withCodes(callOf(datasetOf(name), formOf(name)), key)
    const { symbols } = call.params
    if (Array.isArray(symbols)) enterCodes(name, symbols)
    const received = await sendCall(call, key, own.signal)
    result = { kind: 'answer', call, received, outcome: readOutcome(call.dataset, received) }
  } catch (error) {
    if (error instanceof ParamsError) refuse(name, error)
    result =
      error instanceof ParamsError ? { kind: 'nothing' } : { kind: own.signal.aborted ? 'cancelled' : 'unreachable' }
  }
  if (state.running !== own) return
  state.running = undefined
  showResult(name, result)
}

/** Counts the seconds down until a request may be sent again. */
function Countdown({ t, end }: Pick<PageContext, 't'> & { readonly end: number }): VNode {
  const [, tick] = useReducer((count: number) => count + 1, 0)
  const left = Math.ceil((end - realClock.now()) / 1000)
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => tick(undefined), Math.min(1000, end - realClock.now()))
    return () => clearTimeout(timer)
  })
  return htm`${left > 0 ? t('tooManyWait', { seconds: left }) : t('tooManyNow')}`
}

/** The result: a live line that is read out, and the answer below it. */
function resultSection(context: PageContext, result: ResultState): View {
  const { t } = context
  const { apikey, resultTab } = state
  const isRefused = result.kind === 'answer' && result.outcome.kind === 'refused'
  const { retryAfter, at } = isRefused ? result.received : { retryAfter: undefined, at: 0 }
  return htm`<section class="result" aria-label=${t('result')}>
    <h2 class="result-title">${t('result')}</h2>
    <div id="line" role="status" aria-live="polite">${resultLine(context, result, apikey, !needsNoKey && apikey === '')}</div>
    <p class="wait" id="wait">${retryAfter !== undefined && htm`<${Countdown} key=${at} t=${t} end=${at + retryAfter * 1000} />`}</p>
    <div id="answer">${resultBody(context, result, apikey, resultTab, (id) => change({ resultTab: id }))}</div>
  </section>`
}

/** The input of the key, or why there is none. */
function keyField({ t }: PageContext): View {
  if (needsNoKey) return htm`<p class="hint no-key">${t('noKey')}</p>`
  const oninput = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void =>
    change({ apikey: currentTarget.value, isKeyRefused: false })
  return htm`<div class="field apikey"><label for="apikey">${t('apikey')}</label>
    <input id="apikey" type="password" autocomplete="off" data-1p-ignore data-lpignore="true" autocapitalize="off"
      spellcheck=${false} aria-describedby="apikey-hint" aria-invalid=${state.isKeyRefused} value=${state.apikey} oninput=${oninput} />
    <p class="hint" id="apikey-hint">${t('keyHint')}</p></div>`
}

/** The form of the chosen operation. */
function requestSection(context: PageContext, name: DatasetName): View {
  const { t } = context
  const isRunning = state.running !== undefined
  const enter = (form: FormState): void => change({ forms: state.forms.set(name, form) })
  return htm`<section class="request" aria-label=${t('operation')}>
    ${operationHead(context, name)}
    <form autocomplete="off" novalidate onsubmit=${send}>
      ${keyField(context)}
      ${paramForm(context, datasetOf(name), formOf(name), enter)}
      <div class="actions row">
        <button class="main" id="send" type="submit" aria-keyshortcuts="Control+Enter" aria-busy=${isRunning}>${t('send')}</button>
        <button id="cancel" type="button" aria-keyshortcuts="Escape" disabled=${!isRunning}
          onclick=${() => state.running?.abort()}>${t('cancel')}</button>
        <small><kbd>${t('sendHint')}</kbd> <kbd>${t('cancelHint')}</kbd></small>
      </div>
    </form>
  </section>`
}

/** Shows the page for its state. */
function show(): void {
  const { name, theme, language = browserLanguage() } = state.address
  const context: PageContext = { language, t: translator(language) }
  const root = document.documentElement
  root.lang = languageTags[language]
  document.title = `${name} · Quotebook`
  if (theme === 'auto') delete root.dataset.theme
  else root.dataset.theme = theme
  const focusForm = (): void => document.querySelector<HTMLElement>('form input, form select')?.focus()
  const call = callOf(datasetOf(name), formOf(name))
  const code = codeView(context, call, state.codeTab, (id) => change({ codeTab: id }))
  const page = htm`<button type="button" class="skip" onclick=${focusForm}>${context.t('skip')}</button>
    ${pageHead(context, theme, navigate)}
    <div class="layout">
      ${operationList(context, state.address, navigate)}
      <main key=${name}>${requestSection(context, name)}${resultSection(context, state.results.get(name) ?? { kind: 'nothing' })}${code}</main>
    </div>`
  render(page, document.getElementById('app') as HTMLElement)
}

addEventListener('popstate', followAddress)
addEventListener('keydown', (event) => {
  const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
  if (isSend) void send(event)
  else if (event.key === 'Escape' && state.running) {
    event.preventDefault()
    state.running.abort()
  }
})

show()

/** Offers the datasets of one's own that the service has beside the vendor's, where the page says that there are some. */
async function offerOwn(): Promise<void> {
  if (document.documentElement.dataset.own === undefined) return
  const answer = await fetch('/page/own-datasets.json').catch(() => undefined)
  const served = answer?.ok ? ((await answer.json()) as readonly Dataset[]) : []
  for (const own of served) adoptDataset(own)
  if (served.length > 0) followAddress()
}
void offerOwn()
