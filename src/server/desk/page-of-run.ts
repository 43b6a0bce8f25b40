import { createHash } from 'node:crypto'
import { html } from '../../research/report/html.js'
import { liveScript } from '../../research/report/live-script.js'
import { fileOf, pageHeaders } from '../service/page/page-files.js'
import { content, type ServiceAnswer } from '../service/service-answer.js'
import { type DeskVisit, deskHref } from './desk-visit.js'

const codeText = /(?<![\w.])(\d{6}\.(?:SH|SZ|BJ))(?![\w.])/g

/** A page with its codes as links to the desk: in its texts alone, not in scripts, drawings, titles and links. */
export function withCodeLinks(page: string, hrefOf: (code: string) => string): string {
  const kept = /<(script|style|svg|title|a|button|textarea)\b[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->|<[^>]*>|[^<]+/gi
  const link = (_: string, code: string): string => html`<a href="${hrefOf(code)}" target="_top">${code}</a>`.markup
  return page.replace(kept, (part) => (part.startsWith('<') ? part : part.replace(codeText, link)))
}

/** Tells the page around a frame how high the page in it is, and to where in it a link leads. */
const frameScript = `new ResizeObserver(() => parent.postMessage({ height: document.documentElement.getBoundingClientRect().height }, '*')).observe(document.documentElement)
addEventListener('click', ({ target }) => {
  const link = target.closest('a[href^="#"]')
  const place = link && document.getElementById(link.hash.slice(1))
  if (place) parent.postMessage({ top: place.getBoundingClientRect().top }, '*')
})
`

/** A page of a run as its frame has it: with links, and the script of frames. What the page allows itself is in the headers. */
function framed(visit: DeskVisit, page: string): string {
  const linked = withCodeLinks(page, (code) => deskHref(visit, ['code', code]))
  return `${linked.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '')}<script>${frameScript}</script>\n`
}

const hashOf = (script: string): string => `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/** A page that a run wrote, alone in its frame: it runs no script but those of charts and of frames, and asks for nothing. */
export function pageOfRun(visit: DeskVisit): ServiceAnswer | undefined {
  const [, name = '', file] = visit.parts
  const { runs } = visit.folders
  if (file === undefined || !runs?.names().includes(name) || !runs.pages(name).includes(file)) return undefined
  const page = framed(visit, Buffer.from(runs.page(name, file)).toString('utf8'))
  const policy = `sandbox allow-scripts allow-top-navigation-by-user-activation; default-src 'none'; script-src ${hashOf(liveScript())} ${hashOf(frameScript)}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`
  const { 'X-Frame-Options': _, 'Content-Security-Policy': __, ...headers } = pageHeaders
  const { body, type } = fileOf(Buffer.from(page), 'text/html; charset=utf-8')
  return content(body, type, { ...headers, 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' })
}
