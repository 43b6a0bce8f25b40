import type { PlotReading } from './plot-reading.js'

/** A new element of the page. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  look: string,
  text = '',
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  made.className = look
  made.textContent = text
  return made
}

/** All values of a place, panel by panel, each behind the sign of its series. */
export function readingElement({ place, panels }: PlotReading): HTMLElement {
  const made = element('div', 'live-reading')
  made.append(element('b', '', place))
  for (const { name, rows } of panels) {
    const isPlain = rows.length === 1 && rows[0]?.name === ''
    if (!isPlain && name !== '') made.append(element('small', '', name))
    for (const row of rows) {
      const [line, label] = [element('span', ''), element('span', '')]
      if (row.sign) {
        const sign = element('i', `sign ${row.sign.sign}`)
        sign.style.setProperty('--sign', `var(--${row.sign.ink})`)
        label.append(sign)
      }
      label.append(isPlain ? name : row.name)
      line.append(label, element('strong', '', row.text))
      made.append(line)
    }
  }
  return made
}
