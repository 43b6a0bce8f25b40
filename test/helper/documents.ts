import { readdirSync, readFileSync } from 'node:fs'

/** For users: the READMEs and the guides, all of them in two languages; the glossary is in both. */
export const documents = [
  'README.md',
  'README.zh-CN.md',
  ...readdirSync('docs/guide').map((name) => `docs/guide/${name}`),
]
const isChinese = (document: string): boolean => document.endsWith('.zh-CN.md')
export const chineseOf = (document: string): string => document.replace(/(?<!\.zh-CN)\.md$/, '.zh-CN.md')
export const guides = documents.slice(2).filter((document) => !isChinese(document) && !document.endsWith('glossary.md'))

export const textOf = (document: string): string => readFileSync(document, 'utf8')

/** A program, or what a shell or a server reads, without the words of its comments: what is alike in both languages. */
export const codeOf = (text: string): string =>
  text.replaceAll(/ *(?:\/\/ (?!=>)|\/\*\* |<!-- |(?<![^\s])# ).*/g, '').replaceAll(/^ *\n/gm, '')

/** Each text once, the first of those that are the same to `of`. */
export const firstOf = <T extends { readonly text: string }>(
  all: readonly T[],
  of = (text: string): string => text,
): T[] => all.filter(({ text }, i) => all.findIndex((one) => of(one.text) === of(text)) === i)

/** Code blocks of a language in all documents, or in one. */
export function blocks(
  language: string,
  of: readonly string[] = documents,
): { readonly document: string; readonly text: string }[] {
  const fence = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm')
  return of.flatMap((document) => [...textOf(document).matchAll(fence)].map(([, text = '']) => ({ document, text })))
}
