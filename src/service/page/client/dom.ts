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
    url = undefined
  }
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return make('span', {}, address)
  return make('a', { href: url.href, target: '_blank', rel: 'noopener noreferrer', title: address }, label)
}
