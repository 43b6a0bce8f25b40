import type { Column } from '../../../contract/column.js'
import { numberText, plainText } from './cell-text.js'
import { make, outsideLink } from './dom.js'

const long = 320

/** What a cell shows: numbers with their points below each other, links as links, long texts to be opened, null as a dash. */
export function cellContent(value: unknown, column: Column | undefined): HTMLElement | string {
  if (value === null || value === undefined) return make('span', { class: 'null', title: 'null' }, '—')
  const number = numberText(value)
  if (number !== undefined) return number
  const text = plainText(value)
  if (column?.kind === 'text' && /^https?:\/\//i.test(text)) {
    const bare = text.replace(/^https?:\/\/(www\.)?/i, '')
    return outsideLink(text, bare.length > 36 ? `${bare.slice(0, 35)}…` : bare)
  }
  if (text.length <= long) return text
  return make('details', { class: 'long' }, make('summary', {}, `${text.slice(0, 120)}…`), make('div', {}, text))
}
