import type { ApiCall } from './api-call.js'
import { button, make } from './dom.js'
import type { PageContext } from './page-text.js'
import { bodyText, curlText, typescriptText } from './snippet.js'
import { tabs } from './tabs.js'

function select(element: HTMLElement): void {
  const range = document.createRange()
  range.selectNodeContents(element)
  const selection = document.getSelection()
  selection?.removeAllRanges()
  selection?.addRange(range)
}

/** A text to copy, read when it is copied. Where the clipboard is closed (plain HTTP), it is selected for the keyboard. */
export function copyButton({ say }: PageContext, element: HTMLElement): HTMLElement {
  const said = make('span', { class: 'said', role: 'status' })
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(element.textContent ?? '')
      said.textContent = say('copied')
    } catch {
      select(element)
      said.textContent = say('copyByHand')
    }
  }
  return make(
    'span',
    { class: 'copy' },
    button(say('copy'), () => void copy()),
    said,
  )
}

/** Address of the service that the page came from, without `/api` and without a slash at its end. */
function base(): string {
  return (location.origin + location.pathname).replace(/\/+$/, '')
}

/** The call as text in three forms, to copy. */
export function codeView(
  context: PageContext,
  call: ApiCall,
  chosen: string,
  choose: (id: string) => void,
): { element: HTMLElement; show: (call: ApiCall) => void } {
  const texts: readonly (readonly [id: string, title: string, text: (call: ApiCall) => string])[] = [
    ['curl', 'curl', (now) => curlText(now, base())],
    ['typescript', 'TypeScript', (now) => typescriptText(now, base())],
    ['body', 'JSON', bodyText],
  ]
  const codes = texts.map(([, title]) => make('code', { 'aria-label': title }))
  const show = (now: ApiCall): void => {
    codes.forEach((code, i) => {
      code.textContent = texts[i]?.[2](now) ?? ''
    })
  }
  show(call)
  const all = texts.map(([id, title], i) => {
    const code = codes[i] as HTMLElement
    const open = (): HTMLElement =>
      make('div', { class: 'snippet' }, make('pre', { tabindex: 0 }, code), copyButton(context, code))
    return { id, title, open }
  })
  const heading = make('h3', {}, context.say('call'))
  return { element: make('section', { class: 'same' }, heading, tabs(context.say('call'), all, chosen, choose)), show }
}
