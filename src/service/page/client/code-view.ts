import type { ApiCall } from './api-call.js'
import { button, make, tabs } from './dom.js'
import type { PageContext } from './page-text.js'
import { bodyText, curlText, typescriptText } from './snippet.js'

function select(element: HTMLElement): void {
  const range = document.createRange()
  range.selectNodeContents(element)
  const selection = document.getSelection()
  selection?.removeAllRanges()
  selection?.addRange(range)
}

/** Copies the text of an element. Where the clipboard is closed (plain HTTP), it is selected for the keyboard. */
function copyButton({ t }: PageContext, element: HTMLElement): HTMLElement {
  const status = make('span', { class: 'copy-status', role: 'status' })
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(element.textContent ?? '')
      status.textContent = t('copied')
    } catch {
      select(element)
      status.textContent = t('copyByHand')
    }
  }
  const press = button(t('copy'), () => void copy())
  return make('span', { class: 'copy' }, press, status)
}

/** The call as text in three forms, to copy. */
export function codeView(
  context: PageContext,
  call: ApiCall,
  chosen: string,
  choose: (id: string) => void,
): { element: HTMLElement; show: (call: ApiCall) => void } {
  // Address of the service that the page came from, without `/api` and without a slash at its end.
  const base = (location.origin + location.pathname).replace(/\/+$/, '')
  const forms = [
    { id: 'curl', title: 'curl', text: (now: ApiCall) => curlText(now, base) },
    { id: 'typescript', title: 'TypeScript', text: (now: ApiCall) => typescriptText(now, base) },
    { id: 'body', title: 'JSON', text: bodyText },
  ].map((form) => ({ ...form, code: make('code', { 'aria-label': form.title }) }))
  const show = (now: ApiCall): void => {
    for (const { code, text } of forms) code.textContent = text(now)
  }
  show(call)
  const all = forms.map(({ id, title, code }) => {
    const open = (): HTMLElement =>
      make('div', { class: 'snippet' }, make('pre', { tabindex: 0 }, code), copyButton(context, code))
    return { id, title, open }
  })
  const heading = make('h3', {}, context.t('call'))
  return { element: make('section', { class: 'same' }, heading, tabs(context.t('call'), all, chosen, choose)), show }
}
