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

import stringWidth from 'string-width'

/** Clusters that a terminal draws as one: a letter with its marks, a flag, an emoji with its joiners. */
const clusters =
  /\p{Regional_Indicator}{2}|\p{Extended_Pictographic}[\p{M}\p{EMod}]*(?:\u200d\p{Extended_Pictographic}[\p{M}\p{EMod}]*)*|\P{M}\p{M}*|\p{M}+/gsu

/** Signs without a width of their own: marks, joiners, soft hyphens. */
const silent = /[\p{M}\p{Cf}]/gu

function clusterWidth(cluster: string): number {
  if (cluster.length === 1 && cluster >= ' ' && cluster <= '~') return 1
  if (/^\p{Regional_Indicator}{2}|^\p{Emoji_Presentation}|^\p{Extended_Pictographic}.*\ufe0f/u.test(cluster)) return 2
  if (cluster >= '\u{1f000}' && /^\p{Extended_Pictographic}/u.test(cluster)) return 1
  return stringWidth(cluster.replace(silent, ''))
}

/** How many cells of a terminal a text takes: two for a wide Chinese character or an emoji, none for a combining mark. */
export function textWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  let width = 0
  for (const [cluster] of text.matchAll(clusters)) width += clusterWidth(cluster)
  return width
}

/** A text that takes at most `most` cells: what does not fit gives way to `…`. No character is cut in two. */
export function truncateText(text: string, most: number): string {
  if (textWidth(text) <= most) return text
  let out = ''
  let width = 0
  for (const [cluster] of text.matchAll(clusters)) {
    width += clusterWidth(cluster)
    if (width > most - 1) break
    out += cluster
  }
  return `${out}…`
}

/** A text with blanks up to `width` cells: before it when it stands at the right, behind it otherwise. */
export function padText(text: string, width: number, right: boolean): string {
  const blanks = ' '.repeat(Math.max(0, width - textWidth(text)))
  return right ? blanks + text : text + blanks
}
