const signs = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escaped = (text) => String(text).replace(/[&<>"]/g, (sign) => signs[sign])

/** What a page can show of a display, the best first. */
const shown = [
  ['text/html', (html) => html],
  ['image/svg+xml', (svg) => `<img alt="" src="data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}">`],
  ['image/png', (png) => `<img alt="" src="data:image/png;base64,${png}">`],
  ['image/jpeg', (jpeg) => `<img alt="" src="data:image/jpeg;base64,${jpeg}">`],
  ['text/markdown', (text, markdown) => markdown.render(text).trim()],
  ['application/json', (value) => pre(typeof value === 'string' ? value : JSON.stringify(value, null, 2))],
  ['text/plain', (text) => pre(text)],
]

const pre = (text, name = '') => `<pre${name && ` class="${name}"`}>${escaped(text)}</pre>`

/** An output of a cell (see `collect`) as HTML. HTML that a cell displays is taken as it is; everything else is text. */
export function outputHtml(output, markdown) {
  if (output.type === 'stream') return pre(afterReturns(output.text).replace(/\n$/, ''), output.name)
  if (output.type === 'failure') return failureHtml(output)
  for (const [mime, html] of shown) {
    const value = output.data[mime]
    if (value !== undefined) return `<div class="display">${html([value].flat().join(''), markdown)}</div>`
  }
  return pre(`(a display of ${Object.keys(output.data).join(', ')} that a page can not show)`, 'aside')
}

function failureHtml({ kind, name, message, more = [], at, expected }) {
  const where = at ? `\nline ${at.line}${at.cell === undefined ? '' : ` of cell ${at.cell}`}: ${at.text.trim()}` : ''
  const what = name === undefined ? kind : kind === 'error' ? name : `${kind}: ${name}`
  return pre(`${what}: ${[message, ...more].join('\n  ')}${where}`, expected ? 'stderr' : 'failure')
}

/** A line as a terminal leaves it: what follows a carriage return has overwritten it. */
const afterReturns = (text) =>
  text
    .replace(/\r\n/g, '\n')
    .split('\n')
    .map((line) => line.slice(line.replace(/\r+$/, '').lastIndexOf('\r') + 1))
    .join('\n')
