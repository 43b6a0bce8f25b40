import { html as template } from 'htm/preact'
import type { ComponentChildren, VNode } from 'preact'
import { useRef } from 'preact/hooks'

/** What a part of the page shows. */
export type View = ComponentChildren

/** Elements as HTML writes them. What is filled in becomes text and attributes, never markup. */
export const htm = template as (strings: TemplateStringsArray, ...values: unknown[]) => VNode

/** Prose of the contract, what stands between backticks as code. */
export function withCode(text: string): View {
  return text.split('`').map((part, i) => (i % 2 === 1 ? htm`<code>${part}</code>` : part))
}

/** A link to another site for an http(s) address; plain text for anything else. */
export function outsideLink(address: string, label: string): VNode {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return htm`<span>${address}</span>`
  return htm`<a href=${url.href} target="_blank" rel="noopener noreferrer" title=${address}>${label}</a>`
}

/** A table that scrolls by itself where the page is narrow. */
export function scrollingTable(label: string, look: string | undefined, head: View, rows: View): VNode {
  return htm`<div class="wide" tabindex="0" role="group" aria-label=${label}>
    <table class=${look}><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>
  </div>`
}

export interface Tab {
  /** Unique in the page. */
  readonly id: string
  readonly title: string
  readonly view: () => View
}

interface TabsProps {
  readonly label: string
  readonly all: readonly Tab[]
  readonly chosen: string
  readonly choose: (id: string) => void
}

/** Tabs as the ARIA pattern has them: arrow keys, Home and End move; a panel has content once it was opened. */
export function Tabs({ label, all, chosen, choose }: TabsProps): VNode {
  const { current: opened } = useRef(new Set<string>())
  const shown = all.find(({ id }) => id === chosen) ?? all[0]
  if (shown) opened.add(shown.id)
  const move = (event: KeyboardEvent, at: number): void => {
    const targets: Readonly<Record<string, number>> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }
    const target = targets[event.key]
    const next = target === undefined ? undefined : all.at(target % all.length)
    if (!next) return
    event.preventDefault()
    choose(next.id)
    document.getElementById(`tab-${next.id}`)?.focus()
  }
  const heads = all.map(
    (tab, at) => htm`<button type="button" role="tab" id=${`tab-${tab.id}`} aria-controls=${`panel-${tab.id}`}
      aria-selected=${tab === shown} tabindex=${tab === shown ? 0 : -1}
      onclick=${() => choose(tab.id)} onkeydown=${(event: KeyboardEvent) => move(event, at)}>${tab.title}</button>`,
  )
  const panels = all.map(
    (tab) => htm`<div key=${tab.id} class="panel" role="tabpanel" id=${`panel-${tab.id}`} hidden=${tab !== shown}
      aria-labelledby=${`tab-${tab.id}`}>${opened.has(tab.id) && tab.view()}</div>`,
  )
  return htm`<div class="tabs"><div role="tablist" aria-label=${label}>${heads}</div>${panels}</div>`
}
