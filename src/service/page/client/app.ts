import { type DatasetName, datasetOf } from '../../../contract/catalogue.js'
import { realClock } from '../../../source/transport/clock.js'
import { codeView } from './code-view.js'
import { button, make } from './dom.js'
import { formatHash, type PageAddress, parseHash } from './page-address.js'
import { operationHead, operationList, pageHead } from './page-head.js'
import { type Language, type PageContext, translator } from './page-text.js'
import { createForm, exampleState, type FormState, type ParamForm } from './param-form.js'
import { answerState, type ResultState, resultBody, resultLine } from './result-view.js'
import { sendCall } from './send-call.js'

/** What the page remembers, and only while it is open. */
const memory = {
  place: parseHash(location.hash),
  /** The caller's key: here and in its input, nowhere else. */
  apikey: '',
  entered: new Map<DatasetName, FormState>(),
  shown: new Map<DatasetName, ResultState>(),
  resultTab: 'table',
  codeTab: 'curl',
}

/** The service has no key file: it takes any text for a key, and the page asks for none. */
const isOpen = document.documentElement.dataset.key === 'none'

let running: AbortController | undefined

function spoken(): Language {
  return memory.place.language ?? (/^zh/i.test(navigator.language) ? 'zh' : 'en')
}

function contextNow(): PageContext {
  const language = spoken()
  return { language, say: translator(language) }
}

function go(change: Partial<PageAddress>): void {
  const hash = formatHash({ ...memory.place, ...change })
  if (hash === location.hash) return
  history.pushState(null, '', hash)
  arrive()
}

