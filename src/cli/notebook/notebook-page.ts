import { type Say, sayIn } from '../../contract/say.js'
import { sha256 } from '../../data/archive/file-access.js'
import { escapeHtml } from '../../frame/show/cell-text.js'
import { liveParts } from '../../research/report/live-parts.js'
import { paletteStyle } from '../../research/report/palette.js'
import { manifestMeta, type PageManifest, sealPage } from '../../research/report/verify/page-manifest.js'
import { displayedPlot, outputHtml } from './output-html.js'
import type { Notebook } from './read-notebook.js'
import type { NotebookRun } from './run-notebook.js'

/** Nothing is fetched, and nothing runs but the script of charts, whatever a cell has put out. */
const policyWith = (script: string): string => `default-src 'none'; ${script}img-src data:; style-src 'unsafe-inline'`

/**
 * One self-contained page of a notebook and what its cells put out, in the language of the notebook. The same notebook and
 * outputs give the same bytes.
 * @param source what the cells had to read from, for the manifest of the page
 * @param interactive its charts answer, by one script for all of them
 */
export async function notebookPage(
  { title, language, cells, name }: Notebook,
  run: NotebookRun,
  source?: PageManifest['source'],
  interactive = true,
): Promise<string> {
  const { markdownHtml, codeHtml, notebookStyle } = await import('#markup')
  const say = sayIn(language)
  const parts = cells.map(({ type, source, number }) => {
    if (type === 'markdown') return `<section class="words">\n${markdownHtml(source)}\n</section>`
    if (number === undefined) return `<pre tabindex="0">${escapeHtml(source)}</pre>`
    const outputs = number > run.ran ? undefined : (run.outputs.get(number) ?? [])
    const shown = outputs?.map((output) => outputHtml(output, markdownHtml, say)).join('\n')
    return codeCell(number, codeHtml(source), shown, say)
  })
  const texts = JSON.stringify(cells.map((cell) => [cell.type, cell.source]))
  const code = { name: `${name}.ipynb`, sha256: sha256(texts) }
  const plots = [...run.outputs.values()].flatMap((outputs) => outputs.flatMap((output) => displayedPlot(output) ?? []))
  const live = interactive ? liveParts(plots) : undefined
  const manifest = manifestMeta({
    kind: 'notebook',
    options: { language, ...(live && { interactive }) },
    code,
    inputs: [],
    ...(source && { source }),
  })
  return sealPage(`<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
${manifest}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${policyWith(live?.policy ?? '')}">
<title>${escapeHtml(title)}</title>
<style>
${paletteStyle}${notebookStyle}
</style>
</head>
<body>
<main>
${summary(run, say)}${parts.join('\n')}
</main>
${live?.scripts ?? ''}</body>
</html>
`)
}

function summary({ failures: [first] }: NotebookRun, say: Say): string {
  if (first === undefined) return ''
  const link = `<a href="#cell-${first.cell}">${first.cell}</a>`
  return `<p class="failed">${say('This notebook failed in cell {cell}.', { cell: link })}</p>\n`
}

/** @param shown its outputs; undefined when it was not reached */
function codeCell(number: number, code: string, shown: string | undefined, say: Say): string {
  const outputs = shown ?? `<p class="aside">${say('Not run.')}</p>`
  return `<section class="cell" id="cell-${number}">
<span class="number" aria-label="${say('cell {cell}', { cell: number })}">${number}</span>
<pre class="code" tabindex="0"><code>${code}</code></pre>
${outputs ? `<div class="outputs">\n${outputs}\n</div>\n` : ''}</section>`
}
