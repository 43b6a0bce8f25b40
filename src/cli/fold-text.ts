import { textWidth } from '../frame/show/text-width.js'

/** Words between blanks, and single wide characters; a closing mark stays with what it closes, an opening one with what follows. */
const piece = /\s*[（《“]*(?:[\u2e80-\u9fff\uff00-\uffef]|[^\s\u2e80-\u9fff\uff00-\uffef“]+)[，。、；：？！）》”]*/gu

/** Lines of at most so many cells of a terminal, folded at blanks, and between Chinese characters. */
export function foldText(text: string, width: number): string[] {
  const lines = ['']
  for (const [next] of text.matchAll(piece)) {
    const last = lines.at(-1) as string
    if (last !== '' && textWidth(last) + textWidth(next) > width) lines.push(next.trimStart())
    else lines[lines.length - 1] = last === '' ? next.trimStart() : last + next
  }
  return lines
}
