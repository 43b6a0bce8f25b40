import { make } from './dom.js'

export interface Tab {
  /** Unique in the page. */
  readonly id: string
  readonly title: string
  /** Made when the tab is first opened. */
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
    buttons.forEach((button, i) => {
      button.setAttribute('aria-selected', String(i === index))
      button.tabIndex = i === index ? 0 : -1
    })
    panels.forEach((panel, i) => {
      panel.hidden = i !== index
    })
    const [tab, panel] = [all[index], panels[index]]
    if (tab && panel && panel.childElementCount === 0) panel.append(tab.open())
  }
  buttons.forEach((button, i) => {
    const id = all[i]?.id as string
    button.addEventListener('click', () => {
      choose(i)
      onChoose(id)
    })
    button.addEventListener('keydown', (event) => {
      const steps: Readonly<Record<string, number>> = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: -1 }
      const step = steps[event.key]
      if (step === undefined) return
      event.preventDefault()
      const next = (step + all.length) % all.length
      buttons[next]?.focus()
      buttons[next]?.click()
    })
  })
  choose(
    Math.max(
      0,
      all.findIndex(({ id }) => id === chosen),
    ),
  )
  return make('div', { class: 'tabs' }, make('div', { role: 'tablist', 'aria-label': label }, ...buttons), ...panels)
}
