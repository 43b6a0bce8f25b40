import { expect, test } from 'vitest'
import { documents, isChinese, textOf } from '../helper/documents.js'

/** Prose of a page: without code, tables, headings and the targets of links. */
function proseOf(text: string): string {
  return text
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/^(?:\||#+ |<).*$/gm, '')
    .replaceAll(/`[^`]*`/g, 'X')
    .replaceAll(/\]\([^)]*\)/g, ']')
}

/** Words that send a reader back to the beginning of a sentence, with how many of 1,000 words they may be: twice the rate of Observable Plot's documentation. */
const ceilings: readonly (readonly [what: string, words: RegExp, most: number])[] = [
  ['"where" for "if"', /\bwhere\b/gi, 1.6],
  ['things that speak', /\b(?:says?|said|tells?|told|knows?|stands?)\b/gi, 1.6],
  ['a negated noun', /\b(?:is|are) (?:no|none)\b|\band no\b/gi, 0.4],
  ['nobody in particular', /\b(?:whoever|somebody|nobody|one's own)\b/gi, 0],
]

const pages = documents.filter((one) => !isChinese(one) && !one.startsWith('docs/api/'))

test.each(pages)('%s speaks to its reader', (document) => {
  const prose = proseOf(textOf(document))
  const words = prose.match(/[A-Za-z][\w'’-]*/g)?.length ?? 0
  for (const [what, pattern, most] of ceilings) {
    const found = prose.match(pattern)?.length ?? 0
    // A short page may have one of them.
    const allowed = most === 0 ? 0 : Math.max(1, Math.floor((most * words) / 1000))
    expect(found, `${what}: ${prose.match(pattern)}`).toBeLessThanOrEqual(allowed)
  }
})

test.each(pages)('%s has headings of at most five words', (document) => {
  const headings = textOf(document)
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .matchAll(/^#+ (?:\d+\. )?(.*)$/gm)
  const long = [...headings].map(([, words = '']) => words).filter((words) => words.split(/\s+/).length > 5)
  expect(long).toEqual([])
})
