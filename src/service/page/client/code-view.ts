import type { ApiCall } from './api-call.js'
import { button, make, type TabChoice, tabs } from './dom.js'
import type { PageContext } from './page-text.js'
import { needsNoKey } from './send-call.js'
import { bodyText, curlText, typescriptText } from './snippet.js'

/** Copies the text of an element. Where the clipboard is closed (plain HTTP), it is selected for the keyboard. */
function copyButton({ t }: PageContext, element: HTMLElement): HTMLElement {
  const status = make('span.copy-status', { role: 'status' })
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(element.textContent ?? '')
      status.textContent = t('copied')
    } catch {
      document.getSelection()?.selectAllChildren(element)
      status.textContent = t('copyByHand')
    }
  }
  return make(
    'span.copy',
    button(t('copy'), () => void copy()),
    status,
  )
}

/** The call as text in three forms, to copy. */
export function codeView(
  context: PageContext,
  choice: TabChoice,
): { element: HTMLElement; show: (call: ApiCall) => void } {
  const title = context.t('call')
  // Address of the service that the page came from, without `/api` and without a slash at its end.
  const base = (location.origin + location.pathname).replace(/\/+$/, '')
  const forms = [
    { id: 'curl', title: 'curl', text: curlText },
    { id: 'typescript', title: 'TypeScript', text: typescriptText },
    { id: 'body', title: 'JSON', text: bodyText },
  ].map((form) => {
    const code = make('code', { 'aria-label': form.title })
    return {
      ...form,
      code,
      open: () => make('div.snippet', make('pre', { tabindex: 0 }, code), copyButton(context, code)),
    }
  })
  const show = (call: ApiCall): void => {
    for (const { code, text } of forms) code.textContent = text(call, base, needsNoKey ? 'any' : undefined)
  }
  return { element: make('section.same', make('h3', title), tabs(title, forms, choice)), show }
}
