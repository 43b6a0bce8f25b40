import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { ApiCall } from './api-call.js'
import type { PageContext, TextKey } from './page-text.js'
import { htm, Tabs, type View } from './parts.js'
import { needsNoKey } from './send-call.js'
import { bodyText, curlText, pythonText, typescriptText } from './snippet.js'

/** A text to copy. Where the clipboard is closed (plain HTTP), it is selected for the keyboard. */
function Snippet({
  t,
  title,
  text,
}: Pick<PageContext, 't'> & { readonly title: string; readonly text: string }): VNode {
  const [status, setStatus] = useState<TextKey>()
  const copy = async (event: Event): Promise<void> => {
    const code = (event.currentTarget as Element).closest('.snippet')?.querySelector('code')
    try {
      await navigator.clipboard.writeText(text)
      setStatus('copied')
    } catch {
      if (code) document.getSelection()?.selectAllChildren(code)
      setStatus('copyByHand')
    }
  }
  return htm`<div class="snippet">
    <pre tabindex="0"><code aria-label=${title}>${text}</code></pre>
    <span class="copy"><button type="button" onclick=${copy}>${t('copy')}</button>
      <span class="copy-status" role="status">${status && t(status)}</span></span>
  </div>`
}

/** The call as text in four forms, to copy. */
export function codeView({ t }: PageContext, call: ApiCall, chosen: string, choose: (id: string) => void): View {
  // Address of the service that the page came from, without `/api` and without a slash at its end.
  const base = (location.origin + location.pathname).replace(/\/+$/, '').replace(/\/try$/, '')
  const forms = [
    { id: 'curl', title: 'curl', textOf: curlText },
    { id: 'typescript', title: 'TypeScript', textOf: typescriptText },
    { id: 'python', title: 'Python', textOf: pythonText },
    { id: 'body', title: 'JSON', textOf: bodyText },
  ].filter(({ id }) => id !== 'python' || call.dataset.name !== 'file_download')
  const views = forms.map(({ id, title, textOf }) => {
    const text = textOf(call, base, needsNoKey ? 'any' : undefined)
    return { id, title, view: () => htm`<${Snippet} key=${text} t=${t} title=${title} text=${text} />` }
  })
  return htm`<section class="same"><h3>${t('call')}</h3>
    <${Tabs} label=${t('call')} all=${views} chosen=${chosen} choose=${choose} /></section>`
}
