import { isMissing } from '../table/values.js'

/** What stands for a missing cell, which is not the same as an empty text. */
export const missingMark = '·'

/** What stands for a credential. */
export const secretMark = '••••••'

/** Control characters and marks of writing direction would let a text from outside steer a terminal or a page. */
const steering =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g

const halves = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** A text in one line: what would steer becomes a blank, halves of characters become U+FFFD. */
export function printable(text: string): string {
  return text.replace(steering, ' ').replace(halves, '\ufffd')
}

function nested(cell: object): string {
  if (cell instanceof Date) return Number.isNaN(cell.valueOf()) ? missingMark : cell.toISOString()
  const json = JSON.stringify(cell, (_, part) => (typeof part === 'bigint' ? String(part) : part))
  return json ?? String(cell)
}

/** A cell as text: a number with every digit that it has, as JavaScript prints it; a nested value as JSON. */
export function cellText(cell: unknown): string {
  if (isMissing(cell)) return missingMark
  return printable(typeof cell === 'object' ? nested(cell as object) : String(cell))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Control characters but tab and line ends, and halves of surrogate pairs: no text of a page may hold them. */
const unprintable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Text for element content and quoted attributes. What cannot be shown becomes U+FFFD. */
export function escapeHtml(text: string): string {
  return text.replace(unprintable, '\ufffd').replace(/[&<>"']/g, (mark) => entities[mark] ?? mark)
}
