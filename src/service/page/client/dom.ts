export type Child = Node | string | undefined | false | readonly Child[]
type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: never) => void)>>

type TagOf<S extends string> = S extends `${infer T}#${string}` ? TagOf<T> : S extends `${infer T}.${string}` ? T : S
type ElementOf<S extends string> =
  TagOf<S> extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[TagOf<S>] : never

function isAttributes(part: Attributes | Child): part is Attributes {
  return typeof part === 'object' && !Array.isArray(part) && !(part instanceof Node)
}

/**
 * An element: its tag, classes and id as `p.hint#id`, then its attributes and children in any order. Attributes: true is
 * present, false and undefined are absent, a function listens (`onclick`). Children: strings become text, never markup.
 */
export function make<S extends string>(selector: S, ...parts: readonly (Attributes | Child)[]): ElementOf<S> {
  const [names = '', id] = selector.split('#')
  const [tag = '', ...classes] = names.split('.')
  const element = document.createElement(tag)
  if (id !== undefined) element.id = id
  if (classes.length > 0) element.className = classes.join(' ')
  for (const part of parts) {
    if (!isAttributes(part)) {
      element.append(...([part].flat(9).filter((child) => child !== undefined && child !== false) as (Node | string)[]))
      continue
    }
    for (const [name, value] of Object.entries(part)) {
      if (typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener)
      else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value))
    }
  }
  return element as ElementOf<S>
}

/** Prose of the contract, what stands between backticks as code. */
export function withCode(text: string): Child {
  return text.split('`').map((part, i) => (i % 2 === 1 ? make('code', part) : part))
}

/** A push button that does something here; it never sends a form. */
export function button(text: string, onclick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return make('button', { type: 'button', onclick, ...attributes }, text)
}

/** A link to another site for an http(s) address; plain text for anything else. */
export function outsideLink(address: string, label: string): HTMLElement {
  let url: URL | undefined
  try {
    url = new URL(address)
  } catch {
    // No address: plain text.
  }
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return make('span', address)
  return make('a', { href: url.href, target: '_blank', rel: 'noopener noreferrer', title: address }, label)
}

/** A table that scrolls by itself where the page is narrow. @param selector of the table: `table.rows` */
export function scrollingTable(
  label: string,
  selector: 'table' | `table.${string}`,
  head: Child,
  body: Child,
): HTMLElement {
  const table: HTMLElement = make(selector, make('thead', make('tr', head)), body)
  return make('div.wide', { tabindex: 0, role: 'region', 'aria-label': label }, table)
}

export interface Tab {
  /** Unique in the page. */
  readonly id: string
  readonly title: string
  /** Called when the tab is first opened. */
  readonly open: () => HTMLElement
}

/** The tab that was opened last: kept while the page is open. */
export interface TabChoice {
  id: string
}

/** Tabs as the ARIA pattern has them: arrow keys, Home and End move; a panel is made when it is first opened. */
export function tabs(label: string, all: readonly Tab[], choice: TabChoice): HTMLElement {
  const panels = all.map(({ id }) =>
    make('div.panel', { role: 'tabpanel', id: `panel-${id}`, 'aria-labelledby': `tab-${id}` }),
  )
  const show = (chosen: Tab | undefined): void => {
    for (const [i, tab] of all.entries()) {
      const [button, panel, isOpen] = [buttons[i] as HTMLElement, panels[i] as HTMLElement, tab === chosen]
      button.setAttribute('aria-selected', String(isOpen))
      button.tabIndex = isOpen ? 0 : -1
      panel.hidden = !isOpen
      if (isOpen && panel.childElementCount === 0) panel.append(tab.open())
    }
  }
  const buttons = all.map((tab, i) => {
    const onclick = (): void => {
      choice.id = tab.id
      show(tab)
    }
    const onkeydown = (event: KeyboardEvent): void => {
      const targets: Readonly<Record<string, number>> = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: -1 }
      const target = targets[event.key]
      if (target === undefined) return
      event.preventDefault()
      const next = buttons.at(target % all.length)
      next?.focus()
      next?.click()
    }
    const attributes = { role: 'tab', id: `tab-${tab.id}`, 'aria-controls': `panel-${tab.id}`, onkeydown }
    return button(tab.title, onclick, attributes)
  })
  show(all.find(({ id }) => id === choice.id) ?? all[0])
  return make('div.tabs', make('div', { role: 'tablist', 'aria-label': label }, buttons), panels)
}
