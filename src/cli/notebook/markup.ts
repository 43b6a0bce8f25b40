/** Markdown and coloured TypeScript as HTML, and the style of the page; src/build/lib.mjs bundles what that takes of two packages as `#markup`. */
import hljs from 'highlight.js/lib/core'
import typescript from 'highlight.js/lib/languages/typescript'
import markdownIt from 'markdown-it'
import style from './notebook-style.css'

hljs.registerLanguage('typescript', typescript)
const markdown = markdownIt({ html: false, typographer: false })

/** The style of a page of a notebook. */
export const notebookStyle = style.trimEnd()

export function markdownHtml(text: string): string {
  return markdown.render(text).trim()
}

export function codeHtml(source: string): string {
  return hljs.highlight(source, { language: 'typescript' }).value
}
