import type { Say } from '../../contract/say.js'
import { escapeHtml } from '../../frame/show/cell-text.js'
import { type PagePlot, plotMime } from '../../research/report/plot.js'
import type { CellOutput } from './cell-outputs.js'
import { failureText } from './failure-text.js'

const image = (type: string, base64: string): string => `<img alt="" src="data:image/${type};base64,${base64}">`

type Shown = readonly [mime: string, html: (text: string, markdown: (text: string) => string) => string]

/** What a page can show of a display, the best first. */
const shown: readonly Shown[] = [
  ['text/html', (html) => html],
  ['image/svg+xml', (svg) => image('svg+xml', Buffer.from(svg).toString('base64'))],
  ['image/png', (png) => image('png', escapeHtml(png))],
  ['image/jpeg', (jpeg) => image('jpeg', escapeHtml(jpeg))],
  ['text/markdown', (text, markdown) => markdown(text)],
  ['application/json', (text) => pre(text)],
  ['text/plain', (text) => pre(text)],
]

function pre(text: string, name = ''): string {
  return `<pre${name && ` class="${name}"`} tabindex="0">${escapeHtml(text)}</pre>`
}

/** A value of a display as text: lines are joined, an object is JSON. */
function textOf(value: string | readonly string[] | object): string {
  if (typeof value === 'string') return value
  const isLines = Array.isArray(value) && value.every((line) => typeof line === 'string')
  return isLines ? value.join('') : JSON.stringify(value, null, 2)
}

/** An output as HTML. HTML that a cell displays is taken as it is; everything else is text. */
export function outputHtml(output: CellOutput, markdown: (text: string) => string, say: Say): string {
  if (output.type === 'stream') return pre(afterReturns(output.text).replace(/\n$/, ''), output.name)
  if (output.type === 'failure')
    return pre(failureText(output.failure, say), output.failure.expected ? 'stderr' : 'failure')
  for (const [mime, html] of shown) {
    const value = output.data[mime]
    if (value === undefined) continue
    const inside = html(textOf(value), markdown)
    const plot = displayedPlot(output)
    return plot
      ? `<div class="display drawing" data-plot="${escapeHtml(plot.id)}">${inside}</div>`
      : `<div class="display">${inside}</div>`
  }
  return pre(`(a display of ${Object.keys(output.data).join(', ')} that a page can not show)`, 'aside')
}

/** The plot of a chart that a cell displays, by which the page makes it answer. */
export function displayedPlot(output: CellOutput): PagePlot | undefined {
  const plot = output.type === 'display' ? output.data[plotMime] : undefined
  return plot === undefined ? undefined : (plot as PagePlot)
}

/** A line as a terminal leaves it: what follows a carriage return has overwritten it. */
function afterReturns(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .split('\n')
    .map((line) => line.slice(line.replace(/\r+$/, '').lastIndexOf('\r') + 1))
    .join('\n')
}
