import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'

/** The anchor of a heading, as a code host makes it: links between guides hold in both places. */
export function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}

/** Where a file of docs/ is on the site: `guide/sync.zh-CN.md` is `/zh/guide/sync.md`. The glossary is in both languages. */
export function placeOf(file, isChinese = file.endsWith('.zh-CN.md')) {
  return `/${isChinese ? 'zh/' : ''}${file.replace('.zh-CN.md', '.md')}`
}

/**
 * A page with its links as the site has them: to its pages by their place, to pictures where they are copied to; what is no page
 * of it stays as words. The link to the other language goes: it stands at the top of each page.
 * @param pictures is given each picture with its new place
 */
export function siteText(text, file, isChinese, pictures) {
  const [body, ...code] = [text.replace(/^\[(?:中文|English)\]\([\w.-]+\.md\)\n\n/m, '')]
  const kept = body.replaceAll(/^```[\s\S]*?^```|`[^`\n]*`/gm, (block) => `\u2063${code.push(block) - 1}\u2063`)
  const linked = kept.replaceAll(/(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g, (whole, mark, words, target) => {
    if (/^(?:https?:|#)/.test(target)) return whole
    const [path, anchor] = target.split('#')
    const from = join('docs', file, '..', path)
    if (mark) {
      const place = `/pictures/${basename(from)}`
      pictures.set(from, place)
      return `![${words}](${place})`
    }
    const hash = anchor === undefined ? '' : `#${anchor}`
    if (/^README(?:\.zh-CN)?\.md$/.test(from)) return `[${words}](${isChinese ? '/zh/' : '/'})`
    const isPage = from.startsWith('docs/') && from.endsWith('.md') && existsSync(from)
    return isPage ? `[${words}](${placeOf(from.slice(5), isChinese)}${hash})` : words
  })
  return linked.replaceAll(/\u2063(\d+)\u2063/g, (_, i) => code[i])
}
