import stringWidth from 'string-width'

/** Clusters that a terminal draws as one: a letter with its marks, a flag, an emoji with its joiners. */
const clusters =
  /\p{Regional_Indicator}{2}|\p{Extended_Pictographic}[\p{M}\p{EMod}]*(?:\u200d\p{Extended_Pictographic}[\p{M}\p{EMod}]*)*|\P{M}\p{M}*|\p{M}+/gsu

/** Signs without a width of their own: marks, joiners, soft hyphens. */
const silent = /[\p{M}\p{Cf}]/gu

/** The codes by which a terminal takes a colour and leaves it. */
const colours = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g')

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
  for (const [cluster] of text.replace(colours, '').matchAll(clusters)) width += clusterWidth(cluster)
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

/** The same, cut between words where it would be cut inside one of Latin letters or digits: a code without its end is another code. */
export function truncateWords(text: string, most: number): string {
  const short = truncateText(text, most)
  if (short === text) return text
  const kept = short.slice(0, -1)
  const isInside = /[\w.]$/.test(kept) && /^[\w.]/.test(text.slice(kept.length))
  const end = isInside ? kept.lastIndexOf(' ') + 1 : 0
  return end > kept.length / 2 ? `${kept.slice(0, end)}…` : short
}

/** A text with blanks up to `width` cells: before it when it stands at the right, behind it otherwise. */
export function padText(text: string, width: number, right: boolean): string {
  const blanks = ' '.repeat(Math.max(0, width - textWidth(text)))
  return right ? blanks + text : text + blanks
}
