import { escapeHtml, textWidth, truncateText } from '../show/cell-text.js'
import type { KeyLine } from './chart-plot.js'
import { width } from './draw-plot.js'
import type { Ink, Plot } from './plot.js'

/** Inks that read on the drawing's own paper: an image does not see the page that it is on. */
const colours: Readonly<Record<Ink, string>> = {
  ink: '#1d2126',
  quiet: '#5f6770',
  grid: '#dfdfda',
  paper: '#fdfcf9',
  one: '#1d5b96',
  two: '#b3261e',
  three: '#2c6e49',
}

const margin = 18
const fonts =
  "system-ui,-apple-system,'Segoe UI','Noto Sans','PingFang SC','Hiragino Sans GB','Microsoft YaHei','Noto Sans CJK SC',sans-serif"

/** About how wide a text is at 12 px. */
function pixels(text: string): number {
  return textWidth(text) * 6.6
}

function mark({ kind, look }: KeyLine, x: number, y: number): string {
  const color = colours[look.ink]
  const outline = `stroke="${color}" stroke-width="1.4"`
  if (kind === 'line') {
    const dash = ['', ' stroke-dasharray="6 4"', ' stroke-dasharray="2 3"'][look.form]
    return `<path d="M${x} ${y}h22" stroke="${color}" stroke-width="2"${dash} fill="none"/>`
  }
  if (kind === 'points') {
    const at = x + 11
    if (look.form === 1) return `<path d="M${at} ${y - 5}l5 5l-5 5l-5 -5z" fill="${colours.paper}" ${outline}/>`
    const fill = look.form === 0 ? color : colours.paper
    return `<circle cx="${at}" cy="${y}" r="4" fill="${fill}" ${outline}/>`
  }
  return `<rect x="${x + 5}" y="${y - 5}" width="14" height="10" fill="${look.form === 1 ? colours.paper : color}" ${outline}/>`
}

/** The key, in as many lines as it takes. */
function keyMarkup(key: readonly KeyLine[], top: number): { markup: string; height: number } {
  let [x, y] = [margin, top]
  const parts = key.map((line) => {
    const name = truncateText(line.name, 40)
    const wide = 30 + pixels(name) + 18
    if (x > margin && x + wide > width + margin) [x, y] = [margin, y + 20]
    const at = x
    x += wide
    const text = `<text x="${at + 30}" y="${y + 4}" font-size="12" fill="${colours.ink}">${escapeHtml(name)}</text>`
    return mark(line, at, y) + text
  })
  return { markup: parts.join('\n'), height: key.length === 0 ? 0 : y - top + 24 }
}

/** Hundredths of a pixel are enough. */
function rounded(tag: string): string {
  return tag.replace(/-?\d+\.\d{3,}/g, (number) => String(Number(Number(number).toFixed(2))))
}

function fixedInks(tag: string): string {
  return tag.replace(
    / (fill|stroke)="var\(--(\w+)\)"/g,
    (_, name: string, ink: string) => ` ${name}="${colours[ink as Ink]}"`,
  )
}

/** How many labels of points found no room. Labels and the names of panels are the texts in full ink. */
export function hiddenLabels(drawn: string, { panels }: Plot): number {
  const labels = panels.flatMap(({ series }) => series.flatMap((one) => ('labels' in one ? (one.labels ?? []) : [])))
  const request = labels.filter((text) => text.trim() !== '').length
  if (request === 0) return 0
  const inked = drawn.match(/<text [^>]*fill="var\(--ink\)"/g) ?? []
  return Math.max(0, request + panels.length - inked.length)
}

/**
 * A drawing of the page as a file of its own: paper, fixed inks, title, key and a note below.
 * @param drawn the drawing as `draw` makes it
 * @param height of the drawing
 */
export function standalone(
  drawn: string,
  height: number,
  about: { readonly id: string; readonly title: string; readonly key: readonly KeyLine[]; readonly note: string },
): string {
  const { id, title, key, note } = about
  const head = title === '' ? 12 : 42
  const { markup, height: keyHeight } = keyMarkup(key, head + 8)
  const top = head + keyHeight
  const foot = note === '' ? 8 : 26
  const [wide, high] = [width + 2 * margin, top + height + foot]
  const body = drawn
    .replace(/<[^>]+>/g, (tag) => fixedInks(rounded(tag)))
    .replace(/^<svg [^>]*>((?:<title[\s\S]*?<\/title>)?(?:<desc[\s\S]*?<\/desc>)?)/, '$1<g transform="translate(0 0)">')
    .replace(/<\/svg>\s*$/, '</g>')
  const words = /^(<title[\s\S]*?<\/desc>)/.exec(body)?.[1] ?? ''
  const drawing = body.slice(words.length).replace('translate(0 0)', `translate(${margin} ${top})`)
  const titled =
    title === ''
      ? ''
      : `<text x="${margin}" y="28" font-size="16" font-weight="600" fill="${colours.ink}">${escapeHtml(truncateText(title, 90))}</text>`
  const noted =
    note === ''
      ? ''
      : `<text x="${margin}" y="${high - 12}" font-size="11" fill="${colours.quiet}">${escapeHtml(truncateText(note, 120))}</text>`
  const open =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}" viewBox="0 0 ${wide} ${high}" ` +
    `font-family="${fonts}" role="img" aria-labelledby="${id}-title ${id}-desc">`
  const paper = `<rect width="${wide}" height="${high}" rx="6" fill="${colours.paper}"/>`
  return [open + words, paper, titled, markup, drawing, noted, '</svg>'].filter((part) => part !== '').join('\n')
}