function dress(): void {
  const { theme } = memory.place
  if (theme === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

/** The result section; a live line that is read out, and the answer below it. */
function resultSection(context: PageContext): { element: HTMLElement; show: (shown: ResultState) => void } {
  const line = make('div', { role: 'status', 'aria-live': 'polite', id: 'line' })
  const wait = make('p', { class: 'wait', id: 'wait' })
  const body = make('div', { id: 'answer' })
  const { say } = context
  let turn = 0
  const count = async (end: number): Promise<void> => {
    const own = ++turn
    for (;;) {
      const left = Math.ceil((end - realClock.now()) / 1000)
      if (own !== turn || !wait.isConnected) return
      wait.textContent = left > 0 ? say('tooManyWait', { seconds: left }) : say('tooManyNow')
      if (left <= 0) return
      await realClock.sleep(Math.min(1000, end - realClock.now()))
    }
  }
  const show = (shown: ResultState): void => {
    turn++
    wait.textContent = ''
    const needsKey = shown.kind === 'nothing' && !isOpen && memory.apikey === ''
    line.replaceChildren(
      needsKey ? make('p', { class: 'verdict quiet' }, say('keyFirst')) : resultLine(context, shown, memory.apikey),
    )
    const answer = resultBody(context, shown, memory.apikey, memory.resultTab, (id) => {
      memory.resultTab = id
    })
    body.replaceChildren(...(answer ? [answer] : []))
    if (shown.kind !== 'answer') return
    const { retryAfter, at } = shown.received
    if (shown.verdict.kind === 'refused' && retryAfter !== undefined) void count(at + retryAfter * 1000)
  }
  const heading = make('h2', { class: 'result-title' }, say('result'))
  return { element: make('section', { class: 'result', 'aria-label': say('result') }, heading, line, wait, body), show }
}

function keyField({ say }: PageContext, change: () => void): { element: HTMLElement; blame: (wrong: boolean) => void } {
  if (isOpen) return { element: make('p', { class: 'hint' }, say('noKey')), blame: () => undefined }
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
  input.value = memory.apikey
  const blame = (wrong: boolean): void => input.setAttribute('aria-invalid', String(wrong))
  input.addEventListener('input', () => {
    memory.apikey = input.value
    blame(false)
    change()
  })
  const hint = make('p', { class: 'hint', id: 'apikey-hint' }, say('keyHint'))
  return {
    element: make('div', { class: 'field apikey' }, make('label', { for: 'apikey' }, say('apikey')), input, hint),
    blame,
  }
}

function actions({ say }: PageContext): { element: HTMLElement; busy: (is: boolean) => void } {
  const go = make(
    'button',
    { type: 'submit', class: 'main', id: 'send', 'aria-keyshortcuts': 'Control+Enter' },
    say('send'),
  )
  const stop = button(say('cancel'), () => running?.abort(), { id: 'cancel', 'aria-keyshortcuts': 'Escape' })
  const busy = (is: boolean): void => {
    stop.disabled = !is
    go.setAttribute('aria-busy', String(is))
  }
  busy(running !== undefined)
  const keys = make('small', {}, make('kbd', {}, say('sendHint')), ' ', make('kbd', {}, say('cancelHint')))
  return { element: make('div', { class: 'actions row' }, go, stop, keys), busy }
}

let ask: () => Promise<void> = async () => undefined

/** Builds the page for what the memory holds. */
function render(): void {
  const { place } = memory
  const { name } = place
  const context = contextNow()
  const { say, language } = context
  const dataset = datasetOf(name)
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
  document.title = `${name} · Quotebook`
  dress()

  const result = resultSection(context)
  const unsent = (): void => {
    if (!memory.shown.has(name)) result.show({ kind: 'nothing' })
  }
  const key = keyField(context, unsent)
  const act = actions(context)
  let code: ReturnType<typeof codeView> | undefined
  const form: ParamForm = createForm(context, dataset, memory.entered.get(name) ?? exampleState(dataset), (entered) => {
    memory.entered.set(name, entered)
    code?.show(form.call())
  })
  code = codeView(context, form.call(), memory.codeTab, (id) => {
    memory.codeTab = id
  })

  const tell = (shown: ResultState): void => {
    memory.shown.set(name, shown)
    if (!result.element.isConnected) {
      if (memory.place.name === name) render()
      return
    }
    result.show(shown)
    act.busy(running !== undefined)
    if (shown.kind !== 'answer' || shown.verdict.kind !== 'refused') return
    key.blame(shown.verdict.code === 403)
    if (shown.verdict.code === 422) form.blame(shown.verdict.message)
  }
  ask = async () => {
    running?.abort()
    const own = new AbortController()
    running = own
    const call = form.call()
    tell({ kind: 'sending' })
    let shown: ResultState
    try {
      shown = answerState(call, await sendCall(call, isOpen ? 'any' : memory.apikey, own.signal))
    } catch {
      shown = { kind: own.signal.aborted ? 'cancelled' : 'unreachable' }
    }
    if (running !== own) return
    running = undefined
    tell(shown)
  }

  const skip = button(say('skip'), () => document.querySelector<HTMLElement>('form input, form select')?.focus(), {
    class: 'skip',
  })
  const fields = make('form', { autocomplete: 'off', novalidate: true }, key.element, form.element, act.element)
  fields.addEventListener('submit', (event) => {
    event.preventDefault()
    void ask()
  })
  const about = operationHead(context, name)
  const asking = make('section', { class: 'ask', 'aria-label': say('operation') }, about, fields)
  const list = operationList(
    context,
    name,
    (other) => formatHash({ ...place, name: other }),
    (other) => go({ name: other }),
  )
  const switches = pageHead(
    context,
    place.theme,
    (chosen) => go({ language: chosen }),
    (theme) => go({ theme }),
  )
  const focused = document.activeElement?.id
  const app = document.getElementById('app') as HTMLElement
  app.replaceChildren(
    skip,
    switches,
    make('div', { class: 'desk' }, list, make('main', {}, asking, result.element, code.element)),
  )
  result.show(memory.shown.get(name) ?? { kind: 'nothing' })
  if (focused) document.getElementById(focused)?.focus()
}

/** Follows the address. */
function arrive(): void {
  const before = memory.place
  memory.place = parseHash(location.hash)
  if (before.name !== memory.place.name) running?.abort()
  render()
}

addEventListener('popstate', arrive)
addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault()
    void ask()
  } else if (event.key === 'Escape' && running) {
    event.preventDefault()
    running.abort()
  }
})
render()
