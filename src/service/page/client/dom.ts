export type Child = Node | string | undefined | false
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** An element with attributes (true: present, false and undefined: absent) and children; strings become text, never markup. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(...children.filter((child) => child !== undefined && child !== false))
  return element
}

/** Prose of the contract, what stands between backticks as code. */
export function withCode(text: string): Child[] {
  return text.split('`').map((part, i) => (i % 2 === 1 ? make('code', {}, part) : part))
}

/** A push button that does something here; it never sends a form. */
export function button(text: string, press: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const element = make('button', { type: 'button', ...attributes }, text)
  element.addEventListener('click', press)
  return element
}

/** A link to another site for an http(s) address; plain text for anything else. */
export function outsideLink(address: string, label: string): HTMLElement {
  let url: URL | undefined
  try {
    url = new URL(address)
  } catch {
    // No address: plain text.
  }
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return make('span', {}, address)
  return make('a', { href: url.href, target: '_blank', rel: 'noopener noreferrer', title: address }, label)
}

/** A table that scrolls by itself where the page is narrow. */
export function scrollingTable(
  label: string,
  attributes: Attributes,
  head: readonly HTMLElement[],
  body: HTMLElement,
): HTMLElement {
  const table = make('table', attributes, make('thead', {}, make('tr', {}, ...head)), body)
  return make('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': label }, table)
}

export interface Tab {
  /** Unique in the page. */
  readonly id: string
  readonly title: string
  /** Called when the tab is first opened. */
  readonly open: () => HTMLElement
}

/** Tabs as the ARIA pattern has them: arrow keys, Home and End move; a panel is made when it is first opened. */
export function tabs(
  label: string,
  all: readonly Tab[],
  chosen: string | undefined,
  onChoose: (id: string) => void,
): HTMLElement {
  const buttons = all.map(({ id, title }) =>
    make('button', { type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': `panel-${id}` }, title),
  )
  const panels = all.map(({ id }) =>
    make('div', { role: 'tabpanel', id: `panel-${id}`, 'aria-labelledby': `tab-${id}`, class: 'panel' }),
  )
  const choose = (index: number): void => {
    for (const [i, button] of buttons.entries()) {
      button.setAttribute('aria-selected', String(i === index))
      button.tabIndex = i === index ? 0 : -1
    }
    for (const [i, panel] of panels.entries()) panel.hidden = i !== index
    const [tab, panel] = [all[index], panels[index]]
    if (tab && panel && panel.childElementCount === 0) panel.append(tab.open())
  }
  for (const [i, button] of buttons.entries()) {
    button.addEventListener('click', () => {
      choose(i)
      onChoose(all[i]?.id as string)
    })
    button.addEventListener('keydown', (event) => {
      const targets: Readonly<Record<string, number>> = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: -1 }
      const target = targets[event.key]
      if (target === undefined) return
      event.preventDefault()
      const next = buttons.at(target % all.length)
      next?.focus()
      next?.click()
    })
  }
  const open = all.findIndex(({ id }) => id === chosen)
  choose(Math.max(0, open))
  return make('div', { class: 'tabs' }, make('div', { role: 'tablist', 'aria-label': label }, ...buttons), ...panels)
}
