import type { Call } from './call.js'
import type { Context } from './context.js'
import { copyButton } from './copy.js'
import { make } from './dom.js'
import { bodyText, curlText, typescriptText } from './snippet.js'
import { tabs } from './tabs.js'

/** Address of the service that the page came from, without `/api` and without a slash at its end. */
function base(): string {
  return (location.origin + location.pathname).replace(/\/+$/, '')
}

/** The call as text in three forms, to copy. */
export function codeView(
  context: Context,
  call: Call,
  chosen: string,
  choose: (id: string) => void,
): { element: HTMLElement; show: (call: Call) => void } {
  const texts: readonly (readonly [id: string, title: string, text: (call: Call) => string])[] = [
    ['curl', 'curl', (now) => curlText(now, base())],
    ['typescript', 'TypeScript', (now) => typescriptText(now, base())],
    ['body', 'JSON', bodyText],
  ]
  const codes = texts.map(([, title]) => make('code', { 'aria-label': title }))
  const show = (now: Call): void => {
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
