import { readFileSync } from 'node:fs'
import hljs from 'highlight.js/lib/core'
import typescript from 'highlight.js/lib/languages/typescript'
import markdownIt from 'markdown-it'
import { escaped, outputHtml } from './output-html.mjs'

hljs.registerLanguage('typescript', typescript)
const markdown = markdownIt({ html: false, typographer: false })
const style = readFileSync(new URL('page.css', import.meta.url), 'utf8').trim()

/** Nothing is fetched and nothing runs, whatever a cell has put out. */
const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"

/**
 * One self-contained page of a notebook and what its cells put out. The same notebook and outputs give the same bytes.
 * @param notebook as `readNotebook` gives it
 * @param result as `execute` gives it
 */
export function page({ title, cells }, { ran, outputs, failures }) {
  const parts = cells.map((cell) => {
    if (cell.type === 'markdown') return `<section class="words">\n${markdown.render(cell.source).trim()}\n</section>`
    if (cell.type !== 'code') return `<pre>${escaped(cell.source)}</pre>`
    const reached = cell.number <= ran
    return codeCell(cell, reached ? (outputs.get(cell.number) ?? []) : undefined)
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escaped(title)}</title>
<style>
${style}
</style>
</head>
<body>
<main>
${summary(failures)}${parts.join('\n')}
</main>
</body>
</html>
`
}

function summary(failures) {
  const [first] = failures
  if (first === undefined) return ''
  return `<p class="failed">This notebook failed in cell <a href="#cell-${first.cell}">${first.cell}</a>.</p>\n`
}

function codeCell({ number, source }, outputs) {
  const code = hljs.highlight(source, { language: 'typescript' }).value
  const shown =
    outputs === undefined
      ? '<p class="aside">Not run.</p>'
      : outputs.map((output) => outputHtml(output, markdown)).join('\n')
  return `<section class="cell" id="cell-${number}">
<span class="number" aria-label="cell ${number}">${number}</span>
<pre class="code"><code>${code}</code></pre>
${shown ? `<div class="outputs">\n${shown}\n</div>\n` : ''}</section>`
}
